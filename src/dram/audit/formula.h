#pragma once
// A sum of timings as the standards print it: "CWL + BL + 2 - CL".

#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::dram::audit {

struct Term {
    std::string_view name;  ///< empty for a number
    i64 factor;             ///< +1 or -1; the signed value of a number
};

/// The terms of a rule's formula; they point into `text`. InvariantError if it is not a sum.
std::vector<Term> terms_of(std::string_view text);

}  // namespace heddle::dram::audit
