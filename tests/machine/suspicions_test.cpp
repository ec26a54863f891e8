// What a run tells about suspicious input: each once, with its count.

#include "machine/suspicions.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "machine/lab.h"
#include "sim/error.h"

using namespace heddle;
using namespace heddle::test;

namespace {

u64 told(const RunRecord& r, const std::string& text) {
    return static_cast<u64>(std::ranges::count_if(
        r.warnings, [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

}  // namespace

TEST(Suspicions, AnOrdinaryRunIsNotSuspected) {
    const RunRecord r = run({"sms=1"}, {}, [](WarpWriter& w) { w.load1(1, {}, kData); });
    EXPECT_EQ(r.warnings, std::vector<std::string>{"memories.slow is used by no GPU"});
}

TEST(Suspicions, EachIsToldOnceWithItsCount) {
    const RunRecord r = run({"sms=3"}, {.ctas = 2}, [](WarpWriter& w) {
        w.load1(1, {}, 0);
        w.load1(1, {}, 4092);
        w.load1(1, {}, 4096);
        w.load1(1, {}, kData + 2);
    });
    EXPECT_EQ(told(r, "1 of 3 SMs never got a CTA"), 1u);
    EXPECT_EQ(told(r, "4 memory instructions in the first 4 KiB of the address space"), 1u);
    EXPECT_EQ(told(r, "2 memory instructions with an address that is not a multiple"), 1u);
    EXPECT_EQ(counter(r, "gpu.sm.null_page_accesses"), 4u);
    EXPECT_EQ(counter(r, "gpu.sm.misaligned_accesses"), 2u);
}

TEST(Suspicions, KernelsWithoutThreadsAndApplicationsWithoutKernels) {
    const auto empty = [](WarpWriter& w) { w.exit(0); };
    const RunRecord r = run(small_machine({"sms=1"}), program({kernel({}, empty), kernel({}, empty)}));
    EXPECT_EQ(told(r, "2 kernels executed no thread"), 1u);
    EXPECT_EQ(told(run(small_machine({"sms=1"}), program({CopyEvent{}})), "script launched no kernel"), 1u);
}

TEST(Suspicions, LinesLeftDirtyInL2AreCounted) {
    // Five lines of stores, each of one sector, into a write-back L2 that is larger.
    const auto stores = [](WarpWriter& w) {
        for (u64 k = 0; k < 5; ++k) w.store1(kData + k * 128);
    };
    const RunRecord back = run({"sms=1", "l2.write=back", "l2.write_allocate=true"}, {}, stores);
    EXPECT_EQ(counter(back, "gpu.l2.dirty_lines"), 5u);
    EXPECT_EQ(told(back, "5 lines are dirty in L2 at the end"), 1u);
    const RunRecord through = run({"sms=1", "l2.write=through"}, {}, stores);
    EXPECT_EQ(counter(through, "gpu.l2.dirty_lines"), 0u);
    EXPECT_EQ(told(through, "dirty"), 0u);
}

TEST(Capacity, WhatExceedsTheMemoryIsToldOrRefused) {
    const MachineSettings machine = small_machine({});
    const u64 there = Simulation(machine).memory().bytes();
    const auto nothing = kernel({}, [](WarpWriter& w) { w.alu(); });
    // Loads one page apart: one more page than there are.
    const u64 pages = there >> Footprint::kPageShift;
    const auto touch = [](u64 count) {
        return kernel({}, [count](WarpWriter& w) {
            for (u64 k = 0; k < count; ++k) w.load1(1, {}, kData + (k << Footprint::kPageShift));
        });
    };
    const AllocEvent half{kData, there / 2 + 1};
    const AllocEvent other{kData + there, there / 2 + 1};
    const AllocEvent host{kData + there, there / 2 + 1, AllocEvent::Kind::host};
    using Events = std::vector<ScriptSource::Event>;
    RunOptions strict;
    strict.strict_capacity = true;
    const Events within[] = {{touch(pages)},
                             {half, nothing, FreeEvent{kData}, other, nothing},
                             {half, host, nothing},
                             {CopyEvent{CopyKind::host_to_device, kData, 0, there, 0}, nothing}};
    const Events beyond[] = {{touch(pages + 1)},
                             {half, other, nothing},
                             {CopyEvent{CopyKind::host_to_device, kData, 0, there + 1, 0}, nothing},
                             {CopyEvent{CopyKind::host_to_device, kData, 0, u64{1} << 60, 0}, nothing}};
    for (const Events& events : within) {
        EXPECT_EQ(told(run(machine, program(events)), "device memory"), 0u);
        EXPECT_EQ(error_of<InputError>([&] { run(machine, program(events), strict); }), "");
    }
    for (const Events& events : beyond) {
        EXPECT_EQ(told(run(machine, program(events)), "of device memory are in use"), 1u);
        const std::string error = error_of<InputError>([&] { run(machine, program(events), strict); });
        EXPECT_EQ(error_of<InputError>([&] { run(small_machine({"capacity=enforced"}), program(events)); }),
                  error);
        const std::string middle = " of device memory are in use, but memories.dram has ";
        const std::size_t at = error.find(middle);
        ASSERT_NE(at, std::string::npos) << error;
        EXPECT_NE(error.substr(0, at), error.substr(at + middle.size())) << error;
    }
}

TEST(HostCopies, FillL2OnlyWhereTheMachineSaysSo) {
    // Sixteen dependent loads of copied lines: L2 hits, or reads from DRAM.
    const auto chase = [] {
        return program(
            {CopyEvent{CopyKind::host_to_device, kData, 0, 16 * 128, 0}, kernel({}, [](WarpWriter& w) {
                 for (u64 k = 0; k < 16; ++k) w.load1(1, {1}, kData + k * 128);
             })});
    };
    const RunRecord filled = run(small_machine({}), chase());
    const RunRecord cold = run(small_machine({"l2.fill_on_host_copy=false"}), chase());
    EXPECT_EQ(counter(filled, "gpu.l2.read_hits"), 16u);
    EXPECT_EQ(counter(filled, "gpu.l2.fetches"), 0u);
    EXPECT_EQ(counter(cold, "gpu.l2.read_hits"), 0u);
    EXPECT_EQ(counter(cold, "gpu.l2.fetches"), 16u);
}
