#pragma once
// Compressible flow in a periodic cube, and the reference: derivatives of whole arrays, one after the other, without
// ghost cells. Its weights come from the closed form of central differences.

#include <memory>

#include "../common/workload.h"

namespace workloads {

constexpr double kGamma = 1.4;        // of specific heats
constexpr double kViscosity = 0.002;  // unit length, sound speeds near 1
constexpr double kConductivity =
    0.01;  // of heat; the gas constant is 1, a temperature is pressure over density

constexpr u32 kConserved = 5;  // density, momentum along x, y, z, energy
constexpr u32 kDensity = 0, kMomentum = 1, kEnergy = 4;

using Array = std::vector<double>;

/// state = old * state before the step + now * (state + dt * change)
struct Stage {
    double old, now;
};
/// Runge-Kutta in three stages that keeps total variation low (Shu, Osher 1988).
constexpr Stage kStages[3] = {{0, 1}, {3.0 / 4, 1.0 / 4}, {1.0 / 3, 2.0 / 3}};

/// All conserved quantities of side^3 points, x runs fastest.
class Flow {
  public:
    u32 side;
    Array state[kConserved];

    /// Smooth waves of two lengths.
    Flow(u32 n, Random& random) : side(n) {
        const double turn = 6.283185307179586 / side;
        Array wave[5];
        for (Array& w : wave) {
            double phase[6];
            for (double& p : phase) p = 6.283185307179586 * static_cast<double>(random.unit());
            for_each([&](u32 x, u32 y, u32 z) {
                w.push_back(std::sin(turn * x + phase[0]) * std::sin(turn * y + phase[1]) *
                                std::sin(turn * z + phase[2]) +
                            0.5 * std::sin(2 * turn * x + phase[3]) * std::sin(turn * y + phase[4]) *
                                std::sin(2 * turn * z + phase[5]));
            });
        }
        for (Array& s : state) s.resize(points());
        for (std::size_t i = 0; i < points(); ++i) {
            const double density = 1 + 0.2 * wave[0][i], pressure = 1 + 0.1 * wave[1][i];
            double kinetic = 0;
            state[kDensity][i] = density;
            for (u32 axis = 0; axis < 3; ++axis) {
                const double velocity = 0.3 * wave[2 + axis][i];
                state[kMomentum + axis][i] = density * velocity;
                kinetic += 0.5 * density * velocity * velocity;
            }
            state[kEnergy][i] = pressure / (kGamma - 1) + kinetic;
        }
    }

    std::size_t points() const { return std::size_t{side} * side * side; }
    double spacing() const { return 1.0 / side; }

    /// A step in which no wave passes more than a third of the distance between points.
    double stable_step() const {
        double fastest = 0;
        for (std::size_t i = 0; i < points(); ++i) {
            double speed = 0, square = 0;
            for (u32 axis = 0; axis < 3; ++axis) {
                const double v = state[kMomentum + axis][i] / state[kDensity][i];
                speed += std::fabs(v);
                square += v * v;
            }
            const double inner = state[kEnergy][i] / state[kDensity][i] - 0.5 * square;
            fastest = std::max(fastest, speed + std::sqrt(3 * kGamma * (kGamma - 1) * inner));
        }
        return spacing() / (3 * fastest);
    }

    void step(double dt) {
        const Flow before = *this;
        for (const Stage& stage : kStages) {
            const Flow change = rate();
            for (u32 c = 0; c < kConserved; ++c)
                for (std::size_t i = 0; i < points(); ++i)
                    state[c][i] =
                        stage.old * before.state[c][i] + stage.now * (state[c][i] + dt * change.state[c][i]);
        }
    }

  private:
    explicit Flow(u32 n) : side(n) {
        for (Array& s : state) s.assign(points(), 0);
    }

    template <class Visit>
    void for_each(Visit visit) const {
        for (u32 z = 0; z < side; ++z)
            for (u32 y = 0; y < side; ++y)
                for (u32 x = 0; x < side; ++x) visit(x, y, z);
    }

