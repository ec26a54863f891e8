// What copies of the host cost: nothing, or their bytes at a bandwidth.

#include "machine/host_copies.h"

#include "machine/numa_lab.h"

using namespace heddle;
using namespace heddle::test;

namespace {

constexpr u64 kMega = 1'000'000;

HostCopies copies(HostCopyCost cost, u64 hertz) {
    HostCopySettings s;
    s.cost = cost;
    s.bytes_per_s = 80'000'000'000;
    return {s, hertz};
}

std::shared_ptr<const ScriptKernel> short_kernel() {
    return kernel({}, [](WarpWriter& w) { w.alu(); });
}

}  // namespace

TEST(HostCopies, AFootprintTakesItsBytesAtTheBandwidth) {  // N-7
    HostCopies c = copies(HostCopyCost::footprint, 1'000'000'000);
    c.allocated(0, {0, 100 * kMega}, Cycle(0));
    EXPECT_EQ(c.until(0), Cycle(1'250'000));  // 1.25 ms
    HostCopies mebi = copies(HostCopyCost::footprint, 1'000'000'000);
    mebi.allocated(0, {0, 100u << 20}, Cycle(0));
    EXPECT_EQ(mebi.until(0), Cycle(1'310'720));
    // What the host allocates for itself does not cross, nor do the program's own copies.
    c.allocated(0, {0, 100 * kMega, AllocEvent::Kind::host}, Cycle(0));
    c.copied(0, {CopyKind::host_to_device, 0, 0, 100 * kMega}, Cycle(0));
    EXPECT_EQ(c.until(0), Cycle(1'250'000));
    EXPECT_EQ(c.until(1), Cycle(0));
    EXPECT_EQ(c.bytes(), 100 * kMega);
}

TEST(HostCopies, CopiesOfAnApplicationFollowOneAnother) {
    HostCopies c = copies(HostCopyCost::timed, 1'400'000'000);
    c.copied(0, {CopyKind::host_to_device, 0, 0, 8 * kMega}, Cycle(1000));
    EXPECT_EQ(c.until(0), Cycle(1000 + 140'000));
    c.copied(0, {CopyKind::device_to_host, 0, 0, 1}, Cycle(2000));
    EXPECT_EQ(c.until(0), Cycle(1000 + 140'000 + 1));  // a started cycle counts
    c.copied(0, {CopyKind::device_to_device, 0, 0, kMega}, Cycle(2000));
    c.copied(0, {CopyKind::set, 0, 0, kMega}, Cycle(2000));
    EXPECT_EQ(c.until(0), Cycle(141'001));
    c.copied(1, {CopyKind::host_to_device, 0, 0, 8 * kMega}, Cycle(2000));
    EXPECT_EQ(c.until(1), Cycle(142'000));
    // A copy of more bytes than any machine has does not overflow.
    c.copied(0, {CopyKind::host_to_device, 0, 0, ~u64{0}}, Cycle(2000));
    EXPECT_GT(c.until(0), Cycle(u64{1} << 58));
}

TEST(HostCopies, KernelsAndTheEndWaitForThem) {
    // 80 bytes a cycle at 1 GHz.
    const auto cycles = [](const char* cost, std::vector<ScriptSource::Event> events) {
        return run(numa_machine({std::string("host_copies.cost=") + cost}), program(std::move(events)))
            .cycles;
    };
    const auto work = short_kernel();
    const u64 alone = cycles("free", {work});
    const CopyEvent in{CopyKind::host_to_device, kData, 0, 80'000},
        out{CopyKind::device_to_host, 0, kData, 160'000};
    EXPECT_EQ(cycles("free", {in, work, out}), alone);
    EXPECT_EQ(cycles("timed", {in, work}), alone + 1000);
    EXPECT_EQ(cycles("timed", {in, work, out}), alone + 3000);
    EXPECT_EQ(cycles("footprint", {AllocEvent{kData, 400'000}, in, work, out}), alone + 5000);
}

TEST(HostCopies, AProgramThatCouldRunAgainEndsAfterThem) {
    const std::vector<ScriptSource::Event> events{short_kernel(),
                                                  CopyEvent{CopyKind::device_to_host, 0, kData, 160'000}};
    const auto cycles = [&](bool again) {
        Simulation simulation(numa_machine({"host_copies.cost=timed"}));
        const Reopen reopen = [&] { return program(events); };
        simulation.add(program(events), again ? reopen : Reopen());
        RunOptions options;
        options.max_cycles = 100'000;
        return simulation.run(options).cycles;
    };
    EXPECT_EQ(cycles(true), cycles(false));
}

TEST(HostCopies, TheWatchdogWaitsForThem) {
    // A tenth of a second, in which only refreshes happen.
    const auto work = short_kernel();
    const RunRecord r =
        run(numa_machine({"host_copies.cost=timed", "host_copies.bandwidth=1GB/s", "watchdog=10000"}),
            program({CopyEvent{CopyKind::host_to_device, kData, 0, 100'000'000}, work}));
    EXPECT_GT(r.cycles, 100'000'000u);
}
