// What --dump-requests writes is what the run did: replayed by the memory alone, it gives the same commands.

#include "machine/request_dump.h"

#include <filesystem>
#include <unistd.h>

#include "dram/alone.h"
#include "lab.h"

namespace heddle::test {
namespace {

/// Loads of single sectors all over 64 MiB and stores among them, slow enough for the queues never to fill.
std::unique_ptr<StreamSource> scattered(u32 ctas) {
    return program({kernel({.ctas = ctas}, [](WarpWriter& w) {
        u64 x = 0x9e3779b97f4a7c15ull * (w.cta + 1);
        for (u32 k = 0; k < 60; ++k) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            const u64 at = kData + (x & ((u64{64} << 20) - 1) & ~u64{31});
            if (k % 4 == 3)
                w.store1(at);
            else
                w.load1(1, {}, at);
            w.use(1);
        }
    })});
}

struct Dumped {
    RunRecord record;
    dram::Statistics memory;
    std::vector<dram::StreamEntry> dram, l2;
    u64 wrapped = 0;
};

Dumped dumped(const MachineSettings& machine, std::unique_ptr<StreamSource> source) {
    const std::string file = testing::TempDir() + "heddle_requests_" + std::to_string(getpid());
    Simulation simulation(machine);
    simulation.add(std::move(source));
    Dumped d;
    RequestDump dump(simulation.machine(), file);
    d.record = simulation.run({});
    dump.finish();
    d.wrapped = dump.wrapped();
    for (const auto& p : simulation.memory().partitions())
        d.memory.merge(p->channel().statistics(Cycle(1'000'000)));
    const u64 limit = dram::memory_bytes(simulation.memory().settings());
    d.dram = dram::read_stream(file, limit);
    d.l2 = dram::read_stream(file + ".l2", limit);
    std::filesystem::remove(file);
    std::filesystem::remove(file + ".l2");
    return d;
}

dram::AloneResult replayed(const MachineSettings& machine, const std::vector<dram::StreamEntry>& stream) {
    const GpuSettings& gpu = machine.gpus.at("gpu");
    const dram::MemorySettings& memory = machine.memories.at(gpu.memory);
    const AddressMap map(gpu.address_map, memory.channels, gpu.l2.slices_per_channel);
    dram::AloneOptions options;
    options.map = &map;
    options.requests_per_clock = 64;
    return dram::run_alone(memory, stream, options);
}

TEST(RequestDump, ReplayedByTheMemoryAloneGivesTheSameCommandsAndLatencies) {
    const MachineSettings machine =
        small_machine({"dram.channels=3", "gpu.l2.slices_per_channel=2", "gpu.address_map.hash=xor_fold",
                       "dram.refresh=all_bank", "gpu.sms=4", "gpu.l1.sectored=true", "gpu.l2.sectored=true"});
    const Dumped run = dumped(machine, scattered(16));
    const dram::AloneResult replay = replayed(machine, run.dram);
    EXPECT_GT(run.memory.reads, 500u);
    EXPECT_GT(run.memory.writes, 0u);
    EXPECT_EQ(replay.total.reads, run.memory.reads);
    EXPECT_EQ(replay.total.writes, run.memory.writes);
    EXPECT_EQ(replay.total.forwarded_reads, run.memory.forwarded_reads);
    EXPECT_EQ(replay.total.rows, run.memory.rows);
    EXPECT_EQ(replay.total.count(dram::CommandKind::activate), run.memory.count(dram::CommandKind::activate));
    EXPECT_EQ(replay.total.read_latency.sum(), run.memory.read_latency.sum());
    EXPECT_EQ(replay.total.write_latency.sum(), run.memory.write_latency.sum());
}

TEST(RequestDump, HoldsALineForEachAccessOfAWholeLineAndL2sRequestsBesideDrams) {
    // One load of a whole line of 128 bytes; GDDR5 moves 32 with a column command.
    const MachineSettings machine =
        small_machine({"gpu.l1.sectored=false", "gpu.l2.sectored=false", "gpu.l2.write=back"});
    const Dumped run = dumped(machine, program({kernel({}, [](WarpWriter& w) {
                                  w.load(1, {}, w.lanes(kData + 0x1000, 4));
                                  w.use(1);
                                  w.memory(MemOp::reduction, WarpWriter::kNone, {}, {kData + 0x1000}, {}, 1);
                              })}));
    ASSERT_EQ(run.dram.size(), 4u);
    for (u64 k = 0; k < 4; ++k) {
        EXPECT_EQ(run.dram[k].address, 0x1000 + 32 * k);
        EXPECT_FALSE(run.dram[k].write);
        EXPECT_EQ(run.dram[k].not_before, run.dram[0].not_before);
    }
    // The load's line, and the reduction as a read and a write of its sector.
    ASSERT_EQ(run.l2.size(), 6u);
    EXPECT_EQ(run.l2[3].address, 0x1060u);
    EXPECT_LT(run.l2[0].not_before, run.dram[0].not_before);
    EXPECT_EQ(run.l2[4].address, 0x1000u);
    EXPECT_FALSE(run.l2[4].write);
    EXPECT_TRUE(run.l2[5].write);
    EXPECT_EQ(run.wrapped, 0u);
}

TEST(RequestDump, CountsWhatLiesBeyondTheMemoryAndKeepsItReadable) {
    // A second region of 4 GiB lies beyond the 128 MiB of this memory.
    const Dumped run = dumped(small_machine(), program({kernel({}, [](WarpWriter& w) {
                                  w.load1(1, {}, kData);
                                  w.load1(2, {}, 5 * kData);
                              })}));
    EXPECT_GT(run.wrapped, 0u);
    for (const dram::StreamEntry& e : run.dram) EXPECT_EQ(e.address & 0xfff, e.address);
}

}  // namespace
}  // namespace heddle::test
