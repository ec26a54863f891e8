// Level 3 besides gemm: all of it goes through the tiles of gemm.cuh, with a factor's shape, or the part of C that is written.

#include "gemm.cuh"

using namespace heddle_blas;

namespace {

template <typename T>
cublasStatus_t symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                    const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc,
                    Shape shape) {
    HEDDLE_BLAS_HANDLE(h);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    HEDDLE_BLAS_CHECK(m >= 0 && n >= 0 && valid_ld(lda, order) && valid_ld(ldb, m) && valid_ld(ldc, m) &&
                      alpha && beta);
    Factor<T> f = factor(a, lda, CUBLAS_OP_N);
    f.shape = shape;
    f.part = part_of(fill);
    const Factor<T> g = factor(b, ldb, CUBLAS_OP_N);
    return run_gemm(h, gemm_task<T, T, T>(m, n, order, scalar(h, alpha), side == CUBLAS_SIDE_LEFT ? f : g,
                                          side == CUBLAS_SIDE_LEFT ? g : f, scalar(h, beta), c, ldc));
}

/// C = alpha op(A) op(B)' + beta C in one triangle, the other factor conjugated as well if Hermitian.
template <typename T>
cublasStatus_t rank_k(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                      Scalar<T> alpha, const T* a, int lda, const T* b, int ldb, Scalar<T> beta, T* c,
                      int ldc, bool hermitian) {
    HEDDLE_BLAS_CHECK(valid_op(op) && n >= 0 && k >= 0 && valid_ld(lda, op == CUBLAS_OP_N ? n : k) &&
                      valid_ld(ldb, op == CUBLAS_OP_N ? n : k) && valid_ld(ldc, n));
    const bool turned = op != CUBLAS_OP_N;
    Factor<T> left = factor(a, lda, CUBLAS_OP_N), right = factor(b, ldb, CUBLAS_OP_N);
    left.transposed = turned;
    right.transposed = !turned;
    left.conjugated = hermitian && turned;
    right.conjugated = hermitian && !turned;
    auto t = gemm_task<T, T, T>(n, n, k, alpha, left, right, beta, c, ldc);
    t.part = part_of(fill);
    t.hermitian = hermitian;
    return run_gemm(h, t);
}

template <typename T>
cublasStatus_t rank_2k(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                       const T* alpha, const T* a, int lda, const T* b, int ldb, Scalar<T> beta, T* c,
                       int ldc, bool hermitian) {
    HEDDLE_BLAS_CHECK(alpha != nullptr);
    const T s = known(h, alpha);
    const cublasStatus_t first =
        rank_k(h, fill, op, n, k, constant(s), a, lda, b, ldb, beta, c, ldc, hermitian);
    if (first != CUBLAS_STATUS_SUCCESS) return first;
    return rank_k(h, fill, op, n, k, constant(hermitian ? conjugate(s) : s), b, ldb, a, lda,
                  constant(one<T>()), c, ldc, hermitian);
}

