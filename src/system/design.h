#pragma once
// A design of address translation sets more than translation itself: what MASK adds to L2 and DRAM, and what a static
// division divides.

#include "system/machine.h"

namespace heddle {

/// Sets what each GPU's `translation.design` says about other keys, so that the machine's description shows it.
/// InputError if one of them has been set to something else.
void apply_designs(Machine& machine);

}  // namespace heddle
