#pragma once
// Pages and how they are named: by a key of one integer, so that tables of any kind can be made of keys.

#include "mem/geometry.h"
#include "sim/types.h"

namespace heddle {

enum class PageSize : u8 { small, medium, large };  // 4 KiB, 64 KiB, 2 MiB

inline constexpr u32 kFrameShift = 12;  // frames of physical memory are numbered in units of 4 KiB
inline constexpr u32 kBlockShift = 21;  // and handed out from blocks of 2 MiB
inline constexpr u32 kFrames = 1u << (32 + kLineShift - kFrameShift);  // that physical line numbers reach
constexpr u32 page_shift(PageSize size) {
    constexpr u32 shifts[] = {12, 16, 21};
    return shifts[static_cast<u32>(size)];
}
/// 4 KiB frames in a page.
constexpr u32 frames_of(PageSize size) {
    return 1u << (page_shift(size) - kFrameShift);
}

/// A page of an address space: its number, its size and its application. Only 48 bits of an address are translated, so
/// no two pages share a key, and ~0 is never a key.
struct PageKey {
    u64 v = ~u64{0};

    PageKey() = default;
    PageKey(u8 app, VirtAddr address, PageSize size)
        : v(address.v >> page_shift(size) << 10 | u64{static_cast<u8>(size)} << 8 | app) {}
    u8 app() const { return static_cast<u8>(v); }
    PageSize size() const { return static_cast<PageSize>(v >> 8 & 3); }
    u64 page() const { return v >> 10; }
    VirtAddr address() const { return VirtAddr(page() << page_shift(size())); }
    bool any() const { return v != ~u64{0}; }
    friend bool operator==(PageKey, PageKey) = default;
};

/// The physical address of a virtual one whose page begins at this frame.
constexpr PhysAddr in_frame(u32 frame, VirtAddr address, PageSize size) {
    return PhysAddr(u64{frame} << kFrameShift | (address.v & ((u64{1} << page_shift(size)) - 1)));
}

}  // namespace heddle
