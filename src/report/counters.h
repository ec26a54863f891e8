#pragma once
// Which counters a user means.

#include <string_view>

namespace heddle::report {

/// `prefix` starts the name, or follows one of its dots.
bool shows(std::string_view prefix, std::string_view name);

}  // namespace heddle::report
