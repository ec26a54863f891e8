// Part of cusolverDn.h: singular values, Jacobi's methods, batches.

// How far and how long Jacobi's methods go. A tolerance of 0 is the type's precision; values come sorted. What the last call did is
// there when its stream is done: the residual is the Frobenius norm of what is left beside the diagonal.
typedef struct JacobiParameters *gesvdjInfo_t, *syevjInfo_t;
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* params);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t params);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t params, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t params, int most);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t params, int sorted);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t params,
                                              double* residual);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t params, int* sweeps);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* params);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t params);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t params, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t params, int most);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t params, int sorted);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t params, double* residual);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t params, int* sweeps);

// `info`: 0, or one more than the number of values where the most sweeps were too few. A NaN or an infinite
// element makes all values of its matrix NaN. gesvd has m >= n; its jobs are 'A', 'S', 'O' and 'N'. Batches are matrices one
// after the other, potrf's and potrs's lists of pointers in device memory; potrsBatched solves for one right side each.

cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* elements);
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_vt, int m,
                                  int n, float* a, int lda, float* s, float* u, int ldu, float* vt, int ldvt,
                                  float* workspace, int elements, float* unused, int* info);
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic,
                                              int m, int n, const float* a, int lda, const float* s,
                                              const float* u, int ldu, const float* v, int ldv, int* elements,
                                              gesvdjInfo_t params);
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic, int m,
                                   int n, float* a, int lda, float* s, float* u, int ldu, float* v, int ldv,
                                   float* workspace, int elements, int* info, gesvdjInfo_t params);
cusolverStatus_t cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m,
                                                     int n, const float* a, int lda, const float* s,
                                                     const float* u, int ldu, const float* v, int ldv,
                                                     int* elements, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnSgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                          float* a, int lda, float* s, float* u, int ldu, float* v, int ldv,
                                          float* workspace, int elements, int* info, gesvdjInfo_t params,
                                          int batch);
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const float* a, int lda,
                                             const float* w, int* elements, syevjInfo_t params);
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, float* a, int lda, float* w, float* workspace, int elements,
                                  int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const float* a, int lda,
                                                    const float* w, int* elements, syevjInfo_t params,
                                                    int batch);
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                         cublasFillMode_t fill, int n, float* a, int lda, float* w,
                                         float* workspace, int elements, int* info, syevjInfo_t params,
                                         int batch);
cusolverStatus_t cusolverDnSpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, float* a[],
                                         int lda, int* info, int batch);
cusolverStatus_t cusolverDnSpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                         float* a[], int lda, float* b[], int ldb, int* info, int batch);

cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* elements);
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_vt, int m,
                                  int n, double* a, int lda, double* s, double* u, int ldu, double* vt,
                                  int ldvt, double* workspace, int elements, double* unused, int* info);
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic,
                                              int m, int n, const double* a, int lda, const double* s,
                                              const double* u, int ldu, const double* v, int ldv,
                                              int* elements, gesvdjInfo_t params);
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic, int m,
                                   int n, double* a, int lda, double* s, double* u, int ldu, double* v,
                                   int ldv, double* workspace, int elements, int* info, gesvdjInfo_t params);
cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m,
                                                     int n, const double* a, int lda, const double* s,
                                                     const double* u, int ldu, const double* v, int ldv,
                                                     int* elements, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnDgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                          double* a, int lda, double* s, double* u, int ldu, double* v,
                                          int ldv, double* workspace, int elements, int* info,
                                          gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const double* a, int lda,
                                             const double* w, int* elements, syevjInfo_t params);
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, double* a, int lda, double* w, double* workspace, int elements,
                                  int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const double* a, int lda,
                                                    const double* w, int* elements, syevjInfo_t params,
                                                    int batch);
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                         cublasFillMode_t fill, int n, double* a, int lda, double* w,
                                         double* workspace, int elements, int* info, syevjInfo_t params,
                                         int batch);
cusolverStatus_t cusolverDnDpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, double* a[],
                                         int lda, int* info, int batch);
cusolverStatus_t cusolverDnDpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                         double* a[], int lda, double* b[], int ldb, int* info, int batch);

cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* elements);
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_vt, int m,
                                  int n, cuComplex* a, int lda, float* s, cuComplex* u, int ldu,
                                  cuComplex* vt, int ldvt, cuComplex* workspace, int elements, float* unused,
                                  int* info);
