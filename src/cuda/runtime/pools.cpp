// Memory pools. A pool's attributes are what a program set and what its own allocations come to; the memory is the device's, so
// what a pool keeps reserved is a number, and takes no room from others.

#include "cuda/runtime/pools.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/runtime/shared_memory.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

struct MemoryPool {
    bool exports = false;   // can be given to other processes
    bool imported = false;  // came from another, or from this one; holds only what is imported into it
    u64 most = 0;           // bytes; 0: as much as the device has
    int reuse[3] = {1, 1, 1};
    u64 release_threshold = 0;
    u64 reserved = 0, reserved_high = 0, used = 0, used_high = 0;

    /// Keeps no more than `kept` bytes reserved, but all that is in use.
    void trim(u64 kept) { reserved = std::max(used, std::min(reserved, kept)); }
};

struct TakenMemory {
    u64 pool, bytes;
};

constexpr char kPoolFile[] = "heddle memory pool";
constexpr u64 kDefaultPool = 1;
std::map<u64, MemoryPool> pools{{kDefaultPool, {}}};
u64 next_pool = kDefaultPool + 1, chosen_pool = kDefaultPool;
std::map<u64, TakenMemory> taken_memory;  // by address

cudaMemPool_t pool_handle(u64 number) {
    return reinterpret_cast<cudaMemPool_t>(number);
}

MemoryPool& pool_of(cudaMemPool_t handle) {
    const auto at = pools.find(reinterpret_cast<u64>(handle));
    require(at != pools.end());
    return at->second;
}

cudaError_t tell_pool(const char* name, cudaMemPool_t* out, int device, u64 number) {
    return call_without_context(name, [&](Runtime&) {
        require(out != nullptr);
        require(device == 0, cudaErrorInvalidDevice);
        *out = pool_handle(number);
    });
}

void check_pool_place(const cudaMemLocation* location, cudaMemAllocationType type) {
    require(location != nullptr);
    require(location->type != cudaMemLocationTypeDevice || location->id == 0, cudaErrorInvalidDevice);
    require(location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned,
            cudaErrorNotSupported);
}

}  // namespace

