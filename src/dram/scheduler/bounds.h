#pragma once
// What schedulers state in their manual: the clocks that a read waits at most. docs/dram.md, "How long a request can wait",
// says what Q, D, R and B are; tests/dram/longest_wait_test.cpp holds every scheduler to its bound.

#include <string_view>

namespace heddle::dram {

inline constexpr std::string_view kAgeCapBound =
    "age_cap + (Q + 2) R, with writes age_cap + (Q + 2) (B + 3) R; none while age_cap is 0";
inline constexpr std::string_view kGroupBound =
    "once its load is complete, age_max + (2 Q + D + 2) R, with writes age_max + (2 Q + D + 2) (B + 3) R";

}  // namespace heddle::dram
