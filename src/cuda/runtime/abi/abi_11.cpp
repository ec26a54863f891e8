// What differs between the runtimes: CUDA 11's forms.

#include <cstddef>
#include <cstring>

#include "cuda/runtime/graph.h"
#include "cuda/runtime/properties.h"

#undef cudaGetDeviceProperties

using namespace heddle::cuda;

extern "C" {

/// The layout is the beginning of CUDA 12's, up to reservedSharedMemPerBlock.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call("cudaGetDeviceProperties", [&](Runtime& r) {
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

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
    return add_graph_dependencies(graph, from, to, count);
}

}  // extern "C"
