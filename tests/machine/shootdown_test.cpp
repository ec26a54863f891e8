// What a change of page tables makes TLBs forget, whose turn it is at an L2 bank, and independent references: TLB counts
// over random pages, and a least time for every answer.

#include <algorithm>
#include <gtest/gtest.h>
#include <list>
#include <random>
#include <set>

#include "machine/knob_programs.h"

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::programs;

namespace {

constexpr u64 kSmallPage = 4096;

/// Fully associative sets with the least recently used page leaving, written for this test.
class LruModel {
  public:
    LruModel(u32 entries, u32 ways) : ways_(ways), sets_(entries / ways) {}
    /// True if it was there; it is there afterwards, as the most recent.
    bool access(u32 app, u64 page) {
        auto& set = sets_[page % sets_.size()];
        const auto key = std::pair(app, page);
        const auto at = std::find(set.begin(), set.end(), key);
        const bool hit = at != set.end();
        if (hit) set.erase(at);
        set.push_front(key);
        if (set.size() > ways_) set.pop_back();
        return hit;
    }

  private:
    std::size_t ways_;
    std::vector<std::list<std::pair<u32, u64>>> sets_;
};

struct TlbCounts {
    u64 l1_hits = 0, l2_hits = 0, walks = 0;
    friend bool operator==(const TlbCounts&, const TlbCounts&) = default;
    friend std::ostream& operator<<(std::ostream& out, const TlbCounts& c) {
        return out << c.l1_hits << " L1 hits, " << c.l2_hits << " L2 hits, " << c.walks << " walks";
    }
};

/// Pages that one application asks for in each of its turns.
using Turns = std::vector<std::vector<u64>>;

/// The loads of a turn depend on each other; a chain of additions separates turns.
Events turns_of(const Turns& turns, u32 first_wait, u32 wait) {
    return {kernel({}, [=](WarpWriter& w) {
        for (u32 k = 0; k < first_wait; ++k) w.alu(OpClass::int_add, 2, {2});
        w.alu(OpClass::int_add, 1, {2});
        for (const auto& turn : turns) {
            for (const u64 page : turn) w.load1(1, {1}, kData + page * kSmallPage, true);
            for (u32 k = 0; k < wait; ++k) w.alu(OpClass::int_add, 1, {1});
        }
    })};
}

}  // namespace

TEST(TlbReference, SeveralApplicationsOverRandomPagesCountAsAnIndependentModel) {
    // The applications take turns that the others' do not touch, so that the order of all lookups is known.
    std::mt19937 random(18);
    constexpr u32 kApps = 3, kRounds = 6, kAccesses = 8, kSlot = 1200;
    for (u32 round = 0; round < 6; ++round) {
        const u32 l1_entries = 1u << random() % 4, l2_ways = 1u << random() % 3;
        const u32 l2_entries = l2_ways << random() % 4;
        const u32 pages = static_cast<u32>(4 + random() % 12);
        std::vector<Turns> turns(kApps, Turns(kRounds));
        for (u32 r = 0; r < kRounds; ++r)
            for (u32 a = 0; a < kApps; ++a)
                for (u32 k = 0; k < kAccesses; ++k) turns[a][r].push_back(random() % pages);

        std::vector<TlbCounts> expected(kApps);
        LruModel l2(l2_entries, l2_ways);
        std::vector<LruModel> l1(kApps, LruModel(l1_entries, l1_entries));
        for (u32 r = 0; r < kRounds; ++r)
            for (u32 a = 0; a < kApps; ++a)
                for (const u64 page : turns[a][r]) {
                    // kData is a multiple of every number of sets, so pages may be counted from there.
                    if (l1[a].access(a, page))
                        ++expected[a].l1_hits;
                    else if (l2.access(a, page))
                        ++expected[a].l2_hits;
                    else
                        ++expected[a].walks;
                }

        Simulation simulation(small_machine(
            {"translation.design=shared-tlb", "gpu.sms=3", "l1_tlb.entries=" + std::to_string(l1_entries),
             "l2_tlb.entries=" + std::to_string(l2_entries), "l2_tlb.ways=" + std::to_string(l2_ways)}));
        for (u32 a = 0; a < kApps; ++a) {
            auto make = [&turns, a] { return program(turns_of(turns[a], a * kSlot, kApps * kSlot)); };
            simulation.add(make(), make, {.first_sm = a, .sms = 1, .part = a, .parts = kApps});
        }
        const RunRecord r = simulation.run({});
        for (u32 a = 0; a < kApps; ++a) {
            const TlbCounts got{counter(r.apps[a], "translation.l1_tlb.hits"),
                                counter(r.apps[a], "translation.l2_tlb.hits"),
                                counter(r.apps[a], "translation.walks.count")};
            EXPECT_EQ(got, expected[a]) << "round " << round << ", application " << a;
        }
    }
}

