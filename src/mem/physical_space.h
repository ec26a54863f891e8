#pragma once
// A physical address is {memory, frame, offset} in one number, and this is the only place that puts it together and
// takes it apart. The memory is in the highest of the 39 bits that physical line numbers reach: as few of them as the
// number of memories needs, none for one. Below them is the byte within the memory: frames of 4 KiB (vm/page.h) and the
// offset. Line and frame numbers therefore name the memory too, and caches need not ask.

#include <bit>

#include "mem/geometry.h"

namespace heddle {

class PhysicalSpace {
  public:
    static constexpr u32 kBits = 32 + kLineShift;

    explicit PhysicalSpace(u32 memories = 1)
        : shift_(kBits - static_cast<u32>(std::bit_width(memories - 1))) {}

    /// Of each memory, below which `byte` is.
    u64 bytes() const { return u64{1} << shift_; }
    PhysAddr address(u32 memory, u64 byte) const { return PhysAddr(u64{memory} << shift_ | byte); }
    u32 memory(PhysAddr address) const { return static_cast<u32>(address.v >> shift_); }
    u64 byte(PhysAddr address) const { return address.v & (bytes() - 1); }

  private:
    u32 shift_;
};

}  // namespace heddle
