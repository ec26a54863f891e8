// Handles and their settings; vectors and matrices between host and device; what results are called.

#include "handle.cuh"
#include "status.cuh"

using namespace heddle_blas;

namespace {

/// `width` bytes each, `stride` bytes apart.
cublasStatus_t move(void* to, size_t to_stride, const void* from, size_t from_stride, size_t width,
                    size_t count, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    if (count == 0 || width == 0) return CUBLAS_STATUS_SUCCESS;
    const cudaError_t error =
        async ? cudaMemcpy2DAsync(to, to_stride, from, from_stride, width, count, kind, stream)
              : cudaMemcpy2D(to, to_stride, from, from_stride, width, count, kind);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t move_vector(int n, int bytes, const void* x, int incx, void* y, int incy, cudaMemcpyKind kind,
                           cudaStream_t stream, bool async) {
    HEDDLE_BLAS_CHECK(n >= 0 && bytes > 0 && incx > 0 && incy > 0);
    const auto width = static_cast<size_t>(bytes);
    return move(y, width * static_cast<size_t>(incy), x, width * static_cast<size_t>(incx), width,
                static_cast<size_t>(n), kind, stream, async);
}

cublasStatus_t move_matrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                           cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    HEDDLE_BLAS_CHECK(rows >= 0 && columns >= 0 && bytes > 0 && lda > 0 && ldb > 0 && lda >= rows &&
                      ldb >= rows);
    const auto width = static_cast<size_t>(bytes);
    return move(b, width * static_cast<size_t>(ldb), a, width * static_cast<size_t>(lda),
                width * static_cast<size_t>(rows), static_cast<size_t>(columns), kind, stream, async);
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
    HEDDLE_BLAS_CHECK(handle != nullptr);
    auto* h = new cublasContext;
    cudaDeviceGetAttribute(&h->multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    if (cudaMalloc(&h->partials, kPartials * sizeof(cuDoubleComplex)) != cudaSuccess ||
        cudaMalloc(&h->result, sizeof(cuDoubleComplex)) != cudaSuccess) {
        cudaFree(h->partials);
        delete h;
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    *handle = h;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t h) {
    HEDDLE_BLAS_HANDLE(h);
    cudaFree(h->partials);
    cudaFree(h->result);
    delete h;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
    HEDDLE_BLAS_CHECK(version != nullptr);
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
    HEDDLE_BLAS_CHECK(value != nullptr);
    *value = type == MAJOR_VERSION ? 12 : 0;
    return CUBLAS_STATUS_SUCCESS;
}
size_t cublasGetCudartVersion() {
    return CUBLAS_VERSION / 10;
}

#define HEDDLE_BLAS_SETTING(name, Type, field)                      \
    cublasStatus_t cublasSet##name(cublasHandle_t h, Type value) {  \
        HEDDLE_BLAS_HANDLE(h);                                      \
        h->field = value;                                           \
        return CUBLAS_STATUS_SUCCESS;                               \
    }                                                               \
    cublasStatus_t cublasGet##name(cublasHandle_t h, Type* value) { \
        HEDDLE_BLAS_HANDLE(h);                                      \
        HEDDLE_BLAS_CHECK(value != nullptr);                        \
        *value = h->field;                                          \
        return CUBLAS_STATUS_SUCCESS;                               \
    }
HEDDLE_BLAS_SETTING(Stream_v2, cudaStream_t, stream)
HEDDLE_BLAS_SETTING(PointerMode_v2, cublasPointerMode_t, pointer_mode)
HEDDLE_BLAS_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics_mode)
HEDDLE_BLAS_SETTING(MathMode, cublasMath_t, math_mode)

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void*, size_t) {
    HEDDLE_BLAS_HANDLE(h);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) {
    return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
    return status_text(status).name;
}
const char* cublasGetStatusString(cublasStatus_t status) {
    return status_text(status).text;
}

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
    return move_vector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, nullptr, false);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
    return move_vector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr, false);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
    return move_vector(n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, stream, true);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream) {
    return move_vector(n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, stream, true);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
    return move_matrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, nullptr, false);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
    return move_matrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, nullptr, false);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t stream) {
    return move_matrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, stream, true);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t stream) {
    return move_matrix(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, stream, true);
}

}  // extern "C"
