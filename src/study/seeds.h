#pragma once
// Seeds of repeated runs as a user lists them.

#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::study {

constexpr u64 kMostSeeds = 1000;

/// "1-10", "1,5,8-9" to the seeds, in that order: at least two and at most kMostSeeds, each once. Throws InputError
/// "SEEDS: what is wrong".
std::vector<u64> parse_seeds(std::string_view text);

}  // namespace heddle::study
