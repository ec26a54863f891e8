// gemm in its forms: plain, batched by lists and by strides, of mixed types.

#include "gemm.cuh"

using namespace heddle_blas;

namespace heddle_blas {

template cublasStatus_t run_gemm<float, float, float>(cublasHandle_t, const GemmTask<float, float, float>&);
template cublasStatus_t run_gemm<double, double, double>(cublasHandle_t,
                                                         const GemmTask<double, double, double>&);
template cublasStatus_t run_gemm<cuComplex, cuComplex, cuComplex>(
    cublasHandle_t, const GemmTask<cuComplex, cuComplex, cuComplex>&);
template cublasStatus_t run_gemm<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(
    cublasHandle_t, const GemmTask<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>&);

}  // namespace heddle_blas

namespace {

template <typename T>
cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                    const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_gemm(ta, tb, m, n, k, lda, ldb, ldc) && alpha && beta);
    return run_gemm(h, gemm_task<T, T, T>(m, n, k, scalar(h, alpha), factor(a, lda, ta), factor(b, ldb, tb),
                                          scalar(h, beta), c, ldc));
}

template <typename T>
cublasStatus_t gemm_list(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                         const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,
                         const T* beta, T* const c[], int ldc, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_gemm(ta, tb, m, n, k, lda, ldb, ldc) && alpha && beta && batch >= 0);
    auto t = gemm_task<T, T, T>(m, n, k, scalar(h, alpha), factor<T>(nullptr, lda, ta),
                                factor<T>(nullptr, ldb, tb), scalar(h, beta), nullptr, ldc);
    t.a.list = a;
    t.b.list = b;
    t.c_list = c;
    t.batch = batch;
    return run_gemm(h, t);
}

template <typename TA, typename TC, typename Acc>
cublasStatus_t gemm_mixed(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                          Scalar<Acc> alpha, const void* a, int lda, long long stride_a, const void* b,
                          int ldb, long long stride_b, Scalar<Acc> beta, void* c, int ldc, long long stride_c,
                          int batch) {
    auto t =
        gemm_task<TA, TC, Acc>(m, n, k, alpha, factor(static_cast<const TA*>(a), lda, ta),
                               factor(static_cast<const TA*>(b), ldb, tb), beta, static_cast<TC*>(c), ldc);
    t.a.stride = stride_a;
    t.b.stride = stride_b;
    t.c_stride = stride_c;
    t.batch = batch;
    return run_gemm(h, t);
}

template <typename T>
cublasStatus_t gemm_strided(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,
                            long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_gemm(ta, tb, m, n, k, lda, ldb, ldc) && alpha && beta && batch >= 0);
    return gemm_mixed<T, T, T>(h, ta, tb, m, n, k, scalar(h, alpha), a, lda, stride_a, b, ldb, stride_b,
                               scalar(h, beta), c, ldc, stride_c, batch);
}

/// A scalar of half precision, as the kernels take it.
Scalar<float> half_scalar(cublasHandle_t h, const void* place) {
    return constant(static_cast<float>(known(h, static_cast<const __half*>(place))));
}

