// The driver API: memory pools, managed memory, copies in batches. All are the runtime's.

#include "cuda/runtime/batches.h"
#include "cuda/runtime/driver.h"

using namespace heddle::cuda;

namespace {

cudaMemLocation* location_in(CUmemLocation* location) {
    static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));
    return reinterpret_cast<cudaMemLocation*>(location);
}
cudaMemAllocationType kind_in(CUmemAllocationType type) {
    return static_cast<cudaMemAllocationType>(type);
}
cudaMemAllocationHandleType handle_in(CUmemAllocationHandleType type) {
    return static_cast<cudaMemAllocationHandleType>(type);
}
void** pointers_in(CUdeviceptr* pointers) {
    return reinterpret_cast<void**>(pointers);
}

}  // namespace

extern "C" {

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
    return driver_call([&] { return cudaDeviceGetMemPool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    return driver_call([&] { return cudaDeviceSetMemPool(device, pool); });
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
    static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
    return driver_call(
        [&] { return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(props)); });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    return driver_call([&] { return cudaMemPoolDestroy(pool); });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    return driver_call(
        [&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    return driver_call(
        [&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* list, size_t count) {
    static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
    return driver_call(
        [&] { return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(list), count); });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
    return driver_call([&] {
        return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                    location_in(location));
    });
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
    return driver_call([&] { return cudaMemPoolTrimTo(pool, bytes); });
}
CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
    return driver_call([&] {
        return cudaMemPoolExportToShareableHandle(handle, pool, handle_in(type),
                                                  static_cast<unsigned>(flags));
    });
}
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
    return driver_call([&] {
        return cudaMemPoolImportFromShareableHandle(pool, handle, handle_in(type),
                                                    static_cast<unsigned>(flags));
    });
}
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
    return driver_call([&] {
        return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData*>(data),
                                        pointer_at(pointer));
    });
}
CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
    return driver_call([&] {
        return cudaMemPoolImportPointer(reinterpret_cast<void**>(pointer), pool,
                                        reinterpret_cast<cudaMemPoolPtrExportData*>(data));
    });
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    return driver_call([&] { return cudaMemGetDefaultMemPool(pool, location_in(location), kind_in(type)); });
}
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    return driver_call([&] { return cudaMemGetMemPool(pool, location_in(location), kind_in(type)); });
}
CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
    return driver_call([&] { return cudaMemSetMemPool(location_in(location), kind_in(type), pool); });
}

CUresult cuMemRangeGetAttribute(void* data, size_t bytes, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t count) {
    return driver_call([&] {
        return cudaMemRangeGetAttribute(data, bytes, static_cast<cudaMemRangeAttribute>(attribute),
                                        pointer_at(pointer), count);
    });
}
CUresult cuMemRangeGetAttributes(void** data, size_t* bytes, CUmem_range_attribute* attributes,
                                 size_t attribute_count, CUdeviceptr pointer, size_t count) {
    return driver_call([&] {
        return cudaMemRangeGetAttributes(data, bytes, reinterpret_cast<cudaMemRangeAttribute*>(attributes),
                                         attribute_count, pointer_at(pointer), count);
    });
}
CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
                                 size_t* first, size_t location_count, unsigned long long flags,
                                 CUstream stream) {
    return driver_call([&] {
        return cudaMemPrefetchBatchAsync(pointers_in(pointers), sizes, count, location_in(locations), first,
                                         location_count, flags, stream);
    });
}
CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, unsigned long long flags,
                                CUstream stream) {
    return driver_call(
        [&] { return cudaMemDiscardBatchAsync(pointers_in(pointers), sizes, count, flags, stream); });
}
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                           CUmemLocation* locations, size_t* first, size_t location_count,
                                           unsigned long long flags, CUstream stream) {
    return driver_call([&] {
        return cudaMemDiscardAndPrefetchBatchAsync(pointers_in(pointers), sizes, count,
                                                   location_in(locations), first, location_count, flags,
                                                   stream);
    });
}
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* first, size_t attribute_count,
                               CUstream stream) {
    return cuMemcpyBatchAsync(to, from, sizes, count, attributes, first, attribute_count, nullptr, stream);
}
/// CUDA 12.8's form.
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                            CUmemcpyAttributes* attributes, size_t* first, size_t attribute_count,
                            size_t* failed, CUstream stream) {
    static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes));
    size_t wrong;
    const CUresult result = driver_call([&] {
        return copy_batch(pointers_in(to), pointers_in(from), sizes, count,
                          reinterpret_cast<const cudaMemcpyAttributes*>(attributes), first, attribute_count,
                          stream, wrong);
    });
    if (result != CUDA_SUCCESS && failed != nullptr) *failed = wrong;
    return result;
}
CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* list, unsigned long long flags,
                                 CUstream stream) {
    return cuMemcpy3DBatchAsync(count, list, nullptr, flags, stream);
}
/// CUDA 12.8's form.
CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* list, size_t* failed,
                              unsigned long long flags, CUstream stream) {
    static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp));
    size_t wrong;
    const CUresult result = driver_call([&] {
        return copy_3d_batch(count, reinterpret_cast<const cudaMemcpy3DBatchOp*>(list), flags, stream, wrong);
    });
    if (result != CUDA_SUCCESS && failed != nullptr) *failed = wrong;
    return result;
}

}  // extern "C"
