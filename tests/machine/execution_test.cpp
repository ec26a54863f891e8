// What instructions do to their warps and CTAs: barriers, fences, exits, partial and 64-lane warps, predicated-off
// accesses, waits between CTAs. Times are worked out from the machine's latencies by hand.

#include <gtest/gtest.h>

#include "machine/lab.h"

using namespace heddle;
using namespace heddle::test;

namespace {

constexpr u64 kAdd = 4;      // default latency of an operation
constexpr u64 kRelease = 4;  // from the last arrival at a barrier: the latency of ops.other

/// `n` additions, each of which uses the one before: they issue kAdd cycles apart.
void chain(WarpWriter& w, u32 n) {
    for (u32 k = 0; k < n; ++k) w.alu(OpClass::int_add, 9, {9});
}

/// From the issue of a store of one sector to the cycle in which its SM hears that it is done: 1 to the crossbar,
/// two flits (8 + 32 bytes) over it, 1 into the slice's queue, the access, one flit back.
constexpr u64 kStore = 1 + 8 + 1 + 1 + 10 + 8;
/// A reduction of one lane: 8 + 4 bytes are one flit; its data come from L2 here.
constexpr u64 kReduction = 1 + 8 + 1 + 10 + 8;

}  // namespace

TEST(Execution, ABarrierHoldsEveryWarpUntilTheLastHasCome) {
    // Warp 0 arrives in cycle 1; warp 1 after ten dependent additions: 1 + 9*4, the barrier a cycle later.
    const RunRecord r = run({}, {.threads = 64}, [](WarpWriter& w) {
        if (w.warp == 1) chain(w, 10);
        w.barrier();
        w.alu();
    });
    const u64 last = 1 + 9 * kAdd + 1, released = last + kRelease;
    EXPECT_EQ(r.apps[0].kernels[0].cycles, released + 1);
    EXPECT_EQ(stall(r, "barrier"), (released - 2) + (released - last - 1));
    EXPECT_EQ(stall(r, "dependency"), 9 * (kAdd - 1));
    EXPECT_EQ(stall(r, "issue"), 10u + 2 + 2);
}

TEST(Execution, ABarrierOfSomeWarpsWaitsForAsManyAndNoMore) {
    // Barrier 1 is for two warps: 0 and 1. Warp 2 works on, and takes part in barrier 0 at the end.
    const u64 measured = cycles({"sm.schedulers=4"}, {.threads = 96}, [](WarpWriter& w) {
        if (w.warp == 1) chain(w, 5);
        if (w.warp == 2) chain(w, 20);
        if (w.warp != 2) w.barrier(1, 2);
        if (w.warp != 2) chain(w, 2);
        w.barrier(0);
        w.alu();
    });
    const u64 last = 1 + 19 * kAdd + 1;  // warp 2 is the last at barrier 0
    EXPECT_EQ(measured, last + kRelease + 1);
}

TEST(Execution, AWarpThatOnlyArrivesGoesOn) {
    // Producer and consumer: warp 0 arrives and goes on; warp 1 waits for it.
    const RunRecord r = run({}, {.threads = 64}, [](WarpWriter& w) {
        if (w.warp == 0) {
            chain(w, 10);
            w.barrier(2, 2, true);
            w.alu();
        } else {
            w.barrier(2, 2);
            w.alu();
        }
    });
    const u64 arrived = 1 + 9 * kAdd + 1;
    EXPECT_EQ(r.apps[0].kernels[0].cycles, arrived + kRelease + 1);
    EXPECT_EQ(stall(r, "barrier"), arrived + kRelease - 2);  // of warp 1 alone
    EXPECT_EQ(counter(r, "gpu.sm.barriers"), 2u);
}

TEST(Execution, AWarpThatHasEndedIsNotWaitedFor) {
    // Warp 0 waits; warp 1 ends without a barrier after ten additions.
    const u64 measured = cycles({}, {.threads = 64}, [](WarpWriter& w) {
        if (w.warp == 1) {
            chain(w, 10);
        } else {
            w.barrier();
            w.alu();
        }
    });
    EXPECT_EQ(measured, (1 + 9 * kAdd) + kRelease + 1);
}

