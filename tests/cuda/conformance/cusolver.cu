// cuSOLVER's LU and Cholesky against products on the host: every triangle, transposition and type, sizes on both sides of a
// panel's edge. Prints what differs, and "cusolver done" if nothing does.

#include <cmath>
#include <cusolverDn.h>
#include <vector>

#include "matrix.h"

static cusolverDnHandle_t handle;
static int* info;

template <typename T>
static void expect(const char* what, int n, double worst) {
    report(what, worst, (is_single<T> ? 2e-5 : 2e-13) * (1 + n), n, n);
}

/// |A - P^T L U|, what is beyond the matrix, and op(A) X = B.
template <typename D, typename Size, typename Factor, typename Solve>
static void test_lu(Size size, Factor factor, Solve solve, int m, int n, int extra, bool exchange) {
    using T = typename Host<D>::Type;
    Matrix<D> a(m, n, extra);
    // Without exchanges the diagonal has to be good as it is.
    if (!exchange)
        for (int i = 0; i < m && i < n; ++i) a.at(i, i) += T(static_cast<float>(n));
    const std::vector<T> before = a.values();
    int elements = 0;
    OK(size(handle, m, n, a.device, a.ld, &elements));
    D* workspace = nullptr;
    int* const pivots = managed<int>(static_cast<size_t>(m + n));
    OK(cudaMalloc(&workspace, static_cast<size_t>(elements) * sizeof(D)));
    OK(factor(handle, m, n, a.device, a.ld, workspace, exchange ? pivots : nullptr, info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0);
    const int shorter = m < n ? m : n;
    std::vector<int> order(static_cast<size_t>(m));
    for (int i = 0; i < m; ++i) order[static_cast<size_t>(i)] = i;
    if (exchange)
        for (int k = 0; k < shorter; ++k) {
            EXPECT(pivots[k] > k && pivots[k] <= m);
            std::swap(order[static_cast<size_t>(k)], order[static_cast<size_t>(pivots[k] - 1)]);
        }
    double worst = 0, largest = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            T v(0);
            for (int k = 0; k <= i && k <= j && k < shorter; ++k)
                v += (k == i ? T(1) : a.at(i, k)) * a.at(k, j);
            worst = larger(worst, std::abs(v - before[static_cast<size_t>(order[static_cast<size_t>(i)]) +
                                                      static_cast<size_t>(j) * a.ld]));
            if (i > j && j < shorter) largest = std::fmax(largest, std::abs(a.at(i, j)));
        }
    expect<T>("getrf", n, worst);
    EXPECT(!exchange || largest < 1.5);
    for (int j = 0; j < n; ++j)
        for (int i = m; i < a.ld; ++i)
            EXPECT(a.at(i, j) == before[static_cast<size_t>(i) + static_cast<size_t>(j) * a.ld]);
    if (m == n)
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
            Matrix<D> b(n, 3, 2);
            const std::vector<T> right = b.values();
            OK(solve(handle, op, n, 3, a.device, a.ld, exchange ? pivots : nullptr, b.device, b.ld, info));
            OK(cudaDeviceSynchronize());
            double off = 0, size_of_x = 1;
            for (int c = 0; c < 3; ++c)
                for (int i = 0; i < n; ++i) {
                    T v(0);
                    for (int j = 0; j < n; ++j) {
                        const T e = op == CUBLAS_OP_N ? before[i + static_cast<size_t>(j) * a.ld]
                                                      : before[j + static_cast<size_t>(i) * a.ld];
                        v += (op == CUBLAS_OP_C ? conjugate(e) : e) * b.at(j, c);
                        size_of_x = std::fmax(size_of_x, std::abs(b.at(j, c)));
                    }
                    off = larger(off, std::abs(v - right[i + static_cast<size_t>(c) * b.ld]));
                }
            expect<T>("getrs", n, off / size_of_x);
        }
    cudaFree(workspace);
    cudaFree(pivots);
}

