// Allocation of every kind, what is known about a pointer.

#include <algorithm>
#include <utility>

#include "cuda/runtime/advice.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/pools.h"
#include "cuda/runtime/shared_memory.h"

using namespace heddle::cuda;
using heddle::AllocEvent;
using heddle::FreeEvent;
using heddle::u32;
using heddle::u64;
using heddle::ptx::MemoryKind;

namespace {

constexpr u64 kPitchGrain = 512;

/// Bytes of memory of graphs.
struct GraphBytes {
    u64 now = 0, high = 0;

    void add(u64 bytes) {
        now += bytes;
        high = std::max(high, now);
    }
};
GraphBytes graph_bytes_used, graph_bytes_reserved;
std::map<u64, GraphMemory*> graph_memory;  // by address

AllocEvent::Kind event_kind(MemoryKind kind) {
    return kind == MemoryKind::managed ? AllocEvent::Kind::managed
           : kind == MemoryKind::host  ? AllocEvent::Kind::host
                                       : AllocEvent::Kind::device;
}

u64 allocate(Runtime& r, MemoryKind kind, u64 bytes, u32 align = 256) {
    if (bytes == 0) return 0;  // CUDA gives a null pointer
    const u64 address = r.memory().allocate(kind, bytes, align);
    if (address == 0)
        r.note("no room for " + std::to_string(bytes) + " bytes: the device has " +
               std::to_string(r.memory().capacity()) + ", of which " +
               std::to_string(r.memory().used(MemoryKind::device)) + " are in use");
    require(address != 0, cudaErrorMemoryAllocation);
    r.record(AllocEvent{address, bytes, event_kind(kind)});
    return address;
}

void release(Runtime& r, MemoryKind kind, u64 address) {
    const auto* a = r.memory().find(address);
    require(a != nullptr && a->address == address && a->kind == kind);
    forget_advice(address, a->end());
    unshare(address, a->end());
    r.memory().free(kind, address);
    back_to_pool(address);
    r.record(FreeEvent{address});
}

u64& graph_bytes(int device, cudaGraphMemAttributeType attribute, const void* value) {
    require(device == 0, cudaErrorInvalidDevice);
    require(value != nullptr);
    switch (attribute) {
        case cudaGraphMemAttrUsedMemCurrent:
            return graph_bytes_used.now;
        case cudaGraphMemAttrUsedMemHigh:
            return graph_bytes_used.high;
        case cudaGraphMemAttrReservedMemCurrent:
            return graph_bytes_reserved.now;
        case cudaGraphMemAttrReservedMemHigh:
            return graph_bytes_reserved.high;
    }
    throw CudaError{cudaErrorInvalidValue};
}

/// A graph's memory has its address for the next launch. False: it is other memory.
bool free_graph_memory(u64 address) {
    const auto at = graph_memory.find(address);
    if (at == graph_memory.end()) return false;
    at->second->use(false);
    return true;
}

/// cudaFree takes device and managed memory.
void release_device(Runtime& r, void* pointer) {
    const u64 address = reinterpret_cast<u64>(pointer);
    if (address == 0 || close_shared(r, address)) return;
    const auto* a = r.memory().find(address);
    if (a == nullptr || a->address != address ||
        (a->kind != MemoryKind::device && a->kind != MemoryKind::managed)) {
        r.note("cudaFree of an address that is not the start of an allocation: " +
               r.memory().describe(address));
        throw CudaError{cudaErrorInvalidValue};
    }
    r.host_waits(nullptr);
    if (!free_graph_memory(address)) release(r, a->kind, address);
}

u64 pitch_of(u64 width) {
    return heddle::ceil_div(width, kPitchGrain) * kPitchGrain;
}

cudaError_t allocate_call(const char* name, void** pointer, size_t bytes, MemoryKind kind) {
    return call(name, [&](Runtime& r) {
        require(pointer != nullptr);
        *pointer = reinterpret_cast<void*>(allocate(r, kind, bytes));
    });
}

void allocate_from(Runtime& r, void** pointer, u64 bytes, cudaMemPool_t pool, cudaStream_t stream) {
    require(pointer != nullptr);
    check_pool(pool, bytes);
    if (r.stream(stream).capture != nullptr) {
        *pointer = capture_allocation(r, stream, bytes);
        return;
    }
    const u64 address = allocate(r, MemoryKind::device, bytes);
    taken_from_pool(pool, address, bytes);
    *pointer = reinterpret_cast<void*>(address);
}

void make_array(Runtime& r, cudaArray_t* out, const cudaChannelFormatDesc* desc, cudaExtent extent,
                unsigned flags) {
    require(out != nullptr && desc != nullptr && extent.width != 0);
    require((flags & (cudaArraySparse | cudaArrayDeferredMapping)) == 0, cudaErrorNotSupported);
    Array a;
    a.format = *desc;
    a.extent = extent;
    a.flags = flags;
    require(a.texel_bytes() != 0, cudaErrorInvalidChannelDescriptor);
    const u64 faces = (flags & cudaArrayCubemap) != 0 && extent.depth == 0 ? 6 : 1;
    if (faces == 6) a.extent.depth = 6;
    a.pitch = extent.height == 0 && extent.depth == 0 ? extent.width * a.texel_bytes()
                                                      : pitch_of(extent.width * a.texel_bytes());
    a.slice = a.pitch * a.rows();
    a.address = allocate(r, MemoryKind::device, a.slice * a.slices(), 512);
    const u64 handle = r.next_array++;
    r.arrays[handle] = a;
    *out = reinterpret_cast<cudaArray_t>(handle);
}

}  // namespace

