// cublasLtMatmul against loops on the host: types, transpositions, orders, batches, pointer modes and epilogues.
// Prints what differs, and "cublaslt done" if nothing does.

#include <cmath>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <vector>

#include "library.h"

static cublasLtHandle_t handle;

template <typename T>
static double number(T v) {
    return static_cast<double>(static_cast<float>(v));
}
template <>
double number(double v) {
    return v;
}

/// A batch of matrices in managed memory, in either order.
template <typename T>
struct Matrix {
    int rows, columns, ld, batch;
    bool row_major;
    T* data = nullptr;
    cublasLtMatrixLayout_t layout = nullptr;
    Matrix(cudaDataType type, int m, int n, int extra, bool row, int count)
        : rows(m), columns(n), ld((row ? n : m) + extra), batch(count), row_major(row) {
        const size_t elements = static_cast<size_t>(stride()) * batch;
        OK(cudaMallocManaged(&data, elements * sizeof(T)));
        for (size_t i = 0; i < elements; ++i)
            data[i] =
                T(static_cast<float>(sizeof(T) == 1 ? std::floor(random_value() * 40) : random_value()));
        OK(cublasLtMatrixLayoutCreate(&layout, type, static_cast<uint64_t>(m), static_cast<uint64_t>(n), ld));
        const int32_t order = row ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
        OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
        const int32_t batches = batch;
        const int64_t offset = stride();
        OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches,
                                            sizeof batches));
        OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset,
                                            sizeof offset));
    }
    ~Matrix() {
        cublasLtMatrixLayoutDestroy(layout);
        cudaFree(data);
    }
    int stride() const { return ld * (row_major ? rows : columns) + 3; }
    double at(cublasOperation_t op, int i, int j, int b) const {
        const int r = op == CUBLAS_OP_N ? i : j, c = op == CUBLAS_OP_N ? j : i;
        return number(data[b * stride() + (row_major ? r * ld + c : r + c * ld)]);
    }
};

struct Case {
    int m, n, k, extra, batch;
    cublasOperation_t ta, tb;
    bool row_a, row_b, row_d, on_device;
    cublasLtEpilogue_t epilogue;
};

template <typename TA, typename TC, typename S>
static void test(cudaDataType ta, cudaDataType tc, cudaDataType ts, cublasComputeType_t compute,
                 const Case& t, double tolerance) {
    const bool turn_a = t.ta != CUBLAS_OP_N, turn_b = t.tb != CUBLAS_OP_N;
    Matrix<TA> a(ta, turn_a ? t.k : t.m, turn_a ? t.m : t.k, t.extra, t.row_a, t.batch);
    Matrix<TA> b(ta, turn_b ? t.n : t.k, turn_b ? t.k : t.n, t.extra, t.row_b, t.batch);
    Matrix<TC> c(tc, t.m, t.n, 2 * t.extra, t.row_d, t.batch), d(tc, t.m, t.n, t.extra, t.row_d, t.batch);
    Matrix<TC> bias(tc, t.m, 1, 0, false, 1);
    S* scalars = nullptr;
    OK(cudaMallocManaged(&scalars, 2 * sizeof(S)));
    scalars[0] = S(2);
    scalars[1] = S(sizeof(TA) == 1 ? 3 : -0.5);
    cublasLtMatmulDesc_t product;
    OK(cublasLtMatmulDescCreate(&product, compute, ts));
    const int32_t op_a = t.ta, op_b = t.tb, epilogue = t.epilogue;
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, sizeof op_a));
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, sizeof op_b));
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.data,
                                      sizeof bias.data));
    const int32_t mode = t.on_device ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST;
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode));
    cublasLtMatmulPreference_t preference;
    OK(cublasLtMatmulPreferenceCreate(&preference));
    const size_t workspace = 1 << 20;
    OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                            sizeof workspace));
    cublasLtMatmulHeuristicResult_t found[2];
    int count = 0;
    OK(cublasLtMatmulAlgoGetHeuristic(handle, product, a.layout, b.layout, c.layout, d.layout, preference, 2,
                                      found, &count));
    EXPECT(count == 1 && found[0].state == CUBLAS_STATUS_SUCCESS && found[0].workspaceSize <= workspace);
    OK(cublasLtMatmul(handle, product, scalars, a.data, a.layout, b.data, b.layout, scalars + 1, c.data,
                      c.layout, d.data, d.layout, &found[0].algo, nullptr, 0, nullptr));
    OK(cudaDeviceSynchronize());
    double worst = 0;
    for (int batch = 0; batch < t.batch; ++batch)
        for (int j = 0; j < t.n; ++j)
            for (int i = 0; i < t.m; ++i) {
                double v = 0;
                for (int l = 0; l < t.k; ++l) v += a.at(t.ta, i, l, batch) * b.at(t.tb, l, j, batch);
                v = number(scalars[0]) * v + number(scalars[1]) * c.at(CUBLAS_OP_N, i, j, batch);
                if ((t.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0) v += bias.at(CUBLAS_OP_N, i, 0, 0);
                if ((t.epilogue & CUBLASLT_EPILOGUE_RELU) != 0) v = v > 0 ? v : 0;
                if ((t.epilogue & CUBLASLT_EPILOGUE_GELU) != 0)
                    v = 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)));
                worst = larger(worst, std::fabs(d.at(CUBLAS_OP_N, i, j, batch) - v) / (1 + std::fabs(v)));
            }
    if (!(worst <= tolerance)) {
        std::printf("types %d %d, epilogue %d, ops %d %d: off by %g\n", ta, tc, t.epilogue, t.ta, t.tb,
                    worst);
        ++failures;
    }
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatmulDescDestroy(product);
    cudaFree(scalars);
}

