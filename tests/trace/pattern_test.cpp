// Synthetic patterns: each has the access stream that its description promises.

#include "trace/pattern.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "trace/dump.h"

using namespace heddle;
using namespace heddle::test;

namespace {

DumpKernel pattern(const std::string& text) {
    auto source = make_pattern(parse_pattern(text));
    return dump_kernels(*source).at(0);
}

/// Visits each memory instruction in file order: (grid warp, access number, static instruction, addresses).
template <class Visit>
void each_access(const DumpKernel& k, Visit visit) {
    u64 warp = 0;
    for (const DumpCta& cta : k.ctas)
        for (const auto& insts : cta.warps) {
            u64 access = 0;
            for (const DumpInst& inst : insts)
                if (k.static_insts[inst.static_index].is_memory())
                    visit(warp, access++, k.static_insts[inst.static_index], inst);
            ++warp;
        }
}

std::set<u64> lines_of(const DumpInst& inst) {
    std::set<u64> lines;
    for (const u64 a : inst.addresses) lines.insert(a / 128);
    return lines;
}

constexpr u64 kBase = u64{1} << 32;

}  // namespace

TEST(Pattern, AStreamTouchesEachByteOfItsFootprintOnceInGridOrder) {
    // 4 CTAs x 2 warps x 8 accesses x 128 bytes = 8 KiB, the whole footprint.
    const DumpKernel k = pattern("pattern:stream,footprint=8KiB,ctas=4,threads=64,accesses=8");
    std::set<u64> seen;
    each_access(k, [&](u64 warp, u64 access, const StaticInst& inst, const DumpInst& d) {
        EXPECT_EQ(inst.mem, MemOp::load);
        for (u64 lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(d.addresses[lane], kBase + ((access * 8 + warp) * 32 + lane) * 4);
            EXPECT_TRUE(seen.insert(d.addresses[lane]).second);
        }
    });
    EXPECT_EQ(seen.size(), 2048u);
}

TEST(Pattern, AStridedAccessTouchesALineALane) {
    const DumpKernel k = pattern("pattern:strided,stride=256B,footprint=1MiB,ctas=2,threads=32,accesses=4");
    each_access(k, [&](u64 warp, u64 access, const StaticInst&, const DumpInst& d) {
        EXPECT_EQ(lines_of(d).size(), 32u);
        EXPECT_EQ(d.addresses[1] - d.addresses[0], 256u);
        EXPECT_EQ(d.addresses[0], kBase + (access * 2 + warp) * 32 * 256);
    });
}

TEST(Pattern, DivergenceIsTheNumberOfLinesThatAnAccessTouches) {
    for (const u32 divergence : {1u, 2u, 8u, 32u})
        for (const char* kind : {"random", "chase", "hotset"}) {
            const DumpKernel k = pattern(
                "pattern:" + std::string(kind) +
                ",footprint=4MiB,hot=64KiB,ctas=4,threads=64,divergence=" + std::to_string(divergence));
            each_access(k, [&](u64, u64, const StaticInst&, const DumpInst& d) {
                EXPECT_EQ(lines_of(d).size(), divergence);
                for (const u64 a : d.addresses) {
                    EXPECT_GE(a, kBase);
                    EXPECT_LT(a, kBase + (4 << 20));
                }
            });
        }
}

TEST(Pattern, AChaseTakesItsAddressFromTheLoadBefore) {
    const DumpKernel k = pattern("pattern:chase,ctas=1,threads=32,read_percent=0");
    each_access(k, [&](u64, u64, const StaticInst& inst, const DumpInst&) {
        EXPECT_EQ(inst.mem, MemOp::load);
        EXPECT_EQ(inst.src[0], inst.dst[0]);
    });
    const DumpKernel random = pattern("pattern:random,ctas=1,threads=32");
    each_access(random, [&](u64, u64, const StaticInst& inst, const DumpInst&) {
        EXPECT_NE(inst.src[0], inst.dst[0]);
    });
}

TEST(Pattern, AGatherLoadsItsIndicesInOrderFromBehindTheData) {
    const DumpKernel k = pattern("pattern:gather,footprint=1MiB,ctas=2,threads=64,accesses=3");
    std::set<u64> indices;
    each_access(k, [&](u64, u64 access, const StaticInst& inst, const DumpInst& d) {
        if (access % 2 == 1) {
            EXPECT_EQ(inst.src[0], 6);
            return;
        }
        EXPECT_EQ(inst.dst[0], 6);
        for (const u64 a : d.addresses) {
            EXPECT_GE(a, kBase + (1 << 20));
            EXPECT_TRUE(indices.insert(a).second);
        }
    });
    EXPECT_EQ(indices.size(), 4u * 3 * 32);
}

