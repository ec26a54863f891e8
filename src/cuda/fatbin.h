#pragma once
// Reading the PTX that a program carries: nvcc's fat binaries, or the text that clang embeds.
//
// A container is a 16-byte header {u32 magic, u16 version, u16 header bytes, u64 payload bytes} and entries. An entry is a
// header {u16 kind, u16, u32 header bytes, u64 padded payload bytes, u32 compressed bytes at 16, u32 architecture at 28,
// u64 flags at 40, u64 uncompressed bytes at 56} and its payload: PTX text or an ELF image, plain, zstd (flag 0x8000) or
// one raw LZ4 block (flag 0x2000). Observed in what nvcc 11 to 13 writes; there is no public description.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::cuda {

inline constexpr u32 kContainerMagic = 0xBA55ED50;
inline constexpr u32 kWrapperMagic = 0x466243b1;
inline constexpr std::size_t kContainerHeader = 16;

struct FatbinEntry {
    bool is_ptx = false;   // else machine code
    u32 architecture = 0;  // 75: sm_75 or compute_75
    std::string text;      // PTX, unpacked; empty for machine code
};

/// The whole container's size by its header; 0 if this is none. `bytes` holds the header at least.
u64 container_bytes(std::span<const std::byte> bytes);

/// Every entry. Throws InputError (naming the offset) if the container is cut off or its compressed data is broken.
std::vector<FatbinEntry> read_container(std::span<const std::byte> container);

/// Is it NVIDIA's library of launches from the device? nvcc links it to every relocatable program, needed or not; it calls
/// what only NVIDIA's driver has. ptx/device_runtime.h takes its place.
bool is_device_runtime(std::string_view ptx);

/// The PTX to run: of the highest architecture. Throws InputError that says how to compile if there is none.
const FatbinEntry& choose_ptx(const std::vector<FatbinEntry>& entries);

}  // namespace heddle::cuda
