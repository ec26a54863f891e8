#pragma once
// What an assembler would fold: constants and copies as operands, branches to an exit as exits, dead values,
// address arithmetic. Also decides what the stream shows (docs/ptx.md, "What counts as a warp instruction").

#include "ptx/ir.h"

namespace heddle::ptx {

/// Before a Cfg is made: changes control.
void fold_exits(IrFunction& f);
/// `spilled`: values that live in memory (spill.h); none if empty.
void optimise(IrFunction& f, const std::vector<u8>& spilled);
/// The cost that lowering left at its default, by operation and type.
void assign_costs(IrFunction& f);

/// Every register an instruction reads or writes, in order: visit(Ref&).
template <class F>
void for_each_use(IrFunction& f, IrInst& inst, F visit) {
    for (u32 k = 0; k < inst.src_count; ++k)
        if (inst.src[k] != kNoRef) visit(inst.src[k]);
    if (inst.guard != kNoRef) visit(inst.guard);
    if (inst.control == Control::call || inst.control == Control::call_indirect)
        for (auto& a : f.calls[inst.index].args)
            if (a.ref != kNoRef) visit(a.ref);
}

}  // namespace heddle::ptx
