// cuBLAS's oldest form (cublas.h) over the present one.

#include "cublas.h"

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t*);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasSaxpy_v2(cublasHandle_t, int, const float*, const float*, int, float*, int);
cublasStatus_t cublasSscal_v2(cublasHandle_t, int, const float*, float*, int);
cublasStatus_t cublasScopy_v2(cublasHandle_t, int, const float*, int, float*, int);
cublasStatus_t cublasSswap_v2(cublasHandle_t, int, float*, int, float*, int);
cublasStatus_t cublasIsamax_v2(cublasHandle_t, int, const float*, int, int*);
cublasStatus_t cublasIsamin_v2(cublasHandle_t, int, const float*, int, int*);
cublasStatus_t cublasSasum_v2(cublasHandle_t, int, const float*, int, float*);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t, int, const float*, int, float*);
cublasStatus_t cublasSdot_v2(cublasHandle_t, int, const float*, int, const float*, int, float*);
cublasStatus_t cublasDaxpy_v2(cublasHandle_t, int, const double*, const double*, int, double*, int);
cublasStatus_t cublasDscal_v2(cublasHandle_t, int, const double*, double*, int);
cublasStatus_t cublasDcopy_v2(cublasHandle_t, int, const double*, int, double*, int);
cublasStatus_t cublasDswap_v2(cublasHandle_t, int, double*, int, double*, int);
cublasStatus_t cublasIdamax_v2(cublasHandle_t, int, const double*, int, int*);
cublasStatus_t cublasIdamin_v2(cublasHandle_t, int, const double*, int, int*);
cublasStatus_t cublasDasum_v2(cublasHandle_t, int, const double*, int, double*);
cublasStatus_t cublasDnrm2_v2(cublasHandle_t, int, const double*, int, double*);
cublasStatus_t cublasDdot_v2(cublasHandle_t, int, const double*, int, const double*, int, double*);
cublasStatus_t cublasSgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const float*, const float*, int,
                              const float*, int, const float*, float*, int);
cublasStatus_t cublasStrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
                              const float*, int, float*, int);
cublasStatus_t cublasSger_v2(cublasHandle_t, int, int, const float*, const float*, int, const float*, int,
                             float*, int);
cublasStatus_t cublasDgemv_v2(cublasHandle_t, cublasOperation_t, int, int, const double*, const double*, int,
                              const double*, int, const double*, double*, int);
cublasStatus_t cublasDtrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,
                              const double*, int, double*, int);
cublasStatus_t cublasDger_v2(cublasHandle_t, int, int, const double*, const double*, int, const double*, int,
                             double*, int);
cublasStatus_t cublasSgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                              const float*, const float*, int, const float*, int, const float*, float*, int);
cublasStatus_t cublasSsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const float*,
                              const float*, int, const float*, int, const float*, float*, int);
cublasStatus_t cublasSsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float*,
                              const float*, int, const float*, float*, int);
cublasStatus_t cublasStrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int, int, const float*, const float*, int, const float*, int,
                              float*, int);
cublasStatus_t cublasStrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int, int, const float*, const float*, int, float*, int);
cublasStatus_t cublasDgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                              const double*, const double*, int, const double*, int, const double*, double*,
                              int);
cublasStatus_t cublasDsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const double*,
                              const double*, int, const double*, int, const double*, double*, int);
cublasStatus_t cublasDsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double*,
                              const double*, int, const double*, double*, int);
cublasStatus_t cublasDtrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int, int, const double*, const double*, int, const double*,
                              int, double*, int);
cublasStatus_t cublasDtrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int, int, const double*, const double*, int, double*, int);
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
    *version = 120000;
    return CUBLAS_STATUS_SUCCESS;
}

