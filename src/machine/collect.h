#pragma once
// From the counters of a machine's parts to the record of a run.

#include "machine/machine.h"
#include "sim/record.h"

namespace heddle {

RunRecord collect(Machine& machine);

/// Adds the current values of the main counters.
void sample(const Machine& machine, TimelineRecord& timeline);

}  // namespace heddle
