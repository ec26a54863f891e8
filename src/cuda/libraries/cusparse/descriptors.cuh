#pragma once
// What cuSPARSE's handles and descriptors hold.

#include <cusparse.h>

#include "../cublas/numbers.cuh"

struct cusparseContext {
    cudaStream_t stream = nullptr;
    cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
    cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
struct cusparseSpVecDescr {
    int64_t size, nnz;
    int* indices;
    void* values;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void* values;
    cudaDataType type;
};
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, cols, nnz;
    // Row offsets and columns (CSR), column offsets and rows (CSC), rows and columns (COO).
    int *first, *second;
    void* values;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
};
struct cusparseDnMatDescr {
    int64_t rows, cols, ld;
    void* values;
    cudaDataType type;
    cusparseOrder_t order;
};
struct cusparseSpSVDescr {};
struct cusparseSpGEMMDescr {
    int64_t count = 0;         // of products, before those of one column are added
    int* places = nullptr;     // where each row's begin, in the program's first buffer
    void* products = nullptr;  // the second buffer
};

#define HEDDLE_SPARSE_HANDLE(h) \
    if ((h) == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED
#define HEDDLE_SPARSE_CHECK(condition) \
    if (!(condition)) return CUSPARSE_STATUS_INVALID_VALUE

namespace heddle_sparse {

using namespace heddle_blas;

constexpr int kThreads = 256;

inline unsigned blocks_for(int64_t n, int each = kThreads) {
    return static_cast<unsigned>((n + each - 1) / each);
}
inline cusparseStatus_t launched() {
    return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/// What a program asks before it calls a function that needs no buffer.
inline cusparseStatus_t no_buffer(size_t* bytes) {
    HEDDLE_SPARSE_CHECK(bytes != nullptr);
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}

/// Calls `body` with a value of the type; CUSPARSE_STATUS_NOT_SUPPORTED if it is none that the library computes in.
template <typename Body>
cusparseStatus_t by_type(cudaDataType type, const Body& body) {
    switch (type) {
        case CUDA_R_32F:
            return body(0.0f);
        case CUDA_R_64F:
            return body(0.0);
        case CUDA_C_32F:
            return body(cuComplex());
        case CUDA_C_64F:
            return body(cuDoubleComplex());
        default:
            return CUSPARSE_STATUS_NOT_SUPPORTED;
    }
}

template <typename T>
Scalar<T> scalar(cusparseHandle_t h, const void* p) {
    const T* const typed = static_cast<const T*>(p);
    if (h->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) return {zero<T>(), typed};
    return {*typed, nullptr};
}

template <typename T>
__device__ void add_to(T* place, T v) {
    if constexpr (Traits<T>::complex) {
        atomicAdd(&place->x, v.x);
        atomicAdd(&place->y, v.y);
    } else {
        atomicAdd(place, v);
    }
}

}  // namespace heddle_sparse
