#pragma once
// Which loops may wait for another warp or for time to pass: a loop whose exit depends on a value that it keeps loading from
// memory that others write, or on the clock.
//
// Such loads are the strong ones (volatile, relaxed, acquire, .cg, .cv), atomics that return the old value,
// and any load of global or generic memory in a loop that also fences or sleeps. Execution decides whether
// such a loop really waits (docs/ptx.md, "Waiting between CTAs").

#include <vector>

#include "ptx/cfg.h"

namespace heddle::ptx {

struct SpinLoops {
    std::vector<u8> look;    // by instruction: a load that a loop's exit depends on
    std::vector<u8> branch;  // by instruction: closes such a loop
    bool any = false;
};

SpinLoops find_spin_loops(IrFunction& f, const Cfg& cfg);

}  // namespace heddle::ptx
