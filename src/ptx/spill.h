#pragma once
// Spilling: fitting a function into a number of registers, as an assembler does.
//
// A value that finds no register lives in a slot of the thread's local memory: it is stored behind each instruction that
// writes it and loaded in front of each that reads it, and the stream shows these accesses. A value that is made of
// constants alone (a thread's index) is made again where it is read instead. Values go in the order of what they cost (reads
// and writes, those in loops counting 8 times a level) for the length of the crowded code over which they free a register.

#include <vector>

#include "ptx/allocate.h"
#include "ptx/cfg.h"
#include "ptx/ir.h"

namespace heddle::ptx {

/// By virtual register, as lowering numbers them: lives in memory. What lowering numbers later are the pieces of spilled
/// values, which stay in registers.
using Spilled = std::vector<u8>;

/// Marks values until at most `target` registers are live anywhere, as far as there are any left. False: none was marked.
bool choose_spills(IrFunction& f, const Cfg& cfg, const Liveness& liveness, u32 target, Spilled& spilled);

/// Before the stream's dependences are known (optimise.h). Instructions move: a Cfg made before is void.
void insert_spills(IrFunction& f, const Spilled& spilled);

}  // namespace heddle::ptx
