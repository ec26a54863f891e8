#include "sim/clock.h"

#include <fmt/format.h>
#include <numeric>

#include "sim/error.h"

namespace heddle {

u64 common_clock_hertz(std::span<const u64> frequencies) {
    constexpr u64 kLimit = ~u64{0} / 86'400;
    u64 common = 1;
    for (u64 f : frequencies) {
        if (f == 0) throw InputError("a clock of 0 Hz never ticks");
        const u64 factor = f / std::gcd(common, f);
        if (common > kLimit / factor)
            throw InputError(
                fmt::format("the clocks of this machine have no usable common multiple (at {} Hz); round "
                            "them, for example to whole kHz",
                            f));
        common *= factor;
    }
    return common;
}

}  // namespace heddle
