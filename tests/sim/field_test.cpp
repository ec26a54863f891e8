#include "sim/field.h"

#include <array>
#include <gtest/gtest.h>

#include "sim/rates.h"

namespace heddle {
namespace {

enum class Part : u8 { first, second };

struct Stats {
    u64 plain = 5;
    std::array<u64, 2> parts{7, 11};
    Histogram times;
    u64 twice() const { return 2 * plain; }
};

constexpr Field<Stats> kFields[] = {
    {"plain", "things", counted<&Stats::plain>},
    {"second", "things", counted<&Stats::parts, Part::second>},
    {"times", "cycles", counted<&Stats::times>},
    {"twice", "things", counted<&Stats::twice>},
};

TEST(Field, ReadsMembersPartsSumsAndFunctions) {
    Stats stats;
    stats.times.add(3);
    stats.times.add(100);
    const u64 wanted[] = {5, 11, 103, 10};
    for (std::size_t k = 0; k < std::size(kFields); ++k) EXPECT_EQ(kFields[k].read(stats), wanted[k]) << k;
}

TEST(Rates, AreExact) {
    EXPECT_FALSE(mpki(5, 0));
    EXPECT_EQ(mpki(3, 4'000).in(1'000), 750u);
    EXPECT_EQ(mpki(~u64{0}, 1'000).in(1), ~u64{0});
    // 3 bytes in 2 cycles of 1 GHz.
    EXPECT_EQ(bandwidth(3, 2, 1'000'000'000).in(1), 1'500'000'000u);
    EXPECT_EQ(bandwidth(3, 2, 1'000'000'000).value(kGiga), 1.5);
}

}  // namespace
}  // namespace heddle
