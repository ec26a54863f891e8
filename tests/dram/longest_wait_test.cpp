// How long a request may wait. Without a bound, an endless run of hits to the open row of its bank holds back a request to
// another row; policies that promise a bound keep it.

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "dram/alone.h"
#include "dram/geometry.h"
#include "dram/scheduler.h"
#include "mem/request_pool.h"
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

// One victim in a bank against floods of row hits of that bank, for 1 ms, under every registered scheduler. Budgets are
// small, so that all turns are taken many times over.
constexpr u32 kBudget = 16;
constexpr u64 kWriteAge = 5'000, kAgeCap = 5'000;

enum class Flood : u8 { hits, other_application, writes, reads_and_writes };

/// What docs/dram.md and the manual state of a read: clocks after which it goes first, and requests served before it from
/// then on, as they are written there and in numbers.
struct Own {
    std::string first, ahead;
    u64 first_after = 0, requests = 0;
    std::string parameters;  // that give the bound, where the default gives none
};

Own own_of(std::string_view scheduler) {
    constexpr u64 q = kQueue, depth = 4, most_hits = 31 + 2;
    const std::string cap = "age_cap: " + std::to_string(kAgeCap);
    if (scheduler == "fcfs") return {"", "Q", 0, q, ""};
    if (scheduler == "fr-fcfs-cap") return {"", "cap Q", 0, 4 * q, ""};
    if (scheduler == "par-bs") return {"", "(2 + Q / marking_cap) Q", 0, (2 + q / 5) * q, ""};
    if (scheduler == "atlas")
        return {"starvation", "Q", kAgeCap, q, "starvation: " + std::to_string(kAgeCap)};
    if (scheduler == "gmc" || scheduler == "zero-latency-divergence")
        return {"age_threshold", "Q + D", kAgeCap, q + depth,
                "age_threshold: " + std::to_string(kAgeCap) + " cycles"};
    if (scheduler == "wafcfs") return {"", "Q + D", 0, q + depth, ""};
    if (scheduler == "wg" || scheduler == "wg-m") return {"age_max", "2 Q + D", 10'000, 2 * q + depth, ""};
    if (scheduler == "wg-bw" || scheduler == "wg-w")
        return {"age_max", "2 Q (1 + 31 + 2) + D", 10'000, 2 * q * (1 + most_hits) + depth, ""};
    if (scheduler == "sbwas") return {"age_cap", "Q + D", kAgeCap, q + depth, cap};
    for (const char* one : {"fr-fcfs", "tcm", "bliss", "rr-fr-fcfs", "its", "weis", "prior-app", "mask",
                            "prior-low-mpki", "prior-low-bw"})
        if (scheduler == one) return {"age_cap", "Q", kAgeCap, q, cap};
    ADD_FAILURE() << scheduler << ": docs/dram.md must state how long a request waits, and so must this test";
    return {};
}

MemorySettings in_flood(std::string_view scheduler) {
    MemorySettings s = memory(scheduler);
    s.scheduler = schedulers().choose(scheduler, own_of(scheduler).parameters);
    s.write_budget = kBudget;
    s.write_age = kWriteAge;
    return s;
}

/// Clocks until the victim, sent after `before` clocks of the flood, is done; `clocks` if it is not by then.
u64 wait_in(const MemorySettings& settings, Flood flood, bool victim_writes, u64 clocks) {
    constexpr u64 before = 1'000;
    Channel channel(settings, 0);
    RequestPool pool;
    Request* next = nullptr;
    Request* victim = nullptr;
    u64 sent = 0;
    Cycle wake{0}, came{0};
    auto make = [&](bool write, u64 address, u8 app) {
        Request* r = pool.take();
        r->local = r->line = PhysAddr(address);
        r->sectors = 1;
        r->origin.unit = Origin::kNoUnit;
        r->app = app;
        r->kind = write ? RequestKind::write : RequestKind::read;
        return r;
    };
    for (Cycle now{0}; now.v < clocks; now = now + 1) {
        if (now.v >= before && victim == nullptr) {
            Request* r = make(victim_writes, u64{1} << 20, 0);
            if (channel.can_accept(*r)) {
                victim = r;
                came = now;
                wake = std::min(wake, channel.accept(r, now));
            } else {
                pool.give(r);
            }
        }
        if (next == nullptr) {
            const bool write = flood == Flood::writes || (flood == Flood::reads_and_writes && sent % 2 == 0);
            next = make(write, sent % 64 * 32, flood == Flood::hits ? u8{0} : u8{1});
            ++sent;
        }
        if (channel.can_accept(*next)) {
            wake = std::min(wake, channel.accept(next, now));
            next = nullptr;
        }
        if (wake <= now) wake = channel.step(now);
        while (const auto* done = channel.completion()) {
            if (done->at > now) break;
            if (done->request == victim) return now - came;
            pool.give(done->request);
            channel.pop_completion();
        }
    }
    return clocks;
}

/// Each turn of one direction takes at most a row cycle a request, and brings every bank one request of the other further.
u64 bound_of(const MemorySettings& s, const Own& own, bool writes_flow) {
    const u64 row = resolve(s).two_row_clocks();
    const u64 turns = writes_flow ? own.requests + 2 : 0;
    return own.first_after + (own.requests + 2) * row + turns * (s.write_budget + 2) * row +
           resolve(s).read_latency();
}

/// All but those that other tests of this program register.
std::vector<std::string> shipped_schedulers() {
    const std::set<std::string_view> of_tests{"signal-witness", "core-signal-witness", "group-witness",
                                              "oldest-app"};
    std::vector<std::string> names;
    for (const auto& [name, entry] : schedulers().entries())
        if (!of_tests.contains(name)) names.emplace_back(name);
    return names;
}

TEST(DramLongestWait, AReadWaitsNoLongerThanStatedInAnyFloodUnderAnyScheduler) {
    EXPECT_GE(shipped_schedulers().size(), 22u);
    for (const std::string& scheduler : shipped_schedulers()) {
        const MemorySettings s = in_flood(scheduler);
        const u64 ms = resolve(s).clock_hz / 1'000;
        for (const Flood flood :
             {Flood::hits, Flood::other_application, Flood::writes, Flood::reads_and_writes}) {
            const bool writes = flood == Flood::writes || flood == Flood::reads_and_writes;
            const u64 wait = wait_in(s, flood, false, ms);
            EXPECT_LT(wait, ms) << scheduler << " flood " << static_cast<int>(flood);
            EXPECT_LE(wait, bound_of(s, own_of(scheduler), writes))
                << scheduler << " flood " << static_cast<int>(flood);
        }
    }
}

// In one queue there are no turns, and the bound of reads alone holds.
TEST(DramLongestWait, AReadInAUnifiedQueueWaitsNoLongerThanStatedInAnyFlood) {
    for (const std::string& scheduler : shipped_schedulers()) {
        MemorySettings s = in_flood(scheduler);
        s.queues = QueueForm::unified;
        const u64 ms = resolve(s).clock_hz / 1'000;
        for (const Flood flood :
             {Flood::hits, Flood::other_application, Flood::writes, Flood::reads_and_writes})
            EXPECT_LE(wait_in(s, flood, false, ms), bound_of(s, own_of(scheduler), false))
                << scheduler << " flood " << static_cast<int>(flood);
    }
}

TEST(DramLongestWait, EverySchedulerStatesItsBoundInItsManual) {
    for (const std::string& scheduler : shipped_schedulers()) {
        const Own own = own_of(scheduler);
        const std::string first = own.first.empty() ? "" : own.first + " + ",
                          formula = first + "(" + own.ahead + " + 2) R, with writes " + first + "(" +
                                    own.ahead + " + 2) (B + 3) R";
        const std::string_view bound = schedulers().entries().at(scheduler).bound;
        EXPECT_NE(bound.find(formula), std::string_view::npos) << scheduler << ": " << bound;
    }
}

// The oldest write starts a turn of the writes when it is overdue; before it a turn of reads may have to end.
TEST(DramLongestWait, AWriteWaitsNoLongerThanStatedInAnyFloodOfReadsUnderAnyScheduler) {
    for (const std::string& scheduler : shipped_schedulers()) {
        const MemorySettings s = in_flood(scheduler);
        const u64 ms = resolve(s).clock_hz / 1'000;
        for (const Flood flood : {Flood::hits, Flood::other_application}) {
            const u64 row = resolve(s).two_row_clocks();
            EXPECT_LE(wait_in(s, flood, true, ms), kWriteAge + (kBudget + kQueue + 8) * row)
                << scheduler << " flood " << static_cast<int>(flood);
        }
    }
}

// Without a budget a drain lasts as long as write hits come, and without an age a write waits as long as reads come.
TEST(DramLongestWait, WithoutBudgetsTheOtherDirectionWaitsUntilTheFloodEnds) {
    MemorySettings s = in_flood("fcfs");
    s.write_budget = 1'000'000;
    s.write_age = 1'000'000;
    EXPECT_EQ(wait_in(s, Flood::writes, false, 100'000), 100'000u);
    EXPECT_EQ(wait_in(s, Flood::hits, true, 100'000), 100'000u);
}

}  // namespace
}  // namespace heddle::dram
