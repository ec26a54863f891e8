#pragma once
// cuBLAS, level 3: matrices, and small systems in batches. trmm writes C, which may be B. What trsm solves for replaces B. Pivots count from 1; null: none.
// Included by cublas_v2.h.

#define cublasSgemm cublasSgemm_v2
#define cublasSsymm cublasSsymm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasSsyr2k cublasSsyr2k_v2
#define cublasStrmm cublasStrmm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasDsymm cublasDsymm_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasDsyr2k cublasDsyr2k_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasCgemm cublasCgemm_v2
#define cublasCsymm cublasCsymm_v2
#define cublasChemm cublasChemm_v2
#define cublasCsyrk cublasCsyrk_v2
#define cublasCsyr2k cublasCsyr2k_v2
#define cublasCherk cublasCherk_v2
#define cublasCher2k cublasCher2k_v2
#define cublasCtrmm cublasCtrmm_v2
#define cublasCtrsm cublasCtrsm_v2
#define cublasZgemm cublasZgemm_v2
#define cublasZsymm cublasZsymm_v2
#define cublasZhemm cublasZhemm_v2
#define cublasZsyrk cublasZsyrk_v2
#define cublasZsyr2k cublasZsyr2k_v2
#define cublasZherk cublasZherk_v2
#define cublasZher2k cublasZher2k_v2
#define cublasZtrmm cublasZtrmm_v2
#define cublasZtrsm cublasZtrsm_v2

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const float* alpha, const float* a, int lda, const float* b, int ldb,
                           const float* beta, float* c, int ldc);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const float* alpha, const float* const a[], int lda,
                                  const float* const b[], int ldb, const float* beta, float* const c[],
                                  int ldc, int batch);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const float* alpha,
                                         const float* a, int lda, long long stride_a, const float* b, int ldb,
                                         long long stride_b, const float* beta, float* c, int ldc,
                                         long long stride_c, int batch);
cublasStatus_t cublasSsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const float* alpha, const float* a, int lda, const float* b, int ldb,
                           const float* beta, float* c, int ldc);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const float* alpha, const float* a, int lda, const float* beta, float* c, int ldc);
cublasStatus_t cublasSsyr2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                            const float* alpha, const float* a, int lda, const float* b, int ldb,
                            const float* beta, float* c, int ldc);
cublasStatus_t cublasStrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const float* alpha,
                           const float* a, int lda, const float* b, int ldb, float* c, int ldc);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const float* alpha,
                           const float* a, int lda, float* b, int ldb);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, const float* alpha, const float* a, int lda, const float* beta,
                           const float* b, int ldb, float* c, int ldc);
cublasStatus_t cublasSdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const float* a,
                           int lda, const float* x, int incx, float* c, int ldc);
cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float* const a[], int lda, int* pivots,
                                   int* info, int batch);
cublasStatus_t cublasSgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int nrhs,
                                   const float* const a[], int lda, const int* pivots, float* const b[],
                                   int ldb, int* info, int batch);
cublasStatus_t cublasSgetriBatched(cublasHandle_t handle, int n, const float* const a[], int lda,
                                   const int* pivots, float* const c[], int ldc, int* info, int batch);
cublasStatus_t cublasSmatinvBatched(cublasHandle_t handle, int n, const float* const a[], int lda,
                                    float* const inverse[], int lda_inverse, int* info, int batch);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const double* alpha, const double* a, int lda, const double* b,
                           int ldb, const double* beta, double* c, int ldc);
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const double* alpha, const double* const a[], int lda,
                                  const double* const b[], int ldb, const double* beta, double* const c[],
                                  int ldc, int batch);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const double* alpha,
                                         const double* a, int lda, long long stride_a, const double* b,
                                         int ldb, long long stride_b, const double* beta, double* c, int ldc,
                                         long long stride_c, int batch);
cublasStatus_t cublasDsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const double* alpha, const double* a, int lda, const double* b, int ldb,
                           const double* beta, double* c, int ldc);
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const double* alpha, const double* a, int lda, const double* beta, double* c,
                           int ldc);
cublasStatus_t cublasDsyr2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                            const double* alpha, const double* a, int lda, const double* b, int ldb,
                            const double* beta, double* c, int ldc);
cublasStatus_t cublasDtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const double* alpha,
                           const double* a, int lda, const double* b, int ldb, double* c, int ldc);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const double* alpha,
                           const double* a, int lda, double* b, int ldb);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, const double* alpha, const double* a, int lda, const double* beta,
                           const double* b, int ldb, double* c, int ldc);
cublasStatus_t cublasDdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const double* a,
                           int lda, const double* x, int incx, double* c, int ldc);
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double* const a[], int lda, int* pivots,
                                   int* info, int batch);
cublasStatus_t cublasDgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int nrhs,
                                   const double* const a[], int lda, const int* pivots, double* const b[],
                                   int ldb, int* info, int batch);
cublasStatus_t cublasDgetriBatched(cublasHandle_t handle, int n, const double* const a[], int lda,
                                   const int* pivots, double* const c[], int ldc, int* info, int batch);
cublasStatus_t cublasDmatinvBatched(cublasHandle_t handle, int n, const double* const a[], int lda,
                                    double* const inverse[], int lda_inverse, int* info, int batch);
