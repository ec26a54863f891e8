// Level 2 for band and packed matrices. As in level2.cu a warp reads consecutive elements of a column as it is stored; of a band
// it visits the columns that its rows reach.

#include "level2.cuh"

using namespace heddle_blas;

namespace {

constexpr int kCompactWarps = kThreads / 32;

/// Where element (r, c) of a packed triangle of order n is.
__device__ long long packed_place(int n, Part part, int r, int c) {
    return part == Part::lower ? r + (2LL * n - c - 1) * c / 2 : r + (c + 1LL) * c / 2;
}

/// A band matrix, or a triangle packed column by column.
template <typename T>
struct Compact {
    const T* data;
    int n, ld, below, above;  // ld, and the diagonals below and above the main one, of a band
    bool packed, transposed, conjugated, unit;
    Shape shape;
    Part part;

    __device__ long long place(int r, int c) const {
        return packed ? packed_place(n, part, r, c) : above + r - c + static_cast<long long>(c) * ld;
    }
    /// Element (row, column) of op(matrix).
    __device__ T at(int row, int column) const {
        int r = transposed ? column : row, c = transposed ? row : column;
        bool flip = conjugated;
        if (shape != Shape::general) {
            const bool outside = part == Part::lower ? r < c : r > c;
            if (shape == Shape::triangular) {
                if (outside) return zero<T>();
                if (r == c && unit) return one<T>();
            } else if (outside) {
                const int t = r;
                r = c;
                c = t;
                flip ^= shape == Shape::hermitian;
            }
        }
        if (!packed && (r - c > below || c - r > above)) return zero<T>();
        const T v = data[place(r, c)];
        if (shape == Shape::hermitian && r == c) return from_real<T>(real_part(v));
        return flip ? conjugate(v) : v;
    }
    /// How many columns before and after the diagonal a row of op(matrix) reaches.
    __host__ __device__ int before() const {
        if (packed) return n;
        if (shape == Shape::symmetric || shape == Shape::hermitian) return below + above;
        return transposed ? above : below;
    }
    __host__ __device__ int after() const {
        if (packed) return n;
        if (shape == Shape::symmetric || shape == Shape::hermitian) return below + above;
        return transposed ? below : above;
    }
};

/// y = alpha op(A) x + beta y, m rows, n columns. A lane has a row and the warps share the columns; or, where op transposes, a
/// warp has a row and its lanes share the columns.
template <typename T, bool kTurned>
__global__ void compact_kernel(int m, int n, Scalar<T> alpha, Compact<T> a, const T* x, long long incx,
                               Scalar<T> beta, T* y, long long incy) {
    __shared__ T sums[kCompactWarps][32];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int first = static_cast<int>(blockIdx.x) * (kTurned ? kCompactWarps : 32) + (kTurned ? warp : 0);
    const int row = first + (kTurned ? 0 : lane), last = kTurned ? first : first + 31;
    const int from = first > a.before() ? first - a.before() : 0;
    const long long reach = static_cast<long long>(last) + a.after() + 1;
    const int to = reach < n ? static_cast<int>(reach) : n;
    T sum = zero<T>();
    if (row < m)
        for (int column = from + (kTurned ? lane : warp); column < to; column += kTurned ? 32 : kCompactWarps)
            sum = mul_add(a.at(row, column), x[column * incx], sum);
    sums[warp][lane] = sum;
    if (kTurned) {
        for (int half = 16; half > 0; half /= 2) {
            __syncwarp();
            if (lane < half) sums[warp][lane] = add(sums[warp][lane], sums[warp][lane + half]);
        }
        sum = sums[warp][lane];
        if (lane != 0) return;
    } else {
        __syncthreads();
        if (warp != 0) return;
        for (int w = 1; w < kCompactWarps; ++w) sum = add(sum, sums[w][lane]);
    }
    if (row >= m) return;
    const T b = beta.get();
    T& result = y[row * incy];
    const T v = mul(alpha.get(), sum);
    result = is_zero(b) ? v : mul_add(b, result, v);
}

template <typename T>
cublasStatus_t compact_multiply(cublasHandle_t h, int m, int n, Scalar<T> alpha, Compact<T> a, const T* x,
                                int incx, Scalar<T> beta, T* y, int incy) {
    if (m == 0) return CUBLAS_STATUS_SUCCESS;
    const T* const from = start(x, n, incx);
    T* const to = start(y, m, incy);
    if (a.transposed)
        compact_kernel<T, true><<<blocks_for(m, kCompactWarps), kThreads, 0, h->stream>>>(
            m, n, alpha, a, from, incx, beta, to, incy);
    else
        compact_kernel<T, false>
            <<<blocks_for(m, 32), kThreads, 0, h->stream>>>(m, n, alpha, a, from, incx, beta, to, incy);
    return launched();
}

template <typename T>
Compact<T> band(const T* a, int ld, int below, int above) {
    return {a, 0, ld, below, above, false, false, false, false, Shape::general, Part::all};
}
/// A triangle's band with k diagonals beside the main one, or with k < 0 a packed triangle.
template <typename T>
Compact<T> half(const T* a, int n, int k, int ld, cublasFillMode_t fill, Shape shape) {
    const bool lower = fill == CUBLAS_FILL_MODE_LOWER;
    return {a, n, ld, lower ? k : 0, lower ? 0 : k, k < 0, false, false, false, shape, part_of(fill)};
}

template <typename T>
cublasStatus_t gbmv(cublasHandle_t h, cublasOperation_t op, int m, int n, int below, int above,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(op) && m >= 0 && n >= 0 && below >= 0 && above >= 0 && lda > below + above &&
                      incx != 0 && incy != 0 && alpha && beta);
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    Compact<T> f = band(a, lda, below, above);
    f.transposed = op != CUBLAS_OP_N;
    f.conjugated = op == CUBLAS_OP_C;
    return compact_multiply(h, f.transposed ? n : m, f.transposed ? m : n, scalar(h, alpha), f, x, incx,
                            scalar(h, beta), y, incy);
}

