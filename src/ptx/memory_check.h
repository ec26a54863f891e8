#pragma once
// What becomes of an access to global memory outside every allocation.
//
// A real device maps memory in pages of 2 MiB and notices only accesses outside those. Small allocations share a page, so
// programs that read a little too far run there.

#include <array>
#include <optional>
#include <string_view>

#include "sim/types.h"

namespace heddle::ptx {

enum class MemoryCheck : u8 {
    error,  // it is a fault
    warn,  // a read in a page that holds an allocation is said once for each instruction; the rest are faults
    off,   // as a device: only accesses outside those pages are faults
};

inline constexpr u64 kDevicePage = u64{2} << 20;

inline constexpr std::array<std::string_view, 3> kMemoryCheckNames{"error", "warn", "off"};

inline std::optional<MemoryCheck> memory_check(std::string_view name) {
    for (std::size_t k = 0; k < kMemoryCheckNames.size(); ++k)
        if (kMemoryCheckNames[k] == name) return static_cast<MemoryCheck>(k);
    return std::nullopt;
}

}  // namespace heddle::ptx
