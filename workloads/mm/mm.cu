// mm: C = A B, single precision, row-major. A CTA of 256 threads makes a tile of 64 x 64 from tiles of 64 x 16 and
// 16 x 64 in shared memory; a thread keeps 4 x 4 results in registers.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kTile = 64;   // rows and columns of a CTA
constexpr u32 kDepth = 16;  // of one step
constexpr u32 kEach = 4;    // rows and columns of a thread
constexpr u32 kThreads = (kTile / kEach) * (kTile / kEach);

/// C is m x n, A is m x k. Sizes need not be multiples of the tile.
extern "C" __global__ void multiply(const float* a, const float* b, float* c, u32 m, u32 n, u32 k) {
    __shared__ float a_tile[kDepth]
                           [kTile + 4];  // transposed; 4 more against bank conflicts, aligned to 16 bytes
    __shared__ float b_tile[kDepth][kTile];
    const u32 t = threadIdx.x;
    const u32 row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
    const u32 row = (t / (kTile / kEach)) * kEach, column = (t % (kTile / kEach)) * kEach;
    float sum[kEach][kEach] = {};
    for (u32 step = 0; step < k; step += kDepth) {
        for (u32 i = t; i < kTile * kDepth; i += kThreads) {
            const u32 ar = row0 + i / kDepth, ac = step + i % kDepth;
            a_tile[i % kDepth][i / kDepth] = ar < m && ac < k ? a[u64{ar} * k + ac] : 0.0f;
            const u32 br = step + i / kTile, bc = column0 + i % kTile;
            b_tile[i / kTile][i % kTile] = br < k && bc < n ? b[u64{br} * n + bc] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (u32 d = 0; d < kDepth; ++d) {
            float left[kEach], right[kEach];
            *reinterpret_cast<float4*>(left) = *reinterpret_cast<const float4*>(&a_tile[d][row]);
            *reinterpret_cast<float4*>(right) = *reinterpret_cast<const float4*>(&b_tile[d][column]);
#pragma unroll
            for (u32 i = 0; i < kEach; ++i)
#pragma unroll
                for (u32 j = 0; j < kEach; ++j) sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (u32 i = 0; i < kEach; ++i)
        for (u32 j = 0; j < kEach; ++j)
            if (row0 + row + i < m && column0 + column + j < n)
                c[u64{row0 + row + i} * n + column0 + column + j] = sum[i][j];
}

std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b, u32 m, u32 n, u32 k) {
    std::vector<float> c(std::size_t{m} * n);
    std::vector<double> line(n);
    for (u32 r = 0; r < m; ++r) {
        line.assign(n, 0);
        for (u32 d = 0; d < k; ++d)
            for (u32 j = 0; j < n; ++j)
                line[j] += double{a[std::size_t{r} * k + d]} * double{b[std::size_t{d} * n + j]};
        for (u32 j = 0; j < n; ++j) c[std::size_t{r} * n + j] = static_cast<float>(line[j]);
    }
    return c;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("mm", "matrix product", argc, argv);
    const u32 m = args.count("rows", "rows of A and C", Sizes<u32>{128, 128, 1024});
    const u32 n = args.count("columns", "columns of B and C", Sizes<u32>{128, 1280, 4096});
    const u32 k = args.count("depth", "columns of A, rows of B", Sizes<u32>{128, 448, 1024});
    args.done();

    Random random(args.seed());
    std::vector<float> a(std::size_t{m} * k), b(std::size_t{k} * n);
    for (float& v : a) v = random.between(-1, 1);
    for (float& v : b) v = random.between(-1, 1);
    DeviceArray<float> d_a(a), d_b(b), c(std::size_t{m} * n);
    multiply<<<dim3(blocks(n, kTile), blocks(m, kTile)), kThreads>>>(d_a.data(), d_b.data(), c.data(), m, n,
                                                                     k);
    must(cudaGetLastError());

    std::printf("mm: %u x %u x %u\n", m, n, k);
    Verdict verdict("mm");
    verdict.near("c", c.host(), reference(a, b, m, n, k), 1e-4f, 1e-6f * static_cast<float>(k));
    return verdict.exit_code();
}
