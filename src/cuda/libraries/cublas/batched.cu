// Small systems in batches: LU with partial pivoting, solving with it, inverses. One block a matrix; no tiles, as matrices that come
// in batches are small.

#include "gemm.cuh"

using namespace heddle_blas;

namespace {

/// Which of the column's entries from the diagonal down is largest; the first of equals. Of all the block's threads.
template <typename T>
__device__ int pivot_of(int n, int k, const T* a, int lda) {
    __shared__ Real<T> best[kThreads];
    __shared__ int rows[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    Real<T> most = -1;
    int row = k;
    for (int i = k + t; i < n; i += kThreads) {
        const Real<T> v = abs1(a[i + static_cast<long long>(k) * lda]);
        if (v > most) {
            most = v;
            row = i;
        }
    }
    best[t] = most;
    rows[t] = row;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (t < half &&
            (best[t + half] > best[t] || (best[t + half] == best[t] && rows[t + half] < rows[t]))) {
            best[t] = best[t + half];
            rows[t] = rows[t + half];
        }
        __syncthreads();
    }
    const int found = rows[0];
    __syncthreads();
    return found;
}

template <typename T>
__global__ void lu_kernel(int n, T* const* list, int lda, int* pivots, int* info) {
    T* const a = list[blockIdx.x];
    const int t = static_cast<int>(threadIdx.x);
    int singular = 0;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        if (pivots != nullptr) {
            pivot = pivot_of(n, k, a, lda);
            if (t == 0) pivots[static_cast<long long>(blockIdx.x) * n + k] = pivot + 1;
            if (pivot != k)
                for (int j = t; j < n; j += kThreads) {
                    T& x = a[k + static_cast<long long>(j) * lda];
                    T& y = a[pivot + static_cast<long long>(j) * lda];
                    const T s = x;
                    x = y;
                    y = s;
                }
            __syncthreads();
        }
        const T diagonal = a[k + static_cast<long long>(k) * lda];
        if (is_zero(diagonal)) {
            if (singular == 0) singular = k + 1;
            continue;
        }
        for (int i = k + 1 + t; i < n; i += kThreads) {
            T& x = a[i + static_cast<long long>(k) * lda];
            x = divide(x, diagonal);
        }
        __syncthreads();
        const int left = n - k - 1;
        for (int e = t; e < left * left; e += kThreads) {
            const int i = k + 1 + e % left, j = k + 1 + e / left;
            T& x = a[i + static_cast<long long>(j) * lda];
            x = add(x, negate(mul(a[i + static_cast<long long>(k) * lda],
                                  a[k + static_cast<long long>(j) * lda])));
        }
        __syncthreads();
    }
    if (t == 0) info[blockIdx.x] = singular;
}

/// A thread solves for one right-hand side: rows exchanged, L, U; or the transposed of these in reverse.
template <typename T>
__device__ void solve(int n, const Factor<T>& f, const T* a, const int* pivots, T* x) {
    const bool turned = f.transposed;
    if (!turned && pivots != nullptr)
        for (int k = 0; k < n; ++k) {
            const int p = pivots[k] - 1;
            const T s = x[k];
            x[k] = x[p];
            x[p] = s;
        }
    // op(LU): the first triangle is lower in both cases, with ones on the diagonal unless turned.
    for (int i = 0; i < n; ++i) {
        T v = x[i];
        for (int j = 0; j < i; ++j) v = add(v, negate(mul(element<T>(f, a, i, j), x[j])));
        x[i] = turned ? divide(v, element<T>(f, a, i, i)) : v;
    }
    for (int i = n - 1; i >= 0; --i) {
        T v = x[i];
        for (int j = i + 1; j < n; ++j) v = add(v, negate(mul(element<T>(f, a, i, j), x[j])));
        x[i] = turned ? v : divide(v, element<T>(f, a, i, i));
    }
    if (turned && pivots != nullptr)
        for (int k = n - 1; k >= 0; --k) {
            const int p = pivots[k] - 1;
            const T s = x[k];
            x[k] = x[p];
            x[p] = s;
        }
}

template <typename T>
__global__ void solve_kernel(int n, int sides, Factor<T> f, const int* pivots, T* const* list, int ldb) {
    const int* const own = pivots != nullptr ? pivots + static_cast<long long>(blockIdx.x) * n : nullptr;
    for (int s = static_cast<int>(threadIdx.x); s < sides; s += kThreads)
        solve(n, f, f.list[blockIdx.x], own, list[blockIdx.x] + static_cast<long long>(s) * ldb);
}

/// The inverse, as the solutions for the columns of the unit matrix.
template <typename T>
__global__ void invert_kernel(int n, Factor<T> f, const int* pivots, T* const* list, int ldc, int* info) {
    const T* const a = f.list[blockIdx.x];
    const int* const own = pivots != nullptr ? pivots + static_cast<long long>(blockIdx.x) * n : nullptr;
    int singular = 0;
    for (int k = n - 1; k >= 0; --k)
        if (is_zero(a[k + static_cast<long long>(k) * f.ld])) singular = k + 1;
    if (threadIdx.x == 0) info[blockIdx.x] = singular;
    if (singular != 0) return;
    for (int s = static_cast<int>(threadIdx.x); s < n; s += kThreads) {
        T* const x = list[blockIdx.x] + static_cast<long long>(s) * ldc;
        for (int i = 0; i < n; ++i) x[i] = i == s ? one<T>() : zero<T>();
        solve(n, f, a, own, x);
    }
}

