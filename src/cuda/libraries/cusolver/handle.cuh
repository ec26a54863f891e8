#pragma once
// The handle, and cuBLAS's functions by the type of the element.

#include "../cublas/numbers.cuh"
#include "cusolverDn.h"

struct cusolverDnContext {
    cudaStream_t stream = nullptr;
    cublasHandle_t blas = nullptr;
};

namespace heddle_solver {

constexpr int kThreads = 256;
/// Columns that one panel factorises; what stands right of them is updated by cuBLAS.
constexpr int kPanel = 32;

#define HEDDLE_SOLVER_CHECK(condition) \
    if (!(condition)) return CUSOLVER_STATUS_INVALID_VALUE
#define HEDDLE_SOLVER_HANDLE(h) \
    if ((h) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED

#define HEDDLE_SOLVER_BLAS(L, T, rank_k)                                                                    \
    inline cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,  \
                               int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c,      \
                               int ldc) {                                                                   \
        return cublas##L##gemm(h, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);                  \
    }                                                                                                       \
    inline cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,              \
                               cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* a,   \
                               int lda, T* b, int ldb) {                                                    \
        const T one = heddle_blas::one<T>();                                                                \
        return cublas##L##trsm(h, side, fill, op, diagonal, m, n, &one, a, lda, b, ldb);                    \
    }                                                                                                       \
    /* C -= A A^H, or A^H A. */                                                                             \
    inline cublasStatus_t take_square(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, \
                                      int k, const T* a, int lda, T* c, int ldc) {                          \
        const heddle_blas::Real<T> minus = -1, plus = 1;                                                    \
        return cublas##L##rank_k(h, fill, op, n, k, &minus, a, lda, &plus, c, ldc);                         \
    }
HEDDLE_SOLVER_BLAS(S, float, syrk)
HEDDLE_SOLVER_BLAS(D, double, syrk)
HEDDLE_SOLVER_BLAS(C, cuComplex, herk)
HEDDLE_SOLVER_BLAS(Z, cuDoubleComplex, herk)

/// Of a block of kThreads, by way of as many elements of shared memory.
template <typename R, typename Join>
__device__ R block_join(R v, R* shared, Join join) {
    __syncthreads();
    shared[threadIdx.x] = v;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < half)
            shared[threadIdx.x] = join(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
    return shared[0];
}
template <typename R>
__device__ R block_sum(R v, R* shared) {
    return block_join(v, shared, [](R a, R b) { return a + b; });
}
/// The larger one, or what is no number.
template <typename R>
__device__ R larger(R a, R b) {
    return a != a || a >= b ? a : b;
}
template <typename R>
__device__ R block_largest(R v, R* shared) {
    return block_join(v, shared, [](R a, R b) { return larger(a, b); });
}
/// The place of a block's largest value, of equals the first. Each thread has put a value and its place into the two arrays.
template <typename R>
__device__ int block_place_of_largest(R* values, int* places) {
    const int me = static_cast<int>(threadIdx.x);
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half && (values[me + half] > values[me] ||
                          (values[me + half] == values[me] && places[me + half] < places[me]))) {
            values[me] = values[me + half];
            places[me] = places[me + half];
        }
    }
    __syncthreads();
    return places[0];
}

inline cusolverStatus_t launched() {
    return cudaPeekAtLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
inline cusolverStatus_t from(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
/// What a program asks before it allocates a workspace of so many elements.
inline cusolverStatus_t tell_workspace(cusolverDnHandle_t h, int* elements, bool valid, long long needed) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(valid && elements != nullptr && needed <= 0x7fffffff);
    *elements = static_cast<int>(needed);
    return CUSOLVER_STATUS_SUCCESS;
}
inline bool valid_fill(cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool valid_ld(int ld, int rows) {
    return ld >= (rows > 1 ? rows : 1);
}

}  // namespace heddle_solver
