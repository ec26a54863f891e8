// Cholesky and LU, panel by panel: a block factorises the columns of a panel, cuBLAS updates what stands beside and below, so that
// most of the traffic is that of a tiled product.

#include "cholesky.cuh"

using namespace heddle_solver;
using namespace heddle_blas;

namespace {

template <typename T>
struct Tile {
    T (*elements)[kPanel + 1];
    __device__ T get(int r, int c) const { return elements[r][c]; }
    __device__ void set(int r, int c, T v) const { elements[r][c] = v; }
};

/// The diagonal block of order n <= kPanel, in shared memory. Upper triangles are held as their conjugate transposes.
template <typename T>
__global__ void cholesky_block_kernel(int n, T* a, int lda, bool upper, int before, int* info) {
    __shared__ T tile[kPanel][kPanel + 1];
    __shared__ bool broken;
    if (threadIdx.x == 0) broken = *info != 0;
    __syncthreads();
    if (broken) return;
    for (int e = static_cast<int>(threadIdx.x); e < n * n; e += kThreads) {
        const int r = e % n, c = e / n;
        const T v = a[r + static_cast<long long>(c) * lda];
        if (upper)
            tile[c][r] = conjugate(v);
        else
            tile[r][c] = v;
    }
    __syncthreads();
    if (const int minor = lower_factor<T>(n, Tile<T>{tile}); minor != 0) {
        if (threadIdx.x == 0) *info = before + minor;
        return;
    }
    for (int e = static_cast<int>(threadIdx.x); e < n * n; e += kThreads) {
        const int r = e % n, c = e / n;
        if (upper ? r <= c : r >= c)
            a[r + static_cast<long long>(c) * lda] = upper ? conjugate(tile[c][r]) : tile[r][c];
    }
}

template <typename T>
cusolverStatus_t cholesky(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T* a, int lda, int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && valid_ld(lda, n) && info != nullptr && valid_fill(fill));
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
    for (int k = 0; k < n; k += kPanel) {
        const int size = n - k < kPanel ? n - k : kPanel, left = n - k - size;
        auto at = [&](int r, int c) { return a + r + static_cast<long long>(c) * lda; };
        cholesky_block_kernel<<<1, kThreads, 0, h->stream>>>(size, at(k, k), lda, upper, k, info);
        if (left == 0) break;
        T* const beside = upper ? at(k, k + size) : at(k + size, k);
        cublasStatus_t status = upper ? trsm(h->blas, CUBLAS_SIDE_LEFT, fill, CUBLAS_OP_C,
                                             CUBLAS_DIAG_NON_UNIT, size, left, at(k, k), lda, beside, lda)
                                      : trsm(h->blas, CUBLAS_SIDE_RIGHT, fill, CUBLAS_OP_C,
                                             CUBLAS_DIAG_NON_UNIT, left, size, at(k, k), lda, beside, lda);
        if (status == CUBLAS_STATUS_SUCCESS)
            status = take_square(h->blas, fill, upper ? CUBLAS_OP_C : CUBLAS_OP_N, left, size, beside, lda,
                                 at(k + size, k + size), lda);
        if (status != CUBLAS_STATUS_SUCCESS) return from(status);
    }
    return launched();
}

/// LU of a panel, m rows by n <= kPanel columns, by one block. Rows are exchanged inside the panel only.
template <typename T>
__global__ void lu_panel_kernel(int m, int n, T* a, int lda, int before, int* pivots, int* info) {
    __shared__ Real<T> best[kThreads];
    __shared__ int best_row[kThreads];
    const int me = static_cast<int>(threadIdx.x);
    for (int k = 0; k < n && k < m; ++k) {
        T* const column = a + static_cast<long long>(k) * lda;
        int row = k;
        if (pivots != nullptr) {
            Real<T> largest = -1;
            int where = k;
            for (int r = k + me; r < m; r += kThreads) {
                const Real<T> v = abs1(column[r]);
                if (v > largest) {
                    largest = v;
                    where = r;
                }
            }
            best[me] = largest;
            best_row[me] = where;
            row = block_place_of_largest(best, best_row);
            if (me == 0) pivots[k] = before + row + 1;
            if (row != k && me < n) {
                T* const c = a + static_cast<long long>(me) * lda;
                const T v = c[k];
                c[k] = c[row];
                c[row] = v;
            }
            __syncthreads();
        }
        const T pivot = column[k];
        if (is_zero(pivot)) {
            if (me == 0 && *info == 0) *info = before + k + 1;
            __syncthreads();
            continue;
        }
        for (int r = k + 1 + me; r < m; r += kThreads) {
            const T factor = divide(column[r], pivot);
            column[r] = factor;
            for (int c = k + 1; c < n; ++c) {
                T& to = a[r + static_cast<long long>(c) * lda];
                to = add(to, negate(mul(factor, a[k + static_cast<long long>(c) * lda])));
            }
        }
        __syncthreads();
    }
}

