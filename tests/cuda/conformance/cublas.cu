// cuBLAS against loops on the host: every transposition, fill, side and stride, sizes on both sides of a tile's edge.
// Prints what differs, and "cublas done" if nothing does.

#include <cmath>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <vector>

#include "library.h"

static cublasHandle_t handle;

template <typename T>
struct Array {
    std::vector<T> host;
    T* device = nullptr;
    explicit Array(size_t n) : host(n) {
        for (T& v : host) randomise(v);
        OK(cudaMalloc(&device, n * sizeof(T)));
        upload();
    }
    ~Array() { cudaFree(device); }
    void upload() { OK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    std::vector<T> download() const {
        std::vector<T> out(host.size());
        OK(cudaMemcpy(out.data(), device, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
};

template <typename T>
static void expect(const char* what, const std::vector<T>& got, const std::vector<T>& want,
                   double tolerance) {
    double worst = 0;
    for (size_t i = 0; i < got.size(); ++i)
        worst = larger(worst, std::abs(got[i] - want[i]) / (1 + std::abs(want[i])));
    report(what, worst, tolerance);
}

template <typename T>
static double tolerance() {
    return is_single<T> ? 2e-5 : 1e-13;
}

/// op(A)(i, j) of a column-major matrix.
template <typename T>
static T at(const std::vector<T>& a, int ld, cublasOperation_t op, int i, int j) {
    if (op == CUBLAS_OP_N) return a[static_cast<size_t>(i) + static_cast<size_t>(j) * ld];
    const T v = a[static_cast<size_t>(j) + static_cast<size_t>(i) * ld];
    return op == CUBLAS_OP_C ? conjugate(v) : v;
}
/// The same of a triangle, or of a matrix whose other half mirrors it.
template <typename T>
static T in_triangle(const std::vector<T>& a, int ld, cublasFillMode_t fill, cublasOperation_t op, bool unit,
                     int i, int j) {
    const int r = op == CUBLAS_OP_N ? i : j, c = op == CUBLAS_OP_N ? j : i;
    if (fill == CUBLAS_FILL_MODE_LOWER ? r < c : r > c) return T(0);
    if (r == c && unit) return T(1);
    return at(a, ld, op, i, j);
}
template <typename T>
static T mirrored(const std::vector<T>& a, int ld, cublasFillMode_t fill, bool hermitian, int i, int j) {
    const bool outside = fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j;
    const T v = outside ? a[j + static_cast<size_t>(i) * ld] : a[i + static_cast<size_t>(j) * ld];
    if (!hermitian) return v;
    if (i == j) return T(std::real(v));
    return outside ? conjugate(v) : v;
}

constexpr cublasOperation_t kOps[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

template <typename D, typename F>
static void test_gemm(F gemm, int m, int n, int k, int extra) {
    using T = typename Host<D>::Type;
    for (cublasOperation_t ta : kOps)
        for (cublasOperation_t tb : kOps) {
            const int lda = (ta == CUBLAS_OP_N ? m : k) + extra, ldb = (tb == CUBLAS_OP_N ? k : n) + extra,
                      ldc = m + extra;
            Array<T> a(static_cast<size_t>(lda) * (ta == CUBLAS_OP_N ? k : m)),
                b(static_cast<size_t>(ldb) * (tb == CUBLAS_OP_N ? n : k));
            Array<T> c(static_cast<size_t>(ldc) * n);
            T alpha, beta;
            randomise(alpha);
            randomise(beta);
            if (ta == tb) beta = T(0), c.host[0] = T(NAN), c.upload();
            std::vector<T> want = c.host;
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i) {
                    T sum(0);
                    for (int l = 0; l < k; ++l) sum += at(a.host, lda, ta, i, l) * at(b.host, ldb, tb, l, j);
                    T& to = want[i + static_cast<size_t>(j) * ldc];
                    to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
                }
            OK(gemm(handle, ta, tb, m, n, k, reinterpret_cast<const D*>(&alpha),
                    reinterpret_cast<const D*>(a.device), lda, reinterpret_cast<const D*>(b.device), ldb,
                    reinterpret_cast<const D*>(&beta), reinterpret_cast<D*>(c.device), ldc));
            expect("gemm", c.download(), want, tolerance<T>());
        }
}

/// As many tiles as the default machine has SMs: each size of tile is taken.
template <typename D, typename F>
static void test_large_tiles(F gemm, int m, int n, int k) {
    using T = typename Host<D>::Type;
    const int batch = 33;
    Array<T> a(static_cast<size_t>(m * k * batch)), b(static_cast<size_t>(k * n)),
        c(static_cast<size_t>(m * n * batch));
    const T alpha(2), beta(0.5f);
    std::vector<T> want = c.host;
    for (int p = 0; p < batch; ++p)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                T sum(0);
                for (int l = 0; l < k; ++l) sum += a.host[p * m * k + i + l * m] * b.host[j + l * n];
                T& to = want[p * m * n + i + j * m];
                to = alpha * sum + beta * to;
            }
    OK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a.device, m, m * k, b.device, n, 0, &beta,
            c.device, m, m * n, batch));
    expect("large tiles", c.download(), want, tolerance<T>());
}

template <typename D, typename Gemv, typename Trmv, typename Trsv>
static void test_vectors(Gemv gemv, Trmv trmv, Trsv trsv) {
    using T = typename Host<D>::Type;
    auto d = [](auto* p) { return reinterpret_cast<D*>(const_cast<T*>(p)); };
    const int m = 45, n = 38, lda = 50;
    for (cublasOperation_t op : kOps)
        for (int inc : {1, -2}) {
            const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
            Array<T> a(static_cast<size_t>(lda) * 50), x(static_cast<size_t>(columns) * 2),
                y(static_cast<size_t>(rows) * 2);
            auto place = [&](int i, int count) { return inc > 0 ? i : (count - 1 - i) * 2; };
            T alpha(2), beta(3);
            std::vector<T> want = y.host;
            for (int i = 0; i < rows; ++i) {
                T sum(0);
                for (int j = 0; j < columns; ++j)
                    sum += at(a.host, lda, op, i, j) * x.host[place(j, columns)];
                want[place(i, rows)] = alpha * sum + beta * y.host[place(i, rows)];
            }
            OK(gemv(handle, op, m, n, d(&alpha), d(a.device), lda, d(x.device), inc, d(&beta), d(y.device),
                    inc));
            expect("gemv", y.download(), want, tolerance<T>());
            for (cublasFillMode_t fill : kFills)
                for (bool unit : {false, true}) {
                    Array<T> v(static_cast<size_t>(m) * 2), t(static_cast<size_t>(lda) * m);
                    for (int i = 0; i < m; ++i) t.host[i + static_cast<size_t>(i) * lda] += T(8);
                    for (int j = 0; j < m; ++j)
                        for (int i = 0; i < m; ++i)
                            if (i != j && unit) t.host[i + static_cast<size_t>(j) * lda] *= T(0.1f);
                    t.upload();
                    std::vector<T> product = v.host;
                    for (int i = 0; i < m; ++i) {
                        T sum(0);
                        for (int j = 0; j < m; ++j)
                            sum += in_triangle(t.host, lda, fill, op, unit, i, j) * v.host[place(j, m)];
                        product[place(i, m)] = sum;
                    }
                    const std::vector<T> original = v.host;
                    const auto diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
                    OK(trmv(handle, fill, op, diagonal, m, d(t.device), lda, d(v.device), inc));
                    expect("trmv", v.download(), product, tolerance<T>());
                    OK(trsv(handle, fill, op, diagonal, m, d(t.device), lda, d(v.device), inc));
                    expect("trsv", v.download(), original, 10 * tolerance<T>());
                }
        }
}

template <typename D, typename Trmm, typename Trsm>
static void test_triangles(Trmm trmm, Trsm trsm, int m, int n) {
    using T = typename Host<D>::Type;
    auto d = [](auto* p) { return reinterpret_cast<D*>(const_cast<T*>(p)); };
    for (auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (cublasFillMode_t fill : kFills)
            for (cublasOperation_t op : kOps) {
                const bool left = side == CUBLAS_SIDE_LEFT, unit = op == CUBLAS_OP_T;
                const int order = left ? m : n, lda = order + 3, ldb = m + 2;
                Array<T> a(static_cast<size_t>(lda) * order), b(static_cast<size_t>(ldb) * n);
                for (T& v : a.host) v *= T(0.1f);
                for (int i = 0; i < order; ++i) a.host[i + static_cast<size_t>(i) * lda] += T(2);
                a.upload();
                T alpha(2), inverse(0.5f);
                std::vector<T> want = b.host;
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < m; ++i) {
                        T sum(0);
                        for (int l = 0; l < order; ++l)
                            sum += left ? in_triangle(a.host, lda, fill, op, unit, i, l) *
                                              b.host[l + static_cast<size_t>(j) * ldb]
                                        : b.host[i + static_cast<size_t>(l) * ldb] *
                                              in_triangle(a.host, lda, fill, op, unit, l, j);
                        want[i + static_cast<size_t>(j) * ldb] = alpha * sum;
                    }
                const auto diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
                OK(trmm(handle, side, fill, op, diagonal, m, n, d(&alpha), d(a.device), lda, d(b.device), ldb,
                        d(b.device), ldb));
                expect("trmm", b.download(), want, tolerance<T>());
                OK(trsm(handle, side, fill, op, diagonal, m, n, d(&inverse), d(a.device), lda, d(b.device),
                        ldb));
                expect("trsm", b.download(), b.host, 20 * tolerance<T>());
            }
}

static void test_rank_updates() {
    using T = std::complex<float>;
    const int n = 70, k = 33, ld = 75;
    for (cublasFillMode_t fill : kFills)
        for (bool turned : {false, true})
            for (bool hermitian : {false, true}) {
                const cublasOperation_t op = !turned ? CUBLAS_OP_N : (hermitian ? CUBLAS_OP_C : CUBLAS_OP_T);
                Array<T> a(static_cast<size_t>(ld) * n), b(static_cast<size_t>(ld) * n),
                    c(static_cast<size_t>(ld) * n);
                for (int i = 0; i < n; ++i) c.host[i + static_cast<size_t>(i) * ld].imag(0);
                c.upload();
                const T alpha(0.5f, hermitian ? 0 : 0.25f), beta(2, 0);
                auto flip = [&](T v) { return hermitian ? std::conj(v) : v; };
                auto f = [&](const std::vector<T>& x, int i, int l) { return at(x, ld, op, i, l); };
                std::vector<T> one = c.host, two = c.host;
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i) {
                        if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) continue;
                        T s(0), t(0), u(0);
                        for (int l = 0; l < k; ++l) {
                            s += f(a.host, i, l) * flip(f(a.host, j, l));
                            t += f(a.host, i, l) * flip(f(b.host, j, l));
                            u += f(b.host, i, l) * flip(f(a.host, j, l));
                        }
                        const size_t e = i + static_cast<size_t>(j) * ld;
                        one[e] = alpha * s + beta * c.host[e];
                        two[e] = alpha * t + flip(alpha) * u + beta * c.host[e];
                    }
                auto d = [](auto* p) { return reinterpret_cast<cuComplex*>(const_cast<T*>(p)); };
                const float real_alpha = alpha.real(), real_beta = beta.real();
                if (hermitian)
                    OK(cublasCherk(handle, fill, op, n, k, &real_alpha, d(a.device), ld, &real_beta,
                                   d(c.device), ld));
                else
                    OK(cublasCsyrk(handle, fill, op, n, k, d(&alpha), d(a.device), ld, d(&beta), d(c.device),
                                   ld));
                expect("rank k", c.download(), one, 2e-5);
                c.upload();
                if (hermitian)
                    OK(cublasCher2k(handle, fill, op, n, k, d(&alpha), d(a.device), ld, d(b.device), ld,
                                    &real_beta, d(c.device), ld));
                else
                    OK(cublasCsyr2k(handle, fill, op, n, k, d(&alpha), d(a.device), ld, d(b.device), ld,
                                    d(&beta), d(c.device), ld));
                expect("rank 2k", c.download(), two, 2e-5);
                for (auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
                    std::vector<T> want = c.host;
                    for (int j = 0; j < n; ++j)
                        for (int i = 0; i < n; ++i) {
                            T sum(0);
                            for (int l = 0; l < n; ++l)
                                sum += side == CUBLAS_SIDE_LEFT
                                           ? mirrored(a.host, ld, fill, hermitian, i, l) *
                                                 b.host[l + static_cast<size_t>(j) * ld]
                                           : b.host[i + static_cast<size_t>(l) * ld] *
                                                 mirrored(a.host, ld, fill, hermitian, l, j);
                            want[i + static_cast<size_t>(j) * ld] =
                                alpha * sum + beta * want[i + static_cast<size_t>(j) * ld];
                        }
                    c.upload();
                    OK((hermitian ? cublasChemm : cublasCsymm)(handle, side, fill, n, n, d(&alpha),
                                                               d(a.device), ld, d(b.device), ld, d(&beta),
                                                               d(c.device), ld));
                    expect("symm", c.download(), want, 3e-5);
                }
            }
}

