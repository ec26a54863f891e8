#pragma once
// The Sedov problem of LULESH: a cube of side^3 hexahedra, an eighth of a blast whose energy lies in the first element;
// and the plain reference, element by element and node by node.

#include <memory>

#include "element.h"

namespace workloads {

constexpr u32 kBeyond = ~u32{0};  // neighbour of an element at a free face

/// What belongs to what; numbered along x, then y, then z, though only the generator knows.
struct Mesh {
    u32 side, elements, nodes;
    std::vector<u32> corner;       // of an element: corner * elements + element
    std::vector<u32> first, list;  // of a node: list[first[n], first[n + 1]) are its places in `corner`
    std::vector<u32> neighbour;    // face * elements + element; faces: -x, +x, -y, +y, -z, +z
    std::vector<u32> plane[3];     // nodes on the planes of symmetry

    explicit Mesh(u32 n) : side(n), elements(n * n * n), nodes((n + 1) * (n + 1) * (n + 1)) {
        const u32 row = n + 1, layer = row * row;
        const u32 step[8] = {0, 1, row + 1, row, layer, layer + 1, layer + row + 1, layer + row};
        corner.resize(std::size_t{8} * elements);
        neighbour.resize(std::size_t{6} * elements);
        first.assign(nodes + 1, 0);
        for (u32 e = 0; e < elements; ++e) {
            const u32 at[3] = {e % n, e / n % n, e / (n * n)}, distance[3] = {1, n, n * n};
            const u32 node = at[0] + at[1] * row + at[2] * layer;
            for (u32 c = 0; c < 8; ++c) {
                corner[std::size_t{c} * elements + e] = node + step[c];
                ++first[node + step[c] + 1];
            }
            for (u32 axis = 0; axis < 3; ++axis) {
                // Across a plane of symmetry the neighbour looks as the element itself.
                neighbour[std::size_t{2 * axis} * elements + e] = at[axis] == 0 ? e : e - distance[axis];
                neighbour[std::size_t{2 * axis + 1} * elements + e] =
                    at[axis] + 1 == n ? kBeyond : e + distance[axis];
            }
        }
        for (u32 i = 0; i < nodes; ++i) first[i + 1] += first[i];
        std::vector<u32> next(first.begin(), first.end() - 1);
        list.resize(corner.size());
        for (u32 e = 0; e < elements; ++e)
            for (u32 c = 0; c < 8; ++c) {
                const u32 place = c * elements + e;
                list[next[corner[place]]++] = place;
            }
        for (u32 i = 0; i < nodes; ++i) {
            if (i % row == 0) plane[0].push_back(i);
            if (i / row % row == 0) plane[1].push_back(i);
            if (i / layer == 0) plane[2].push_back(i);
        }
    }
};

/// State of all nodes and elements, one record each.
struct State {
    struct Node {
        Vec place{0, 0, 0}, velocity{0, 0, 0}, force{0, 0, 0};
        double mass = 0;
    };
    struct Element {
        Material material{0, 0, 0, 0};
        Gradients gradients;
        double first_volume, volume = 1;  // relative to the first
        double mass, change, growth, length;
    };
    std::vector<Node> node;
    std::vector<Element> element;

    explicit State(const Mesh& mesh) : node(mesh.nodes), element(mesh.elements) {
        const u32 row = mesh.side + 1;
        const double pitch = 1.125 / mesh.side;
        for (u32 i = 0; i < mesh.nodes; ++i)
            node[i].place = pitch * Vec{double(i % row), double(i / row % row), double(i / (row * row))};
        for (u32 e = 0; e < mesh.elements; ++e) {
            Element& el = element[e];
            Vec p[8], v[8];
            gather(mesh, e, p, v);
            el.first_volume = el.mass = volume_of(p);
            for (u32 c = 0; c < 8; ++c)
                node[mesh.corner[std::size_t{c} * mesh.elements + e]].mass += el.mass / 8;
        }
        const double scale = mesh.side / 45.0;
        element[0].material.energy = 3.948746e7 * scale * scale * scale;
    }