/// k < 0: packed.
template <typename T>
cublasStatus_t mirrored_product(cublasHandle_t h, cublasFillMode_t fill, int n, int k, const T* alpha,
                                const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy,
                                Shape shape) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(n >= 0 && (k < 0 || lda > k) && incx != 0 && incy != 0 && alpha && beta);
    return compact_multiply(h, n, n, scalar(h, alpha), half(a, n, k, lda, fill, shape), x, incx,
                            scalar(h, beta), y, incy);
}

template <typename T>
Compact<T> compact_triangle(const T* a, int n, int k, int lda, cublasFillMode_t fill, cublasOperation_t op,
                            cublasDiagType_t diagonal) {
    Compact<T> f = half(a, n, k, lda, fill, Shape::triangular);
    f.transposed = op != CUBLAS_OP_N;
    f.conjugated = op == CUBLAS_OP_C;
    f.unit = diagonal == CUBLAS_DIAG_UNIT;
    return f;
}

template <typename T>
cublasStatus_t triangle_product(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,
                                cublasDiagType_t diagonal, int n, int k, const T* a, int lda, T* x,
                                int incx) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(op) && n >= 0 && (k < 0 || lda > k) && incx != 0);
    return multiply_in_place(h, n, x, incx, [&](const T* from, int stride) {
        return compact_multiply(h, n, n, constant(one<T>()),
                                compact_triangle(a, n, k, lda, fill, op, diagonal), from, stride,
                                constant(zero<T>()), x, incx);
    });
}

/// One block solves: each unknown, once known, is taken out of the rows that reach it.
template <typename T>
__global__ void compact_solve_kernel(int n, Compact<T> a, T* x, long long incx) {
    const bool down = (a.part == Part::lower) != a.transposed;
    const int reach = down ? a.before() : a.after();
    for (int k = 0; k < n; ++k) {
        const int j = down ? k : n - 1 - k;
        if (threadIdx.x == 0 && !a.unit) x[j * incx] = divide(x[j * incx], a.at(j, j));
        __syncthreads();
        const T known = x[j * incx];
        const int rows = reach < n - 1 - k ? reach : n - 1 - k;
        for (int i = static_cast<int>(threadIdx.x); i < rows; i += kThreads) {
            const int row = down ? j + 1 + i : j - 1 - i;
            x[row * incx] = add(x[row * incx], negate(mul(a.at(row, j), known)));
        }
        __syncthreads();
    }
}

template <typename T>
cublasStatus_t triangle_solution(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,
                                 cublasDiagType_t diagonal, int n, int k, const T* a, int lda, T* x,
                                 int incx) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_op(op) && n >= 0 && (k < 0 || lda > k) && incx != 0);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    compact_solve_kernel<<<1, kThreads, 0, h->stream>>>(n, compact_triangle(a, n, k, lda, fill, op, diagonal),
                                                        start(x, n, incx), incx);
    return launched();
}

/// The same of a packed triangle as rank_kernel in level2.cu of a matrix.
template <typename T>
__global__ void packed_rank_kernel(int n, Scalar<T> alpha, const T* x, long long incx, const T* y,
                                   long long incy, T* a, Part part, bool conj, bool twice) {
    const int row = static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x) % 32;
    const int column = static_cast<int>(blockIdx.y) * kCompactWarps + static_cast<int>(threadIdx.x) / 32;
    if (row >= n || column >= n || (part == Part::lower ? row < column : row > column)) return;
    add_product(a[packed_place(n, part, row, column)], row, column, alpha.get(), x, incx, y, incy, conj,
                twice, conj && row == column);
}

template <typename T>
cublasStatus_t packed_rank(cublasHandle_t h, cublasFillMode_t fill, int n, Scalar<T> alpha, const T* x,
                           int incx, const T* y, int incy, T* a, bool conj, bool twice) {
    HEDDLE_BLAS_CHECK(n >= 0 && incx != 0 && incy != 0);
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    const dim3 grid(blocks_for(n, 32), blocks_for(n, kCompactWarps));
    packed_rank_kernel<<<grid, kThreads, 0, h->stream>>>(n, alpha, start(x, n, incx), incx, start(y, n, incy),
                                                         incy, a, part_of(fill), conj, twice);
    return launched();
}

}  // namespace

