// cuSOLVER's singular values: A = U S V^H, U^H U = 1, V^H V = 1, descending, of every shape, of matrices that lack rank and whose
// values are known; in batches; Jacobi's eigenvalues; Cholesky in batches; nothing to do, very large and very small elements, NaN.
// Prints what differs, and "cusolver_svd done" if nothing does.

#include <algorithm>
#include <cmath>
#include <cusolverDn.h>

#include "matrix.h"

static cusolverDnHandle_t handle;
static int* info;

template <typename D>
struct Functions;
#define FUNCTIONS(L, D, Real_, eigen)                                     \
    template <>                                                           \
    struct Functions<D> {                                                 \
        using R = Real_;                                                  \
        static constexpr auto svd_size = cusolverDn##L##gesvd_bufferSize; \
        static constexpr auto svd = cusolverDn##L##gesvd;                 \
        static constexpr auto jacobi_size = cusolverDn##L##gesvdj_bufferSize; \
        static constexpr auto jacobi = cusolverDn##L##gesvdj;             \
        static constexpr auto batch_size = cusolverDn##L##gesvdjBatched_bufferSize; \
        static constexpr auto batch = cusolverDn##L##gesvdjBatched;       \
        static constexpr auto eigen_size = cusolverDn##L##eigen##_bufferSize; \
        static constexpr auto values = cusolverDn##L##eigen;              \
        static constexpr auto values_size = cusolverDn##L##eigen##Batched_bufferSize; \
        static constexpr auto values_batch = cusolverDn##L##eigen##Batched; \
        static constexpr auto potrf = cusolverDn##L##potrfBatched;        \
        static constexpr auto potrs = cusolverDn##L##potrsBatched;        \
    };
FUNCTIONS(S, float, float, syevj)
FUNCTIONS(D, double, double, syevj)
FUNCTIONS(C, cuComplex, float, heevj)
FUNCTIONS(Z, cuDoubleComplex, double, heevj)

/// In `info` before a call: each writes its own.
constexpr int kUnset = -77;

template <typename D>
double tolerance_of(int n) {
    return (sizeof(typename Functions<D>::R) == 4 ? 2e-6 : 4e-15) * (10 + n);
}

/// How far the first `k` columns of a matrix are from being orthogonal and of length 1. `at(i, j)` is an element.
template <class At>
double off_unit(int rows, int k, At at) {
    double worst = 0;
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j) {
            decltype(at(0, 0)) sum(0);
            for (int r = 0; r < rows; ++r) sum += conjugate(at(r, i)) * at(r, j);
            worst = larger(worst, std::abs(sum - decltype(sum)(i == j ? 1 : 0)));
        }
    return worst;
}

/// A - U S V^H, with elements of U and V as functions of row and column.
template <typename D, class Left, class Right>
double off_product(int m, int n, const std::vector<typename Host<D>::Type>& a, int lda,
                   const typename Functions<D>::R* s, Left u, Right v) {
    double worst = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            typename Host<D>::Type sum(0);
            for (int k = 0; k < std::min(m, n); ++k) sum += u(i, k) * s[k] * conjugate(v(j, k));
            worst = larger(worst, std::abs(sum - a[i + static_cast<size_t>(j) * lda]));
        }
    return worst;
}

template <typename R>
void expect_descending(const R* s, int n) {
    for (int k = 0; k < n; ++k) EXPECT(s[k] >= 0 && (k == 0 || s[k] <= s[k - 1]));
}

/// What kind of matrix: any; of rank 2; zero; with values n, n - 1, ... 1 as far as they are told.
enum Kind { any, low_rank, nothing, known };

template <typename D>
void fill(Matrix<D>& a, Kind kind) {
    using T = typename Host<D>::Type;
    if (kind == low_rank)
        for (int j = 0; j < a.columns; ++j)
            for (int i = 0; i < a.rows; ++i)
                a.at(i, j) = T(static_cast<float>((i + 1) * (j + 2) % 7) - 3) * T(0) +
                             T(static_cast<float>(i % 3 + 1)) * T(static_cast<float>(j % 2 + 1)) +
                             T(static_cast<float>(i % 2)) * T(static_cast<float>(j));
    if (kind == nothing || kind == known)
        for (int j = 0; j < a.columns; ++j)
            for (int i = 0; i < a.rows; ++i) a.at(i, j) = T(0);
    // A permutation of rows of a diagonal matrix.
    if (kind == known)
        for (int j = 0; j < std::min(a.rows, a.columns); ++j)
            a.at((j + 1) % std::min(a.rows, a.columns), j) = T(static_cast<float>((j * 5) % 11 + 1));
}