void cublasSaxpy(int n, float alpha, const float* x, int incx, float* y, int incy) {
    done(cublasSaxpy_v2(handle, n, &alpha, x, incx, y, incy));
}
void cublasSscal(int n, float alpha, float* x, int incx) {
    done(cublasSscal_v2(handle, n, &alpha, x, incx));
}
void cublasScopy(int n, const float* x, int incx, float* y, int incy) {
    done(cublasScopy_v2(handle, n, x, incx, y, incy));
}
void cublasSswap(int n, float* x, int incx, float* y, int incy) {
    done(cublasSswap_v2(handle, n, x, incx, y, incy));
}
float cublasSdot(int n, const float* x, int incx, const float* y, int incy) {
    float result = 0;
    done(cublasSdot_v2(handle, n, x, incx, y, incy, &result));
    return result;
}
float cublasSasum(int n, const float* x, int incx) {
    float result = 0;
    done(cublasSasum_v2(handle, n, x, incx, &result));
    return result;
}
float cublasSnrm2(int n, const float* x, int incx) {
    float result = 0;
    done(cublasSnrm2_v2(handle, n, x, incx, &result));
    return result;
}
int cublasIsamax(int n, const float* x, int incx) {
    int result = 0;
    done(cublasIsamax_v2(handle, n, x, incx, &result));
    return result;
}
int cublasIsamin(int n, const float* x, int incx) {
    int result = 0;
    done(cublasIsamin_v2(handle, n, x, incx, &result));
    return result;
}
void cublasSgemv(char op, int m, int n, float alpha, const float* a, int lda, const float* x, int incx,
                 float beta, float* y, int incy) {
    done(cublasSgemv_v2(handle, operation(op), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
void cublasSger(int m, int n, float alpha, const float* x, int incx, const float* y, int incy, float* a,
                int lda) {
    done(cublasSger_v2(handle, m, n, &alpha, x, incx, y, incy, a, lda));
}
void cublasStrsv(char fill, char op, char diagonal, int n, const float* a, int lda, float* x, int incx) {
    done(cublasStrsv_v2(handle, triangle(fill), operation(op), unit(diagonal), n, a, lda, x, incx));
}
void cublasSgemm(char op_a, char op_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc) {
    done(cublasSgemm_v2(handle, operation(op_a), operation(op_b), m, n, k, &alpha, a, lda, b, ldb, &beta, c,
                        ldc));
}
void cublasSsymm(char side, char fill, int m, int n, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc) {
    done(cublasSsymm_v2(handle, where(side), triangle(fill), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
void cublasSsyrk(char fill, char op, int n, int k, float alpha, const float* a, int lda, float beta, float* c,
                 int ldc) {
    done(cublasSsyrk_v2(handle, triangle(fill), operation(op), n, k, &alpha, a, lda, &beta, c, ldc));
}
void cublasStrsm(char side, char fill, char op, char diagonal, int m, int n, float alpha, const float* a,
                 int lda, float* b, int ldb) {
    done(cublasStrsm_v2(handle, where(side), triangle(fill), operation(op), unit(diagonal), m, n, &alpha, a,
                        lda, b, ldb));
}
void cublasStrmm(char side, char fill, char op, char diagonal, int m, int n, float alpha, const float* a,
                 int lda, float* b, int ldb) {
    done(cublasStrmm_v2(handle, where(side), triangle(fill), operation(op), unit(diagonal), m, n, &alpha, a,
                        lda, b, ldb, b, ldb));
}
void cublasDaxpy(int n, double alpha, const double* x, int incx, double* y, int incy) {
    done(cublasDaxpy_v2(handle, n, &alpha, x, incx, y, incy));
}
void cublasDscal(int n, double alpha, double* x, int incx) {
    done(cublasDscal_v2(handle, n, &alpha, x, incx));
}
void cublasDcopy(int n, const double* x, int incx, double* y, int incy) {
    done(cublasDcopy_v2(handle, n, x, incx, y, incy));
}
void cublasDswap(int n, double* x, int incx, double* y, int incy) {
    done(cublasDswap_v2(handle, n, x, incx, y, incy));
}
double cublasDdot(int n, const double* x, int incx, const double* y, int incy) {
    double result = 0;
    done(cublasDdot_v2(handle, n, x, incx, y, incy, &result));
    return result;
}
double cublasDasum(int n, const double* x, int incx) {
    double result = 0;
    done(cublasDasum_v2(handle, n, x, incx, &result));
    return result;
}
double cublasDnrm2(int n, const double* x, int incx) {
    double result = 0;
    done(cublasDnrm2_v2(handle, n, x, incx, &result));
    return result;
}
int cublasIdamax(int n, const double* x, int incx) {
    int result = 0;
    done(cublasIdamax_v2(handle, n, x, incx, &result));
    return result;
}
int cublasIdamin(int n, const double* x, int incx) {
    int result = 0;
    done(cublasIdamin_v2(handle, n, x, incx, &result));
    return result;
}
void cublasDgemv(char op, int m, int n, double alpha, const double* a, int lda, const double* x, int incx,
                 double beta, double* y, int incy) {
    done(cublasDgemv_v2(handle, operation(op), m, n, &alpha, a, lda, x, incx, &beta, y, incy));
}
void cublasDger(int m, int n, double alpha, const double* x, int incx, const double* y, int incy, double* a,
                int lda) {
    done(cublasDger_v2(handle, m, n, &alpha, x, incx, y, incy, a, lda));
}
void cublasDtrsv(char fill, char op, char diagonal, int n, const double* a, int lda, double* x, int incx) {
    done(cublasDtrsv_v2(handle, triangle(fill), operation(op), unit(diagonal), n, a, lda, x, incx));
}
void cublasDgemm(char op_a, char op_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc) {
    done(cublasDgemm_v2(handle, operation(op_a), operation(op_b), m, n, k, &alpha, a, lda, b, ldb, &beta, c,
                        ldc));
}
void cublasDsymm(char side, char fill, int m, int n, double alpha, const double* a, int lda, const double* b,
                 int ldb, double beta, double* c, int ldc) {
    done(cublasDsymm_v2(handle, where(side), triangle(fill), m, n, &alpha, a, lda, b, ldb, &beta, c, ldc));
}
void cublasDsyrk(char fill, char op, int n, int k, double alpha, const double* a, int lda, double beta,
                 double* c, int ldc) {
    done(cublasDsyrk_v2(handle, triangle(fill), operation(op), n, k, &alpha, a, lda, &beta, c, ldc));
}
void cublasDtrsm(char side, char fill, char op, char diagonal, int m, int n, double alpha, const double* a,
                 int lda, double* b, int ldb) {
    done(cublasDtrsm_v2(handle, where(side), triangle(fill), operation(op), unit(diagonal), m, n, &alpha, a,
                        lda, b, ldb));
}
void cublasDtrmm(char side, char fill, char op, char diagonal, int m, int n, double alpha, const double* a,
                 int lda, double* b, int ldb) {
    done(cublasDtrmm_v2(handle, where(side), triangle(fill), operation(op), unit(diagonal), m, n, &alpha, a,
                        lda, b, ldb, b, ldb));
}

}  // extern "C"