/// C = alpha op(A) B or alpha B op(A), where C may be B.
template <typename T>
cublasStatus_t trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                    cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, const T* b,
                    int ldb, T* c, int ldc) {
    HEDDLE_BLAS_HANDLE(h);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    HEDDLE_BLAS_CHECK(valid_op(op) && m >= 0 && n >= 0 && valid_ld(lda, order) && valid_ld(ldb, m) &&
                      valid_ld(ldc, m) && alpha);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    T* copy = nullptr;
    if (b == c) {
        const size_t bytes = static_cast<size_t>(m) * static_cast<size_t>(n) * sizeof(T);
        if (cudaMallocAsync(&copy, bytes, h->stream) != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
        cudaMemcpy2DAsync(copy, static_cast<size_t>(m) * sizeof(T), b, static_cast<size_t>(ldb) * sizeof(T),
                          static_cast<size_t>(m) * sizeof(T), static_cast<size_t>(n),
                          cudaMemcpyDeviceToDevice, h->stream);
        b = copy;
        ldb = m;
    }
    const Factor<T> f = triangle(fill, op, diagonal, a, lda), g = factor(b, ldb, CUBLAS_OP_N);
    const cublasStatus_t status =
        run_gemm(h, gemm_task<T, T, T>(m, n, order, scalar(h, alpha), side == CUBLAS_SIDE_LEFT ? f : g,
                                       side == CUBLAS_SIDE_LEFT ? g : f, constant(zero<T>()), c, ldc));
    if (copy != nullptr) cudaFreeAsync(copy, h->stream);
    return status;
}

// Triangular systems, a block of 32 unknowns at a time: one kernel solves the block for every right-hand side, a gemm takes what
// is known out of the rest.

constexpr int kBlock = 32;

/// Solves op(A) X = B (left) or X op(A) = B for one block: thread by thread a column or a row of B.
template <typename T>
__global__ void solve_kernel(bool left, int order, int others, Factor<T> a, Scalar<T> alpha, T* b, int ldb) {
    __shared__ T block[kBlock][kBlock + 1];
    for (int i = static_cast<int>(threadIdx.x); i < order * order; i += static_cast<int>(blockDim.x))
        block[i / order][i % order] = element<T>(a, a.data, i / order, i % order);
    __syncthreads();
    const int other =
        static_cast<int>(blockIdx.x) * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
    if (other >= others) return;
    const long long step = left ? 1 : ldb;
    T* const x = b + (left ? static_cast<long long>(other) * ldb : other);
    const T s = alpha.get();
    const bool lower = (a.part == Part::lower) != a.transposed;
    // X op(A) = B is op(A)' X' = B': the rows of the triangle are then its columns.
    const bool down = lower == left;
    for (int k = 0; k < order; ++k) {
        const int i = down ? k : order - 1 - k;
        T v = mul(s, x[i * step]);
        for (int l = 0; l < k; ++l) {
            const int j = down ? l : order - 1 - l;
            v = add(v, negate(mul(left ? block[i][j] : block[j][i], x[j * step])));
        }
        x[i * step] = a.unit ? v : divide(v, block[i][i]);
    }
}

template <typename T>
cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                    cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, T* b,
                    int ldb) {
    HEDDLE_BLAS_HANDLE(h);
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int order = left ? m : n, others = left ? n : m;
    HEDDLE_BLAS_CHECK(valid_op(op) && m >= 0 && n >= 0 && valid_ld(lda, order) && valid_ld(ldb, m) && alpha);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const bool turned = op != CUBLAS_OP_N;
    const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) != turned;
    const bool down = lower == left;
    // Element (r, c) of op(A) begins there.
    auto at = [&](int r, int c) {
        return a + (turned ? c + static_cast<long long>(r) * lda : r + static_cast<long long>(c) * lda);
    };
    const int blocks = (order + kBlock - 1) / kBlock;
    for (int k = 0; k < blocks; ++k) {
        const int first = (down ? k : blocks - 1 - k) * kBlock;
        const int size = order - first < kBlock ? order - first : kBlock;
        // alpha scales all of B once: what the first block's gemm updates, or what is solved if there is no such update.
        const Scalar<T> scale = k == 0 ? scalar(h, alpha) : constant(one<T>());
        T* const here = b + (left ? first : static_cast<long long>(first) * ldb);
        solve_kernel<<<blocks_for(others, 64), 64, 0, h->stream>>>(
            left, size, others, triangle(fill, op, diagonal, at(first, first), lda), scale, here, ldb);
        const int next = down ? first + size : 0, rest = down ? order - next : first;
        if (rest == 0) continue;
        T* const there = b + (left ? next : static_cast<long long>(next) * ldb);
        const Factor<T> known_part = factor(static_cast<const T*>(here), ldb, CUBLAS_OP_N);
        const Factor<T> coefficients = factor(left ? at(next, first) : at(first, next), lda, op);
        const T minus = negate(one<T>());
        const auto t = left ? gemm_task<T, T, T>(rest, n, size, constant(minus), coefficients, known_part,
                                                 scale, there, ldb)
                            : gemm_task<T, T, T>(m, rest, size, constant(minus), known_part, coefficients,
                                                 scale, there, ldb);
        if (const cublasStatus_t status = run_gemm(h, t); status != CUBLAS_STATUS_SUCCESS) return status;
    }
    return launched();
}

template <typename T>
__global__ void sum_kernel(int m, int n, Scalar<T> alpha, Factor<T> a, Scalar<T> beta, Factor<T> b, T* c,
                           int ldc) {
    const int row = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x) % 32;
    const int column = static_cast<int>(blockIdx.y) * 8 + static_cast<int>(threadIdx.x) / 32;
    if (row >= m || column >= n) return;
    const T s = alpha.get(), t = beta.get();
    T v = zero<T>();
    if (!is_zero(s)) v = mul(s, element<T>(a, a.data, row, column));
    if (!is_zero(t)) v = mul_add(t, element<T>(b, b.data, row, column), v);
    c[row + static_cast<long long>(column) * ldc] = v;
}

template <typename T>
cublasStatus_t geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(ta) && valid_op(tb) && m >= 0 && n >= 0 && valid_ld(ldc, m) && alpha && beta);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    sum_kernel<<<dim3(blocks_for(m, 32), blocks_for(n, 8)), kThreads, 0, h->stream>>>(
        m, n, scalar(h, alpha), factor(a, lda, ta), scalar(h, beta), factor(b, ldb, tb), c, ldc);
    return launched();
}

