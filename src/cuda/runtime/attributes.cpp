// What a device attribute is in terms of the properties.

#include "cuda/runtime/properties.h"

namespace heddle::cuda {

namespace {

struct DeviceAttribute {
    cudaDeviceAttr attribute;
    int (*value)(const cudaDeviceProp&);
};
template <auto member, int... index>
int field_of(const cudaDeviceProp& p) {
    if constexpr (sizeof...(index) == 0)
        return static_cast<int>(p.*member);
    else
        return static_cast<int>((p.*member)[(index, ...)]);
}
using Properties = cudaDeviceProp;

constexpr DeviceAttribute kDeviceAttributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, field_of<&Properties::maxThreadsPerBlock>},
    {cudaDevAttrMaxBlockDimX, field_of<&Properties::maxThreadsDim, 0>},
    {cudaDevAttrMaxBlockDimY, field_of<&Properties::maxThreadsDim, 1>},
    {cudaDevAttrMaxBlockDimZ, field_of<&Properties::maxThreadsDim, 2>},
    {cudaDevAttrMaxGridDimX, field_of<&Properties::maxGridSize, 0>},
    {cudaDevAttrMaxGridDimY, field_of<&Properties::maxGridSize, 1>},
    {cudaDevAttrMaxGridDimZ, field_of<&Properties::maxGridSize, 2>},
    {cudaDevAttrMaxSharedMemoryPerBlock, field_of<&Properties::sharedMemPerBlock>},
    {cudaDevAttrTotalConstantMemory, field_of<&Properties::totalConstMem>},
    {cudaDevAttrWarpSize, field_of<&Properties::warpSize>},
    {cudaDevAttrMaxPitch, field_of<&Properties::memPitch>},
    {cudaDevAttrMaxRegistersPerBlock, field_of<&Properties::regsPerBlock>},
    {cudaDevAttrClockRate, field_of<&Properties::clockRate>},
    {cudaDevAttrTextureAlignment, field_of<&Properties::textureAlignment>},
    {cudaDevAttrGpuOverlap, field_of<&Properties::deviceOverlap>},
    {cudaDevAttrMultiProcessorCount, field_of<&Properties::multiProcessorCount>},
    {cudaDevAttrKernelExecTimeout, field_of<&Properties::kernelExecTimeoutEnabled>},
    {cudaDevAttrIntegrated, field_of<&Properties::integrated>},
    {cudaDevAttrCanMapHostMemory, field_of<&Properties::canMapHostMemory>},
    {cudaDevAttrComputeMode, field_of<&Properties::computeMode>},
    {cudaDevAttrMaxTexture1DWidth, field_of<&Properties::maxTexture1D>},
    {cudaDevAttrMaxTexture2DWidth, field_of<&Properties::maxTexture2D, 0>},
    {cudaDevAttrMaxTexture2DHeight, field_of<&Properties::maxTexture2D, 1>},
    {cudaDevAttrMaxTexture3DWidth, field_of<&Properties::maxTexture3D, 0>},
    {cudaDevAttrMaxTexture3DHeight, field_of<&Properties::maxTexture3D, 1>},
    {cudaDevAttrMaxTexture3DDepth, field_of<&Properties::maxTexture3D, 2>},
    {cudaDevAttrMaxTexture2DLayeredWidth, field_of<&Properties::maxTexture2DLayered, 0>},
    {cudaDevAttrMaxTexture2DLayeredHeight, field_of<&Properties::maxTexture2DLayered, 1>},
    {cudaDevAttrMaxTexture2DLayeredLayers, field_of<&Properties::maxTexture2DLayered, 2>},
    {cudaDevAttrSurfaceAlignment, field_of<&Properties::surfaceAlignment>},
    {cudaDevAttrConcurrentKernels, field_of<&Properties::concurrentKernels>},
    {cudaDevAttrEccEnabled, field_of<&Properties::ECCEnabled>},
    {cudaDevAttrPciBusId, field_of<&Properties::pciBusID>},
    {cudaDevAttrPciDeviceId, field_of<&Properties::pciDeviceID>},
    {cudaDevAttrTccDriver, field_of<&Properties::tccDriver>},
    {cudaDevAttrMemoryClockRate, field_of<&Properties::memoryClockRate>},
    {cudaDevAttrGlobalMemoryBusWidth, field_of<&Properties::memoryBusWidth>},
    {cudaDevAttrL2CacheSize, field_of<&Properties::l2CacheSize>},
    {cudaDevAttrMaxThreadsPerMultiProcessor, field_of<&Properties::maxThreadsPerMultiProcessor>},
    {cudaDevAttrAsyncEngineCount, field_of<&Properties::asyncEngineCount>},
    {cudaDevAttrUnifiedAddressing, field_of<&Properties::unifiedAddressing>},
    {cudaDevAttrMaxTexture1DLayeredWidth, field_of<&Properties::maxTexture1DLayered, 0>},
    {cudaDevAttrMaxTexture1DLayeredLayers, field_of<&Properties::maxTexture1DLayered, 1>},
    {cudaDevAttrMaxTexture2DGatherWidth, field_of<&Properties::maxTexture2DGather, 0>},
    {cudaDevAttrMaxTexture2DGatherHeight, field_of<&Properties::maxTexture2DGather, 1>},
    {cudaDevAttrMaxTexture3DWidthAlt, field_of<&Properties::maxTexture3DAlt, 0>},
    {cudaDevAttrMaxTexture3DHeightAlt, field_of<&Properties::maxTexture3DAlt, 1>},
    {cudaDevAttrMaxTexture3DDepthAlt, field_of<&Properties::maxTexture3DAlt, 2>},
    {cudaDevAttrPciDomainId, field_of<&Properties::pciDomainID>},
    {cudaDevAttrTexturePitchAlignment, field_of<&Properties::texturePitchAlignment>},
    {cudaDevAttrMaxTextureCubemapWidth, field_of<&Properties::maxTextureCubemap>},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, field_of<&Properties::maxTextureCubemapLayered, 0>},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, field_of<&Properties::maxTextureCubemapLayered, 1>},
    {cudaDevAttrMaxSurface1DWidth, field_of<&Properties::maxSurface1D>},
    {cudaDevAttrMaxSurface2DWidth, field_of<&Properties::maxSurface2D, 0>},
    {cudaDevAttrMaxSurface2DHeight, field_of<&Properties::maxSurface2D, 1>},
    {cudaDevAttrMaxSurface3DWidth, field_of<&Properties::maxSurface3D, 0>},
    {cudaDevAttrMaxSurface3DHeight, field_of<&Properties::maxSurface3D, 1>},
    {cudaDevAttrMaxSurface3DDepth, field_of<&Properties::maxSurface3D, 2>},
    {cudaDevAttrMaxSurface1DLayeredWidth, field_of<&Properties::maxSurface1DLayered, 0>},
    {cudaDevAttrMaxSurface1DLayeredLayers, field_of<&Properties::maxSurface1DLayered, 1>},
    {cudaDevAttrMaxSurface2DLayeredWidth, field_of<&Properties::maxSurface2DLayered, 0>},
    {cudaDevAttrMaxSurface2DLayeredHeight, field_of<&Properties::maxSurface2DLayered, 1>},
    {cudaDevAttrMaxSurface2DLayeredLayers, field_of<&Properties::maxSurface2DLayered, 2>},
    {cudaDevAttrMaxSurfaceCubemapWidth, field_of<&Properties::maxSurfaceCubemap>},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, field_of<&Properties::maxSurfaceCubemapLayered, 0>},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, field_of<&Properties::maxSurfaceCubemapLayered, 1>},
    {cudaDevAttrMaxTexture1DLinearWidth, field_of<&Properties::maxTexture1DLinear>},
    {cudaDevAttrMaxTexture2DLinearWidth, field_of<&Properties::maxTexture2DLinear, 0>},
    {cudaDevAttrMaxTexture2DLinearHeight, field_of<&Properties::maxTexture2DLinear, 1>},
    {cudaDevAttrMaxTexture2DLinearPitch, field_of<&Properties::maxTexture2DLinear, 2>},
    {cudaDevAttrMaxTexture2DMipmappedWidth, field_of<&Properties::maxTexture2DMipmap, 0>},
    {cudaDevAttrMaxTexture2DMipmappedHeight, field_of<&Properties::maxTexture2DMipmap, 1>},
    {cudaDevAttrComputeCapabilityMajor, field_of<&Properties::major>},
    {cudaDevAttrComputeCapabilityMinor, field_of<&Properties::minor>},
    {cudaDevAttrMaxTexture1DMipmappedWidth, field_of<&Properties::maxTexture1DMipmap>},
    {cudaDevAttrStreamPrioritiesSupported, field_of<&Properties::streamPrioritiesSupported>},
    {cudaDevAttrGlobalL1CacheSupported, field_of<&Properties::globalL1CacheSupported>},
    {cudaDevAttrLocalL1CacheSupported, field_of<&Properties::localL1CacheSupported>},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, field_of<&Properties::sharedMemPerMultiprocessor>},
    {cudaDevAttrMaxRegistersPerMultiprocessor, field_of<&Properties::regsPerMultiprocessor>},
    {cudaDevAttrManagedMemory, field_of<&Properties::managedMemory>},
    {cudaDevAttrIsMultiGpuBoard, field_of<&Properties::isMultiGpuBoard>},
    {cudaDevAttrMultiGpuBoardGroupID, field_of<&Properties::multiGpuBoardGroupID>},
    {cudaDevAttrHostNativeAtomicSupported, field_of<&Properties::hostNativeAtomicSupported>},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, field_of<&Properties::singleToDoublePrecisionPerfRatio>},
    {cudaDevAttrPageableMemoryAccess, field_of<&Properties::pageableMemoryAccess>},
    {cudaDevAttrConcurrentManagedAccess, field_of<&Properties::concurrentManagedAccess>},
    {cudaDevAttrComputePreemptionSupported, field_of<&Properties::computePreemptionSupported>},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, field_of<&Properties::canUseHostPointerForRegisteredMem>},
    {cudaDevAttrCooperativeLaunch, field_of<&Properties::cooperativeLaunch>},
    {cudaDevAttrCooperativeMultiDeviceLaunch, field_of<&Properties::cooperativeMultiDeviceLaunch>},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, field_of<&Properties::sharedMemPerBlockOptin>},
    {cudaDevAttrHostRegisterSupported, field_of<&Properties::hostRegisterSupported>},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
     field_of<&Properties::pageableMemoryAccessUsesHostPageTables>},
    {cudaDevAttrDirectManagedMemAccessFromHost, field_of<&Properties::directManagedMemAccessFromHost>},
    {cudaDevAttrMaxBlocksPerMultiprocessor, field_of<&Properties::maxBlocksPerMultiProcessor>},
    {cudaDevAttrMaxPersistingL2CacheSize, field_of<&Properties::persistingL2CacheMaxSize>},
    {cudaDevAttrMaxAccessPolicyWindowSize, field_of<&Properties::accessPolicyMaxWindowSize>},
    {cudaDevAttrReservedSharedMemoryPerBlock, field_of<&Properties::reservedSharedMemPerBlock>},
    {cudaDevAttrSparseCudaArraySupported, field_of<&Properties::sparseCudaArraySupported>},
    {cudaDevAttrHostRegisterReadOnlySupported, field_of<&Properties::hostRegisterReadOnlySupported>},
    {cudaDevAttrTimelineSemaphoreInteropSupported, field_of<&Properties::timelineSemaphoreInteropSupported>},
    {cudaDevAttrMemoryPoolsSupported, field_of<&Properties::memoryPoolsSupported>},
    {cudaDevAttrGPUDirectRDMASupported, field_of<&Properties::gpuDirectRDMASupported>},
    {cudaDevAttrGPUDirectRDMAFlushWritesOptions, field_of<&Properties::gpuDirectRDMAFlushWritesOptions>},
    {cudaDevAttrGPUDirectRDMAWritesOrdering, field_of<&Properties::gpuDirectRDMAWritesOrdering>},
    {cudaDevAttrMemoryPoolSupportedHandleTypes, field_of<&Properties::memoryPoolSupportedHandleTypes>},
    {cudaDevAttrClusterLaunch, field_of<&Properties::clusterLaunch>},
    {cudaDevAttrDeferredMappingCudaArraySupported, field_of<&Properties::deferredMappingCudaArraySupported>},
    {cudaDevAttrIpcEventSupport, field_of<&Properties::ipcEventSupported>},
};

// Attributes have numbers below this one. Those of them that are not in the table are what this device is not.
constexpr int kAttributesEnd = 160;

}  // namespace

int attribute(const cudaDeviceProp& properties, cudaDeviceAttr which) {
    for (const DeviceAttribute& a : kDeviceAttributes)
        if (a.attribute == which) return a.value(properties);
    const int number = which;
    return number > 0 && number < kAttributesEnd ? 0 : -1;
}

}  // namespace heddle::cuda
