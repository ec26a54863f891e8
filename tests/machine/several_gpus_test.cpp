// Machines of several GPUs and memories, which no machine file can ask a run for yet: what is dealt among GPUs is done once,
// a GPU without work changes nothing, and GPUs that are alike take equally long.

#include <gtest/gtest.h>

#include "machine/lab.h"
#include "machine/random_program.h"

using namespace heddle;
using namespace heddle::test;

namespace {

class InTurn final : public CtaPlacement {
  public:
    u32 gpu_of_next_cta(const KernelRun& kernel, u32 gpus) override {
        return static_cast<u32>(kernel.ctas_started % gpus);
    }
};
class AllOn final : public CtaPlacement {
  public:
    explicit AllOn(u32 gpu) : gpu_(gpu) {}
    u32 gpu_of_next_cta(const KernelRun&, u32) override { return gpu_; }

  private:
    u32 gpu_;
};

/// The small machine's GPU, and another like it.
MachineSettings two_gpus(const std::vector<std::string>& sets) {
    MachineSettings m = small_machine(sets);
    m.gpus["second"] = m.gpus.at("gpu");
    return m;
}

RunRecord run_on(const MachineSettings& machine, std::unique_ptr<CtaPlacement> placement,
                 std::vector<ScriptSource::Event> events) {
    Simulation simulation(machine, std::move(placement));
    simulation.add(program(std::move(events)));
    return simulation.run({});
}

/// Counters of the first GPU and of the first memory.
std::vector<std::pair<std::string, u64>> first_of_each(const RunRecord& r) {
    std::vector<std::pair<std::string, u64>> all;
    for (const CounterRecord& c : r.counters)
        if (c.name.starts_with("gpu.") || c.name.starts_with("dram.")) all.emplace_back(c.name, c.value);
    return all;
}

std::vector<std::vector<std::string>> kinds_of_machine() {
    return {{},
            {"dram.channels=2", "l2.slices_per_channel=2", "l2.write=back", "l2.write_allocate=true",
             "l1.size=2KiB"},
            {"dram.scheduler=wg-w", "dram.channels=2"},
            {"translation.design=shared-tlb", "l1_tlb.entries=4", "l2_tlb.entries=16"},
            {"translation.design=pwcache"}};
}

}  // namespace

TEST(SeveralGpus, WhatIsDealtAmongThemIsDoneOnceWhateverTheirClocksAndMemories) {
    for (const auto& sets : kinds_of_machine())
        for (const bool alike : {true, false})
            for (u64 seed = 1; seed <= 3; ++seed) {
                MachineSettings machine = two_gpus(sets);
                if (!alike) {
                    machine.gpus.at("second").clock_hz = 700'000'000;
                    machine.gpus.at("second").sms = 3;
                    machine.gpus.at("second").memory = "slow";
                }
                // Its CTAs wait for those before, which are on the other GPU.
                const auto kernel = random_program(seed);
                const RunRecord one = run_on(small_machine(sets), std::make_unique<AllOnFirst>(),
                                             {AllocEvent{kData, 1 << 20}, kernel, FreeEvent{kData}, kernel});
                const RunRecord two = run_on(machine, std::make_unique<InTurn>(),
                                             {AllocEvent{kData, 1 << 20}, kernel, FreeEvent{kData}, kernel});
                EXPECT_EQ(counter(two, "gpu.sm.ctas"), 8u);
                EXPECT_EQ(counter(two, "second.sm.ctas"), 8u);
                for (const char* what : {"sm.warp_instructions", "sm.load_sectors", "sm.store_sectors",
                                         "sm.atomic_requests", "sm.barriers"})
                    EXPECT_EQ(counter(two, std::string("gpu.") + what) +
                                  counter(two, std::string("second.") + what),
                              counter(one, std::string("gpu.") + what))
                        << what << " " << seed;
                ASSERT_EQ(two.apps.size(), 1u);
                EXPECT_EQ(two.apps[0].warp_instructions, one.apps[0].warp_instructions);
                EXPECT_EQ(two.apps[0].kernels.size(), 2u);
                EXPECT_EQ(two.memories.size(), alike ? 1u : 2u);
                EXPECT_GT(counter(two, "second.l2.reads"), 0u);
            }
}

