#pragma once
// The physics of one element or one node of lulesh: what LULESH computes ("Hydrodynamics challenge problem", Lawrence
// Livermore National Laboratory, LLNL-TR-490254; Karlin et al., LLNL-TR-641973), written with vectors. A hexahedron's
// corners are numbered as there: 0 to 3 around the lower face, 4 to 7 above them.

#include "../common/workload.h"

namespace workloads {

struct Vec {
    double x, y, z;
};
__host__ __device__ inline Vec operator+(Vec a, Vec b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ inline Vec operator-(Vec a, Vec b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ inline Vec operator*(double s, Vec a) {
    return {s * a.x, s * a.y, s * a.z};
}
__host__ __device__ inline double dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ inline Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Constants of the problem.
constexpr double kHourglass = 3;
constexpr double kLinearViscosity = 0.5, kQuadraticViscosity = 2.0 / 3, kMostSlope = 1, kLimiter = 2;
constexpr double kLeastEnergy = -1e15, kLeastPressure = 0, kMostVolume = 1e9, kLeastVolume = 1e-9;
constexpr double kEnergyCut = 1e-7, kPressureCut = 1e-7, kViscosityCut = 1e-7, kVelocityCut = 1e-7,
                 kVolumeCut = 1e-10;
constexpr double kTiny = 1e-36;

__host__ __device__ inline double cut(double value, double below) {
    return fabs(value) < below ? 0.0 : value;
}

__host__ __device__ inline double volume_of(const Vec (&p)[8]) {
    const auto triple = [](Vec a, Vec b, Vec c) { return dot(a, cross(b, c)); };
    return (triple(p[3] - p[1] + (p[7] - p[2]), p[6] - p[3], p[2] - p[0]) +
            triple(p[4] - p[3] + (p[5] - p[7]), p[6] - p[4], p[7] - p[0]) +
            triple(p[1] - p[4] + (p[2] - p[5]), p[6] - p[1], p[5] - p[0])) *
           (1.0 / 12);
}

/// Volume over the root of the largest face's squared area, times four.
__host__ __device__ inline double characteristic_length(const Vec (&p)[8], double volume) {
    double largest = 0;
    const auto face = [&](Vec a, Vec b, Vec c, Vec d) {
        const Vec f = (c - a) - (d - b), g = (c - a) + (d - b);
        const double fg = dot(f, g);
        largest = fmax(largest, dot(f, f) * dot(g, g) - fg * fg);
    };
    face(p[0], p[1], p[2], p[3]);
    face(p[4], p[5], p[6], p[7]);
    face(p[0], p[1], p[5], p[4]);
    face(p[1], p[2], p[6], p[5]);
    face(p[2], p[3], p[7], p[6]);
    face(p[3], p[0], p[4], p[7]);
    return 4 * volume / sqrt(largest);
}

/// Adds to each corner's force what the pressure on the faces that meet there does.
__host__ __device__ inline void add_pressure_force(const Vec (&p)[8], double pressure, Vec (&force)[8]) {
    const auto face = [&](u32 a, u32 b, u32 c, u32 d) {
        const Vec along = 0.5 * (p[d] + p[c] - p[b] - p[a]), across = 0.5 * (p[c] + p[b] - p[d] - p[a]);
        const Vec f = (0.25 * pressure) * cross(along, across);
        force[a] = force[a] + f;
        force[b] = force[b] + f;
        force[c] = force[c] + f;
        force[d] = force[d] + f;
    };
    face(0, 1, 2, 3);
    face(0, 4, 5, 1);
    face(1, 5, 6, 2);
    face(2, 6, 7, 3);
    face(3, 7, 4, 0);
    face(4, 7, 6, 5);
}

/// Derivative of the volume by the place of a corner, from those around it.
__host__ __device__ inline Vec volume_slope(Vec a, Vec b, Vec c, Vec d, Vec e, Vec f) {
    return (1.0 / 12) * (cross(b + c, a + b) + cross(a + e, d + e) + cross(d + f, c + f));
}

/// Adds the force against the four modes in which an element deforms but keeps its volume (Flanagan, Belytschko 1981).
__host__ __device__ inline void add_hourglass_force(const Vec (&p)[8], const Vec (&v)[8], double volume,
                                                    double sound, double mass, Vec (&force)[8]) {
    const Vec slope[8] = {
        volume_slope(p[1], p[2], p[3], p[4], p[5], p[7]), volume_slope(p[2], p[3], p[0], p[5], p[6], p[4]),
        volume_slope(p[3], p[0], p[1], p[6], p[7], p[5]), volume_slope(p[0], p[1], p[2], p[7], p[4], p[6]),
        volume_slope(p[7], p[6], p[5], p[0], p[3], p[1]), volume_slope(p[4], p[7], p[6], p[1], p[0], p[2]),
        volume_slope(p[5], p[4], p[7], p[2], p[1], p[3]), volume_slope(p[6], p[5], p[4], p[3], p[2], p[0])};
    constexpr double modes[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                    {1, -1, -1, 1, -1, 1, 1, -1},
                                    {1, -1, 1, -1, 1, -1, 1, -1},
                                    {-1, 1, -1, 1, 1, -1, 1, -1}};
    const double strength = -kHourglass * 0.01 * sound * mass / cbrt(volume), inverse = 1 / volume;
#pragma unroll
    for (u32 m = 0; m < 4; ++m) {
        Vec shape{0, 0, 0}, motion{0, 0, 0};
        double part[8];
#pragma unroll
        for (u32 i = 0; i < 8; ++i) shape = shape + modes[m][i] * p[i];
#pragma unroll
        for (u32 i = 0; i < 8; ++i) {
            part[i] = modes[m][i] - inverse * dot(slope[i], shape);
            motion = motion + part[i] * v[i];
        }
#pragma unroll
        for (u32 i = 0; i < 8; ++i) force[i] = force[i] + (strength * part[i]) * motion;
    }
}

/// Rate at which the element's volume grows, relative to it.
__host__ __device__ inline double growth_rate(const Vec (&p)[8], const Vec (&v)[8]) {
    const Vec a = p[6] - p[0], b = p[5] - p[3], c = p[7] - p[1], d = p[4] - p[2];
    const Vec xi = 0.125 * (a + b - c - d), eta = 0.125 * (a - b + c - d), zeta = 0.125 * (a + b + c + d);
    const Vec by_xi = cross(eta, zeta), by_eta = cross(zeta, xi), by_zeta = cross(xi, eta);
    const double volume = 8 * dot(eta, by_eta);
    return (dot(v[6] - v[0], by_xi + by_eta + by_zeta) + dot(v[7] - v[1], by_eta + by_zeta - by_xi) +
            dot(v[4] - v[2], by_zeta - by_xi - by_eta) + dot(v[5] - v[3], by_xi - by_eta + by_zeta)) /
           volume;
}

/// Along each of the three axes of an element: its length, and the velocity gradient.
struct Gradients {
    double length[3], gradient[3];
};

__host__ __device__ inline Gradients gradients_of(const Vec (&p)[8], const Vec (&v)[8], double volume) {
    const auto axes = [](const Vec(&c)[8], Vec(&axis)[3]) {
        axis[0] = 0.25 * ((c[1] + c[2] + c[6] + c[5]) - (c[0] + c[3] + c[7] + c[4]));
        axis[1] = 0.25 * ((c[3] + c[2] + c[6] + c[7]) - (c[0] + c[1] + c[5] + c[4]));
        axis[2] = 0.25 * ((c[4] + c[5] + c[6] + c[7]) - (c[0] + c[1] + c[2] + c[3]));
    };
    Vec place[3], velocity[3];
    axes(p, place);
    axes(v, velocity);
    Gradients g;
#pragma unroll
    for (u32 k = 0; k < 3; ++k) {
        const Vec area = cross(place[(k + 1) % 3], place[(k + 2) % 3]);
        g.length[k] = volume / sqrt(dot(area, area) + kTiny);
        g.gradient[k] = dot(area, velocity[k]) / (volume + kTiny);
    }
    return g;
}

/// The limiter of the monotonic viscosity: 1 where the gradient is as in both neighbours, 0 where it is an extremum.
__host__ __device__ inline double limiter(double own, double before, double after) {
    const double norm = 1 / (own + kTiny), b = before * norm, a = after * norm;
    const double phi = fmin(0.5 * (b + a), fmin(kLimiter * b, kLimiter * a));
    return fmin(fmax(phi, 0.0), kMostSlope);
}

/// Artificial viscosity of an element: the part that is to be multiplied by the speed of sound, and the other.
struct Viscosity {
    double linear, quadratic;
};

/// phi: limiters along the three axes.
__host__ __device__ inline Viscosity viscosity_of(const Gradients& g, const double (&phi)[3], double density,
                                                  double growth) {
    Viscosity q{0, 0};
    if (growth > 0) return q;
#pragma unroll
    for (u32 k = 0; k < 3; ++k) {
        const double closing = fmin(g.gradient[k] * g.length[k], 0.0);
        q.linear -= kLinearViscosity * density * closing * (1 - phi[k]);
        q.quadratic += kQuadraticViscosity * density * closing * closing * (1 - phi[k] * phi[k]);
    }
    return q;
}

/// State of an element's material.
struct Material {
    double energy, pressure, viscosity, sound;
};

__host__ __device__ inline double pressure_of(double energy, double compression, double volume) {
    const double p = cut(2.0 / 3 * (compression + 1) * energy, kPressureCut);
    return fmax(volume >= kMostVolume ? 0.0 : p, kLeastPressure);
}

__host__ __device__ inline double sound_speed(double energy, double volume, double compression,
                                              double pressure) {
    const double squared = 2.0 / 3 * energy + volume * volume * (2.0 / 3 * (compression + 1)) * pressure;
    return squared <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(squared);
}

/// The equation of state: energy by a predictor and two correctors, then pressure, viscosity and speed of sound.
/// `volume` is relative to the first one, `change` what it grew by in this step.
__host__ __device__ inline Material next_material(Material m, Viscosity q, double volume, double change) {
    volume = fmin(fmax(volume, kLeastVolume), kMostVolume);
    const double compression = 1 / volume - 1;
    const bool growing = change > 0;
    double half = volume <= kLeastVolume ? compression : 1 / (volume - 0.5 * change) - 1;
    const double half_volume = 1 / (1 + half);
    const auto viscous = [&](double energy, double v, double c, double p) {
        return growing ? 0.0 : sound_speed(energy, v, c, p) * q.linear + q.quadratic;
    };
    double energy = fmax(m.energy - 0.5 * change * (m.pressure + m.viscosity), kLeastEnergy);
    const double half_pressure = pressure_of(energy, half, volume);
    const double half_viscosity = viscous(energy, half_volume, half, half_pressure);
    energy += 0.5 * change * (3 * (m.pressure + m.viscosity) - 4 * (half_pressure + half_viscosity));
    energy = fmax(cut(energy, kEnergyCut), kLeastEnergy);
    double pressure = pressure_of(energy, compression, volume);
    const double last_viscosity = viscous(energy, volume, compression, pressure);
    energy -=
        (7 * (m.pressure + m.viscosity) - 8 * (half_pressure + half_viscosity) + pressure + last_viscosity) *
        change / 6;
    energy = fmax(cut(energy, kEnergyCut), kLeastEnergy);
    pressure = pressure_of(energy, compression, volume);
    const double viscosity = cut(viscous(energy, volume, compression, pressure), kViscosityCut);
    return {energy, pressure, viscosity, sound_speed(energy, volume, compression, pressure)};
}

/// Longest steps in time that an element allows: a sound wave's way, and its change of volume.
struct StepLimits {
    double courant, hydro;
};

__host__ __device__ inline StepLimits step_limits(double growth, double length, double sound) {
    if (growth == 0) return {1e20, 1e20};
    const double wave = sound * sound + (growth < 0 ? 256 * length * length * growth * growth : 0);
    return {length / sqrt(wave), 0.1 / (fabs(growth) + 1e-20)};
}

}  // namespace workloads
