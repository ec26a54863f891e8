#pragma once
// A copper crystal in a periodic box, its Lennard-Jones potential, and a reference that has no cells: it finds pairs in
// the order of their x.

#include <numeric>

#include "../common/workload.h"

namespace workloads {

// Angstrom, femtoseconds, electronvolts.
constexpr double kSigma = 2.315, kEpsilon = 0.167, kCutoff = 2.5 * kSigma;
constexpr double kConstant = 3.615;         // of copper's face-centred cubic lattice
constexpr double kMass = 63.55 * 103.6427;  // of an atom, eV fs^2 / A^2
constexpr double kStep = 1.0;

constexpr double power6(double v) {
    return v * v * v * v * v * v;
}
/// Over 4 epsilon: the potential at the cutoff, which is taken off so that it ends at 0.
constexpr double kShift = power6(kSigma / kCutoff) * (power6(kSigma / kCutoff) - 1);

/// Atoms by number; [axis][atom].
struct Crystal {
    u32 atoms;
    double edge;  // of the box
    std::vector<double> place[3], velocity[3], force[3], energy;

    /// lattice^3 unit cells of four atoms, each a little off its place, at about 600 K.
    Crystal(u32 lattice, Random& random) : atoms(4 * lattice * lattice * lattice), edge(lattice * kConstant) {
        constexpr double kDisplacement = 0.05, kVelocity = 0.00485;
        const auto between = [&](double most) {
            return most * (static_cast<double>(random.next() >> 11) / 4503599627370496.0 - 1);
        };
        for (u32 i = 0; i < atoms; ++i) {
            const u32 unit = i / 4, corner = i % 4;
            const u32 at[3] = {unit % lattice, unit / lattice % lattice, unit / (lattice * lattice)};
            for (u32 axis = 0; axis < 3; ++axis) {
                // Corner 0 of a unit cell, and the centres of three faces.
                const double half = corner != 0 && corner != axis + 1 ? 0.5 : 0;
                place[axis].push_back(wrapped((at[axis] + half) * kConstant + between(kDisplacement)));
                velocity[axis].push_back(between(kVelocity));
            }
        }
        add_forces();
    }

    void step() {
        for (u32 axis = 0; axis < 3; ++axis)
            for (u32 i = 0; i < atoms; ++i) {
                velocity[axis][i] += 0.5 * kStep / kMass * force[axis][i];
                place[axis][i] = wrapped(place[axis][i] + kStep * velocity[axis][i]);
            }
        add_forces();
        for (u32 axis = 0; axis < 3; ++axis)
            for (u32 i = 0; i < atoms; ++i) velocity[axis][i] += 0.5 * kStep / kMass * force[axis][i];
    }

    /// Potential and kinetic, of an atom.
    double mean_energy() const {
        double sum = std::accumulate(energy.begin(), energy.end(), 0.0);
        for (const auto& of_axis : velocity)
            for (const double v : of_axis) sum += 0.5 * kMass * v * v;
        return sum / atoms;
    }

  private:
    double wrapped(double x) const {
        x = x < 0 ? x + edge : x;
        return x >= edge ? x - edge : x;
    }
    void add_forces() {
        for (auto& f : force) f.assign(atoms, 0);
        energy.assign(atoms, 0);
        std::vector<u32> order(atoms);
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](u32 a, u32 b) { return place[0][a] < place[0][b]; });
        for (u32 i = 0; i < atoms; ++i)
            for (u32 k = 1; k < atoms; ++k) {
                const u32 a = order[i], b = order[(i + k) % atoms];
                double along = place[0][b] - place[0][a];
                if (i + k >= atoms) along += edge;
                if (along > kCutoff) break;
                add_pair(a, b, along);
            }
    }
    void add_pair(u32 a, u32 b, double along_x) {
        double d[3] = {along_x, place[1][b] - place[1][a], place[2][b] - place[2][a]}, square = 0;
        for (double& along : d) {
            along -= edge * std::round(along / edge);
            square += along * along;
        }
        if (square > kCutoff * kCutoff) return;
        const double attraction = std::pow(kSigma * kSigma / square, 3);
        const double whole = 4 * kEpsilon * (attraction * attraction - attraction - kShift);
        const double per_distance = 4 * kEpsilon * (12 * attraction * attraction - 6 * attraction) / square;
        energy[a] += whole / 2;
        energy[b] += whole / 2;
        for (u32 axis = 0; axis < 3; ++axis) {
            force[axis][a] -= per_distance * d[axis];
            force[axis][b] += per_distance * d[axis];
        }
    }
};

}  // namespace workloads
