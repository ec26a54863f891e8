#pragma once
// cuBLAS: dense linear algebra in column-major order. Meanings are those of NVIDIA's cuBLAS manual. The library is Heddle's own
// (src/cuda/libraries/cublas); a function that is not declared here is not there.

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "heddle/cublas_types.h"
#include "library_types.h"

#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#define CUBLASWINAPI
#define CUBLASAPI

#if defined(__cplusplus)
extern "C" {
#endif

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
/// Atomics, mathematics and workspace change nothing here.
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char* file);

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t stream);

#include "heddle/cublas_compact.h"
#include "heddle/cublas_level1.h"
#include "heddle/cublas_level2.h"
#include "heddle/cublas_level3.h"

/// Types: A and B of one of 16F, 16BF, 32F, 64F, 8I, 32F and 64F complex; C of the same, or of 32F or 32I as cuBLAS's table says.
/// Sums of halves are kept in single precision. Other combinations give CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType a_type, int lda,
                            const void* b, cudaDataType b_type, int ldb, const void* beta, void* c,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType a_type, int lda, long long stride_a,
                                          const void* b, cudaDataType b_type, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType c_type, int ldc,
                                          long long stride_c, int batch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algo);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                             int n, int k, const float* alpha, const void* a, cudaDataType a_type, int lda,
                             const void* b, cudaDataType b_type, int ldb, const float* beta, void* c,
                             cudaDataType c_type, int ldc);

#if defined(__cplusplus)
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const __half* alpha, const __half* a, int lda, const __half* b,
                           int ldb, const __half* beta, __half* c, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const __half* alpha, const __half* const a[], int lda,
                                  const __half* const b[], int ldb, const __half* beta, __half* const c[],
                                  int ldc, int batch);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const __half* alpha,
                                         const __half* a, int lda, long long stride_a, const __half* b,
                                         int ldb, long long stride_b, const __half* beta, __half* c, int ldc,
                                         long long stride_c, int batch);
}

/// The compute type may be given as a data type, as CUDA 10's programs do.
static inline cublasComputeType_t heddle_cublas_compute(cudaDataType type) {
    switch (type) {
        case CUDA_R_16F:
            return CUBLAS_COMPUTE_16F;
        case CUDA_R_64F:
        case CUDA_C_64F:
            return CUBLAS_COMPUTE_64F;
        case CUDA_R_32I:
            return CUBLAS_COMPUTE_32I;
        default:
            return CUBLAS_COMPUTE_32F;
    }
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType a_type, int lda, const void* b,
                                          cudaDataType b_type, int ldb, const void* beta, void* c,
                                          cudaDataType c_type, int ldc, cudaDataType compute,
                                          cublasGemmAlgo_t algo) {
    return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type,
                        ldc, heddle_cublas_compute(compute), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType a_type, int lda, long long stride_a, const void* b,
    cudaDataType b_type, int ldb, long long stride_b, const void* beta, void* c, cudaDataType c_type, int ldc,
    long long stride_c, int batch, cudaDataType compute, cublasGemmAlgo_t algo) {
    return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type,
                                      ldb, stride_b, beta, c, c_type, ldc, stride_c, batch,
                                      heddle_cublas_compute(compute), algo);
}
#endif
