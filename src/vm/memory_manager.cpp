#include "vm/memory_manager.h"

#include "sim/error.h"

namespace heddle {

MemoryManagerPoint& memory_managers() {
    static MemoryManagerPoint point("memory manager");
    return point;
}

u32 FrameBlocks::next(u32 part) {
    constexpr u32 kRegionBlocks = 1u << (32 - kBlockShift);
    constexpr u32 kRegions =
        (1u << (32 + kLineShift - 32)) - 1;  // the last one is not used: ~0 names no line
    const u32 n = taken_[part]++;
    const u32 region = n / kRegionBlocks * parts() + part;
    if (region >= kRegions)
        throw InputError("the applications touch more than the 508 GiB that physical addresses can reach");
    return (region * kRegionBlocks + n % kRegionBlocks) << (kBlockShift - kFrameShift);
}

}  // namespace heddle
