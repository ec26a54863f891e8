// The structures of cuBLASLt: created, initialised in place, and their attributes set and read.

#include <cstdlib>
#include <cstring>

#include "descriptors.cuh"

using namespace heddle_lt;

namespace {

struct Place {
    void* at;
    size_t bytes;
};

Place attribute_of(Layout& l, cublasLtMatrixLayoutAttribute_t a) {
    switch (a) {
        case CUBLASLT_MATRIX_LAYOUT_TYPE:
            return {&l.type, sizeof l.type};
        case CUBLASLT_MATRIX_LAYOUT_ORDER:
            return {&l.order, sizeof l.order};
        case CUBLASLT_MATRIX_LAYOUT_ROWS:
            return {&l.rows, sizeof l.rows};
        case CUBLASLT_MATRIX_LAYOUT_COLS:
            return {&l.cols, sizeof l.cols};
        case CUBLASLT_MATRIX_LAYOUT_LD:
            return {&l.ld, sizeof l.ld};
        case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
            return {&l.batch, sizeof l.batch};
        case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
            return {&l.stride, sizeof l.stride};
        case CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET:
            return {&l.plane, sizeof l.plane};
    }
    return {nullptr, 0};
}

Place attribute_of(Product& p, cublasLtMatmulDescAttributes_t a) {
    switch (a) {
        case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
            return {&p.compute, sizeof p.compute};
        case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
            return {&p.scale, sizeof p.scale};
        case CUBLASLT_MATMUL_DESC_POINTER_MODE:
            return {&p.pointer_mode, sizeof p.pointer_mode};
        case CUBLASLT_MATMUL_DESC_TRANSA:
            return {&p.trans_a, sizeof p.trans_a};
        case CUBLASLT_MATMUL_DESC_TRANSB:
            return {&p.trans_b, sizeof p.trans_b};
        case CUBLASLT_MATMUL_DESC_TRANSC:
            return {&p.trans_c, sizeof p.trans_c};
        case CUBLASLT_MATMUL_DESC_FILL_MODE:
            return {&p.fill, sizeof p.fill};
        case CUBLASLT_MATMUL_DESC_EPILOGUE:
            return {&p.epilogue, sizeof p.epilogue};
        case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
            return {&p.bias, sizeof p.bias};
        case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
            return {&p.bias_stride, sizeof p.bias_stride};
        default:
            return {nullptr, 0};
    }
}

cublasStatus_t set(Place to, const void* value, size_t bytes) {
    if (to.at == nullptr || value == nullptr || bytes != to.bytes) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(to.at, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t get(Place from, void* value, size_t bytes, size_t* written) {
    if (from.at == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (written != nullptr) *written = from.bytes;
    if (bytes == 0) return written != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
    if (value == nullptr || bytes != from.bytes) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(value, from.at, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

template <typename Opaque>
cublasStatus_t destroy(Opaque* p) {
    std::free(p);
    return CUBLAS_STATUS_SUCCESS;
}
template <typename Opaque>
cublasStatus_t allocate(Opaque** p) {
    if (p == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *p = static_cast<Opaque*>(std::calloc(1, sizeof(Opaque)));
    return *p != nullptr ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t bytes,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
    if (layout == nullptr || bytes < sizeof(Layout)) return CUBLAS_STATUS_INVALID_VALUE;
    std::memset(layout, 0, bytes);
    of(layout) = {type, CUBLASLT_ORDER_COL, rows, cols, ld, 1, 0, 0};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
    const cublasStatus_t status = allocate(layout);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublasLtMatrixLayoutInit_internal(*layout, sizeof **layout, type, rows, cols, ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    return destroy(layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    return set(attribute_of(of(layout), attribute), value, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, void* value,
                                                size_t bytes, size_t* written) {
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    return get(attribute_of(of(layout), attribute), value, bytes, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t description, size_t bytes,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
    if (description == nullptr || bytes < sizeof(Product)) return CUBLAS_STATUS_INVALID_VALUE;
    std::memset(description, 0, bytes);
    Product& p = of(description);
    p.compute = compute;
    p.scale = scale;
    p.fill = CUBLAS_FILL_MODE_FULL;
    p.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
    const cublasStatus_t status = allocate(description);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublasLtMatmulDescInit_internal(*description, sizeof **description, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
    return destroy(description);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              size_t bytes) {
    if (description == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    const Place to = attribute_of(of(description), attribute);
    if (to.at != nullptr) return set(to, value, bytes);
    // A target for the number of SMs is advice.
    if (attribute != CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET) of(description).unsupported = true;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, void* value,
                                              size_t bytes, size_t* written) {
    if (description == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    return get(attribute_of(of(description), attribute), value, bytes, written);
}

// A preference chooses among algorithms, of which there is one, without a workspace. Its size alone is kept.
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t bytes) {
    if (preference == nullptr || bytes < sizeof *preference) return CUBLAS_STATUS_INVALID_VALUE;
    std::memset(preference, 0, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    return allocate(preference);
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    return destroy(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
    if (preference == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        return set({&preference->data[0], 8}, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* value, size_t bytes, size_t* written) {
    if (preference == nullptr || attribute != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        return CUBLAS_STATUS_INVALID_VALUE;
    return get({&preference->data[0], 8}, value, bytes, written);
}

}  // extern "C"
