// Properties that must hold for every standard, page policy and refresh mode: each request returns exactly
// once, stepping every cycle changes nothing, and no command breaks a rule of the standard.

#include <gtest/gtest.h>
#include <map>

#include "dram/alone.h"
#include "dram/parts.h"
#include "dram/reference_sets.h"
#include "rule_check.h"

namespace heddle::dram {
namespace {

struct Random {
    u64 s;
    u64 operator()() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return s;
    }
};

/// A mixture of runs, hot banks and random places, bursts of arrivals and idle stretches.
std::vector<StreamEntry> mixture(u64 n, u64 span, u64 grain, u64 seed) {
    Random next{seed};
    std::vector<StreamEntry> stream;
    u64 run = 0, time = 0;
    while (stream.size() < n) {
        const u64 what = next() % 8;
        const u64 length = what < 3 ? 1 + next() % 30 : 1;
        u64 at = what == 7 ? run : next() % (span / grain) * grain;
        const bool write = next() % 10 < 3;
        if (next() % 64 == 0) time += next() % 3000;
        for (u64 k = 0; k < length && stream.size() < n; ++k, at += grain)
            stream.push_back({at % span, write, Cycle(time)});
        run = at;
    }
    return stream;
}

MemorySettings of_part(std::string_view standard) {
    MemorySettings s;
    s.standard = std::string(standard);
    for (const Part& p : parts())
        if (p.standard == standard) s.part = std::string(p.name);  // the last is the largest
    for (const SpeedBin& b : speed_bins())
        if (b.standard == standard) s.speed = std::string(b.name);
    s.line_bytes = 64;
    return s;
}

std::vector<MemorySettings> all_kinds() {
    std::vector<MemorySettings> all;
    for (const Standard& standard : standards()) {
        for (RefreshMode mode :
             {RefreshMode::off, RefreshMode::all_bank, RefreshMode::same_bank, RefreshMode::per_bank}) {
            if (mode == RefreshMode::same_bank && !standard.refreshes.has(CommandKind::refresh_same))
                continue;
            if (mode == RefreshMode::per_bank && !standard.refreshes.has(CommandKind::refresh_bank)) continue;
            MemorySettings s = of_part(standard.name);
            s.refresh = mode;
            if (standard.name.starts_with("ddr")) s.ranks = 2;
            all.push_back(s);
            s.page_policy = PagePolicyKind::closed;
            all.push_back(s);
            s.page_policy = PagePolicyKind::adaptive;
            s.page_cap = 4;
            s.page_timeout = 60;
            s.refresh_postpone = 3;
            all.push_back(s);
        }
    }
    return all;
}

std::string name_of(const MemorySettings& s) {
    return s.standard + " refresh " + std::to_string(static_cast<int>(s.refresh)) + " page " +
           std::to_string(static_cast<int>(s.page_policy));
}

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
