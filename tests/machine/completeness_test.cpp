// The token of completeness: a DRAM scheduler that asks for it is told, once for each load and channel, when the
// last request of the load that will ever come to the channel has come, and how many there were.

#include <gtest/gtest.h>
#include <map>

#include "dram/scheduler/queue_scheduler.h"
#include "machine/lab.h"
#include "machine/random_program.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// What the witnesses of all channels have seen.
struct Seen {
    u32 channel = 0;
    u32 members = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
};
struct Log {
    std::vector<Seen> completions;
    std::vector<u64> at;  // of the completions, in clocks of the memory
    std::vector<std::string> faults;
    u64 open = 0;  // requests of groups that are not complete
};
Log log_of_run;

/// FR-FCFS that keeps count of the groups.
class GroupWitness final : public dram::QueueScheduler {
  public:
    explicit GroupWitness(const dram::SchedulerContext& context)
        : QueueScheduler(context), channel_(context.channel) {}
    bool wants_groups() const override { return true; }

    void group_complete(dram::GroupKey group, u32 members, Cycle now) override {
        const auto it = accepted_.find({group.sm, group.load});
        const u32 have = it == accepted_.end() ? 0 : it->second;
        if (have != members)
            log_of_run.faults.push_back("a group is complete with " + std::to_string(members) +
                                        " requests, " + std::to_string(have) + " have come");
        log_of_run.open -= have;
        if (it != accepted_.end()) accepted_.erase(it);
        log_of_run.completions.push_back({channel_, members});
        log_of_run.at.push_back(now.v);
    }

  private:
    void arrived(const Request& r, Cycle) override {
        if (r.is_write() || r.load == Request::kNoLoad || r.cls != RequestClass::data) return;
        ++accepted_[{r.origin.unit, r.load}];
        ++log_of_run.open;
    }

    u32 channel_;
    std::map<std::pair<u16, u32>, u32> accepted_;
};

const bool registered =
    dram::schedulers().add<GroupWitness>("group-witness", "FR-FCFS that watches the groups (a test's)", "");

Log watched(std::vector<std::string> sets, std::vector<ScriptSource::Event> events,
            RunRecord* record = nullptr) {
    EXPECT_TRUE(registered);
    log_of_run = {};
    sets.insert(sets.end(), {"dram.scheduler=group-witness", "dram.forward_writes=false", "dram.channels=4",
                             "gpu.address_map.hash=modulo"});
    const RunRecord r = run(small_machine(sets), program(std::move(events)));
    EXPECT_EQ(counter(r, "dram.groups_completed") >= log_of_run.completions.size(), true);
    if (record != nullptr) *record = r;
    return log_of_run;
}

/// 256-byte blocks go to the channels in turn, so line l lies in channel l / 2 % 4.
std::vector<u64> lines(std::initializer_list<u64> which) {
    std::vector<u64> a;
    for (u64 line : which) a.push_back(kData + line * 128);
    return a;
}
void load_lines(WarpWriter& w, int dst, std::initializer_list<u64> which) {
    const auto a = lines(which);
    w.memory(MemOp::load, dst, {}, a, {}, (u64{1} << a.size()) - 1);
}

u64 members_of(const Log& log, u32 channel) {
    u64 n = 0;
    for (const Seen& s : log.completions)
        if (s.channel == channel) n += s.members;
    return n;
}

}  // namespace

TEST(Completeness, ALoadThatMissesEverywhereIsCompleteOnceInEachOfItsChannels) {
    const Log log = watched({}, {kernel({}, [](WarpWriter& w) { load_lines(w, 1, {0, 1, 2, 8, 9, 6}); })});
    EXPECT_EQ(log.faults, std::vector<std::string>{});
    ASSERT_EQ(log.completions.size(), 3u);  // lines 0, 1, 8, 9 in channel 0; 2 in 1; 6 in 3
    for (const Seen& s : log.completions) EXPECT_EQ(s.members, s.channel == 0 ? 4u : 1u) << s.channel;
    EXPECT_EQ(members_of(log, 2), 0u);
    EXPECT_EQ(log.open, 0u);
}

TEST(Completeness, AChannelNeedNotWaitForLinesOfOthers) {
    // Lines 2, 0 and 1 one after the other through a single MSHR: channel 1 knows at once, channel 0 after two latencies.
    const Log log = watched({"l1.mshrs=1"}, {kernel({}, [](WarpWriter& w) { load_lines(w, 1, {2, 0, 1}); })});
    EXPECT_EQ(log.faults, std::vector<std::string>{});
    ASSERT_EQ(log.completions, (std::vector<Seen>{{1, 1}, {0, 2}}));
    EXPECT_GT(log.at[1], 2 * log.at[0]);
}

