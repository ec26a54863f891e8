#pragma once
// The two grains of a GPU's memory path, the same on every machine: a cache line and its sectors.

#include "sim/types.h"

namespace heddle {

inline constexpr u32 kLineBytes = 128;
inline constexpr u32 kSectorBytes = 32;
inline constexpr u32 kSectors = kLineBytes / kSectorBytes;
inline constexpr u8 kAllSectors = (1 << kSectors) - 1;
inline constexpr u32 kLineShift = 7;

}  // namespace heddle
