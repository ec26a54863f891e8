// minife: an implicit finite-element solver in small (miniFE, Heroux et al., SAND2009-5574): heat conduction in a bar of
// hexahedra with eight nodes, its ends held at 0 and 1, with a source inside. One thread per element integrates its 8 x 8
// stiffness matrix at eight Gauss points and adds it to compressed sparse rows with atomics; one thread per row puts in
// the held temperatures; then conjugate gradients: a sparse product, two dot products and three vector updates an
// iteration. Double precision.

#include "mesh.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;
constexpr u32 kReducing = 256;  // threads of a CTA that adds up

/// Mesh and equations on the device.
struct System {
    u32 elements, nodes;
    const u32* corner;        // of an element: corner * elements + element
    const double *x, *y, *z;  // of nodes
    const u8* held;           // of nodes
    const u32 *row, *column;  // columns ascend in each row
    double *value, *load;     // of entries, of nodes
};

__device__ u32 my_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Corners in the order in which nodes are numbered, so that one walk along a row finds the columns of all.
__device__ constexpr u32 ascending(u32 k) {
    return k ^ (k >> 1 & 1);
}

/// The corner's place in the reference element, -1 or 1: corners go round the lower face, then round the upper.
__device__ constexpr double side_x(u32 c) {
    return (c & 3) == 1 || (c & 3) == 2 ? 1 : -1;
}
__device__ constexpr double side_y(u32 c) {
    return (c & 3) >= 2 ? 1 : -1;
}
__device__ constexpr double side_z(u32 c) {
    return c >= 4 ? 1 : -1;
}

/// Shape functions' gradients at a point of an element, and the volume that belongs to it.
struct Shape {
    double x[8], y[8], z[8], volume;
};

__device__ Shape shape_at(const double (&px)[8], const double (&py)[8], const double (&pz)[8], double a,
                          double b, double c) {
    double da[8], db[8], dc[8], j[9] = {};
#pragma unroll
    for (u32 i = 0; i < 8; ++i) {
        const double fa = 1 + side_x(i) * a, fb = 1 + side_y(i) * b, fc = 1 + side_z(i) * c;
        da[i] = 0.125 * side_x(i) * fb * fc;
        db[i] = 0.125 * side_y(i) * fa * fc;
        dc[i] = 0.125 * side_z(i) * fa * fb;
        j[0] += da[i] * px[i];
        j[1] += da[i] * py[i];
        j[2] += da[i] * pz[i];
        j[3] += db[i] * px[i];
        j[4] += db[i] * py[i];
        j[5] += db[i] * pz[i];
        j[6] += dc[i] * px[i];
        j[7] += dc[i] * py[i];
        j[8] += dc[i] * pz[i];
    }
    // Cofactors; the inverse of the Jacobian is their transpose over the determinant.
    const double k[9] = {j[4] * j[8] - j[5] * j[7], j[5] * j[6] - j[3] * j[8], j[3] * j[7] - j[4] * j[6],
                         j[2] * j[7] - j[1] * j[8], j[0] * j[8] - j[2] * j[6], j[1] * j[6] - j[0] * j[7],
                         j[1] * j[5] - j[2] * j[4], j[2] * j[3] - j[0] * j[5], j[0] * j[4] - j[1] * j[3]};
    Shape shape;
    shape.volume = j[0] * k[0] + j[1] * k[1] + j[2] * k[2];
    const double inverse = 1 / shape.volume;
#pragma unroll
    for (u32 i = 0; i < 8; ++i) {
        shape.x[i] = inverse * (k[0] * da[i] + k[3] * db[i] + k[6] * dc[i]);
        shape.y[i] = inverse * (k[1] * da[i] + k[4] * db[i] + k[7] * dc[i]);
        shape.z[i] = inverse * (k[2] * da[i] + k[5] * db[i] + k[8] * dc[i]);
    }
    return shape;
}

/// Of the lower triangle, row by row.
__device__ constexpr u32 place_in_triangle(u32 i, u32 k) {
    return i > k ? i * (i + 1) / 2 + k : k * (k + 1) / 2 + i;
}