    void gather(const Mesh& mesh, u32 e, Vec (&p)[8], Vec (&v)[8]) const {
        for (u32 c = 0; c < 8; ++c) {
            const Node& n = node[mesh.corner[std::size_t{c} * mesh.elements + e]];
            p[c] = n.place;
            v[c] = n.velocity;
        }
    }
};

/// How long the next step is.
class Clock {
  public:
    explicit Clock(const State& s)
        : step_(0.5 * std::cbrt(s.element[0].first_volume) / std::sqrt(2 * s.element[0].material.energy)) {}

    bool at_end() const { return time_ >= kEnd; }
    u32 steps() const { return steps_; }
    double next(StepLimits limits) {
        double left = kEnd - time_;
        if (steps_ > 0) {
            // The change of volume counts if its limit as such is the lower one.
            double wanted = std::min(limits.courant / 2, 1e20);
            if (limits.hydro < wanted) wanted = limits.hydro * 2 / 3;
            const double ratio = wanted / step_;
            if (ratio < 1)
                step_ = wanted;
            else if (ratio >= 1.1)
                step_ = std::min(wanted, 1.2 * step_);
            step_ = std::min(step_, 0.01);
        }
        if (left > step_ && left < 4 * step_ / 3) left = 2 * step_ / 3;
        step_ = std::min(step_, left);
        time_ += step_;
        ++steps_;
        return step_;
    }

  private:
    static constexpr double kEnd = 0.01;
    double time_ = 0, step_;
    u32 steps_ = 0;
};

/// One step of all, in `step` seconds. Returns the limits of the next.
inline StepLimits reference_step(const Mesh& mesh, State& s, double step) {
    for (State::Node& n : s.node) n.force = {0, 0, 0};
    Vec p[8], v[8];
    for (u32 e = 0; e < mesh.elements; ++e) {
        const State::Element& el = s.element[e];
        s.gather(mesh, e, p, v);
        Vec force[8] = {};
        add_pressure_force(p, el.material.pressure + el.material.viscosity, force);
        add_hourglass_force(p, v, el.first_volume * el.volume, el.material.sound, el.mass, force);
        for (u32 c = 0; c < 8; ++c) {
            Vec& f = s.node[mesh.corner[std::size_t{c} * mesh.elements + e]].force;
            f = f + force[c];
        }
    }
    for (const u32 n : mesh.plane[0]) s.node[n].force.x = 0;
    for (const u32 n : mesh.plane[1]) s.node[n].force.y = 0;
    for (const u32 n : mesh.plane[2]) s.node[n].force.z = 0;
    for (State::Node& n : s.node) {
        n.velocity = n.velocity + (step / n.mass) * n.force;
        n.velocity = {cut(n.velocity.x, kVelocityCut), cut(n.velocity.y, kVelocityCut),
                      cut(n.velocity.z, kVelocityCut)};
        n.place = n.place + step * n.velocity;
    }
    for (u32 e = 0; e < mesh.elements; ++e) {
        State::Element& el = s.element[e];
        s.gather(mesh, e, p, v);
        const double volume = volume_of(p);
        el.change = volume / el.first_volume - el.volume;
        el.volume = volume / el.first_volume;
        el.length = characteristic_length(p, volume);
        el.gradients = gradients_of(p, v, volume);
        for (u32 c = 0; c < 8; ++c) p[c] = p[c] - (0.5 * step) * v[c];
        el.growth = growth_rate(p, v);
    }
    StepLimits limits{1e20, 1e20};
    for (u32 e = 0; e < mesh.elements; ++e) {
        State::Element& el = s.element[e];
        double phi[3];
        for (u32 axis = 0; axis < 3; ++axis) {
            const auto gradient = [&](u32 face) {
                const u32 other = mesh.neighbour[std::size_t{2 * axis + face} * mesh.elements + e];
                return other == kBeyond ? 0.0 : s.element[other].gradients.gradient[axis];
            };
            phi[axis] = limiter(el.gradients.gradient[axis], gradient(0), gradient(1));
        }
        const Viscosity q =
            viscosity_of(el.gradients, phi, el.mass / (el.first_volume * el.volume), el.growth);
        el.material = next_material(el.material, q, el.volume, el.change);
        const StepLimits own = step_limits(el.growth, el.length, el.material.sound);
        limits = {std::min(limits.courant, own.courant), std::min(limits.hydro, own.hydro)};
    }
    for (State::Element& el : s.element)
        if (std::fabs(el.volume - 1) < kVolumeCut) el.volume = 1;
    return limits;
}

}  // namespace workloads
