#pragma once
// Device memory: arenas at fixed addresses of this process, so that a device pointer is a host pointer.
//
// The same program gets the same addresses in every run (streams must be the same bits), managed and pinned
// memory are visible to the host under the pointer that the device uses, and a kernel's load is one host
// load. What a pointer may touch is decided by the table of allocations alone: exact bounds, as a memory
// checker has them.
//
// Address map (all arenas are reserved, not committed; untouched pages cost nothing):
//   0x1000'0000'0000   generic window of shared memory   (kSharedWindow + offset; each CTA sees its own)
//   0x1100'0000'0000   generic window of local memory    (kLocalWindow + offset; each thread sees its own)
//   0x1200'0000'0000   generic window of kernel parameters
//   0x1300'0000'0000   local memory as streams show it   (interleaved by lane, a range for each warp)
//   0x2000'0000'0000   device      cudaMalloc, textures' arrays
//   0x2400'0000'0000   managed     cudaMallocManaged, __managed__
//   0x2800'0000'0000   host        cudaMallocHost, cudaHostAlloc
//   0x2a00'0000'0000   module      __device__ variables
//   0x2b00'0000'0000   constant    __constant__ variables
//   0x2c00'0000'0000   heap        malloc() on the device

#include <array>
#include <map>
#include <string>
#include <vector>

#include "sim/types.h"

namespace heddle::ptx {

/// With 0x in front.
std::string hex(u64 v);

inline constexpr u64 kSharedWindow = 0x1000'0000'0000;
inline constexpr u64 kLocalWindow = 0x1100'0000'0000;
inline constexpr u64 kParamWindow = 0x1200'0000'0000;
inline constexpr u64 kLocalStreamBase = 0x1300'0000'0000;
inline constexpr u64 kWindowBytes = u64{1} << 32;
/// No window or arena lies here or beyond.
inline constexpr u64 kArenasEnd = 0x3000'0000'0000;

enum class MemoryKind : u8 { device, managed, host, module, constant, heap, registered, count_ };

std::string_view memory_kind_name(MemoryKind kind);

struct Allocation {
    u64 address = 0, bytes = 0;
    MemoryKind kind = MemoryKind::device;
    std::string name;  // a variable's; empty for dynamic memory
    u64 end() const { return address + bytes; }
};

/// One address space's allocations. Only one object may live at a time in a process (the addresses are
/// fixed); a second throws InputError.
class DeviceMemory {
  public:
    /// `device_bytes` is what cudaMemGetInfo reports and cudaMalloc can't exceed; `heap_bytes` bounds device
    /// malloc.
    explicit DeviceMemory(u64 device_bytes = u64{80} << 30, u64 heap_bytes = u64{8} << 20);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// Zero-filled memory at the lowest free place (512-byte grain; 2 MiB grain from 1 MiB on). 0 if there is
    /// no room or bytes is 0.
    u64 allocate(MemoryKind kind, u64 bytes, u32 align = 1, std::string_view name = {});
    /// False if `address` doesn't start a live allocation of `kind`.
    bool free(MemoryKind kind, u64 address);
    /// Host memory outside the arenas that kernels may touch (cudaHostRegister). False if it overlaps a live
    /// one.
    bool register_host(void* address, u64 bytes, MemoryKind kind = MemoryKind::registered);
    bool unregister_host(void* address);
    void set_heap_limit(u64 bytes) { limit_[static_cast<std::size_t>(MemoryKind::heap)] = bytes; }

    /// The live allocation that contains the byte, or null. Invalid after the next allocate or free.
    const Allocation* find(u64 address) const;
    /// The live allocation nearest to the byte (null if there is none).
    const Allocation* nearest(u64 address) const;
    /// "12 bytes after the end of the 4,096-byte device allocation at 0x200000000000"; also knows freed
    /// memory.
    std::string describe(u64 address) const;
    /// Are all bytes inside one live allocation?
    bool accessible(u64 address, u64 bytes) const;

    u64 used(MemoryKind kind) const { return used_[static_cast<std::size_t>(kind)]; }
    u64 capacity() const { return limit_[static_cast<std::size_t>(MemoryKind::device)]; }
    /// Does the page of a real device that holds the bytes (all of them in one) also hold something of an allocation? The
    /// page below the first one of device memory does if that one does.
    bool in_used_page(u64 address, u64 bytes) const;
    /// Changes whenever an allocation appears or goes: caches of find() are valid for one generation.
    u64 generation() const { return generation_; }
    /// In address order.
    const std::map<u64, Allocation>& allocations() const { return live_; }

  private:
    std::map<u64, Allocation> live_;   // by address; ordered, so nothing depends on hashing
    std::map<u64, Allocation> freed_;  // the last ones, for messages
    // Free ranges: address -> bytes.
    std::array<std::map<u64, u64>, static_cast<std::size_t>(MemoryKind::count_)> holes_;
    std::array<u64, static_cast<std::size_t>(MemoryKind::count_)> used_{}, limit_{};
    u64 generation_ = 1;
};

}  // namespace heddle::ptx
