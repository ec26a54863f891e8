#pragma once
// C = alpha op(A) op(B) + beta C, tiled as libraries do it: a CTA of 256 threads makes a tile of C; it reads tiles of A and B
// through shared memory, while the next ones are on their way into registers.
//
// A warp's lanes stand side by side along a column of C, so that loads and stores of C are whole lines and shared memory has no
// conflicts: a lane has the rows lane, lane + 32, ... of the tile, a warp has `N` neighbouring columns.

#include "handle.cuh"

namespace heddle_blas {

enum class Shape { general, symmetric, hermitian, triangular };
enum class Part { all, lower, upper };

/// A matrix as a factor: column-major with leading dimension `ld`; of a batch either a list of matrices or one every `stride`
/// elements.
template <typename T>
struct Factor {
    const T* data;
    const T* const* list;
    long long stride;
    int ld;
    bool transposed, conjugated;
    Shape shape;
    Part part;  // what of it is stored, unless general
    bool unit;  // a triangle's diagonal is ones
};

template <typename T>
Factor<T> factor(const T* data, int ld, cublasOperation_t op) {
    return {data, nullptr, 0, ld, op != CUBLAS_OP_N, op == CUBLAS_OP_C, Shape::general, Part::all, false};
}

template <typename T>
__device__ const T* matrix(const Factor<T>& f, long long batch) {
    return f.list != nullptr ? f.list[batch] : f.data + batch * f.stride;
}

/// Element (row, column) of op(matrix). Without `kShaped` the shape is taken for general.
template <typename Acc, bool kShaped = true, typename T>
__device__ __forceinline__ Acc element(const Factor<T>& f, const T* data, int row, int column) {
    int r = f.transposed ? column : row, c = f.transposed ? row : column;
    bool flip = f.conjugated;
    if (kShaped && f.shape != Shape::general) {
        const bool outside = f.part == Part::lower ? r < c : r > c;
        if (f.shape == Shape::triangular) {
            if (outside) return zero<Acc>();
            if (r == c && f.unit) return one<Acc>();
        } else {
            if (outside) {
                const int t = r;
                r = c;
                c = t;
                flip ^= f.shape == Shape::hermitian;
            }
            if (f.shape == Shape::hermitian && r == c)
                return from_real<Acc>(real_part(convert<Acc>(data[r + static_cast<long long>(c) * f.ld])));
        }
    }
    const Acc v = convert<Acc>(data[r + static_cast<long long>(c) * f.ld]);
    return flip ? conjugate(v) : v;
}

/// What becomes of an element of the product: here C, which is read and written in place.
struct InPlace {
    template <typename TC>
    __device__ __forceinline__ const TC& source(const TC& to, int, int, int) const {
        return to;
    }
    template <typename Acc>
    __device__ __forceinline__ Acc finish(Acc v, int, int, int) const {
        return v;
    }
};

template <typename TA, typename TC, typename Acc, typename Finish = InPlace>
struct GemmTask {
    int m, n, k;
    Factor<TA> a, b;
    Scalar<Acc> alpha, beta;
    TC* c;
    TC* const* c_list;
    long long c_stride;
    int ldc;
    Part part;       // of C that is written
    bool hermitian;  // the diagonal of C is real
    int batch;
    Finish finish;
};

/// One CTA's share of a tile: kEach elements a thread, neighbouring threads along the direction in which memory is dense.
template <int kRows, int kDepth, typename Acc, typename T, bool kLeft, bool kShaped>
struct TileLoader {
    static constexpr int kEach = kRows * kDepth / kThreads;
    Acc held[kEach];