/// Updates of rank one and two and products, of matrices that are symmetric or Hermitian. S: her's alpha is real.
template <typename D, typename S, typename Ger, typename Syr2, typename Symv>
static void test_symmetric(bool hermitian, Ger ger,
                           cublasStatus_t (*syr)(cublasHandle_t, cublasFillMode_t, int, const S*, const D*,
                                                 int, D*, int),
                           Syr2 syr2, Symv symv) {
    using T = typename Host<D>::Type;
    auto d = [](auto* p) { return reinterpret_cast<D*>(const_cast<T*>(p)); };
    auto flip = [&](T v) { return hermitian ? conjugate(v) : v; };
    const int m = 38, n = 45, ld = 50;
    for (int inc : {1, -2}) {
        Array<T> a(static_cast<size_t>(ld) * n), x(2 * n), y(2 * n);
        T alpha, beta;
        randomise(alpha);
        randomise(beta);
        const T real_alpha(std::real(alpha));
        auto place = [](int i, int count, int step) { return step > 0 ? i * step : (count - 1 - i) * -step; };
        auto fx = [&](int i, int count) { return x.host[place(i, count, inc)]; };
        auto fy = [&](int i) { return y.host[place(i, n, -inc)]; };
        std::vector<T> want = a.host;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) want[i + j * ld] += alpha * fx(i, m) * flip(fy(j));
        OK(ger(handle, m, n, d(&alpha), d(x.device), inc, d(y.device), -inc, d(a.device), ld));
        expect("ger", a.download(), want, tolerance<T>());
        for (cublasFillMode_t fill : kFills) {
            std::vector<T> product = y.host, one = a.host, two = a.host;
            for (int i = 0; i < n; ++i) {
                T sum(0);
                for (int j = 0; j < n; ++j) {
                    sum += mirrored(a.host, ld, fill, hermitian, i, j) * fx(j, n);
                    if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) continue;
                    T &p = one[i + j * ld], &q = two[i + j * ld];
                    p += (hermitian ? real_alpha : alpha) * fx(i, n) * flip(fx(j, n));
                    q += alpha * fx(i, n) * flip(fy(j)) + flip(alpha) * fy(i) * flip(fx(j, n));
                    if (hermitian && i == j) p = T(std::real(p)), q = T(std::real(q));
                }
                product[place(i, n, -inc)] = alpha * sum + beta * fy(i);
            }
            a.upload();
            OK(symv(handle, fill, n, d(&alpha), d(a.device), ld, d(x.device), inc, d(&beta), d(y.device),
                    -inc));
            expect("symv", y.download(), product, tolerance<T>());
            y.upload();
            OK(syr(handle, fill, n, reinterpret_cast<const S*>(hermitian ? &real_alpha : &alpha), d(x.device),
                   inc, d(a.device), ld));
            expect("syr", a.download(), one, tolerance<T>());
            a.upload();
            OK(syr2(handle, fill, n, d(&alpha), d(x.device), inc, d(y.device), -inc, d(a.device), ld));
            expect("syr2", a.download(), two, tolerance<T>());
        }
    }
}