template <typename D>
void lapack_form(int m, int n, Kind kind) {
    using F = Functions<D>;
    const double tolerance = tolerance_of<D>(m) * (kind == any ? 1 : 20);
    for (const auto& jobs : {"AA", "SS", "OS", "SO", "AN", "NA", "NN"}) {
        const signed char job = jobs[0], job_vt = jobs[1];
        Matrix<D> a(m, n, 1), u(m, m, 2), vt(n, n, 1);
        fill(a, kind);
        const auto before = a.values();
        auto* const s = managed<typename F::R>(n);
        int elements = 0;
        OK(F::svd_size(handle, m, n, &elements));
        D* const work = managed<D>(elements);
        *info = kUnset;
        OK(F::svd(handle, job, job_vt, m, n, a.device, a.ld, s, u.device, u.ld, vt.device, vt.ld, work,
                  elements, nullptr, info));
        OK(cudaDeviceSynchronize());
        EXPECT(*info == 0);
        expect_descending(s, n);
        if (kind == low_rank && n > 2) report("a value beyond the rank", s[2] / s[0], tolerance);
        if (kind == known) {
            std::vector<double> want;
            for (int j = 0; j < n; ++j) want.push_back((j * 5) % 11 + 1);
            std::sort(want.rbegin(), want.rend());
            for (int j = 0; j < n; ++j) report("a known value", std::fabs(s[j] - want[j]), tolerance, m, n);
        }
        Matrix<D>&left = job == 'O' ? a : u, &right = job_vt == 'O' ? a : vt;
        const auto u_at = [&](int i, int j) { return left.at(i, j); };
        const auto v_at = [&](int i, int j) { return conjugate(right.at(j, i)); };
        if (job != 'N' && job_vt != 'N')
            report("A - U S V^H", off_product<D>(m, n, before, a.ld, s, u_at, v_at), tolerance, m, n);
        if (job != 'N') report("U^H U - 1", off_unit(m, job == 'A' ? m : n, u_at), tolerance, m, n);
        if (job_vt != 'N') report("V^H V - 1", off_unit(n, n, v_at), tolerance, m, n);
        cudaFree(s);
        cudaFree(work);
    }
}