template <typename T>
__global__ void diagonal_kernel(bool left, int m, int n, const T* a, int lda, const T* x, long long incx,
                                T* c, int ldc) {
    const int row = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x) % 32;
    const int column = static_cast<int>(blockIdx.y) * 8 + static_cast<int>(threadIdx.x) / 32;
    if (row >= m || column >= n) return;
    c[row + static_cast<long long>(column) * ldc] =
        mul(a[row + static_cast<long long>(column) * lda], x[(left ? row : column) * incx]);
}

template <typename T>
cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x,
                    int incx, T* c, int ldc) {
    HEDDLE_BLAS_HANDLE(h);
    const bool left = side == CUBLAS_SIDE_LEFT;
    HEDDLE_BLAS_CHECK(m >= 0 && n >= 0 && valid_ld(lda, m) && valid_ld(ldc, m));
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    diagonal_kernel<<<dim3(blocks_for(m, 32), blocks_for(n, 8)), kThreads, 0, h->stream>>>(
        left, m, n, a, lda, start(x, left ? m : n, incx), incx, c, ldc);
    return launched();
}

}  // namespace

extern "C" {

#define HEDDLE_BLAS_EACH(L, T)                                                                               \
    cublasStatus_t cublas##L##symm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, \
                                      int n, const T* alpha, const T* a, int lda, const T* b, int ldb,       \
                                      const T* beta, T* c, int ldc) {                                        \
        return symm(h, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc, Shape::symmetric);             \
    }                                                                                                        \
    cublasStatus_t cublas##L##syrk_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n,  \
                                      int k, const T* alpha, const T* a, int lda, const T* beta, T* c,       \
                                      int ldc) {                                                             \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha&& beta);                                                                     \
        return rank_k(h, fill, op, n, k, scalar(h, alpha), a, lda, a, lda, scalar(h, beta), c, ldc, false);  \
    }                                                                                                        \
    cublasStatus_t cublas##L##syr2k_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, \
                                       int k, const T* alpha, const T* a, int lda, const T* b, int ldb,      \
                                       const T* beta, T* c, int ldc) {                                       \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha&& beta);                                                                     \
        return rank_2k(h, fill, op, n, k, alpha, a, lda, b, ldb, scalar(h, beta), c, ldc, false);            \
    }                                                                                                        \
    cublasStatus_t cublas##L##trmm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,        \
                                      cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,         \
                                      const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,        \
                                      int ldc) {                                                             \
        return trmm(h, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);                       \
    }                                                                                                        \
    cublasStatus_t cublas##L##trsm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,        \
                                      cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,         \
                                      const T* alpha, const T* a, int lda, T* b, int ldb) {                  \
        return trsm(h, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);                               \
    }                                                                                                        \
    cublasStatus_t cublas##L##geam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,      \
                                   int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,    \
                                   int ldb, T* c, int ldc) {                                                 \
        return geam(h, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                                   \
    }                                                                                                        \
    cublasStatus_t cublas##L##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a,        \
                                   int lda, const T* x, int incx, T* c, int ldc) {                           \
        return dgmm(h, side, m, n, a, lda, x, incx, c, ldc);                                                 \
    }
HEDDLE_BLAS_EACH(S, float)
HEDDLE_BLAS_EACH(D, double)
HEDDLE_BLAS_EACH(C, cuComplex)
HEDDLE_BLAS_EACH(Z, cuDoubleComplex)

#define HEDDLE_BLAS_HERMITIAN(L, T)                                                                          \
    cublasStatus_t cublas##L##hemm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, \
                                      int n, const T* alpha, const T* a, int lda, const T* b, int ldb,       \
                                      const T* beta, T* c, int ldc) {                                        \
        return symm(h, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc, Shape::hermitian);             \
    }                                                                                                        \
    cublasStatus_t cublas##L##herk_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n,  \
                                      int k, const Real<T>* alpha, const T* a, int lda, const Real<T>* beta, \
                                      T* c, int ldc) {                                                       \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha&& beta);                                                                     \
        return rank_k(h, fill, op, n, k, constant(from_real<T>(known(h, alpha))), a, lda, a, lda,            \
                      constant(from_real<T>(known(h, beta))), c, ldc, true);                                 \
    }                                                                                                        \
    cublasStatus_t cublas##L##her2k_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, \
                                       int k, const T* alpha, const T* a, int lda, const T* b, int ldb,      \
                                       const Real<T>* beta, T* c, int ldc) {                                 \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha&& beta);                                                                     \
        return rank_2k(h, fill, op, n, k, alpha, a, lda, b, ldb, constant(from_real<T>(known(h, beta))), c,  \
                       ldc, true);                                                                           \
    }
HEDDLE_BLAS_HERMITIAN(C, cuComplex)
HEDDLE_BLAS_HERMITIAN(Z, cuDoubleComplex)

}  // extern "C"