/// Sums of matrices, products with diagonal ones, inverses.
template <typename D, typename Geam, typename Dgmm, typename Matinv>
static void test_whole_matrices(Geam geam, Dgmm dgmm, Matinv matinv) {
    using T = typename Host<D>::Type;
    auto d = [](auto* p) { return reinterpret_cast<D*>(const_cast<T*>(p)); };
    const int m = 45, n = 38, ld = 50;
    Array<T> a(ld * ld), b(ld * ld), c(ld * ld), x(2 * ld);
    T alpha, beta;
    randomise(alpha);
    randomise(beta);
    for (cublasOperation_t ta : kOps)
        for (cublasOperation_t tb : kOps) {
            std::vector<T> want = c.host;
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i)
                    want[i + j * ld] = alpha * at(a.host, ld, ta, i, j) + beta * at(b.host, ld, tb, i, j);
            OK(geam(handle, ta, tb, m, n, d(&alpha), d(a.device), ld, d(&beta), d(b.device), ld, d(c.device),
                    ld));
            expect("geam", c.download(), want, tolerance<T>());
            c.upload();
        }
    for (bool left : {false, true})
        for (int inc : {1, -2}) {
            std::vector<T> want = c.host;
            const int count = left ? m : n;
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i) {
                    const int k = left ? i : j;
                    want[i + j * ld] = a.host[i + j * ld] * x.host[inc > 0 ? k : (count - 1 - k) * 2];
                }
            OK(dgmm(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, m, n, d(a.device), ld, d(x.device),
                    inc, d(c.device), ld));
            expect("dgmm", c.download(), want, tolerance<T>());
            c.upload();
        }
    const int order = 20, batch = 2;
    D **from = nullptr, **to = nullptr;
    int* info = nullptr;
    OK(cudaMallocManaged(&from, batch * sizeof(D*)));
    OK(cudaMallocManaged(&to, batch * sizeof(D*)));
    OK(cudaMallocManaged(&info, batch * sizeof(int)));
    for (int k = 0; k < batch; ++k) {
        for (int i = 0; i < order; ++i) a.host[k * 25 + i + i * ld] += T(4);
        from[k] = d(a.device) + k * 25, to[k] = d(c.device) + k * 25, info[k] = -1;
    }
    a.upload();
    OK(matinv(handle, order, from, ld, to, ld, info, batch));
    const std::vector<T> inverse = c.download();
    std::vector<T> product, unit;
    for (int k = 0; k < batch; ++k) {
        if (info[k] != 0) std::printf("matinv: matrix %d is singular at %d\n", k, info[k]), ++failures;
        for (int i = 0; i < order; ++i)
            for (int j = 0; j < order; ++j) {
                T sum(0);
                for (int l = 0; l < order; ++l)
                    sum += a.host[k * 25 + i + l * ld] * inverse[k * 25 + l + j * ld];
                product.push_back(sum);
                unit.push_back(T(i == j));
            }
    }
    expect("matinv", product, unit, 20 * tolerance<T>());
}