/// What a point contributes to the element's matrix.
__device__ void add_stiffness(const Shape& shape, double (&stiffness)[36]) {
#pragma unroll
    for (u32 i = 0; i < 8; ++i)
#pragma unroll
        for (u32 k = 0; k <= i; ++k)
            stiffness[place_in_triangle(i, k)] +=
                shape.volume * (shape.x[i] * shape.x[k] + shape.y[i] * shape.y[k] + shape.z[i] * shape.z[k]);
}

/// As add_stiffness, of the load; the source is known at the corners.
__device__ void add_load(double volume, double a, double b, double c, const double (&source)[8],
                         double (&load)[8]) {
    double value[8], heat = 0;
#pragma unroll
    for (u32 i = 0; i < 8; ++i) {
        value[i] = 0.125 * (1 + side_x(i) * a) * (1 + side_y(i) * b) * (1 + side_z(i) * c);
        heat += value[i] * source[i];
    }
#pragma unroll
    for (u32 i = 0; i < 8; ++i) load[i] += volume * heat * value[i];
}

extern "C" __global__ void assemble(System s) {
    const u32 e = my_index();
    if (e >= s.elements) return;
    u32 node[8];
    double x[8], y[8], z[8], source[8], stiffness[36] = {}, load[8] = {};
#pragma unroll
    for (u32 c = 0; c < 8; ++c) {
        node[c] = s.corner[c * s.elements + e];
        x[c] = s.x[node[c]];
        y[c] = s.y[node[c]];
        z[c] = s.z[node[c]];
        source[c] = source_at(x[c], y[c], z[c]);
    }
    const double gauss = 0.57735026918962576451;  // 1 / sqrt(3)
#pragma unroll 1
    for (u32 g = 0; g < 8; ++g) {
        const double a = g & 1 ? gauss : -gauss, b = g & 2 ? gauss : -gauss, c = g & 4 ? gauss : -gauss;
        const Shape shape = shape_at(x, y, z, a, b, c);
        add_stiffness(shape, stiffness);
        add_load(shape.volume, a, b, c, source, load);
    }
#pragma unroll
    for (u32 i = 0; i < 8; ++i) {
        atomicAdd(&s.load[node[i]], load[i]);
        u32 at = s.row[node[i]];
#pragma unroll
        for (u32 k = 0; k < 8; ++k) {
            while (s.column[at] != node[ascending(k)]) ++at;
            atomicAdd(&s.value[at++], stiffness[place_in_triangle(i, ascending(k))]);
        }
    }
}

/// Held nodes get equations of their own, and what they contribute to others goes to the right-hand side.
extern "C" __global__ void hold_ends(System s) {
    const u32 n = my_index();
    if (n >= s.nodes) return;
    const u8 own = s.held[n];
    double load = own == kFree ? s.load[n] : held_at(own);
    const u32 end = s.row[n + 1];
    for (u32 i = s.row[n]; i < end; ++i) {
        const u32 column = s.column[i];
        const u8 other = s.held[column];
        if (own == kFree && other == kFree) continue;
        if (own == kFree) load -= s.value[i] * held_at(other);
        s.value[i] = column == n ? 1 : 0;
    }
    s.load[n] = load;
}

extern "C" __global__ void multiply(System s, const double* p, double* product) {
    const u32 n = my_index();
    if (n >= s.nodes) return;
    double sum = 0;
    const u32 end = s.row[n + 1];
    for (u32 i = s.row[n]; i < end; ++i) sum += s.value[i] * p[s.column[i]];
    product[n] = sum;
}

/// A partial sum for each CTA, which walks through the vectors.
extern "C" __global__ void dot(const double* a, const double* b, u32 n, double* partial) {
    __shared__ double sum[kReducing];
    const u32 t = threadIdx.x;
    double own = 0;
    for (u32 i = my_index(); i < n; i += gridDim.x * blockDim.x) own += a[i] * b[i];
    sum[t] = own;
    for (u32 half = kReducing / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) sum[t] += sum[t + half];
    }
    if (t == 0) partial[blockIdx.x] = sum[0];
}

/// y = a x + b y
extern "C" __global__ void combine(double a, const double* x, double b, double* y, u32 n) {
    const u32 i = my_index();
    if (i < n) y[i] = a * x[i] + b * y[i];
}