namespace heddle::cuda {

GraphMemory::GraphMemory(Runtime& r, u64 size) : address(allocate(r, MemoryKind::device, size)), bytes(size) {
    graph_memory[address] = this;
    graph_bytes_reserved.add(bytes);
}

void GraphMemory::use(bool now) {
    if (std::exchange(in_use, now) == now) return;
    if (now)
        graph_bytes_used.add(bytes);
    else
        graph_bytes_used.now -= bytes;
}

GraphMemory::~GraphMemory() {
    graph_memory.erase(address);
    graph_bytes_reserved.now -= bytes;
    const bool the_programs = in_use;
    use(false);
    if (address == 0 || the_programs) return;
    call_without_context(
        "cudaGraphDestroy", [&](Runtime& r) { release(r, MemoryKind::device, address); }, true);
}

void free_in_turn(Runtime& r, void* pointer) {
    const u64 address = reinterpret_cast<u64>(pointer);
    if (!free_graph_memory(address) && !close_shared(r, address)) release(r, MemoryKind::device, address);
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return allocate_call("cudaMalloc", pointer, bytes, MemoryKind::device);
}
cudaError_t cudaFree(void* pointer) {
    return call("cudaFree", [&](Runtime& r) { release_device(r, pointer); });
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return allocate_call("cudaMallocHost", pointer, bytes, MemoryKind::host);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int) {
    return allocate_call("cudaHostAlloc", pointer, bytes, MemoryKind::host);
}
cudaError_t cudaFreeHost(void* pointer) {
    return call("cudaFreeHost", [&](Runtime& r) {
        if (pointer != nullptr) release(r, MemoryKind::host, reinterpret_cast<u64>(pointer));
    });
}
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
    return call("cudaHostRegister", [&](Runtime& r) {
        require(pointer != nullptr && bytes != 0);
        require(r.memory().register_host(pointer, bytes), cudaErrorHostMemoryAlreadyRegistered);
        r.record(AllocEvent{reinterpret_cast<u64>(pointer), bytes, AllocEvent::Kind::host});
    });
}
cudaError_t cudaHostUnregister(void* pointer) {
    return call("cudaHostUnregister", [&](Runtime& r) {
        require(r.memory().unregister_host(pointer), cudaErrorHostMemoryNotRegistered);
        r.record(FreeEvent{reinterpret_cast<u64>(pointer)});
    });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
    return call("cudaHostGetDevicePointer", [&](Runtime& r) {
        require(device != nullptr && r.memory().find(reinterpret_cast<u64>(host)) != nullptr);
        *device = host;
    });
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    return call("cudaHostGetFlags", [&](Runtime& r) {
        require(flags != nullptr && r.memory().find(reinterpret_cast<u64>(host)) != nullptr);
        *flags = cudaHostAllocMapped;
    });
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return call("cudaMallocManaged", [](Runtime&) { throw CudaError{cudaErrorInvalidValue}; });
    return allocate_call("cudaMallocManaged", pointer, bytes, MemoryKind::managed);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return call("cudaMallocPitch", [&](Runtime& r) {
        require(pointer != nullptr && pitch != nullptr);
        *pitch = pitch_of(width);
        *pointer = reinterpret_cast<void*>(allocate(r, MemoryKind::device, *pitch * height, 512));
    });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return call("cudaMalloc3D", [&](Runtime& r) {
        require(pitched != nullptr);
        const u64 pitch = pitch_of(extent.width);
        const u64 address = allocate(r, MemoryKind::device, pitch * extent.height * extent.depth, 512);
        *pitched = {reinterpret_cast<void*>(address), pitch, extent.width, extent.height};
    });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
    return call("cudaMallocArray", [&](Runtime& r) {
        make_array(r, array, desc, {width, height, 0}, flags);
    });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned int flags) {
    return call("cudaMalloc3DArray", [&](Runtime& r) { make_array(r, array, desc, extent, flags); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    return call("cudaFreeArray", [&](Runtime& r) {
        if (array == nullptr) return;
        release(r, MemoryKind::device, r.array(array).address);
        r.arrays.erase(reinterpret_cast<u64>(array));
    });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
    return call("cudaArrayGetInfo", [&](Runtime& r) {
        const Array& a = r.array(array);
        if (desc != nullptr) *desc = a.format;
        if (extent != nullptr) *extent = a.extent;
        if (flags != nullptr) *flags = a.flags;
    });
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned int levels, unsigned int flags) {
    return call("cudaMallocMipmappedArray", [&](Runtime& r) {
        require(array != nullptr && levels != 0);
        // Layers do not become fewer. There are no more levels than halvings of the largest size.
        const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
        const u64 largest = std::max({extent.width, extent.height, layered ? 0 : extent.depth});
        std::vector<u64> handles;
        for (unsigned k = 0; k < levels && (k == 0 || largest >> k != 0); ++k) {
            auto part = [&](u64 size) { return size == 0 ? 0 : std::max<u64>(size >> k, 1); };
            cudaArray_t level = nullptr;
            make_array(r, &level, desc,
                       {part(extent.width), part(extent.height), layered ? extent.depth : part(extent.depth)},
                       flags);
            handles.push_back(reinterpret_cast<u64>(level));
        }
        const u64 handle = r.next_array++;
        r.mipmapped[handle] = handles;
        *array = reinterpret_cast<cudaMipmappedArray_t>(handle);
    });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_t mipmapped,
                                       unsigned int level) {
    return call("cudaGetMipmappedArrayLevel", [&](Runtime& r) {
        const auto at = r.mipmapped.find(reinterpret_cast<u64>(mipmapped));
        require(at != r.mipmapped.end(), cudaErrorInvalidResourceHandle);
        require(array != nullptr && level < at->second.size());
        *array = reinterpret_cast<cudaArray_t>(at->second[level]);
    });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped) {
    return call("cudaFreeMipmappedArray", [&](Runtime& r) {
        if (mipmapped == nullptr) return;
        const auto at = r.mipmapped.find(reinterpret_cast<u64>(mipmapped));
        require(at != r.mipmapped.end(), cudaErrorInvalidResourceHandle);
        for (const u64 handle : at->second) {
            release(r, MemoryKind::device, r.array(reinterpret_cast<cudaArray_t>(handle)).address);
            r.arrays.erase(handle);
        }
        r.mipmapped.erase(at);
    });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return call("cudaMemGetInfo", [&](Runtime& r) {
        require(free != nullptr && total != nullptr);
        *total = r.memory().capacity();
        *free = *total - std::min<u64>(*total, r.memory().used(MemoryKind::device) +
                                                   r.memory().used(MemoryKind::managed));
    });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call("cudaPointerGetAttributes", [&](Runtime& r) {
        require(attributes != nullptr);
        const auto* a = r.memory().find(reinterpret_cast<u64>(pointer));
        void* const p = const_cast<void*>(pointer);
        const bool host = a != nullptr && (a->kind == MemoryKind::host || a->kind == MemoryKind::registered);
        const bool managed = a != nullptr && a->kind == MemoryKind::managed;
        attributes->type = a == nullptr ? cudaMemoryTypeUnregistered
                           : host       ? cudaMemoryTypeHost
                           : managed    ? cudaMemoryTypeManaged
                                        : cudaMemoryTypeDevice;
        attributes->device = a == nullptr ? cudaInvalidDeviceId : 0;
        attributes->devicePointer = a == nullptr ? nullptr : p;
        attributes->hostPointer = a == nullptr || host || managed ? p : nullptr;
    });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int) {
    return call("cudaStreamAttachMemAsync", [&](Runtime& r) { r.stream(stream); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return call("cudaMallocAsync",
                [&](Runtime& r) { allocate_from(r, pointer, bytes, current_pool(), stream); });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return call("cudaMallocFromPoolAsync",
                [&](Runtime& r) { allocate_from(r, pointer, bytes, pool, stream); });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call("cudaFreeAsync", [&](Runtime& r) {
        require(pointer != nullptr);
        const bool captured = r.stream(stream).capture != nullptr;
        r.submit(stream, cudaGraphNodeTypeMemFree, [&r, pointer](Stream&) { free_in_turn(r, pointer); });
        if (!captured) return;
        cudaGraphNodeParams& given = r.stream(stream).capture_after.front()->given;
        given.type = cudaGraphNodeTypeMemFree;
        given.free.dptr = pointer;
    });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return call("cudaDeviceGetGraphMemAttribute",
                [&](Runtime&) { *static_cast<u64*>(value) = graph_bytes(device, attribute, value); });
}
/// High marks can only be put back.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    return call("cudaDeviceSetGraphMemAttribute", [&](Runtime&) {
        u64& mark = graph_bytes(device, attribute, value);
        require(*static_cast<u64*>(value) == 0);
        if (&mark == &graph_bytes_used.high)
            mark = graph_bytes_used.now;
        else if (&mark == &graph_bytes_reserved.high)
            mark = graph_bytes_reserved.now;
        else
            throw CudaError{cudaErrorInvalidValue};
    });
}
/// No more is reserved than the graphs that there are need.
cudaError_t cudaDeviceGraphMemTrim(int device) {
    return call("cudaDeviceGraphMemTrim", [&](Runtime&) { require(device == 0, cudaErrorInvalidDevice); });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return call("cudaGetSymbolAddress", [&](Runtime& r) {
        require(pointer != nullptr);
        *pointer = reinterpret_cast<void*>(r.symbol(symbol).address);
    });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return call("cudaGetSymbolSize", [&](Runtime& r) {
        require(bytes != nullptr);
        *bytes = r.symbol(symbol).decl.bytes;
    });
}

}  // extern "C"