/// The modified rotation with each flag, its parameters on the host or the device.
template <typename T, typename F>
static void test_modified_rotation(F rotm) {
    const int n = 45;
    T* param = nullptr;
    OK(cudaMallocManaged(&param, 5 * sizeof(T)));
    for (int flag : {-2, -1, 0, 1}) {
        Array<T> x(2 * n), y(n);
        for (int k = 1; k < 5; ++k) randomise(param[k]);
        param[0] = static_cast<T>(flag);
        T h[4] = {param[1], param[2], param[3], param[4]};  // by columns
        if (flag == -2) h[0] = h[3] = 1, h[1] = h[2] = 0;
        if (flag == 0) h[0] = h[3] = 1;
        if (flag == 1) h[1] = -1, h[2] = 1;
        std::vector<T> want_x = x.host, want_y = y.host;
        for (int i = 0; i < n; ++i) {
            const T u = x.host[(n - 1 - i) * 2], v = y.host[i];
            want_x[(n - 1 - i) * 2] = h[0] * u + h[2] * v;
            want_y[i] = h[1] * u + h[3] * v;
        }
        for (auto mode : {CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE}) {
            x.upload();
            y.upload();
            const std::vector<T> on_host(param, param + 5);
            OK(cublasSetPointerMode(handle, mode));
            OK(rotm(handle, n, x.device, -2, y.device, 1,
                    mode == CUBLAS_POINTER_MODE_HOST ? on_host.data() : param));
            expect("rotm", x.download(), want_x, tolerance<T>());
            expect("rotm", y.download(), want_y, tolerance<T>());
        }
        OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    }
    cudaFree(param);
}

