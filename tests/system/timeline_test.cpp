// Counters sampled over time.

#include "system/lab.h"
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

}  // namespace
}  // namespace heddle::test
