// The baseline of warp-aware scheduling: which request goes next to a bank's command queue, and which bank's command
// goes next to the device. Orders follow by hand from the rules of Chatterjee et al., SC 2014.

#include <deque>
#include <gtest/gtest.h>

#include "dram/alone.h"
#include "dram/scheduler/row_streams.h"
#include "dram/write_drain.h"
#include "machines.h"
#include "scheduler_rig.h"
#include "service_order.h"

namespace heddle::dram {
namespace {

MemorySettings gmc(std::string_view parameters = "") {
    MemorySettings s = small_memory();
    s.scheduler = schedulers().choose("gmc", parameters);
    return s;
}

/// Requests by name to bank 0 of a sorter.
struct Sorter {
    RowStreams streams;
    std::deque<Request> requests;
    std::deque<std::string> names;
    u32 last_row = kNoRow, streak = 0;

    Sorter(u32 rows, u64 age, u32 max_streak) : streams(1, rows, age, max_streak) {}
    void add(const std::string& name, u32 row, u64 arrived = 0) {
        requests.emplace_back();
        requests.back().row = row;
        requests.back().arrived = Cycle(arrived);
        names.push_back(name);
        streams.add(&requests.back());
    }
    std::string take(u64 now = 0) {
        const Request* r = streams.take(0, Cycle(now), last_row, streak);
        streak = r->row == last_row ? streak + 1 : 1;
        last_row = r->row;
        for (std::size_t k = 0; k < requests.size(); ++k)
            if (&requests[k] == r) return names[k];
        return "?";
    }
    std::string all() {
        std::string text;
        while (streams.banks().any()) text += (text.empty() ? "" : " ") + take();
        return text;
    }
};

TEST(DramGmc, GoesOnWithTheRowThenTakesTheOldest) {
    ServiceOrder order(gmc());
    order.open(0, 1);
    order.add({{"r1", 0, 2}, {"r2", 0, 1}, {"r3", 0, 1}, {"r4", 0, 2}});
    order.run();
    EXPECT_EQ(order.served(), "r2 r3 r1 r4");
}

TEST(DramGmc, AStreakOfOneAlternatesBetweenRows) {
    Sorter s(8, 1'000, 1);
    s.last_row = 1;
    s.add("r1", 2), s.add("r2", 1), s.add("r3", 1), s.add("r4", 2);
    EXPECT_EQ(s.all(), "r2 r1 r3 r4");
}

TEST(DramGmc, ARowWithoutACompetitorGoesOnAfterItsStreak) {
    Sorter s(8, 1'000, 2);
    for (const char* name : {"a", "b", "c", "d", "e"}) s.add(name, 1);
    for (const char* name : {"a", "b", "c"}) EXPECT_EQ(s.take(), name);
    s.add("x", 2);
    // The streak began again with c, so d still goes before x.
    EXPECT_EQ(s.all(), "d x e");
}

TEST(DramGmc, TheOldestGoesFirstOnceItHasWaitedLongerThanTheThreshold) {
    Sorter s(8, 100, 16);
    s.last_row = 1;
    s.add("old", 2, 0), s.add("hit", 1, 50), s.add("hit2", 1, 50);
    EXPECT_EQ(s.take(100), "hit");
    EXPECT_EQ(s.take(101), "old");
}

TEST(DramGmc, ARequestWhoseRowHasNoEntryEntersWhenOneIsFree) {
    Sorter s(2, 1'000, 16);
    s.add("a", 1), s.add("b", 2), s.add("c", 3), s.add("d", 1), s.add("e", 3);
    // c and e are unsorted while rows 1 and 2 take the two entries; row 1 goes on with d although c is older.
    EXPECT_EQ(s.all(), "a d b c e");
}

TEST(DramGmc, CommandsTakeTurnsByBankGroupFirst) {
    // Row hits wait in the command queues of banks 0 and 4 (group 0) and 1 (group 1), and the device lets any of them go:
    // every second command is of group 1 while it has one, and the banks of group 0 share the rest.
    MemorySettings s = gmc();
    s.timing.CCDL = clocks(2);
    ServiceOrder order(s);
    for (const u32 bank : {0u, 1u, 4u}) order.open(bank, 1);
    for (u32 k = 0; k < 4; ++k) order.add({{"a", 0, 1}, {"x", 1, 1}, {"b", 4, 1}});
    order.run();
    EXPECT_EQ(order.served(), "a x b x a x b x a b a b");
}

TEST(DramGmc, AFullWriteQueueIsDrainedWhateverTheHighWatermark) {
    MemorySettings s = gmc();
    s.write_queue = 8;
    s.write_high = 32;
    s.write_low = 4;
    const auto drain = make_write_drain(s);
    EXPECT_FALSE(drain->update(5, 7));
    EXPECT_TRUE(drain->update(5, 8));
    EXPECT_TRUE(drain->update(5, 5));
    EXPECT_FALSE(drain->update(5, 4));
}

TEST(DramGmc, WritesWaitForADrainAndReadsWaitForItsEnd) {
    MemorySettings s = gmc();
    s.write_high = 4;
    s.write_low = 2;
    ServiceOrder order(s);
    order.add({{"r", 0, 1}});
    order.run(1);
    std::vector<ServiceOrder::Ask> asks;
    for (u32 k = 0; k < 5; ++k) asks.push_back({"w" + std::to_string(k), 1, 1, 0, true});
    order.add(asks);
    order.add({{"q", 1, 2}});
    order.run();
    // All in bank 1, whose command queue keeps the order in which they were sent.
    // Five writes are above 4: three go, two are left at the low mark; q goes, then nothing reads and the rest drains.
    EXPECT_EQ(order.served(), "r w0 w1 w2 q w3 w4");
    // q alone met a drain: r came before it, and s comes after the last write.
    order.add({{"s", 1, 3}});
    order.run();
    const PolicyCounter held = order.channel().policy_counters().at(0);
    EXPECT_STREQ(held.name, "reads_held_by_drain");
    EXPECT_EQ(held.value, 1u);
}

/// Reads of one load or more on a channel whose peers are silent; the clock of each completion counted from the first.
std::vector<u64> completions(const std::string& policy,
                             const std::vector<std::array<u32, 3>>& load_bank_row) {
    MemorySettings s = small_memory();
    s.scheduler = schedulers().choose(policy, "");
    Channel channel(s, 0);
    std::deque<Request> requests;
    for (const auto& [load, bank, row] : load_bank_row) {
        Request& r = requests.emplace_back();
        r.load = load;
        r.sectors = 1;
        r.local = PhysAddr((u64{row} * 16 + bank) * 2048);
        channel.accept(&r, Cycle(0));
    }
    std::vector<u64> at;
    for (Cycle now; channel.waiting() != 0; now = now + 1) channel.step(now);
    for (; const auto* done = channel.completion(); channel.pop_completion()) at.push_back(done->at.v);
    for (u64& t : at) t -= at.front() == t ? 0 : at.front();
    at.front() = 0;
    return at;
}

TEST(DramZeroLatencyDivergence, AfterTheFirstTheOthersOfALoadTakeTheBusOnly) {
    // Four rows of one bank: the second and later ones follow as fast as the bus allows (CCDS = 2 clocks).
    const std::vector<std::array<u32, 3>> one_load = {{1, 0, 1}, {1, 0, 2}, {1, 0, 3}, {1, 0, 4}};
    EXPECT_EQ(completions("zero-latency-divergence", one_load), (std::vector<u64>{0, 2, 4, 6}));
    // Each a load of its own: a row cycle apart, as with GMC.
    const std::vector<std::array<u32, 3>> four = {{1, 0, 1}, {2, 0, 2}, {3, 0, 3}, {4, 0, 4}};
    EXPECT_EQ(completions("zero-latency-divergence", four), completions("gmc", four));
    // The row of the second load is opened at once, since the first load's other row is never opened.
    const std::vector<u64> both =
        completions("zero-latency-divergence", {{1, 0, 1}, {1, 0, 2}, {2, 0, 3}, {2, 0, 4}});
    const std::vector<u64> gmc = completions("gmc", {{1, 0, 1}, {2, 0, 3}});
    EXPECT_EQ(both, (std::vector<u64>{0, 2, gmc[1], gmc[1] + 2}));
}

TEST(DramZeroLatencyDivergence, AnotherChannelTellsThatALoadHasBeenServed) {
    SchedulerRig rig("zero-latency-divergence", "", gtx480_wg());
    rig.scheduler().on_message({1, 0, 0, 1, 0}, rig.now());
    rig.add("a", 0, 1, 1), rig.add("b", 0, 2, 2);
    rig.step(3);
    EXPECT_EQ(rig.counter("reads_without_bank"), 1u);
    EXPECT_EQ(rig.drain(0), "b");
}

TEST(DramZeroLatencyDivergence, WritesAreDrainedWhenTheLastReadNeedsNoBank) {
    SchedulerRig rig("zero-latency-divergence", "", gtx480_wg());
    rig.scheduler().on_message({1, 0, 0, 1, 0}, rig.now());
    rig.add("a", 0, 1, 1), rig.add("w", 1, 1, SchedulerRig::kNoLoad, true);
    EXPECT_EQ(rig.drain(1), "w");
    EXPECT_EQ(rig.counter("reads_without_bank"), 1u);
}

}  // namespace
}  // namespace heddle::dram
