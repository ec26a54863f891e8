#pragma once
// A program's marks and ranges in simulated time. The host's own time is not modeled, so a range lasts from the start of the
// first kernel that was launched in it to the end of the last.

#include <vector>

#include "machine/application.h"

namespace heddle {

/// Of the application's first run; kernels that have not ended last until `now`.
std::vector<RangeRecord> ranges_in_time(const Application& app, Cycle now);

}  // namespace heddle
