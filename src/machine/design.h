#pragma once
// A design of address translation sets more than translation itself: it also sets what MASK adds to L2 and DRAM, and
// what a static division divides.

#include "machine/settings.h"

namespace heddle {

/// Sets the other keys that each GPU's `translation.design` determines, so that the machine's description shows them.
/// InputError if one of them has been set to something else.
void apply_designs(MachineSettings& machine);

}  // namespace heddle
