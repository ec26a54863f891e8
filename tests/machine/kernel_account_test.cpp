// What each kernel did to the memory system: kernels add up to their application, and a lone application's to the
// machine. The bandwidths of L1, L2 and crossbar against closed forms.

#include <gtest/gtest.h>
#include <numeric>

#include "machine/lab.h"
#include "report/kernel_table.h"
#include "sim/random.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// Random lines read and written, some of them again.
std::shared_ptr<const ScriptKernel> traffic(u64 seed, u64 stream, u32 ctas) {
    auto random = std::make_shared<Random>(seed, "kernel account");
    return kernel({.ctas = ctas, .threads = 64, .stream = stream}, [random](WarpWriter& w) {
        for (u32 k = 0; k < 6; ++k) {
            const u64 base = kData + (random->next() % 4096) * 128;
            if (random->next() % 3 == 0)
                w.store({}, w.lanes(base, 4));
            else
                w.load(1, {}, w.lanes(base, 16));
            w.use(1);
        }
    });
}

MemoryCounts sum_of(const AppRecord& app) {
    MemoryCounts::All sum{};
    for (const KernelRecord& k : app.kernels) {
        const auto part = k.memory.all();
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    return MemoryCounts::from(sum);
}

void expect_machine_totals(const RunRecord& r, const std::string& what) {
    SCOPED_TRACE(what);
    const MemoryCounts m = sum_of(r.apps[0]);
    for (std::size_t s = 0; s < m.warp_cycles.size(); ++s)
        EXPECT_EQ(m.warp_cycles[s], r.stalls[s].warp_cycles) << r.stalls[s].cause;
    EXPECT_EQ(m.load_lines, counter(r, "gpu.sm.load_requests"));
    EXPECT_EQ(m.store_lines, counter(r, "gpu.sm.store_requests"));
    EXPECT_EQ(m.l1_read_sectors, counter(r, "gpu.sm.l1.read_sectors"));
    EXPECT_EQ(m.l1_read_sector_hits, counter(r, "gpu.sm.l1.read_sector_hits"));
    EXPECT_EQ(m.l2_reads,
              counter(r, "gpu.l2.reads") + counter(r, "gpu.l2.atomics") + counter(r, "gpu.l2.bypassed"));
    EXPECT_EQ(m.l2_writes, counter(r, "gpu.l2.writes"));
    EXPECT_EQ(m.l2_read_sectors, counter(r, "gpu.l2.read_sectors"));
    EXPECT_EQ(m.l2_read_sector_hits, counter(r, "gpu.l2.read_sector_hits"));
    EXPECT_EQ(m.l2_write_sectors, counter(r, "gpu.l2.write_sectors"));
    const MemoryRecord& d = r.memories[0];
    EXPECT_EQ(m.dram_reads, d.reads + counter(r, "dram.forwarded_reads"));
    EXPECT_EQ(m.dram_writes, d.writes);
    EXPECT_EQ(m.dram_read_bytes, d.read_bytes);
    EXPECT_EQ(m.dram_write_bytes, d.write_bytes);
    EXPECT_EQ(m.row_hits, d.row_hits);
    EXPECT_EQ(m.row_misses, d.row_misses);
    EXPECT_EQ(m.row_conflicts, d.row_conflicts);
    u64 loads = 0, latency = 0;
    for (const KernelRecord& k : r.apps[0].kernels) loads += k.loads, latency += k.load_latency_cycles;
    EXPECT_EQ(loads, r.load_latency_cycles->count);
    EXPECT_EQ(latency, r.load_latency_cycles->sum);
}

}  // namespace

TEST(KernelAccount, KernelsAddUpToTheRun) {
    for (const bool overlap : {false, true})
        for (const u64 cut : {u64{0}, u64{700}})
            for (const char* write : {"through", "back"}) {
                std::vector<ScriptSource::Event> events;
                for (u64 k = 0; k < 6; ++k)
                    events.push_back(traffic(k, overlap ? k % 3 : 0, static_cast<u32>(1 + 2 * k)));
                RunOptions options;
                options.max_cycles = cut;
                const RunRecord r = run(small_machine({std::string("l2.write=") + write}),
                                        program(std::move(events)), options);
                expect_machine_totals(r, std::string(write) + (overlap ? ", overlapping" : ", in sequence") +
                                             (cut != 0 ? ", cut off" : ""));
                bool shared = false;
                for (const KernelRecord& k : r.apps[0].kernels) shared |= k.shared;
                EXPECT_EQ(shared, overlap);
            }
}