class Solver {
  public:
    explicit Solver(const System& system)
        : system_(system),
          n_(system.nodes),
          p_(n_),
          product_(n_),
          partial_(std::min(64u, blocks(n_, kReducing))) {}

    /// From 0; `residual` is the right-hand side at first. Returns the last residual's square.
    double solve(u32 iterations, double* solution, double* residual) {
        must(cudaMemset(solution, 0, n_ * sizeof(double)));
        must(cudaMemcpy(p_.data(), residual, n_ * sizeof(double), cudaMemcpyDeviceToDevice));
        double square = product_of(residual, residual);
        for (u32 i = 0; i < iterations && square > 0; ++i) {
            multiply<<<blocks(n_, kThreads), kThreads>>>(system_, p_.data(), product_.data());
            must(cudaGetLastError());
            const double step = square / product_of(p_.data(), product_.data());
            update(step, p_.data(), 1, solution);
            update(-step, product_.data(), 1, residual);
            const double next = product_of(residual, residual);
            update(1, residual, next / square, p_.data());
            square = next;
        }
        return square;
    }

  private:
    double product_of(const double* a, const double* b) {
        dot<<<static_cast<u32>(partial_.size()), kReducing>>>(a, b, n_, partial_.data());
        must(cudaGetLastError());
        double sum = 0;
        for (const double part : partial_.host()) sum += part;
        return sum;
    }
    void update(double a, const double* x, double b, double* y) {
        combine<<<blocks(n_, kThreads), kThreads>>>(a, x, b, y, n_);
        must(cudaGetLastError());
    }

    System system_;
    u32 n_;
    DeviceArray<double> p_, product_, partial_;
};

}  // namespace

int main(int argc, char** argv) {
    Arguments args("minife", "finite elements and conjugate gradients", argc, argv);
    const u32 side = args.count("side", "elements along an edge of the cross-section", Sizes<u32>{7, 29, 88});
    const u32 length = args.count("length", "elements along the bar", Sizes<u32>{9, 29, 88});
    const u32 iterations =
        args.count("iterations", "iterations of conjugate gradients", Sizes<u32>{8, 3, 3}, 0u);
    args.done();
    if (side > 400) args.fail("--side: at most 400");
    if (length > 400) args.fail("--length: at most 400");

    const Bar bar(length, side, side);
    DeviceArray<u32> corner(bar.corner), row(bar.row), column(bar.column);
    DeviceArray<double> x(bar.x), y(bar.y), z(bar.z), value(bar.column.size()), load(bar.nodes),
        solution(bar.nodes);
    DeviceArray<u8> held(bar.held);
    value.clear();
    load.clear();
    const System system{bar.elements, bar.nodes,  corner.data(), x.data(),     y.data(),   z.data(),
                        held.data(),  row.data(), column.data(), value.data(), load.data()};
    assemble<<<blocks(bar.elements, kThreads), kThreads>>>(system);
    must(cudaGetLastError());
    hold_ends<<<blocks(bar.nodes, kThreads), kThreads>>>(system);
    must(cudaGetLastError());
    const std::vector<double> loads = load.host();
    const double square = Solver(system).solve(iterations, solution.data(), load.data());

    const Reference reference(bar);
    const Solution expected = reference.solve(iterations);
    std::printf("minife: %u elements, %u rows, %zu entries, residual %.3e after %u iterations\n",
                bar.elements, bar.nodes, bar.column.size(), std::sqrt(square), iterations);
    Verdict verdict("minife");
    // Errors of an entry are relative to the terms that it is the sum of, which may cancel.
    const double scale = reference.diagonal();
    verdict.near("entry", value.host(), reference.entries(), 1e-12, 1e-12 * scale);
    verdict.near("load", loads, reference.loads(), 1e-12, 1e-12 * scale);
    verdict.near("temperature", solution.host(), expected.temperature, 1e-8, 1e-8);
    verdict.near("residual", std::vector<double>{std::sqrt(square)},
                 std::vector<double>{std::sqrt(expected.square)}, 1e-6, 1e-12 * scale);
    return verdict.exit_code();
}
