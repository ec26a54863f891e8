#pragma once
// Figures that are quotients of counters, each defined here only: exact, for whoever prints or compares them.

#include "sim/types.h"

namespace heddle {

/// part / whole. There is no such figure if the whole is 0.
struct Rate {
    __extension__ using Wide = unsigned __int128;
    Wide part = 0, whole = 0;

    explicit operator bool() const { return whole != 0; }
    /// In units that are `unit` times as large.
    double value(double unit = 1) const {
        return static_cast<double>(part) / unit / static_cast<double>(whole);
    }
    /// In parts of a unit, `parts` of which make one; rounded down.
    constexpr u64 in(u64 parts) const { return static_cast<u64>(part * parts / whole); }
};

inline constexpr double kGiga = 1e9;

/// Misses for a thousand instructions; per warp or per thread as the instructions are.
constexpr Rate mpki(u64 misses, u64 instructions) {
    return {Rate::Wide{misses} * 1000, instructions};
}
/// Bytes moved in `cycles` of a clock, as bytes a second.
constexpr Rate bandwidth(Rate::Wide bytes, u64 cycles, u64 clock_hz) {
    return {bytes * clock_hz, cycles};
}

}  // namespace heddle
