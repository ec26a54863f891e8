#pragma once
// From the counters of a machine's parts to the record of a run.

#include "gpu/gpu.h"
#include "sim/record.h"

namespace heddle {

RunRecord collect(Gpu& gpu);

/// Adds the current values of the main counters.
void sample(Gpu& gpu, TimelineRecord& timeline);

}  // namespace heddle
