// What may be relied on of an SM alone, whatever memory stands behind it and however long that does nothing: each
// instruction issues once, each request is answered once and used once, a warp's writes reach memory in their order, all
// ends, also after a halt, and the warps' cycles are all accounted for.

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/sm_rig.h"

namespace heddle {
namespace {

using test::SmRig;
using test::StubMemory;

/// Machines that block in different places.
const std::vector<std::vector<std::string>> kMachines = {
    {},
    {"sm.warps=5", "sm.ctas=2", "sm.threads=192", "sm.schedulers=1", "sm.warp_scheduler=lrr"},
    {"sm.lsu.queue=1", "sm.lsu.lines_per_cycle=4", "sm.schedulers=4"},
    {"l1.mshrs=1", "l1.mshr_merges=1", "crossbar.credits=1", "crossbar.output_queue=1"},
    {"l1.enabled=false", "sm.warps=64", "sm.threads=4096", "sm.warp_scheduler=two_level"},
    {"l1.write=back", "l1.write_allocate=true", "l1.allocate=on_miss", "l1.size=1KiB", "l1.ways=2"},
};

void expect_whole(SmRig& rig, u64 ctas) {
    EXPECT_TRUE(rig.sm().quiet()) << rig.sm().describe(rig.now);
    EXPECT_EQ(rig.kernel.ctas_done, ctas);
    EXPECT_EQ(rig.stats().warp_instructions, rig.expected_instructions());
    rig.expect_conserved();
}

TEST(Sm, RandomProgramsEndWithEverythingAnsweredOnceAndWritesInOrder) {
    for (u64 seed = 0; seed < 24; ++seed) {
        const auto& sets = kMachines[seed % kMachines.size()];
        SCOPED_TRACE("seed " + std::to_string(seed));
        SmRig rig(sets, test::random_program(seed, {.ctas = 10, .steps = 20}), {.seed = seed});
        rig.run_to();
        expect_whole(rig, 10);
        if (rig.settings().l1.write == WritePolicy::through) {
            EXPECT_TRUE(rig.writes() == rig.expected_writes());
        }
    }
}

TEST(Sm, SteppingItWhenItDidNotAskChangesNothing) {
    for (u64 seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto program = test::random_program(seed, {.ctas = 5, .steps = 20});
        SmRig asked(kMachines[seed], program, {.seed = seed});
        SmRig always(kMachines[seed], program, {.seed = seed});
        always.step_always = true;
        asked.run_to();
        always.run_to();
        EXPECT_EQ(asked.stats().warp_cycles, always.stats().warp_cycles);
        EXPECT_EQ(asked.stats().cta_cycles, always.stats().cta_cycles);
        EXPECT_EQ(asked.load_stats().latency.sum(), always.load_stats().latency.sum());
    }
}

TEST(Sm, AMemoryThatTakesNothingHoldsItBackAndLosesNothing) {
    for (u64 seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto& sets = kMachines[seed % kMachines.size()];
        const auto program = test::random_program(seed, {.ctas = 10, .steps = 20});
        constexpr Cycle kDeafUntil{20'000};
        SmRig rig(sets, program,
                  {.seed = seed, .deaf_from = Cycle(seed / 6 * 100), .deaf_until = kDeafUntil});
        rig.run_to(kDeafUntil - 1);
        // Whatever it wants to send, no more can be under way than has a place.
        const auto& s = rig.settings();
        EXPECT_LE(rig.pool().live(),
                  SmRig::kChannels * s.crossbar.credits + 2 * s.crossbar.output_queue + s.l1.miss_latency.v);
        EXPECT_GT(rig.sm().resident_ctas(), 0u);
        EXPECT_FALSE(rig.sm().describe(rig.now).empty());
        rig.run_to();
        expect_whole(rig, 10);
        if (s.l1.write == WritePolicy::through) {
            EXPECT_TRUE(rig.writes() == rig.expected_writes());
        }
    }
}

TEST(Sm, AStreamOfMissesWaitsForThePortAsLongAsMemoryTakesNothing) {
    // More lines than have a place; the unit stands still from the first one that has none until credits return.
    const auto program = test::kernel({.threads = 32}, [](test::WarpWriter& w) {
        for (u64 k = 0; k < 4; ++k) w.load(1, {}, w.lanes(test::kData + k * 4096, 128));
        w.use(1);
    });
    const std::vector<std::string> sets = {"l1.mshrs=1024", "crossbar.credits=2", "crossbar.output_queue=3"};
    SmRig quick(sets, program, {.shortest = 100, .spread = 1});
    SmRig late(sets, program,
               {.shortest = 100, .spread = 1, .deaf_from = Cycle(0), .deaf_until = Cycle(5000)});
    quick.run_to();
    late.run_to();
    EXPECT_EQ(late.stats().l1_read_misses, 128u);
    EXPECT_GT(late.stats().stall_port_cycles, 4900u);
    EXPECT_LT(late.stats().stall_port_cycles, 5000 + quick.stats().cta_cycles);
    EXPECT_GT(late.stats().cta_cycles, 5000u);
    EXPECT_LE(late.stats().cta_cycles, 5000 + quick.stats().cta_cycles);
}

TEST(Sm, DrainsAfterAHaltInAnyCycle) {
    for (u64 at = 1; at < 2500; at += at < 100 ? 7 : 97) {
        SCOPED_TRACE("halted in cycle " + std::to_string(at));
        SmRig rig(kMachines[at % kMachines.size()], test::random_program(at % 5, {.ctas = 10, .steps = 20}),
                  {.seed = at});
        rig.run_to(Cycle(at));
        rig.halt();
        const u64 issued = rig.stats().warp_instructions;
        rig.run_to();
        EXPECT_EQ(rig.stats().warp_instructions, issued);
        rig.expect_conserved();
    }
}

/// A kernel of CTAs of one warp: each CTA's time is its warp's.
std::shared_ptr<const test::ScriptKernel> single_warps(u64 seed) {
    for (;; seed += 1000) {
        auto program = test::random_program(seed, {.ctas = 10, .steps = 20});
        if (program->info.warps_per_cta() == 1) return program;
    }
}

TEST(Sm, CutOffInAnyCycleEveryCycleOfAResidentWarpHasOneState) {
    for (u64 at = 1; at < 4000; at += at < 100 ? 5 : 83) {
        SCOPED_TRACE("cut off after cycle " + std::to_string(at));
        // A barrier's latency is accounted for when it lets the warps go; here it is over in the next cycle.
        std::vector<std::string> sets = kMachines[at % kMachines.size()];
        sets.push_back("sm.ops.other.latency=1");
        SmRig rig(sets, single_warps(at % 7), {.seed = at});
        rig.run_to(Cycle(at));
        const Cycle end(at + 1);
        rig.sm().settle(end);
        u64 sum = 0;
        for (u64 cycles : rig.stats().warp_cycles) sum += cycles;
        EXPECT_EQ(sum, rig.residency(end));
        // Once settled, nothing is left to account for.
        rig.sm().settle(end);
        u64 again = 0;
        for (u64 cycles : rig.stats().warp_cycles) again += cycles;
        EXPECT_EQ(again, sum);
    }
}

TEST(Sm, ADoneRunHasAccountedForEveryCycle) {
    for (u64 seed = 0; seed < 6; ++seed) {
        SmRig rig(kMachines[seed], single_warps(seed), {.seed = seed});
        rig.run_to();
        u64 sum = 0;
        for (u64 cycles : rig.stats().warp_cycles) sum += cycles;
        EXPECT_EQ(sum, rig.stats().cta_cycles);
        EXPECT_EQ(sum, rig.residency(rig.now));
    }
}

/// Counts the warps that a slot has had.
class Slots final : public WarpSlotObserver {
  public:
    void new_warps(u16 sm, u64 slots, u8 app, Cycle) override {
        EXPECT_EQ(sm, 0);
        EXPECT_EQ(app, 0);
        for (; slots != 0; slots &= slots - 1) ++warps_[static_cast<u32>(std::countr_zero(slots))];
    }
    u64 sum() const { return std::accumulate(warps_.begin(), warps_.end(), u64{0}); }
    u64 used() const {
        return static_cast<u64>(std::count_if(warps_.begin(), warps_.end(), std::identity()));
    }

  private:
    std::array<u64, 64> warps_{};
};

TEST(Sm, TellsOfEachWarpThatGetsASlot) {
    SmRig rig({"sm.warps=64", "sm.threads=4096", "sm.ctas=64"},
              test::kernel({.ctas = 100, .threads = 64}, [](test::WarpWriter& w) {
                  w.load(1, {}, w.lanes(test::kData + w.cta * 4096, 4));
                  w.use(1);
              }));
    Slots slots;
    rig.sm().observe(slots);
    rig.run_to();
    EXPECT_EQ(rig.stats().warps, 200u);
    EXPECT_EQ(slots.sum(), 200u);
    EXPECT_EQ(slots.used(), 64u);  // slot 63 too
}

}  // namespace
}  // namespace heddle