TEST(Execution, BarriersFollowEachOther) {
    const u64 measured = cycles({}, {.threads = 256}, [](WarpWriter& w) {
        for (u32 k = 0; k < 10; ++k) w.barrier();
        w.alu();
    });
    // Eight warps on two schedulers: the fourth of each arrives three cycles after the first, each time.
    EXPECT_EQ(measured, 1 + 3 + 10 * (kRelease + 3) + 1);
}

TEST(Execution, AFenceWaitsForTheWarpsOwnStoresAndLoads) {
    const RunRecord store = run({}, {}, [](WarpWriter& w) {
        w.store1(kData);
        w.fence();
    });
    // The fence issues in the cycle after the store is known to be done.
    EXPECT_EQ(store.apps[0].kernels[0].cycles, 1 + kStore + 1 + 1);
    EXPECT_EQ(stall(store, "fence"), kStore);
    const u64 other_warps = cycles({}, {.threads = 64}, [](WarpWriter& w) {
        if (w.warp == 1) w.store1(kData);
        w.fence();
        w.alu();
    });
    const u64 with_load = cycles({}, {}, [](WarpWriter& w) {
        w.load1(1, {}, kData);
        w.alu();
    });
    // Warp 0's own fence has nothing to wait for; the kernel ends with warp 1.
    EXPECT_EQ(other_warps, 1 + kStore + 1 + 1 + 1);
    const u64 fenced_load = cycles({}, {}, [](WarpWriter& w) {
        w.load1(1, {}, kData);
        w.fence();
    });
    EXPECT_GE(fenced_load, with_load);
}

TEST(Execution, AFenceWithAnOperandWaitsForItAsWell) {
    // The operand is a load's; the fence waits for the load in any case and issues a cycle after it has arrived.
    const u64 plain = cycles({}, {}, [](WarpWriter& w) {
        w.load1(1, {}, kData);
        w.use(1);
    });
    const u64 fence = cycles({}, {}, [](WarpWriter& w) {
        w.load1(1, {}, kData);
        w.alu(OpClass::fence, WarpWriter::kNone, {1});
    });
    EXPECT_EQ(fence, plain);
}

TEST(Execution, AKernelEndsWhenItsLastStoreIsDone) {
    const RunRecord r = run({}, {}, [](WarpWriter& w) { w.store1(kData); });
    EXPECT_EQ(r.apps[0].kernels[0].cycles, 1 + kStore + 1);
    EXPECT_EQ(stall(r, "drain"), kStore);
}

TEST(Execution, LanesThatExitLeaveTheirWarpToTheOthers) {
    const RunRecord r = run({}, {}, [](WarpWriter& w) {
        w.alu();
        w.exit(0xffff0000);
        w.memory(MemOp::store, WarpWriter::kNone, {}, {kData, kData + 4}, {}, 0b11);
        w.exit(0x0000ffff);
    });
    EXPECT_EQ(counter(r, "gpu.sm.warp_instructions"), 4u);
    EXPECT_EQ(counter(r, "gpu.sm.thread_instructions"), 32u + 16 + 2 + 16);
    EXPECT_EQ(counter(r, "gpu.sm.store_requests"), 1u);
    EXPECT_EQ(counter(r, "gpu.sm.issued.exit"), 2u);
}

TEST(Execution, TheLastWarpOfACtaMayBePartial) {
    const RunRecord r = run({}, {.ctas = 3, .threads = 72}, [](WarpWriter& w) {
        w.load(1, {}, w.lanes(kData + w.warp * 128, 4));
        w.use(1);
    });
    EXPECT_EQ(counter(r, "gpu.sm.warps"), 3u * 3);
    EXPECT_EQ(counter(r, "gpu.sm.thread_instructions"), 3u * 2 * 72);
    EXPECT_EQ(counter(r, "gpu.sm.load_sectors"), 3u * (4 + 4 + 1));  // 8 lanes of 4 bytes are one sector
    EXPECT_EQ(r.apps[0].thread_instructions, 3u * 2 * 72);
}

