// A stream reaches the bound of its narrowest station, and never more. Where the bound is exact it is measured
// between two lengths of the same program, so that start and end drop out.

#include <gtest/gtest.h>

#include "machine/lab.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// Every latency short, every queue long: what limits a stream is what a test makes narrow.
std::vector<std::string> wide(std::vector<std::string> sets) {
    std::vector<std::string> all = {"gpu.sms=1",           "sm.schedulers=4",
                                    "sm.warps=64",         "sm.threads=2048",
                                    "lsu.queue=64",        "l1.mshrs=4096",
                                    "l1.mshr_merges=4096", "l1.size=128KiB",
                                    "l1.ways=64",          "l2.size=256KiB",
                                    "l2.mshrs=4096",       "l2.mshr_merges=4096",
                                    "l2.bank_queue=256",   "l2.reply_queue=4096",
                                    "l2.dram_queue=4096",  "crossbar.credits=4096",
                                    "crossbar.flit=256B",  "crossbar.output_queue=256",
                                    "l2.port_bytes=128B"};
    all.insert(all.end(), sets.begin(), sets.end());
    return all;
}

/// Cycles that each of the further `more` instructions of a warp costs, times `more`.
template <class Write>
u64 growth(const std::vector<std::string>& sets, const KernelShape& shape, u32 count, u32 more, Write write,
           bool from_l2 = false) {
    auto length = [&](u32 n) {
        std::vector<ScriptSource::Event> events;
        if (from_l2) events.push_back(CopyEvent{CopyKind::host_to_device, kData, 0, 128 * 1024, 0});
        events.push_back(kernel(shape, [&](WarpWriter& w) {
            for (u32 k = 0; k < n; ++k) write(w, k);
        }));
        return run(small_machine(sets), program(std::move(events))).apps[0].kernels[0].cycles;
    };
    return length(count + more) - length(count);
}

std::vector<u64> whole_line(u64 line) {
    std::vector<u64> a;
    for (u64 l = 0; l < 32; ++l) a.push_back(kData + line * 128 + l * 4);
    return a;
}
std::vector<u64> lines_32(u64 first) {
    std::vector<u64> a;
    for (u64 l = 0; l < 32; ++l) a.push_back(kData + (first + l) * 128);
    return a;
}

}  // namespace

TEST(Throughput, ArithmeticIssuesOneInstructionASchedulerAnInterval) {
    for (u32 schedulers : {1u, 2u, 4u})
        for (u32 interval : {1u, 3u})
            for (bool shared : {false, true}) {
                const u32 warps = 8, each = 50;
                const u64 issued = warps * each / (shared ? 1 : schedulers);
                // The last of `issued` starts this many intervals after the first; one cycle before, one after.
                EXPECT_EQ(cycles({"sm.schedulers=" + std::to_string(schedulers),
                                  "fp32_mad.interval=" + std::to_string(interval), "fp32_mad.pipe=fp32",
                                  std::string("shared_pipes.fp32=") + (shared ? "true" : "false")},
                                 {.threads = warps * 32},
                                 [&](WarpWriter& w) {
                                     for (u32 k = 0; k < each; ++k) w.alu(OpClass::fp32_mad);
                                 }),
                          (issued - 1) * interval + 2)
                    << schedulers << " schedulers, interval " << interval << (shared ? ", shared" : "");
            }
}

TEST(Throughput, TwoPipesOfASchedulerOverlapAndOneSchedulerIssuesOneInstructionACycle) {
    auto mixed = [](WarpWriter& w) {
        for (u32 k = 0; k < 100; ++k) w.alu(w.warp % 2 == 0 ? OpClass::fp64 : OpClass::sfu);
    };
    // Warps alternate between two pipes of interval 4: each pipe gets 4 x 100 instructions, side by side.
    const std::vector<std::string> sets = {"sm.schedulers=1", "ops.fp64.pipe=fp64", "ops.sfu.pipe=sfu",
                                           "ops.fp64.interval=4", "ops.sfu.interval=4"};
    const u64 measured = cycles(sets, {.threads = 8 * 32}, mixed);
    EXPECT_GE(measured, 399u * 4 + 2);
    EXPECT_LE(measured, 399u * 4 + 2 + 1);  // the second pipe starts a cycle later
}

TEST(Throughput, TheLoadStoreUnitSendsItsLinesACycle) {
    for (u32 lines : {1u, 2u, 4u, 8u})
        EXPECT_EQ(growth(wide({"lines_per_cycle=" + std::to_string(lines)}), {.threads = 64}, 20, 30,
                         [](WarpWriter& w, u32 k) { w.load(static_cast<int>(k % 60), {}, lines_32(0)); }),
                  u64{30} * 2 * 32 / lines)
            << lines;
}

TEST(Throughput, SharedMemoryServesOneConflictFreeAccessACycleAndPaysForEachFurtherPass) {
    for (u32 pass : {1u, 2u})
        for (u32 stride : {1u, 2u, 8u, 32u}) {
            // Lane l reads word l * stride: `stride` lanes fall into each bank they use.
            EXPECT_EQ(growth(wide({"cycles_per_pass=" + std::to_string(pass)}),
                             {.threads = 128, .shared_bytes = 8192}, 20, 50,
                             [&](WarpWriter& w, u32 k) {
                                 w.shared(MemOp::load, static_cast<int>(k % 60), {}, w.lanes(0, 4 * stride));
                             }),
                      u64{50} * 4 * (1 + (stride - 1) * pass))
                << "stride " << stride << ", pass " << pass;
        }
}