static void test_level1() {
    const int n = 3000;
    Array<float> x(n), y(n);
    Array<std::complex<double>> u(n), v(n);
    double dot = 0, sum = 0, squares = 0;
    std::complex<double> dotu = 0, dotc = 0;
    int largest = 0, smallest = 0;
    for (int i = 0; i < n; ++i) {
        dot += static_cast<double>(x.host[i]) * y.host[i];
        sum += std::fabs(x.host[i]);
        squares += static_cast<double>(x.host[i]) * x.host[i];
        dotu += u.host[i] * v.host[i];
        dotc += std::conj(u.host[i]) * v.host[i];
        if (std::fabs(x.host[i]) > std::fabs(x.host[largest])) largest = i;
        if (std::fabs(x.host[i]) < std::fabs(x.host[smallest])) smallest = i;
    }
    float got = 0;
    int index = 0;
    auto near = [](const char* what, double a, double b, double t) {
        if (!(std::fabs(a - b) <= t * (1 + std::fabs(b))))
            std::printf("%s: %g, not %g\n", what, a, b), ++failures;
    };
    OK(cublasSdot(handle, n, x.device, 1, y.device, 1, &got));
    near("dot", got, dot, 1e-5);
    OK(cublasSasum(handle, n, x.device, 1, &got));
    near("asum", got, sum, 1e-5);
    OK(cublasSnrm2(handle, n, x.device, 1, &got));
    near("nrm2", got, std::sqrt(squares), 1e-6);
    OK(cublasIsamax(handle, n, x.device, 1, &index));
    near("amax", index, largest + 1, 0);
    OK(cublasIsamin(handle, n, x.device, 1, &index));
    near("amin", index, smallest + 1, 0);
    cuDoubleComplex z;
    auto c = [](std::complex<double>* p) { return reinterpret_cast<cuDoubleComplex*>(p); };
    OK(cublasZdotu(handle, n, c(u.device), 1, c(v.device), 1, &z));
    near("dotu", z.x, dotu.real(), 1e-13);
    near("dotu", z.y, dotu.imag(), 1e-13);
    OK(cublasZdotc(handle, n, c(u.device), 1, c(v.device), 1, &z));
    near("dotc", z.y, dotc.imag(), 1e-13);
    // Nothing overflows on the way to a norm that does not.
    const float big[2] = {3e38f, 0}, *const first = big;
    OK(cudaMemcpy(x.device, first, sizeof big, cudaMemcpyHostToDevice));
    OK(cublasSnrm2(handle, 2, x.device, 1, &got));
    near("nrm2 of large values", got, 3e38, 1e-6);
    x.upload();
    // A result may stay on the device, and be the next call's scalar.
    float* place = nullptr;
    OK(cudaMalloc(&place, sizeof(float)));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasSasum(handle, n, x.device, 1, place));
    OK(cublasSaxpy(handle, n, place, x.device, 1, y.device, 1));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    std::vector<float> want = y.host;
    for (int i = 0; i < n; ++i) want[i] += static_cast<float>(sum) * x.host[i];
    expect("axpy", y.download(), want, 1e-5);
    OK(cublasSswap(handle, n / 2, x.device, 2, y.device, -2));
    OK(cublasSswap(handle, n / 2, y.device, -2, x.device, 2));
    const float half = 0.5f;
    OK(cublasSscal(handle, n, &half, y.device, 1));
    for (float& w : want) w *= half;
    expect("swap and scal", y.download(), want, 1e-5);
    const float cosine = 0.6f, sine = 0.8f;
    std::vector<float> turned = x.host;
    for (int i = 0; i < n; ++i) turned[i] = cosine * x.host[i] + sine * want[i];
    OK(cublasSrot(handle, n, x.device, 1, y.device, 1, &cosine, &sine));
    expect("rot", x.download(), turned, 1e-5);
    cudaFree(place);
}

