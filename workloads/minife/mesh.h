#pragma once
// A bar of hexahedra, and a reference that needs none of them: in a box the integrals of trilinear elements are products
// of those of linear elements along x, y and z, so that each entry of the assembled matrix has a closed form.

#include "../common/workload.h"

namespace workloads {

constexpr u8 kFree = 0, kHeldCold = 1, kHeldHot = 2;

/// Of heat, at a place.
__host__ __device__ inline double source_at(double x, double y, double z) {
    return 1 + x + 2 * y + 3 * z;
}

/// The temperature of a held node.
__host__ __device__ inline double held_at(u8 held) {
    return held == kHeldHot ? 1 : 0;
}

/// Unit length along x, from the cold to the hot end, and cross-section 1 x 1. Nodes are numbered along x, then y, then
/// z, elements too, though only the generator knows.
struct Bar {
    u32 count[3], elements, nodes;  // count: elements along x, y, z
    std::vector<u32> corner;        // of an element: corner * elements + element
    std::vector<double> x, y, z;    // of nodes
    std::vector<u8> held;
    std::vector<u32> row, column;  // of the equations: a node and all that it shares elements with, ascending

    Bar(u32 nx, u32 ny, u32 nz)
        : count{nx, ny, nz}, elements(nx * ny * nz), nodes((nx + 1) * (ny + 1) * (nz + 1)) {
        const u32 line = nx + 1, layer = line * (ny + 1);
        const u32 step[8] = {0, 1, line + 1, line, layer, layer + 1, layer + line + 1, layer + line};
        corner.resize(std::size_t{8} * elements);
        for (u32 e = 0; e < elements; ++e)
            for (u32 c = 0; c < 8; ++c)
                corner[std::size_t{c} * elements + e] =
                    e % nx + e / nx % ny * line + e / (nx * ny) * layer + step[c];
        row.push_back(0);
        for (u32 n = 0; n < nodes; ++n) {
            const u32 at[3] = {n % line, n / line % (ny + 1), n / layer};
            x.push_back(static_cast<double>(at[0]) / nx);
            y.push_back(static_cast<double>(at[1]) / ny);
            z.push_back(static_cast<double>(at[2]) / nz);
            held.push_back(at[0] == 0 ? kHeldCold : at[0] == nx ? kHeldHot : kFree);
            const auto near = [&](u32 axis) {
                return std::pair(at[axis] - (at[axis] > 0), at[axis] + (at[axis] < count[axis]));
            };
            const auto [x0, x1] = near(0);
            const auto [y0, y1] = near(1);
            const auto [z0, z1] = near(2);
            for (u32 k = z0; k <= z1; ++k)
                for (u32 j = y0; j <= y1; ++j)
                    for (u32 i = x0; i <= x1; ++i) column.push_back(i + j * line + k * layer);
            row.push_back(static_cast<u32>(column.size()));
        }
    }
};

struct Solution {
    std::vector<double> temperature;
    double square;  // of the last residual
};

class Reference {
  public:
    explicit Reference(const Bar& bar) : bar_(bar) {}

    /// What entries on the diagonal are in the middle.
    double diagonal() const { return stiffness(bar_.nodes / 2, bar_.nodes / 2); }

    std::vector<double> entries() const {
        std::vector<double> out;
        out.reserve(bar_.column.size());
        for (u32 n = 0; n < bar_.nodes; ++n) visit(n, [&](u32 other) { out.push_back(entry(n, other)); });
        return out;
    }
    std::vector<double> loads() const {
        std::vector<double> out(bar_.nodes);
        for (u32 n = 0; n < bar_.nodes; ++n) {
            out[n] = held_at(bar_.held[n]);
            if (bar_.held[n] != kFree) continue;
            visit(n, [&](u32 other) {
                // A linear source is one of the functions that elements have, so its integrals are exact, too.
                out[n] += mass(0, n, other) * mass(1, n, other) * mass(2, n, other) *
                          source_at(bar_.x[other], bar_.y[other], bar_.z[other]);
                if (bar_.held[other] != kFree) out[n] -= stiffness(n, other) * held_at(bar_.held[other]);
            });
        }
        return out;
    }
    /// Conjugate gradients from 0.
    Solution solve(u32 iterations) const {
        const std::size_t nodes = bar_.nodes;
        std::vector<double> x(nodes, 0.0), r = loads(), p = r, product(nodes);
        double square = dot(r, r);
        for (u32 k = 0; k < iterations && square > 0; ++k) {
            for (u32 n = 0; n < nodes; ++n) {
                product[n] = 0;
                visit(n, [&](u32 other) { product[n] += entry(n, other) * p[other]; });
            }
            const double step = square / dot(p, product);
            for (u32 n = 0; n < nodes; ++n) {
                x[n] += step * p[n];
                r[n] -= step * product[n];
            }
            const double next = dot(r, r);
            for (u32 n = 0; n < nodes; ++n) p[n] = r[n] + next / square * p[n];
            square = next;
        }
        return {x, square};
    }

  private:
    u32 at(u32 axis, u32 n) const {
        const u32 line = bar_.count[0] + 1, layer = line * (bar_.count[1] + 1);
        return axis == 0 ? n % line : axis == 1 ? n % layer / line : n / layer;
    }
    /// Elements that two nodes, at most one apart, share along an axis.
    u32 shared(u32 axis, u32 a, u32 b) const {
        const u32 i = at(axis, a);
        return i != at(axis, b) ? 1 : (i > 0) + (i < bar_.count[axis]);
    }
    double size(u32 axis) const { return 1.0 / bar_.count[axis]; }
    /// Integrals along an axis: of a product of two shape functions, of a product of their slopes.
    double mass(u32 axis, u32 a, u32 b) const {
        return at(axis, a) == at(axis, b) ? size(axis) / 3 * shared(axis, a, b) : size(axis) / 6;
    }
    double slope(u32 axis, u32 a, u32 b) const {
        return at(axis, a) == at(axis, b) ? shared(axis, a, b) / size(axis) : -1 / size(axis);
    }
    double stiffness(u32 a, u32 b) const {
        const double mx = mass(0, a, b), my = mass(1, a, b), mz = mass(2, a, b);
        return slope(0, a, b) * my * mz + mx * slope(1, a, b) * mz + mx * my * slope(2, a, b);
    }
    /// With held nodes.
    double entry(u32 a, u32 b) const {
        if (bar_.held[a] != kFree || bar_.held[b] != kFree) return a == b ? 1 : 0;
        return stiffness(a, b);
    }
    /// All nodes at most one away along each axis, ascending.
    template <class Visit>
    void visit(u32 n, Visit visit_node) const {
        const u32 line = bar_.count[0] + 1, layer = line * (bar_.count[1] + 1);
        const int x = static_cast<int>(at(0, n)), y = static_cast<int>(at(1, n)),
                  z = static_cast<int>(at(2, n));
        const auto in = [&](u32 axis, int i) { return i >= 0 && i <= static_cast<int>(bar_.count[axis]); };
        for (int k = z - 1; k <= z + 1; ++k)
            for (int j = y - 1; j <= y + 1; ++j)
                for (int i = x - 1; i <= x + 1; ++i)
                    if (in(0, i) && in(1, j) && in(2, k))
                        visit_node(static_cast<u32>(i) + static_cast<u32>(j) * line +
                                   static_cast<u32>(k) * layer);
    }
    static double dot(const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }

    const Bar& bar_;
};

}  // namespace workloads
