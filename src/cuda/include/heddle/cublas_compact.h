#pragma once
// cuBLAS, level 2: band matrices and packed triangles. A band's column holds the diagonals from the highest to the lowest.
// Included by cublas_v2.h.

#define cublasSgbmv cublasSgbmv_v2
#define cublasSsbmv cublasSsbmv_v2
#define cublasSspmv cublasSspmv_v2
#define cublasStbmv cublasStbmv_v2
#define cublasStpmv cublasStpmv_v2
#define cublasStbsv cublasStbsv_v2
#define cublasStpsv cublasStpsv_v2
#define cublasSspr cublasSspr_v2
#define cublasSspr2 cublasSspr2_v2
#define cublasDgbmv cublasDgbmv_v2
#define cublasDsbmv cublasDsbmv_v2
#define cublasDspmv cublasDspmv_v2
#define cublasDtbmv cublasDtbmv_v2
#define cublasDtpmv cublasDtpmv_v2
#define cublasDtbsv cublasDtbsv_v2
#define cublasDtpsv cublasDtpsv_v2
#define cublasDspr cublasDspr_v2
#define cublasDspr2 cublasDspr2_v2
#define cublasCgbmv cublasCgbmv_v2
#define cublasChbmv cublasChbmv_v2
#define cublasChpmv cublasChpmv_v2
#define cublasCtbmv cublasCtbmv_v2
#define cublasCtpmv cublasCtpmv_v2
#define cublasCtbsv cublasCtbsv_v2
#define cublasCtpsv cublasCtpsv_v2
#define cublasChpr cublasChpr_v2
#define cublasChpr2 cublasChpr2_v2
#define cublasZgbmv cublasZgbmv_v2
#define cublasZhbmv cublasZhbmv_v2
#define cublasZhpmv cublasZhpmv_v2
#define cublasZtbmv cublasZtbmv_v2
#define cublasZtpmv cublasZtpmv_v2
#define cublasZtbsv cublasZtbsv_v2
#define cublasZtpsv cublasZtpsv_v2
#define cublasZhpr cublasZhpr_v2
#define cublasZhpr2 cublasZhpr2_v2

cublasStatus_t cublasSgbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n, int below, int above,
                           const float* alpha, const float* a, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy);
cublasStatus_t cublasSsbmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k, const float* alpha,
                           const float* a, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy);
cublasStatus_t cublasSspmv(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                           const float* a, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasStbmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const float* a, int lda, float* x,
                           int incx);
cublasStatus_t cublasStpmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const float* a, float* x, int incx);
cublasStatus_t cublasStbsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const float* a, int lda, float* x,
                           int incx);
cublasStatus_t cublasStpsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const float* a, float* x, int incx);
cublasStatus_t cublasSspr(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                          const float* x, int incx, float* a);
cublasStatus_t cublasSspr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                           const float* x, int incx, const float* y, int incy, float* a);
cublasStatus_t cublasDgbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n, int below, int above,
                           const double* alpha, const double* a, int lda, const double* x, int incx,
                           const double* beta, double* y, int incy);
cublasStatus_t cublasDsbmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k, const double* alpha,
                           const double* a, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy);
cublasStatus_t cublasDspmv(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                           const double* a, const double* x, int incx, const double* beta, double* y,
                           int incy);
cublasStatus_t cublasDtbmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const double* a, int lda, double* x,
                           int incx);
cublasStatus_t cublasDtpmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const double* a, double* x, int incx);
cublasStatus_t cublasDtbsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const double* a, int lda, double* x,
                           int incx);
cublasStatus_t cublasDtpsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const double* a, double* x, int incx);
cublasStatus_t cublasDspr(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                          const double* x, int incx, double* a);
cublasStatus_t cublasDspr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                           const double* x, int incx, const double* y, int incy, double* a);
cublasStatus_t cublasCgbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n, int below, int above,
                           const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* x, int incx,
                           const cuComplex* beta, cuComplex* y, int incy);
cublasStatus_t cublasChbmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k, const cuComplex* alpha,
                           const cuComplex* a, int lda, const cuComplex* x, int incx, const cuComplex* beta,
                           cuComplex* y, int incy);
cublasStatus_t cublasChpmv(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                           const cuComplex* a, const cuComplex* x, int incx, const cuComplex* beta,
                           cuComplex* y, int incy);
cublasStatus_t cublasCtbmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const cuComplex* a, int lda, cuComplex* x,
                           int incx);
cublasStatus_t cublasCtpmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuComplex* a, cuComplex* x, int incx);
cublasStatus_t cublasCtbsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const cuComplex* a, int lda, cuComplex* x,
                           int incx);
cublasStatus_t cublasCtpsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuComplex* a, cuComplex* x, int incx);
cublasStatus_t cublasChpr(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                          const cuComplex* x, int incx, cuComplex* a);
cublasStatus_t cublasChpr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                           const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* a);
cublasStatus_t cublasZgbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n, int below, int above,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* beta,
                           cuDoubleComplex* y, int incy);
cublasStatus_t cublasZhbmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* beta,
                           cuDoubleComplex* y, int incy);
cublasStatus_t cublasZhpmv(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* a, const cuDoubleComplex* x, int incx,
                           const cuDoubleComplex* beta, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZtbmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const cuDoubleComplex* a, int lda,
                           cuDoubleComplex* x, int incx);
cublasStatus_t cublasZtpmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuDoubleComplex* a, cuDoubleComplex* x,
                           int incx);
cublasStatus_t cublasZtbsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, int k, const cuDoubleComplex* a, int lda,
                           cuDoubleComplex* x, int incx);
cublasStatus_t cublasZtpsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuDoubleComplex* a, cuDoubleComplex* x,
                           int incx);
cublasStatus_t cublasZhpr(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                          const cuDoubleComplex* x, int incx, cuDoubleComplex* a);
cublasStatus_t cublasZhpr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* a);
