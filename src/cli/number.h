#pragma once
// Whole numbers on the command line.

#include <string_view>

#include "sim/types.h"

namespace heddle::cli {

/// "500M" -> 500,000,000: a whole number, which may end in k, M, G or T (powers of 1000). Throws InputError naming
/// the option.
u64 parse_count(std::string_view option, std::string_view text);
/// The same of `what` ("cycles"), at least 1.
u64 parse_positive(std::string_view option, std::string_view text, std::string_view what);

}  // namespace heddle::cli
