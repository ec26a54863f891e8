// Which warp each scheduler picks, step by step.

#include "core/warp_scheduler.h"

#include <gtest/gtest.h>
#include <vector>

namespace heddle {
namespace {

/// Ready warps of one step, those that wait for memory, and who issues.
struct Pick {
    u64 ready = 0;
    u32 issues = 0;
    u64 waiting = 0;
};

void expect(const char* name, const char* parameters, const std::vector<Pick>& picks) {
    // Launched in the order 2, 0, 3, 1.
    const std::vector<u64> age = {11, 13, 10, 12};
    const auto choice =
        *parameters == '\0' ? warp_schedulers().choose(name) : warp_schedulers().choose(name, parameters);
    const auto policy = warp_schedulers().make(choice, WarpSchedulerContext{4, 0b1111, age});
    for (std::size_t k = 0; k < picks.size(); ++k)
        EXPECT_EQ(policy->pick(picks[k].ready, picks[k].waiting), picks[k].issues) << name << ", step " << k;
}

TEST(WarpScheduler, OldestTakesTheOldestReadyWarpWhoeverIssuedLast) {
    expect("oldest", "", {{0b1111, 2}, {0b1011, 0}, {0b1010, 3}, {0b1011, 0}, {0b1111, 2}, {0b0010, 1}});
}

TEST(WarpScheduler, GtoStaysWithAWarpWhileItIsReady) {
    expect("gto", "", {{0b1010, 3}, {0b1111, 3}, {0b0111, 2}, {0b1111, 2}, {0b0010, 1}, {0b0011, 1}});
}

TEST(WarpScheduler, GtoPrefersNoSlotWhileNoWarpIsGreedy) {
    // 64 warps, slot 63 the youngest: neither at the start nor after the greedy warp's slot was given away is it preferred.
    std::vector<u64> age(64);
    for (u64 w = 0; w < 64; ++w) age[w] = w;
    const auto gto =
        warp_schedulers().make(warp_schedulers().choose("gto"), WarpSchedulerContext{64, ~u64{0}, age});
    EXPECT_EQ(gto->pick(~u64{0}, 0), 0u);
    EXPECT_EQ(gto->pick(~u64{1}, 0), 1u);
    gto->on_launch(1);
    EXPECT_EQ(gto->pick(~u64{0} << 2, 0), 2u);
    EXPECT_EQ(gto->pick(u64{1} << 63, 0), 63u);
    EXPECT_EQ(gto->pick(~u64{0}, 0), 63u);
    gto->on_launch(63);
    EXPECT_EQ(gto->pick(~u64{0}, 0), 0u);
}

TEST(WarpScheduler, LrrGoesRound) {
    expect("lrr", "", {{0b1111, 0}, {0b1111, 1}, {0b1111, 2}, {0b1111, 3}, {0b1111, 0}, {0b1001, 3}});
}

TEST(WarpScheduler, TwoLevelGoesRoundInItsActiveSet) {
    // The two oldest, 2 and 0, are active until 2 waits for memory and 3 takes its place.
    expect("two_level", "active: 2",
           {{0b1111, 0}, {0b1111, 2}, {0b1111, 0}, {0b1011, 3, 0b0100}, {0b1011, 0, 0b0100}, {0b1111, 3}});
}

}  // namespace
}  // namespace heddle