    static __device__ __forceinline__ void place(bool along_rows, int e, int& row, int& depth) {
        const int i = static_cast<int>(threadIdx.x) + e * kThreads;
        row = along_rows ? i % kRows : i / kDepth;
        depth = along_rows ? i / kRows : i % kDepth;
    }
    __device__ __forceinline__ void read(const Factor<T>& f, const T* data, int row0, int depth0, int rows,
                                         int depths) {
        const bool along_rows = kLeft != f.transposed;
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
            int row, depth;
            place(along_rows, e, row, depth);
            row += row0;
            depth += depth0;
            held[e] = zero<Acc>();
            if (row < rows && depth < depths)
                held[e] = kLeft ? element<Acc, kShaped>(f, data, row, depth)
                                : element<Acc, kShaped>(f, data, depth, row);
        }
    }
    template <int kPitch>
    __device__ __forceinline__ void store(const Factor<T>& f, Acc (*tile)[kPitch]) const {
        const bool along_rows = kLeft != f.transposed;
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
            int row, depth;
            place(along_rows, e, row, depth);
            tile[depth][row] = held[e];
        }
    }
};

template <typename TA, typename TC, typename Acc, int kM, int kN, int kK, bool kShaped, typename Finish>
__global__ __launch_bounds__(kThreads) void gemm_kernel(GemmTask<TA, TC, Acc, Finish> t) {
    constexpr int M = kM / 32, N = kN / 8;
    constexpr int kUnroll = M * N >= 16 ? 2 : 8;
    // Four elements more a row keep a transposed tile's stores apart and 16-byte loads aligned.
    constexpr int kPad = 4;
    __shared__ __align__(16) Acc tile_a[kK][kM + kPad];
    __shared__ __align__(16) Acc tile_b[kK][kN + kPad];
    const int row0 = static_cast<int>(blockIdx.x) * kM, column0 = static_cast<int>(blockIdx.y) * kN;
    if (t.part == Part::lower && row0 + kM <= column0) return;
    if (t.part == Part::upper && column0 + kN <= row0) return;
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const Acc alpha = t.alpha.get(), beta = t.beta.get();

    for (int batch = static_cast<int>(blockIdx.z); batch < t.batch; batch += static_cast<int>(gridDim.z)) {
        Acc sum[M][N];
#pragma unroll
        for (int i = 0; i < M; ++i)
#pragma unroll
            for (int j = 0; j < N; ++j) sum[i][j] = zero<Acc>();
        if (!is_zero(alpha)) {
            const TA *a = matrix(t.a, batch), *b = matrix(t.b, batch);
            TileLoader<kM, kK, Acc, TA, true, kShaped> load_a;
            TileLoader<kN, kK, Acc, TA, false, kShaped> load_b;
            load_a.read(t.a, a, row0, 0, t.m, t.k);
            load_b.read(t.b, b, column0, 0, t.n, t.k);
            for (int depth = 0; depth < t.k; depth += kK) {
                __syncthreads();
                load_a.store(t.a, tile_a);
                load_b.store(t.b, tile_b);
                __syncthreads();
                if (depth + kK < t.k) {
                    load_a.read(t.a, a, row0, depth + kK, t.m, t.k);
                    load_b.read(t.b, b, column0, depth + kK, t.n, t.k);
                }
#pragma unroll kUnroll
                for (int k = 0; k < kK; ++k) {
                    Acc left[M], right[N];
#pragma unroll
                    for (int i = 0; i < M; ++i) left[i] = tile_a[k][lane + 32 * i];
#pragma unroll
                    for (int j = 0; j < N; ++j) right[j] = tile_b[k][warp * N + j];
#pragma unroll
                    for (int i = 0; i < M; ++i)
#pragma unroll
                        for (int j = 0; j < N; ++j) sum[i][j] = mul_add(left[i], right[j], sum[i][j]);
                }
            }
        }
        TC* const c = t.c_list != nullptr ? t.c_list[batch] : t.c + batch * t.c_stride;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            const int column = column0 + warp * N + j;
#pragma unroll
            for (int i = 0; i < M; ++i) {
                const int row = row0 + lane + 32 * i;
                if (row >= t.m || column >= t.n) continue;
                if (t.part == Part::lower && row < column) continue;
                if (t.part == Part::upper && row > column) continue;
                TC& to = c[row + static_cast<long long>(column) * t.ldc];
                Acc v = mul(alpha, sum[i][j]);
                // C is not read where beta is zero: what stands there may be no number.
                if (!is_zero(beta))
                    v = mul_add(beta, convert<Acc>(t.finish.source(to, row, column, batch)), v);
                v = t.finish.finish(v, row, column, batch);
                if (t.hermitian && row == column) v = from_real<Acc>(real_part(v));
                to = convert<TC>(v);
            }
        }
    }
}

