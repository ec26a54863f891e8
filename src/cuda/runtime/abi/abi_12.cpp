// What differs between the runtimes: CUDA 12's forms.

#include <cstddef>
#include <cstring>

#include "cuda/runtime/graph.h"
#include "cuda/runtime/properties.h"

#undef cudaGetDeviceProperties

using namespace heddle::cuda;

extern "C" {

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
    return call_without_context("cudaGetDeviceProperties", [&](Runtime& r) {
        require(properties != nullptr);
        require(device == 0, cudaErrorInvalidDevice);
        fill_properties(r.device(), *properties);
    });
}

/// Programs of CUDA 11 have a shorter struct.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    cudaDeviceProp all;
    const cudaError_t error = cudaGetDeviceProperties_v2(&all, device);
    if (error == cudaSuccess)
        std::memcpy(static_cast<void*>(properties), &all, offsetof(cudaDeviceProp, hostRegisterSupported));
    return error;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 12000;
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
    return cudaGetDriverEntryPointByVersion(symbol, function, 12000, flags, result);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    cudaGraphExecUpdateResultInfo unread;
    return update_executable(exec, graph, info == nullptr ? unread : *info);
}

}  // extern "C"