template <typename T>
__global__ void copy_kernel(int n, const T* const* from, int lda, T* to) {
    const T* const a = from[blockIdx.x];
    T* const b = to + static_cast<long long>(blockIdx.x) * n * n;
    for (int e = static_cast<int>(threadIdx.x); e < n * n; e += kThreads)
        b[e] = a[e % n + static_cast<long long>(e / n) * lda];
}

template <typename T>
__global__ void list_kernel(int batch, long long elements, T* first, T** list) {
    for (int k = static_cast<int>(threadIdx.x); k < batch; k += kThreads) list[k] = first + k * elements;
}

template <typename T>
cublasStatus_t getrf(cublasHandle_t h, int n, T* const* a, int lda, int* pivots, int* info, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(n >= 0 && valid_ld(lda, n) && batch >= 0 && info != nullptr);
    if (batch == 0) return CUBLAS_STATUS_SUCCESS;
    lu_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(n, a, lda, pivots, info);
    return launched();
}

template <typename T>
Factor<T> factors(const T* const* a, int lda, cublasOperation_t op) {
    Factor<T> f = factor<T>(nullptr, lda, op);
    f.list = a;
    return f;
}

template <typename T>
cublasStatus_t getrs(cublasHandle_t h, cublasOperation_t op, int n, int sides, const T* const* a, int lda,
                     const int* pivots, T* const* b, int ldb, int* info, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(info != nullptr);
    // The host's: the argument that is wrong, counted from 1.
    *info = !valid_op(op)       ? -1
            : n < 0             ? -2
            : sides < 0         ? -3
            : !valid_ld(lda, n) ? -5
            : !valid_ld(ldb, n) ? -8
            : batch < 0         ? -10
                                : 0;
    HEDDLE_BLAS_CHECK(*info == 0);
    if (batch == 0 || n == 0 || sides == 0) return CUBLAS_STATUS_SUCCESS;
    solve_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(n, sides, factors(a, lda, op),
                                                                           pivots, b, ldb);
    return launched();
}

template <typename T>
cublasStatus_t getri(cublasHandle_t h, int n, const T* const* a, int lda, const int* pivots, T* const* c,
                     int ldc, int* info, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(n >= 0 && valid_ld(lda, n) && valid_ld(ldc, n) && batch >= 0 && info != nullptr);
    if (batch == 0) return CUBLAS_STATUS_SUCCESS;
    invert_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(n, factors(a, lda, CUBLAS_OP_N),
                                                                            pivots, c, ldc, info);
    return launched();
}

template <typename T>
cublasStatus_t matinv(cublasHandle_t h, int n, const T* const* a, int lda, T* const* inverse, int ldi,
                      int* info, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(n >= 0 && n <= 32 && valid_ld(lda, n) && valid_ld(ldi, n) && batch >= 0 &&
                      info != nullptr);
    if (batch == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const auto count = static_cast<size_t>(batch);
    const size_t elements = static_cast<size_t>(n) * static_cast<size_t>(n);
    T *copies = nullptr, **list = nullptr;
    int* pivots = nullptr;
    if (cudaMallocAsync(&copies, count * elements * sizeof(T), h->stream) != cudaSuccess ||
        cudaMallocAsync(&list, count * sizeof(T*), h->stream) != cudaSuccess ||
        cudaMallocAsync(&pivots, count * static_cast<size_t>(n) * sizeof(int), h->stream) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    copy_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(n, a, lda, copies);
    list_kernel<<<1, kThreads, 0, h->stream>>>(batch, static_cast<long long>(elements), copies, list);
    cublasStatus_t status = getrf<T>(h, n, list, n, pivots, info, batch);
    if (status == CUBLAS_STATUS_SUCCESS) status = getri<T>(h, n, list, n, pivots, inverse, ldi, info, batch);
    cudaFreeAsync(copies, h->stream);
    cudaFreeAsync(list, h->stream);
    cudaFreeAsync(pivots, h->stream);
    return status;
}

}  // namespace

extern "C" {

#define HEDDLE_BLAS_EACH(L, T)                                                                               \
    cublasStatus_t cublas##L##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda, int* pivots,      \
                                           int* info, int batch) {                                           \
        return getrf(h, n, a, lda, pivots, info, batch);                                                     \
    }                                                                                                        \
    cublasStatus_t cublas##L##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int sides,         \
                                           const T* const a[], int lda, const int* pivots, T* const b[],     \
                                           int ldb, int* info, int batch) {                                  \
        return getrs(h, op, n, sides, a, lda, pivots, b, ldb, info, batch);                                  \
    }                                                                                                        \
    cublasStatus_t cublas##L##getriBatched(cublasHandle_t h, int n, const T* const a[], int lda,             \
                                           const int* pivots, T* const c[], int ldc, int* info, int batch) { \
        return getri(h, n, a, lda, pivots, c, ldc, info, batch);                                             \
    }                                                                                                        \
    cublasStatus_t cublas##L##matinvBatched(cublasHandle_t h, int n, const T* const a[], int lda,            \
                                            T* const inverse[], int ldi, int* info, int batch) {             \
        return matinv(h, n, a, lda, inverse, ldi, info, batch);                                              \
    }
HEDDLE_BLAS_EACH(S, float)
HEDDLE_BLAS_EACH(D, double)
HEDDLE_BLAS_EACH(C, cuComplex)
HEDDLE_BLAS_EACH(Z, cuDoubleComplex)

}  // extern "C"
