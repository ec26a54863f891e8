#pragma once
// Reductions to one address for the whole warp.
//
// Where the address of an integer reduction is the same in all lanes whatever the data are, an assembler combines the lanes'
// operands in registers and lets one lane reduce (docs/ptx.md, "Reductions to one address").

#include "ptx/ir.h"

namespace heddle::ptx {

/// Sets `one_address` of such reductions. After dead values are gone, as an unused result makes a reduction of an atomic.
void find_uniform_reductions(IrFunction& f);

}  // namespace heddle::ptx
