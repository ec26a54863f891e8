#pragma once
// What a page table says of an address: the frame in which its page begins, and the page's size. 32 bits, so that TLBs
// are flat arrays of them.

#include "vm/page.h"

namespace heddle {

class Mapping {
  public:
    /// Nothing is mapped, or nothing is known.
    constexpr Mapping() = default;
    /// `frame` is below kFrames.
    constexpr Mapping(u32 frame, PageSize size) : bits_(static_cast<u32>(size) << kSizeAt | frame) {}

    constexpr bool any() const { return bits_ != kNone; }
    constexpr u32 frame() const { return bits_ & ((1u << kSizeAt) - 1); }
    constexpr PageSize size() const { return static_cast<PageSize>(bits_ >> kSizeAt); }
    /// Where an address of the page lies.
    constexpr PhysAddr physical(VirtAddr address) const { return in_frame(frame(), address, size()); }
    friend constexpr bool operator==(Mapping, Mapping) = default;

  private:
    static constexpr u32 kSizeAt = 30, kNone = ~u32{0};  // no page has size 3
    static_assert(kFrames <= 1u << kSizeAt);
    u32 bits_ = kNone;
};

}  // namespace heddle
