#pragma once
// The control-flow graph of a function: blocks, dominators, immediate post-dominators, loops.
//
// Post-dominators answer "where do diverged lanes meet again". Lanes that end (exit, trap) never meet anyone,
// so blocks that can't return are left out as long as others can: an early exit doesn't postpone
// reconvergence. In a loop that lanes only leave by a predicated exit, they meet where that stands.

#include <vector>

#include "ptx/ir.h"

namespace heddle::ptx {

struct Block {
    u32 first = 0, end = 0;  // instructions
    std::vector<u32> successors, predecessors;
};

struct Cfg {
    static constexpr u32 kNoBlock = 0xffffffff;

    explicit Cfg(const IrFunction& f);

    bool dominates(u32 a, u32 b) const;
    /// The blocks of the natural loop whose back edge goes from `latch` to `header`; empty if it is none.
    std::vector<u32> loop(u32 latch, u32 header) const;

    std::vector<Block> blocks;     // in layout order
    std::vector<u32> block_of;     // by instruction
    std::vector<u32> idom, ipdom;  // kNoBlock: none

  private:
    void find_dominators();
    void find_post_dominators(const IrFunction& f);
    std::vector<u32> depth_;  // in the dominator tree
};

}  // namespace heddle::ptx
