// Kernels and CTAs on the machine: order of launches, launch latency, how many CTAs an SM holds, what does not fit.

#include <gtest/gtest.h>

#include "machine/lab.h"
#include "trace/filters.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// A CTA of dependent additions, the last of which issues kChain - 1 cycles after the first.
constexpr u32 kAdditions = 100;
constexpr u64 kChain = 4 * (kAdditions - 1) + 1;

void dependent_chain(WarpWriter& w) {
    for (u32 k = 0; k < kAdditions; ++k) w.alu(OpClass::int_add, 1, {1});
}

std::shared_ptr<const ScriptKernel> chains(const KernelShape& shape) {
    return kernel(shape, dependent_chain);
}

std::vector<KernelRecord> kernels(const std::vector<std::string>& sets,
                                  std::vector<ScriptSource::Event> events) {
    return run(small_machine(sets), program(std::move(events))).apps.at(0).kernels;
}

}  // namespace

TEST(Kernels, OfOneStreamFollowEachOtherAfterTheLaunchLatency) {
    for (u64 latency : {u64{0}, u64{1}, u64{700}}) {
        const auto k =
            kernels({"launch_latency=" + std::to_string(latency)}, {chains({}), chains({}), chains({})});
        ASSERT_EQ(k.size(), 3u);
        EXPECT_EQ(k[0].start_cycle, 1 + latency);
        for (u32 n = 0; n < 3; ++n) EXPECT_EQ(k[n].cycles, kChain + 1);
        EXPECT_EQ(k[1].start_cycle, k[0].start_cycle + k[0].cycles + latency);
        EXPECT_EQ(k[2].start_cycle, k[1].start_cycle + k[1].cycles + latency);
        EXPECT_EQ(k[2].index, 3u);
    }
}

TEST(Kernels, OfTwoStreamsRunSideBySideAsFarAsTheMachineAllows) {
    const auto both = kernels({}, {chains({.stream = 1}), chains({.stream = 2})});
    EXPECT_EQ(both[0].start_cycle, 1u);
    EXPECT_EQ(both[1].start_cycle, 1u);
    const auto one = kernels({"concurrent_kernels=1"}, {chains({.stream = 1}), chains({.stream = 2})});
    EXPECT_EQ(one[1].start_cycle, 1 + one[0].cycles);
    // Only what one of them leaves is there for the other: both SMs are full of the first.
    const auto full = kernels({"sm.ctas=1"}, {chains({.ctas = 2, .stream = 1}), chains({.stream = 2})});
    EXPECT_EQ(full[1].start_cycle, 1 + kChain + 1);
}

TEST(Kernels, WaitForTheEventsOfOtherStreamsAndForTheHost) {
    using Kind = SyncEvent::Kind;
    const SyncEvent record{Kind::record, 1, 77}, wait{Kind::wait, 2, 77};
    // The second of stream 1 starts with the first of stream 2: both after the first of stream 1.
    auto k = kernels({}, {chains({.stream = 1}), record, chains({.stream = 1}), wait, chains({.stream = 2})});
    EXPECT_EQ(k[1].start_cycle, 1 + k[0].cycles);
    EXPECT_EQ(k[2].start_cycle, 1 + k[0].cycles);
    // The host waits for one stream: what it launches after that, in whatever stream, comes after.
    k = kernels({}, {chains({.stream = 1}), SyncEvent{Kind::host_stream, 1, 0}, chains({.stream = 2})});
    EXPECT_EQ(k[1].start_cycle, 1 + k[0].cycles);
    k = kernels({}, {chains({.stream = 1}), SyncEvent{Kind::host_stream, 3, 0}, chains({.stream = 2})});
    EXPECT_EQ(k[1].start_cycle, 1u);
    k = kernels({}, {chains({.stream = 1}), SyncEvent{Kind::host_device, 0, 0}, chains({.stream = 2})});
    EXPECT_EQ(k[1].start_cycle, 1 + k[0].cycles);
    k = kernels({},
                {chains({.stream = 1}), record, SyncEvent{Kind::host_event, 0, 77}, chains({.stream = 2})});
    EXPECT_EQ(k[1].start_cycle, 1 + k[0].cycles);
}

TEST(Kernels, CtasGoToTheSmsInTurnOneACycle) {
    // 5 CTAs on 2 SMs with room for all: in cycle 1 one each, then one each, then the last.
    const auto k = kernels({}, {chains({.ctas = 5})});
    EXPECT_EQ(k[0].cycles, 2 + kChain + 1);
    EXPECT_EQ(k[0].ctas, 5u);
}