template <typename D, typename Size, typename Factor, typename Solve>
static void test_cholesky(Size size, Factor factor, Solve solve, int n, int extra) {
    using T = typename Host<D>::Type;
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        const bool lower = fill == CUBLAS_FILL_MODE_LOWER;
        Matrix<D> a(n, n, extra);
        std::vector<T> whole(static_cast<size_t>(n) * n);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (lower ? i >= j : i <= j) {
                    if (i == j) a.at(i, i) = T(static_cast<float>(n) / 2 + 1);
                    whole[i + static_cast<size_t>(j) * n] = a.at(i, j);
                    whole[j + static_cast<size_t>(i) * n] = conjugate(a.at(i, j));
                }
        const std::vector<T> before = a.values();
        int elements = 0;
        OK(size(handle, fill, n, a.device, a.ld, &elements));
        D* workspace = nullptr;
        OK(cudaMalloc(&workspace, static_cast<size_t>(elements) * sizeof(D)));
        OK(factor(handle, fill, n, a.device, a.ld, workspace, elements, info));
        OK(cudaDeviceSynchronize());
        EXPECT(*info == 0);
        double worst = 0;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                if (lower ? i < j : i > j) {
                    EXPECT(a.at(i, j) == before[i + static_cast<size_t>(j) * a.ld]);
                    continue;
                }
                T v(0);
                for (int k = 0; k <= i && k <= j; ++k)
                    v += lower ? a.at(i, k) * conjugate(a.at(j, k)) : conjugate(a.at(k, i)) * a.at(k, j);
                worst = larger(worst, std::abs(v - whole[i + static_cast<size_t>(j) * n]));
            }
        expect<T>("potrf", n, worst);
        Matrix<D> b(n, 5, 1);
        const std::vector<T> right = b.values();
        OK(solve(handle, fill, n, 5, a.device, a.ld, b.device, b.ld, info));
        OK(cudaDeviceSynchronize());
        double off = 0;
        for (int c = 0; c < 5; ++c)
            for (int i = 0; i < n; ++i) {
                T v(0);
                for (int j = 0; j < n; ++j) v += whole[i + static_cast<size_t>(j) * n] * b.at(j, c);
                off = larger(off, std::abs(v - right[i + static_cast<size_t>(c) * b.ld]));
            }
        expect<T>("potrs", n, off);
        // The first leading minor that is not positive is named.
        if (n > 2) {
            for (size_t i = 0; i < before.size(); ++i) a.host[i] = before[i];
            a.at(n - 2, n - 2) = T(-1);
            OK(factor(handle, fill, n, a.device, a.ld, workspace, elements, info));
            OK(cudaDeviceSynchronize());
            EXPECT(*info == n - 1);
        }
        cudaFree(workspace);
    }
}

#define TEST_ALL(L, D)                                                                                    \
    for (bool exchange : {true, false})                                                                   \
        for (int n : {1, 31, 32, 33, 100})                                                                \
            test_lu<D>(cusolverDn##L##getrf_bufferSize, cusolverDn##L##getrf, cusolverDn##L##getrs, n, n, \
                       n % 3, exchange);                                                                  \
    test_lu<D>(cusolverDn##L##getrf_bufferSize, cusolverDn##L##getrf, cusolverDn##L##getrs, 90, 41, 2,    \
               true);                                                                                     \
    test_lu<D>(cusolverDn##L##getrf_bufferSize, cusolverDn##L##getrf, cusolverDn##L##getrs, 40, 77, 0,    \
               true);                                                                                     \
    for (int n : {1, 32, 33, 95})                                                                         \
        test_cholesky<D>(cusolverDn##L##potrf_bufferSize, cusolverDn##L##potrf, cusolverDn##L##potrs, n,  \
                         n % 4);

int main() {
    info = managed<int>(1);
    OK(cusolverDnCreate(&handle));
    TEST_ALL(S, float)
    TEST_ALL(D, double)
    TEST_ALL(C, cuComplex)
    TEST_ALL(Z, cuDoubleComplex)
    // A matrix without an inverse.
    Matrix<double> a(3, 3, 0);
    for (int i = 0; i < 9; ++i) a.host[i] = i / 3 + 1;
    int* pivots = nullptr;
    OK(cudaMalloc(&pivots, 3 * sizeof(int)));
    OK(cusolverDnDgetrf(handle, 3, 3, a.device, 3, nullptr, pivots, info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 2);
    EXPECT(cusolverDnDgetrf(handle, 3, 3, a.device, 2, nullptr, pivots, info) ==
           CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(cusolverDnDgetrf(nullptr, 3, 3, a.device, 3, nullptr, pivots, info) ==
           CUSOLVER_STATUS_NOT_INITIALIZED);
    OK(cusolverDnDestroy(handle));
    return finished("cusolver");
}
