// TLB-fill tokens: worked examples, computed by hand from Ausavarungnirun, PhD
// thesis, CMU 2017, ch. 6.

#include <gtest/gtest.h>

#include "vm/fill_policy.h"

namespace heddle {
namespace {

class Rig {
  public:
    Rig(u32 sms, u32 warps_per_sm, const std::string& parameters = "", std::vector<FillApp> apps = {})
        : active_(sms, (u64{1} << (warps_per_sm - 1)) * 2 - 1) {
        if (apps.empty()) apps = {{0, 0, sms}};
        const FillContext context{.sms = sms, .warps_per_sm = warps_per_sm};
        policy_ = tlb_fill_policies().make(tlb_fill_policies().choose("tokens", parameters), context);
        policy_->applications(apps);
    }
    /// An epoch with so many misses of 1,000 lookups.
    void epoch(u32 misses, u8 app = 0) {
        lookups(misses, app);
        end();
    }
    void lookups(u32 misses, u8 app = 0) {
        for (u32 k = 0; k < 1'000; ++k) policy_->on_access(app, k >= misses, Cycle{0});
    }
    void end() { policy_->end_epoch(active_, Cycle{0}); }
    std::vector<u64>& active() { return active_; }
    u64 counter(std::string_view name, u8 app = 0) const {
        std::vector<CounterRecord> all;
        policy_->report_app(app, all);
        for (const CounterRecord& c : all)
            if (c.name == name) return c.value;
        return ~u64{0};
    }
    u64 tokens(u8 app = 0) const { return counter("tokens", app); }
    bool fills(u16 sm, u8 warp, u8 app = 0) {
        const FillRequester r{sm, u64{1} << warp};
        return policy_->fills(app, {&r, 1}, Cycle{0});
    }
    bool fills(const std::vector<FillRequester>& r) { return policy_->fills(0, r, Cycle{0}); }
    /// Warps that hold a token, of one SM.
    u32 holders(u16 sm, u8 app = 0) {
        u32 n = 0;
        for (u8 warp = 0; warp < 64; ++warp) n += fills(sm, warp, app);
        return n;
    }

  private:
    std::vector<u64> active_;
    std::unique_ptr<TlbFillPolicy> policy_;
};

TEST(TlbFillTokens, FollowTheMissRateByATenthOfTheWarps) {
    Rig rig(30, 64, "", {{0, 0, 15}, {1, 15, 15}});
    EXPECT_TRUE(rig.fills(14, 63));  // the first epoch: all
    rig.epoch(350);
    EXPECT_EQ(rig.counter("warps"), 960u);
    EXPECT_EQ(rig.tokens(), 768u);
    rig.epoch(400);
    EXPECT_EQ(rig.tokens(), 672u);
    rig.epoch(390);
    EXPECT_EQ(rig.tokens(), 672u);
    rig.epoch(300);
    EXPECT_EQ(rig.tokens(), 768u);
    for (u32 misses : {270u, 240u, 210u, 180u, 150u}) rig.epoch(misses);
    EXPECT_EQ(rig.tokens(), 960u);
    for (u32 k = 0; k < 12; ++k) rig.epoch(200 + 30 * k);
    EXPECT_EQ(rig.tokens(), 1u);
    EXPECT_TRUE(rig.fills(0, 0));
    EXPECT_FALSE(rig.fills(0, 1));
    EXPECT_FALSE(rig.fills(1, 0));
    // The other application has not looked anything up: it is in its first epoch.
    EXPECT_TRUE(rig.fills(15, 63, 1));
}

TEST(TlbFillTokens, AChangeOfExactlyTwoPointsChangesNothing) {
    Rig rig(1, 50);
    rig.epoch(300);
    EXPECT_EQ(rig.tokens(), 40u);
    rig.epoch(320);
    rig.epoch(300);
    EXPECT_EQ(rig.tokens(), 40u);
    rig.epoch(321);
    EXPECT_EQ(rig.tokens(), 35u);
    rig.epoch(300);
    EXPECT_EQ(rig.tokens(), 40u);
    EXPECT_EQ(rig.counter("tokens_taken"), 1u);
    EXPECT_EQ(rig.counter("tokens_added"), 1u);
}

TEST(TlbFillTokens, TwoTokensOfFourWarpsAreTheLowestWarps) {
    Rig rig(1, 4, "initial: 0.5");
    rig.epoch(300);
    ASSERT_EQ(rig.tokens(), 2u);
    EXPECT_FALSE(rig.fills(0, 3));  // P goes to the bypass cache only
    EXPECT_TRUE(rig.fills(0, 1));   // Q to the L2 TLB
    EXPECT_TRUE(rig.fills(0, 0));
    EXPECT_FALSE(rig.fills(0, 2));
    // Of merged warps one with a token is enough, whoever came first and from whatever SM.
    EXPECT_TRUE(rig.fills({{0, 0b1001}}));
    EXPECT_FALSE(rig.fills({{0, 0b1100}}));
    EXPECT_EQ(rig.counter("walks_filled"), 3u);
    EXPECT_EQ(rig.counter("walks_kept_out"), 3u);
}

TEST(TlbFillTokens, AreSpreadOverTheApplicationsSmsOneByOne) {
    Rig even(4, 10, "initial: 0.55", {{0, 1, 3}});
    even.epoch(300);
    ASSERT_EQ(even.tokens(), 16u);  // of 30 warps, 16.5 rounded down
    EXPECT_EQ(even.holders(1), 6u);
    EXPECT_EQ(even.holders(2), 5u);
    EXPECT_EQ(even.holders(3), 5u);
    EXPECT_TRUE(even.fills({{2, u64{1} << 9}, {3, u64{1} << 4}}));

    Rig in_order(4, 10, "{initial: 0.55, spread: in-order}", {{0, 1, 3}});
    in_order.epoch(300);
    EXPECT_EQ(in_order.holders(1), 10u);
    EXPECT_EQ(in_order.holders(2), 6u);
    EXPECT_EQ(in_order.holders(3), 0u);
}

TEST(TlbFillTokens, AnEpochWithoutLookupsKeepsTokensAndRate) {
    Rig rig(1, 50);
    rig.epoch(300);
    rig.active()[0] = 0;
    rig.end();
    EXPECT_EQ(rig.tokens(), 40u);
    rig.active()[0] = (u64{1} << 50) - 1;
    rig.epoch(310);  // compared with 30 %
    EXPECT_EQ(rig.tokens(), 40u);
    rig.epoch(340);
    EXPECT_EQ(rig.tokens(), 35u);
}

TEST(TlbFillTokens, HillClimbAddsTokensWhenMoreMissesComeAndRanksActiveWarpsOnly) {
    Rig rig(2, 10, "rule: hill-climb");
    rig.active() = {0b1111100000, 0b0000011111};
    rig.epoch(300);
    EXPECT_EQ(rig.tokens(), 8u);
    EXPECT_FALSE(rig.fills(0, 0));  // was not active
    EXPECT_TRUE(rig.fills(0, 5));
    EXPECT_TRUE(rig.fills(0, 9));
    EXPECT_TRUE(rig.fills(1, 2));
    EXPECT_FALSE(rig.fills(1, 3));
    rig.epoch(301);  // no dead band
    EXPECT_EQ(rig.tokens(), 9u);
    rig.epoch(300);
    EXPECT_EQ(rig.tokens(), 8u);
    for (u32 misses = 299; misses > 290; --misses) rig.epoch(misses);
    EXPECT_EQ(rig.tokens(), 0u);
    EXPECT_EQ(rig.holders(0) + rig.holders(1), 0u);
    rig.epoch(100);  // at most the floor: all fill
    EXPECT_EQ(rig.tokens(), 0u);
    EXPECT_TRUE(rig.fills(0, 0));
    rig.epoch(101);
    EXPECT_EQ(rig.tokens(), 1u);
    EXPECT_FALSE(rig.fills(0, 0));
}

}  // namespace
}  // namespace heddle
