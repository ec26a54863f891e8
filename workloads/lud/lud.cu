// lud: A = L U without pivoting, in place (Rodinia). Along the diagonal of tiles of 16 x 16: `diagonal` factors one
// tile, `perimeter` makes L's column and U's row of tiles from it, `internal` subtracts their products from the rest.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kTile = 16;

/// Tile (row, column) of a matrix of `side` columns.
__device__ float* tile_of(float* matrix, u32 side, u32 row, u32 column) {
    return matrix + u64{row} * kTile * side + column * kTile;
}

/// 16 threads; thread t makes the elements below the diagonal of row t and right of it of column t.
extern "C" __global__ void diagonal(float* matrix, u32 side, u32 step) {
    __shared__ float tile[kTile][kTile];
    const u32 t = threadIdx.x;
    float* const global = tile_of(matrix, side, step, step);
    for (u32 i = 0; i < kTile; ++i) tile[i][t] = global[u64{i} * side + t];
    __syncthreads();
    for (u32 i = 0; i + 1 < kTile; ++i) {
        if (t > i) {  // column i of L
            for (u32 j = 0; j < i; ++j) tile[t][i] -= tile[t][j] * tile[j][i];
            tile[t][i] /= tile[i][i];
        }
        __syncthreads();
        if (t > i)  // row i + 1 of U
            for (u32 j = 0; j <= i; ++j) tile[i + 1][t] -= tile[i + 1][j] * tile[j][t];
        __syncthreads();
    }
    for (u32 i = 1; i < kTile; ++i) global[u64{i} * side + t] = tile[i][t];
}

/// A CTA makes the tile of U `step + 1 + blockIdx.x` to the right of the diagonal (its first 16 threads, a column each)
/// and the tile of L as far below (the other 16, a row each).
extern "C" __global__ void perimeter(float* matrix, u32 side, u32 step) {
    __shared__ float factor[kTile][kTile], row_tile[kTile][kTile], column_tile[kTile][kTile];
    const u32 other = step + 1 + blockIdx.x, t = threadIdx.x % kTile;
    float* const diagonal_tile = tile_of(matrix, side, step, step);
    float* const right = tile_of(matrix, side, step, other);
    float* const below = tile_of(matrix, side, other, step);
    const bool makes_row = threadIdx.x < kTile;
    // Each half brings half of the diagonal tile and the whole of its own.
    const u32 from = makes_row ? 0 : kTile / 2;
    for (u32 i = from; i < from + kTile / 2; ++i) factor[i][t] = diagonal_tile[u64{i} * side + t];
    float* const own = makes_row ? right : below;
    float(*const tile)[kTile] = makes_row ? row_tile : column_tile;
    for (u32 i = 0; i < kTile; ++i) tile[i][t] = own[u64{i} * side + t];
    __syncthreads();
    if (makes_row) {
        for (u32 i = 1; i < kTile; ++i)
            for (u32 j = 0; j < i; ++j) row_tile[i][t] -= factor[i][j] * row_tile[j][t];
    } else {
        for (u32 i = 0; i < kTile; ++i) {
            for (u32 j = 0; j < i; ++j) column_tile[t][i] -= column_tile[t][j] * factor[j][i];
            column_tile[t][i] /= factor[i][i];
        }
    }
    __syncthreads();
    for (u32 i = 0; i < kTile; ++i) own[u64{i} * side + t] = tile[i][t];
}

extern "C" __global__ void internal(float* matrix, u32 side, u32 step) {
    __shared__ float left[kTile][kTile], upper[kTile][kTile];
    const u32 tx = threadIdx.x, ty = threadIdx.y;
    const u32 row = step + 1 + blockIdx.y, column = step + 1 + blockIdx.x;
    const u64 at = u64{ty} * side + tx;
    left[ty][tx] = tile_of(matrix, side, row, step)[at];
    upper[ty][tx] = tile_of(matrix, side, step, column)[at];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (u32 i = 0; i < kTile; ++i) sum += left[ty][i] * upper[i][tx];
    tile_of(matrix, side, row, column)[at] -= sum;
}

/// The same in double precision, element by element.
std::vector<float> reference(const std::vector<float>& matrix, u32 side) {
    std::vector<double> a(matrix.begin(), matrix.end());
    for (u32 k = 0; k < side; ++k) {
        const double* const pivot = &a[std::size_t{k} * side];
        for (u32 r = k + 1; r < side; ++r) {
            double* const row = &a[std::size_t{r} * side];
            row[k] /= pivot[k];
            for (u32 c = k + 1; c < side; ++c) row[c] -= row[k] * pivot[c];
        }
    }
    return {a.begin(), a.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("lud", "LU decomposition", argc, argv);
    const u32 n = args.count("side", "side of the square matrix", Sizes<u32>{128, 400, 1024});
    args.done();
    if (n > 65'536) args.fail("--side: at most 65536");

    // Sizes that are no multiple of the tile are filled up with the unit matrix. The diagonal is larger than a random
    // matrix's largest eigenvalue, about sqrt(n / 3), so that no pivot comes near zero.
    Random random(args.seed());
    const u32 tiles = blocks(n, kTile), side = tiles * kTile;
    std::vector<float> matrix(std::size_t{side} * side, 0.0f);
    for (u32 r = 0; r < n; ++r)
        for (u32 c = 0; c < n; ++c) matrix[std::size_t{r} * side + c] = random.between(-1, 1);
    const float shift = 2 * std::sqrt(static_cast<float>(n));
    for (u32 i = 0; i < side; ++i) matrix[std::size_t{i} * side + i] += i < n ? shift : 1.0f;

    DeviceArray<float> d_matrix(matrix);
    for (u32 step = 0; step < tiles; ++step) {
        const u32 rest = tiles - step - 1;
        diagonal<<<1, kTile>>>(d_matrix.data(), side, step);
        must(cudaGetLastError());
        if (rest == 0) break;
        perimeter<<<rest, 2 * kTile>>>(d_matrix.data(), side, step);
        must(cudaGetLastError());
        internal<<<dim3(rest, rest), dim3(kTile, kTile)>>>(d_matrix.data(), side, step);
        must(cudaGetLastError());
    }

    std::printf("lud: %u x %u\n", n, n);
    Verdict verdict("lud");
    // Elements of U are of the order of the diagonal, those of L below 1; errors add up along the diagonal.
    verdict.near("lu", d_matrix.host(), reference(matrix, side), 1e-5f, 1e-6f * shift);
    return verdict.exit_code();
}
