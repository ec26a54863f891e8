#pragma once
// Declares its helper only where NVIDIA's headers have been read, as the samples' helpers do.

#if defined(__DRIVER_TYPES_H__) && defined(__CUDA_RUNTIME_H__) && defined(__CUDA_RUNTIME_API_H__) && \
    defined(__VECTOR_TYPES_H__)
static int asked_for(cudaError_t error) {
    return error;
}
#endif