TEST(SeveralGpus, OneWithoutWorkChangesNothing) {
    for (const auto& sets : kinds_of_machine()) {
        const auto kernel = random_program(7);
        const RunRecord alone = run_on(small_machine(sets), std::make_unique<AllOnFirst>(),
                                       {AllocEvent{kData, 1 << 20}, kernel, FreeEvent{kData}, kernel});
        const RunRecord beside = run_on(two_gpus(sets), std::make_unique<AllOnFirst>(),
                                        {AllocEvent{kData, 1 << 20}, kernel, FreeEvent{kData}, kernel});
        EXPECT_EQ(beside.cycles, alone.cycles);
        EXPECT_EQ(first_of_each(beside), first_of_each(alone));
        EXPECT_EQ(counter(beside, "second.sm.ctas"), 0u);
    }
}

TEST(SeveralGpus, AKernelTakesAsLongOnOneAsOnTheOther) {
    // A kernel is a message to the second GPU, and so is its end to the first: its cycles are counted between.
    const auto work = kernel({.ctas = 20, .threads = 96, .shared_bytes = 4096}, [](WarpWriter& w) {
        for (u32 k = 0; k < 14; ++k) {
            w.alu(OpClass::fp32_mad, 1, {1});
            w.shared(MemOp::load, 1, {1}, w.lanes(0, 4));
            w.barrier();
        }
    });
    const MachineSettings machine = two_gpus({"gpu.launch_latency=50"});
    const RunRecord here = run_on(machine, std::make_unique<AllOn>(0), {work, work});
    const RunRecord there = run_on(machine, std::make_unique<AllOn>(1), {work, work});
    ASSERT_EQ(there.apps[0].kernels.size(), 2u);
    EXPECT_EQ(counter(there, "second.sm.ctas"), 40u);
    EXPECT_EQ(counter(there, "gpu.sm.ctas"), 0u);
    for (u32 k = 0; k < 2; ++k)
        EXPECT_EQ(there.apps[0].kernels[k].cycles, here.apps[0].kernels[k].cycles) << k;
}

TEST(SeveralGpus, EachHasRoomForACtaAndTheShareOfEachApplication) {
    MachineSettings machine = two_gpus({});
    machine.gpus.at("second").sms = 1;
    Simulation simulation(machine);
    EXPECT_EQ(error_of<InputError>([&] { simulation.add(program({}), {}, {.first_sm = 1, .sms = 1}); }),
              "script is assigned SMs 1 to 1, but second has 1 SMs");
    machine.gpus.at("second").sms = 2;
    machine.gpus.at("second").sm.warps = 1;
    const auto two_warps = kernel({.threads = 64}, [](WarpWriter& w) { w.alu(); });
    EXPECT_TRUE(error_of<InputError>([&] {
                    run_on(machine, std::make_unique<AllOnFirst>(), {two_warps});
                }).starts_with("program:7: "));
}

namespace {

/// Each page in the next memory.
class InTurns final : public MemoryManager {
  public:
    explicit InTurns(const MemoryManagerContext& c) : blocks_(*c.blocks) {}
    u32 take(u32 part, PageSize) override { return blocks_.next(part, taken_++ % blocks_.memories()); }
    void give(u32, u32, PageSize) override {}

  private:
    FrameBlocks& blocks_;
    u32 taken_ = 0;
};
const bool in_turns_registered =
    memory_managers().add<InTurns>("test-in-turns", "memories in turn (a test's)", "");

}  // namespace

TEST(SeveralGpus, AMemoryManagerSaysInWhichMemoryAPageLies) {
    ASSERT_TRUE(in_turns_registered);
    MachineSettings machine =
        two_gpus({"translation.design=ideal", "translation.memory_manager=test-in-turns"});
    machine.gpus.at("second").memory = "slow";
    // 40 whole pages are read once; the nodes of their page table have taken their frames before.
    constexpr u32 kPages = 40, kLines = 4096 / kLineBytes;
    const auto work = kernel({.ctas = kPages}, [](WarpWriter& w) {
        for (u32 k = 0; k < kLines; ++k)
            w.load(1, {}, w.lanes(kData + u64{w.cta} * 4096 + k * kLineBytes, 4));
    });
    const RunRecord r = run_on(machine, std::make_unique<InTurn>(), {work});
    ASSERT_EQ(r.memories.size(), 2u);
    for (const MemoryRecord& m : r.memories) EXPECT_EQ(m.read_bytes, kPages / 2 * 4096) << m.name;
    EXPECT_EQ(counter(r, "gpu.sm.ctas"), counter(r, "second.sm.ctas"));
}
