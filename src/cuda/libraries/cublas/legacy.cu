// cuBLAS's oldest form (cublas.h) over the present one.

#include "cublas.h"

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t*);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
#define HEDDLE_BLAS_PRESENT(L, l, T)                                                                         \
    cublasStatus_t cublas##L##axpy_v2(cublasHandle_t, int, const T*, const T*, int, T*, int);                \
    cublasStatus_t cublas##L##scal_v2(cublasHandle_t, int, const T*, T*, int);                               \
    cublasStatus_t cublas##L##copy_v2(cublasHandle_t, int, const T*, int, T*, int);                          \
    cublasStatus_t cublas##L##swap_v2(cublasHandle_t, int, T*, int, T*, int);                                \
    cublasStatus_t cublasI##l##amax_v2(cublasHandle_t, int, const T*, int, int*);                            \
    cublasStatus_t cublasI##l##amin_v2(cublasHandle_t, int, const T*, int, int*);                            \
    cublasStatus_t cublas##L##asum_v2(cublasHandle_t, int, const T*, int, T*);                               \
    cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t, int, const T*, int, T*);                               \
    cublasStatus_t cublas##L##dot_v2(cublasHandle_t, int, const T*, int, const T*, int, T*);                 \
    cublasStatus_t cublas##L##gemv_v2(cublasHandle_t, cublasOperation_t, int, int, const T*, const T*, int,  \
                                      const T*, int, const T*, T*, int);                                     \
    cublasStatus_t cublas##L##trsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, \
                                      int, const T*, int, T*, int);                                          \
    cublasStatus_t cublas##L##ger_v2(cublasHandle_t, int, int, const T*, const T*, int, const T*, int, T*,   \
                                     int);                                                                   \
    cublasStatus_t cublas##L##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,   \
                                      const T*, const T*, int, const T*, int, const T*, T*, int);            \
    cublasStatus_t cublas##L##symm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int,          \
                                      const T*, const T*, int, const T*, int, const T*, T*, int);            \
    cublasStatus_t cublas##L##syrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,         \
                                      const T*, const T*, int, const T*, T*, int);                           \
    cublasStatus_t cublas##L##trmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, \
                                      cublasDiagType_t, int, int, const T*, const T*, int, const T*, int,    \
                                      T*, int);                                                              \
    cublasStatus_t cublas##L##trsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, \
                                      cublasDiagType_t, int, int, const T*, const T*, int, T*, int);
HEDDLE_BLAS_PRESENT(S, s, float)
HEDDLE_BLAS_PRESENT(D, d, double)
}

