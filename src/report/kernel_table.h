#pragma once
// The table of kernels on the screen: what each did to the memory system, launches of the same name combined.

#include <string>

#include "sim/record.h"

namespace heddle::report {

/// Longest first, at most 20 names and a line for all others; empty if no kernel ran.
std::string kernel_table(const RunRecord& record);

}  // namespace heddle::report