cublasStatus_t cublasCgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const cuComplex* alpha, const cuComplex* a, int lda,
                           const cuComplex* b, int ldb, const cuComplex* beta, cuComplex* c, int ldc);
cublasStatus_t cublasCgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const cuComplex* alpha, const cuComplex* const a[],
                                  int lda, const cuComplex* const b[], int ldb, const cuComplex* beta,
                                  cuComplex* const c[], int ldc, int batch);
cublasStatus_t cublasCgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const cuComplex* alpha,
                                         const cuComplex* a, int lda, long long stride_a, const cuComplex* b,
                                         int ldb, long long stride_b, const cuComplex* beta, cuComplex* c,
                                         int ldc, long long stride_c, int batch);
cublasStatus_t cublasCsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* b, int ldb,
                           const cuComplex* beta, cuComplex* c, int ldc);
cublasStatus_t cublasChemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* b, int ldb,
                           const cuComplex* beta, cuComplex* c, int ldc);
cublasStatus_t cublasCsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* beta,
                           cuComplex* c, int ldc);
cublasStatus_t cublasCsyr2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                            const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* b, int ldb,
                            const cuComplex* beta, cuComplex* c, int ldc);
cublasStatus_t cublasCherk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const float* alpha, const cuComplex* a, int lda, const float* beta, cuComplex* c,
                           int ldc);
cublasStatus_t cublasCher2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                            const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* b, int ldb,
                            const float* beta, cuComplex* c, int ldc);
cublasStatus_t cublasCtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* b, int ldb,
                           cuComplex* c, int ldc);
cublasStatus_t cublasCtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const cuComplex* alpha, const cuComplex* a, int lda, cuComplex* b, int ldb);
cublasStatus_t cublasCgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, const cuComplex* alpha, const cuComplex* a, int lda, const cuComplex* beta,
                           const cuComplex* b, int ldb, cuComplex* c, int ldc);
cublasStatus_t cublasCdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const cuComplex* a,
                           int lda, const cuComplex* x, int incx, cuComplex* c, int ldc);
cublasStatus_t cublasCgetrfBatched(cublasHandle_t handle, int n, cuComplex* const a[], int lda, int* pivots,
                                   int* info, int batch);
cublasStatus_t cublasCgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int nrhs,
                                   const cuComplex* const a[], int lda, const int* pivots,
                                   cuComplex* const b[], int ldb, int* info, int batch);
cublasStatus_t cublasCgetriBatched(cublasHandle_t handle, int n, const cuComplex* const a[], int lda,
                                   const int* pivots, cuComplex* const c[], int ldc, int* info, int batch);
cublasStatus_t cublasCmatinvBatched(cublasHandle_t handle, int n, const cuComplex* const a[], int lda,
                                    cuComplex* const inverse[], int lda_inverse, int* info, int batch);
cublasStatus_t cublasZgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* b, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* c,
                           int ldc);
cublasStatus_t cublasZgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const cuDoubleComplex* alpha,
                                  const cuDoubleComplex* const a[], int lda, const cuDoubleComplex* const b[],
                                  int ldb, const cuDoubleComplex* beta, cuDoubleComplex* const c[], int ldc,
                                  int batch);
cublasStatus_t cublasZgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                                         long long stride_a, const cuDoubleComplex* b, int ldb,
                                         long long stride_b, const cuDoubleComplex* beta, cuDoubleComplex* c,
                                         int ldc, long long stride_c, int batch);
cublasStatus_t cublasZsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* b, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* c,
                           int ldc);
cublasStatus_t cublasZhemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* b, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* c,
                           int ldc);
cublasStatus_t cublasZsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZsyr2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                            const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                            const cuDoubleComplex* b, int ldb, const cuDoubleComplex* beta,
                            cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZherk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                           const double* alpha, const cuDoubleComplex* a, int lda, const double* beta,
                           cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZher2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                            const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                            const cuDoubleComplex* b, int ldb, const double* beta, cuDoubleComplex* c,
                            int ldc);
cublasStatus_t cublasZtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* b, int ldb, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           cuDoubleComplex* b, int ldb);
cublasStatus_t cublasZgeam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                           const cuDoubleComplex* beta, const cuDoubleComplex* b, int ldb, cuDoubleComplex* c,
                           int ldc);
cublasStatus_t cublasZdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                           const cuDoubleComplex* a, int lda, const cuDoubleComplex* x, int incx,
                           cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZgetrfBatched(cublasHandle_t handle, int n, cuDoubleComplex* const a[], int lda,
                                   int* pivots, int* info, int batch);
cublasStatus_t cublasZgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int nrhs,
                                   const cuDoubleComplex* const a[], int lda, const int* pivots,
                                   cuDoubleComplex* const b[], int ldb, int* info, int batch);
cublasStatus_t cublasZgetriBatched(cublasHandle_t handle, int n, const cuDoubleComplex* const a[], int lda,
                                   const int* pivots, cuDoubleComplex* const c[], int ldc, int* info,
                                   int batch);
cublasStatus_t cublasZmatinvBatched(cublasHandle_t handle, int n, const cuDoubleComplex* const a[], int lda,
                                    cuDoubleComplex* const inverse[], int lda_inverse, int* info, int batch);
