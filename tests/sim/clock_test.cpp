// Clock domains: exact relations and refusals.

#include "sim/clock.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "sim/error.h"
#include "sim/random.h"

namespace heddle {
namespace {

TEST(Clock, CommonClockGivesEveryDomainAWholePeriod) {
    // GTX 480 (1400 MHz) and its GDDR5 command clock (924 MHz): least common multiple 46.2 GHz.
    const std::vector<u64> hertz = {1'400'000'000, 924'000'000};
    EXPECT_EQ(common_clock_hertz(hertz), 46'200'000'000u);
    // A core of 1.4 GHz before a GDDR5 of 1.5 GHz.
    EXPECT_EQ(common_clock_hertz(std::vector<u64>{1'400'000'000, 1'500'000'000}), 21'000'000'000u);
    EXPECT_EQ(common_clock_hertz(std::vector<u64>{}), 1u);
}

TEST(Clock, CommonClockIsTheLeastCommonMultipleOrRefusedIfADayOverflows) {
    Random random(1, "clock test");
    int refused = 0;
    for (int round = 0; round < 500; ++round) {
        std::vector<u64> hertz;
        const u64 grain = random.chance(1, 2) ? 1'000'000 : 1'000;
        for (u64 n = 1 + random.below(4); n > 0; --n) hertz.push_back(grain * (1 + random.below(4000)));
        // The multiple by prime powers, not by the greatest common divisor.
        unsigned __int128 multiple = 1;
        std::vector<u64> rest = hertz;
        for (u64 p = 2; p <= 4000; ++p) {
            for (;;) {
                bool divides = false;
                for (u64& r : rest)
                    if (r % p == 0) r /= p, divides = true;
                if (!divides) break;
                multiple *= p;
            }
        }
        const bool usable = multiple <= ~u64{0} / 86'400;
        if (usable) {
            EXPECT_EQ(common_clock_hertz(hertz), static_cast<u64>(multiple));
        } else {
            EXPECT_THROW(common_clock_hertz(hertz), InputError);
            ++refused;
        }
    }
    EXPECT_GT(refused, 20);
    EXPECT_LT(refused, 480);
}

TEST(Clock, ZeroHertzIsRefused) {
    EXPECT_THROW(common_clock_hertz(std::vector<u64>{1'000, 0}), InputError);
}

TEST(Clock, RoundsTimesToItsCyclesExactly) {
    Random random(2, "clock test");
    for (int round = 0; round < 1000; ++round) {
        const u64 period = 1 + random.below(100);
        const Clock clock(1, period);
        const u64 t = random.below(u64{1} << 50);
        u64 first = t / period;  // the first cycle not before t, by search
        while (first * period < t) ++first;
        EXPECT_EQ(clock.at_or_after(Tick(t)), Cycle(first));
        while (first * period <= t) ++first;
        EXPECT_EQ(clock.after(Tick(t)), Cycle(first));
        EXPECT_EQ(clock.tick(Cycle(first)), Tick(first * period));
        EXPECT_EQ(clock.at_or_after(clock.tick(Cycle(first))), Cycle(first));
    }
}

}  // namespace
}  // namespace heddle