static void test_batches() {
    const int n = 20, batch = 5;
    Array<double> a(n * n * batch), b(n * batch), inverse(n * n * batch);
    double **la = nullptr, **lb = nullptr, **li = nullptr;
    int *pivots = nullptr, *info = nullptr, host_info = -1;
    OK(cudaMallocManaged(&la, batch * sizeof(double*)));
    OK(cudaMallocManaged(&lb, batch * sizeof(double*)));
    OK(cudaMallocManaged(&li, batch * sizeof(double*)));
    OK(cudaMallocManaged(&info, batch * sizeof(int)));
    OK(cudaMalloc(&pivots, n * batch * sizeof(int)));
    for (int k = 0; k < batch; ++k)
        la[k] = a.device + k * n * n, lb[k] = b.device + k * n, li[k] = inverse.device + k * n * n;
    OK(cublasDgetrfBatched(handle, n, la, n, pivots, info, batch));
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < batch; ++k)
        if (info[k] != 0) std::printf("getrf: matrix %d is singular at %d\n", k, info[k]), ++failures;
    OK(cublasDgetriBatched(handle, n, la, n, pivots, li, n, info, batch));
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        b.upload();
        OK(cublasDgetrsBatched(handle, op, n, 1, la, n, pivots, lb, n, &host_info, batch));
        const std::vector<double> x = b.download();
        std::vector<double> product(b.host.size());
        for (int k = 0; k < batch; ++k)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    product[k * n + i] +=
                        a.host[k * n * n + (op == CUBLAS_OP_N ? i + j * n : j + i * n)] * x[k * n + j];
        expect("getrs", product, b.host, 1e-11);
    }
    const std::vector<double> inverted = inverse.download();
    std::vector<double> unit(inverted.size()), want(inverted.size());
    for (int k = 0; k < batch; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                want[k * n * n + i + j * n] = i == j;
                for (int l = 0; l < n; ++l)
                    unit[k * n * n + i + j * n] +=
                        a.host[k * n * n + i + l * n] * inverted[k * n * n + l + j * n];
            }
    expect("getri", unit, want, 1e-11);
    // C[k] = A[k] B with one B for all: a stride of zero.
    a.upload();
    const double one = 1, zero = 0;
    Array<double> c(n * batch), d(n * batch);
    OK(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, &one, a.device, n, n * n,
                                 b.device, n, 0, &zero, c.device, n, n, batch));
    for (int k = 0; k < batch; ++k) lb[k] = b.device, li[k] = d.device + k * n;
    OK(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, &one, la, n, lb, n, &zero, li, n,
                          batch));
    const std::vector<double> x = b.download();
    std::vector<double> product(n * batch);
    for (int k = 0; k < batch; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) product[k * n + i] += a.host[k * n * n + i + j * n] * x[j];
    expect("gemmStridedBatched", c.download(), product, 1e-12);
    expect("gemmBatched", d.download(), product, 1e-12);
}

