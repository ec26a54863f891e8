// cublasLtMatmul: cuBLAS's tiled product, whose last step is the epilogue, so that D is written once.

#include "../cublas/gemm.cuh"
#include "../cublas/status.cuh"
#include "descriptors.cuh"

using namespace heddle_blas;
using namespace heddle_lt;

struct cublasLtContext {
    int multiprocessors;
};

namespace {

enum class Activation { none, relu, gelu };

/// D from the product and C. Where the matrices are row-major all are seen as their transposes, whose columns the bias follows.
template <typename TC>
struct Epilogue {
    const TC* c;
    int ldc;
    long long stride_c;
    const TC* bias;  // or null
    long long bias_stride;
    bool bias_of_column;
    Activation activation;

    __device__ __forceinline__ const TC& source(const TC&, int row, int column, int batch) const {
        return c[batch * stride_c + row + static_cast<long long>(column) * ldc];
    }
    template <typename Acc>
    __device__ __forceinline__ Acc finish(Acc v, int row, int column, int batch) const {
        if (bias != nullptr)
            v = add(v, convert<Acc>(bias[batch * bias_stride + (bias_of_column ? column : row)]));
        if constexpr (!Traits<Acc>::complex && !std::is_same_v<Acc, int>) {
            if (activation == Activation::relu) return v > 0 ? v : Acc(0);
            // The approximation by a hyperbolic tangent, as cuBLASLt has it.
            if (activation == Activation::gelu)
                return Acc(0.5) * v * (1 + tanh(Acc(0.7978845608028654) * (v + Acc(0.044715) * v * v * v)));
        }
        return v;
    }
};

bool dense(const Layout& l) {
    const uint64_t along = l.order == CUBLASLT_ORDER_ROW ? l.cols : l.rows;
    return l.ld >= static_cast<int64_t>(along) && l.ld <= INT32_MAX && l.rows <= INT32_MAX &&
           l.cols <= INT32_MAX;
}
bool plain(const Layout& l) {
    return (l.order == CUBLASLT_ORDER_COL || l.order == CUBLASLT_ORDER_ROW) && l.plane == 0;
}

/// What the matrices are to each other.
cublasStatus_t check(const Product& p, const Layout& a, const Layout& b, const Layout& c, const Layout& d) {
    auto op_valid = [](int op) { return valid_op(static_cast<cublasOperation_t>(op)); };
    if (!op_valid(p.trans_a) || !op_valid(p.trans_b)) return CUBLAS_STATUS_INVALID_VALUE;
    const bool ta = p.trans_a != CUBLAS_OP_N, tb = p.trans_b != CUBLAS_OP_N;
    if ((ta ? a.cols : a.rows) != d.rows || (tb ? b.rows : b.cols) != d.cols ||
        (ta ? a.rows : a.cols) != (tb ? b.cols : b.rows) || c.rows != d.rows || c.cols != d.cols)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (const Layout* l : {&a, &b, &c, &d})
        if (!dense(*l) || l->batch < 1 || (l->batch != d.batch && l->batch != 1))
            return CUBLAS_STATUS_INVALID_VALUE;
    for (const Layout* l : {&a, &b, &c, &d})
        if (!plain(*l)) return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool activated = (p.epilogue & ~(CUBLASLT_EPILOGUE_BIAS | CUBLASLT_EPILOGUE_DEFAULT)) != 0;
    if (p.unsupported || p.trans_c != CUBLAS_OP_N || p.fill != CUBLAS_FILL_MODE_FULL || c.order != d.order ||
        c.type != d.type || a.type != b.type || p.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE ||
        (p.epilogue & ~(CUBLASLT_EPILOGUE_DEFAULT | CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS |
                        CUBLASLT_EPILOGUE_GELU)) != 0 ||
        (activated && d.type != CUDA_R_32F && d.type != CUDA_R_64F && d.type != CUDA_R_16F &&
         d.type != CUDA_R_16BF))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

/// op(matrix), or its transpose.
template <typename T>
Factor<T> factor_of(const void* data, const Layout& l, int op, bool turned) {
    Factor<T> f =
        factor(static_cast<const T*>(data), static_cast<int>(l.ld), static_cast<cublasOperation_t>(op));
    f.transposed = f.transposed != (l.order == CUBLASLT_ORDER_ROW) != turned;
    f.stride = l.batch == 1 ? 0 : l.stride;
    return f;
}

struct Call {
    const Product& p;
    const Layout &la, &lb, &lc, &ld;
    const void *alpha, *a, *b, *beta, *c;
    void* d;
};

template <typename TA, typename TC, typename Acc, typename S = Acc>
cublasStatus_t run(cublasHandle_t h, const Call& call) {
    const bool turned = call.ld.order == CUBLASLT_ORDER_ROW;
    const Factor<TA> left = factor_of<TA>(call.a, call.la, call.p.trans_a, turned),
                     right = factor_of<TA>(call.b, call.lb, call.p.trans_b, turned);
    const int m = static_cast<int>(call.ld.rows), n = static_cast<int>(call.ld.cols),
              k = static_cast<int>(call.p.trans_a != CUBLAS_OP_N ? call.la.rows : call.la.cols);
    auto scalar_at = [&](const void* place) {
        if constexpr (std::is_same_v<S, Acc>)
            return scalar(h, static_cast<const Acc*>(place));
        else
            return constant(static_cast<Acc>(known(h, static_cast<const S*>(place))));
    };
    GemmTask<TA, TC, Acc, Epilogue<TC>> t{turned ? n : m,
                                          turned ? m : n,
                                          k,
                                          turned ? right : left,
                                          turned ? left : right,
                                          scalar_at(call.alpha),
                                          scalar_at(call.beta),
                                          static_cast<TC*>(call.d),
                                          nullptr,
                                          call.ld.stride,
                                          static_cast<int>(call.ld.ld),
                                          Part::all,
                                          false,
                                          call.ld.batch,
                                          {}};
    const bool biased = (call.p.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0;
    t.finish = {static_cast<const TC*>(call.c),
                static_cast<int>(call.lc.ld),
                call.lc.batch == 1 ? 0 : call.lc.stride,
                biased ? static_cast<const TC*>(call.p.bias) : nullptr,
                call.p.bias_stride,
                turned,
                (call.p.epilogue & CUBLASLT_EPILOGUE_RELU) != 0   ? Activation::relu
                : (call.p.epilogue & CUBLASLT_EPILOGUE_GELU) != 0 ? Activation::gelu
                                                                  : Activation::none};
    return run_gemm(h, t);
}

/// Calls with(run) for the types, or says that they are not there.
template <typename With>
cublasStatus_t typed(const Product& p, const Layout& a, const Layout& d, With with) {
    auto is = [&](int from, int to) { return a.type == from && d.type == to; };
    switch (p.compute) {
        case CUBLAS_COMPUTE_16F:
        case CUBLAS_COMPUTE_16F_PEDANTIC:
            if (is(CUDA_R_16F, CUDA_R_16F) && p.scale == CUDA_R_16F)
                return with(run<__half, __half, float, __half>);
            break;
        case CUBLAS_COMPUTE_64F:
        case CUBLAS_COMPUTE_64F_PEDANTIC:
            if (is(CUDA_R_64F, CUDA_R_64F) && p.scale == CUDA_R_64F) return with(run<double, double, double>);
            if (is(CUDA_C_64F, CUDA_C_64F) && p.scale == CUDA_C_64F)
                return with(run<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>);
            break;
        case CUBLAS_COMPUTE_32I:
        case CUBLAS_COMPUTE_32I_PEDANTIC:
            if (is(CUDA_R_8I, CUDA_R_32I) && p.scale == CUDA_R_32I) return with(run<signed char, int, int>);
            break;
        default:
            if (is(CUDA_C_32F, CUDA_C_32F) && p.scale == CUDA_C_32F)
                return with(run<cuComplex, cuComplex, cuComplex>);
            if (p.scale != CUDA_R_32F) break;
            if (is(CUDA_R_32F, CUDA_R_32F)) return with(run<float, float, float>);
            if (is(CUDA_R_16F, CUDA_R_16F)) return with(run<__half, __half, float>);
            if (is(CUDA_R_16F, CUDA_R_32F)) return with(run<__half, float, float>);
            if (is(CUDA_R_16BF, CUDA_R_16BF)) return with(run<__nv_bfloat16, __nv_bfloat16, float>);
            if (is(CUDA_R_16BF, CUDA_R_32F)) return with(run<__nv_bfloat16, float, float>);
            if (is(CUDA_R_8I, CUDA_R_32F)) return with(run<signed char, float, float>);
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    HEDDLE_BLAS_CHECK(handle != nullptr);
    int device = 0, multiprocessors = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = new cublasLtContext{multiprocessors};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
size_t cublasLtGetVersion(void) {
    return CUBLAS_VERSION;
}
size_t cublasLtGetCudartVersion(void) {
    return CUDART_VERSION;
}
const char* cublasLtGetStatusName(cublasStatus_t status) {
    return status_text(status).name;
}
const char* cublasLtGetStatusString(cublasStatus_t status) {
    return status_text(status).text;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t*, cublasLtMatmulHeuristicResult_t* result) {
    HEDDLE_BLAS_HANDLE(handle);
    HEDDLE_BLAS_CHECK(description && a && b && c && d && result);
    cublasStatus_t status = check(of(description), of(a), of(b), of(c), of(d));
    if (status == CUBLAS_STATUS_SUCCESS)
        status = typed(of(description), of(a), of(d), [](auto) { return CUBLAS_STATUS_SUCCESS; });
    *result = {};
    result->state = status;
    result->wavesCount = 1;
    return status;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int* returned) {
    HEDDLE_BLAS_HANDLE(handle);
    HEDDLE_BLAS_CHECK(preference && requested > 0 && results && returned);
    *returned = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, description, a, b, c, d, nullptr, results);
    if (status == CUBLAS_STATUS_SUCCESS) *returned = 1;
    return status;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t stream) {
    HEDDLE_BLAS_HANDLE(handle);
    HEDDLE_BLAS_CHECK(description && alpha && beta && a_layout && b_layout && c_layout && d_layout);
    const Call call{
        of(description), of(a_layout), of(b_layout), of(c_layout), of(d_layout), alpha, a, b, beta, c, d};
    const cublasStatus_t status = check(call.p, call.la, call.lb, call.lc, call.ld);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    HEDDLE_BLAS_CHECK((call.p.epilogue & CUBLASLT_EPILOGUE_BIAS) == 0 || call.p.bias != nullptr);
    cublasContext context;
    context.stream = stream;
    context.pointer_mode = static_cast<cublasPointerMode_t>(call.p.pointer_mode);
    context.multiprocessors = handle->multiprocessors;
    return typed(call.p, call.la, call.ld, [&](auto function) { return function(&context, call); });
}

}  // extern "C"
