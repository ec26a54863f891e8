#pragma once
// Loads early: what an assembler does so that a warp has several loads on the way before it waits for the first.
//
// Within a block, and between instructions that order memory, loads and what their addresses need come first, in waves:
// loads whose addresses depend on no other load, then those that depend on the first wave, and so on; the rest follows
// in the order of the text. At most `most_loading` 32-bit registers wait for loads at once. Dependences through registers and memory hold.

#include "ptx/ir.h"

namespace heddle::ptx {

void schedule_loads(IrFunction& f, u32 most_loading);

}  // namespace heddle::ptx