cusolverStatus_t cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic,
                                              int m, int n, const cuComplex* a, int lda, const float* s,
                                              const cuComplex* u, int ldu, const cuComplex* v, int ldv,
                                              int* elements, gesvdjInfo_t params);
cusolverStatus_t cusolverDnCgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic, int m,
                                   int n, cuComplex* a, int lda, float* s, cuComplex* u, int ldu,
                                   cuComplex* v, int ldv, cuComplex* workspace, int elements, int* info,
                                   gesvdjInfo_t params);
cusolverStatus_t cusolverDnCgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m,
                                                     int n, const cuComplex* a, int lda, const float* s,
                                                     const cuComplex* u, int ldu, const cuComplex* v, int ldv,
                                                     int* elements, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnCgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                          cuComplex* a, int lda, float* s, cuComplex* u, int ldu,
                                          cuComplex* v, int ldv, cuComplex* workspace, int elements,
                                          int* info, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnCheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const cuComplex* a, int lda,
                                             const float* w, int* elements, syevjInfo_t params);
cusolverStatus_t cusolverDnCheevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, cuComplex* a, int lda, float* w, cuComplex* workspace, int elements,
                                  int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnCheevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const cuComplex* a, int lda,
                                                    const float* w, int* elements, syevjInfo_t params,
                                                    int batch);
cusolverStatus_t cusolverDnCheevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                         cublasFillMode_t fill, int n, cuComplex* a, int lda, float* w,
                                         cuComplex* workspace, int elements, int* info, syevjInfo_t params,
                                         int batch);
cusolverStatus_t cusolverDnCpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                                         cuComplex* a[], int lda, int* info, int batch);
cusolverStatus_t cusolverDnCpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                         cuComplex* a[], int lda, cuComplex* b[], int ldb, int* info,
                                         int batch);

cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* elements);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_vt, int m,
                                  int n, cuDoubleComplex* a, int lda, double* s, cuDoubleComplex* u, int ldu,
                                  cuDoubleComplex* vt, int ldvt, cuDoubleComplex* workspace, int elements,
                                  double* unused, int* info);
cusolverStatus_t cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic,
                                              int m, int n, const cuDoubleComplex* a, int lda,
                                              const double* s, const cuDoubleComplex* u, int ldu,
                                              const cuDoubleComplex* v, int ldv, int* elements,
                                              gesvdjInfo_t params);
cusolverStatus_t cusolverDnZgesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int economic, int m,
                                   int n, cuDoubleComplex* a, int lda, double* s, cuDoubleComplex* u, int ldu,
                                   cuDoubleComplex* v, int ldv, cuDoubleComplex* workspace, int elements,
                                   int* info, gesvdjInfo_t params);
cusolverStatus_t cusolverDnZgesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m,
                                                     int n, const cuDoubleComplex* a, int lda,
                                                     const double* s, const cuDoubleComplex* u, int ldu,
                                                     const cuDoubleComplex* v, int ldv, int* elements,
                                                     gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnZgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m, int n,
                                          cuDoubleComplex* a, int lda, double* s, cuDoubleComplex* u, int ldu,
                                          cuDoubleComplex* v, int ldv, cuDoubleComplex* workspace,
                                          int elements, int* info, gesvdjInfo_t params, int batch);
cusolverStatus_t cusolverDnZheevj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t fill, int n, const cuDoubleComplex* a, int lda,
                                             const double* w, int* elements, syevjInfo_t params);
cusolverStatus_t cusolverDnZheevj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,
                                  int n, cuDoubleComplex* a, int lda, double* w, cuDoubleComplex* workspace,
                                  int elements, int* info, syevjInfo_t params);
cusolverStatus_t cusolverDnZheevjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, int n, const cuDoubleComplex* a,
                                                    int lda, const double* w, int* elements,
                                                    syevjInfo_t params, int batch);
cusolverStatus_t cusolverDnZheevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                         cublasFillMode_t fill, int n, cuDoubleComplex* a, int lda, double* w,
                                         cuDoubleComplex* workspace, int elements, int* info,
                                         syevjInfo_t params, int batch);
cusolverStatus_t cusolverDnZpotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,
                                         cuDoubleComplex* a[], int lda, int* info, int batch);
cusolverStatus_t cusolverDnZpotrsBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                         cuDoubleComplex* a[], int lda, cuDoubleComplex* b[], int ldb,
                                         int* info, int batch);