extern "C" {

#define HEDDLE_BLAS_TRIANGLES(L, T, letters, how)                                                      \
    cublasStatus_t cublas##L##tb##letters##_v2(cublasHandle_t h, cublasFillMode_t fill,                \
                                               cublasOperation_t op, cublasDiagType_t diagonal, int n, \
                                               int k, const T* a, int lda, T* x, int incx) {           \
        HEDDLE_BLAS_CHECK(k >= 0);                                                                     \
        return how(h, fill, op, diagonal, n, k, a, lda, x, incx);                                      \
    }                                                                                                  \
    cublasStatus_t cublas##L##tp##letters##_v2(cublasHandle_t h, cublasFillMode_t fill,                \
                                               cublasOperation_t op, cublasDiagType_t diagonal, int n, \
                                               const T* a, T* x, int incx) {                           \
        return how(h, fill, op, diagonal, n, -1, a, 0, x, incx);                                       \
    }
#define HEDDLE_BLAS_MIRRORED(L, T, letters, shape)                                                       \
    cublasStatus_t cublas##L##letters##bmv_v2(cublasHandle_t h, cublasFillMode_t fill, int n, int k,     \
                                              const T* alpha, const T* a, int lda, const T* x, int incx, \
                                              const T* beta, T* y, int incy) {                           \
        HEDDLE_BLAS_CHECK(k >= 0);                                                                       \
        return mirrored_product(h, fill, n, k, alpha, a, lda, x, incx, beta, y, incy, shape);            \
    }                                                                                                    \
    cublasStatus_t cublas##L##letters##pmv_v2(cublasHandle_t h, cublasFillMode_t fill, int n,            \
                                              const T* alpha, const T* a, const T* x, int incx,          \
                                              const T* beta, T* y, int incy) {                           \
        return mirrored_product(h, fill, n, -1, alpha, a, 0, x, incx, beta, y, incy, shape);             \
    }
#define HEDDLE_BLAS_RANK2(L, T, letters, conj)                                                               \
    cublasStatus_t cublas##L##letters##r2_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, \
                                             const T* x, int incx, const T* y, int incy, T* a) {             \
        HEDDLE_BLAS_HANDLE(h);                                                                               \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                                 \
        return packed_rank(h, fill, n, scalar(h, alpha), x, incx, y, incy, a, conj, true);                   \
    }
#define HEDDLE_BLAS_BAND(L, T)                                                                              \
    cublasStatus_t cublas##L##gbmv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, int below,      \
                                      int above, const T* alpha, const T* a, int lda, const T* x, int incx, \
                                      const T* beta, T* y, int incy) {                                      \
        return gbmv(h, op, m, n, below, above, alpha, a, lda, x, incx, beta, y, incy);                      \
    }                                                                                                       \
    HEDDLE_BLAS_TRIANGLES(L, T, mv, triangle_product)                                                       \
    HEDDLE_BLAS_TRIANGLES(L, T, sv, triangle_solution)
#define HEDDLE_BLAS_REAL(L, T)                                                                       \
    HEDDLE_BLAS_BAND(L, T)                                                                           \
    HEDDLE_BLAS_MIRRORED(L, T, s, Shape::symmetric)                                                  \
    HEDDLE_BLAS_RANK2(L, T, sp, false)                                                               \
    cublasStatus_t cublas##L##spr_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, \
                                     const T* x, int incx, T* a) {                                   \
        HEDDLE_BLAS_HANDLE(h);                                                                       \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                         \
        return packed_rank(h, fill, n, scalar(h, alpha), x, incx, x, incx, a, false, false);         \
    }
#define HEDDLE_BLAS_COMPLEX(L, T)                                                                          \
    HEDDLE_BLAS_BAND(L, T)                                                                                 \
    HEDDLE_BLAS_MIRRORED(L, T, h, Shape::hermitian)                                                        \
    HEDDLE_BLAS_RANK2(L, T, hp, true)                                                                      \
    cublasStatus_t cublas##L##hpr_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const Real<T>* alpha, \
                                     const T* x, int incx, T* a) {                                         \
        HEDDLE_BLAS_HANDLE(h);                                                                             \
        HEDDLE_BLAS_CHECK(alpha != nullptr);                                                               \
        return packed_rank(h, fill, n, constant(from_real<T>(known(h, alpha))), x, incx, x, incx, a, true, \
                           false);                                                                         \
    }
HEDDLE_BLAS_REAL(S, float)
HEDDLE_BLAS_REAL(D, double)
HEDDLE_BLAS_COMPLEX(C, cuComplex)
HEDDLE_BLAS_COMPLEX(Z, cuDoubleComplex)

}  // extern "C"
