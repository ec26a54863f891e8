#pragma once
// What the tests have been built beside.

#include <string>

#include "sim/build.h"

namespace heddle {

/// The program under test.
std::string heddle_binary();

/// Tests of whole programs are then left out, or see every fourth: all would add a minute to a check that shall end in
/// fifteen.
inline bool sanitized() {
    return !sanitizer_library().empty();
}

}  // namespace heddle
