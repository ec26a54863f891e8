// MASK's L2 bypass: a worked example, computed by hand from Ausavarungnirun, PhD thesis, CMU 2017, ch. 6, and the choices
// that the policy states.

#include <gtest/gtest.h>

#include "cache/l2_hit_rates.h"
#include "cache/settings.h"

namespace heddle {
namespace {

constexpr u64 kEpoch = 1'000;

Request read_of(u32 level, u64 line) {
    Request r;
    r.line = PhysAddr(line * 128);
    if (level != 0) {
        r.cls = RequestClass::page_walk;
        r.level = level & 7;
    }
    return r;
}

/// Two slices of one GPU.
struct Slices {
    L2HitRates rates;
    std::unique_ptr<BypassPolicy> a, b;
    explicit Slices(const std::string& more = "") {
        const config::Choice choice = bypass_policies().choose("mask", "{epoch: 1000 cycles" + more + "}");
        a = bypass_policies().make(choice, {.index = 0, .hit_rates = &rates});
        b = bypass_policies().make(choice, {.index = 1, .hit_rates = &rates});
    }
    /// The two share the accesses of one epoch, of which so many hit.
    void count(u32 level, u32 accesses, u32 hits, u64 epoch) {
        for (u32 k = 0; k < accesses; ++k)
            (k % 2 == 0 ? a : b)->on_access(read_of(level, k), k < hits, Cycle(epoch * kEpoch + k % kEpoch));
    }
    /// Of 64,000 lines those whose reads go around L2.
    u32 around(u32 level, u64 epoch) {
        u32 n = 0;
        for (u32 line = 0; line < 64'000; ++line)
            n += a->bypass(read_of(level, line), Cycle(epoch * kEpoch + line % kEpoch));
        return n;
    }
    std::vector<u32> levels_around(u64 epoch) {
        std::vector<u32> levels;
        for (u32 level = 0; level < 8; ++level)
            if (around(level, epoch) != 0) levels.push_back(level);
        return levels;
    }
};

/// Hit rates of the example: root 99.8, level 1 98.8, level 2 68.7, level 3 (leaf) 1.0 %; in requests the root is level 1.
void count_walks(Slices& slices, u64 epoch) {
    slices.count(1, 1'000, 998, epoch);
    slices.count(2, 1'000, 988, epoch);
    slices.count(3, 1'000, 687, epoch);
    slices.count(4, 1'000, 10, epoch);
}

TEST(MaskBypass, LevelsThatHitLessOftenThanDataGoAroundL2InTheNextEpoch) {
    Slices slices;
    count_walks(slices, 0);
    slices.count(0, 1'000, 600, 0);
    EXPECT_EQ(slices.levels_around(0), std::vector<u32>{});
    EXPECT_EQ(slices.levels_around(1), std::vector<u32>{4});
    EXPECT_EQ(slices.levels_around(2), std::vector<u32>{});  // nothing was seen in epoch 1

    count_walks(slices, 2);
    slices.count(0, 1'000, 700, 2);
    EXPECT_EQ(slices.levels_around(3), (std::vector<u32>{3, 4}));
    // After a gap the last epoch is an empty one.
    count_walks(slices, 4);
    slices.count(0, 1'000, 700, 4);
    EXPECT_EQ(slices.levels_around(7), std::vector<u32>{});
}

TEST(MaskBypass, OfSlicesThatDifferTheSumIsCompared) {
    // Half of all data hit: those of `a`, and none of `b`. Of level 4, which only `a` sees, 90 % hit; of level 3, which only
    // `b` sees, 20 %.
    Slices slices;
    const auto count = [](BypassPolicy& slice, u32 level, u32 hits) {
        for (u32 k = 0; k < 1'000; ++k) slice.on_access(read_of(level, k), k < hits, Cycle(k));
    };
    count(*slices.a, 0, 1'000);
    count(*slices.b, 0, 0);
    count(*slices.a, 4, 900);
    count(*slices.b, 3, 200);
    for (BypassPolicy* slice : {slices.a.get(), slices.b.get()}) {
        u32 around[8] = {};
        for (u32 level = 0; level < 8; ++level)
            for (u32 line = 0; line < 1'000; ++line)
                around[level] += slice->bypass(read_of(level, line), Cycle(kEpoch));
        EXPECT_GT(around[3], 900u);
        EXPECT_EQ(around[4], 0u);
    }
}

TEST(MaskBypass, EqualRatesDoNotGoAround) {
    Slices slices;
    slices.count(0, 1'000, 500, 0);
    slices.count(4, 200, 100, 0);
    slices.count(5, 2'000, 999, 0);
    EXPECT_EQ(slices.levels_around(1), std::vector<u32>{5});
}

TEST(MaskBypass, OneLineIn64StillUsesL2AndAlwaysTheSameOnes) {
    Slices slices;
    count_walks(slices, 0);
    slices.count(0, 1'000, 600, 0);
    const u32 around = slices.around(4, 1), through = 64'000 - around;
    EXPECT_GT(through, 900u);
    EXPECT_LT(through, 1'100u);
    for (u32 line = 0; line < 1'000; ++line) {
        const bool first = slices.a->bypass(read_of(4, line), Cycle(kEpoch));
        EXPECT_EQ(slices.b->bypass(read_of(4, line), Cycle(kEpoch + 1)), first);
    }
    Slices all(", sample: 1");
    count_walks(all, 0);
    all.count(0, 1'000, 600, 0);
    EXPECT_EQ(all.around(4, 1), 0u);
}

TEST(MaskBypass, FewerThanAHundredAccessesJudgeNothing) {
    for (const u32 walks : {99u, 100u})
        for (const u32 data : {99u, 100u}) {
            Slices slices;
            slices.count(0, data, data, 0);
            slices.count(4, walks, 0, 0);
            EXPECT_EQ(slices.around(4, 1) != 0, walks == 100 && data == 100);
        }
}

TEST(MaskBypass, DataNeverGoAround) {
    Slices slices;
    slices.count(0, 1'000, 0, 0);
    count_walks(slices, 0);
    EXPECT_EQ(slices.levels_around(1), std::vector<u32>{});
    EXPECT_FALSE(slices.a->bypass(read_of(0, 5), Cycle(kEpoch)));
}

}  // namespace
}  // namespace heddle
