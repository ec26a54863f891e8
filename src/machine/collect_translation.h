#pragma once
// What address translation has counted, for the run record. Empty without translation.

#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu.h"
#include "sim/record.h"

namespace heddle {

/// Of the machine: counters, and a cache for each level.
void collect_translation(const Gpu& gpu, RunRecord& record);
/// Of one application.
void collect_translation(const Gpu& gpu, const AppTotals& totals, AppRecord& app);
/// Over time: the current values of all counters, and what the fill policy reports about each application.
void sample_translation(Gpu& gpu, std::vector<std::pair<std::string, u64>>& to);

}  // namespace heddle
