#pragma once
// cuBLAS's oldest form: one handle for the whole program, scalars by value, options as letters as in Fortran. In single and double
// precision. cublas_v2.h has the same names with other arguments: a file includes one of them.

#if defined(CUBLAS_V2_H_)
#error "cublas.h and cublas_v2.h have the same names: a file can include only one of them"
#endif
#define CUBLAS_H_

#include "driver_types.h"
#include "heddle/cublas_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef cublasStatus_t cublasStatus;

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/// Of the functions since the last call.
cublasStatus cublasGetError(void);
cublasStatus cublasAlloc(int n, int bytes, void** pointer);
cublasStatus cublasFree(void* pointer);
cublasStatus cublasSetKernelStream(cudaStream_t stream);
cublasStatus cublasGetVersion(int* version);
cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);

void cublasSaxpy(int n, float alpha, const float* x, int incx, float* y, int incy);
void cublasSscal(int n, float alpha, float* x, int incx);
void cublasScopy(int n, const float* x, int incx, float* y, int incy);
void cublasSswap(int n, float* x, int incx, float* y, int incy);
float cublasSdot(int n, const float* x, int incx, const float* y, int incy);
float cublasSasum(int n, const float* x, int incx);
float cublasSnrm2(int n, const float* x, int incx);
int cublasIsamax(int n, const float* x, int incx);
int cublasIsamin(int n, const float* x, int incx);
void cublasSgemv(char op, int m, int n, float alpha, const float* a, int lda, const float* x, int incx,
                 float beta, float* y, int incy);
void cublasSger(int m, int n, float alpha, const float* x, int incx, const float* y, int incy, float* a,
                int lda);
void cublasStrsv(char fill, char op, char diagonal, int n, const float* a, int lda, float* x, int incx);
void cublasSgemm(char op_a, char op_b, int m, int n, int k, float alpha, const float* a, int lda,
                 const float* b, int ldb, float beta, float* c, int ldc);
void cublasSsymm(char side, char fill, int m, int n, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc);
void cublasSsyrk(char fill, char op, int n, int k, float alpha, const float* a, int lda, float beta, float* c,
                 int ldc);
void cublasStrsm(char side, char fill, char op, char diagonal, int m, int n, float alpha, const float* a,
                 int lda, float* b, int ldb);
void cublasStrmm(char side, char fill, char op, char diagonal, int m, int n, float alpha, const float* a,
                 int lda, float* b, int ldb);
void cublasDaxpy(int n, double alpha, const double* x, int incx, double* y, int incy);
void cublasDscal(int n, double alpha, double* x, int incx);
void cublasDcopy(int n, const double* x, int incx, double* y, int incy);
void cublasDswap(int n, double* x, int incx, double* y, int incy);
double cublasDdot(int n, const double* x, int incx, const double* y, int incy);
double cublasDasum(int n, const double* x, int incx);
double cublasDnrm2(int n, const double* x, int incx);
int cublasIdamax(int n, const double* x, int incx);
int cublasIdamin(int n, const double* x, int incx);
void cublasDgemv(char op, int m, int n, double alpha, const double* a, int lda, const double* x, int incx,
                 double beta, double* y, int incy);
void cublasDger(int m, int n, double alpha, const double* x, int incx, const double* y, int incy, double* a,
                int lda);
void cublasDtrsv(char fill, char op, char diagonal, int n, const double* a, int lda, double* x, int incx);
void cublasDgemm(char op_a, char op_b, int m, int n, int k, double alpha, const double* a, int lda,
                 const double* b, int ldb, double beta, double* c, int ldc);
void cublasDsymm(char side, char fill, int m, int n, double alpha, const double* a, int lda, const double* b,
                 int ldb, double beta, double* c, int ldc);
void cublasDsyrk(char fill, char op, int n, int k, double alpha, const double* a, int lda, double beta,
                 double* c, int ldc);
void cublasDtrsm(char side, char fill, char op, char diagonal, int m, int n, double alpha, const double* a,
                 int lda, double* b, int ldb);
void cublasDtrmm(char side, char fill, char op, char diagonal, int m, int n, double alpha, const double* a,
                 int lda, double* b, int ldb);

#if defined(__cplusplus)
}
#endif
