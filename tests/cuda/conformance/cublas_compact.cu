// cuBLAS's band and packed matrices against dense ones on the host: every fill, transposition, stride and width of band.
// Prints what differs, and "cublas_compact done" if nothing does.

#include <cmath>
#include <cublas_v2.h>
#include <vector>

#include "library.h"

static cublasHandle_t handle;

/// Managed memory that the host fills at random.
template <typename D>
struct Array {
    using T = typename Host<D>::Type;
    size_t n;
    D* device;
    T* host;
    explicit Array(size_t count) : n(count), device(managed<D>(n)) {
        host = reinterpret_cast<T*>(device);
        for (size_t i = 0; i < n; ++i) randomise(host[i]);
    }
    ~Array() { cudaFree(device); }
    std::vector<T> values() const { return {host, host + n}; }
};

template <typename T>
static void expect(const char* what, const T* got, const std::vector<T>& want) {
    OK(cudaDeviceSynchronize());
    double worst = 0;
    for (size_t i = 0; i < want.size(); ++i)
        worst = larger(worst, std::abs(got[i] - want[i]) / (1 + std::abs(want[i])));
    report(what, worst, is_single<T> ? 3e-5 : 1e-12);
}

/// A dense matrix, n columns.
template <typename T>
struct Dense {
    int m, n;
    std::vector<T> v;
    Dense(int rows, int columns) : m(rows), n(columns), v(static_cast<size_t>(rows) * columns) {}
    T& at(int i, int j) { return v[i + static_cast<size_t>(j) * m]; }
    T op(cublasOperation_t o, int i, int j) {
        return o == CUBLAS_OP_N ? at(i, j) : o == CUBLAS_OP_T ? at(j, i) : conjugate(at(j, i));
    }
};

/// Element i of a vector with a stride, as BLAS counts.
static size_t place(int i, int n, int inc) {
    return static_cast<size_t>(inc > 0 ? i * inc : (i - n + 1) * inc);
}
static size_t length(int n, int inc) {
    return static_cast<size_t>(n) * std::abs(inc);
}

