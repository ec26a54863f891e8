// Level 2: a matrix and vectors. Symmetric, Hermitian and triangular matrices are factors of their shape (gemm.cuh).

#include "level2.cuh"

using namespace heddle_blas;

namespace {

constexpr int kWarps = kThreads / 32;

/// y = alpha A x + beta y: a lane has a row, so that a warp reads a column's consecutive elements; the warps of a block share the
/// columns.
template <typename T>
__global__ void rows_kernel(int m, int n, Scalar<T> alpha, Factor<T> a, const T* x, long long incx,
                            Scalar<T> beta, T* y, long long incy) {
    __shared__ T sums[kWarps][32];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int row = static_cast<int>(blockIdx.x) * 32 + lane;
    T sum = zero<T>();
    if (row < m)
        for (int column = warp; column < n; column += kWarps)
            sum = mul_add(element<T>(a, a.data, row, column), x[column * incx], sum);
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp != 0 || row >= m) return;
    for (int w = 1; w < kWarps; ++w) sum = add(sum, sums[w][lane]);
    const T b = beta.get();
    T& to = y[row * incy];
    const T v = mul(alpha.get(), sum);
    to = is_zero(b) ? v : mul_add(b, to, v);
}

/// The same for a transposed matrix: a warp has an element of y, and its lanes read a column of the matrix as it is stored.
template <typename T>
__global__ void columns_kernel(int m, int n, Scalar<T> alpha, Factor<T> a, const T* x, long long incx,
                               Scalar<T> beta, T* y, long long incy) {
    __shared__ T sums[kWarps][32];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int row = static_cast<int>(blockIdx.x) * kWarps + warp;
    T sum = zero<T>();
    if (row < m)
        for (int column = lane; column < n; column += 32)
            sum = mul_add(element<T>(a, a.data, row, column), x[column * incx], sum);
    sums[warp][lane] = sum;
    for (int half = 16; half > 0; half /= 2) {
        __syncwarp();
        if (lane < half) sums[warp][lane] = add(sums[warp][lane], sums[warp][lane + half]);
    }
    if (lane != 0 || row >= m) return;
    const T b = beta.get();
    T& to = y[row * incy];
    const T v = mul(alpha.get(), sums[warp][0]);
    to = is_zero(b) ? v : mul_add(b, to, v);
}

/// op(A) has m rows and n columns.
template <typename T>
cublasStatus_t multiply(cublasHandle_t h, int m, int n, Scalar<T> alpha, Factor<T> a, const T* x, int incx,
                        Scalar<T> beta, T* y, int incy) {
    if (m == 0) return CUBLAS_STATUS_SUCCESS;
    const T* const from = start(x, n, incx);
    T* const to = start(y, m, incy);
    if (a.transposed)
        columns_kernel<<<blocks_for(m, kWarps), kThreads, 0, h->stream>>>(m, n, alpha, a, from, incx, beta,
                                                                          to, incy);
    else
        rows_kernel<<<blocks_for(m, 32), kThreads, 0, h->stream>>>(m, n, alpha, a, from, incx, beta, to,
                                                                   incy);
    return launched();
}

template <typename T>
cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(op) && m >= 0 && n >= 0 && valid_ld(lda, m) && incx != 0 && incy != 0 &&
                      alpha && beta);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const bool turned = op != CUBLAS_OP_N;
    return multiply(h, turned ? n : m, turned ? m : n, scalar(h, alpha), factor(a, lda, op), x, incx,
                    scalar(h, beta), y, incy);
}

template <typename T>
cublasStatus_t symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy, Shape shape) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(n >= 0 && valid_ld(lda, n) && incx != 0 && incy != 0 && alpha && beta);
    Factor<T> f = factor(a, lda, CUBLAS_OP_N);
    f.shape = shape;
    f.part = part_of(fill);
    return multiply(h, n, n, scalar(h, alpha), f, x, incx, scalar(h, beta), y, incy);
}

template <typename T>
cublasStatus_t trmv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                    int n, const T* a, int lda, T* x, int incx) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(op) && n >= 0 && valid_ld(lda, n) && incx != 0);
    return multiply_in_place(h, n, x, incx, [&](const T* from, int stride) {
        return multiply(h, n, n, constant(one<T>()), triangle(fill, op, diagonal, a, lda), from, stride,
                        constant(zero<T>()), x, incx);
    });
}

/// One block solves: each unknown, once known, is taken out of the rows that follow.
template <typename T>
__global__ void trsv_kernel(int n, Factor<T> a, T* x, long long incx) {
    const bool down = (a.part == Part::lower) != a.transposed;
    for (int k = 0; k < n; ++k) {
        const int j = down ? k : n - 1 - k;
        if (threadIdx.x == 0 && !a.unit) x[j * incx] = divide(x[j * incx], element<T>(a, a.data, j, j));
        __syncthreads();
        const T known = x[j * incx];
        for (int i = static_cast<int>(threadIdx.x); i < n - 1 - k; i += kThreads) {
            const int row = down ? j + 1 + i : i;
            x[row * incx] = add(x[row * incx], negate(mul(element<T>(a, a.data, row, j), known)));
        }
        __syncthreads();
    }
}

template <typename T>
cublasStatus_t trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                    int n, const T* a, int lda, T* x, int incx) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(op) && n >= 0 && valid_ld(lda, n) && incx != 0);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    trsv_kernel<<<1, kThreads, 0, h->stream>>>(n, triangle(fill, op, diagonal, a, lda), start(x, n, incx),
                                               incx);
    return launched();
}

