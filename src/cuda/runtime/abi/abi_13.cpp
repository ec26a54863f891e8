// What differs between the runtimes: CUDA 13's forms.

#include <cstring>

// Our header declares CUDA 12's forms under these names.
#define cudaMemcpyBatchAsync cudaMemcpyBatchAsync_of_12
#define cudaMemcpy3DBatchAsync cudaMemcpy3DBatchAsync_of_12
#include "cuda/runtime/batches.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/properties.h"
#undef cudaMemcpyBatchAsync
#undef cudaMemcpy3DBatchAsync

#undef cudaGetDeviceProperties

using namespace heddle::cuda;

namespace {

/// CUDA 13's cudaDeviceProp: clocks, compute mode and others have gone, new ones stand at the end.
struct Properties13 {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
    int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned int gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported, reserved[56];
};

void convert(const cudaDeviceProp& from, Properties13& to) {
    std::memset(static_cast<void*>(&to), 0, sizeof to);
    std::memcpy(to.name, from.name, sizeof to.name);
#define HEDDLE_SAME(field) std::memcpy(&to.field, &from.field, sizeof to.field)
    HEDDLE_SAME(totalGlobalMem);
    HEDDLE_SAME(sharedMemPerBlock);
    HEDDLE_SAME(regsPerBlock);
    HEDDLE_SAME(warpSize);
    HEDDLE_SAME(memPitch);
    HEDDLE_SAME(maxThreadsPerBlock);
    HEDDLE_SAME(maxThreadsDim);
    HEDDLE_SAME(maxGridSize);
    HEDDLE_SAME(totalConstMem);
    HEDDLE_SAME(major);
    HEDDLE_SAME(minor);
    HEDDLE_SAME(textureAlignment);
    HEDDLE_SAME(texturePitchAlignment);
    HEDDLE_SAME(multiProcessorCount);
    HEDDLE_SAME(canMapHostMemory);
    HEDDLE_SAME(maxTexture1D);
    HEDDLE_SAME(maxTexture1DMipmap);
    HEDDLE_SAME(maxTexture2D);
    HEDDLE_SAME(maxTexture2DLinear);
    HEDDLE_SAME(maxTexture3D);
    HEDDLE_SAME(maxTextureCubemap);
    HEDDLE_SAME(maxTexture1DLayered);
    HEDDLE_SAME(maxTexture2DLayered);
    HEDDLE_SAME(surfaceAlignment);
    HEDDLE_SAME(concurrentKernels);
    HEDDLE_SAME(asyncEngineCount);
    HEDDLE_SAME(unifiedAddressing);
    HEDDLE_SAME(memoryBusWidth);
    HEDDLE_SAME(l2CacheSize);
    HEDDLE_SAME(persistingL2CacheMaxSize);
    HEDDLE_SAME(accessPolicyMaxWindowSize);
    HEDDLE_SAME(maxThreadsPerMultiProcessor);
    HEDDLE_SAME(streamPrioritiesSupported);
    HEDDLE_SAME(globalL1CacheSupported);
    HEDDLE_SAME(localL1CacheSupported);
    HEDDLE_SAME(sharedMemPerMultiprocessor);
    HEDDLE_SAME(regsPerMultiprocessor);
    HEDDLE_SAME(managedMemory);
    HEDDLE_SAME(concurrentManagedAccess);
    HEDDLE_SAME(computePreemptionSupported);
    HEDDLE_SAME(canUseHostPointerForRegisteredMem);
    HEDDLE_SAME(cooperativeLaunch);
    HEDDLE_SAME(sharedMemPerBlockOptin);
    HEDDLE_SAME(maxBlocksPerMultiProcessor);
    HEDDLE_SAME(reservedSharedMemPerBlock);
    HEDDLE_SAME(hostRegisterSupported);
    HEDDLE_SAME(memoryPoolsSupported);
    HEDDLE_SAME(memoryPoolSupportedHandleTypes);
    HEDDLE_SAME(ipcEventSupported);
#undef HEDDLE_SAME
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceProperties(Properties13* properties, int device) {
    return call_without_context("cudaGetDeviceProperties", [&](Runtime& r) {
        require(properties != nullptr);
        require(device == 0, cudaErrorInvalidDevice);
        cudaDeviceProp all;
        fill_properties(r.device(), all);
        convert(all, *properties);
    });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
    return cudaGetDriverEntryPointByVersion(symbol, function, 13000, flags, result);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    cudaGraphExecUpdateResultInfo unread;
    return update_executable(exec, graph, info == nullptr ? unread : *info);
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                 cudaMemcpyAttributes* attributes, size_t* first, size_t attribute_count,
                                 cudaStream_t stream) {
    size_t failed;
    return copy_batch(to, from, sizes, count, attributes, first, attribute_count, stream, failed);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* list, unsigned long long flags,
                                   cudaStream_t stream) {
    size_t failed;
    return copy_3d_batch(count, list, flags, stream, failed);
}

}  // extern "C"
