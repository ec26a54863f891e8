#pragma once
// What --plugin loads, for the record of the result.

#include <string>
#include <vector>

#include "sim/record.h"

namespace heddle::cli {

/// InputError if one cannot be loaded.
std::vector<PluginRecord> load_plugins(const std::vector<std::string>& files);

}  // namespace heddle::cli