TEST(TlbReference, NoAnswerComesBeforeTheLatenciesOfItsOwnStations) {
    // L1 TLBs of one entry and never the same page twice in a row: every load looks into both TLBs itself, whether it
    // walks, joins a walk at any time, or hits. The slowest of those that begin together bounds all: the sum of n load
    // latencies is at least n times one load's stations.
    std::mt19937 random(8);
    u64 merges = 0, hits = 0, waits = 0;
    for (u32 round = 0; round < 12; ++round) {
        const u64 l1 = 1 + random() % 40, l2 = 1 + random() % 700, pages = 2 + random() % 6;
        const u32 loads = 12, seed = static_cast<u32>(random());
        const RunRecord r =
            run(small_machine({"translation.design=shared-tlb", "gpu.sms=6", "l1_tlb.entries=1",
                               "l1_tlb.latency=" + std::to_string(l1), "l2_tlb.latency=" + std::to_string(l2),
                               "l2_tlb.entries=4", "l2_tlb.ways=0", "l2_tlb.ports=1",
                               "walker.mshrs=" + std::to_string(1 + random() % 4),
                               "walker.walks=" + std::to_string(1 + random() % 3)}),
                program({kernel({.ctas = 6}, [=](WarpWriter& w) {
                    std::mt19937 own(seed + w.cta);
                    u64 page = own() % pages;
                    for (u32 k = 0; k < loads; ++k) {
                        for (u64 n = own() % 200; n != 0; --n) w.alu(OpClass::int_add, 1, {1});
                        page = (page + 1 + own() % (pages - 1)) % pages;
                        w.load1(1, {1}, kData + page * kSmallPage + k * 128, true);
                    }
                    w.use(1);
                })}));
        ASSERT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), 6 * loads);
        // A distribution's percentiles are upper edges of buckets: half of all loads take at least so long.
        EXPECT_GE(r.load_latency_cycles->p50, l1 + l2);
        EXPECT_GE(counter(r, "gpu.translation.l1_tlb.wait_cycles"), 6 * loads * (l1 + l2));
        merges += counter(r, "gpu.translation.walks.merges");
        hits += counter(r, "gpu.translation.l2_tlb.hits");
        waits += counter(r, "gpu.translation.walks.stall_mshr_cycles");
    }
    EXPECT_GT(merges, 20u);
    EXPECT_GT(hits, 20u);
    EXPECT_GT(waits, 0u);
}

namespace {

/// Two applications of `pages` pages each, looked at again and again; between two looks, page 0 of the first changes.
struct Shootdown {
    u64 walks[2];
    u64 shootdowns, taken_back;
};
Shootdown changed_between(const std::string& policy, EntryChange kind, bool change) {
    constexpr u32 kPages = 8;
    std::vector<std::string> sets = {"translation.design=shared-tlb"};
    if (!policy.empty()) sets.push_back("translation.shootdown=" + policy);
    Simulation simulation(small_machine(sets));
    auto make = [] { return program(chase(kSmallPage, kPages, 2000, true)); };
    for (u32 a = 0; a < 2; ++a)
        simulation.add(make(), make, {.first_sm = a, .sms = 1, .part = a, .parts = 2});
    u32 looks = 0;
    RunOptions options;
    options.progress = [&](const RunProgress&) {
        if (++looks != 3 || !change) return;
        Translation& t = *simulation.gpu().translation();
        const Cycle now = simulation.gpu().now();
        const u64 page = kData / kSmallPage;
        if (kind == EntryChange::removed)
            t.unmapped(0, VirtAddr(kData), kSmallPage, t.processes().unmap(0, VirtAddr(kData), kSmallPage),
                       now);
        else
            t.changed({kind, 0, page, page + 1}, now);
    };
    const RunRecord r = simulation.run(options);
    EXPECT_GT(looks, 4u);
    return {{counter(r.apps[0], "translation.walks.count"), counter(r.apps[1], "translation.walks.count")},
            counter(r, "gpu.translation.shootdowns"),
            counter(r, "gpu.translation.pages_taken_back")};
}

}  // namespace

