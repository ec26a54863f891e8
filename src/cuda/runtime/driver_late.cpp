// The driver API: what is asked about the device, contexts and pointers beyond the first need; launches and copies on several
// devices, of which there is one.

#include <cstring>

#include "cuda/runtime/driver.h"

using namespace heddle::cuda;
using heddle::ptx::MemoryKind;

namespace {

cudaArray_t array_in(CUarray array) {
    return reinterpret_cast<cudaArray_t>(array);
}
cudaMipmappedArray_t mipmap_in(CUmipmappedArray array) {
    return reinterpret_cast<cudaMipmappedArray_t>(array);
}
size_t attribute_bytes(CUpointer_attribute attribute) {
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_MAPPED:
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            return 1;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return 4;
        default:
            return 8;
    }
}
const CUDA_MEMCPY3D* without_contexts(const CUDA_MEMCPY3D_PEER* copy) {
    static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D));
    return reinterpret_cast<const CUDA_MEMCPY3D*>(copy);
}

}  // namespace

extern "C" {

CUresult cuArrayGetPlane(CUarray* plane, CUarray array, unsigned int index) {
    return driver_call(
        [&] { return cudaArrayGetPlane(reinterpret_cast<cudaArray_t*>(plane), array_in(array), index); });
}
CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* properties, CUarray array) {
    return driver_call([&] {
        return cudaArrayGetSparseProperties(reinterpret_cast<cudaArraySparseProperties*>(properties),
                                            array_in(array));
    });
}
CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* properties,
                                             CUmipmappedArray array) {
    return driver_call([&] {
        return cudaMipmappedArrayGetSparseProperties(reinterpret_cast<cudaArraySparseProperties*>(properties),
                                                     mipmap_in(array));
    });
}
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements, CUarray array,
                                      CUdevice device) {
    return driver_call([&] {
        return cudaArrayGetMemoryRequirements(reinterpret_cast<cudaArrayMemoryRequirements*>(requirements),
                                              array_in(array), device);
    });
}
CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* requirements,
                                               CUmipmappedArray array, CUdevice device) {
    return driver_call([&] {
        return cudaMipmappedArrayGetMemoryRequirements(
            reinterpret_cast<cudaArrayMemoryRequirements*>(requirements), mipmap_in(array), device);
    });
}

CUresult cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType, CUdevice device) {
    if (supported == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : (*supported = 0, CUDA_SUCCESS);
}
/// No context has fewer SMs than the device.
CUresult cuCtxGetExecAffinity(CUexecAffinityParam* affinity, CUexecAffinityType) {
    return affinity == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}
/// The work of a context is that of all its streams. All of it is done; in the recording the default stream's place stands for it,
/// which waits for all streams but those that do not block.
CUresult cuCtxRecordEvent(CUcontext context, CUevent event) {
    unsigned long long id;
    const CUresult known = cuCtxGetId(context, &id);
    return known != CUDA_SUCCESS ? known : cuEventRecord(event, nullptr);
}
CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
    unsigned long long id;
    const CUresult known = cuCtxGetId(context, &id);
    return known != CUDA_SUCCESS ? known : cuStreamWaitEvent(nullptr, event, 0);
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
    return driver_call([&] {
        return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to);
    });
}
CUresult cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                           unsigned int count, CUdevice device) {
    return driver_call([&] {
        return cudaDeviceGetHostAtomicCapabilities(
            capabilities, reinterpret_cast<const cudaAtomicOperation*>(operations), count, device);
    });
}
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                          unsigned int count, CUdevice from, CUdevice to) {
    return driver_call([&] {
        return cudaDeviceGetP2PAtomicCapabilities(
            capabilities, reinterpret_cast<const cudaAtomicOperation*>(operations), count, from, to);
    });
}
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* texels, CUarray_format, unsigned channels,
                                            CUdevice device) {
    if (channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
    const cudaChannelFormatDesc any{32, 0, 0, 0, cudaChannelFormatKindFloat};
    return driver_call([&] { return cudaDeviceGetTexture1DLinearMaxWidth(texels, &any, device); });
}
CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callback, void* data,
                                           CUasyncCallbackHandle* handle) {
    return driver_call([&] {
        return cudaDeviceRegisterAsyncNotification(device, reinterpret_cast<cudaAsyncCallback>(callback),
                                                   data,
                                                   reinterpret_cast<cudaAsyncCallbackHandle_t*>(handle));
    });
}
CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle) {
    return driver_call([&] {
        return cudaDeviceUnregisterAsyncNotification(device,
                                                     reinterpret_cast<cudaAsyncCallbackHandle_t>(handle));
    });
}
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope) {
    return driver_call([&] {
        return cudaDeviceFlushGPUDirectRDMAWrites(static_cast<cudaFlushGPUDirectRDMAWritesTarget>(target),
                                                  static_cast<cudaFlushGPUDirectRDMAWritesScope>(scope));
    });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer) {
    return driver_call("cuMemGetAccess", [&](Runtime& r) {
        require(flags != nullptr && location != nullptr && r.memory().find(pointer) != nullptr);
        require(location->type != CU_MEM_LOCATION_TYPE_DEVICE || location->id == 0, cudaErrorInvalidDevice);
        *flags = location->type == CU_MEM_LOCATION_TYPE_DEVICE ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                                               : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    });
}
/// What is not known of the pointer is zero; its device is none.
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr pointer) {
    if (attributes == nullptr || data == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned k = 0; k < count; ++k) {
        if (data[k] == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (cuPointerGetAttribute(data[k], attributes[k], pointer) == CUDA_SUCCESS) continue;
        std::memset(data[k], 0, attribute_bytes(attributes[k]));
        if (attributes[k] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *static_cast<int*>(data[k]) = CU_DEVICE_INVALID;
    }
    return CUDA_SUCCESS;
}
/// Copies wait for each other anyway.
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return driver_call("cuPointerSetAttribute", [&](Runtime& r) {
        require(value != nullptr && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS &&
                r.memory().find(pointer) != nullptr);
    });
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
    return cuMemcpy3D(without_contexts(copy));
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
    return cuMemcpy3DAsync(without_contexts(copy), stream);
}
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* list, unsigned int count, unsigned int) {
    if (list == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    if (count != 1) return CUDA_ERROR_INVALID_DEVICE;
    return cuLaunchCooperativeKernel(list->function, list->gridDimX, list->gridDimY, list->gridDimZ,
                                     list->blockDimX, list->blockDimY, list->blockDimZ, list->sharedMemBytes,
                                     list->hStream, list->kernelParams);
}

}  // extern "C"
