#pragma once
// cuBLAS, level 2: a matrix and vectors. Band and packed matrices are in cublas_compact.h.
// Included by cublas_v2.h.

#define cublasSgemv cublasSgemv_v2
#define cublasSsymv cublasSsymv_v2
#define cublasStrmv cublasStrmv_v2
#define cublasStrsv cublasStrsv_v2
#define cublasSger cublasSger_v2
#define cublasSsyr cublasSsyr_v2
#define cublasSsyr2 cublasSsyr2_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDsymv cublasDsymv_v2
#define cublasDtrmv cublasDtrmv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasDger cublasDger_v2
#define cublasDsyr cublasDsyr_v2
#define cublasDsyr2 cublasDsyr2_v2
#define cublasCgemv cublasCgemv_v2
#define cublasCsymv cublasCsymv_v2
#define cublasChemv cublasChemv_v2
#define cublasCtrmv cublasCtrmv_v2
#define cublasCtrsv cublasCtrsv_v2
#define cublasCgeru cublasCgeru_v2
#define cublasCgerc cublasCgerc_v2
#define cublasCsyr cublasCsyr_v2
#define cublasCsyr2 cublasCsyr2_v2
#define cublasCher cublasCher_v2
#define cublasCher2 cublasCher2_v2
#define cublasZgemv cublasZgemv_v2
#define cublasZsymv cublasZsymv_v2
#define cublasZhemv cublasZhemv_v2
#define cublasZtrmv cublasZtrmv_v2
#define cublasZtrsv cublasZtrsv_v2
#define cublasZgeru cublasZgeru_v2
#define cublasZgerc cublasZgerc_v2
#define cublasZsyr cublasZsyr_v2
#define cublasZsyr2 cublasZsyr2_v2
#define cublasZher cublasZher_v2
#define cublasZher2 cublasZher2_v2

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const float* alpha,
                           const float* a, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy);
cublasStatus_t cublasSsymv(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                           const float* a, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy);
cublasStatus_t cublasStrmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const float* a, int lda, float* x, int incx);
cublasStatus_t cublasStrsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const float* a, int lda, float* x, int incx);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x, int incx,
                          const float* y, int incy, float* a, int lda);
cublasStatus_t cublasSsyr(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                          const float* x, int incx, float* a, int lda);
cublasStatus_t cublasSsyr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                           const float* x, int incx, const float* y, int incy, float* a, int lda);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const double* alpha,
                           const double* a, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy);
cublasStatus_t cublasDsymv(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                           const double* a, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy);
cublasStatus_t cublasDtrmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const double* a, int lda, double* x, int incx);
cublasStatus_t cublasDtrsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const double* a, int lda, double* x, int incx);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x, int incx,
                          const double* y, int incy, double* a, int lda);
cublasStatus_t cublasDsyr(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                          const double* x, int incx, double* a, int lda);
cublasStatus_t cublasDsyr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                           const double* x, int incx, const double* y, int incy, double* a, int lda);
cublasStatus_t cublasCgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const cuComplex* alpha,
                           const cuComplex* a, int lda, const cuComplex* x, int incx, const cuComplex* beta,
                           cuComplex* y, int incy);
cublasStatus_t cublasCsymv(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                           const cuComplex* a, int lda, const cuComplex* x, int incx, const cuComplex* beta,
                           cuComplex* y, int incy);
cublasStatus_t cublasChemv(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                           const cuComplex* a, int lda, const cuComplex* x, int incx, const cuComplex* beta,
                           cuComplex* y, int incy);
cublasStatus_t cublasCtrmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuComplex* a, int lda, cuComplex* x,
                           int incx);
cublasStatus_t cublasCtrsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuComplex* a, int lda, cuComplex* x,
                           int incx);
cublasStatus_t cublasCgeru(cublasHandle_t handle, int m, int n, const cuComplex* alpha, const cuComplex* x,
                           int incx, const cuComplex* y, int incy, cuComplex* a, int lda);
cublasStatus_t cublasCgerc(cublasHandle_t handle, int m, int n, const cuComplex* alpha, const cuComplex* x,
                           int incx, const cuComplex* y, int incy, cuComplex* a, int lda);
cublasStatus_t cublasCsyr(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                          const cuComplex* x, int incx, cuComplex* a, int lda);
cublasStatus_t cublasCsyr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                           const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* a, int lda);
cublasStatus_t cublasCher(cublasHandle_t handle, cublasFillMode_t fill, int n, const float* alpha,
                          const cuComplex* x, int incx, cuComplex* a, int lda);
cublasStatus_t cublasCher2(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuComplex* alpha,
                           const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* a, int lda);
cublasStatus_t cublasZgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* beta,
                           cuDoubleComplex* y, int incy);
cublasStatus_t cublasZsymv(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* a, int lda, const cuDoubleComplex* x, int incx,
                           const cuDoubleComplex* beta, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZhemv(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* a, int lda, const cuDoubleComplex* x, int incx,
                           const cuDoubleComplex* beta, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZtrmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuDoubleComplex* a, int lda,
                           cuDoubleComplex* x, int incx);
cublasStatus_t cublasZtrsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           cublasDiagType_t diagonal, int n, const cuDoubleComplex* a, int lda,
                           cuDoubleComplex* x, int incx);
cublasStatus_t cublasZgeru(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* a, int lda);
cublasStatus_t cublasZgerc(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* a, int lda);
cublasStatus_t cublasZsyr(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                          const cuDoubleComplex* x, int incx, cuDoubleComplex* a, int lda);
cublasStatus_t cublasZsyr2(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* a, int lda);
cublasStatus_t cublasZher(cublasHandle_t handle, cublasFillMode_t fill, int n, const double* alpha,
                          const cuDoubleComplex* x, int incx, cuDoubleComplex* a, int lda);
cublasStatus_t cublasZher2(cublasHandle_t handle, cublasFillMode_t fill, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* a, int lda);
