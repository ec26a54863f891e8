#pragma once
// Exact relation between clock domains: every period is a whole number of ticks of one common clock.

#include <span>

#include "sim/types.h"

namespace heddle {

/// One clock domain of a machine.
class Clock {
  public:
    Clock() = default;
    Clock(u64 hertz, u64 ticks_per_cycle)
        : hertz_(hertz), period_(ticks_per_cycle), inverse_(~u64{0} / ticks_per_cycle) {}

    u64 hertz() const { return hertz_; }
    u64 period() const { return period_; }
    Tick tick(Cycle c) const { return Tick(c.v * period_); }
    /// First cycle that starts at or after `t`.
    Cycle at_or_after(Tick t) const { return t.v == 0 ? Cycle(0) : Cycle(periods(t.v - 1) + 1); }
    /// First cycle that starts after `t`.
    Cycle after(Tick t) const { return Cycle(periods(t.v) + 1); }

  private:
    /// t / period_, without the division that several conversions a request would feel.
    u64 periods(u64 t) const {
        __extension__ using Wide = unsigned __int128;
        u64 q = static_cast<u64>(static_cast<Wide>(t) * inverse_ >> 64);  // at most 2 too small
        while (t - q * period_ >= period_) ++q;
        return q;
    }

    u64 hertz_ = 1;
    u64 period_ = 1;
    u64 inverse_ = ~u64{0};
};

/// Ticks per second of the coarsest clock in which every given frequency (Hz) has a whole period.
/// Throws InputError if that clock is so fast that 64 bits hold less than a day.
u64 common_clock_hertz(std::span<const u64> frequencies);

}  // namespace heddle