template <int kM, int kN, int kK, bool kShaped, typename TA, typename TC, typename Acc, typename Finish>
cublasStatus_t launch_tiles(cublasHandle_t h, const GemmTask<TA, TC, Acc, Finish>& t) {
    const dim3 grid(blocks_for(t.m, kM), blocks_for(t.n, kN),
                    static_cast<unsigned>(t.batch < 65535 ? t.batch : 65535));
    gemm_kernel<TA, TC, Acc, kM, kN, kK, kShaped, Finish><<<grid, kThreads, 0, h->stream>>>(t);
    return launched();
}

template <int kM, int kN>
bool fills(cublasHandle_t h, int m, int n, int batch) {
    return static_cast<long long>(blocks_for(m, kM)) * blocks_for(n, kN) * batch >= h->multiprocessors;
}

/// The largest tiles of which there is one for each SM; the order of the sum over k is the same with all.
template <typename TA, typename TC, typename Acc, typename Finish>
cublasStatus_t run_gemm(cublasHandle_t h, const GemmTask<TA, TC, Acc, Finish>& t) {
    if (t.m == 0 || t.n == 0 || t.batch == 0) return CUBLAS_STATUS_SUCCESS;
    constexpr int kDepth = sizeof(Acc) > 8 ? 8 : 16;
    // Shaped factors are those of one type.
    if constexpr (std::is_same_v<TA, Acc> && std::is_same_v<TC, Acc>) {
        if (t.a.shape != Shape::general || t.b.shape != Shape::general)
            return launch_tiles<64, 64, kDepth, true>(h, t);
    }
    if constexpr (sizeof(Acc) == 4) {
        if (fills<128, 128>(h, t.m, t.n, t.batch)) return launch_tiles<128, 128, 8, false>(h, t);
    }
    if constexpr (std::is_same_v<TA, Acc>) {
        if (fills<64, 64>(h, t.m, t.n, t.batch)) return launch_tiles<64, 64, kDepth, false>(h, t);
    }
    return launch_tiles<32, 32, kDepth, false>(h, t);
}

template <typename TA, typename TC, typename Acc>
GemmTask<TA, TC, Acc> gemm_task(int m, int n, int k, Scalar<Acc> alpha, Factor<TA> a, Factor<TA> b,
                                Scalar<Acc> beta, TC* c, int ldc) {
    return {m, n, k, a, b, alpha, beta, c, nullptr, 0, ldc, Part::all, false, 1, {}};
}

inline bool valid_op(cublasOperation_t op) {
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline bool valid_ld(int ld, int rows) {
    return ld >= (rows > 1 ? rows : 1);
}
inline bool valid_gemm(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int lda, int ldb,
                       int ldc) {
    return valid_op(ta) && valid_op(tb) && m >= 0 && n >= 0 && k >= 0 &&
           valid_ld(lda, ta == CUBLAS_OP_N ? m : k) && valid_ld(ldb, tb == CUBLAS_OP_N ? k : n) &&
           valid_ld(ldc, m);
}
inline Part part_of(cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper;
}

template <typename T>
Factor<T> triangle(cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, const T* a,
                   int lda) {
    Factor<T> f = factor(a, lda, op);
    f.shape = Shape::triangular;
    f.part = part_of(fill);
    f.unit = diagonal == CUBLAS_DIAG_UNIT;
    return f;
}

// The cases that files share are compiled in gemm.cu.
#define HEDDLE_BLAS_GEMM(T) \
    extern template cublasStatus_t run_gemm<T, T, T>(cublasHandle_t, const GemmTask<T, T, T>&);
HEDDLE_BLAS_GEMM(float)
HEDDLE_BLAS_GEMM(double)
HEDDLE_BLAS_GEMM(cuComplex)
HEDDLE_BLAS_GEMM(cuDoubleComplex)
#undef HEDDLE_BLAS_GEMM

}  // namespace heddle_blas
