// The driver API: memory, copies, fills, memory that a program maps by hand.

#include <map>

#include "cuda/runtime/advice.h"
#include "cuda/runtime/copy.h"
#include "cuda/runtime/driver.h"
#include "cuda/runtime/pools.h"

using namespace heddle::cuda;
using heddle::u32;
using heddle::u64;
using heddle::ptx::Allocation;
using heddle::ptx::MemoryKind;

namespace {

CUresult copy_linear(CUdeviceptr to, CUdeviceptr from, size_t bytes, cudaMemcpyKind kind) {
    return driver_call([&] { return cudaMemcpy(pointer_at(to), pointer_at(from), bytes, kind); });
}

CUresult copy_linear_async(CUdeviceptr to, CUdeviceptr from, size_t bytes, cudaMemcpyKind kind,
                           CUstream stream) {
    return driver_call(
        [&] { return cudaMemcpyAsync(pointer_at(to), pointer_at(from), bytes, kind, stream); });
}

CUdeviceptr address_of(const void* p) {
    return reinterpret_cast<CUdeviceptr>(p);
}

CUresult fill_rows(const char* name, CUdeviceptr to, size_t pitch, u32 value, u32 element, size_t width,
                   size_t height, CUstream stream, bool async) {
    return driver_call(name, [&](Runtime& r) {
        require(to % element == 0);
        fill(r, {to, pitch, 0}, {width * element, height, 1}, value, element, stream, async);
    });
}

/// One end of CUDA_MEMCPY2D or 3D.
struct End {
    CUmemorytype type;
    const void* host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

Rows rows_of(Runtime& r, const End& e, size_t width) {
    if (e.type == CU_MEMORYTYPE_ARRAY) return array_rows(array_of(r, e.array), e.x, e.y, e.z);
    const u64 base = e.type == CU_MEMORYTYPE_HOST ? address_of(e.host) : e.device;
    const u64 pitch = e.pitch != 0 ? e.pitch : e.x + width, slice = pitch * e.height;
    return {base + e.z * slice + e.y * pitch + e.x, pitch, slice};
}

cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
    const bool to_host = to == CU_MEMORYTYPE_HOST, from_host = from == CU_MEMORYTYPE_HOST;
    return to_host ? from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost
                   : (from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice);
}

CUresult copy_box(const char* name, const End& to, const End& from, Box box, CUstream stream, bool async) {
    return driver_call(name, [&](Runtime& r) {
        copy(r, rows_of(r, to, box.width), rows_of(r, from, box.width), box, kind_of(to.type, from.type),
             stream, async);
    });
}

CUresult copy_2d(const char* name, const CUDA_MEMCPY2D* c, CUstream stream, bool async) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box(name,
                    {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
                     c->dstPitch, c->Height},
                    {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
                     c->srcPitch, c->Height},
                    {c->WidthInBytes, c->Height, 1}, stream, async);
}

CUresult copy_3d_driver(const char* name, const CUDA_MEMCPY3D* c, CUstream stream, bool async) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return copy_box(name,
                    {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY,
                     c->dstZ, c->dstPitch, c->dstHeight != 0 ? c->dstHeight : c->Height},
                    {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY,
                     c->srcZ, c->srcPitch, c->srcHeight != 0 ? c->srcHeight : c->Height},
                    {c->WidthInBytes, c->Height, c->Depth}, stream, async);
}

CUresult copy_array(const char* name, CUarray array, size_t offset, CUdeviceptr other, size_t bytes,
                    CUmemorytype type, bool to_array, CUstream stream = nullptr, bool async = false) {
    End a{CU_MEMORYTYPE_ARRAY, nullptr, 0, array, offset, 0, 0, 0, 1};
    End o{type, pointer_at(other), other, nullptr, 0, 0, 0, bytes, 1};
    return copy_box(name, to_array ? a : o, to_array ? o : a, {bytes, 1, 1}, stream, async);
}

