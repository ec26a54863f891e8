#include "vm/memory_manager.h"

#include <fmt/format.h>

namespace heddle {

MemoryManagerPoint& memory_managers() {
    static MemoryManagerPoint point("memory manager");
    return point;
}

u32 FrameBlocks::next(u32 part, u32 memory) {
    constexpr u32 kRegionBlocks = 1u << (32 - kBlockShift);
    if (!any()) throw OutOfFrames("no frames are left");
    ++given_;
    const u64 regions = (space_.bytes() >> 32) - 1;  // the last one is not used: ~0 names no line
    const u32 n = taken_[memory * parts_ + part]++;
    const u32 region = n / kRegionBlocks * parts_ + part;
    if (region >= regions)
        throw OutOfFrames(fmt::format(
            "the applications touch more than the {} GiB that physical addresses can reach", regions * 4));
    const u64 block = u64{region} * kRegionBlocks + n % kRegionBlocks;
    return static_cast<u32>(space_.address(first_ + memory, block << kBlockShift).v >> kFrameShift);
}

}  // namespace heddle
