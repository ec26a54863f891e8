#pragma once
// What address translation has counted, for the run record. Empty without translation.

#include <string>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "sim/record.h"

namespace heddle {

/// Of one GPU: counters, and a cache for each level.
void collect_translation(const Machine& machine, const Gpu& gpu, RunRecord& record);
/// Of one application.
void collect_translation(const Machine& machine, const AppTotals& totals, AppRecord& app);
/// Over time: the current values of all counters, and what the fill policy reports about each application.
void sample_translation(const Machine& machine, std::vector<std::pair<std::string, u64>>& to);

}  // namespace heddle
