#pragma once
// Quantities as text: what units a key may carry and how a number with a unit becomes an exact integer.
//
// No floating point is involved: "1.4GHz" is 1,400,000,000 Hz, "0.667ns" is 667,000 fs, and text finer than the stored
// step ("0.3Hz") is an error and never rounded. A quantity that has a unit must be written with it (only 0 may omit
// it), so a forgotten "KiB" is caught; counts and cycles are bare integers.

#include <string>
#include <string_view>

#include "sim/types.h"

namespace heddle::config {

/// Wide enough for every u64 and i64, and for their products with a unit's factor.
using Wide = __int128;

/// What a number means, and the step in which it is stored.
enum class Unit : u8 {
    none,            ///< a count: "16"
    bytes,           ///< bytes: B, KiB, MiB, GiB, TiB
    hertz,           ///< Hz: Hz, kHz, MHz, GHz
    time,            ///< femtoseconds: fs, ps, ns, us, ms, s
    cycles,          ///< cycles of the clock that the key names: "120" or "120 cycles"
    bandwidth,       ///< bytes per second: B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s
    ratio,           ///< parts per million: "80%", "0.8"
    cycles_or_time,  ///< "18 cycles" or "12ns", told apart by Number::in_cycles (see Duration)
};

/// A span of time that a source may give in cycles or in seconds.
struct Duration {
    u64 amount = 0;         ///< cycles of the key's clock, or femtoseconds
    bool in_cycles = true;  ///< which of the two

    /// The same span in whole cycles of a clock of `hz`, rounded up.
    u64 cycles_at(u64 hz) const;
    friend bool operator==(const Duration&, const Duration&) = default;
};

/// A parsed number: its value in the stored step of its unit.
struct Number {
    Wide value = 0;
    bool in_cycles = false;  ///< only for Unit::cycles_or_time
};

/// Parses `text` as a number of `unit`. Returns an empty string and fills `out`, or returns what is wrong
/// ("has no unit; write 16B, 16KiB, ..."), a phrase to follow the quoted text.
std::string parse_number(std::string_view text, Unit unit, Number& out);

/// The canonical text: the largest unit that needs at most three decimals (bytes: none). Parses to the same
/// value.
std::string format_number(Number number, Unit unit);

/// "bytes (B, KiB, MiB, GiB, TiB)": for messages and the manual.
std::string_view describe_unit(Unit unit);

}  // namespace heddle::config