// Memory that is mapped by hand: a reservation is device memory from the start, a handle is its size. What differs from a
// device: a handle can be mapped in one place only, and memory is there before it is mapped.

struct Handle {
    size_t bytes = 0;
    CUdeviceptr mapped = 0;
    unsigned users = 1;
    CUmemAllocationProp properties{};
};
constexpr u64 kGrain = u64{2} << 20;
std::map<CUmemGenericAllocationHandle, Handle> handles;
CUmemGenericAllocationHandle next_handle = 1;

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free, size_t* total) {
    return driver_call([&] { return cudaMemGetInfo(free, total); });
}
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return driver_call([&] { return cudaMalloc(reinterpret_cast<void**>(pointer), bytes); });
}
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height, unsigned int) {
    return driver_call(
        [&] { return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height); });
}
CUresult cuMemFree(CUdeviceptr pointer) {
    return driver_call([&] { return cudaFree(pointer_at(pointer)); });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
    return driver_call("cuMemGetAddressRange", [&](Runtime& r) {
        const Allocation* a = r.memory().find(pointer);
        require(a != nullptr, cudaErrorSymbolNotFound);
        if (base != nullptr) *base = a->address;
        if (bytes != nullptr) *bytes = a->bytes;
    });
}
CUresult cuMemAllocHost(void** pointer, size_t bytes) {
    return driver_call([&] { return cudaMallocHost(pointer, bytes); });
}
CUresult cuMemFreeHost(void* pointer) {
    return driver_call([&] { return cudaFreeHost(pointer); });
}
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
    return driver_call([&] { return cudaHostAlloc(pointer, bytes, flags); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags) {
    return driver_call(
        [&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags); });
}
CUresult cuMemHostGetFlags(unsigned int* flags, void* host) {
    return driver_call([&] { return cudaHostGetFlags(flags, host); });
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned int flags) {
    return driver_call([&] { return cudaHostRegister(pointer, bytes, flags); });
}
CUresult cuMemHostUnregister(void* pointer) {
    return driver_call([&] { return cudaHostUnregister(pointer); });
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return driver_call([&] { return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags); });
}
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
    return driver_call([&] { return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream); });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream) {
    return driver_call(
        [&] { return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream); });
}
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return driver_call([&] { return cudaFreeAsync(pointer_at(pointer), stream); });
}
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device) {
    return driver_call([&] {
        return cudaMemAdvise_v2(pointer_at(pointer), bytes, static_cast<cudaMemoryAdvise>(advice),
                                location_of(device));
    });
}
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) {
    return driver_call(
        [&] { return cudaMemPrefetchAsync_v2(pointer_at(pointer), bytes, location_of(device), 0, stream); });
}
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location) {
    return driver_call([&] {
        return cudaMemAdvise_v2(pointer_at(pointer), bytes, static_cast<cudaMemoryAdvise>(advice),
                                {static_cast<cudaMemLocationType>(location.type), location.id});
    });
}
CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int,
                               CUstream stream) {
    return driver_call([&] {
        return cudaMemPrefetchAsync_v2(pointer_at(pointer), bytes,
                                       {static_cast<cudaMemLocationType>(location.type), location.id}, 0,
                                       stream);
    });
}
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return driver_call("cuPointerGetAttribute", [&](Runtime& r) {
        require(data != nullptr);
        const Allocation* a = r.memory().find(pointer);
        require(a != nullptr);
        const bool host = a->kind == MemoryKind::host || a->kind == MemoryKind::registered;
        switch (attribute) {
            case CU_POINTER_ATTRIBUTE_CONTEXT:
                if (CUcontext current; cuCtxGetCurrent(&current) == CUDA_SUCCESS)
                    *static_cast<CUcontext*>(data) = current;
                return;
            case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
                *static_cast<unsigned*>(data) = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
                return;
            case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
                *static_cast<CUdeviceptr*>(data) = pointer;
                return;
            case CU_POINTER_ATTRIBUTE_HOST_POINTER:
                require(host || a->kind == MemoryKind::managed);
                *static_cast<void**>(data) = pointer_at(pointer);
                return;
            case CU_POINTER_ATTRIBUTE_IS_MANAGED:
                *static_cast<unsigned*>(data) = a->kind == MemoryKind::managed;
                return;
            case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
                *static_cast<int*>(data) = 0;
                return;
            case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
                *static_cast<CUdeviceptr*>(data) = a->address;
                return;
            case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
                *static_cast<size_t*>(data) = a->bytes;
                return;
            case CU_POINTER_ATTRIBUTE_MAPPED:
                *static_cast<unsigned char*>(data) = 1;
                return;
            case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
                *static_cast<unsigned*>(data) = 0;
                return;
            case CU_POINTER_ATTRIBUTE_BUFFER_ID:
                *static_cast<u64*>(data) = a->address;
                return;
            case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
                *static_cast<unsigned char*>(data) = a->kind == MemoryKind::device;
                return;
            case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
                *static_cast<u64*>(data) = 0;
                return;
            case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
                *static_cast<unsigned char*>(data) = 0;
                return;
            case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
                *static_cast<unsigned*>(data) = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
                return;
            case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
                *static_cast<CUmemoryPool*>(data) = pool_with(a->address);
                return;
            default:
                break;
        }
        throw CudaError{cudaErrorInvalidValue};
    });
}

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags) {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return *bytes = kGrain, CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t, CUdeviceptr, unsigned long long) {
    if (bytes == 0 || bytes % kGrain != 0) return CUDA_ERROR_INVALID_VALUE;
    return driver_call([&] { return cudaMalloc(reinterpret_cast<void**>(pointer), bytes); });
}
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t) {
    return driver_call([&] { return cudaFree(pointer_at(pointer)); });
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long) {
    return driver_call("cuMemCreate", [&](Runtime&) {
        require(handle != nullptr && properties != nullptr && bytes != 0 && bytes % kGrain == 0);
        require(properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE, cudaErrorNotSupported);
        // Memory is never compressed, whatever was asked for: a program asks afterwards what it got.
        CUmemAllocationProp granted = *properties;
        granted.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
        handles[next_handle] = {bytes, 0, 1, granted};
        *handle = next_handle++;
    });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    return driver_call("cuMemRelease", [&](Runtime&) {
        const auto at = handles.find(handle);
        require(at != handles.end() && at->second.users != 0);
        if (--at->second.users == 0 && at->second.mapped == 0) handles.erase(at);
    });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
    return driver_call("cuMemRetainAllocationHandle", [&](Runtime&) {
        require(handle != nullptr);
        for (auto& [number, h] : handles)
            if (h.mapped != 0 && address_of(address) - h.mapped < h.bytes) {
                ++h.users;
                *handle = number;
                return;
            }
        throw CudaError{cudaErrorInvalidValue};
    });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
    return driver_call("cuMemGetAllocationPropertiesFromHandle", [&](Runtime&) {
        const auto at = handles.find(handle);
        require(properties != nullptr && at != handles.end());
        *properties = at->second.properties;
    });
}
CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
    return driver_call("cuMemMap", [&](Runtime& r) {
        const auto at = handles.find(handle);
        require(at != handles.end() && offset == 0 && flags == 0 && bytes <= at->second.bytes);
        require(r.memory().accessible(pointer, bytes));
        if (at->second.mapped != 0) {
            r.note("cuMemMap: Heddle maps a handle in one place only");
            throw CudaError{cudaErrorNotSupported};
        }
        at->second.mapped = pointer;
    });
}
CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes) {
    return driver_call("cuMemUnmap", [&](Runtime&) {
        bool any = false;
        for (auto at = handles.begin(); at != handles.end();) {
            Handle& handle = at->second;
            const bool inside = handle.mapped >= pointer && handle.mapped < pointer + bytes;
            any = any || inside;
            if (inside) handle.mapped = 0;
            at = inside && handle.users == 0 ? handles.erase(at) : std::next(at);
        }
        require(any);
    });
}
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* list, size_t count) {
    return driver_call("cuMemSetAccess", [&](Runtime& r) {
        require(list != nullptr && count != 0 && r.memory().accessible(pointer, bytes));
    });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copy_linear(to, from, bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copy_linear_async(to, from, bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) {
    return copy_linear(to, from, bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes,
                           CUstream stream) {
    return copy_linear_async(to, from, bytes, cudaMemcpyDefault, stream);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
    return copy_linear(to, address_of(from), bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
    return copy_linear(address_of(to), from, bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copy_linear(to, from, bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
    return copy_linear_async(to, address_of(from), bytes, cudaMemcpyHostToDevice, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copy_linear_async(address_of(to), from, bytes, cudaMemcpyDeviceToHost, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return copy_linear_async(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
    return copy_array("cuMemcpyDtoA", to, offset, from, bytes, CU_MEMORYTYPE_DEVICE, true);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
    return copy_array("cuMemcpyAtoD", from, offset, to, bytes, CU_MEMORYTYPE_DEVICE, false);
}
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
    return copy_array("cuMemcpyHtoA", to, offset, address_of(from), bytes, CU_MEMORYTYPE_HOST, true);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
    return copy_array("cuMemcpyAtoH", from, offset, address_of(to), bytes, CU_MEMORYTYPE_HOST, false);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
    return copy_array("cuMemcpyHtoAAsync", to, offset, address_of(from), bytes, CU_MEMORYTYPE_HOST, true,
                      stream, true);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
    return copy_array("cuMemcpyAtoHAsync", from, offset, address_of(to), bytes, CU_MEMORYTYPE_HOST, false,
                      stream, true);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
    return copy_box("cuMemcpyAtoA", {CU_MEMORYTYPE_ARRAY, nullptr, 0, to, to_offset, 0, 0, 0, 1},
                    {CU_MEMORYTYPE_ARRAY, nullptr, 0, from, from_offset, 0, 0, 0, 1}, {bytes, 1, 1}, nullptr,
                    false);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
    return copy_2d("cuMemcpy2D", copy, nullptr, false);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
    return copy_2d("cuMemcpy2DUnaligned", copy, nullptr, false);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
    return copy_2d("cuMemcpy2DAsync", copy, stream, true);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) {
    return copy_3d_driver("cuMemcpy3D", copy, nullptr, false);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
    return copy_3d_driver("cuMemcpy3DAsync", copy, stream, true);
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
    return fill_rows("cuMemsetD8", to, count, value, 1, count, 1, nullptr, false);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
    return fill_rows("cuMemsetD16", to, count * 2, value, 2, count, 1, nullptr, false);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
    return fill_rows("cuMemsetD32", to, count * 4, value, 4, count, 1, nullptr, false);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    return fill_rows("cuMemsetD8Async", to, count, value, 1, count, 1, stream, true);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
    return fill_rows("cuMemsetD16Async", to, count * 2, value, 2, count, 1, stream, true);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
    return fill_rows("cuMemsetD32Async", to, count * 4, value, 4, count, 1, stream, true);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
    return fill_rows("cuMemsetD2D8", to, pitch, value, 1, width, height, nullptr, false);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
    return fill_rows("cuMemsetD2D16", to, pitch, value, 2, width, height, nullptr, false);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
    return fill_rows("cuMemsetD2D32", to, pitch, value, 4, width, height, nullptr, false);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
    return fill_rows("cuMemsetD2D8Async", to, pitch, value, 1, width, height, stream, true);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
    return fill_rows("cuMemsetD2D16Async", to, pitch, value, 2, width, height, stream, true);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height,
                            CUstream stream) {
    return fill_rows("cuMemsetD2D32Async", to, pitch, value, 4, width, height, stream, true);
}

}  // extern "C"
