#pragma once
// Numbers as people and programs read them. Every figure is made from integers: the same bits give the same
// text with every compiler.

#include <span>
#include <string>
#include <vector>

#include "sim/types.h"

namespace heddle::report {

/// Wide enough for a product of two counters.
using Wide = unsigned __int128;

/// 1234567 -> "1,234,567".
std::string grouped(u64 value);

/// numerator / denominator with exactly `digits` decimals (at most 9), rounded half up. The denominator is not 0.
std::string decimal(Wide numerator, Wide denominator, unsigned digits);

/// The same with thousands separators: "12,345.6".
std::string grouped_decimal(Wide numerator, Wide denominator, unsigned digits);

/// Splits `whole` units over `parts` in their proportion, so that the shares add up to exactly `whole`: largest
/// remainders are rounded up, earlier parts first among equals. All 0 if the parts are.
std::vector<u64> shares(std::span<const u64> parts, u64 whole);

/// part / whole in percent with `digits` decimals and the sign: "81.3 %". The whole is not 0.
std::string percent(Wide part, Wide whole, unsigned digits = 1);

/// "45.2 MiB", "512 B": the largest unit that leaves at least 1.
std::string bytes_text(u64 bytes);
/// "177.4 GB/s" from `bytes` in `cycles` of a clock.
std::string bandwidth_text(Wide bytes, u64 cycles, u64 clock_hz);
/// "700 MHz", "1.674 GHz".
std::string frequency_text(u64 hertz);
/// "1.764 ms": `cycles` of a clock.
std::string time_text(u64 cycles, u64 clock_hz);

}  // namespace heddle::report