TEST(Throughput, ThePortOfAnSmTakesOneFlitOfAnswersACycle) {
    // Whole lines out of four L2 slices that together give more than a line a cycle; 8 + 128 bytes an answer.
    for (u32 flit : {16u, 32u, 64u}) {
        const u64 flits = (8 + 128 + flit - 1) / flit;
        EXPECT_EQ(growth(
                      wide({"crossbar.flit=" + std::to_string(flit) + "B", "l1.enabled=false",
                            "dram.channels=4", "l2.size=128KiB"}),
                      {.threads = 32 * 32}, 8, 24,
                      [](WarpWriter& w, u32 k) {
                          w.load(static_cast<int>(k % 32), {}, whole_line(k * 32 + w.warp));
                      },
                      true),
                  24 * 32 * flits)
            << flit;
    }
}

TEST(Throughput, ThePortOfAnSmSendsOneFlitOfStoresACycle) {
    for (u32 flit : {16u, 32u, 64u}) {
        const u64 flits = (8 + 128 + flit - 1) / flit;
        EXPECT_EQ(growth(
                      wide({"crossbar.flit=" + std::to_string(flit) + "B", "dram.channels=4", "l2.write=back",
                            "l2.write_allocate=true"}),
                      {.threads = 32 * 32}, 8, 24,
                      [](WarpWriter& w, u32 k) { w.store({}, whole_line(k * 32 + w.warp)); }, true),
                  24 * 32 * flits)
            << flit;
    }
}

TEST(Throughput, AnL2PortMovesItsBytesACycle) {
    for (u32 port : {16u, 32u, 128u})
        for (u32 ports : {1u, 2u}) {
            const u64 held = 128 / port;
            if (held == 1 && ports == 2) continue;  // then the crossbar port is narrower
            EXPECT_EQ(growth(
                          wide({"l2.port_bytes=" + std::to_string(port) + "B", "l1.enabled=false",
                                "bank_ports=" + std::to_string(ports)}),
                          {.threads = 32 * 32}, 8, 24,
                          [](WarpWriter& w, u32 k) {
                              w.load(1 + static_cast<int>(k), {}, whole_line(k * 32 + w.warp));
                          },
                          true),
                      24 * 32 * held / ports)
                << port << " bytes, " << ports << " ports";
        }
}

TEST(Throughput, BanksOfASliceWorkSideBySideAndAnOccupiedPortTakesNothing) {
    auto read = [](WarpWriter& w, u32 k) {
        w.load(1 + static_cast<int>(k), {}, whole_line(k * 32 + w.warp));
    };
    EXPECT_EQ(growth(wide({"l2.banks=2", "bank_occupancy=8", "l1.enabled=false"}), {.threads = 1024}, 8, 24,
                     read, true),
              24u * 32 * 8 / 2);
    EXPECT_EQ(growth(wide({"l2.banks=1", "bank_occupancy=8", "l1.enabled=false"}), {.threads = 1024}, 8, 24,
                     read, true),
              24u * 32 * 8);
}

TEST(Throughput, AtomicsOfALineTakeAPortIntervalForEachLane) {
    // All 32 lanes of each warp on one word.
    EXPECT_EQ(growth(
                  wide({"atomic_interval=2"}), {.threads = 1024}, 4, 16,
                  [](WarpWriter& w, u32) {
                      w.memory(MemOp::reduction, WarpWriter::kNone, {}, w.lanes(kData, 0), {});
                  },
                  true),
              16u * 32 * 32 * 2);
}

TEST(Throughput, AReadStreamComesNearTheBandwidthOfDramAndNeverAboveIt) {
    // GDDR5 at 1 GHz: 32 bytes in BL = 2 clocks, so 16 bytes a core cycle and channel.
    for (u32 channels : {1u, 2u}) {
        const u32 bytes = 1 << 20;
        const u64 measured =
            cycles(wide({"gpu.sms=4", "dram.channels=" + std::to_string(channels), "dram.timing.CCDL=2cycles",
                         "crossbar.credits=64"}),
                   {.ctas = 32, .threads = 256}, [&](WarpWriter& w) {
                       for (u32 k = 0; k < 32; ++k)
                           w.load(static_cast<int>(k), {}, whole_line((w.cta * 8 + w.warp) * 32 + k));
                   });
        const u64 bound = bytes / 16 / channels;
        EXPECT_GE(measured, bound);
        EXPECT_LE(measured, bound * 110 / 100) << channels << " channels";
    }
}

TEST(Throughput, AWriteStreamComesNearTheBandwidthOfDramAndNeverAboveIt) {
    // Stores are done for their warps when L2 has them; what the queues on the way to DRAM hold is not yet there.
    const u64 bytes = 1 << 19, held = (64 + 8) * 128;
    const u64 measured =
        cycles(wide({"gpu.sms=4", "dram.timing.CCDL=2cycles", "l2.dram_queue=8", "l2.bank_queue=8"}),
               {.ctas = 32, .threads = 256}, [&](WarpWriter& w) {
                   for (u32 k = 0; k < 16; ++k) w.store({}, whole_line((w.cta * 8 + w.warp) * 16 + k));
               });
    EXPECT_GE(measured, (bytes - held) / 16);
    EXPECT_LE(measured, bytes / 16 * 115 / 100);
}
