// Properties that must hold for every standard, page policy and refresh mode: each request returns exactly
// once, stepping every cycle changes nothing, and no command breaks a rule of the standard.

#include <gtest/gtest.h>
#include <map>

#include "all_kinds.h"
#include "dram/alone.h"
#include "dram/reference_sets.h"
#include "every_policy.h"
#include "rule_check.h"

namespace heddle::dram {
namespace {

TEST(DramProperty, NoCommandBreaksARuleInAnyStandardRefreshModeOrPagePolicy) {
    for (const MemorySettings& s : all_kinds()) {
        RuleCheck check(s);
        AloneOptions options;
        options.observer = &check;
        const u64 n = 2000;
        const AloneResult r = run_alone(s, mixture(n, 1 << 22, 64, 0x1234567), options);
        EXPECT_EQ(check.first(), "") << name_of(s) << ", " << check.faults().size() << " faults";
        EXPECT_EQ(r.total.reads + r.total.writes + r.total.forwarded_reads, n) << name_of(s);
    }
}

// The long form, a million requests each: bench/dram_property_bench.
TEST(DramProperty, UnderEveryStandardSchedulerAndPagePolicyEachRequestIsDoneOnceAndNoCommandBreaksARule) {
    const auto stream = mixture(1'000, 1 << 24, 64, 0x1234567);
    const auto cases = every_policy();
    EXPECT_GE(cases.size(), standards().size() * 14 * 3);
    for (const PolicyCase& c : cases) EXPECT_EQ(outcome_of(c, stream).wrong, "") << c.name();
}

TEST(DramProperty, SteppingEveryCycleGivesTheSameCommandsAsSteppingWhenTold) {
    for (const MemorySettings& s : all_kinds()) {
        RuleCheck told(s), every(s);
        const auto stream = mixture(700, 1 << 22, 64, 0xabcdef);
        AloneOptions options;
        options.observer = &told;
        const AloneResult a = run_alone(s, stream, options);
        options.observer = &every;
        options.step_every_cycle = true;
        const AloneResult b = run_alone(s, stream, options);
        EXPECT_EQ(a.cycles, b.cycles) << name_of(s);
        ASSERT_EQ(told.trace().size(), every.trace().size()) << name_of(s);
        for (std::size_t k = 0; k < told.trace().size(); ++k) {
            ASSERT_EQ(told.trace()[k].at, every.trace()[k].at) << name_of(s) << " command " << k;
            ASSERT_EQ(told.trace()[k].kind, every.trace()[k].kind) << name_of(s) << " command " << k;
            ASSERT_EQ(told.trace()[k].row, every.trace()[k].row) << name_of(s) << " command " << k;
        }
        EXPECT_EQ(a.total.read_latency.sum(), b.total.read_latency.sum());
        EXPECT_EQ(a.total.occupancy_cycles, b.total.occupancy_cycles);
    }
}

TEST(DramProperty, EachOfManyRandomRequestsReturnsExactlyOnceAndTheBusIsAccountedFor) {
    for (const ReferenceSet& set : reference_sets()) {
        const auto stream = reference_stream("random_rw70", 100'000);
        const AloneResult r = run_alone(set.settings, stream);
        EXPECT_EQ(r.total.reads + r.total.writes + r.total.forwarded_reads, stream.size());
        EXPECT_EQ(r.total.count(RowOutcome::hit) + r.total.count(RowOutcome::miss) +
                      r.total.count(RowOutcome::conflict),
                  r.total.reads + r.total.writes);
        u64 cycles = 0;
        for (u64 c : r.total.bus_cycles) cycles += c;
        EXPECT_EQ(cycles, r.cycles * resolve(set.settings).geometry.pseudo_channels);
        EXPECT_EQ(r.total.read_latency.count(), r.total.reads);
    }
}

}  // namespace
}  // namespace heddle::dram