namespace heddle::cuda {

cudaMemPool_t current_pool() {
    return pool_handle(chosen_pool);
}

void check_pool(cudaMemPool_t handle, u64 bytes) {
    const MemoryPool& pool = pool_of(handle);
    require(!pool.imported);
    require(pool.most == 0 || (pool.used <= pool.most && bytes <= pool.most - pool.used),
            cudaErrorMemoryAllocation);
}

void taken_from_pool(cudaMemPool_t handle, u64 address, u64 bytes) {
    if (address == 0) return;
    MemoryPool& pool = pool_of(handle);
    taken_memory[address] = {reinterpret_cast<u64>(handle), bytes};
    pool.used += bytes;
    pool.used_high = std::max(pool.used_high, pool.used);
    pool.reserved = std::max(pool.reserved, pool.used);
    pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
}

cudaMemPool_t pool_with(u64 address) {
    const auto at = taken_memory.find(address);
    return at == taken_memory.end() ? nullptr : pool_handle(at->second.pool);
}

void back_to_pool(u64 address) {
    const auto at = taken_memory.find(address);
    if (at == taken_memory.end()) return;
    // A pool may be gone before its memory is.
    if (const auto of = pools.find(at->second.pool); of != pools.end()) {
        of->second.used -= at->second.bytes;
        of->second.trim(of->second.release_threshold);
    }
    taken_memory.erase(at);
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return tell_pool("cudaDeviceGetDefaultMemPool", pool, device, kDefaultPool);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return tell_pool("cudaDeviceGetMemPool", pool, device, chosen_pool);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return call("cudaDeviceSetMemPool", [&](Runtime&) {
        require(device == 0, cudaErrorInvalidDevice);
        pool_of(pool);
        chosen_pool = reinterpret_cast<u64>(pool);
    });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* props) {
    return call("cudaMemPoolCreate", [&](Runtime&) {
        require(pool != nullptr && props != nullptr && props->allocType == cudaMemAllocationTypePinned);
        // Memory that another process can open: by a file descriptor alone.
        require((props->handleTypes & ~cudaMemHandleTypePosixFileDescriptor) == 0, cudaErrorNotSupported);
        pools[next_pool].most = props->maxSize;
        pools[next_pool].exports = props->handleTypes == cudaMemHandleTypePosixFileDescriptor;
        *pool = pool_handle(next_pool++);
    });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    return call("cudaMemPoolDestroy", [&](Runtime&) {
        pool_of(pool);
        const u64 number = reinterpret_cast<u64>(pool);
        require(number != kDefaultPool);
        pools.erase(number);
        if (chosen_pool == number) chosen_pool = kDefaultPool;
    });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call("cudaMemPoolSetAttribute", [&](Runtime&) {
        MemoryPool& p = pool_of(pool);
        require(value != nullptr);
        switch (attribute) {
            case cudaMemPoolReuseFollowEventDependencies:
            case cudaMemPoolReuseAllowOpportunistic:
            case cudaMemPoolReuseAllowInternalDependencies:
                p.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
                return;
            case cudaMemPoolAttrReleaseThreshold:
                p.release_threshold = *static_cast<u64*>(value);
                return;
            // High marks can only be put back.
            case cudaMemPoolAttrReservedMemHigh:
                require(*static_cast<u64*>(value) == 0);
                p.reserved_high = p.reserved;
                return;
            case cudaMemPoolAttrUsedMemHigh:
                require(*static_cast<u64*>(value) == 0);
                p.used_high = p.used;
                return;
            default:
                throw CudaError{cudaErrorInvalidValue};
        }
    });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return call("cudaMemPoolGetAttribute", [&](Runtime&) {
        const MemoryPool& p = pool_of(pool);
        require(value != nullptr);
        switch (attribute) {
            case cudaMemPoolReuseFollowEventDependencies:
            case cudaMemPoolReuseAllowOpportunistic:
            case cudaMemPoolReuseAllowInternalDependencies:
                *static_cast<int*>(value) = p.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
                return;
            case cudaMemPoolAttrReleaseThreshold:
                *static_cast<u64*>(value) = p.release_threshold;
                return;
            case cudaMemPoolAttrReservedMemCurrent:
                *static_cast<u64*>(value) = p.reserved;
                return;
            case cudaMemPoolAttrReservedMemHigh:
                *static_cast<u64*>(value) = p.reserved_high;
                return;
            case cudaMemPoolAttrUsedMemCurrent:
                *static_cast<u64*>(value) = p.used;
                return;
            case cudaMemPoolAttrUsedMemHigh:
                *static_cast<u64*>(value) = p.used_high;
                return;
        }
        throw CudaError{cudaErrorInvalidValue};
    });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
    return call("cudaMemPoolSetAccess", [&](Runtime&) {
        pool_of(pool);
        require(list != nullptr || count == 0);
        for (size_t k = 0; k < count; ++k) {
            require(list[k].location.type == cudaMemLocationTypeDevice);
            require(list[k].location.id == 0, cudaErrorInvalidDevice);
            // The device that the memory is on always has access.
            require(list[k].flags == cudaMemAccessFlagsProtReadWrite);
        }
    });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    return call("cudaMemPoolGetAccess", [&](Runtime&) {
        require(flags != nullptr && location != nullptr);
        require(location->type != cudaMemLocationTypeDevice || location->id == 0, cudaErrorInvalidDevice);
        pool_of(pool);
        *flags = location->type == cudaMemLocationTypeDevice ? cudaMemAccessFlagsProtReadWrite
                                                             : cudaMemAccessFlagsProtNone;
    });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
    return call("cudaMemPoolTrimTo", [&](Runtime&) { pool_of(pool).trim(bytes); });
}

// A pool is given away as a file that says no more than that it is one; its memory pointer by pointer.
cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type, unsigned int flags) {
    return call("cudaMemPoolExportToShareableHandle", [&](Runtime&) {
        require(handle != nullptr && flags == 0 && type == cudaMemHandleTypePosixFileDescriptor &&
                pool_of(pool).exports);
        const int file = memfd_create("heddle-pool", MFD_CLOEXEC);
        require(file >= 0 && write(file, kPoolFile, sizeof kPoolFile) == sizeof kPoolFile,
                cudaErrorOperatingSystem);
        *static_cast<int*>(handle) = file;
    });
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle,
                                                 cudaMemAllocationHandleType type, unsigned int flags) {
    return call("cudaMemPoolImportFromShareableHandle", [&](Runtime&) {
        require(pool != nullptr && flags == 0 && type == cudaMemHandleTypePosixFileDescriptor);
        char text[sizeof kPoolFile] = {};
        // The descriptor stands in place of a pointer.
        const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
        require(pread(file, text, sizeof text, 0) == sizeof text &&
                std::memcmp(text, kPoolFile, sizeof text) == 0);
        pools[next_pool].imported = true;
        *pool = pool_handle(next_pool++);
    });
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
    return call("cudaMemPoolExportPointer", [&](Runtime& r) {
        const auto at = taken_memory.find(reinterpret_cast<u64>(pointer));
        require(data != nullptr && at != taken_memory.end());
        const auto of = pools.find(at->second.pool);
        require(of != pools.end() && of->second.exports);
        const SharedHandle shared = share_memory(r, at->first);
        std::memset(static_cast<void*>(data), 0, sizeof *data);
        std::memcpy(static_cast<void*>(data), &shared, sizeof shared);
    });
}
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool, cudaMemPoolPtrExportData* data) {
    return call("cudaMemPoolImportPointer", [&](Runtime& r) {
        require(pointer != nullptr && data != nullptr && pool_of(pool).imported);
        SharedHandle shared;
        std::memcpy(&shared, data, sizeof shared);
        *pointer = reinterpret_cast<void*>(open_shared(r, shared));
    });
}
// CUDA 13's forms of the device's pools: there are none in other places, nor of managed memory.
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
    return call_without_context("cudaMemGetDefaultMemPool", [&](Runtime&) {
        check_pool_place(location, type);
        require(pool != nullptr);
        *pool = pool_handle(kDefaultPool);
    });
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
    return call_without_context("cudaMemGetMemPool", [&](Runtime&) {
        check_pool_place(location, type);
        require(pool != nullptr);
        *pool = pool_handle(chosen_pool);
    });
}
cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
    return call("cudaMemSetMemPool", [&](Runtime&) {
        check_pool_place(location, type);
        pool_of(pool);
        chosen_pool = reinterpret_cast<u64>(pool);
    });
}

}  // extern "C"