TEST(Execution, AWarpMayHave64Lanes) {
    const RunRecord r = run({}, {.threads = 80, .lanes = 64}, [](WarpWriter& w) {
        w.load(1, {}, w.lanes(kData + w.warp * 256, 4));
        w.shared(MemOp::store, WarpWriter::kNone, {1}, w.lanes(0, 4));
        w.exit(w.full);
    });
    EXPECT_EQ(counter(r, "gpu.sm.warps"), 2u);
    EXPECT_EQ(counter(r, "gpu.sm.warp_instructions"), 6u);
    EXPECT_EQ(counter(r, "gpu.sm.thread_instructions"), 3u * 80);
    EXPECT_EQ(counter(r, "gpu.sm.load_requests"), 2u + 1);
    EXPECT_EQ(counter(r, "gpu.sm.multi_request_loads"), 1u);
    EXPECT_EQ(counter(r, "gpu.sm.load_sectors"), 8u + 2);
    // 32 banks serve 64 lanes in two passes.
    EXPECT_EQ(counter(r, "gpu.sm.shared_extra_passes"), 1u);
}

TEST(Execution, APredicatedOffAccessTouchesNothingAndItsResultIsReadyInTheNextCycle) {
    const RunRecord r = run({}, {}, [](WarpWriter& w) {
        w.load(1, {}, {});
        w.use(1);
        w.store({1}, {});
        w.memory(MemOp::atomic, 2, {}, {}, {});
        w.shared(MemOp::load, 3, {2}, {});
        w.use(3);
    });
    EXPECT_EQ(r.apps[0].kernels[0].cycles, 6u + 1);
    EXPECT_EQ(counter(r, "gpu.sm.warp_instructions"), 6u);
    EXPECT_EQ(counter(r, "gpu.sm.thread_instructions"), 64u);  // of the two uses
    for (const char* name :
         {"gpu.sm.loads", "gpu.sm.load_requests", "gpu.sm.store_requests", "gpu.sm.atomic_requests",
          "gpu.l2.reads", "dram.reads", "crossbar.requests.packets"})
        EXPECT_EQ(counter(r, std::string(name).starts_with("crossbar") ? "gpu." + std::string(name) : name),
                  0u)
            << name;
}

TEST(Execution, ABranchHoldsBackWhatFollowsIt) {
    EXPECT_EQ(cycles({"ops.branch.latency=13"}, {},
                     [](WarpWriter& w) {
                         for (u32 k = 0; k < 5; ++k) w.alu(OpClass::branch);
                     }),
              1u + 4 * 13 + 1);
}

TEST(Execution, AWaitForAnotherCtaIssuesOnceItsSignalIsPerformed) {
    // CTA 0 (SM 0) stores after ten additions, CTA 1 (SM 1) waits from its first instruction.
    auto waiting = [](MemOp op) {
        return [op](WarpWriter& w) {
            if (w.cta == 0) {
                chain(w, 10);
                w.signal(5);
                w.memory(op, WarpWriter::kNone, {}, {kData}, {}, 1);
                w.alu();
            } else {
                w.wait(5);
                w.alu(OpClass::int_add, 1);
                w.use(1);
            }
        };
    };
    const u64 issued = 1 + 9 * kAdd + 1;
    const RunRecord store = run({}, {.ctas = 2}, waiting(MemOp::store));
    const u64 go = issued + kStore + 1;
    EXPECT_EQ(store.apps[0].kernels[0].cycles, go + kAdd + 1);
    EXPECT_EQ(stall(store, "cta_wait"), go - 1);
    EXPECT_EQ(counter(store, "gpu.sm.edges_waited"), 1u);

    std::vector<ScriptSource::Event> events = {CopyEvent{CopyKind::host_to_device, kData, 0, 128, 0},
                                               kernel({.ctas = 2}, waiting(MemOp::reduction))};
    const RunRecord reduction = run(small_machine(), program(std::move(events)));
    EXPECT_EQ(reduction.apps[0].kernels[0].cycles, issued + kReduction + 1 + kAdd + 1);
}