/// Exchanges rows first + k and pivots[first + k], k < count, one after the other (the last one first with `back`); a thread has a
/// column.
template <typename T>
__global__ void exchange_kernel(int columns, T* a, int lda, const int* pivots, int first, int count,
                                bool back) {
    const int c = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    if (c >= columns) return;
    T* const column = a + static_cast<long long>(c) * lda;
    for (int k = 0; k < count; ++k) {
        const int row = first + (back ? count - 1 - k : k), other = pivots[row] - 1;
        const T v = column[row];
        column[row] = column[other];
        column[other] = v;
    }
}
template <typename T>
void exchange(cusolverDnHandle_t h, int columns, T* a, int lda, const int* pivots, int first, int count,
              bool back) {
    if (columns > 0 && count > 0)
        exchange_kernel<<<static_cast<unsigned>((columns + kThreads - 1) / kThreads), kThreads, 0,
                          h->stream>>>(columns, a, lda, pivots, first, count, back);
}

template <typename T>
cusolverStatus_t lu(cusolverDnHandle_t h, int m, int n, T* a, int lda, int* pivots, int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(m >= 0 && n >= 0 && valid_ld(lda, m) && info != nullptr);
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    const int shorter = m < n ? m : n;
    auto at = [&](int r, int c) { return a + r + static_cast<long long>(c) * lda; };
    for (int k = 0; k < shorter; k += kPanel) {
        const int size = shorter - k < kPanel ? shorter - k : kPanel, right = n - k - size,
                  below = m - k - size;
        lu_panel_kernel<<<1, kThreads, 0, h->stream>>>(m - k, size, at(k, k), lda, k,
                                                       pivots == nullptr ? nullptr : pivots + k, info);
        if (pivots != nullptr) {
            exchange(h, k, a, lda, pivots, k, size, false);
            exchange(h, right, at(0, k + size), lda, pivots, k, size, false);
        }
        if (right == 0) continue;
        cublasStatus_t status = trsm(h->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                     CUBLAS_DIAG_UNIT, size, right, at(k, k), lda, at(k, k + size), lda);
        if (status == CUBLAS_STATUS_SUCCESS && below > 0)
            status = gemm(h->blas, CUBLAS_OP_N, CUBLAS_OP_N, below, right, size, negate(one<T>()),
                          at(k + size, k), lda, at(k, k + size), lda, one<T>(), at(k + size, k + size), lda);
        if (status != CUBLAS_STATUS_SUCCESS) return from(status);
    }
    return launched();
}

template <typename T>
cusolverStatus_t solve_cholesky(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns, const T* a,
                                int lda, T* b, int ldb, int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && columns >= 0 && valid_ld(lda, n) && valid_ld(ldb, n) && info != nullptr);
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    const bool upper = fill == CUBLAS_FILL_MODE_UPPER;
    for (bool first : {true, false}) {
        const cublasStatus_t status =
            trsm(h->blas, CUBLAS_SIDE_LEFT, fill, upper == first ? CUBLAS_OP_C : CUBLAS_OP_N,
                 CUBLAS_DIAG_NON_UNIT, n, columns, a, lda, b, ldb);
        if (status != CUBLAS_STATUS_SUCCESS) return from(status);
    }
    return launched();
}

template <typename T>
cusolverStatus_t solve_lu(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns, const T* a, int lda,
                          const int* pivots, T* b, int ldb, int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && columns >= 0 && valid_ld(lda, n) && valid_ld(ldb, n) && info != nullptr &&
                        (op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C));
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    const bool plain = op == CUBLAS_OP_N;
    if (plain && pivots != nullptr) exchange(h, columns, b, ldb, pivots, 0, n, false);
    for (bool first : {true, false}) {
        const bool lower = plain == first;
        const cublasStatus_t status =
            trsm(h->blas, CUBLAS_SIDE_LEFT, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, op,
                 lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, columns, a, lda, b, ldb);
        if (status != CUBLAS_STATUS_SUCCESS) return from(status);
    }
    if (!plain && pivots != nullptr) exchange(h, columns, b, ldb, pivots, 0, n, true);
    return launched();
}

/// Nothing is needed; programs that allocate what is asked for get one element.
cusolverStatus_t no_workspace(cusolverDnHandle_t h, int* elements, bool valid) {
    return tell_workspace(h, elements, valid, 1);
}

}  // namespace

extern "C" {

#define HEDDLE_SOLVER_EACH(L, T)                                                                             \
    cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t, int n, T*,      \
                                                     int lda, int* elements) {                               \
        return no_workspace(h, elements, n >= 0 && valid_ld(lda, n));                                        \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T* a, int lda, \
                                          T*, int, int* info) {                                              \
        return cholesky(h, fill, n, a, lda, info);                                                           \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##potrs(cusolverDnHandle_t h, cublasFillMode_t fill, int n, int columns,   \
                                          const T* a, int lda, T* b, int ldb, int* info) {                   \
        return solve_cholesky(h, fill, n, columns, a, lda, b, ldb, info);                                    \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,        \
                                                     int* elements) {                                        \
        return no_workspace(h, elements, m >= 0 && n >= 0 && valid_ld(lda, m));                              \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T*,             \
                                          int* pivots, int* info) {                                          \
        return lu(h, m, n, a, lda, pivots, info);                                                            \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns,    \
                                          const T* a, int lda, const int* pivots, T* b, int ldb,             \
                                          int* info) {                                                       \
        return solve_lu(h, op, n, columns, a, lda, pivots, b, ldb, info);                                    \
    }
HEDDLE_SOLVER_EACH(S, float)
HEDDLE_SOLVER_EACH(D, double)
HEDDLE_SOLVER_EACH(C, cuComplex)
HEDDLE_SOLVER_EACH(Z, cuDoubleComplex)

}  // extern "C"