    /// 4!^2 / (k (4 - k)! (4 + k)!) with alternating signs: of points k away in the first derivative.
    static double weight(int k) {
        double w = k % 2 == 1 ? 1.0 / k : -1.0 / k;
        for (int i = 1; i <= k; ++i) w *= (4.0 - k + i) / (4.0 + i);
        return w;
    }
    /// The first (order 1) or second derivative along an axis.
    Array derivative(const Array& of, u32 axis, int order) const {
        Array out;
        out.reserve(of.size());
        const double scale = order == 1 ? side : double{1} * side * side;
        for_each([&](u32 x, u32 y, u32 z) {
            const auto at = [&](int k) {
                u32 place[3] = {x, y, z};
                place[axis] = (place[axis] + 4 * side + static_cast<u32>(k)) % side;
                return of[(std::size_t{place[2]} * side + place[1]) * side + place[0]];
            };
            double sum = 0;
            for (int k = 1; k <= 4; ++k)
                sum += order == 1 ? weight(k) * (at(k) - at(-k))
                                  : 2 * weight(k) / k * (at(k) + at(-k) - 2 * at(0));
            out.push_back(sum * scale);
        });
        return out;
    }
    template <class Value>
    Array array(Value value) const {
        Array out(points());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(i);
        return out;
    }
    static void add(Array& to, double factor, const Array& what) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
    }

    /// Minus the divergence of what flows, and diffusion of momentum and heat.
    Flow rate() const {
        Flow out(side);
        const Array& density = state[kDensity];
        const Array& energy = state[kEnergy];
        Array velocity[3];
        for (u32 a = 0; a < 3; ++a)
            velocity[a] = array([&](std::size_t i) { return state[kMomentum + a][i] / density[i]; });
        const Array pressure = array([&](std::size_t i) {
            double kinetic = 0;
            for (const Array& v : velocity) kinetic += 0.5 * density[i] * v[i] * v[i];
            return (kGamma - 1) * (energy[i] - kinetic);
        });
        const Array temperature = array([&](std::size_t i) { return pressure[i] / density[i]; });
        for (u32 a = 0; a < 3; ++a) {
            const Array& v = velocity[a];
            for (u32 c = 0; c < kConserved; ++c) {
                const bool pushed = c == kMomentum + a, worked = c == kEnergy;
                add(out.state[c], -1,
                    derivative(array([&](std::size_t i) {
                                   return state[c][i] * v[i] + (pushed ? pressure[i] : 0) +
                                          (worked ? pressure[i] * v[i] : 0);
                               }),
                               a, 1));
            }
            add(out.state[kEnergy], kConductivity, derivative(temperature, a, 2));
        }
        add_friction(velocity, out);
        return out;
    }
    void add_friction(const Array (&velocity)[3], Flow& out) const {
        Array slope[3][3];  // of a velocity, along an axis
        for (u32 a = 0; a < 3; ++a)
            for (u32 b = 0; b < 3; ++b) slope[a][b] = derivative(velocity[a], b, 1);
        for (u32 a = 0; a < 3; ++a) {
            Array force(points(), 0.0);
            for (u32 b = 0; b < 3; ++b) {
                add(force, (a == b ? 4.0 / 3 : 1) * kViscosity, derivative(velocity[a], b, 2));
                if (a != b) add(force, kViscosity / 3, derivative(slope[b][b], a, 1));
            }
            add(out.state[kMomentum + a], 1, force);
            add(out.state[kEnergy], 1, array([&](std::size_t i) { return force[i] * velocity[a][i]; }));
        }
        add(out.state[kEnergy], kViscosity, array([&](std::size_t i) {
                double divergence = 0, heat = 0;
                for (u32 a = 0; a < 3; ++a) divergence += slope[a][a][i];
                for (u32 a = 0; a < 3; ++a)
                    for (u32 b = 0; b < 3; ++b) heat += slope[a][b][i] * (slope[a][b][i] + slope[b][a][i]);
                return heat - 2.0 / 3 * divergence * divergence;
            }));
    }
};

}  // namespace workloads
