// An L2 slice by itself: the contract of a memory's clients in several shapes, and what it asks of the memory in cases
// worked out by hand.

#include "cache/slice.h"

#include <gtest/gtest.h>

#include "cache/slice_rig.h"

namespace heddle::test {
namespace {

struct SliceShape {
    const char* name;
    void (*change)(L2Settings&);
};

class SliceContract : public testing::TestWithParam<SliceShape> {};

TEST_P(SliceContract, Holds) {
    L2Settings settings = SliceRig::small_l2();
    GetParam().change(settings);
    EXPECT_EQ(broken([&](const Clock& clock, u32 seed) {
                  return std::make_unique<SliceRig>(clock, settings, SliceRig::random_work(seed, 3'000));
              }),
              "");
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SliceContract,
    testing::Values(SliceShape{"WriteBack", [](L2Settings&) {}},
                    SliceShape{"WriteThrough",
                               [](L2Settings& s) {
                                   s.write = WritePolicy::through;
                                   s.write_allocate = false;
                               }},
                    SliceShape{"AllocateOnMiss", [](L2Settings& s) { s.allocate = AllocatePolicy::on_miss; }},
                    SliceShape{"WholeLines", [](L2Settings& s) { s.sectored = false; }},
                    SliceShape{"FetchesOnWrite",
                               [](L2Settings& s) {
                                   s.allocate = AllocatePolicy::on_miss;
                                   s.write_miss = WriteMiss::fetch;
                                   s.sectored = false;
                               }},
                    SliceShape{"Bypassed",
                               [](L2Settings& s) { s.bypass = bypass_policies().choose("reads"); }},
                    SliceShape{"Tight",
                               [](L2Settings& s) {
                                   s.mshrs = s.mshr_merges = 1;
                                   s.banks = s.bank_queue = s.dram_queue = s.reply_queue = 1;
                               }},
                    SliceShape{"Wide",
                               [](L2Settings& s) {
                                   s.banks = 8;
                                   s.bank_ports = 2;
                                   s.mshrs = 64;
                                   s.dram_queue = 32;
                               }}),
    [](const auto& info) { return std::string(info.param.name); });

// -- worked examples. The memory takes what is due at once or a little later, and answers within a hundred cycles.

struct Ran {
    std::unique_ptr<ContractRun> run;
    const SliceRig& rig() const { return static_cast<SliceRig&>(run->rig()); }
    const SliceStats& stats() const { return rig().slice().stats(); }
    /// Line, kind and sectors of what went to the memory, in order.
    std::string sent() const {
        std::string text;
        for (const auto& t : run->memory().taken())
            text += fmt::format("{}{}:{:x} ", t.kind == RequestKind::read ? 'r' : 'w', t.line >> kLineShift,
                                t.sectors);
        return text;
    }
    u64 answered(u64 work) const {
        for (const SliceRig::Answer& a : rig().answers())
            if (a.work == work) return a.at;
        return 0;
    }
};

Ran ran(std::vector<SliceRig::Work> work, const L2Settings& settings = SliceRig::small_l2()) {
    Ran r;
    r.run = std::make_unique<ContractRun>(
        [&](const Clock& clock, u32) { return std::make_unique<SliceRig>(clock, settings, work); }, 1, 1, 1);
    r.run->run_to(50'000);
    EXPECT_EQ(r.run->wrong(), "");
    return r;
}

constexpr auto kRead = RequestKind::read, kWrite = RequestKind::write;

TEST(Slice, AHitTakesItsStationsAndNothingElse) {
    const Ran r = ran({{0, 10, 7, kRead, 1}, {1, 1'000, 7, kRead, 1}});
    EXPECT_EQ(r.sent(), "r7:1 ");
    EXPECT_EQ(r.stats().read_hits, 1u);
    const CrossbarSettings x = SliceRig::crossbar();
    // A request is one flit, an answer with one sector two.
    EXPECT_EQ(r.answered(1), 1'000 + x.latency + 5 + 20 + x.latency + 1);
}

TEST(Slice, ReadsOfOneLineShareAFetchAndOnlyMissingSectorsAreFetched) {
    const Ran r =
        ran({{0, 10, 7, kRead, 3}, {1, 10, 7, kRead, 3}, {2, 12, 7, kRead, 6}, {0, 1'000, 7, kRead, 15}});
    EXPECT_EQ(r.sent(), "r7:3 r7:4 r7:8 ");
    EXPECT_EQ(r.stats().read_merges, 1u);
    EXPECT_EQ(r.stats().read_misses, 3u);
    EXPECT_EQ(r.stats().fetched_sectors, 4u);
}

TEST(Slice, AWrittenSectorIsHereAndAPartlyWrittenOneIsFetchedWhenItIsRead) {
    const Ran r = ran({{0, 10, 7, kWrite, 7, 2}, {0, 1'000, 7, kRead, 5}, {0, 2'000, 7, kRead, 2}});
    EXPECT_EQ(r.sent(), "r7:2 ");
    EXPECT_EQ(r.stats().read_hits, 1u);
}

TEST(Slice, ALineThatIsDrivenOutGoesBackWithWhatWasWritten) {
    // 8 sets of 4 ways: lines 0, 8, 16, 24 and 32 share a set.
    std::vector<SliceRig::Work> work{{0, 10, 0, kWrite, 5}};
    for (u64 k = 1; k <= 4; ++k) work.push_back({0, k * 1'000, k * 8, kRead, 1});
    const Ran r = ran(work);
    EXPECT_EQ(r.sent(), "r8:1 r16:1 r24:1 r32:1 w0:5 ");
    EXPECT_EQ(r.stats().write_backs, 1u);
    EXPECT_EQ(r.stats().written_back_sectors, 2u);
    EXPECT_EQ(r.rig().slice().dirty_lines(), 0u);
}

TEST(Slice, WriteThroughSendsEachWriteOnAndKeepsNothingDirty) {
    L2Settings s = SliceRig::small_l2();
    s.write = WritePolicy::through;
    s.write_allocate = false;
    const Ran r = ran({{0, 10, 7, kWrite, 5}, {0, 1'000, 7, kWrite, 5}, {0, 2'000, 7, kRead, 1}}, s);
    EXPECT_EQ(r.sent(), "w7:5 w7:5 r7:1 ");
    EXPECT_EQ(r.rig().slice().dirty_lines(), 0u);
}

TEST(Slice, AWriteMissThatFetchesBringsItsSectorsAtOnceAndCountsAsAMiss) {
    for (const WriteMiss write_miss : {WriteMiss::no_fetch, WriteMiss::fetch}) {
        SCOPED_TRACE(static_cast<int>(write_miss));
        L2Settings s = SliceRig::small_l2();
        s.write_miss = write_miss;
        const bool fetch = write_miss == WriteMiss::fetch;
        // A second write, while the first one's fetch is in flight and afterwards, asks for nothing more.
        const Ran r = ran({{0, 10, 7, kWrite, 7, 2},
                           {1, 11, 7, kWrite, 2, 2},
                           {0, 1'000, 7, kWrite, 7},
                           {0, 2'000, 7, kRead, 7}},
                          s);
        EXPECT_EQ(r.sent(), fetch ? "r7:7 " : "");
        EXPECT_EQ(r.rig().slice().stats(0).misses, fetch ? 1u : 0u);
        EXPECT_EQ(r.stats().write_hits, 2u);
        EXPECT_EQ(r.stats().read_hits, 1u);
        EXPECT_EQ(r.rig().slice().dirty_lines(), 1u);
        s.sectored = false;
        const Ran whole = ran({{0, 10, 7, kWrite, 1}, {0, 1'000, 7, kRead, 8}}, s);
        EXPECT_EQ(whole.sent(), "r7:f ");
        EXPECT_EQ(whole.stats().read_hits, fetch ? 1u : 0u);
    }
}

TEST(Slice, AWriteThatFetchesWaitsForAnMshr) {
    L2Settings s = SliceRig::small_l2();
    s.write_miss = WriteMiss::fetch;
    s.mshrs = 1;
    const Ran r = ran({{0, 10, 6, kRead, 1}, {0, 12, 8, kWrite, 1}}, s);
    EXPECT_EQ(r.sent(), "r6:1 r8:1 ");
    EXPECT_GT(r.stats().stall_mshr_cycles, 0u);
    s.write_miss = WriteMiss::no_fetch;
    EXPECT_EQ(ran({{0, 10, 6, kRead, 1}, {0, 12, 8, kWrite, 1}}, s).stats().stall_mshr_cycles, 0u);
}

TEST(Slice, AnAtomicFetchesItsDataAndLeavesThemDirty) {
    const Ran r =
        ran({{0, 10, 7, RequestKind::atomic, 2, 0, 32}, {0, 1'000, 7, RequestKind::reduction, 2, 0, 32}});
    EXPECT_EQ(r.sent(), "r7:2 ");
    EXPECT_EQ(r.stats().atomics, 2u);
    EXPECT_EQ(r.stats().atomic_hits, 1u);
    EXPECT_EQ(r.rig().slice().dirty_lines(), 1u);
}

TEST(Slice, AWalkLearnsWhereItsEntryWas) {
    const u32 walker = SliceRig::kWalker;
    const Ran r = ran({{walker, 10, 7, kRead, 1}, {walker, 11, 7, kRead, 1}, {walker, 1'000, 7, kRead, 1}});
    EXPECT_EQ(r.sent(), "r7:1 ");
    ASSERT_EQ(r.rig().answers().size(), 3u);
    std::map<u64, WalkSource> sources;
    for (const SliceRig::Answer& a : r.rig().answers()) sources[a.work] = a.source;
    EXPECT_EQ(sources[0], WalkSource::dram);
    EXPECT_EQ(sources[1], WalkSource::l2_merge);
    EXPECT_EQ(sources[2], WalkSource::l2_hit);
    EXPECT_EQ(r.rig().slice().walk_stats(2).reads, 3u);
    EXPECT_EQ(r.stats().reads, 0u);
}

TEST(Slice, ABypassedReadIsFetchedEachTime) {
    L2Settings s = SliceRig::small_l2();
    s.bypass = bypass_policies().choose("reads");
    const Ran r = ran({{0, 10, 7, kRead, 3}, {0, 1'000, 7, kRead, 3}}, s);
    EXPECT_EQ(r.sent(), "r7:3 r7:3 ");
    EXPECT_EQ(r.stats().bypassed, 2u);
    EXPECT_EQ(r.stats().reads, 0u);
}

}  // namespace
}  // namespace heddle::test
