// The shipped machines and the declarations behind them.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "built.h"
#include "cli/program.h"
#include "config/machine_file.h"
#include "config/manual.h"
#include "dram/geometry.h"
#include "machine/settings.h"

namespace heddle {
namespace {

MachineSettings shipped(const std::string& name) {
    return config::load(MachineSettings::schema(), {.machine = name, .sets = {}});
}

TEST(Machines, TheDeclarationsHaveNoDefects) {
    EXPECT_EQ(config::defects(MachineSettings::schema()), std::vector<std::string>{});
}

TEST(Machines, TheReferenceManualIsCurrent) {
    std::ifstream file(checkout("docs/reference.md"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    // The program, not this test, whose tests register policies of their own.
    const Ended manual = heddle_run({"explain", "--manual"});
    EXPECT_EQ(manual.code, 0);
    EXPECT_TRUE(text == manual.out) << "renew it: heddle explain --manual > docs/reference.md";
}

TEST(Machines, CarryTheFiguresOfTheirSources) {
    const struct {
        const char* name;
        u32 sms, warps;
        u64 clock_mhz, l1_kib, l2_kib;  // L1 of an SM, L2 in all
        u64 peak_mb_per_s;
        const char* source;
    } wanted[] = {
        {"gtx480", 15, 48, 700, 16, 768, 177'408, "384 bits at 3.696 Gb/s"},
        {"gtx480-wg", 30, 32, 1400, 32, 768, 288'000,
         "Chatterjee et al., SC 2014, Table II: 6.0 Gb/s x 384 bits"},
        {"gtx480-wg-sim", 30, 32, 700, 32, 768, 288'000, "the same; clocks 700:700:700 of GPGPU-Sim 3.x"},
        {"kepler-its", 30, 48, 1400, 16, 768, 88'704, "Jog et al., MEMSYS 2015: 6 x 924 MHz x 4 x 4 B"},
        {"kepler-its-sim", 30, 48, 700, 16, 768, 88'704, "the same; core clock of GPGPU-Sim 3.x"},
        {"maxwell-mask", 30, 64, 1020, 16, 2048, 214'272, "Ausavarungnirun 2017: 8 x 1674 MHz x 4 x 4 B"},
        {"qv100", 80, 64, 1132, 128, 6144, 870'400, "32 x 128 bits x 850 MHz x 2"},
        {"h200", 132, 64, 1980, 256, 60'160, 4'814'304, "6,016 bits x 3,201 MHz x 2"},
    };
    for (const auto& w : wanted) {
        SCOPED_TRACE(std::string(w.name) + ": " + w.source);
        const MachineSettings m = shipped(w.name);
        ASSERT_EQ(m.gpus.size(), 1u);
        const GpuSettings& g = m.gpus.begin()->second;
        const dram::MemorySettings& memory = m.memories.at(g.memory);
        EXPECT_EQ(g.sms, w.sms);
        EXPECT_EQ(g.sm.warps, w.warps);
        EXPECT_EQ(g.sm.threads, w.warps * 32);
        EXPECT_EQ(g.clock_hz, w.clock_mhz * 1'000'000);
        EXPECT_EQ(g.l1.size_bytes, w.l1_kib << 10);
        EXPECT_EQ(g.l2.size_bytes * g.l2.slices_per_channel * memory.channels, w.l2_kib << 10);
        EXPECT_EQ(dram::resolve(memory).peak_bytes_per_s() * memory.channels, w.peak_mb_per_s * 1'000'000);
    }
}

TEST(Machines, ThoseOfThePublicSimulatorHaveItsMshrsQueuesDelaysAndFetchOnWrite) {
    const struct {
        const char* name;
        u32 l1_mshrs, l2_mshrs;
    } wanted[] = {{"gtx480-wg-sim", 32, 32}, {"kepler-its-sim", 128, 128}};
    for (const auto& w : wanted) {
        SCOPED_TRACE(w.name);
        const MachineSettings m = shipped(w.name);
        const GpuSettings& g = m.gpus.begin()->second;
        EXPECT_EQ(g.l1.mshrs, w.l1_mshrs);
        EXPECT_EQ(g.l1.mshr_merges, 8u);
        EXPECT_EQ(g.crossbar.output_queue, 8u);
        EXPECT_EQ(g.l2.mshrs, w.l2_mshrs);
        EXPECT_EQ(g.l2.mshr_merges, 4u);
        EXPECT_EQ(g.l2.dram_queue, 4u);
        EXPECT_EQ(g.l2.front_latency, Cycle(120));
        EXPECT_EQ(g.memory_latency, Cycle(100));
        for (const CacheSettings* cache :
             {static_cast<const CacheSettings*>(&g.l1), static_cast<const CacheSettings*>(&g.l2)})
            EXPECT_EQ(cache->allocate, AllocatePolicy::on_miss);
        EXPECT_EQ(g.l2.write_miss, WriteMiss::fetch);
    }
}

TEST(Machines, AFetchOnAWriteMissNeedsALineToFetchInto) {
    try {
        config::load(MachineSettings::schema(),
                     {.machine = "kepler-its-sim", .sets = {"l2.write_allocate=false"}});
        FAIL() << "accepted";
    } catch (const InputError& e) {
        EXPECT_EQ(std::string(e.what()),
                  "--set l2.write_allocate=false: write_miss: fetch needs write_allocate: without it there "
                  "is no line to "
                  "fetch into");
    }
}

TEST(Machines, AColumnCommandMovesAsManyBytesAsItsBusAndBurstMake) {
    const std::pair<const char*, u32> wanted[] = {{"gtx480", 64},       {"gtx480-wg", 64}, {"kepler-its", 32},
                                                  {"maxwell-mask", 32}, {"qv100", 32},     {"h200", 32}};
    for (const auto& [name, bytes] : wanted) {
        const MachineSettings m = shipped(name);
        EXPECT_EQ(dram::resolve(m.memories.begin()->second).geometry.access_bytes, bytes) << name;
    }
}

/// Latency of one warp's dependent loads, one sector each.
nlohmann::json chase(const std::string& machine, const std::vector<std::string>& more) {
    const Ended run = heddle_run(with({"run", "chase", "--json", "-m", machine, "--ctas", "1", "--threads",
                                       "32", "--divergence", "1", "--bytes", "1"},
                                      more));
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out)["load_latency_cycles"];
}

TEST(Machines, H200LoadsTakeTheMeasuredTimes) {
    EXPECT_EQ(chase("h200", {"--footprint", "16KiB", "--accesses", "2000"})["p50"], 42);
    // Percentiles above 64 are the upper ends of buckets; that of 290 ends at 295.
    const auto l2 =
        chase("h200", {"--footprint", "16KiB", "--accesses", "2000", "--set", "l1.enabled=false"});
    EXPECT_EQ(l2["p50"], 295);
    EXPECT_NEAR(chase("h200", {"--footprint", "512MiB", "--accesses", "3000"})["mean"].get<double>(), 665,
                665 * 0.02);
}

TEST(Machines, AResolvedDescriptionGivesTheSameMachineAgain) {
    for (const config::ShippedMachine& s : config::shipped_machines()) {
        const MachineSettings m = shipped(s.name);
        const std::string text = config::to_yaml(config::describe(MachineSettings::schema(), m));
        const MachineSettings again = config::parse(MachineSettings::schema(), text, "description");
        EXPECT_EQ(config::to_yaml(config::describe(MachineSettings::schema(), again)), text) << s.name;
    }
}

}  // namespace
}  // namespace heddle