constexpr cublasOperation_t kOps[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

template <typename T>
static std::vector<T> product(Dense<T>& a, cublasOperation_t op, T alpha, const T* x, int incx, T beta,
                              std::vector<T> y, int incy) {
    const int m = op == CUBLAS_OP_N ? a.m : a.n, n = op == CUBLAS_OP_N ? a.n : a.m;
    for (int i = 0; i < m; ++i) {
        T sum(0);
        for (int j = 0; j < n; ++j) sum += a.op(op, i, j) * x[place(j, n, incx)];
        T& to = y[place(i, m, incy)];
        to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
    }
    return y;
}

template <typename D, typename F>
static void test_general(F gbmv, int m, int n, int below, int above, int extra, int incx, int incy) {
    using T = typename Host<D>::Type;
    const int lda = below + above + 1 + extra;
    Array<D> a(static_cast<size_t>(lda) * n);
    Dense<T> dense(m, n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            if (i - j <= below && j - i <= above)
                dense.at(i, j) = a.host[above + i - j + static_cast<size_t>(j) * lda];
    for (cublasOperation_t op : kOps) {
        const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
        Array<D> x(length(columns, incx)), y(length(rows, incy)), scalars(2);
        if (op == CUBLAS_OP_T) scalars.host[1] = T(0), y.host[0] = T(NAN);
        const auto want =
            product(dense, op, scalars.host[0], x.host, incx, scalars.host[1], y.values(), incy);
        OK(cublasSetPointerMode(handle,
                                op == CUBLAS_OP_C ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));
        OK(gbmv(handle, op, m, n, below, above, scalars.device, a.device, lda, x.device, incx,
                scalars.device + 1, y.device, incy));
        expect("gbmv", y.host, want);
    }
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

/// The half of a matrix as it is stored: packed with k < 0, else a band; put into a dense triangle.
template <typename D>
struct Stored {
    using T = typename Host<D>::Type;
    int n, k, lda;
    bool lower;
    Array<D> a;
    Stored(int order, int diagonals, int extra, cublasFillMode_t fill)
        : n(order),
          k(diagonals),
          lda(diagonals + 1 + extra),
          lower(fill == CUBLAS_FILL_MODE_LOWER),
          a(diagonals < 0 ? static_cast<size_t>(order) * (order + 1) / 2 : static_cast<size_t>(lda) * order) {
    }
    bool inside(int i, int j) const { return (lower ? i >= j : i <= j) && (k < 0 || std::abs(i - j) <= k); }
    size_t at(int i, int j) const {
        size_t place = 0;
        if (k >= 0) return static_cast<size_t>((lower ? 0 : k) + i - j) + static_cast<size_t>(j) * lda;
        for (int c = 0; c < j; ++c) place += static_cast<size_t>(lower ? n - c : c + 1);
        return place + static_cast<size_t>(lower ? i - j : i);
    }
    Dense<T> triangle(bool unit) {
        Dense<T> d(n, n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (inside(i, j)) d.at(i, j) = i == j && unit ? T(1) : a.host[at(i, j)];
        return d;
    }
    Dense<T> mirrored() {
        Dense<T> d(n, n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (inside(i, j)) {
                    const T v = a.host[at(i, j)];
                    d.at(j, i) = conjugate(v);
                    d.at(i, j) = i == j ? T(std::real(v)) : v;
                }
        return d;
    }
};

/// `band` and `packed` are the symmetric, or for complex numbers the Hermitian forms.
template <typename D, typename Band, typename Packed>
static void test_mirrored(Band band, Packed packed, int n, int k, int incx, int incy) {
    using T = typename Host<D>::Type;
    for (cublasFillMode_t fill : kFills)
        for (int diagonals : {k, -1}) {
            Stored<D> a(n, diagonals, 2, fill);
            Dense<T> dense = a.mirrored();
            Array<D> x(length(n, incx)), y(length(n, incy)), scalars(2);
            const auto want =
                product(dense, CUBLAS_OP_N, scalars.host[0], x.host, incx, scalars.host[1], y.values(), incy);
            if (diagonals >= 0)
                OK(band(handle, fill, n, k, scalars.device, a.a.device, a.lda, x.device, incx,
                        scalars.device + 1, y.device, incy));
            else
                OK(packed(handle, fill, n, scalars.device, a.a.device, x.device, incx, scalars.device + 1,
                          y.device, incy));
            expect(diagonals < 0 ? "packed mirrored" : "band mirrored", y.host, want);
        }
}

template <typename D, typename BandMv, typename PackedMv, typename BandSv, typename PackedSv>
static void test_triangles(BandMv tbmv, PackedMv tpmv, BandSv tbsv, PackedSv tpsv, int n, int k, int incx) {
    using T = typename Host<D>::Type;
    for (cublasFillMode_t fill : kFills)
        for (cublasOperation_t op : kOps)
            for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                for (int diagonals : {k, -1}) {
                    Stored<D> a(n, diagonals, 1, fill);
                    // Well conditioned: small beside the diagonal.
                    for (int j = 0; j < n; ++j)
                        for (int i = 0; i < n; ++i)
                            if (a.inside(i, j)) {
                                T& v = a.a.host[a.at(i, j)];
                                v = i == j ? v + T(2) : v * T(0.1f);
                            }
                    Dense<T> dense = a.triangle(diagonal == CUBLAS_DIAG_UNIT);
                    Array<D> x(length(n, incx));
                    const auto before = x.values();
                    const auto want = product(dense, op, T(1), x.host, incx, T(0), x.values(), incx);
                    if (diagonals >= 0)
                        OK(tbmv(handle, fill, op, diagonal, n, k, a.a.device, a.lda, x.device, incx));
                    else
                        OK(tpmv(handle, fill, op, diagonal, n, a.a.device, x.device, incx));
                    expect(diagonals < 0 ? "tpmv" : "tbmv", x.host, want);
                    // And back again.
                    if (diagonals >= 0)
                        OK(tbsv(handle, fill, op, diagonal, n, k, a.a.device, a.lda, x.device, incx));
                    else
                        OK(tpsv(handle, fill, op, diagonal, n, a.a.device, x.device, incx));
                    expect(diagonals < 0 ? "tpsv" : "tbsv", x.host, before);
                }
}

template <typename D, typename R, typename Rank1, typename Rank2>
static void test_ranks(Rank1 rank1, Rank2 rank2, int n, int incx, int incy) {
    using T = typename Host<D>::Type;
    for (cublasFillMode_t fill : kFills)
        for (bool twice : {false, true}) {
            Stored<D> a(n, -1, 0, fill);
            // A Hermitian matrix's diagonal is real.
            for (int i = 0; i < n; ++i) a.a.host[a.at(i, i)] = T(std::real(a.a.host[a.at(i, i)]));
            Array<D> x(length(n, incx)), y(length(n, incy)), alpha(1);
            const R real = static_cast<R>(0.75);
            std::vector<T> want = a.a.values();
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    if (!a.inside(i, j)) continue;
                    const T xi = x.host[place(i, n, incx)], xj = x.host[place(j, n, incx)];
                    const T yi = y.host[place(i, n, incy)], yj = y.host[place(j, n, incy)];
                    want[a.at(i, j)] += twice ? alpha.host[0] * xi * conjugate(yj) +
                                                    conjugate(alpha.host[0]) * yi * conjugate(xj)
                                              : T(real) * xi * conjugate(xj);
                }
            if (twice)
                OK(rank2(handle, fill, n, alpha.device, x.device, incx, y.device, incy, a.a.device));
            else
                OK(rank1(handle, fill, n, &real, x.device, incx, a.a.device));
            expect(twice ? "rank 2" : "rank 1", a.a.host, want);
        }
}

#define TEST_ALL(L, D, R, s)                                                                            \
    for (int n : {1, 33, 70}) {                                                                         \
        test_general<D>(cublas##L##gbmv, n, n, 2, 5, 0, 1, 1);                                          \
        test_general<D>(cublas##L##gbmv, n + 9, n, 0, 3, 2, 2, -1);                                     \
        test_general<D>(cublas##L##gbmv, n, n + 40, 7, 0, 1, -1, 3);                                    \
        for (int k : {0, 4, 80}) {                                                                      \
            test_mirrored<D>(cublas##L##s##bmv, cublas##L##s##pmv, n, k, 1, 2);                         \
            test_mirrored<D>(cublas##L##s##bmv, cublas##L##s##pmv, n, k, -2, 1);                        \
            test_triangles<D>(cublas##L##tbmv, cublas##L##tpmv, cublas##L##tbsv, cublas##L##tpsv, n, k, \
                              k == 4 ? -2 : 1);                                                         \
        }                                                                                               \
        test_ranks<D, R>(cublas##L##s##pr, cublas##L##s##pr2, n, 1, -2);                                \
    }

int main() {
    OK(cublasCreate(&handle));
    TEST_ALL(S, float, float, s)
    TEST_ALL(D, double, double, s)
    TEST_ALL(C, cuComplex, float, h)
    TEST_ALL(Z, cuDoubleComplex, double, h)
    float one = 1, *x = nullptr;
    EXPECT(cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 1, 1, &one, x, 2, x, 1, &one, x, 1) ==
           CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasStbmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, -1, x, 2, x, 1) ==
           CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasStpsv(nullptr, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, x, x, 1) ==
           CUBLAS_STATUS_NOT_INITIALIZED);
    OK(cublasDestroy(handle));
    return finished("cublas_compact");
}
