#pragma once
// The screen's table of kernels: what each did to the memory system, launches of one name together.

#include <string>

#include "sim/record.h"

namespace heddle::report {

/// Longest first, at most 20 names and a line for all others; empty if no kernel ran.
std::string kernel_table(const RunRecord& record);

}  // namespace heddle::report
