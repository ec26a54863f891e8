#pragma once
// What the applications did, for the run record.

#include "gpu/gpu.h"
#include "sim/record.h"

namespace heddle {

/// Applications with their kernels and counters, the loads that warps waited for most, unknown opcodes and warnings.
void collect_applications(const Machine& machine, RunRecord& record);

}  // namespace heddle
