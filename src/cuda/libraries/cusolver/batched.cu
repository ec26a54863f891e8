// Cholesky factorisations of many small matrices, and the systems that they solve: a block has a matrix.

#include "cholesky.cuh"

using namespace heddle_solver;
using namespace heddle_blas;

namespace {

/// Element (r, c) of the lower factor, which is stored as it is, or as its conjugate transpose.
template <typename T>
struct Factor {
    T* a;
    int lda;
    bool upper;
    __device__ T get(int r, int c) const {
        return upper ? conjugate(a[c + static_cast<long long>(r) * lda])
                     : a[r + static_cast<long long>(c) * lda];
    }
    __device__ void set(int r, int c, T v) const {
        if (upper)
            a[c + static_cast<long long>(r) * lda] = conjugate(v);
        else
            a[r + static_cast<long long>(c) * lda] = v;
    }
};

template <typename T>
__global__ void cholesky_batch_kernel(int n, T* const* matrices, int lda, bool upper, int* info) {
    const Factor<T> f{matrices[blockIdx.x], lda, upper};
    const int minor = lower_factor<T>(n, f);
    if (threadIdx.x == 0) info[blockIdx.x] = minor;
}

/// L L^H x = b: down with the factor, up with its conjugate transpose.
template <typename T>
__global__ void cholesky_solve_kernel(int n, T* const* matrices, int lda, bool upper, T* const* sides) {
    const Factor<T> f{matrices[blockIdx.x], lda, upper};
    T* const x = sides[blockIdx.x];
    const int me = static_cast<int>(threadIdx.x);
    for (int k = 0; k < n; ++k) {
        __syncthreads();
        const T v = divide(x[k], f.get(k, k));
        __syncthreads();
        if (me == 0) x[k] = v;
        for (int r = k + 1 + me; r < n; r += kThreads) x[r] = add(x[r], negate(mul(f.get(r, k), v)));
    }
    for (int k = n - 1; k >= 0; --k) {
        __syncthreads();
        const T v = divide(x[k], f.get(k, k));
        __syncthreads();
        if (me == 0) x[k] = v;
        for (int r = me; r < k; r += kThreads) x[r] = add(x[r], negate(mul(conjugate(f.get(k, r)), v)));
    }
}

template <typename T>
cusolverStatus_t factorise_batch(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T* const* a, int lda,
                                 int* info, int batch) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && batch >= 0 && valid_ld(lda, n) && valid_fill(fill) && info != nullptr);
    cudaMemsetAsync(info, 0, sizeof *info * static_cast<size_t>(batch), h->stream);
    if (n == 0 || batch == 0) return CUSOLVER_STATUS_SUCCESS;
    cholesky_batch_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(
        n, a, lda, fill == CUBLAS_FILL_MODE_UPPER, info);
    return launched();
}

/// One right side a matrix, as the manual has it.
template <typename T>
cusolverStatus_t solve_batch(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, T* const* a,
                             int lda, T* const* b, int ldb, int* info, int batch) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && batch >= 0 && columns == 1 && valid_ld(lda, n) && valid_ld(ldb, n) &&
                        valid_fill(fill) && info != nullptr);
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    if (n == 0 || batch == 0) return CUSOLVER_STATUS_SUCCESS;
    cholesky_solve_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(
        n, a, lda, fill == CUBLAS_FILL_MODE_UPPER, b);
    return launched();
}

}  // namespace

extern "C" {

#define HEDDLE_SOLVER_BATCHED(L, T)                                                                          \
    cusolverStatus_t cusolverDn##L##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T* a[], \
                                                 int lda, int* info, int batch) {                            \
        return factorise_batch(h, fill, n, a, lda, info, batch);                                             \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##potrsBatched(cusolverDnHandle_t h, cublasFillMode_t fill, int n,         \
                                                 int columns, T* a[], int lda, T* b[], int ldb, int* info,   \
                                                 int batch) {                                                \
        return solve_batch(h, fill, n, columns, a, lda, b, ldb, info, batch);                                \
    }
HEDDLE_SOLVER_BATCHED(S, float)
HEDDLE_SOLVER_BATCHED(D, double)
HEDDLE_SOLVER_BATCHED(C, cuComplex)
HEDDLE_SOLVER_BATCHED(Z, cuDoubleComplex)

}  // extern "C"
