// Whole kernels from tests/ptx/data/programs.cu: waiting between blocks, calls, printf, assert, malloc, memory spaces.

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "built.h"
#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

std::string programs() {
    std::ifstream file(checkout("tests/ptx/data/programs.ptx"));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Programs : ::testing::Test {
    Programs() : d(programs()) {}
    u64 zeros(std::size_t n) { return d.upload(std::vector<int>(n)); }
    Device d;
};
using PtxPrograms = Programs;

/// Every wait names a signal of another CTA, and each signal is given once.
void check_edges(const StreamKeeper& s, std::size_t least_waits) {
    std::map<u32, u64> signals;
    std::vector<std::pair<u32, u64>> waits;
    for (const auto& [cta, warps] : s.warps)
        for (u32 w = 0; w < warps.size(); ++w)
            s.each(cta, w, [&, cta = cta](const StaticInst& inst, const DynInst& i) {
                if (!i.has_edge) return;
                EXPECT_TRUE(inst.is_memory());
                if (i.edge_kind() == EdgeKind::signal)
                    EXPECT_TRUE(signals.emplace(i.edge_number(), cta).second)
                        << "signal " << i.edge_number() << " twice";
                else
                    waits.emplace_back(i.edge_number(), cta);
            });
    EXPECT_GE(waits.size(), least_waits);
    for (const auto& [edge, cta] : waits) {
        ASSERT_TRUE(signals.contains(edge)) << "no signal " << edge;
        EXPECT_NE(signals.at(edge), cta) << "a CTA waits for itself";
    }
}

}  // namespace

TEST_F(PtxPrograms, AGridBarrierLetsNoBlockRunAhead) {
    d.cooperative = true;
    const u32 blocks = 12, threads = 64, n = blocks * threads, rounds = 5;
    const u64 data = zeros(n), out = zeros(n);
    d.run("_Z12grid_barrierPiS_i", {blocks, 1, 1}, {threads, 1, 1}, data, out, rounds);
    EXPECT_EQ(d.download<int>(out, n), std::vector<int>(n, rounds));
    EXPECT_TRUE(d.stream.info.cooperative);
    check_edges(d.stream, blocks - 1);
}

TEST_F(PtxPrograms, ASpinLockExcludesAllOtherThreads) {
    const u64 lock = zeros(1), counter = zeros(1);
    d.run("_Z9spin_lockPiS_i", {6, 1, 1}, {96, 1, 1}, lock, counter, 3);
    EXPECT_EQ(d.download<int>(counter, 1)[0], 6 * 96 * 3);
    check_edges(d.stream, 5);
}

TEST_F(PtxPrograms, ALockTakenLaneByLaneEndsBecauseTheWinnerGoesOn) {
    const u64 lock = zeros(1), counter = zeros(1);
    d.run("_Z10naive_lockPiS_", {4, 1, 1}, {64, 1, 1}, lock, counter);
    EXPECT_EQ(d.download<int>(counter, 1)[0], 256);
}

TEST_F(PtxPrograms, BlocksThatWaitForLaterBlocksFinishAndSpinsAreNotRecorded) {
    const u32 blocks = 40;
    const u64 flag = zeros(blocks), value = zeros(blocks);
    const auto stats = d.run("_Z5chainPViPii", {blocks, 1, 1}, {32, 1, 1}, flag, value, blocks);
    const auto values = d.download<int>(value, blocks);
    for (u32 b = 0; b < blocks; ++b) EXPECT_EQ(values[b], static_cast<int>(blocks - b));
    check_edges(d.stream, blocks - 1);
    // First and last look: at most two loads of the flag a block.
    for (u32 b = 0; b < blocks; ++b) {
        int looks = 0;
        d.stream.each(b, 0, [&](const StaticInst& s, const DynInst& i) {
            looks += s.mem == MemOp::load && i.mask != 0;
        });
        EXPECT_LE(looks, 3);
    }
    EXPECT_EQ(stats.waits, blocks - 1);
}

TEST_F(PtxPrograms, SleepingAndClockLoopsEnd) {
    const u64 flag = zeros(1), out = zeros(1);
    d.run("_Z7backoffPiS_", {2, 1, 1}, {32, 1, 1}, flag, out);
    EXPECT_EQ(d.download<int>(out, 1)[0], 42);
}

TEST_F(PtxPrograms, AWaitForNobodyIsReportedWithItsInstruction) {
    const u64 flag = zeros(1);
    try {
        d.run("_Z7foreverPVi", {2, 1, 1}, {32, 1, 1}, flag);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::no_progress);
        EXPECT_NE(std::string(e.what()).find("nothing changes"), std::string::npos) << e.what();
    }
}

