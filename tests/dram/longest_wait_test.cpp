// How long a request may wait. Without a bound, an endless run of hits to the open row of its bank holds back a request to
// another row; policies that promise a bound keep it.

#include <gtest/gtest.h>

#include "dram/alone.h"
#include "dram/geometry.h"
#include "dram/scheduler.h"
#include "service_order.h"

namespace heddle::dram {
namespace {

constexpr u32 kQueue = 32;

MemorySettings memory(std::string_view scheduler) {
    MemorySettings s = small_memory();
    s.scheduler = scheduler_choice(scheduler);
    s.read_queue = kQueue;
    return s;
}

/// Reads of one row of bank 0 as fast as they are taken, and among them one of another row of this bank.
std::vector<StreamEntry> hits_and_a_victim(u64 hits) {
    std::vector<StreamEntry> stream;
    for (u64 k = 0; k < hits; ++k) {
        stream.push_back({k % 64 * 32, false, {}, 1});
        if (k == 100) stream.push_back({u64{1} << 20, false, {}, 0});
    }
    return stream;
}

/// The wait of the victim, the only request of application 0.
u64 wait_of_victim(const MemorySettings& s, u64 hits) {
    const AloneResult r = run_alone(s, hits_and_a_victim(hits));
    EXPECT_EQ(r.total.apps.at(0).reads, 1u);
    return r.total.apps.at(0).latency_cycles;
}

struct Bound {
    u64 column, row, serve;
    explicit Bound(const MemorySettings& s) {
        const Resolved r = resolve(s);
        column = r.time(Param::CCDL);  // from one hit of the bank to the next
        row = r.time(Param::RTP) + r.time(Param::RP) + r.time(Param::RCDRD);
        serve = r.read_latency();
    }
    /// So many hits of the bank first, then the victim's row.
    u64 after(u64 hits) const { return hits * column + row + serve; }
};

TEST(DramLongestWait, UnderFrFcfsAVictimWaitsUntilTheHitsEnd) {
    const MemorySettings s = memory("fr-fcfs");
    const u64 few = wait_of_victim(s, 2'000), many = wait_of_victim(s, 8'000);
    EXPECT_GT(few, 1'500 * Bound(s).column);
    EXPECT_GT(many, 3 * few);
}

TEST(DramLongestWait, FcfsServesABankInOrderSoOnlyTheQueueIsAheadOfIt) {
    const MemorySettings s = memory("fcfs");
    EXPECT_LE(wait_of_victim(s, 8'000), Bound(s).after(kQueue));
}

TEST(DramLongestWait, ACapOfRowHitsBoundsTheWait) {
    const MemorySettings s = memory("fr-fcfs-cap");
    // Those that are older, and a cap's worth (4) of younger ones.
    EXPECT_LE(wait_of_victim(s, 8'000), Bound(s).after(kQueue - 1 + 4));
}

// Mutlu and Moscibroda, ISCA 2008: a batch marks at most Marking-Cap (5) requests of a thread in a bank, and no request
// that is not marked goes before a marked one. The victim, alone of its thread, is marked when the batch at its arrival
// ends (5 of the other thread); of the next batch it waits at most for 5 more.
TEST(DramLongestWait, ParBsBoundsItByTheBatches) {
    const MemorySettings s = memory("par-bs");
    EXPECT_LE(wait_of_victim(s, 8'000), Bound(s).after(5 + 5));
}

// Kim et al., HPCA 2010: what has waited longer than T goes first, whatever its rank.
TEST(DramLongestWait, AtlasServesWhatHasWaitedLongerThanItsThreshold) {
    for (const u64 threshold : {500u, 5'000u}) {
        MemorySettings s = memory("atlas");
        s.scheduler = schedulers().choose("atlas", "starvation: " + std::to_string(threshold));
        const u64 wait = wait_of_victim(s, 8'000);
        EXPECT_GT(wait, threshold);
        EXPECT_LE(wait, threshold + 1 + Bound(s).after(1));
    }
}

// Subramanian et al., ICCD 2014: after five requests in a row the other application is blacklisted, and the victim's is
// not.
TEST(DramLongestWait, BlissLetsTheVictimsApplicationGoAfterFiveOfTheOther) {
    const MemorySettings s = memory("bliss");
    EXPECT_LE(wait_of_victim(s, 8'000), Bound(s).after(5));
}

// One victim of the other direction in the flood's bank, under every registered scheduler. Each write or read of a turn
// takes at most a row cycle; what is in a bank's command queue (at most 4 requests) goes before the turn.
u64 wait_in_flood(std::string_view scheduler, bool victim_writes, u64 flood) {
    MemorySettings s = memory(scheduler);
    s.write_budget = 64;
    s.write_age = 5'000;
    std::vector<StreamEntry> stream;
    for (u64 k = 0; k < flood; ++k) {
        stream.push_back({k % 64 * 32, !victim_writes, {}, 1});
        if (k == 100) stream.push_back({u64{1} << 20, victim_writes, {}, 0});
    }
    const Statistics total = run_alone(s, stream).total;
    const auto& waits = victim_writes ? total.write_latency : total.read_latency;
    EXPECT_EQ(waits.count(), 1u) << scheduler;
    return waits.max();
}

u64 turn_clocks(u32 requests) {
    const Resolved r = resolve(small_memory());
    return requests * u64{r.time(Param::CCDL)} + r.time(Param::WR) + r.time(Param::RP) +
           r.time(Param::RCDRD) + r.write_latency() + r.read_latency() + r.time(Param::RC);
}

TEST(DramLongestWait, ADrainEndsAfterItsBudgetUnderEveryScheduler) {
    for (const auto& [scheduler, entry] : schedulers().entries()) {
        if (scheduler == "sbwas") continue;  // does not tell reads from writes
        EXPECT_LE(wait_in_flood(scheduler, false, 20'000), turn_clocks(64 + 4 + 4)) << scheduler;
    }
}

TEST(DramLongestWait, AWriteBelowTheWatermarkIsServedOnceOverdueUnderEveryScheduler) {
    for (const auto& [scheduler, entry] : schedulers().entries()) {
        if (scheduler == "sbwas") continue;
        EXPECT_LE(wait_in_flood(scheduler, true, 20'000), 5'000 + turn_clocks(1 + 4 + 4)) << scheduler;
    }
}

}  // namespace
}  // namespace heddle::dram
