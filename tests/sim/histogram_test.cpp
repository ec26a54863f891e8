// Histograms against the sorted values.

#include "sim/histogram.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "sim/random.h"

namespace heddle {
namespace {

std::vector<u64> random_values(Random& random, u64 count) {
    std::vector<u64> values;
    for (u64 k = 0; k < count; ++k) values.push_back(random.next() >> (4 + random.below(60)));
    return values;
}

TEST(Histogram, QuantilesLieWithinABucketAboveTheSortedValue) {
    Random random(1, "histogram test");
    for (int round = 0; round < 300; ++round) {
        std::vector<u64> values = random_values(random, 1 + random.below(300));
        Histogram histogram;
        for (const u64 v : values) histogram.add(v);
        std::sort(values.begin(), values.end());
        EXPECT_EQ(histogram.count(), values.size());
        EXPECT_EQ(histogram.sum(), std::accumulate(values.begin(), values.end(), u64{0}));
        EXPECT_EQ(histogram.min(), values.front());
        EXPECT_EQ(histogram.max(), values.back());
        for (const u32 per_mille : {0u, 1u, 10u, 250u, 500u, 900u, 990u, 999u, 1000u}) {
            const u64 rank = std::max<u64>(1, (values.size() * per_mille + 999) / 1000);
            const u64 exact = values[rank - 1];
            const u64 got = histogram.quantile(per_mille);
            EXPECT_GE(got, exact) << per_mille;
            if (exact < 64) {
                EXPECT_EQ(got, exact) << per_mille;
            } else {
                EXPECT_LE(got - exact, exact / 32) << per_mille;  // 32 buckets an octave
            }
        }
        EXPECT_EQ(histogram.quantile(1000), values.back());
    }
}

TEST(Histogram, MergingIsAddingAllValuesToOne) {
    Random random(2, "histogram test");
    for (int round = 0; round < 50; ++round) {
        Histogram a, b, all;
        for (const u64 v : random_values(random, random.below(20))) a.add(v), all.add(v);
        for (const u64 v : random_values(random, random.below(20))) b.add(v), all.add(v);
        a.merge(b);
        EXPECT_EQ(a.count(), all.count());
        EXPECT_EQ(a.sum(), all.sum());
        EXPECT_EQ(a.min(), all.min());
        EXPECT_EQ(a.max(), all.max());
        for (u32 q = 0; q <= 1000; q += 50) EXPECT_EQ(a.quantile(q), all.quantile(q));
    }
}

TEST(Histogram, HoldsTheLargestValue) {
    Histogram histogram;
    histogram.add(~u64{0});
    EXPECT_EQ(histogram.quantile(500), ~u64{0});
    histogram.add(0);
    EXPECT_EQ(histogram.quantile(500), 0u);
    EXPECT_EQ(histogram.quantile(501), ~u64{0});
}

TEST(Histogram, OfNothingIsZero) {
    const Histogram histogram;
    EXPECT_EQ(histogram.quantile(500), 0u);
    EXPECT_EQ(histogram.min(), 0u);
    EXPECT_EQ(histogram.max(), 0u);
}

}  // namespace
}  // namespace heddle