namespace {

cublasHandle_t handle = nullptr;
cublasStatus_t first_error = CUBLAS_STATUS_SUCCESS;

void done(cublasStatus_t status) {
    if (first_error == CUBLAS_STATUS_SUCCESS) first_error = status;
}
char upper(char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}
cublasOperation_t operation(char c) {
    return upper(c) == 'T' ? CUBLAS_OP_T : upper(c) == 'C' ? CUBLAS_OP_C : CUBLAS_OP_N;
}
cublasFillMode_t triangle(char c) {
    return upper(c) == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
cublasDiagType_t unit(char c) {
    return upper(c) == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}
cublasSideMode_t where(char c) {
    return upper(c) == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}

}  // namespace

extern "C" {

cublasStatus cublasInit() {
    return handle != nullptr ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&handle);
}
cublasStatus cublasShutdown() {
    const cublasStatus status = handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : cublasDestroy_v2(handle);
    handle = nullptr;
    return status;
}
cublasStatus cublasGetError() {
    const cublasStatus status = first_error;
    first_error = CUBLAS_STATUS_SUCCESS;
    return status;
}
cublasStatus cublasAlloc(int n, int bytes, void** pointer) {
    if (n <= 0 || bytes <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    const size_t total = static_cast<size_t>(n) * static_cast<size_t>(bytes);
    return cudaMalloc(pointer, total) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus cublasFree(void* pointer) {
    return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
cublasStatus cublasSetKernelStream(cudaStream_t stream) {
    return cublasSetStream_v2(handle, stream);
}
cublasStatus cublasGetVersion(int* version) {
    if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

#define HEDDLE_BLAS_EACH(L, l, T)                                                                            \
    void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                             \
        done(cublas##L##axpy_v2(handle, n, &alpha, x, incx, y, incy));                                       \
    }                                                                                                        \
    void cublas##L##scal(int n, T alpha, T* x, int incx) {                                                   \
        done(cublas##L##scal_v2(handle, n, &alpha, x, incx));                                                \
    }                                                                                                        \
    void cublas##L##copy(int n, const T* x, int incx, T* y, int incy) {                                      \
        done(cublas##L##copy_v2(handle, n, x, incx, y, incy));                                               \
    }                                                                                                        \
    void cublas##L##swap(int n, T* x, int incx, T* y, int incy) {                                            \
        done(cublas##L##swap_v2(handle, n, x, incx, y, incy));                                               \
    }                                                                                                        \
    T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy) {                                    \
        T result = 0;                                                                                        \
        done(cublas##L##dot_v2(handle, n, x, incx, y, incy, &result));                                       \
        return result;                                                                                       \
    }                                                                                                        \
    T cublas##L##asum(int n, const T* x, int incx) {                                                         \
        T result = 0;                                                                                        \
        done(cublas##L##asum_v2(handle, n, x, incx, &result));                                               \
        return result;                                                                                       \
    }                                                                                                        \
    T cublas##L##nrm2(int n, const T* x, int incx) {                                                         \
        T result = 0;                                                                                        \
        done(cublas##L##nrm2_v2(handle, n, x, incx, &result));                                               \
        return result;                                                                                       \
    }                                                                                                        \
    int cublasI##l##amax(int n, const T* x, int incx) {                                                      \
        int result = 0;                                                                                      \
        done(cublasI##l##amax_v2(handle, n, x, incx, &result));                                              \
        return result;                                                                                       \
    }                                                                                                        \
    int cublasI##l##amin(int n, const T* x, int incx) {                                                      \
        int result = 0;                                                                                      \
        done(cublasI##l##amin_v2(handle, n, x, incx, &result));                                              \
        return result;                                                                                       \
    }                                                                                                        \
    void cublas##L##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta,  \
                         T* y, int incy) {                                                                   \
        done(cublas##L##gemv_v2(handle, operation(op), m, n, &alpha, a, lda, x, incx, &beta, y, incy));      \
    }                                                                                                        \
    void cublas##L##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {  \
        done(cublas##L##ger_v2(handle, m, n, &alpha, x, incx, y, incy, a, lda));                             \
    }                                                                                                        \
    void cublas##L##trsv(char fill, char op, char diagonal, int n, const T* a, int lda, T* x, int incx) {    \
        done(cublas##L##trsv_v2(handle, triangle(fill), operation(op), unit(diagonal), n, a, lda, x, incx)); \
    }                                                                                                        \
    void cublas##L##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a, int lda,            \
                         const T* b, int ldb, T beta, T* c, int ldc) {                                       \
        done(cublas##L##gemm_v2(handle, operation(op_a), operation(op_b), m, n, k, &alpha, a, lda, b, ldb,   \
                                &beta, c, ldc));                                                             \
    }                                                                                                        \
    void cublas##L##symm(char side, char fill, int m, int n, T alpha, const T* a, int lda, const T* b,       \
                         int ldb, T beta, T* c, int ldc) {                                                   \
        done(cublas##L##symm_v2(handle, where(side), triangle(fill), m, n, &alpha, a, lda, b, ldb, &beta, c, \
                                ldc));                                                                       \
    }                                                                                                        \
    void cublas##L##syrk(char fill, char op, int n, int k, T alpha, const T* a, int lda, T beta, T* c,       \
                         int ldc) {                                                                          \
        done(                                                                                                \
            cublas##L##syrk_v2(handle, triangle(fill), operation(op), n, k, &alpha, a, lda, &beta, c, ldc)); \
    }                                                                                                        \
    void cublas##L##trsm(char side, char fill, char op, char diagonal, int m, int n, T alpha, const T* a,    \
                         int lda, T* b, int ldb) {                                                           \
        done(cublas##L##trsm_v2(handle, where(side), triangle(fill), operation(op), unit(diagonal), m, n,    \
                                &alpha, a, lda, b, ldb));                                                    \
    }                                                                                                        \
    void cublas##L##trmm(char side, char fill, char op, char diagonal, int m, int n, T alpha, const T* a,    \
                         int lda, T* b, int ldb) {                                                           \
        done(cublas##L##trmm_v2(handle, where(side), triangle(fill), operation(op), unit(diagonal), m, n,    \
                                &alpha, a, lda, b, ldb, b, ldb));                                            \
    }
HEDDLE_BLAS_EACH(S, s, float)
HEDDLE_BLAS_EACH(D, d, double)

}  // extern "C"