TEST(PtxLimits, ABarrierOfMoreBlocksThanAreResidentIsReported) {
    DeviceLimits limits;
    limits.sms = 1;
    limits.ctas_per_sm = 4;
    Device d(programs(), limits);
    const u64 counter = d.upload(std::vector<int>(1)), out = d.upload(std::vector<int>(64));
    d.run("_Z8too_manyPiS_", {4, 1, 1}, {32, 1, 1}, counter, out);
    EXPECT_EQ(d.download<int>(out, 4), std::vector<int>(4, 1));
    const u64 again = d.upload(std::vector<int>(1));
    try {
        d.run("_Z8too_manyPiS_", {5, 1, 1}, {32, 1, 1}, again, out);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::no_progress);
        EXPECT_NE(std::string(e.what()).find("5 blocks, of which the device keeps 4 resident"),
                  std::string::npos)
            << e.what();
    }
}

TEST_F(PtxPrograms, RecursionWithDivergentDepth) {
    const u64 out = zeros(64);
    d.run("_Z9recursivePi", {1, 1, 1}, {64, 1, 1}, out);
    const int fib[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    const auto got = d.download<int>(out, 64);
    for (int t = 0; t < 64; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], fib[t % 12]);
}

TEST_F(PtxPrograms, IndirectCallsGoWhereEachLanePoints) {
    const u64 out = zeros(64);
    d.run("_Z8indirectPi", {1, 1, 1}, {64, 1, 1}, out);
    const auto got = d.download<int>(out, 64);
    for (int t = 0; t < 64; ++t)
        EXPECT_EQ(got[static_cast<std::size_t>(t)], t % 3 == 0 ? t + 7 : t % 3 == 1 ? t - 7 : t * 7);
}

TEST_F(PtxPrograms, PrintfFormatsAsOnTheHost) {
    d.run("_Z5helloi", {1, 1, 1}, {32, 1, 1}, 2);
    EXPECT_EQ(d.printed,
              "thread 0 of 32: text  0.00 -1099511627776 x%\n"
              "thread 1 of 32: text  0.50 -1099511627776 x%\n");
}

TEST_F(PtxPrograms, AFailedAssertionSaysWhich) {
    d.run("_Z7assertsi", {1, 1, 1}, {32, 1, 1}, 32);
    try {
        d.run("_Z7assertsi", {1, 1, 1}, {32, 1, 1}, 7);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::assertion);
        EXPECT_NE(std::string(e.what()).find("programs.cu"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("thread (7,0,0)"), std::string::npos) << e.what();
    }
}

TEST_F(PtxPrograms, DeviceMallocGivesEachThreadItsOwnMemory) {
    const u64 out = d.upload(std::vector<u64>(32));
    d.run("_Z4heapPPi", {1, 1, 1}, {32, 1, 1}, out);
    const auto p = d.download<u64>(out, 32);
    EXPECT_EQ(std::set<u64>(p.begin(), p.end()).size(), 32u);
    for (u64 k = 0; k < 32; ++k) EXPECT_EQ(d.context.memory().accessible(p[k], 16), k % 2 == 0);
    EXPECT_EQ(d.download<int>(p[6], 2)[1], 6);
}

TEST_F(PtxPrograms, StructParametersCanBeIndexed) {
    struct Big {
        int a[40];
    } b;
    for (int k = 0; k < 40; ++k) b.a[k] = k * k;
    const u64 out = zeros(32);
    Launch launch;
    launch.kernel = d.program->kernel("_Z8by_value3BigiPi");
    launch.block = {32, 1, 1};
    int i = 30;
    u64 p = out;
    void* pointers[] = {&b, &i, &p};
    launch.set_args(pointers);
    Execution(d.context, launch, nullptr).run();
    const auto got = d.download<int>(out, 32);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(got[static_cast<std::size_t>(t)], ((30 + t) % 40) * ((30 + t) % 40));
}

TEST_F(PtxPrograms, SharedStaticDynamicAndConstantMemory) {
    d.dynamic_shared = 128;
    const u64 out = d.upload(std::vector<float>(32));
    d.run("_Z7dynamicPf", {1, 1, 1}, {32, 1, 1}, out);
    const auto got = d.download<float>(out, 32);
    for (int t = 0; t < 32; ++t)
        EXPECT_EQ(got[static_cast<std::size_t>(t)], static_cast<float>((t % 4 + 1) * (31 - t) * 2 + 31 - t));
}

TEST_F(PtxPrograms, LocalArraysBelongToTheThread) {
    const u64 out = zeros(64);
    d.run("_Z11local_arrayPii", {1, 1, 1}, {64, 1, 1}, out, 3);
    const auto got = d.download<int>(out, 64);
    for (u32 t = 0; t < 64; ++t) {
        u32 a[16], s = 0;
        for (u32 i = 0; i < 16; ++i) a[i * 3 % 16] = i;
        for (u32 i = 0; i < 16; ++i) s = s * 3 + a[(i + t) % 16];
        EXPECT_EQ(static_cast<u32>(got[t]), s);
    }
}