template <typename D>
void jacobi_form(int m, int n, Kind kind) {
    using F = Functions<D>;
    const int low = std::min(m, n);
    const double tolerance = tolerance_of<D>(m + n) * (kind == any ? 1 : 20);
    gesvdjInfo_t params;
    OK(cusolverDnCreateGesvdjInfo(&params));
    for (const int economic : {0, 1}) {
        Matrix<D> a(m, n, 1), u(m, m, 1), v(n, n, 2);
        fill(a, kind);
        const auto before = a.values();
        auto *const s = managed<typename F::R>(low), *const alone = managed<typename F::R>(low);
        int elements = 0;
        OK(F::jacobi_size(handle, CUSOLVER_EIG_MODE_VECTOR, economic, m, n, a.device, a.ld, s, u.device,
                          u.ld, v.device, v.ld, &elements, params));
        D* const work = managed<D>(elements);
        OK(F::jacobi(handle, CUSOLVER_EIG_MODE_NOVECTOR, economic, m, n, a.device, a.ld, alone, u.device,
                     u.ld, v.device, v.ld, work, elements, info, params));
        OK(cudaDeviceSynchronize());
        *info = kUnset;
        OK(F::jacobi(handle, CUSOLVER_EIG_MODE_VECTOR, economic, m, n, a.device, a.ld, s, u.device, u.ld,
                     v.device, v.ld, work, elements, info, params));
        OK(cudaDeviceSynchronize());
        EXPECT(*info == 0);
        for (int k = 0; k < low; ++k) EXPECT(s[k] == alone[k]);
        expect_descending(s, low);
        const auto u_at = [&](int i, int j) { return u.at(i, j); };
        const auto v_at = [&](int i, int j) { return v.at(i, j); };
        report("Jacobi's A - U S V^H", off_product<D>(m, n, before, a.ld, s, u_at, v_at), tolerance, m, n);
        report("Jacobi's U^H U - 1", off_unit(m, economic != 0 ? low : m, u_at), tolerance, m, n);
        report("Jacobi's V^H V - 1", off_unit(n, economic != 0 ? low : n, v_at), tolerance, m, n);
        double residual = -1;
        int sweeps = 0;
        OK(cusolverDnXgesvdjGetResidual(handle, params, &residual));
        OK(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
        EXPECT(residual >= 0 && sweeps >= 1);
        report("the residual", residual, tolerance * 10, m, n);
        cudaFree(s);
        cudaFree(alone);
        cudaFree(work);
    }
    OK(cusolverDnDestroyGesvdjInfo(params));
}

template <typename D>
void batches(int m, int n, int count) {
    using F = Functions<D>;
    const int low = std::min(m, n);
    Matrix<D> a(m, n * count, 2), u(m, m * count, 1), v(n, n * count, 3);
    const auto before = a.values();
    auto* const s = managed<typename F::R>(static_cast<size_t>(low) * count);
    int* const all = managed<int>(count);
    gesvdjInfo_t params;
    OK(cusolverDnCreateGesvdjInfo(&params));
    OK(cusolverDnXgesvdjSetTolerance(params, sizeof(typename F::R) == 4 ? 1e-6 : 1e-14));
    OK(cusolverDnXgesvdjSetMaxSweeps(params, 30));
    OK(cusolverDnXgesvdjSetSortEig(params, 1));
    int elements = 0;
    OK(F::batch_size(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, a.device, a.ld, s, u.device, u.ld, v.device,
                     v.ld, &elements, params, count));
    D* const work = managed<D>(elements);
    const auto run = [&](cusolverEigMode_t mode, int matrices) {
        std::fill_n(all, count, kUnset);
        OK(F::batch(handle, mode, m, n, a.device, a.ld, s, u.device, u.ld, v.device, v.ld, work, elements,
                    all, params, matrices));
        OK(cudaDeviceSynchronize());
    };
    run(CUSOLVER_EIG_MODE_VECTOR, count);
    for (int b = 0; b < count; ++b) {
        EXPECT(all[b] == 0);
        const std::vector<typename Host<D>::Type> one(before.begin() + static_cast<long>(b) * a.ld * n,
                                                      before.begin() + static_cast<long>(b + 1) * a.ld * n);
        const auto u_at = [&](int i, int j) { return u.at(i, b * m + j); };
        const auto v_at = [&](int i, int j) { return v.at(i, b * n + j); };
        report("a batch's product", off_product<D>(m, n, one, a.ld, s + b * low, u_at, v_at),
               tolerance_of<D>(20), m, n);
        report("a batch's U", off_unit(m, m, u_at), tolerance_of<D>(20), m, n);
        report("a batch's V", off_unit(n, n, v_at), tolerance_of<D>(20), m, n);
        expect_descending(s + b * low, low);
    }
    // One sweep is too few.
    OK(cusolverDnXgesvdjSetMaxSweeps(params, 1));
    std::copy(before.begin(), before.end(), a.host);
    run(CUSOLVER_EIG_MODE_NOVECTOR, count);
    EXPECT(all[0] == low + 1 && all[count - 1] == low + 1);
    double residual = 0;
    int sweeps = 0;
    OK(cusolverDnXgesvdjGetResidual(handle, params, &residual));
    OK(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
    EXPECT(residual > 0.01 && sweeps == 1);
    // They are enough for one who asks for little.
    OK(cusolverDnXgesvdjSetTolerance(params, 0.999));
    std::copy(before.begin(), before.end(), a.host);
    run(CUSOLVER_EIG_MODE_NOVECTOR, count);
    EXPECT(all[0] == 0 && all[count - 1] == 0);
    run(CUSOLVER_EIG_MODE_VECTOR, 0);
    EXPECT(all[0] == kUnset);
    OK(cusolverDnDestroyGesvdjInfo(params));
    cudaFree(s);
    cudaFree(all);
    cudaFree(work);
}

/// Eigenvalues of Hermitian matrices, in a batch and alone.
template <typename D>
void eigenvalues(int n, int count) {
    using F = Functions<D>;
    using T = typename Host<D>::Type;
    Matrix<D> a(n, n * count, 2);
    for (int b = 0; b < count; ++b)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i <= j; ++i) {
                if (i == j) a.at(i, b * n + j) = T(std::real(a.at(i, b * n + j)));
                a.at(j, b * n + i) = conjugate(a.at(i, b * n + j));
            }
    const auto before = a.values();
    auto *const w = managed<typename F::R>(static_cast<size_t>(n) * count),
         *const alone = managed<typename F::R>(n);
    int *const all = managed<int>(count), elements = 0;
    syevjInfo_t params;
    OK(cusolverDnCreateSyevjInfo(&params));
    OK(F::values_size(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a.device, a.ld, w, &elements,
                      params, count));
    D* const work = managed<D>(elements);
    const auto run_alone = [&] {
        std::copy(before.begin(), before.end(), a.host);
        *info = kUnset;
        OK(F::values(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, a.device, a.ld, alone,
                     work, elements, info, params));
        OK(cudaDeviceSynchronize());
    };
    // One sweep is too few.
    OK(cusolverDnXsyevjSetMaxSweeps(params, 1));
    run_alone();
    EXPECT(*info == n + 1);
    OK(cusolverDnXsyevjSetMaxSweeps(params, 100));
    run_alone();
    EXPECT(*info == 0);
    std::copy(before.begin(), before.end(), a.host);
    std::fill_n(all, count, kUnset);
    OK(F::values_batch(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a.device, a.ld, w, work,
                       elements, all, params, count));
    double residual = -1;
    int sweeps = 0;
    OK(cusolverDnXsyevjGetResidual(handle, params, &residual));
    OK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
    EXPECT(sweeps >= 1);
    report("the eigenvalues' residual", residual, tolerance_of<D>(n) * 10, n, n);
    for (int b = 0; b < count; ++b) {
        EXPECT(all[b] == 0);
        double worst = 0;
        for (int j = 0; j < n; ++j) {
            if (b == 0) worst = larger(worst, std::fabs(static_cast<double>(w[j] - alone[j])));
            EXPECT(j == 0 || w[b * n + j] >= w[b * n + j - 1]);
            for (int i = 0; i < n; ++i) {
                T sum(0);
                for (int k = 0; k < n; ++k)
                    sum += before[i + static_cast<size_t>(b * n + k) * a.ld] * a.at(k, b * n + j);
                worst = larger(worst, std::abs(sum - w[b * n + j] * a.at(i, b * n + j)));
            }
        }
        report("A V - V W of a batch", worst, tolerance_of<D>(n), n, n);
        const auto v_at = [&](int i, int j) { return a.at(i, b * n + j); };
        report("V^H V - 1 of a batch", off_unit(n, n, v_at), tolerance_of<D>(n), n, n);
    }
    OK(cusolverDnDestroySyevjInfo(params));
    for (void* p : {static_cast<void*>(w), static_cast<void*>(alone), static_cast<void*>(all),
                    static_cast<void*>(work)})
        cudaFree(p);
}

template <typename D>
void cholesky(int n, int count) {
    using T = typename Host<D>::Type;
    for (cublasFillMode_t fill_mode : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        Matrix<D> a(n, n * count, 1), b(n, count, 0);
        for (int k = 0; k < count; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i <= j; ++i) {
                    T& v = a.at(i, k * n + j);
                    v = i == j ? T(std::real(v)) + T(static_cast<float>(n)) : v;
                    a.at(j, k * n + i) = conjugate(v);
                }
        const auto before = a.values(), sides = b.values();
        D **const matrices = managed<D*>(count), **const right = managed<D*>(count);
        for (int k = 0; k < count; ++k) {
            matrices[k] = a.device + static_cast<size_t>(k) * n * a.ld;
            right[k] = b.device + static_cast<size_t>(k) * n;
        }
        int* const all = managed<int>(count);
        std::fill_n(all, count, kUnset);
        *info = kUnset;
        OK(Functions<D>::potrf(handle, fill_mode, n, matrices, a.ld, all, count));
        OK(Functions<D>::potrs(handle, fill_mode, n, 1, matrices, a.ld, right, n, info, count));
        EXPECT(Functions<D>::potrs(handle, fill_mode, n, 2, matrices, a.ld, right, n, info, count) ==
               CUSOLVER_STATUS_INVALID_VALUE);
        OK(cudaDeviceSynchronize());
        EXPECT(*info == 0);
        double worst = 0;
        for (int k = 0; k < count; ++k) {
            EXPECT(all[k] == 0);
            for (int i = 0; i < n; ++i) {
                T sum(0);
                for (int j = 0; j < n; ++j)
                    sum += before[i + static_cast<size_t>(k * n + j) * a.ld] * b.at(j, k);
                worst = larger(worst, std::abs(sum - sides[i + static_cast<size_t>(k) * n]));
            }
        }
        report("Cholesky's batch", worst, tolerance_of<D>(n), n, n);
        // The second matrix is not positive from its third row on.
        if (n > 3) {
            std::copy(before.begin(), before.end(), a.host);
            a.at(2, n + 2) = T(-5);
            OK(Functions<D>::potrf(handle, fill_mode, n, matrices, a.ld, all, count));
            OK(cudaDeviceSynchronize());
            EXPECT(all[0] == 0 && all[1] == 3);
        }
        for (void* p : {static_cast<void*>(matrices), static_cast<void*>(right), static_cast<void*>(all)})
            cudaFree(p);
    }
}

/// The values of a matrix times a power of two are its values times that, even where squares overflow or vanish; a NaN gives NaN.
template <typename D>
void extremes() {
    using F = Functions<D>;
    using R = typename F::R;
    using T = typename Host<D>::Type;
    constexpr int n = 5;
    const R power = std::ldexp(R(1), sizeof(R) == 4 ? 80 : 600);
    Matrix<D> a(n, n, 0), square(n, n, 0);
    const auto before = a.values();
    int svd_elements = 0, elements = 0;
    R *const s = managed<R>(n), *const w = managed<R>(n);
    syevjInfo_t params;
    OK(cusolverDnCreateSyevjInfo(&params));
    OK(F::svd_size(handle, n, n, &svd_elements));
    OK(F::eigen_size(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, a.device, n, w, &elements,
                     params));
    D* const work = managed<D>(std::max(svd_elements, elements));
    const auto run = [&](R times, R first) {
        for (int e = 0; e < n * n; ++e) a.host[e] = square.host[e] = before[e] * T(times);
        if (first != 0) a.host[0] = square.host[0] = T(first);
        OK(F::svd(handle, 'N', 'N', n, n, a.device, n, s, nullptr, n, nullptr, n, work, svd_elements, nullptr,
                  info));
        OK(F::values(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, n, square.device, n, w, work,
                     elements, info, params));
        OK(cudaDeviceSynchronize());
    };
    run(1, 0);
    const std::vector<R> want_s(s, s + n), want_w(w, w + n);
    for (const R times : {power, 1 / power}) {
        run(times, 0);
        for (int k = 0; k < n; ++k) EXPECT(s[k] == want_s[k] * times && w[k] == want_w[k] * times);
    }
    for (const R first : {R(NAN), R(INFINITY)}) {
        run(1, first);
        for (int k = 0; k < n; ++k) EXPECT(s[k] != s[k] && w[k] != w[k]);
    }
    OK(cusolverDnDestroySyevjInfo(params));
    for (void* p : {static_cast<void*>(s), static_cast<void*>(w), static_cast<void*>(work)}) cudaFree(p);
}

/// Matrices without elements.
static void empty() {
    int elements = -1;
    gesvdjInfo_t params;
    OK(cusolverDnCreateGesvdjInfo(&params));
    OK(cusolverDnDgesvd_bufferSize(handle, 3, 0, &elements));
    double* const work = managed<double>(elements);
    *info = kUnset;
    OK(cusolverDnDgesvd(handle, 'N', 'N', 3, 0, work, 3, work, work, 3, work, 1, work, elements, nullptr,
                        info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0);
    *info = kUnset;
    OK(cusolverDnDgesvdj(handle, CUSOLVER_EIG_MODE_NOVECTOR, 0, 0, 3, work, 1, work, work, 1, work, 3, work,
                         elements, info, params));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0);
    OK(cusolverDnDestroyGesvdjInfo(params));
    cudaFree(work);
}

template <typename D>
void all_of() {
    const int shapes[][2] = {{1, 1}, {3, 2}, {5, 5}, {17, 6}};
    for (const auto& shape : shapes) {
        lapack_form<D>(shape[0], shape[1], any);
        jacobi_form<D>(shape[0], shape[1], any);
        jacobi_form<D>(shape[1], shape[0], any);
    }
    for (const Kind kind : {low_rank, nothing, known}) {
        lapack_form<D>(12, 9, kind);
        jacobi_form<D>(6, 10, kind);
    }
    batches<D>(8, 5, 3);
    batches<D>(4, 9, 2);
    eigenvalues<D>(9, 3);
    cholesky<D>(1, 2);
    cholesky<D>(13, 3);
    extremes<D>();
}

int main() {
    info = managed<int>(1);
    OK(cusolverDnCreate(&handle));
    all_of<float>();
    all_of<double>();
    all_of<cuComplex>();
    all_of<cuDoubleComplex>();
    jacobi_form<double>(40, 33, any);
    empty();
    int elements;
    EXPECT(cusolverDnDgesvd_bufferSize(handle, 3, 4, &elements) == CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverDnDestroy(handle));
    return finished("cusolver_svd");
}
