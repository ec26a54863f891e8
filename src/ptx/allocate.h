#pragma once
// Registers: liveness, coalescing of copies, linear scan over live ranges with holes.
//
// The result serves twice: as the place of a value in a warp's frame, and as the register number that the
// stream shows. 64-bit values take aligned pairs, the elements of a vector load or store aligned neighbours
// where they can.

#include <vector>

#include "ptx/cfg.h"
#include "ptx/ir.h"

namespace heddle::ptx {

struct Allocation32 {
    std::vector<u32> place;  // by virtual register: 32-bit register, or predicate; kUnplaced: never live
    u32 registers = 0, predicates = 0;
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
