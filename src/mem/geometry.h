#pragma once
// The two granularities of a GPU's memory path, the same on every machine: a cache line and its sectors.

#include "sim/types.h"

namespace heddle {

inline constexpr u32 kLineBytes = 128;
inline constexpr u32 kSectorBytes = 32;
inline constexpr u32 kSectors = kLineBytes / kSectorBytes;
inline constexpr u8 kAllSectors = (1 << kSectors) - 1;
inline constexpr u32 kLineShift = 7;

/// Physical lines are numbered with 32 bits (vm/address_space.h keeps memory below 2^32 - 1 lines).
constexpr u32 line_number(PhysAddr address) {
    return static_cast<u32>(address.v >> kLineShift);
}
constexpr PhysAddr line_address(u32 number) {
    return PhysAddr(u64{number} << kLineShift);
}

/// Sectors in a mask. A table: the baseline instruction set has no population count.
constexpr u32 sector_count(u8 mask) {
    constexpr u8 counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15];
}

}  // namespace heddle
