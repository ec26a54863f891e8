// cuSOLVER's eigenvalues: A V = V W, V^H V = 1, ascending; and a matrix whose values are known. Prints what differs, and
// "cusolver_eigen done" if nothing does.

#include <cmath>
#include <cusolverDn.h>
#include <vector>

#include "library.h"

static cusolverDnHandle_t handle;
static int* info;

template <typename D, typename R, typename Size, typename Solve>
static void test(Size size, Solve solve, int n, int extra, bool known) {
    using T = typename Host<D>::Type;
    const double tolerance = (sizeof(R) == 4 ? 1e-6 : 1e-15) * (10 + n);
    const int ld = n + extra;
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        D* a = managed<D>(static_cast<size_t>(ld) * n);
        R *w = managed<R>(n), *alone = managed<R>(n);
        T* const host = reinterpret_cast<T*>(a);
        std::vector<T> whole(static_cast<size_t>(n) * n), stored(static_cast<size_t>(ld) * n);
        for (T& v : stored) randomise(v);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) {
                    T& v = stored[i + static_cast<size_t>(j) * ld];
                    // Second differences: 2 - 2 cos(pi k / (n + 1)).
                    if (known) v = T(i == j ? 2 : i - j == 1 || j - i == 1 ? -1 : 0);
                    if (i == j) v = T(std::real(v));
                    whole[i + static_cast<size_t>(j) * n] = v;
                    whole[j + static_cast<size_t>(i) * n] = conjugate(v);
                }
        int elements = 0;
        OK(size(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, a, ld, w, &elements));
        D* work = managed<D>(elements);
        std::copy(stored.begin(), stored.end(), host);
        OK(solve(handle, CUSOLVER_EIG_MODE_NOVECTOR, fill, n, a, ld, alone, work, elements, info));
        OK(cudaDeviceSynchronize());
        EXPECT(*info == 0);
        std::copy(stored.begin(), stored.end(), host);
        OK(solve(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, a, ld, w, work, elements, info));
        OK(cudaDeviceSynchronize());
        EXPECT(*info == 0);
        double product = 0, unit = 0, values = 0;
        for (int j = 0; j < n; ++j) {
            EXPECT(j == 0 || w[j] >= w[j - 1]);
            values = larger(values, std::fabs(static_cast<double>(w[j] - alone[j])));
            if (known)
                values = larger(
                    values, std::fabs(w[j] - (2 - 2 * std::cos(3.14159265358979323846 * (j + 1) / (n + 1)))));
            for (int i = 0; i < n; ++i) {
                T v(0), u(0);
                for (int l = 0; l < n; ++l) {
                    v += whole[i + static_cast<size_t>(l) * n] * host[l + static_cast<size_t>(j) * ld];
                    u += conjugate(host[l + static_cast<size_t>(i) * ld]) *
                         host[l + static_cast<size_t>(j) * ld];
                }
                product = larger(product, std::abs(v - w[j] * host[i + static_cast<size_t>(j) * ld]));
                unit = larger(unit, std::abs(u - T(i == j ? 1 : 0)));
            }
        }
        report("A V - V W", product, tolerance, n, n);
        report("V^H V - 1", unit, tolerance, n, n);
        report("values", values, tolerance, n, n);
        for (void* p : {static_cast<void*>(a), static_cast<void*>(w), static_cast<void*>(alone),
                        static_cast<void*>(work)})
            cudaFree(p);
    }
}

int main() {
    info = managed<int>(1);
    OK(cusolverDnCreate(&handle));
    for (int n : {1, 2, 3, 8, 25}) {
        test<float, float>(cusolverDnSsyevd_bufferSize, cusolverDnSsyevd, n, n % 3, false);
        test<double, double>(cusolverDnDsyevd_bufferSize, cusolverDnDsyevd, n, n % 2, false);
        test<double, double>(cusolverDnDsyevd_bufferSize, cusolverDnDsyevd, n, 0, true);
        test<cuComplex, float>(cusolverDnCheevd_bufferSize, cusolverDnCheevd, n, 1, false);
        test<cuDoubleComplex, double>(cusolverDnZheevd_bufferSize, cusolverDnZheevd, n, 2, false);
    }
    OK(cusolverDnDestroy(handle));
    return finished("cusolver_eigen");
}