TEST(Kernels, AnSmHoldsAsManyCtasAsTheScarcestOfItsResourcesAllows) {
    struct Limit {
        const char* what;
        std::vector<std::string> sets;
        KernelShape shape;
    };
    // Each lets two CTAs in at once where all the others would let in four or more.
    const Limit limits[] = {
        {"threads", {"sm.threads=128"}, {.threads = 64}},
        {"warps", {"sm.warps=5"}, {.threads = 64}},
        {"CTAs", {"sm.ctas=2"}, {.threads = 64}},
        {"registers", {"sm.registers=4096"}, {.threads = 64, .registers = 32}},
        // 33 registers a thread are 1056 a warp: 1280 in granules of 256, 2560 a CTA; without it three would fit.
        {"register granule", {"sm.registers=7000", "register_granule=256"}, {.threads = 64, .registers = 33}},
        {"shared memory", {"shared_memory.size=48KiB"}, {.threads = 64, .shared_bytes = 20000}},
    };
    for (Limit limit : limits) {
        limit.sets.push_back("gpu.sms=1");
        limit.shape.ctas = 8;
        // A CTA's slot is free again in the cycle after its last instruction, and used two after it.
        auto expected = [](u64 at_once) { return at_once - 1 + 8 / at_once * (kChain + 1); };
        EXPECT_EQ(kernels(limit.sets, {chains(limit.shape)})[0].cycles, expected(2)) << limit.what;
    }
    KernelShape four{.ctas = 8, .threads = 64};
    EXPECT_EQ(kernels({"gpu.sms=1", "sm.ctas=4", "sm.schedulers=4"}, {chains(four)})[0].cycles,
              4u - 1 + 2 * (kChain + 1));
    // The granule makes the difference: 1056 * 2 * 3 registers fit into 7000.
    EXPECT_EQ(Sm::occupancy(small_machine({"sm.registers=7000", "register_granule=32"}).gpus.at("gpu").sm,
                            chains({.threads = 64, .registers = 33})->info),
              3u);
}

