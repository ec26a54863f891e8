// What differs between the runtimes: CUDA 11's forms.

#include <cstddef>
#include <cstring>

// Our header declares CUDA 12's forms under these names.
#define cudaGraphExecUpdate cudaGraphExecUpdate_of_12
#define cudaGetDriverEntryPoint cudaGetDriverEntryPoint_of_12
#include "cuda/runtime/graph.h"
#include "cuda/runtime/properties.h"
#undef cudaGraphExecUpdate
#undef cudaGetDriverEntryPoint

#undef cudaGetDeviceProperties

using namespace heddle::cuda;

extern "C" {

/// The layout is the beginning of CUDA 12's, up to reservedSharedMemPerBlock.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call_without_context("cudaGetDeviceProperties", [&](Runtime& r) {
        require(properties != nullptr);
        require(device == 0, cudaErrorInvalidDevice);
        cudaDeviceProp all;
        fill_properties(r.device(), all);
        std::memcpy(static_cast<void*>(properties), &all, offsetof(cudaDeviceProp, hostRegisterSupported));
    });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 11080;
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags) {
    return cudaGetDriverEntryPointByVersion(symbol, function, 11080, flags, nullptr);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info{};
    const cudaError_t error = update_executable(exec, graph, info);
    if (error_node != nullptr) *error_node = info.errorNode;
    if (result != nullptr) *result = info.result;
    return error;
}

}  // extern "C"