static void test_refusals() {
    cublasLtMatmulDesc_t product;
    OK(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    cublasLtMatrixLayoutOpaque_t a, b;
    OK(cublasLtMatrixLayoutInit(&a, CUDA_R_32F, 8, 8, 8));
    OK(cublasLtMatrixLayoutInit(&b, CUDA_R_32F, 9, 8, 9));
    cublasLtMatmulHeuristicResult_t result;
    OK(cublasLtMatmulAlgoCheck(handle, product, &a, &a, &a, &a, nullptr, &result));
    EXPECT(cublasLtMatmulAlgoCheck(handle, product, &a, &b, &a, &a, nullptr, &result) ==
           CUBLAS_STATUS_INVALID_VALUE);
    int32_t order = CUBLASLT_ORDER_COL32;
    OK(cublasLtMatrixLayoutSetAttribute(&a, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    EXPECT(cublasLtMatmulAlgoCheck(handle, product, &a, &a, &a, &a, nullptr, &result) ==
           CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(cublasLtMatrixLayoutSetAttribute(&a, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, 8) ==
           CUBLAS_STATUS_INVALID_VALUE);
    uint64_t rows = 0;
    size_t written = 0;
    OK(cublasLtMatrixLayoutGetAttribute(&b, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, &written));
    EXPECT(rows == 9 && written == 8);
    order = CUBLASLT_ORDER_COL;
    OK(cublasLtMatrixLayoutSetAttribute(&a, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    const int32_t epilogue = CUBLASLT_EPILOGUE_DGELU;
    OK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
    EXPECT(cublasLtMatmulAlgoCheck(handle, product, &a, &a, &a, &a, nullptr, &result) ==
           CUBLAS_STATUS_NOT_SUPPORTED);
    OK(cublasLtMatmulDescDestroy(product));
}

int main() {
    OK(cublasLtCreate(&handle));
    constexpr cublasOperation_t kOps[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    constexpr cublasLtEpilogue_t kEpilogues[] = {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU,
                                                 CUBLASLT_EPILOGUE_BIAS,    CUBLASLT_EPILOGUE_RELU_BIAS,
                                                 CUBLASLT_EPILOGUE_GELU,    CUBLASLT_EPILOGUE_GELU_BIAS};
    int turn = 0;
    for (cublasOperation_t ta : kOps)
        for (cublasOperation_t tb : kOps)
            for (cublasLtEpilogue_t e : kEpilogues) {
                ++turn;
                const Case t{33 + turn, 65 - turn,     17 + turn,     turn % 3,      1 + turn % 2,  ta,
                             tb,        turn % 2 == 0, turn % 3 == 0, turn % 4 == 0, turn % 5 == 0, e};
                test<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, t, 1e-5);
                test<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, t,
                                             1e-13);
                if (turn % 2 != 0) continue;
                test<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, t, 1e-3);
                test<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32,
                                           t, 1e-5);
                test<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, t, 1e-3);
                test<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F,
                                                          CUBLAS_COMPUTE_32F, t, 1e-2);
            }
    test<signed char, int, int>(
        CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I,
        {31, 20, 50, 1, 2, CUBLAS_OP_T, CUBLAS_OP_N, false, false, false, false, CUBLASLT_EPILOGUE_BIAS}, 0);
    test<signed char, float, float>(
        CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F,
        {31, 20, 50, 1, 2, CUBLAS_OP_N, CUBLAS_OP_T, false, false, true, true, CUBLASLT_EPILOGUE_RELU}, 1e-5);
    test_refusals();
    OK(cublasLtDestroy(handle));
    return finished("cublaslt");
}