TEST(Completeness, WhatHitsInL1OrL2IsNoMember) {
    // Lines 0 and 2 come from L2, where a copy put them; line 8 is in L1 from the load before.
    const Log log = watched(
        {}, {CopyEvent{CopyKind::host_to_device, kData, 0, 128, 0},
             CopyEvent{CopyKind::host_to_device, kData + 256, 0, 128, 0}, kernel({}, [](WarpWriter& w) {
                 load_lines(w, 1, {8});
                 w.use(1);
                 load_lines(w, 2, {0, 1, 2, 8, 9});
                 w.use(2);
                 load_lines(w, 3, {0, 2, 8});  // all hit in L1
             })});
    EXPECT_EQ(log.faults, std::vector<std::string>{});
    // Line 8 alone; lines 1 and 9. Channel 1 got line 2 only, which hit in L2: no request, no completion.
    EXPECT_EQ(log.completions, (std::vector<Seen>{{0, 1}, {0, 2}}));
}

TEST(Completeness, WhatMergesIsTheFirstLoadsMember) {
    // Two warps of two SMs want the same lines at the same time: DRAM sees each line once, for one of the loads.
    for (const char* l1 : {"true", "false"}) {
        const Log log =
            watched({std::string("l1.enabled=") + l1}, {kernel({.ctas = 2, .threads = 64}, [](WarpWriter& w) {
                        load_lines(w, 1, {0, 1, 2, 3, 4, 5, 6, 7});
                    })});
        EXPECT_EQ(log.faults, std::vector<std::string>{});
        for (u32 c = 0; c < 4; ++c) EXPECT_EQ(members_of(log, c), 2u) << c;
        EXPECT_LE(log.completions.size(), 16u);
        EXPECT_EQ(log.open, 0u);
    }
}

TEST(Completeness, ALineOfWhichSomeSectorsAreHereIsAMemberOnce) {
    const Log log =
        watched({}, {kernel({}, [](WarpWriter& w) {
                    w.load1(1, {}, kData + 32);  // sector 1 of line 0
                    w.use(1);
                    w.load(2, {}, w.lanes(kData, 4));  // the whole line: three sectors are missing
                })});
    EXPECT_EQ(log.faults, std::vector<std::string>{});
    EXPECT_EQ(log.completions, (std::vector<Seen>{{0, 1}, {0, 1}}));
}

TEST(Completeness, AtomicsPrefetchesAndStoresAreNoLoadsAndLeaveNothingOpen) {
    const Log log = watched({}, {kernel({}, [](WarpWriter& w) {
                                w.memory(MemOp::atomic, 1, {}, lines({0, 2}), {}, 3);
                                w.memory(MemOp::reduction, WarpWriter::kNone, {}, lines({4, 6}), {}, 3);
                                w.memory(MemOp::prefetch, WarpWriter::kNone, {}, lines({8, 10}), {}, 3);
                                w.signal(0);
                                w.store({}, w.lanes(kData + 65536, 128));
                                w.use(1);
                            })});
    EXPECT_EQ(log.faults, std::vector<std::string>{});
    EXPECT_EQ(log.completions, std::vector<Seen>{});
}

TEST(Completeness, HoldsForAnyProgramOnAnyCache) {
    u64 complete = 0;
    for (u64 seed = 0; seed < 6; ++seed) {
        std::vector<std::string> sets = {"l1.size=2KiB", "l1.ways=2", "l2.size=4KiB", "l2.ways=4"};
        if ((seed & 1) != 0) sets.push_back("l2.sectored=false");
        if ((seed & 2) != 0)
            sets.insert(sets.end(), {"l2.write=back", "l2.write_allocate=true", "l1.write=back"});
        if ((seed & 4) != 0) sets.insert(sets.end(), {"l2.bypass=reads"});
        RunRecord r;
        const Log log = watched(sets, {random_program(seed)}, &r);
        EXPECT_EQ(log.faults, std::vector<std::string>{}) << seed;
        u64 members = 0;
        for (const Seen& s : log.completions) {
            EXPECT_NE(s.members, 0u);
            members += s.members;
        }
        // Of what DRAM reads for the caches, the loads' part is complete; the rest are atomics and prefetches.
        EXPECT_LE(members, counter(r, "gpu.l2.fetches"));
        complete += members;
    }
    EXPECT_GT(complete, 1000u);
}
