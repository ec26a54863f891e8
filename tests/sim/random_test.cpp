#include "sim/random.h"

#include <gtest/gtest.h>

using heddle::mix64;
using heddle::Random;
using heddle::u64;

TEST(Random, Splitmix64GivesThePublishedSequence) {
    // First outputs of the reference splitmix64.c for the seed 1234567 (the state grows by the constant).
    constexpr u64 kStep = 0x9e3779b97f4a7c15;
    EXPECT_EQ(mix64(1234567), 6457827717110365317u);
    EXPECT_EQ(mix64(1234567 + kStep), 3203168211198807973u);
    EXPECT_EQ(mix64(1234567 + 2 * kStep), 9817491932198370423u);
}

TEST(Random, UsesOfOneSeedAreIndependentAndRepeat) {
    Random a(5, "mapping"), b(5, "mapping"), c(5, "replacement");
    const u64 first = a.next();
    EXPECT_EQ(first, b.next());
    EXPECT_NE(first, c.next());
}

TEST(Random, BelowIsEvenAndInRange) {
    Random random(1);
    unsigned count[10] = {};
    for (int k = 0; k < 100000; ++k) ++count[random.below(10)];
    for (const unsigned n : count) EXPECT_NEAR(n, 10000, 500);  // five standard deviations
    unsigned hits = 0;
    for (int k = 0; k < 100000; ++k) hits += random.chance(1, 4);
    EXPECT_NEAR(hits, 25000, 700);
}
