#pragma once
// cuSOLVER, dense matrices: LU, Cholesky and QR factorisations and the systems that they solve, eigenvalues, singular values;
// column-major. Meanings are those of NVIDIA's manual. The library is Heddle's own (src/cuda/libraries/cusolver); a function that
// is not declared here is not there.

#include "cublas_v2.h"
#include "cusolver_common.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cusolverDnContext* cusolverDnHandle_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);

// `info` lies in device memory: 0; i > 0 where the leading minor of order i is not positive (potrf) or U(i, i) is zero (getrf), or
// n + 1 where evd does not converge. A wrong argument gives CUSOLVER_STATUS_INVALID_VALUE and leaves it as it is. `pivots` lies there too,
// and may be null: rows are not exchanged then. LU and Cholesky need no workspace.

cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                                             float* a, int lda, int* elements);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, float* a, int lda,
                                  float* workspace, int elements, int* info);
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                  const float* a, int lda, float* b, int ldb, int* info);
cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float* a, int lda,
                                             int* elements);
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n, float* a, int lda,
                                  float* workspace, int* pivots, int* info);
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const float* a, int lda,
                                             const float* w, int* elements);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, float* a, int lda, float* w, float* workspace, int elements,
                                  int* info);
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, float* a, int lda,
                                             int* elements);
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n, float* a, int lda, float* tau,
                                  float* workspace, int elements, int* info);
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k, const float* a,
                                             int lda, const float* tau, const float* c, int ldc,
                                             int* elements);
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const float* a, int lda, const float* tau, float* c,
                                  int ldc, float* workspace, int elements, int* info);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const float* a,
                                             int lda, const float* tau, int* elements);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k, float* a, int lda,
                                  const float* tau, float* workspace, int elements, int* info);
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,
                                  const float* a, int lda, const int* pivots, float* b, int ldb, int* info);

cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                                             double* a, int lda, int* elements);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, double* a, int lda,
                                  double* workspace, int elements, int* info);
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                  const double* a, int lda, double* b, int ldb, int* info);
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double* a, int lda,
                                             int* elements);
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, double* a, int lda,
                                  double* workspace, int* pivots, int* info);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const double* a, int lda,
                                             const double* w, int* elements);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, double* a, int lda, double* w, double* workspace, int elements,
                                  int* info);
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, double* a, int lda,
                                             int* elements);
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, double* a, int lda, double* tau,
                                  double* workspace, int elements, int* info);
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k, const double* a,
                                             int lda, const double* tau, const double* c, int ldc,
                                             int* elements);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const double* a, int lda, const double* tau, double* c,
                                  int ldc, double* workspace, int elements, int* info);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const double* a,
                                             int lda, const double* tau, int* elements);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k, double* a, int lda,
                                  const double* tau, double* workspace, int elements, int* info);
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,
                                  const double* a, int lda, const int* pivots, double* b, int ldb, int* info);

cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                                             cuComplex* a, int lda, int* elements);
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, cuComplex* a,
                                  int lda, cuComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                  const cuComplex* a, int lda, cuComplex* b, int ldb, int* info);
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex* a, int lda,
                                             int* elements);
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t handle, int m, int n, cuComplex* a, int lda,
                                  cuComplex* workspace, int* pivots, int* info);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const cuComplex* a, int lda,
                                             const float* w, int* elements);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, cuComplex* a, int lda, float* w, cuComplex* workspace, int elements,
                                  int* info);
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuComplex* a, int lda,
                                             int* elements);
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t handle, int m, int n, cuComplex* a, int lda,
                                  cuComplex* tau, cuComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k, const cuComplex* a,
                                             int lda, const cuComplex* tau, const cuComplex* c, int ldc,
                                             int* elements);
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const cuComplex* a, int lda, const cuComplex* tau,
                                  cuComplex* c, int ldc, cuComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const cuComplex* a, int lda, const cuComplex* tau,
                                             int* elements);
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k, cuComplex* a, int lda,
                                  const cuComplex* tau, cuComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,
                                  const cuComplex* a, int lda, const int* pivots, cuComplex* b, int ldb,
                                  int* info);

cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                                             cuDoubleComplex* a, int lda, int* elements);
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, cuDoubleComplex* a,
                                  int lda, cuDoubleComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                  const cuDoubleComplex* a, int lda, cuDoubleComplex* b, int ldb, int* info);
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* a,
                                             int lda, int* elements);
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* a, int lda,
                                  cuDoubleComplex* workspace, int* pivots, int* info);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const cuDoubleComplex* a, int lda,
                                             const double* w, int* elements);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, cuDoubleComplex* a, int lda, double* w, cuDoubleComplex* workspace,
                                  int elements, int* info);
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* a,
                                             int lda, int* elements);
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t handle, int m, int n, cuDoubleComplex* a, int lda,
                                  cuDoubleComplex* tau, cuDoubleComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,
                                             cublasOperation_t op, int m, int n, int k,
                                             const cuDoubleComplex* a, int lda, const cuDoubleComplex* tau,
                                             const cuDoubleComplex* c, int ldc, int* elements);
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op,
                                  int m, int n, int k, const cuDoubleComplex* a, int lda,
                                  const cuDoubleComplex* tau, cuDoubleComplex* c, int ldc,
                                  cuDoubleComplex* workspace, int elements, int* info);
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,
                                             const cuDoubleComplex* a, int lda, const cuDoubleComplex* tau,
                                             int* elements);
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k, cuDoubleComplex* a, int lda,
                                  const cuDoubleComplex* tau, cuDoubleComplex* workspace, int elements,
                                  int* info);
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,
                                  const cuDoubleComplex* a, int lda, const int* pivots, cuDoubleComplex* b,
                                  int ldb, int* info);

#include "heddle/cusolver_jacobi.h"

#if defined(__cplusplus)
}
#endif
