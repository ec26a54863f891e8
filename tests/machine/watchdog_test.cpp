// A run that can't go on says who waits for whom; every cycle of a resident warp is accounted for; the same input
// gives the same result.

#include <chrono>
#include <gtest/gtest.h>

#include "machine/lab.h"
#include "trace/pattern.h"

using namespace heddle;
using namespace heddle::test;

namespace {

u64 sum_of_states(const RunRecord& r) {
    u64 sum = 0;
    for (const StallRecord& s : r.stalls) sum += s.warp_cycles;
    return sum;
}

PatternSettings mixed(PatternKind kind) {
    PatternSettings p;
    p.kind = kind;
    p.footprint = 1 << 20;
    p.ctas = 24;
    p.threads = 32;
    p.accesses = 6;
    p.read_percent = 70;
    p.compute = 2;
    p.divergence = 8;
    return p;
}
constexpr PatternKind kKinds[] = {PatternKind::stream, PatternKind::strided, PatternKind::random,
                                  PatternKind::chase,  PatternKind::gather,  PatternKind::hotset,
                                  PatternKind::alu};

/// The InvariantError of the run, which must come within a second of real time (ten under a sanitizer's weight).
std::string deadlock(const std::vector<std::string>& sets, const KernelShape& shape,
                     const std::function<void(WarpWriter&)>& write) {
    const auto start = std::chrono::steady_clock::now();
    const std::string error = error_of<InvariantError>([&] { run(sets, shape, write); });
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    return error;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST(Watchdog, AWaitThatIsNeverSignalledIsADeadlockThatNamesTheWarpAndTheWait) {
    for (const char* refresh : {"off", "all_bank"}) {  // with refresh there is always something left to do
        const std::string error = deadlock({std::string("dram.refresh=") + refresh, "watchdog=100000"},
                                           {.ctas = 2, .name = "stuck"}, [](WarpWriter& w) {
                                               w.alu();
                                               if (w.cta == 1) w.wait(42);
                                               w.alu(OpClass::fp64);
                                           });
        EXPECT_TRUE(has(error, "kernel 1 (stuck): 1 of 2 CTAs done, 2 started")) << error;
        EXPECT_TRUE(
            has(error, "SM 1 warp 0 of kernel stuck at pc 0x10 waits for a store of another CTA (edge 42)"))
            << error;
        EXPECT_FALSE(has(error, "SM 0")) << error;
    }
}

TEST(Watchdog, ABarrierThatNeverCompletesIsADeadlockThatNamesTheWarpAndTheBarrier) {
    const std::string error = deadlock({}, {.threads = 96, .name = "short"}, [](WarpWriter& w) {
        if (w.warp != 0) w.barrier(3, 3);
        w.alu();
    });
    EXPECT_TRUE(has(error, "SM 0 warp 1 of kernel short at pc 0x10 waits for a barrier of its CTA")) << error;
    EXPECT_TRUE(has(error, "SM 0 warp 2 of kernel short")) << error;
    EXPECT_FALSE(has(error, "warp 0")) << error;
}

TEST(Watchdog, TwoCtasThatWaitForEachOtherAreADeadlock) {
    const std::string error = deadlock({}, {.ctas = 2}, [](WarpWriter& w) {
        w.wait(w.cta);
        w.alu();
        w.signal(1 - w.cta);
        w.store1(kData);
    });
    EXPECT_TRUE(has(error, "(edge 0)")) << error;
    EXPECT_TRUE(has(error, "(edge 1)")) << error;
}

TEST(Watchdog, ACtaThatWaitsForOneThatFindsNoRoomIsADeadlock) {
    // The signal is in CTA 2, which can't start before CTA 0 or 1 ends.
    const std::string error = deadlock({"sm.ctas=1"}, {.ctas = 3}, [](WarpWriter& w) {
        if (w.cta == 2) {
            w.signal(9);
            w.store1(kData);
        } else {
            w.wait(9);
            w.alu();
        }
    });
    EXPECT_TRUE(has(error, "0 of 3 CTAs done, 2 started")) << error;
}

TEST(Watchdog, AnEventThatIsNeverRecordedIsADeadlock) {
    auto k = kernel({}, [](WarpWriter& w) { w.alu(); });
    const std::string error = error_of<InvariantError>([&] {
        run(small_machine(), program({SyncEvent{SyncEvent::Kind::wait, 0, 5}, k}));
    });
    EXPECT_TRUE(has(error, "deadlock")) << error;
    EXPECT_TRUE(has(error, "event 5")) << error;
}

TEST(Watchdog, ASlowRunIsNotALivelock) {
    // One addition of 90 000 cycles after the other, the watchdog at 100 000.
    EXPECT_EQ(cycles({"watchdog=100000", "ops.int_add.latency=90000", "dram.refresh=all_bank"}, {},
                     [](WarpWriter& w) {
                         for (u32 k = 0; k < 5; ++k) w.alu(OpClass::int_add, 1, {1});
                     }),
              1u + 4 * 90000 + 1);
}

TEST(Accounting, TheStatesOfAWarpSumToItsResidency) {
    // One warp: from the cycle after the CTA's start to its end. Whatever it does.
    for (const PatternKind kind : kKinds) {
        PatternSettings p = mixed(kind);
        p.ctas = 1;
        const RunRecord r = run(small_machine(), make_pattern(p));
        EXPECT_EQ(sum_of_states(r), r.apps[0].kernels[0].cycles - 1) << pattern_name(kind);
    }
}

TEST(Accounting, TheStatesOfAllWarpsSumToTheResidencyOfTheirCtas) {
    // CTAs of one warp: the residency of a CTA, which is counted apart, is its warp's.
    for (const PatternKind kind : kKinds)
        for (const char* scheduler : {"gto", "lrr", "oldest", "two_level"}) {
            const RunRecord r =
                run(small_machine({std::string("warp_scheduler=") + scheduler, "lsu.queue=2"}),
                    make_pattern(mixed(kind)));
            EXPECT_EQ(sum_of_states(r), counter(r, "gpu.sm.cta_cycles")) << pattern_name(kind);
        }
}

TEST(Accounting, AWarpIsResidentFromItsCtasStartToItsOwnEnd) {
    // Warp w issues w+1 dependent additions: its end is w*4 cycles after its start.
    const RunRecord r = run({"sm.schedulers=4"}, {.threads = 128}, [](WarpWriter& w) {
        for (u32 k = 0; k <= w.warp; ++k) w.alu(OpClass::int_add, 1, {1});
    });
    EXPECT_EQ(sum_of_states(r), 1u + 5 + 9 + 13);
}

TEST(Accounting, ABarrierAtAWarpsEndHoldsItNoLongerThanItsCta) {
    const RunRecord r = run({}, {.threads = 64}, [](WarpWriter& w) {
        if (w.warp == 1)
            for (u32 k = 0; k < 10; ++k) w.alu(OpClass::int_add, 1, {1});
        w.barrier();
    });
    // Both warps are there for all of the kernel but its first cycle.
    EXPECT_EQ(sum_of_states(r), 2 * (r.apps[0].kernels[0].cycles - 1));
}

TEST(Accounting, EveryStateIsReachedAndNamesTheRightCause) {
    // Two warps of one scheduler want the same pipe of interval 5: the other one's wait is the pipe's.
    RunRecord r = run({"sm.schedulers=1", "ops.fp64.interval=5"}, {.threads = 64},
                      [](WarpWriter& w) { w.alu(OpClass::fp64); });
    EXPECT_EQ(stall(r, "pipe_busy") + stall(r, "not_selected"), 5u);
    EXPECT_GE(stall(r, "pipe_busy"), 4u);  // in the first cycle it is as much the other warp's turn
    // Four warps, one scheduler, no dependence: the k-th waits k cycles for its turn.
    r = run({"sm.schedulers=1"}, {.threads = 128}, [](WarpWriter& w) { w.alu(); });
    EXPECT_EQ(stall(r, "not_selected"), 0u + 1 + 2 + 3);
    // A queue of one instruction and 32 lines to send: the second load issues when the first has gone.
    r = run({"lsu.queue=1", "crossbar.credits=64"}, {}, [](WarpWriter& w) {
        w.load(1, {}, w.lanes(kData, 128));
        w.load(2, {}, w.lanes(kData, 128));
    });
    EXPECT_EQ(stall(r, "lsu_full"), 31u);
    // Shared memory: 24 cycles from issue to use, 23 of them waiting; constant memory 8.
    r = run({}, {.shared_bytes = 128}, [](WarpWriter& w) {
        w.shared(MemOp::load, 1, {}, w.lanes(0, 4));
        w.use(1);
        w.memory(MemOp::load, 2, {}, w.lanes(0, 0), {.space = MemSpace::constant});
        w.use(2);
    });
    EXPECT_EQ(stall(r, "shared_memory"), 23u + 7);
    // A hit in L1: 30 cycles.
    r = run({}, {}, [](WarpWriter& w) {
        w.load(1, {}, w.lanes(kData, 4));
        w.use(1);
        w.load(1, {}, w.lanes(kData, 4));
        w.use(1);
    });
    const u64 miss = r.apps[0].kernels[0].cycles - 1 - 30 - 1 - 1;
    EXPECT_EQ(stall(r, "memory"), 29 + miss - 1);
}

TEST(Determinism, TheSameRunGivesTheSameRecord) {
    for (const PatternKind kind : kKinds) {
        const PatternSettings p = mixed(kind);
        const std::vector<std::string> sets = {"dram.channels=2", "dram.refresh=per_bank",
                                               "dram.timing.RFCpb=60cycles", "l2.write=back",
                                               "l2.write_allocate=true"};
        const std::string once = text_of(run(small_machine(sets), make_pattern(p)));
        EXPECT_EQ(text_of(run(small_machine(sets), make_pattern(p))), once) << pattern_name(kind);
    }
}
