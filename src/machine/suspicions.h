#pragma once
// What a finished run suggests may be wrong with its input, one line for the user each.

#include <string>
#include <vector>

#include "sim/record.h"

namespace heddle {

class Machine;

/// SMs without work, applications without kernels, kernels without threads, accesses at address 0 and misaligned
/// ones, writes that DRAM has not seen. `record` is what was collected of the run.
std::vector<std::string> suspicions(const Machine& machine, const RunRecord& record);

}  // namespace heddle