/// A += alpha x y', or as add_product has it, for a part of A.
template <typename T>
__global__ void rank_kernel(int m, int n, Scalar<T> alpha, const T* x, long long incx, const T* y,
                            long long incy, T* a, int lda, Part part, bool conj, bool twice) {
    const int row = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x) % 32;
    const int column = static_cast<int>(blockIdx.y) * kWarps + static_cast<int>(threadIdx.x) / 32;
    if (row >= m || column >= n) return;
    if (part == Part::lower && row < column) return;
    if (part == Part::upper && row > column) return;
    add_product(a[row + static_cast<long long>(column) * lda], row, column, alpha.get(), x, incx, y, incy,
                conj, twice, conj && part != Part::all && row == column);
}

template <typename T>
cublasStatus_t rank_update(cublasHandle_t h, int m, int n, Scalar<T> alpha, const T* x, int incx, const T* y,
                           int incy, T* a, int lda, Part part, bool conj, bool twice) {
    HEDDLE_BLAS_CHECK(m >= 0 && n >= 0 && incx != 0 && incy != 0 && valid_ld(lda, m));
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const dim3 grid(blocks_for(m, 32), blocks_for(n, kWarps));
    rank_kernel<<<grid, kThreads, 0, h->stream>>>(m, n, alpha, start(x, m, incx), incx, start(y, n, incy),
                                                  incy, a, lda, part, conj, twice);
    return launched();
}

}  // namespace

extern "C" {

#define HEDDLE_BLAS_EACH(L, T)                                                                               \
    cublasStatus_t cublas##L##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,  \
                                      const T* a, int lda, const T* x, int incx, const T* beta, T* y,        \
                                      int incy) {                                                            \
        return gemv(h, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                                     \
    }                                                                                                        \
    cublasStatus_t cublas##L##symv_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,        \
                                      const T* a, int lda, const T* x, int incx, const T* beta, T* y,        \
                                      int incy) {                                                            \
        return symv(h, fill, n, alpha, a, lda, x, incx, beta, y, incy, Shape::symmetric);                    \
    }                                                                                                        \
    cublasStatus_t cublas##L##trmv_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,         \
                                      cublasDiagType_t diagonal, int n, const T* a, int lda, T* x,           \
                                      int incx) {                                                            \
        return trmv(h, fill, op, diagonal, n, a, lda, x, incx);                                              \
    }                                                                                                        \
    cublasStatus_t cublas##L##trsv_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,         \
                                      cublasDiagType_t diagonal, int n, const T* a, int lda, T* x,           \
                                      int incx) {                                                            \
        return trsv(h, fill, op, diagonal, n, a, lda, x, incx);                                              \
    }                                                                                                        \
    cublasStatus_t cublas##L##syr_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,         \
                                     const T* x, int incx, T* a, int lda) {                                  \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                                 \
        return rank_update(h, n, n, scalar(h, alpha), x, incx, x, incx, a, lda, part_of(fill), false,        \
                           false);                                                                           \
    }                                                                                                        \
    cublasStatus_t cublas##L##syr2_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,        \
                                      const T* x, int incx, const T* y, int incy, T* a, int lda) {           \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                                 \
        return rank_update(h, n, n, scalar(h, alpha), x, incx, y, incy, a, lda, part_of(fill), false, true); \
    }
HEDDLE_BLAS_EACH(S, float)
HEDDLE_BLAS_EACH(D, double)
HEDDLE_BLAS_EACH(C, cuComplex)
HEDDLE_BLAS_EACH(Z, cuDoubleComplex)

#define HEDDLE_BLAS_GER(name, T, conj)                                                                     \
    cublasStatus_t cublas##name##_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, \
                                     const T* y, int incy, T* a, int lda) {                                \
        HEDDLE_BLAS_HANDLE(h);                                                                             \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                               \
        return rank_update(h, m, n, scalar(h, alpha), x, incx, y, incy, a, lda, Part::all, conj, false);   \
    }
HEDDLE_BLAS_GER(Sger, float, false)
HEDDLE_BLAS_GER(Dger, double, false)
HEDDLE_BLAS_GER(Cgeru, cuComplex, false)
HEDDLE_BLAS_GER(Cgerc, cuComplex, true)
HEDDLE_BLAS_GER(Zgeru, cuDoubleComplex, false)
HEDDLE_BLAS_GER(Zgerc, cuDoubleComplex, true)

#define HEDDLE_BLAS_HERMITIAN(L, T)                                                                         \
    cublasStatus_t cublas##L##hemv_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,       \
                                      const T* a, int lda, const T* x, int incx, const T* beta, T* y,       \
                                      int incy) {                                                           \
        return symv(h, fill, n, alpha, a, lda, x, incx, beta, y, incy, Shape::hermitian);                   \
    }                                                                                                       \
    cublasStatus_t cublas##L##her_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const Real<T>* alpha,  \
                                     const T* x, int incx, T* a, int lda) {                                 \
        HEDDLE_BLAS_HANDLE(h);                                                                              \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                                \
        return rank_update(h, n, n, constant(from_real<T>(known(h, alpha))), x, incx, x, incx, a, lda,      \
                           part_of(fill), true, false);                                                     \
    }                                                                                                       \
    cublasStatus_t cublas##L##her2_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,       \
                                      const T* x, int incx, const T* y, int incy, T* a, int lda) {          \
        HEDDLE_BLAS_HANDLE(h);                                                                              \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                                \
        return rank_update(h, n, n, scalar(h, alpha), x, incx, y, incy, a, lda, part_of(fill), true, true); \
    }
HEDDLE_BLAS_HERMITIAN(C, cuComplex)
HEDDLE_BLAS_HERMITIAN(Z, cuDoubleComplex)

}  // extern "C"