TEST(Kernels, ACtaLargerThanAnSmIsAnErrorThatNamesKernelAndLimit) {
    struct Case {
        std::vector<std::string> sets;
        KernelShape shape;
        const char* expected;
    };
    const Case cases[] = {
        {{},
         {.threads = 2048, .name = "huge"},
         "program:7: a CTA of kernel huge needs 2048 threads, an SM has 1536"},
        {{"sm.warps=8"}, {.threads = 512}, "program:7: a CTA of kernel kernel needs 16 warps, an SM has 8"},
        {{},
         {.threads = 1024, .registers = 64},
         "program:7: a CTA of kernel kernel needs 65536 registers, an SM has 32768"},
        {{},
         {.threads = 32, .shared_bytes = 49153},
         "program:7: a CTA of kernel kernel needs 49153 bytes of shared memory, an SM has 49152"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(error_of<InputError>([&] { kernels(c.sets, {chains(c.shape)}); }), c.expected);
}

TEST(Kernels, ACooperativeKernelMustFitAtOnce) {
    const KernelShape fits{.ctas = 4, .threads = 32, .cooperative = true, .name = "grid"};
    EXPECT_EQ(kernels({"sm.ctas=2"}, {chains(fits)})[0].ctas, 4u);
    KernelShape large = fits;
    large.ctas = 5;
    EXPECT_EQ(error_of<InputError>([&] { kernels({"sm.ctas=2"}, {chains(large)}); }),
              "program:7: cooperative kernel grid has 5 CTAs, but its 2 SMs hold 4 at once");
    large.cooperative = false;
    EXPECT_EQ(kernels({"sm.ctas=2"}, {chains(large)})[0].ctas, 5u);
}

TEST(Kernels, TheL1GetsWhatTheCarveOutLeavesOfTheUnifiedArray) {
    // Two passes over 96 KiB: the second hits entirely if L1 holds it, and never (LRU) if it is smaller.
    auto two_passes = [](u32 shared_bytes) {
        const KernelShape shape{.ctas = 1, .threads = 32, .shared_bytes = shared_bytes};
        const RunRecord r = run({"sm.unified=128KiB", "sm.carveouts=[0B, 32KiB, 64KiB]",
                                 "shared_memory.size=64KiB", "sm.ctas=1", "l1.size=16KiB", "l2.size=256KiB"},
                                shape, [](WarpWriter& w) {
                                    for (u32 pass = 0; pass < 2; ++pass)
                                        for (u32 k = 0; k < 96 * 8; ++k) {
                                            w.load(1, {}, w.lanes(kData + k * 128, 4));
                                            w.use(1);
                                        }
                                });
        return counter(r, "gpu.sm.l1.read_hits");
    };
    EXPECT_EQ(two_passes(0), 96u * 8);         // 128 KiB of L1
    EXPECT_EQ(two_passes(20000), 96u * 8);     // carve-out of 32 KiB leaves 96
    EXPECT_EQ(two_passes(32 * 1024 + 1), 0u);  // carve-out of 64 KiB leaves 64
}

TEST(Kernels, TheCarveOutHoldsAllCtasThatFit) {
    // Of 10 KiB each, two CTAs need 20 KiB: 32 KiB go to shared memory; four need 40 KiB: 64.
    for (const auto& [ctas, hits] : {std::pair{2u, 96u * 8}, std::pair{4u, 0u}}) {
        const RunRecord r =
            run({"sm.unified=128KiB", "sm.carveouts=[0B, 32KiB, 64KiB]", "shared_memory.size=64KiB",
                 "sm.ctas=" + std::to_string(ctas), "gpu.sms=1", "l2.size=256KiB"},
                {.ctas = 1, .threads = 32, .shared_bytes = 10240}, [](WarpWriter& w) {
                    for (u32 pass = 0; pass < 2; ++pass)
                        for (u32 k = 0; k < 96 * 8; ++k) {
                            w.load(1, {}, w.lanes(kData + k * 128, 4));
                            w.use(1);
                        }
                });
        EXPECT_EQ(counter(r, "gpu.sm.l1.read_hits"), hits) << ctas;
    }
}

TEST(Kernels, L1IsEmptyWhenAKernelBeginsUnlessTheMachineKeepsIt) {
    auto read = kernel({}, [](WarpWriter& w) {
        w.load(1, {}, w.lanes(kData, 4));
        w.use(1);
    });
    for (bool flush : {true, false}) {
        const RunRecord r = run(
            small_machine({std::string("flush_at_kernel_start=") + (flush ? "true" : "false"), "gpu.sms=1"}),
            program({read, read}));
        EXPECT_EQ(counter(r, "gpu.sm.l1.read_hits"), flush ? 0u : 1u);
    }
}

TEST(Kernels, AKernelThatIsCutShortEndsWithItsLastCta) {
    // 150 warp instructions are one CTA of 100 and a half; with room for one, the cut is found between CTAs.
    for (const char* ctas : {"1", "8"}) {
        const RunRecord r = run(small_machine({"gpu.sms=1", std::string("sm.ctas=") + ctas}),
                                first_instructions(program({chains({.ctas = 6}), chains({})}), 150));
        EXPECT_EQ(r.apps[0].warp_instructions, 150u);

        EXPECT_EQ(r.apps[0].kernels[0].ctas, 2u);
        EXPECT_FALSE(r.partial);
    }
}

TEST(Kernels, AnInstructionLimitAndAnInterruptionGiveAPartialResult) {
    RunOptions limited;
    limited.max_instructions = 32 * 30;
    RunRecord r = run(small_machine(), program({chains({.ctas = 2})}), limited);
    EXPECT_TRUE(r.partial);
    EXPECT_EQ(r.partial_because, "instruction limit");
    EXPECT_GE(r.apps[0].thread_instructions, 32u * 30);
    EXPECT_LE(r.apps[0].thread_instructions, 32u * 32);
    // Warps that are still there are accounted for up to the cut: two, from cycle 2 to the last one simulated.
    u64 sum = 0;
    for (const StallRecord& s : r.stalls) sum += s.warp_cycles;
    EXPECT_LE(sum, 2 * r.cycles);
    EXPECT_GE(sum + 2 * 8, 2 * r.cycles);

    // Nor has any load been waited for longer than warps waited for memory.
    const auto loads = kernel({.ctas = 2, .threads = 64}, [](WarpWriter& w) {
        for (u32 k = 0; k < 20; ++k) {
            w.load(1, {}, w.lanes(kData + (k / 2 * 4 + w.cta * 2 + w.warp) * 4096, 128));
            w.alu(OpClass::int_add, 2, {1});
        }
    });
    for (u64 cut = 8; cut <= 160; ++cut) {
        limited.max_instructions = 32 * cut;
        r = run(small_machine(), program({loads}), limited);
        u64 waited = 0, memory = 0;
        for (const HotLoadRecord& load : r.hot_loads) waited += load.wait_cycles;
        for (const StallRecord& s : r.stalls)
            if (s.cause == "memory") memory = s.warp_cycles;
        EXPECT_GT(memory, 0u) << cut;
        EXPECT_LE(waited, memory) << cut;
    }

    std::atomic<bool> stop = true;
    RunOptions interrupted;
    interrupted.interrupted = &stop;
    r = run(small_machine(), program({chains({})}), interrupted);
    EXPECT_TRUE(r.partial);
    EXPECT_EQ(r.partial_because, "interrupted");
}

TEST(Kernels, ACycleLimitSimulatesSoManyCyclesAndNoMore) {
    const auto work = [] { return program({chains({.ctas = 4})}); };
    const RunRecord whole = run(small_machine(), work());
    RunOptions limited;
    u64 before = 0;
    for (const u64 cycles : {whole.cycles / 4, whole.cycles / 2, whole.cycles - 1}) {
        limited.max_cycles = cycles;
        const RunRecord r = run(small_machine(), work(), limited);
        EXPECT_TRUE(r.partial);
        EXPECT_EQ(r.partial_because, "cycle limit");
        EXPECT_LE(r.cycles, cycles);
        EXPECT_GT(r.apps[0].thread_instructions, before);
        before = r.apps[0].thread_instructions;
    }
    EXPECT_LE(before, whole.apps[0].thread_instructions);
    limited.max_cycles = 2 * whole.cycles;
    const RunRecord r = run(small_machine(), work(), limited);
    EXPECT_FALSE(r.partial);
    EXPECT_EQ(r.cycles, whole.cycles);
}