/// Small integers are exact in every type, whatever the sums are kept in.
static void test_mixed() {
    const int m = 40, n = 36, k = 24;
    std::vector<int> a(m * k), b(k * n), want(m * n);
    for (int& v : a) v = static_cast<int>(random_value() * 8);
    for (int& v : b) v = static_cast<int>(random_value() * 8);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            for (int l = 0; l < k; ++l) want[i + j * m] += a[i + l * m] * b[l + j * k];
    __half *ha, *hb, *hc;
    signed char *ia, *ib;
    float* fc;
    int* ic;
    OK(cudaMallocManaged(&ha, m * k * 2));
    OK(cudaMallocManaged(&hb, k * n * 2));
    OK(cudaMallocManaged(&hc, m * n * 2));
    OK(cudaMallocManaged(&ia, m * k));
    OK(cudaMallocManaged(&ib, k * n));
    OK(cudaMallocManaged(&fc, m * n * 4));
    OK(cudaMallocManaged(&ic, m * n * 4));
    for (int i = 0; i < m * k; ++i)
        ha[i] = __float2half(static_cast<float>(a[i])), ia[i] = static_cast<signed char>(a[i]);
    for (int i = 0; i < k * n; ++i)
        hb[i] = __float2half(static_cast<float>(b[i])), ib[i] = static_cast<signed char>(b[i]);
    const __half one = __float2half(1), zero = __float2half(0);
    const float f1 = 1, f0 = 0;
    const int i1 = 1, i0 = 0;
    const cublasOperation_t N = CUBLAS_OP_N;
    OK(cublasHgemm(handle, N, N, m, n, k, &one, ha, m, hb, k, &zero, hc, m));
    OK(cublasGemmEx(handle, N, N, m, n, k, &f1, ha, CUDA_R_16F, m, hb, CUDA_R_16F, k, &f0, fc, CUDA_R_32F, m,
                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    OK(cublasGemmEx(handle, N, N, m, n, k, &i1, ia, CUDA_R_8I, m, ib, CUDA_R_8I, k, &i0, ic, CUDA_R_32I, m,
                    CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < m * n; ++i)
        if (__half2float(hc[i]) != want[i] || fc[i] != want[i] || ic[i] != want[i]) {
            std::printf("mixed: element %d is %g, %g and %d, not %d\n", i, __half2float(hc[i]), fc[i], ic[i],
                        want[i]);
            ++failures;
            break;
        }
    if (cublasGemmEx(handle, N, N, m, n, k, &f1, ha, CUDA_R_16F, m, ib, CUDA_R_8I, k, &f0, fc, CUDA_R_32F, m,
                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_NOT_SUPPORTED)
        std::printf("mixed factors are taken\n"), ++failures;
    if (cublasSgemm(handle, N, N, m, n, k, &f1, fc, m - 1, fc, k, &f0, fc, m) != CUBLAS_STATUS_INVALID_VALUE)
        std::printf("a leading dimension that is too small is taken\n"), ++failures;
}

/// Matrices on the host.
static void test_xt() {
    const size_t m = 20, n = 30, k = 25;
    std::vector<float> a(k * m), b(k * n), c((m + 1) * n, 1), want = c;
    for (float& v : a) randomise(v);
    for (float& v : b) randomise(v);
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < m; ++i) {
            float sum = 0;
            for (size_t l = 0; l < k; ++l) sum += a[l + i * k] * b[l + j * k];
            want[i + j * (m + 1)] = 2 * sum + 3;
        }
    cublasXtHandle_t xt;
    int device = 0;
    const float two = 2, three = 3;
    OK(cublasXtCreate(&xt));
    OK(cublasXtDeviceSelect(xt, 1, &device));
    OK(cublasXtSgemm(xt, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &two, a.data(), k, b.data(), k, &three, c.data(),
                     m + 1));
    OK(cublasXtDestroy(xt));
    expect("cublasXt", c, want, 1e-5);
}

int main() {
    OK(cublasCreate(&handle));
    test_gemm<float>(cublasSgemm, 33, 31, 18, 3);
    test_gemm<float>(cublasSgemm, 130, 129, 17, 0);
    test_gemm<double>(cublasDgemm, 65, 33, 20, 1);
    test_gemm<cuComplex>(cublasCgemm, 34, 20, 17, 2);
    test_gemm<cuDoubleComplex>(cublasZgemm, 17, 35, 9, 0);
    test_large_tiles<float>(cublasSgemmStridedBatched, 130, 129, 17);
    test_large_tiles<double>(cublasDgemmStridedBatched, 65, 65, 9);
    test_vectors<double>(cublasDgemv, cublasDtrmv, cublasDtrsv);
    test_vectors<cuComplex>(cublasCgemv, cublasCtrmv, cublasCtrsv);
    test_triangles<float>(cublasStrmm, cublasStrsm, 70, 40);
    test_triangles<cuDoubleComplex>(cublasZtrmm, cublasZtrsm, 33, 35);
    test_rank_updates();
    test_symmetric<float>(false, cublasSger, cublasSsyr, cublasSsyr2, cublasSsymv);
    test_symmetric<double>(false, cublasDger, cublasDsyr, cublasDsyr2, cublasDsymv);
    test_symmetric<cuComplex>(false, cublasCgeru, cublasCsyr, cublasCsyr2, cublasCsymv);
    test_symmetric<cuComplex>(true, cublasCgerc, cublasCher, cublasCher2, cublasChemv);
    test_symmetric<cuDoubleComplex>(false, cublasZgeru, cublasZsyr, cublasZsyr2, cublasZsymv);
    test_symmetric<cuDoubleComplex>(true, cublasZgerc, cublasZher, cublasZher2, cublasZhemv);
    test_whole_matrices<double>(cublasDgeam, cublasDdgmm, cublasDmatinvBatched);
    test_whole_matrices<cuComplex>(cublasCgeam, cublasCdgmm, cublasCmatinvBatched);
    test_modified_rotation<float>(cublasSrotm);
    test_modified_rotation<double>(cublasDrotm);
    test_level1();
    test_batches();
    test_mixed();
    test_xt();
    OK(cublasDestroy(handle));
    return finished("cublas");
}
