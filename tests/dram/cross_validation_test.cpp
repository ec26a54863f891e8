// The same streams and parameters as other DRAM simulators: their cycles are the expected values.
// R = Ramulator 2.1 built and run side by side; closed forms where they exist.

#include <gtest/gtest.h>

#include "dram/reference_sets.h"

namespace heddle::dram {
namespace {

std::vector<StreamEntry> reads(u64 n, u64 (*address)(u64)) {
    std::vector<StreamEntry> stream(n);
    for (u64 k = 0; k < n; ++k) stream[k].address = address(k);
    return stream;
}

MemorySettings hbm2_without_refresh() {
    MemorySettings s = reference_sets()[0].settings;
    s.refresh = RefreshMode::off;
    return s;
}

TEST(DramCrossValidation, ReadsTakeTheSameCyclesWithinOnePercentAndMixedTrafficNoMore) {
    constexpr u64 n = 60'000;  // of 1,000,000; the rate is the same
    for (const ReferenceSet& set : reference_sets()) {
        for (const auto& [name, peer] : set.peer) {
            const AloneResult r = run_alone(set.settings, reference_stream(name, n));
            const double ratio = static_cast<double>(r.read_cycles) / n / (static_cast<double>(peer) / 1e6);
            if (name == "random_rw70") {
                EXPECT_LE(ratio, 1.0) << set.name << " " << name;
                EXPECT_GE(ratio, 0.94) << set.name << " " << name;
            } else {
                EXPECT_NEAR(ratio, 1.0, 0.01) << set.name << " " << name;
            }
        }
    }
}

// The peer schedules from the write buffer alone while it drains.
TEST(DramCrossValidation, MixedTrafficTakesTheSameCyclesWithinTwoPercentWithThePeersDrains) {
    constexpr u64 n = 60'000;
    for (const ReferenceSet& set : reference_sets()) {
        MemorySettings s = set.settings;
        s.drain_opens_rows = false;
        const AloneResult r = run_alone(s, reference_stream("random_rw70", n));
        const double peer = static_cast<double>(set.peer.back().cycles) / 1e6;
        EXPECT_NEAR(static_cast<double>(r.read_cycles) / n / peer, 1.0, 0.02) << set.name;
    }
}

TEST(DramCrossValidation, LinearStreamsHitTheRowsThatThePageSizeGives) {
    // HBM2: 32 bursts a row, one of them opens it; R counts 96.57 %, 96.65 %; GDDR6: 64 bursts, 98.2 %.
    for (const ReferenceSet& set : reference_sets()) {
        const AloneResult r = run_alone(set.settings, reference_stream("stream_rd", 60'000));
        const double hits = static_cast<double>(r.total.count(RowOutcome::hit)) / 60'000;
        EXPECT_NEAR(hits, set.name == "gddr6" ? 0.982 : 0.966, 0.001) << set.name;
    }
}

TEST(DramCrossValidation, OneBankIsBoundByTheRowCycle) {
    // Each read opens a row of bank 0: reads are tRC apart; the last activate is followed by RCD (+1, the
    // activate's second clock), CL and BL. Peers say 959,984: one clock more to hand the data over.
    const auto stream = reads(20'000, [](u64 k) { return k % 4096 * 0x4000; });
    EXPECT_EQ(run_alone(hbm2_without_refresh(), stream).read_cycles, 19'999u * 48 + 15 + 14 + 2);
}

TEST(DramCrossValidation, SixteenBanksAreBoundByActivateToActivate) {
    const auto stream =
        reads(20'000, [](u64 k) { return k % 4 * 0x20 + k / 4 % 4 * 0x1000 + k / 16 * 0x4000; });
    EXPECT_EQ(run_alone(hbm2_without_refresh(), stream).read_cycles,
              19'999u * 4 + 15 + 14 + 2);  // peers 80,028
}

TEST(DramCrossValidation, AWideWindowBindsFourActivates) {
    const auto stream =
        reads(20'000, [](u64 k) { return k % 4 * 0x20 + k / 4 % 4 * 0x1000 + k / 16 * 0x4000; });
    MemorySettings s = hbm2_without_refresh();
    s.timing.FAW = config::Duration{30, true};
    EXPECT_EQ(run_alone(s, stream).read_cycles,
              4'999u * 30 + 3 * 4 + 15 + 14 + 2);  // peers 150,014 and 150,015
}

TEST(DramCrossValidation, OneBankGroupIsBoundByTheLongColumnGap) {
    const auto stream =
        reads(25'600, [](u64 k) { return k % 4 * 0x1000 + k / 4 % 32 * 0x80 + k / 128 * 0x4000; });
    // 128 reads of four rows, 4 clocks apart; the first bank's last read is 3 reads before the end, and its next
    // row takes RTP + (RP - 1) + (RCDRD + 1) clocks from there. R needs 103,423.
    const u64 set = 127 * 4, turn = set - 3 * 4 + 5 + 13 + 15;
    EXPECT_EQ(run_alone(hbm2_without_refresh(), stream).read_cycles, 15 + 199 * turn + set + 16);
}

TEST(DramCrossValidation, FourBankGroupsAreBoundByTheShortColumnGap) {
    const auto stream = reads(25'600, [](u64 k) { return k % 128 * 0x20 + k / 128 * 0x4000; });
    // As above with reads 2 clocks apart, but the second read waits for its activate (RRD 4). R needs 54,217.
    const u64 set = 4 + 126 * 2, turn = set - 3 * 2 + 5 + 13 + 15;
    EXPECT_EQ(run_alone(hbm2_without_refresh(), stream).read_cycles, 15 + 199 * turn + set + 16);
}

TEST(DramCrossValidation, OneOutstandingReadHasThePeersMeanLatencyWithinOneClock) {
    struct Case {
        std::size_t set;
        const char* stream;
        double clocks;  // R
    };
    for (const Case& c : {Case{0, "stream_rd", 19.05}, Case{0, "random_rd", 46.00},
                          Case{2, "stream_rd", 30.39}, Case{2, "random_rd", 77.27}}) {
        AloneOptions one;
        one.max_outstanding = 1;
        const AloneResult r =
            run_alone(reference_sets()[c.set].settings, reference_stream(c.stream, 20'000), one);
        // R works on a request in the clock after it is offered, Heddle in the same.
        const double mean = static_cast<double>(r.total.read_latency.sum()) / 20'000 + 1;
        EXPECT_NEAR(mean, c.clocks, 1.0) << reference_sets()[c.set].name << " " << c.stream;
    }
}

}  // namespace
}  // namespace heddle::dram
