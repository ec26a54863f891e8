// Counters sampled over time.

#include "machine/lab.h"
#include "trace/open.h"

namespace heddle::test {
namespace {

RunRecord run_with(u64 cycles) {
    RunOptions options;
    options.timeline_cycles = cycles;
    return run(small_machine(), open_source("pattern:gather,ctas=2,threads=64,footprint=1MiB"), options);
}

TEST(Timeline, EndsAtTheTotalsAndChangesNothing) {
    const RunRecord plain = run_with(0), sampled = run_with(100);
    EXPECT_FALSE(plain.timeline.has_value());
    EXPECT_EQ(text_of(plain), text_of(sampled));
    ASSERT_TRUE(sampled.timeline.has_value());
    const TimelineRecord& t = *sampled.timeline;
    ASSERT_GT(t.cycles.size(), 3u);
    for (std::size_t k = 1; k < t.cycles.size(); ++k) EXPECT_LT(t.cycles[k - 1], t.cycles[k]);
    EXPECT_GE(t.cycles.front(), 100u);
    const std::pair<const char*, u64> totals[] = {
        {"thread_instructions", plain.apps[0].thread_instructions},
        {"l2_read_sectors", counter(plain, "gpu.l2.read_sectors")},
        {"read_bytes", plain.memories[0].read_bytes},
        {"row_hits", plain.memories[0].row_hits},
    };
    for (const auto& [name, total] : totals) {
        bool found = false;
        for (const auto& s : t.series) {
            ASSERT_EQ(s.values.size(), t.cycles.size());
            for (std::size_t k = 1; k < s.values.size(); ++k) EXPECT_LE(s.values[k - 1], s.values[k]);
            if (s.name != name) continue;
            found = true;
            EXPECT_EQ(s.values.back(), total) << name;
        }
        EXPECT_TRUE(found) << name;
    }
}

TEST(Timeline, OfSeveralApplicationsHasWhatASchedulerMayGoBy) {
    RunOptions options;
    options.timeline_cycles = 256;
    Simulation simulation(small_machine({"memories.dram.scheduler=weis", "memories.dram.weis.window=256"}));
    for (u32 k = 0; k < 2; ++k)
        simulation.add(open_source("pattern:gather,ctas=2,threads=64,footprint=1MiB"), {},
                       {.first_sm = k, .sms = 1, .part = k, .parts = 2});
    const RunRecord r = simulation.run(options);
    ASSERT_TRUE(r.timeline.has_value());
    auto last = [&](const std::string& name) {
        for (const auto& s : r.timeline->series)
            if (s.name == name) return s.values.back();
        ADD_FAILURE() << "no series " << name;
        return u64{0};
    };
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string n = "." + std::to_string(k + 1);
        auto total = [&](std::string_view name) { return counter(r.apps[k], name); };
        EXPECT_EQ(last("thread_instructions" + n), r.apps[k].thread_instructions);
        EXPECT_EQ(last("l2_misses" + n), total("l2.misses"));
        EXPECT_EQ(last("dram_bytes" + n), total("dram.read_bytes") + total("dram.write_bytes"));
        EXPECT_EQ(last("activates" + n), total("dram.activates"));
        EXPECT_EQ(last("scheduler.first_windows" + n), total("dram.scheduler.first_windows"));
    }
    EXPECT_EQ(last("rank_changes"), counter(r, "dram.scheduler.rank_changes"));
}

TEST(Timeline, EndsWithTheLastApplicationWhereOthersRunOnBesideIt) {
    RunOptions options;
    options.timeline_cycles = 256;
    Simulation simulation(small_machine());
    for (u32 k = 0; k < 2; ++k) {
        const std::string program = k == 0 ? "pattern:gather,ctas=2,threads=64,footprint=1MiB"
                                           : "pattern:gather,ctas=8,threads=64,footprint=1MiB";
        simulation.add(open_source(program), [=] { return open_source(program); },
                       {.first_sm = k, .sms = 1, .part = k, .parts = 2});
    }
    const RunRecord r = simulation.run(options);
    ASSERT_TRUE(r.timeline.has_value());
    ASSERT_GT(r.apps[0].launches, 1u);
    EXPECT_GT(simulation.gpu().now().v, r.cycles);  // what was in flight has arrived
    EXPECT_EQ(r.timeline->cycles.back(), r.cycles);
    const std::pair<const char*, u64> totals[] = {
        {"thread_instructions", counter(r, "gpu.sm.thread_instructions")},
        {"l2_read_sectors", counter(r, "gpu.l2.read_sectors")},
        {"read_bytes", r.memories[0].read_bytes},
    };
    for (const auto& [name, total] : totals)
        for (const auto& s : r.timeline->series)
            if (s.name == name) {
                EXPECT_EQ(s.values.back(), total) << name;
            }
}

}  // namespace
}  // namespace heddle::test