TEST(TlbShootdown, AChangeOfAValidEntryForgetsWhatThePolicySays) {
    for (const EntryChange kind : {EntryChange::removed, EntryChange::remapped, EntryChange::protection})
        for (const auto& [policy, first, second] :
             {std::tuple{"", 16u, 16u},  // full, as the MASK thesis, section 6
              {"full", 16u, 16u},
              {"address-space", 16u, 8u},
              {"page", 9u, 8u}}) {
            const Shootdown s = changed_between(policy, kind, true);
            EXPECT_EQ(s.walks[0], first) << policy;
            EXPECT_EQ(s.walks[1], second) << policy;
            EXPECT_EQ(s.shootdowns, 1u);
            EXPECT_EQ(s.taken_back, u64{kind == EntryChange::removed});
        }
    // Sixteen invalid entries are filled, which flushes nothing.
    const Shootdown untouched = changed_between("", EntryChange::removed, false);
    EXPECT_EQ(untouched.walks[0] + untouched.walks[1], 16u);
    EXPECT_EQ(untouched.shootdowns, 0u);
}

TEST(TlbShootdown, AFreeOfWhatWasNeverUsedFlushesNothing) {
    for (const char* policy : {"full", "address-space", "page"}) {
        auto touch = [] {
            return kernel({}, [](WarpWriter& w) {
                for (u64 k = 0; k < 4; ++k) w.load1(1, {1}, kData + k * kSmallPage, true);
                w.use(1);
            });
        };
        const u64 unused = kData + 64 * kSmallPage;
        const RunRecord r = run(
            small_machine({"translation.design=shared-tlb", "translation.shootdown=" + std::string(policy)}),
            program({AllocEvent{unused, 8 * kSmallPage}, touch(), FreeEvent{unused}, touch()}));
        EXPECT_EQ(counter(r, "gpu.translation.shootdowns"), 0u);
        EXPECT_EQ(counter(r, "gpu.translation.walks.count"), 4u);
    }
}

TEST(WalksAtL2, WaitTheirTurnBehindDataUnlessTheyGoFirst) {
    // A stream keeps the only bank busy, each access for 40 cycles; beside it one SM walks, and its four reads a walk find
    // a full queue of eight. In their turn they wait for what came before them, first only for the access in service.
    constexpr u64 kHeld = 40, kPages = 24;
    auto cycles_a_read = [&](bool first) {
        std::vector<std::string> sets = {"translation.design=shared-tlb",
                                         "l2.bank_queue=8",
                                         "l2.bank_occupancy=40",
                                         "l1.enabled=false",
                                         "l2_tlb.entries=64",
                                         "l2_tlb.ways=0"};
        if (first) sets.emplace_back("walker.first_at_l2=true");
        const RunRecord r =
            run(small_machine(sets),
                program({copy_in(64 * 1024), kernel({.ctas = 2, .threads = 256}, [&](WarpWriter& w) {
                             if (w.cta == 1) {
                                 if (w.warp != 0) return;
                                 for (u64 k = 0; k < kPages; ++k)
                                     w.load1(1, {1}, kData + (16 + k) * kSmallPage, true);
                                 w.use(1);
                             } else {
                                 for (u32 k = 0; k < 40; ++k)
                                     w.load(static_cast<int>(k % 8), {}, line_of(w, (k * 8 + w.warp) % 256));
                             }
                         })}));
        u64 reads = 0, spent = 0;
        for (const char* level : {"1", "2", "3", "4"}) {
            const std::string of = "gpu.translation.walks.level_" + std::string(level);
            reads += counter(r, of + ".reads");
            spent += counter(r, of + ".cycles");
        }
        return spent / reads;
    };
    const u64 in_turn = cycles_a_read(false), first = cycles_a_read(true);
    EXPECT_LT(first, 3 * kHeld);
    // The queue is not full all the time.
    EXPECT_GT(in_turn, first + 3 * kHeld);
}