cublasStatus_t gemm_ex(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                       const void* alpha, const void* a, cudaDataType a_type, int lda, long long stride_a,
                       const void* b, cudaDataType b_type, int ldb, long long stride_b, const void* beta,
                       void* c, cudaDataType c_type, int ldc, long long stride_c, int batch,
                       cublasComputeType_t compute) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_gemm(ta, tb, m, n, k, lda, ldb, ldc) && alpha && beta && batch >= 0);
    if (a_type != b_type) return CUBLAS_STATUS_NOT_SUPPORTED;
    auto run = [&](auto element_a, auto element_c, auto a_scalar, auto b_scalar) {
        using Acc = decltype(a_scalar.value);
        return gemm_mixed<decltype(element_a), decltype(element_c), Acc>(h, ta, tb, m, n, k, a_scalar, a, lda,
                                                                         stride_a, b, ldb, stride_b, b_scalar,
                                                                         c, ldc, stride_c, batch);
    };
    auto typed = [&](auto element_a, auto element_c, auto zero_value) {
        using Acc = decltype(zero_value);
        return run(element_a, element_c, scalar(h, static_cast<const Acc*>(alpha)),
                   scalar(h, static_cast<const Acc*>(beta)));
    };
    const bool in_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const bool in_int = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    if (in_half) {
        if (a_type != CUDA_R_16F || c_type != CUDA_R_16F) return CUBLAS_STATUS_NOT_SUPPORTED;
        return run(__half(), __half(), half_scalar(h, alpha), half_scalar(h, beta));
    }
    if (in_int) {
        if (a_type == CUDA_R_8I && c_type == CUDA_R_32I) return typed(static_cast<signed char>(0), 0, 0);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (in_double) {
        if (a_type == CUDA_R_64F && c_type == CUDA_R_64F) return typed(0.0, 0.0, 0.0);
        if (a_type == CUDA_C_64F && c_type == CUDA_C_64F)
            return typed(cuDoubleComplex(), cuDoubleComplex(), cuDoubleComplex());
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (a_type == CUDA_R_32F && c_type == CUDA_R_32F) return typed(0.0f, 0.0f, 0.0f);
    if (a_type == CUDA_C_32F && c_type == CUDA_C_32F) return typed(cuComplex(), cuComplex(), cuComplex());
    if (a_type == CUDA_R_16F && c_type == CUDA_R_16F) return typed(__half(), __half(), 0.0f);
    if (a_type == CUDA_R_16F && c_type == CUDA_R_32F) return typed(__half(), 0.0f, 0.0f);
    if (a_type == CUDA_R_16BF && c_type == CUDA_R_16BF) return typed(__nv_bfloat16(), __nv_bfloat16(), 0.0f);
    if (a_type == CUDA_R_16BF && c_type == CUDA_R_32F) return typed(__nv_bfloat16(), 0.0f, 0.0f);
    if (a_type == CUDA_R_8I && c_type == CUDA_R_32F) return typed(static_cast<signed char>(0), 0.0f, 0.0f);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace

extern "C" {

#define HEDDLE_BLAS_GEMM(L, T)                                                                               \
    cublasStatus_t cublas##L##gemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
                                      int n, int k, const T* alpha, const T* a, int lda, const T* b,         \
                                      int ldb, const T* beta, T* c, int ldc) {                               \
        return gemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                \
    }                                                                                                        \
    cublasStatus_t cublas##L##gemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,      \
                                          int m, int n, int k, const T* alpha, const T* const a[], int lda,  \
                                          const T* const b[], int ldb, const T* beta, T* const c[], int ldc, \
                                          int batch) {                                                       \
        return gemm_list(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch);                    \
    }                                                                                                        \
    cublasStatus_t cublas##L##gemmStridedBatched(                                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T* alpha,   \
        const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b, const T* beta,     \
        T* c, int ldc, long long stride_c, int batch) {                                                      \
        return gemm_strided(h, ta, tb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc,     \
                            stride_c, batch);                                                                \
    }
HEDDLE_BLAS_GEMM(S, float)
HEDDLE_BLAS_GEMM(D, double)
HEDDLE_BLAS_GEMM(C, cuComplex)
HEDDLE_BLAS_GEMM(Z, cuDoubleComplex)

cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                           const __half* beta, __half* c, int ldc) {
    return gemm_ex(h, ta, tb, m, n, k, alpha, a, CUDA_R_16F, lda, 0, b, CUDA_R_16F, ldb, 0, beta, c,
                   CUDA_R_16F, ldc, 0, 1, CUBLAS_COMPUTE_16F);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                                         int n, int k, const __half* alpha, const __half* a, int lda,
                                         long long stride_a, const __half* b, int ldb, long long stride_b,
                                         const __half* beta, __half* c, int ldc, long long stride_c,
                                         int batch) {
    return gemm_ex(h, ta, tb, m, n, k, alpha, a, CUDA_R_16F, lda, stride_a, b, CUDA_R_16F, ldb, stride_b,
                   beta, c, CUDA_R_16F, ldc, stride_c, batch, CUBLAS_COMPUTE_16F);
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                  int k, const __half* alpha, const __half* const a[], int lda,
                                  const __half* const b[], int ldb, const __half* beta, __half* const c[],
                                  int ldc, int batch) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(valid_gemm(ta, tb, m, n, k, lda, ldb, ldc) && alpha && beta && batch >= 0);
    auto t = gemm_task<__half, __half, float>(
        m, n, k, half_scalar(h, alpha), factor<__half>(nullptr, lda, ta), factor<__half>(nullptr, ldb, tb),
        half_scalar(h, beta), nullptr, ldc);
    t.a.list = a;
    t.b.list = b;
    t.c_list = c;
    t.batch = batch;
    return run_gemm(h, t);
}
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type,
                            int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
    return gemm_ex(h, ta, tb, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb, 0, beta, c, c_type, ldc, 0,
                   1, compute);
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long stride_a, const void* b, cudaDataType b_type,
                                          int ldb, long long stride_b, const void* beta, void* c,
                                          cudaDataType c_type, int ldc, long long stride_c, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
    return gemm_ex(h, ta, tb, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb, stride_b, beta, c,
                   c_type, ldc, stride_c, batch, compute);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                             int k, const float* alpha, const void* a, cudaDataType a_type, int lda,
                             const void* b, cudaDataType b_type, int ldb, const float* beta, void* c,
                             cudaDataType c_type, int ldc) {
    return gemm_ex(h, ta, tb, m, n, k, alpha, a, a_type, lda, 0, b, b_type, ldb, 0, beta, c, c_type, ldc, 0,
                   1, CUBLAS_COMPUTE_32F);
}

}  // extern "C"