TEST(Execution, AWaitForWhatHasHappenedCostsNothing) {
    const RunRecord r = run({}, {.ctas = 2}, [](WarpWriter& w) {
        if (w.cta == 0) {
            w.signal(0);
            w.store1(kData);
        } else {
            chain(w, 50);
            w.wait(0);
            w.alu();
        }
    });
    EXPECT_EQ(r.apps[0].kernels[0].cycles, 1 + 49 * kAdd + 1 + 1);
    EXPECT_EQ(stall(r, "cta_wait"), 0u);
    EXPECT_EQ(counter(r, "gpu.sm.edges_waited"), 0u);
}

TEST(Execution, AWaitAfterABranchHasToWaitForBoth) {
    // The signal comes long before the branch is resolved, but after the branch has issued.
    const u64 measured = cycles({"ops.branch.latency=200"}, {.ctas = 2}, [](WarpWriter& w) {
        if (w.cta == 0) {
            w.signal(0);
            w.store1(kData);
        } else {
            w.alu(OpClass::branch);
            w.wait(0);
            w.alu();
        }
    });
    EXPECT_EQ(measured, 1u + 200 + 1);
}

TEST(Execution, AFenceThatAlsoWaitsForAnotherCtaWaitsForItsOwnStoresToo) {
    // CTA 1's own store misses nothing but is slow: 32 lines before it. The signal is there long before.
    const u64 alone = cycles({}, {.ctas = 2}, [](WarpWriter& w) {
        if (w.cta == 0) return;
        w.store({}, w.lanes(kData, 128));
        w.fence();
    });
    const u64 both = cycles({}, {.ctas = 2}, [](WarpWriter& w) {
        if (w.cta == 0) {
            w.signal(0);
            w.store1(kData + 8192);
        } else {
            w.store({}, w.lanes(kData, 128));
            w.wait(0);
            w.fence();
        }
    });
    EXPECT_GE(both, alone);
}

TEST(Execution, AtomicsOnOneWordAreServedLaneByLaneAndReturnTheirResults) {
    const RunRecord r = run({"atomic_interval=3"}, {}, [](WarpWriter& w) {
        w.memory(MemOp::atomic, 1, {}, w.lanes(kData, 0), {});
        w.use(1);
    });
    EXPECT_EQ(counter(r, "gpu.sm.atomics"), 1u);
    EXPECT_EQ(counter(r, "gpu.sm.atomic_requests"), 1u);
    EXPECT_EQ(counter(r, "gpu.l2.atomics"), 1u);
    EXPECT_EQ(counter(r, "gpu.l2.atomic_lanes"), 32u);
}

TEST(Execution, AtomicsOnOneWordFollowEachOtherAsSlowlyAsTheMachineSays) {
    // What each further reduction costs once they queue at the slice; 9 cycles from one operation on a word to the next.
    const auto each = [](auto write) {
        const auto total = [&](u32 count) {
            return cycles({"same_word_interval=9"}, {}, [&](WarpWriter& w) {
                for (u32 k = 0; k < count; ++k) write(w, k);
            });
        };
        constexpr u32 kFew = 40, kMore = 104;
        return static_cast<double>(total(kMore) - total(kFew)) / (kMore - kFew);
    };
    const auto reduce = [](WarpWriter& w, const std::vector<u64>& to, u64 mask = 0) {
        w.memory(MemOp::reduction, WarpWriter::kNone, {}, to, {}, mask);
    };
    EXPECT_EQ(each([&](WarpWriter& w, u32) { reduce(w, w.lanes(kData, 0)); }), 32 * 9);
    EXPECT_EQ(each([&](WarpWriter& w, u32) { reduce(w, {kData}, 1); }), 9);
    // A word of its own for each lane: a lane a cycle.
    EXPECT_EQ(each([&](WarpWriter& w, u32) { reduce(w, w.lanes(kData, 4)); }), 32);
    // Two words take turns: two operations in nine cycles.
    EXPECT_NEAR(each([&](WarpWriter& w, u32 k) { reduce(w, {kData + k % 2 * 4}, 1); }), 4.5, 0.1);
}
