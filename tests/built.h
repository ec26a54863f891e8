#pragma once
// What the tests have been built beside.

#include <string>

#include "sim/build.h"

namespace heddle {

/// The program under test.
std::string heddle_binary();

/// With sanitizers tests that take long look at a part of their cases.
inline bool sanitized() {
    return !sanitizer_library().empty();
}

}  // namespace heddle