TEST(Pattern, TheHotSetGetsItsShareAndReadsTheirs) {
    const DumpKernel k = pattern(
        "pattern:hotset,footprint=64MiB,hot=1MiB,hot_percent=75,read_percent=60,divergence=4,ctas=100,"
        "threads=256");
    u64 hot = 0, lines = 0, loads = 0, all = 0;
    each_access(k, [&](u64, u64, const StaticInst& inst, const DumpInst& d) {
        ++all;
        loads += inst.mem == MemOp::load;
        for (const u64 line : lines_of(d)) ++lines, hot += line * 128 < kBase + (1 << 20);
    });
    // 3/4 and the cold draws that happen to fall into the hot 1/64.
    EXPECT_NEAR(static_cast<double>(hot) / static_cast<double>(lines), 0.75 + 0.25 / 64, 0.01);
    EXPECT_NEAR(static_cast<double>(loads) / static_cast<double>(all), 0.60, 0.02);
}

TEST(Pattern, ComputeStandsBeforeEachAccessAndAluHasNothingElse) {
    const DumpKernel k = pattern("pattern:stream,compute=3,accesses=2,ctas=1,threads=32");
    std::vector<OpClass> ops;
    for (const DumpInst& inst : k.ctas[0].warps[0]) ops.push_back(k.static_insts[inst.static_index].op);
    using enum OpClass;
    EXPECT_EQ(ops, (std::vector<OpClass>{fp32_mad, fp32_mad, fp32_mad, memory, fp32_mad, fp32_mad, fp32_mad,
                                         memory, exit}));
    const DumpKernel alu = pattern("pattern:alu,compute=5,accesses=2,ctas=1,threads=32");
    EXPECT_EQ(alu.ctas[0].warps[0].size(), 11u);
}

TEST(Pattern, ALongCtaComesInChunksAndIsTheSameAsItsBeginning) {
    const DumpKernel longer =
        pattern("pattern:random,accesses=5000,ctas=1,threads=64,divergence=4,read_percent=50");
    EXPECT_TRUE(longer.words[0].empty());
    const DumpKernel shorter =
        pattern("pattern:random,accesses=100,ctas=1,threads=64,divergence=4,read_percent=50");
    EXPECT_FALSE(shorter.words[0].empty());
    for (u32 w = 0; w < 2; ++w) {
        ASSERT_EQ(longer.ctas[0].warps[w].size(), 5001u);
        EXPECT_EQ(longer.static_insts[longer.ctas[0].warps[w].back().static_index].op, OpClass::exit);
        for (u32 k = 0; k < 100; ++k) EXPECT_EQ(longer.ctas[0].warps[w][k], shorter.ctas[0].warps[w][k]);
    }
}

TEST(Pattern, TheSeedDecidesAndNothingElse) {
    const std::string text = "pattern:random,ctas=3,threads=96,seed=";
    EXPECT_EQ(pattern(text + "1").ctas, pattern(text + "1").ctas);
    EXPECT_NE(pattern(text + "1").ctas, pattern(text + "2").ctas);
}

TEST(Pattern, WrongTextNamesTheNearestRightWord) {
    auto error = [](const std::string& text) {
        return input_error([&] { make_pattern(parse_pattern(text)); });
    };
    EXPECT_EQ(error("pattern:strem"), "pattern:strem: 'strem' is not a pattern, did you mean 'stream'?");
    EXPECT_NE(error("pattern:random,footprnt=1MiB").find("did you mean 'footprint'?"), std::string::npos);
    EXPECT_NE(error("pattern:random,footprint=1Mib").find("footprint: '1Mib'"), std::string::npos);
    EXPECT_NE(error("pattern:random,threads=2000").find("out of range: 1 to 1024"), std::string::npos);
    EXPECT_NE(error("pattern:random,ctas").find("'ctas' needs a value"), std::string::npos);
    EXPECT_NE(error("pattern:random,divergence=3").find("divergence must be"), std::string::npos);
    EXPECT_NE(error("pattern:random,footprint=1KiB").find("footprint is smaller"), std::string::npos);
}
