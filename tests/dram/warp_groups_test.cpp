// Worked examples of warp-aware scheduling (Chatterjee et al., SC 2014); expected scores and orders follow from the
// paper's rules by hand.

#include <gtest/gtest.h>
#include <tuple>

#include "dram/parts.h"
#include "dram/scheduler/wg.h"
#include "machines.h"
#include "scheduler_rig.h"

namespace heddle::dram {
namespace {

using Rig = SchedulerRig;

TEST(DramWarpGroups, AWarpIsDoneSoonerOnAverageIfLoadsDoNotInterleave) {
    Rig rig("wg", "", gtx480_wg());
    for (u32 k = 0; k < 4; ++k) {
        rig.add("A", 0, 10 + k, 1);
        rig.add("B", 0, 20 + k, 2);
    }
    rig.complete(1), rig.complete(2);
    const std::string order = rig.drain(0);
    EXPECT_EQ(order, "A A A A B B B B");
    constexpr u32 T = 10;
    const std::size_t a = order.rfind('A') / 2 + 1, b = order.rfind('B') / 2 + 1;
    EXPECT_EQ((a + b) * T / 2, 60u);  // interleaved as they came: (70 + 80) / 2 = 75
}

TEST(DramWarpGroups, AGroupsScoreIsTheLargestOfItsBanks) {
    Rig rig("wg", "", gtx480_wg());
    rig.open(0, 7);
    rig.add("", 0, 7);
    rig.open(1, 5);
    rig.add("", 1, 5);
    rig.step(4);
    rig.add("", 1, 3);
    rig.step(4);
    Wg& wg = rig.as<Wg>();
    ASSERT_EQ(wg.queue_score(0), 1u);
    ASSERT_EQ(wg.queue_score(1), 4u);
    ASSERT_EQ(wg.last_row(1), 3u);
    rig.add("", 0, 7, 1), rig.add("", 0, 7, 1), rig.add("", 1, 3, 1);
    rig.add("", 0, 9, 2), rig.add("", 2, 1, 2);
    rig.complete(1), rig.complete(2);
    EXPECT_EQ(wg.estimate(Rig::key(1)).score, 5u);
    EXPECT_EQ(wg.estimate(Rig::key(2)).score, 4u);
    rig.step(2);
    EXPECT_EQ(wg.queue_score(0), 4u);
    EXPECT_EQ(wg.last_row(0), 9u);
    EXPECT_EQ(wg.queue_score(2), 3u);
    EXPECT_EQ(wg.last_row(2), 1u);
    EXPECT_EQ(wg.estimate(Rig::key(1)).score, 8u);
}

TEST(DramWarpGroups, OfEqualScoresTheOneWithMoreRowHitsGoes) {
    Rig rig("wg", "", gtx480_wg());
    rig.open(0, 7);
    rig.add("", 1, 3, 2);
    for (u32 k = 0; k < 3; ++k) rig.add("", 0, 7, 1);
    rig.complete(2), rig.complete(1);
    Wg& wg = rig.as<Wg>();
    EXPECT_EQ(wg.estimate(Rig::key(1)).score, 3u);
    EXPECT_EQ(wg.estimate(Rig::key(2)).score, 3u);
    rig.step(3);
    EXPECT_EQ(wg.queue_score(0), 3u);
    EXPECT_EQ(wg.queue_score(1), 0u);
}

TEST(DramWarpGroups, OnlyCompleteGroupsAreChosen) {
    Rig rig("wg", "", gtx480_wg());
    rig.open(0, 7);
    rig.add("", 0, 7, 1);
    for (u32 k = 0; k < 3; ++k) rig.add("", 1, 20 + k, 2);
    rig.complete(2);
    Wg& wg = rig.as<Wg>();
    EXPECT_EQ(wg.estimate(Rig::key(1)).score, 1u);
    EXPECT_EQ(wg.estimate(Rig::key(2)).score, 9u);
    rig.step(3);
    EXPECT_EQ(wg.queue_score(1), 9u);
    EXPECT_EQ(wg.queue_score(0), 0u);
}

TEST(DramWarpGroups, AFullReadQueueWithoutACompleteGroupServesTheOldest) {
    MemorySettings s = gtx480_wg();
    s.read_queue = 4;
    Rig rig("wg", "incomplete_wait: 60", s);
    rig.add("a", 0, 1, 1), rig.add("b", 0, 2, 2), rig.add("c", 0, 3, 3);
    rig.step(5);
    EXPECT_EQ(rig.serve(0), "");
    rig.add("a", 0, 1, 1);
    EXPECT_EQ(rig.drain(0), "a a");
    EXPECT_EQ(rig.counter("forced_by_full_queue"), 1u);
    // A later member is of a new group, which completeness is told of.
    rig.add("a2", 0, 1, 1);
    rig.complete(1);
    EXPECT_EQ(rig.drain(0), "a2");
}

TEST(DramWarpGroups, WithoutACompleteGroupTheOldestGoesAtOnce) {
    for (const char* scheduler : {"wg", "wg-m", "wg-bw", "wg-w", "wafcfs"}) {
        SCOPED_TRACE(scheduler);
        Rig rig(scheduler, "", gtx480_wg());
        rig.add("a", 0, 1, 1), rig.add("b", 0, 2, 2);
        rig.step();
        EXPECT_EQ(rig.counter("forced_by_idle_time"), 1u);
        // A complete one goes before the next, though it is younger.
        rig.add("c", 0, 3, 3);
        rig.complete(3);
        EXPECT_EQ(rig.drain(0), "a c b");
        EXPECT_EQ(rig.counter("forced_by_idle_time"), 2u);
    }
}

TEST(DramWarpGroups, WritesAreDrainedWhileNoLoadIsComplete) {
    for (const bool waits : {false, true}) {
        SCOPED_TRACE(waits);
        Rig rig("wg", waits ? "incomplete_wait: 100" : "", gtx480_wg());
        rig.add("a", 0, 1, 1);
        for (u32 k = 0; k < 3; ++k) rig.add("W", 0, 5 + k, Rig::kNoLoad, true);
        rig.step();
        // The load is complete after the first write, and goes next.
        rig.add("b", 0, 2, 2);
        rig.complete(2);
        EXPECT_EQ(rig.drain(0), waits ? "b" : "W b W W a");
        EXPECT_EQ(rig.counter("forced_by_idle_time"), waits ? 0u : 1u);
    }
}

TEST(DramWarpGroups, IncompleteWaitLetsAnIncompleteGroupGoAfterIdleTime) {
    Rig rig("wg", "incomplete_wait: 100", gtx480_wg());
    rig.step(500);  // with nothing to serve: this is not a wait
    rig.add("a", 0, 1, 1);
    rig.step(100);
    EXPECT_EQ(rig.serve(0), "");
    rig.step(2);
    EXPECT_EQ(rig.serve(0), "a");
}

TEST(DramWarpGroups, AFullWarpSorterKeepsLaterLoadsInArrivalOrder) {
    Rig rig("wg", "sorter_groups: 1", gtx480_wg());
    rig.add("a", 0, 1, 1), rig.add("b", 0, 2, 2), rig.add("c", 0, 3, 3), rig.add("b", 0, 2, 2);
    rig.complete(3), rig.complete(2), rig.complete(1);
    EXPECT_EQ(rig.drain(0), "a b b c");
}

TEST(DramWarpGroups, AGroupOlderThanTheMaximumGoesFirst) {
    Rig rig("wg", "age_max: 50", gtx480_wg());
    rig.open(0, 7);
    for (u32 k = 0; k < 4; ++k) rig.add("old", 0, 20 + k, 1);
    rig.step(51);
    rig.add("new", 0, 7, 2);
    rig.complete(2), rig.complete(1);
    EXPECT_EQ(rig.drain(0), "old old old old new");
}

TEST(DramWarpGroups, AMessageLowersAScoreButNeverRaisesIt) {
    struct Case {
        std::vector<u32> rows;
        u32 local;
        u64 received;
        u32 then;
    };
    for (const Case& c : {Case{{1, 1, 2, 2}, 8, 5, 5}, Case{{1, 1}, 4, 9, 4}, Case{{1, 1, 1}, 5, 5, 5}}) {
        for (const char* peer_score : {"peer_score: cap", "peer_score: subtrahend"}) {
            Rig rig("wg-m", peer_score, gtx480_wg());
            for (const u32 row : c.rows) rig.add("", 0, row, 1);
            WgM& wg = rig.as<WgM>();
            EXPECT_EQ(wg.coordinated_score(Rig::key(1)), c.local);
            wg.on_message({1, 0, 0, 1, c.received}, rig.now());
            EXPECT_EQ(wg.coordinated_score(Rig::key(1)), c.then);
            EXPECT_EQ(rig.counter("messages_used"), c.then < c.local);
        }
    }
}

/// Loads w (three row misses in bank 0) and v (two in bank 1) wait, and a peer serves w with score 2. Then three other reads,
/// all row misses, go to bank 0.
struct ToldRig : Rig {
    explicit ToldRig(const std::string& peer_score) : Rig("wg-m", peer_score, gtx480_wg()) {
        for (u32 k = 0; k < 3; ++k) add("w", 0, 10 + k, 1);
        for (u32 k = 0; k < 2; ++k) add("v", 1, 20 + k, 2);
        scheduler().on_message({1, 0, 0, 1, 2}, now());
        EXPECT_EQ(as<WgM>().coordinated_score(key(1)), 2u);
        for (u32 k = 0; k < 3; ++k) add("", 0, 30 + k);
        step(3);
    }
};

TEST(DramWarpGroups, WhatIsScheduledLaterRaisesAScoreThatAPeerHasLoweredUnlessItIsACap) {
    // The estimate is 9 at first, of which 7 are subtracted, and 18 behind the 9 of the bank's queue.
    for (const auto& [peer_score, score, next] :
         {std::tuple{"", 11u, 1u}, {"peer_score: subtrahend", 11u, 1u}, {"peer_score: cap", 2u, 0u}}) {
        SCOPED_TRACE(peer_score);
        ToldRig rig(peer_score);
        ASSERT_EQ(rig.as<WgM>().queue_score(0), 9u);
        EXPECT_EQ(rig.as<WgM>().estimate(Rig::key(1)).score, 18u);
        EXPECT_EQ(rig.as<WgM>().coordinated_score(Rig::key(1)), score);
        // A score that is higher by now changes nothing, a lower one lowers it again.
        rig.scheduler().on_message({1, 0, 0, 1, 12}, rig.now());
        EXPECT_EQ(rig.as<WgM>().coordinated_score(Rig::key(1)), score);
        // v has 6: it goes first, unless w has been capped at 2.
        rig.complete(1), rig.complete(2);
        rig.step();
        EXPECT_EQ(rig.as<WgM>().queue_score(0) > 9, next == 0);
        EXPECT_EQ(rig.as<WgM>().queue_score(1) > 0, next == 1);
    }
    ToldRig twice("");
    twice.scheduler().on_message({1, 0, 0, 1, 4}, twice.now());
    EXPECT_EQ(twice.as<WgM>().coordinated_score(Rig::key(1)), 4u);
}

TEST(DramWarpGroups, TheBankScoreIsTheSumOrTheLargestOfItsRequests) {
    // A: four hits in bank 0. B: a miss in bank 1. C: a hit in bank 0 and two misses in bank 1.
    for (const auto& [bank_score, a, c, first] :
         {std::tuple{"", 4u, 6u, 1u}, {"bank_score: sum", 4u, 6u, 1u}, {"bank_score: maximum", 1u, 3u, 0u}}) {
        SCOPED_TRACE(bank_score);
        Rig rig("wg", bank_score, gtx480_wg());
        rig.open(0, 7);
        for (u32 k = 0; k < 4; ++k) rig.add("A", 0, 7, 1);
        rig.add("B", 1, 3, 2);
        rig.add("C", 0, 7, 3), rig.add("C", 1, 4, 3), rig.add("C", 1, 5, 3);
        Wg& wg = rig.as<Wg>();
        EXPECT_EQ(wg.estimate(Rig::key(1)).score, a);
        EXPECT_EQ(wg.estimate(Rig::key(2)).score, 3u);
        EXPECT_EQ(wg.estimate(Rig::key(3)).score, c);
        rig.complete(1), rig.complete(2), rig.complete(3);
        rig.step();
        EXPECT_EQ(wg.queue_score(0), first == 0 ? 1u : 0u);
        EXPECT_EQ(wg.queue_score(1), first == 1 ? 3u : 0u);
    }
}

TEST(DramWarpGroups, ALoadThatOneChannelServesIsPreferredByTheOthers) {
    Rig zero("wg-m", "peer_score: cap", gtx480_wg());
    zero.open(0, 7);
    zero.add("w", 0, 7, 1), zero.add("w", 0, 7, 1);
    zero.complete(1);
    zero.step();
    ASSERT_EQ(zero.sent().size(), 1u);
    EXPECT_EQ(zero.sent().front().value, 2u);
    for (const bool told : {false, true}) {
        Rig one("wg-m", "peer_score: cap", gtx480_wg());
        for (u32 k = 0; k < 3; ++k) one.add("w", 0, 10 + k, 1);
        for (u32 k = 0; k < 2; ++k) one.add("v", 0, 20 + k, 2);
        one.complete(1), one.complete(2);
        if (told) one.scheduler().on_message(zero.sent().front(), one.now());
        EXPECT_EQ(one.drain(0), told ? "w w w v v" : "v v w w w");
    }
}

TEST(DramWarpGroups, AGroupThatWentBeforeItWasCompleteTellsAndHears) {
    Rig rig("wg-m", "incomplete_wait: 10", gtx480_wg());
    rig.add("v", 0, 20, 1), rig.add("v", 0, 21, 1);
    for (u32 k = 0; k < 20 && rig.sent().empty(); ++k) rig.step();
    ASSERT_EQ(rig.sent().size(), 1u);
    EXPECT_EQ(rig.sent().front().key, 1u);
    rig.scheduler().on_message({1, 0, 0, 1, 2}, rig.now());
    EXPECT_EQ(rig.counter("messages_matched"), 1u);
}

TEST(DramWarpGroups, AMessageAboutALoadThatHasNotArrivedIsDroppedOrRemembered) {
    // The one read has score 3; behind a second of another row, 6.
    for (const auto& [parameters, one, two] : {std::tuple{"", 3u, 6u},
                                               {"remember_unmatched: true", 2u, 5u},
                                               {"remember_unmatched: true\npeer_score: cap", 2u, 2u}}) {
        SCOPED_TRACE(parameters);
        Rig rig("wg-m", parameters, gtx480_wg());
        rig.scheduler().on_message({1, 0, 0, 1, 2}, rig.now());
        rig.add("", 0, 10, 1);
        EXPECT_EQ(rig.as<WgM>().coordinated_score(Rig::key(1)), one);
        rig.add("", 0, 11, 1);
        EXPECT_EQ(rig.as<WgM>().coordinated_score(Rig::key(1)), two);
    }
}

/// Bank 0 has row 1 open and `counted` row hits since; `busy` banks have work, bank 0 included; then `hits` reads of row 1
/// wait in an incomplete group (load 50) and a complete one wants row 2.
struct BandwidthRig : Rig {
    BandwidthRig(u32 counted, u32 busy, u32 hits)
        : Rig("wg-bw", "bursts_per_request: 1\nincomplete_wait: 60", gtx480_wg()) {
        for (u32 k = 0; k <= counted; ++k) open(0, 1);
        EXPECT_EQ(as<WgBw>().hit_count(0), counted);
        for (u32 b = 1; b < busy; ++b) {
            add("", b, 1);
            step(2);
        }
        for (u32 k = 0; k < hits; ++k) add("h", 0, 1, 50);
        add("m", 0, 2, 60);
        complete(60);
    }
};

TEST(DramWarpGroups, ARowMissWaitsForRowHitsUpToMerbAndOrphans) {
    BandwidthRig all(5, 4, 4);
    EXPECT_EQ(all.drain(0), "h h h h m");
    EXPECT_EQ(all.counter("orphans"), 2u);
    EXPECT_EQ(all.counter("rows_given_up"), 0u);
    BandwidthRig two(5, 4, 5);
    EXPECT_EQ(two.drain(0), "h h m");
    EXPECT_EQ(two.counter("postponements"), 2u);
    EXPECT_EQ(two.counter("orphans"), 0u);
    EXPECT_EQ(two.counter("rows_given_up"), 1u);
    two.complete(50);
    EXPECT_EQ(two.drain(0), "h h h");
    EXPECT_EQ(two.as<WgBw>().hit_count(0), 2u);  // a miss and two hits
    BandwidthRig late(7, 4, 2);
    late.step(2);  // both orphans are sent
    late.add("late", 0, 1, 51);
    late.complete(51);
    EXPECT_EQ(late.drain(0), "h h m late");
    EXPECT_EQ(late.counter("orphans"), 2u);
    EXPECT_EQ(late.counter("rows_given_up"), 1u);
    EXPECT_EQ(BandwidthRig(0, 1, 3).drain(0), "h h h m");
    EXPECT_EQ(BandwidthRig(5, 16, 1).drain(0), "h m");
}

TEST(DramWarpGroups, LoadsOfOneRequestGoFirstWhenADrainIsNear) {
    // Near are the last eight writes before a drain, which starts above write_high or with a full queue.
    for (const auto& [queue, writes, near] :
         {std::tuple{64u, 23u, false}, {64u, 24u, true}, {31u, 21u, false}, {31u, 22u, true}}) {
        MemorySettings settings = gtx480_wg();
        settings.write_queue = queue;
        Rig rig("wg-w", "", settings);
        rig.open(0, 7);
        rig.open(2, 7);
        rig.open(1, 5);
        rig.add("", 1, 5);
        rig.step(4);
        rig.add("", 1, 3);
        rig.step(4);
        rig.add("X", 1, 9, 1);
        rig.add("Y", 0, 7, 2), rig.add("Y", 0, 7, 2), rig.add("Y", 2, 7, 2);
        for (u32 k = 0; k < writes; ++k) rig.add("w", 8, k, Rig::kNoLoad, true);
        rig.complete(1), rig.complete(2);
        Wg& wg = rig.as<Wg>();
        ASSERT_EQ(wg.estimate(Rig::key(1)).score, 7u);
        ASSERT_EQ(wg.estimate(Rig::key(2)).score, 2u);
        rig.step();
        EXPECT_EQ(wg.queue_score(1), near ? 7u : 4u);
        EXPECT_EQ(wg.queue_score(0) + wg.queue_score(2), near ? 0u : 1u);
        EXPECT_EQ(rig.counter("units_first"), near ? 1u : 0u);
    }
}

TEST(DramWarpGroups, FirstComeFirstServedKeepsTheOrderOfCompletion) {
    for (const char* scheduler : {"wafcfs", "wg"}) {
        Rig rig(scheduler, "", gtx480_wg());
        rig.open(0, 1);
        rig.add("G1", 0, 1, 1), rig.add("G2", 0, 2, 2), rig.add("G3", 0, 1, 3);
        rig.complete(1), rig.complete(2), rig.complete(3);
        EXPECT_EQ(rig.drain(0), std::string(scheduler) == "wg" ? "G1 G3 G2" : "G1 G2 G3");
    }
}

// S has one request left, the row hit's warp n: alpha 0.75 prefers S iff n > 1, 0.5 iff n > 3, 0.25 iff n > 9.
TEST(DramWarpGroups, SbwasWeighsTheShortestWarpAgainstARowHit) {
    struct Case {
        const char* alpha;
        u32 most;  // requests of the hit's warp with which the hit still goes first
    };
    for (const Case& c : {Case{"0.75", 1}, Case{"0.5", 3}, Case{"0.25", 9}, Case{"0", 60}}) {
        for (const u32 n : {c.most, c.most + 1}) {
            Rig rig("sbwas", "alpha: " + std::string(c.alpha), gtx480_wg());
            rig.open(0, 7);
            rig.add("H", 0, 7, 1);
            for (u32 k = 1; k < n; ++k) rig.add("h", 1, 7, 1);
            rig.add("S", 0, 9, 2);
            rig.step(40);
            const bool short_first = n > c.most && c.most != 60;
            EXPECT_EQ(rig.serve(0), short_first ? "S" : "H") << c.alpha << " " << n;
            EXPECT_EQ(rig.counter("short_warps_first"), short_first ? 1u : 0u);
            // With one request each the hit's warp is the shortest, and nothing is weighed.
            EXPECT_EQ(rig.counter("hits_first"), short_first || n == 1 ? 0u : 1u);
        }
    }
}

TEST(DramWarpGroups, MerbOfThePapersMachineIsThePrintedTable) {
    const Merb merb(resolve(gtx480_wg()));
    const std::vector<u32> printed = {31, 20, 10, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    for (u32 b = 1; b <= 16; ++b) EXPECT_EQ(merb(b), printed[b - 1]) << b;
}

TEST(DramWarpGroups, MerbOfEveryGddr5AndHbmPresetIsTheLeastBurstThatHidesTheRowCycle) {
    u32 presets = 0;
    for (const SpeedBin& bin : speed_bins()) {
        if (bin.standard != "gddr5" && !bin.standard.starts_with("hbm")) continue;
        MemorySettings s;
        s.standard = std::string(bin.standard);
        s.speed = std::string(bin.name);
        s.line_bytes = 64;
        for (const Part& p : parts())
            if (p.standard == bin.standard) s.part = std::string(p.name);
        const Resolved r = resolve(s);
        const Merb merb(r);
        ++presets;
        const u64 row = r.time(Param::RTP) + r.time(Param::RP) + r.time(Param::RCDRD),
                  burst = r.time(Param::BL);
        auto hides = [&](u64 m, u64 others) {
            return m * others * burst >= row && m * burst >= r.time(Param::RRDS) &&
                   4 * m * burst >= r.time(Param::FAW);
        };
        EXPECT_EQ(merb(1), 31u);
        for (u32 b = 2; b <= r.geometry.banks(); ++b) {
            EXPECT_TRUE(hides(merb(b), b - 1) || merb(b) == 31) << bin.name << " " << b;
            EXPECT_FALSE(hides(merb(b) - 1, b - 1)) << bin.name << " " << b;
        }
    }
    EXPECT_GE(presets, 3u);
}

}  // namespace
}  // namespace heddle::dram
