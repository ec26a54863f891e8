#pragma once
// Registers: liveness, coalescing of copies, linear scan over live ranges with holes.
//
// Two results. Register numbers, which the stream shows and occupancy counts: 64-bit values take aligned pairs, the
// elements of a vector load or store aligned neighbors where they can. And places in a warp's frame: there a 64-bit
// value is an array of 32 double words, so that its lane k lies where a 32-bit value has lanes 2k and 2k + 1. Lanes
// that wait elsewhere must keep their values, so 32-bit and 64-bit values never take turns in one place.

#include <vector>

#include "ptx/cfg.h"
#include "ptx/ir.h"

namespace heddle::ptx {

struct Allocation32 {
    std::vector<u32> number;  // by virtual register: 32-bit register, or predicate; kUnplaced: never live
    std::vector<u32> place;   // the same in the frame, in which predicates follow the others
    u32 registers = 0, frame_registers = 0, predicates = 0;
    std::vector<u8> coalesced;  // by instruction: a copy that needs no move
    static constexpr u32 kUnplaced = 0xffffffff;
};

/// Half-open ranges of positions, ascending; instruction k reads at 2k and writes at 2k + 1.
struct Segment {
    u32 begin, end;
};

class Liveness {
  public:
    Liveness(IrFunction& f, const Cfg& cfg);
    const std::vector<std::vector<Segment>>& segments() const { return segments_; }
    /// Virtual registers live at a block's start, ascending.
    std::vector<u32> live_in(u32 block) const;

  private:
    std::vector<std::vector<Segment>> segments_;
    std::vector<u32> shared_;  // registers that cross blocks; bit numbers
    std::vector<std::vector<u64>> in_;
};

Allocation32 allocate_registers(IrFunction& f, const Liveness& liveness);

}  // namespace heddle::ptx
