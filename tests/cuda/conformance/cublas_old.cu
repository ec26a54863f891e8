// cuBLAS's oldest form: no handle, letters, scalars by value.

#include <cmath>
#include <cstdio>
#include <cublas.h>

int main() {
    const int n = 40;
    double host[n * n], product[n * n], *a = nullptr, *c = nullptr;
    for (int i = 0; i < n * n; ++i) host[i] = i % 7 - 3;
    int failures = cublasInit() != CUBLAS_STATUS_SUCCESS;
    failures += cublasAlloc(n * n, sizeof(double), reinterpret_cast<void**>(&a)) != CUBLAS_STATUS_SUCCESS;
    failures += cublasAlloc(n * n, sizeof(double), reinterpret_cast<void**>(&c)) != CUBLAS_STATUS_SUCCESS;
    failures += cublasSetMatrix(n, n, sizeof(double), host, n, a, n) != CUBLAS_STATUS_SUCCESS;
    cublasDgemm('t', 'N', n, n, n, 2.0, a, n, a, n, 0.0, c, n);
    failures += cublasGetMatrix(n, n, sizeof(double), c, n, product, n) != CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += 2 * host[k + i * n] * host[k + j * n];
            failures += product[i + j * n] != sum;
        }
    double squares = 0;
    for (int i = 0; i < n * n; ++i) squares += host[i] * host[i];
    failures += cublasDdot(n * n, a, 1, a, 1) != squares;
    failures += std::fabs(cublasDnrm2(n * n, a, 1) - std::sqrt(squares)) > 1e-12;
    failures += cublasIdamax(n * n, a, 1) != 1;
    failures += cublasGetError() != CUBLAS_STATUS_SUCCESS;
    cublasDgemm('N', 'N', n, n, n, 1.0, a, 1, a, n, 0.0, c, n);
    failures += cublasGetError() != CUBLAS_STATUS_INVALID_VALUE;
    failures += cublasFree(a) != CUBLAS_STATUS_SUCCESS || cublasFree(c) != CUBLAS_STATUS_SUCCESS;
    failures += cublasShutdown() != CUBLAS_STATUS_SUCCESS;
    if (failures == 0) std::printf("cublas_old done\n");
    return failures;
}
