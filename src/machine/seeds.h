#pragma once
// Random choices of a machine's policies.

#include <string>
#include <vector>

#include "config/node.h"
#include "machine/settings.h"

namespace heddle {

/// The full path of each key called "seed" that a chosen policy has, in declared order.
std::vector<std::string> seed_keys(const config::Node& description);

/// --set options that give every policy which draws random numbers the run's seed, and after them `sets`: what a user
/// sets by name counts.
std::vector<std::string> with_seed(const std::string& machine, const std::vector<std::string>& sets,
                                   u64 seed);

}  // namespace heddle
