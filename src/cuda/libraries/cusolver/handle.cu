// Handles.

#include "handle.cuh"

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
    HEDDLE_SOLVER_CHECK(handle != nullptr);
    auto* const h = new cusolverDnContext;
    if (cublasCreate(&h->blas) != CUBLAS_STATUS_SUCCESS) {
        delete h;
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    }
    *handle = h;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    cublasDestroy(handle->blas);
    delete handle;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
    HEDDLE_SOLVER_HANDLE(handle);
    handle->stream = stream;
    return heddle_solver::from(cublasSetStream(handle->blas, stream));
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(stream != nullptr);
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int* version) {
    HEDDLE_SOLVER_CHECK(version != nullptr);
    *version = CUSOLVER_VERSION;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
    HEDDLE_SOLVER_CHECK(value != nullptr);
    switch (type) {
        case MAJOR_VERSION:
            *value = CUSOLVER_VER_MAJOR;
            return CUSOLVER_STATUS_SUCCESS;
        case MINOR_VERSION:
            *value = CUSOLVER_VER_MINOR;
            return CUSOLVER_STATUS_SUCCESS;
        case PATCH_LEVEL:
            *value = CUSOLVER_VER_PATCH;
            return CUSOLVER_STATUS_SUCCESS;
    }
    return CUSOLVER_STATUS_INVALID_VALUE;
}

}  // extern "C"
