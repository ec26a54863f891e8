// cuSOLVER's QR against products on the host. Prints what differs, and "cusolver_qr done" if nothing does.

#include <cmath>
#include <cusolverDn.h>
#include <vector>

#include "matrix.h"

static cusolverDnHandle_t handle;
static int* info;

template <typename T>
static void expect(const char* what, int m, int n, double worst) {
    report(what, worst, (is_single<T> ? 2e-6 : 4e-15) * (10 + m), m, n);
}

/// A = Q R, Q^H Q = 1, and products with Q from both sides.
template <typename D, typename Size, typename Factor, typename FormSize, typename Form, typename TimesSize,
          typename Times>
static void test_qr(Size size, Factor factor, FormSize form_size, Form form, TimesSize times_size,
                    Times times, int m, int n, int extra) {
    using T = typename Host<D>::Type;
    const int k = m < n ? m : n;
    Matrix<D> a(m, n, extra), tau(k, 1, 0), q(m, k, 1);
    const std::vector<T> before = a.values();
    int elements = 0, more = 0;
    OK(size(handle, m, n, a.device, a.ld, &elements));
    OK(form_size(handle, m, k, k, a.device, a.ld, tau.device, &more));
    Matrix<D> work(elements > more ? elements : more, 1, 0);
    OK(factor(handle, m, n, a.device, a.ld, tau.device, work.device, work.rows, info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0);
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < m; ++i) q.at(i, j) = a.at(i, j);
    OK(form(handle, m, k, k, q.device, q.ld, tau.device, work.device, work.rows, info));
    OK(cudaDeviceSynchronize());
    double product = 0, unit = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            T v(0);
            for (int l = 0; l <= j && l < k; ++l) v += q.at(i, l) * a.at(l, j);
            product = larger(product, std::abs(v - before[i + static_cast<size_t>(j) * a.ld]));
        }
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < k; ++j) {
            T v(0);
            for (int l = 0; l < m; ++l) v += conjugate(q.at(l, i)) * q.at(l, j);
            unit = larger(unit, std::abs(v - T(i == j ? 1 : 0)));
        }
    expect<T>("A - QR", m, n, product);
    expect<T>("Q^H Q - 1", m, n, unit);
    if (m != k) return;
    // With m reflections Q is whole.
    const bool real = sizeof(T) == sizeof(decltype(std::abs(T())));
    for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
        for (cublasOperation_t op : {CUBLAS_OP_N, real ? CUBLAS_OP_T : CUBLAS_OP_C}) {
            const bool left = side == CUBLAS_SIDE_LEFT, plain = op == CUBLAS_OP_N;
            Matrix<D> c(left ? m : 21, left ? 21 : m, 3);
            const std::vector<T> was = c.values();
            int needed = 0;
            OK(times_size(handle, side, op, c.rows, c.columns, k, a.device, a.ld, tau.device, c.device, c.ld,
                          &needed));
            Matrix<D> space(needed, 1, 0);
            OK(times(handle, side, op, c.rows, c.columns, k, a.device, a.ld, tau.device, c.device, c.ld,
                     space.device, needed, info));
            OK(cudaDeviceSynchronize());
            auto turned = [&](int i, int j) { return plain ? q.at(i, j) : conjugate(q.at(j, i)); };
            double worst = 0;
            for (int j = 0; j < c.columns; ++j)
                for (int i = 0; i < c.rows; ++i) {
                    T v(0);
                    for (int l = 0; l < m; ++l)
                        v += left ? turned(i, l) * was[l + static_cast<size_t>(j) * c.ld]
                                  : was[i + static_cast<size_t>(l) * c.ld] * turned(l, j);
                    worst = larger(worst, std::abs(v - c.at(i, j)));
                }
            expect<T>(left ? "op(Q) C" : "C op(Q)", m, n, worst);
        }
}

#define TEST_ALL(L, D, q)                                                                                   \
    for (int n : {1, 32, 33, 70})                                                                           \
        test_qr<D>(cusolverDn##L##geqrf_bufferSize, cusolverDn##L##geqrf, cusolverDn##L##q##gqr_bufferSize, \
                   cusolverDn##L##q##gqr, cusolverDn##L##q##mqr_bufferSize, cusolverDn##L##q##mqr, n, n,    \
                   n % 3);                                                                                  \
    test_qr<D>(cusolverDn##L##geqrf_bufferSize, cusolverDn##L##geqrf, cusolverDn##L##q##gqr_bufferSize,     \
               cusolverDn##L##q##gqr, cusolverDn##L##q##mqr_bufferSize, cusolverDn##L##q##mqr, 300, 41, 2); \
    test_qr<D>(cusolverDn##L##geqrf_bufferSize, cusolverDn##L##geqrf, cusolverDn##L##q##gqr_bufferSize,     \
               cusolverDn##L##q##gqr, cusolverDn##L##q##mqr_bufferSize, cusolverDn##L##q##mqr, 40, 77, 0);

int main() {
    info = managed<int>(1);
    OK(cusolverDnCreate(&handle));
    TEST_ALL(S, float, or)
    TEST_ALL(D, double, or)
    TEST_ALL(C, cuComplex, un)
    TEST_ALL(Z, cuDoubleComplex, un)
    double* none = nullptr;
    EXPECT(cusolverDnDgeqrf(handle, 3, 3, none, 3, none, none, 5, info) == CUSOLVER_STATUS_INVALID_VALUE);
    // More elements than an int counts; and of no columns nothing but info.
    int elements = 0;
    EXPECT(cusolverDnDorgqr_bufferSize(handle, 60000, 60000, 60000, none, 60000, none, &elements) ==
           CUSOLVER_STATUS_INVALID_VALUE);
    OK(cusolverDnDorgqr_bufferSize(handle, 3, 0, 0, none, 3, none, &elements));
    *info = 7;
    OK(cusolverDnDorgqr(handle, 3, 0, 0, none, 3, none, managed<double>(elements), elements, info));
    OK(cudaDeviceSynchronize());
    EXPECT(*info == 0);
    OK(cusolverDnDestroy(handle));
    return finished("cusolver_qr");
}
