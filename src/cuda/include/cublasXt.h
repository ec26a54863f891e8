#pragma once
// cuBLAS for matrices in host memory: gemm, on the one device. Of the settings none changes anything.

#include "cublas_v2.h"

#define CUBLAS_XT_H_

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cublasXtContext* cublasXtHandle_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* size);
cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             size_t m, size_t n, size_t k, const float* alpha, const float* a, size_t lda,
                             const float* b, size_t ldb, const float* beta, float* c, size_t ldc);
cublasStatus_t cublasXtDgemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             size_t m, size_t n, size_t k, const double* alpha, const double* a, size_t lda,
                             const double* b, size_t ldb, const double* beta, double* c, size_t ldc);

#if defined(__cplusplus)
}
#endif