TEST(KernelAccount, KernelsInSequenceGetWhatTheyDid) {
    // The first reads eight lines, the second reads them again from L2, the third only computes.
    auto reads = [](WarpWriter& w) {
        for (u32 k = 0; k < 8; ++k) {
            w.load(1, {}, w.lanes(kData + k * 128, 4));
            w.use(1);
        }
    };
    const RunRecord r =
        run(small_machine(),
            program({kernel({}, reads), kernel({}, reads), kernel({}, [](WarpWriter& w) { w.alu(); })}));
    const auto& k = r.apps[0].kernels;
    for (const u32 n : {0u, 1u}) {
        EXPECT_EQ(k[n].memory.load_lines, 8u);
        EXPECT_EQ(k[n].memory.l2_reads, 8u);
        EXPECT_EQ(k[n].memory.l2_read_sectors, 32u);
        EXPECT_EQ(k[n].loads, 8u);
        EXPECT_FALSE(k[n].shared);
    }
    EXPECT_EQ(k[0].memory.l2_misses, 8u);
    EXPECT_EQ(k[0].memory.dram_read_bytes, 1024u);
    EXPECT_EQ(k[1].memory.l2_hits, 8u);
    EXPECT_EQ(k[1].memory.dram_read_bytes, 0u);
    EXPECT_EQ(k[2].memory.l2_reads, 0u);
    EXPECT_EQ(k[2].memory.dram_reads, 0u);
    EXPECT_EQ(k[2].loads, 0u);
    const std::string table = report::kernel_table(r);
    EXPECT_NE(table.find("kernel"), std::string::npos);
    EXPECT_NE(table.find("50.0 %"), std::string::npos) << table;  // L2 hits of the launches together
}

TEST(KernelAccount, ApplicationsAreToldApartWhereTheyOverlap) {
    Simulation simulation(small_machine());
    for (u32 a = 0; a < 2; ++a) {
        auto source = [a] { return program({traffic(10 + a, 0, 2 + 6 * a), traffic(20 + a, 0, 3)}); };
        simulation.add(source(), source, {.first_sm = a, .sms = 1, .part = a, .parts = 2});
    }
    const RunRecord r = simulation.run({});
    for (const AppRecord& app : r.apps) {
        ASSERT_EQ(app.kernels.size(), 2u);
        const MemoryCounts m = sum_of(app);
        EXPECT_EQ(m.load_lines, counter(app, "sm.load_requests"));
        EXPECT_EQ(m.l2_reads, counter(app, "l2.reads"));
        EXPECT_EQ(m.l2_misses, counter(app, "l2.misses"));
        EXPECT_EQ(m.l2_writes, counter(app, "l2.writes"));
        EXPECT_EQ(m.dram_read_bytes, counter(app, "dram.read_bytes"));
        EXPECT_EQ(m.row_hits, counter(app, "dram.row_hits"));
        for (const KernelRecord& k : app.kernels) EXPECT_FALSE(k.shared);
    }
}

TEST(Throughputs, AreBytesByWhatTheLevelCouldMove) {
    const RunRecord r = run({"l1.enabled=true"}, {}, [](WarpWriter& w) {
        for (u32 k = 0; k < 8; ++k) {
            w.load(1, {}, w.lanes(kData + k * 128, 4));
            w.use(1);
        }
    });
    ASSERT_EQ(r.throughputs.size(), 3u);
    const ThroughputRecord &l1 = r.throughputs[0], &l2 = r.throughputs[1], &crossbar = r.throughputs[2];
    EXPECT_EQ(l1.bytes, 8u * 128);
    EXPECT_EQ(l2.bytes, 8u * 128);
    // Two SMs look up a line a cycle each; one bank port moves 32 bytes a cycle; one slice is behind the crossbar.
    EXPECT_EQ(l1.peak_bytes, 4 * l2.peak_bytes * 2);
    EXPECT_EQ(crossbar.peak_bytes, 2 * l2.peak_bytes);
    // A read is a flit of header, its answer 8 + 128 bytes in flits of 32.
    EXPECT_EQ(crossbar.bytes, 8u * (1 + 5) * 32);
    EXPECT_EQ(l2.peak_bytes % 32, 0u);
    EXPECT_GE(l2.peak_bytes, r.cycles * 32);
}
