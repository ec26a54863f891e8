#include "report/figures.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace heddle::report {
namespace {

TEST(Figures, ThousandsAreSeparated) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(~u64{0}), "18,446,744,073,709,551,615");
    EXPECT_EQ(grouped_decimal(123'456'789, 1000, 2), "123,456.79");
}

TEST(Figures, DecimalsAreRoundedHalfUpFromTheExactQuotient) {
    EXPECT_EQ(decimal(1, 3, 6), "0.333333");
    EXPECT_EQ(decimal(2, 3, 6), "0.666667");
    EXPECT_EQ(decimal(1, 8, 2), "0.13");
    EXPECT_EQ(decimal(999, 1000, 2), "1.00");
    EXPECT_EQ(decimal(7, 2, 0), "4");
    EXPECT_EQ(decimal(1, 1000, 6), "0.001000");
    EXPECT_EQ(decimal(~u64{0}, 1, 3), "18446744073709551615.000");
    // 1.005 is not a binary fraction: a double would give 1.00.
    EXPECT_EQ(decimal(1005, 1000, 2), "1.01");
}

TEST(Figures, SharesOfThirdsAddUpToTheWhole) {
    const u64 thirds[] = {1, 1, 1};
    EXPECT_EQ(shares(thirds, 1000), (std::vector<u64>{334, 333, 333}));
    const u64 nothing[] = {0, 0};
    EXPECT_EQ(shares(nothing, 1000), (std::vector<u64>{0, 0}));
}

TEST(Figures, SharesAlwaysAddUpAndAreOffByLessThanOneUnit) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::vector<u64> parts(1 + random() % 12);
        for (u64& p : parts) p = random() >> (random() % 60);
        const Wide sum = std::accumulate(parts.begin(), parts.end(), Wide{0});
        if (sum == 0) continue;
        const std::vector<u64> s = shares(parts, 1000);
        ASSERT_EQ(std::accumulate(s.begin(), s.end(), u64{0}), 1000u);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            ASSERT_GE(s[i], static_cast<u64>(Wide{parts[i]} * 1000 / sum));
            ASSERT_LE(s[i], static_cast<u64>(Wide{parts[i]} * 1000 / sum) + 1);
        }
    }
}

TEST(Figures, QuantitiesCarryTheUnitThatFits) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(1023), "1,023 B");
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(bytes_text(u64{3} << 30), "3.0 GiB");
    EXPECT_EQ(frequency_text(700'000'000), "700 MHz");
    EXPECT_EQ(frequency_text(1'674'000'000), "1.674 GHz");
    EXPECT_EQ(frequency_text(1'000'000'000), "1 GHz");
    EXPECT_EQ(time_text(1'234'567, 700'000'000), "1.764 ms");
    EXPECT_EQ(time_text(1, 1'000'000'000), "1.000 ns");
    EXPECT_EQ(bandwidth_text(177'408'000'000, 924'000'000, 924'000'000), "177.4 GB/s");
    EXPECT_EQ(bandwidth_text(4'814'304, 1, 1'000'000), "4.8 TB/s");
}

}  // namespace
}  // namespace heddle::report
