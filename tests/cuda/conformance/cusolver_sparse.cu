// cuSOLVER's sparse systems against products on the host: solutions, orders, permutations, factors that are kept and factors of
// other values. Prints what differs, and "cusolver_sparse done" if nothing does.

#include <algorithm>
#include <cmath>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <vector>

#include "library.h"

#if !defined(CUSOLVER_COMMON_H_)
#error "programs ask by this name whether cuSOLVER's statuses are declared"
#endif

static cusolverSpHandle_t handle;
static cusparseMatDescr_t plain;

template <typename T>
struct Csr {
    int n = 0, base = 0;
    std::vector<int> rows, columns;
    std::vector<T> values;
    int nnz() const { return static_cast<int>(columns.size()); }
    std::vector<T> times(const std::vector<T>& x) const {
        std::vector<T> y(static_cast<size_t>(n));
        for (int i = 0; i < n; ++i)
            for (int k = rows[i] - base; k < rows[i + 1] - base; ++k) y[i] += values[k] * x[columns[k] - base];
        return y;
    }
    T at(int i, int j) const {
        for (int k = rows[i] - base; k < rows[i + 1] - base; ++k)
            if (columns[k] - base == j) return values[k];
        return 0;
    }
};

/// A grid's five points; not symmetric with a slope, and with zeros on the diagonal where it swaps neighbours.
template <typename T>
static Csr<T> grid(int side, T slope, bool swapped, int base) {
    Csr<T> a;
    a.n = side * side;
    a.base = base;
    a.rows.push_back(base);
    for (int r = 0; r < a.n; ++r) {
        const int i = swapped && (r ^ 1) < a.n ? r ^ 1 : r, y = i / side, x = i % side;
        const auto add = [&](int yy, int xx, T v) {
            if (yy < 0 || yy >= side || xx < 0 || xx >= side) return;
            a.columns.push_back(yy * side + xx + base);
            a.values.push_back(v);
        };
        add(y - 1, x, -1 - slope);
        add(y, x - 1, -1 + slope);
        if (!swapped || (y + x) % 2 == 0) add(y, x, T(4.5));
        add(y, x + 1, -1 - 2 * slope);
        add(y + 1, x, -1);
        a.rows.push_back(static_cast<int>(a.columns.size()) + base);
    }
    return a;
}
template <typename T>
static std::vector<T> numbers(int n) {
    std::vector<T> x;
    for (int i = 0; i < n; ++i) x.push_back(T(1) + T(i % 7) / 3);
    return x;
}
template <typename T>
static double apart(const std::vector<T>& a, const T* b) {
    double worst = 0;
    for (size_t i = 0; i < a.size(); ++i) worst = larger(worst, std::abs(a[i] - b[i]));
    return worst;
}
template <typename T>
static T* on_device(const std::vector<T>& from) {
    T* p = nullptr;
    OK(cudaMalloc(&p, from.size() * sizeof(T)));
    OK(cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}
template <typename T>
static std::vector<T> from_device(const T* from, int n) {
    std::vector<T> to(static_cast<size_t>(n));
    OK(cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

template <typename T, typename Host, typename Device>
static void test_once(const char* what, const Csr<T>& a, Host host, Device device, double tolerance) {
    OK(cusparseSetMatIndexBase(plain, a.base == 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
    const std::vector<T> x = numbers<T>(a.n), b = a.times(x);
    int *rows = on_device(a.rows), *columns = on_device(a.columns);
    T *values = on_device(a.values), *right = on_device(b), *out = on_device(b);
    for (int reorder = 0; reorder < 4; ++reorder) {
        std::vector<T> got(x.size());
        int singular = -7;
        OK(host(handle, a.n, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(), b.data(), T(1e-6),
                reorder, got.data(), &singular));
        EXPECT(singular == -1);
        report(what, apart(x, got.data()), tolerance);
        singular = -7;
        OK(device(handle, a.n, a.nnz(), plain, values, rows, columns, right, T(1e-6), reorder, out, &singular));
        EXPECT(singular == -1);
        report(what, apart(x, from_device(out, a.n).data()), tolerance);
    }
    OK(cudaFree(rows));
    OK(cudaFree(columns));
    OK(cudaFree(values));
    OK(cudaFree(right));
    OK(cudaFree(out));
}

static bool is_order(std::vector<int> p) {
    std::sort(p.begin(), p.end());
    for (size_t k = 0; k < p.size(); ++k)
        if (p[k] != static_cast<int>(k)) return false;
    return true;
}

static void test_orders() {
    const Csr<double> a = grid<double>(9, 0.25, false, 1);
    OK(cusparseSetMatIndexBase(plain, CUSPARSE_INDEX_BASE_ONE));
    std::vector<int> p(81), q(81);
    int symmetric = 7;
    OK(cusolverSpXcsrissymHost(handle, 81, a.nnz(), plain, a.rows.data(), a.rows.data() + 1, a.columns.data(),
                               &symmetric));
    EXPECT(symmetric == 1);
    OK(cusolverSpXcsrsymmdqHost(handle, 81, a.nnz(), plain, a.rows.data(), a.columns.data(), q.data()));
    EXPECT(is_order(q));
    OK(cusolverSpXcsrmetisndHost(handle, 81, a.nnz(), plain, a.rows.data(), a.columns.data(), nullptr, q.data()));
    EXPECT(is_order(q));
    OK(cusolverSpXcsrsymamdHost(handle, 81, a.nnz(), plain, a.rows.data(), a.columns.data(), q.data()));
    EXPECT(is_order(q));
    OK(cusolverSpXcsrsymrcmHost(handle, 81, a.nnz(), plain, a.rows.data(), a.columns.data(), p.data()));
    EXPECT(is_order(p));

    Csr<double> c = a;
    std::vector<int> map;
    for (int k = 0; k < a.nnz(); ++k) map.push_back(k);
    size_t bytes = 0;
    OK(cusolverSpXcsrperm_bufferSizeHost(handle, 81, 81, a.nnz(), plain, a.rows.data(), a.columns.data(), p.data(),
                                         q.data(), &bytes));
    std::vector<char> buffer(bytes);
    OK(cusolverSpXcsrpermHost(handle, 81, 81, a.nnz(), plain, c.rows.data(), c.columns.data(), p.data(), q.data(),
                              map.data(), buffer.data()));
    for (int k = 0; k < a.nnz(); ++k) c.values[k] = a.values[map[k]];
    double worst = 0;
    for (int i = 0; i < 81; ++i) {
        for (int j = 0; j < 81; ++j) worst = larger(worst, std::abs(c.at(i, j) - a.at(p[i], q[j])));
        for (int k = c.rows[i]; k < c.rows[i + 1] - 1; ++k) EXPECT(c.columns[k - 1] < c.columns[k]);
    }
    report("A(p, q)", worst, 0);
    // A narrow order: on a grid whose vertices are numbered at random nothing is further from the diagonal than two sides.
    Csr<double> narrow = a;
    for (int k = 0; k < a.nnz(); ++k) map[k] = k;
    OK(cusolverSpXcsrpermHost(handle, 81, 81, a.nnz(), plain, narrow.rows.data(), narrow.columns.data(), q.data(),
                              q.data(), map.data(), buffer.data()));
    OK(cusolverSpXcsrsymrcmHost(handle, 81, a.nnz(), plain, narrow.rows.data(), narrow.columns.data(), p.data()));
    OK(cusolverSpXcsrpermHost(handle, 81, 81, a.nnz(), plain, narrow.rows.data(), narrow.columns.data(), p.data(),
                              p.data(), map.data(), buffer.data()));
    int band = 0;
    for (int i = 0; i < 81; ++i)
        for (int k = narrow.rows[i] - 1; k < narrow.rows[i + 1] - 1; ++k)
            band = std::max(band, std::abs(narrow.columns[k] - 1 - i));
    EXPECT(band <= 18);
}

static void test_singular() {
    Csr<double> a = grid<double>(6, 0, false, 0);
    OK(cusparseSetMatIndexBase(plain, CUSPARSE_INDEX_BASE_ZERO));
    const std::vector<double> b = numbers<double>(36);
    std::vector<double> x(36);
    int singular = -7;
    for (int k = a.rows[35]; k < a.rows[36]; ++k) a.values[k] = 0;  // the last row
    OK(cusolverSpDcsrlsvluHost(handle, 36, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(), b.data(),
                               1e-12, 0, x.data(), &singular));
    EXPECT(singular == 35);
    OK(cusolverSpDcsrlsvqrHost(handle, 36, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(), b.data(),
                               1e-12, 0, x.data(), &singular));
    EXPECT(singular == 35);
    OK(cusolverSpDcsrlsvcholHost(handle, 36, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(),
                                 b.data(), 1e-12, 0, x.data(), &singular));
    EXPECT(singular == 35);
    EXPECT(cusolverSpDcsrlsvqrHost(nullptr, 36, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(),
                                   b.data(), 1e-12, 0, x.data(), &singular) == CUSOLVER_STATUS_NOT_INITIALIZED);
    EXPECT(cusolverSpDcsrlsvqrHost(handle, -1, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(),
                                   b.data(), 1e-12, 0, x.data(), &singular) == CUSOLVER_STATUS_INVALID_VALUE);
}

static void test_kept_cholesky() {
    const Csr<float> a = grid<float>(8, 0, false, 0);
    OK(cusparseSetMatIndexBase(plain, CUSPARSE_INDEX_BASE_ZERO));
    const std::vector<float> x = numbers<float>(64), b = a.times(x);
    int *rows = on_device(a.rows), *columns = on_device(a.columns), position = 7;
    float *values = on_device(a.values), *right = on_device(b), *out = on_device(b);
    csrcholInfo_t info;
    size_t internal = 0, workspace = 0;
    OK(cusolverSpCreateCsrcholInfo(&info));
    OK(cusolverSpXcsrcholAnalysis(handle, 64, a.nnz(), plain, rows, columns, info));
    OK(cusolverSpScsrcholBufferInfo(handle, 64, a.nnz(), plain, values, rows, columns, info, &internal, &workspace));
    EXPECT(workspace > 0);
    EXPECT(cusolverSpScsrcholSolve(handle, 64, right, out, info, nullptr) == CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverSpScsrcholFactor(handle, 64, a.nnz(), plain, values, rows, columns, info, nullptr));
    OK(cusolverSpScsrcholZeroPivot(handle, info, 1e-6F, &position));
    EXPECT(position == -1);
    OK(cusolverSpScsrcholZeroPivot(handle, info, 100.F, &position));
    EXPECT(position == 0);
    OK(cusolverSpScsrcholSolve(handle, 64, right, out, info, nullptr));
    report("kept Cholesky", apart(x, from_device(out, 64).data()), 1e-5);
    OK(cusolverSpDestroyCsrcholInfo(info));
    OK(cudaFree(rows));
    OK(cudaFree(columns));
    OK(cudaFree(values));
    OK(cudaFree(right));
    OK(cudaFree(out));
}

static void test_kept_qr() {
    const Csr<double> a = grid<double>(7, 0.3, true, 1);
    OK(cusparseSetMatIndexBase(plain, CUSPARSE_INDEX_BASE_ONE));
    const double mu = 0.125;
    const std::vector<double> x = numbers<double>(49);
    std::vector<double> b = a.times(x), got(49);
    for (int i = 0; i < 49; ++i) b[i] -= mu * x[i];
    csrqrInfoHost_t info;
    int position = 7;
    OK(cusolverSpCreateCsrqrInfoHost(&info));
    OK(cusolverSpXcsrqrAnalysisHost(handle, 49, 49, a.nnz(), plain, a.rows.data(), a.columns.data(), info));
    OK(cusolverSpDcsrqrSetupHost(handle, 49, 49, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(), mu,
                                 info));
    OK(cusolverSpDcsrqrFactorHost(handle, 49, 49, a.nnz(), nullptr, nullptr, info, nullptr));
    OK(cusolverSpDcsrqrZeroPivotHost(handle, info, 1e-12, &position));
    EXPECT(position == -1);
    OK(cusolverSpDcsrqrSolveHost(handle, 49, 49, b.data(), got.data(), info, nullptr));
    report("kept QR", apart(x, got.data()), 1e-9);
    OK(cusolverSpDestroyCsrqrInfoHost(info));

    // Least squares: the columns of this are orthogonal, so each x is a product with one of them.
    const std::vector<int> rows{0, 1, 3, 4}, columns{0, 0, 1, 1};
    const std::vector<double> values{2, 0, 3, 4};
    std::vector<double> right{6, 5, 10}, two(2);
    OK(cusparseSetMatIndexBase(plain, CUSPARSE_INDEX_BASE_ZERO));
    OK(cusolverSpCreateCsrqrInfoHost(&info));
    OK(cusolverSpDcsrqrSetupHost(handle, 3, 2, 4, plain, values.data(), rows.data(), columns.data(), 0, info));
    OK(cusolverSpDcsrqrFactorHost(handle, 3, 2, 4, right.data(), two.data(), info, nullptr));
    report("least squares", larger(std::abs(two[0] - 3), std::abs(two[1] - (3 * 5 + 4 * 10) / 25.)), 1e-14);
    OK(cusolverSpDestroyCsrqrInfoHost(info));
}

static void test_refactorisation() {
    Csr<double> a = grid<double>(7, 0.3, true, 0);
    OK(cusparseSetMatIndexBase(plain, CUSPARSE_INDEX_BASE_ZERO));
    const int n = 49;
    const std::vector<double> x = numbers<double>(n), b = a.times(x);
    std::vector<double> got(n);
    csrluInfoHost_t info;
    OK(cusolverSpCreateCsrluInfoHost(&info));
    OK(cusolverSpXcsrluAnalysisHost(handle, n, a.nnz(), plain, a.rows.data(), a.columns.data(), info));
    OK(cusolverSpDcsrluFactorHost(handle, n, a.nnz(), plain, a.values.data(), a.rows.data(), a.columns.data(), info,
                                  1., nullptr));
    OK(cusolverSpDcsrluSolveHost(handle, n, b.data(), got.data(), info, nullptr));
    report("kept LU", apart(x, got.data()), 1e-11);
    int nnz_l = 0, nnz_u = 0;
    OK(cusolverSpXcsrluNnzHost(handle, &nnz_l, &nnz_u, info));
    Csr<double> l, u;
    for (Csr<double>* t : {&l, &u}) {
        t->n = n;
        t->rows.resize(n + 1);
        t->columns.resize(t == &l ? nnz_l : nnz_u);
        t->values.resize(t->columns.size());
    }
    std::vector<int> p(n), q(n);
    OK(cusolverSpDcsrluExtractHost(handle, p.data(), q.data(), plain, l.values.data(), l.rows.data(),
                                   l.columns.data(), plain, u.values.data(), u.rows.data(), u.columns.data(), info,
                                   nullptr));
    EXPECT(l.rows[n] == nnz_l && u.rows[n] == nnz_u && is_order(p) && is_order(q));
    double worst = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double v = u.at(i, j);
            for (int k = 0; k < i; ++k) v += l.at(i, k) * u.at(k, j);
            worst = larger(worst, std::abs(v - a.at(p[i], q[j])));
        }
    report("P A Q^T - L U", worst, 1e-12);
    OK(cusolverSpDestroyCsrluInfoHost(info));

    cusolverRfHandle_t again;
    OK(cusolverRfCreate(&again));
    EXPECT(cusolverRfSetMatrixFormat(again, CUSOLVERRF_MATRIX_FORMAT_CSC, CUSOLVERRF_UNIT_DIAGONAL_STORED_L) ==
           CUSOLVER_STATUS_NOT_SUPPORTED);
    OK(cusolverRfSetMatrixFormat(again, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
    OK(cusolverRfSetNumericProperties(again, 0, 0));
    OK(cusolverRfSetupHost(n, a.nnz(), a.rows.data(), a.columns.data(), a.values.data(), nnz_l, l.rows.data(),
                           l.columns.data(), l.values.data(), nnz_u, u.rows.data(), u.columns.data(), u.values.data(),
                           p.data(), q.data(), again));
    OK(cusolverRfAnalyze(again));
    EXPECT(cusolverRfSolve(again, p.data(), q.data(), 1, nullptr, n, got.data(), n) == CUSOLVER_STATUS_INVALID_VALUE);
    int *rows = on_device(a.rows), *columns = on_device(a.columns), *dp = on_device(p), *dq = on_device(q);
    for (int round = 0; round < 2; ++round) {
        for (size_t k = 0; k < a.values.size(); ++k) a.values[k] *= 1 + 0.01 * (static_cast<double>(k % 5) - 2);
        double* const values = on_device(a.values);
        OK(cusolverRfResetValues(n, a.nnz(), rows, columns, values, dp, dq, again));
        OK(cusolverRfRefactor(again));
        std::vector<double> sides = a.times(x);
        const std::vector<double> one = sides;
        sides.push_back(-1);
        sides.insert(sides.end(), one.begin(), one.end());
        for (int i = 0; i < n; ++i) sides[n + 1 + i] *= 2;
        double* const out = on_device(sides);
        OK(cusolverRfSolve(again, dp, dq, 2, nullptr, n, out, n + 1));
        const std::vector<double> found = from_device(out, 2 * n + 1);
        report("other values", apart(x, found.data()), 1e-10);
        EXPECT(found[n] == -1);
        for (int i = 0; i < n; ++i) report("second side", std::abs(found[n + 1 + i] - 2 * x[i]), 1e-10);
        OK(cudaFree(values));
    OK(cudaFree(out));
    }
    std::fill(a.values.begin(), a.values.end(), 0);
    OK(cusolverRfResetValues(n, a.nnz(), a.rows.data(), a.columns.data(), a.values.data(), p.data(), q.data(), again));
    EXPECT(cusolverRfRefactor(again) == CUSOLVER_STATUS_ZERO_PIVOT);
    OK(cudaFree(rows));
    OK(cudaFree(columns));
    OK(cudaFree(dp));
    OK(cudaFree(dq));
    OK(cusolverRfDestroy(again));
}

int main() {
    OK(cusolverSpCreate(&handle));
    OK(cusparseCreateMatDescr(&plain));
    for (int base = 0; base < 2; ++base) {
        test_once("LU", grid<double>(11, 0.3, true, base), cusolverSpDcsrlsvluHost, cusolverSpDcsrlsvqr, 1e-10);
        test_once("QR", grid<double>(11, 0.3, true, base), cusolverSpDcsrlsvqrHost, cusolverSpDcsrlsvqr, 1e-10);
        test_once("Cholesky", grid<double>(11, 0., false, base), cusolverSpDcsrlsvcholHost, cusolverSpDcsrlsvchol,
                  1e-12);
        test_once("LU of float", grid<float>(11, 0.25F, false, base), cusolverSpScsrlsvluHost, cusolverSpScsrlsvqr,
                  2e-5);
        test_once("Cholesky of float", grid<float>(11, 0.F, false, base), cusolverSpScsrlsvcholHost,
                  cusolverSpScsrlsvchol, 1e-5);
    }
    test_orders();
    test_singular();
    test_kept_cholesky();
    test_kept_qr();
    test_refactorisation();
    OK(cusparseDestroyMatDescr(plain));
    OK(cusolverSpDestroy(handle));
    return finished("cusolver_sparse");
}
