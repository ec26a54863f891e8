// Reductions to one address: how many lanes the stream shows, and that memory holds what all lanes make of it.

#include <bit>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ptx/device.h"

namespace heddle::ptx::test {
namespace {

constexpr u32 kBlocks = 3, kThreads = 70;  // the last warp has six lanes

/// rd0: 256 zeroed bytes; rd1: the thread's own word there; rd2: the CTA's own; r0: thread; r1: CTA; r2: thread + 1;
/// rd3: an address read from memory, that of rd0; rd4: thread + 1, in 64 bits; p0: one thread in two.
std::string kernel(const std::string& body) {
    return module_text(fmt::format(R"(
.visible .entry k(.param .u64 data, .param .u64 pointer) {{
	.reg .pred %p<4>;
	.reg .b32 %r<12>;
	.reg .f32 %f<2>;
	.reg .b64 %rd<12>;
	.shared .align 4 .b32 tile[64];
	ld.param.u64 %rd0, [data];
	ld.param.u64 %rd5, [pointer];
	ld.global.u64 %rd3, [%rd5];
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	add.u32 %r2, %r0, 1;
	cvt.u64.u32 %rd4, %r2;
	and.b32 %r3, %r0, 31;
	mul.wide.u32 %rd6, %r3, 4;
	add.s64 %rd1, %rd0, %rd6;
	mul.wide.u32 %rd7, %r1, 4;
	add.s64 %rd2, %rd0, %rd7;
	and.b32 %r4, %r0, 1;
	setp.eq.u32 %p0, %r4, 0;
{}
	ret;
}}
)",
                                   body));
}

struct Seen {
    std::vector<u32> lanes;  // of each reduction or atomic, warps in order
    std::vector<u32> memory;
};

Seen run(const std::string& body) {
    Device device(kernel(body));
    const u64 data = device.upload(std::vector<u32>(64)), pointer = device.upload(std::vector<u64>{data});
    device.run("k", {kBlocks, 1, 1}, {kThreads, 1, 1}, data, pointer);
    Seen seen;
    for (u64 cta = 0; cta < kBlocks; ++cta)
        for (u32 warp = 0; warp < 3; ++warp)
            device.stream.each(cta, warp, [&](const StaticInst& s, const DynInst& inst) {
                if ((s.mem == MemOp::reduction || s.mem == MemOp::atomic) && inst.mask != 0)
                    seen.lanes.push_back(static_cast<u32>(std::popcount(inst.mask)));
            });
    seen.memory = device.download<u32>(data, 64);
    return seen;
}

std::vector<u32> each_warp(u32 whole, u32 last) {
    std::vector<u32> out;
    for (u32 cta = 0; cta < kBlocks; ++cta) out.insert(out.end(), {whole, whole, last});
    return out;
}

constexpr u32 kAll = kBlocks * kThreads, kSum = kBlocks * (kThreads * (kThreads + 1) / 2);

TEST(UniformReduction, OneLaneShowsAndAllLanesCount) {
    struct Case {
        const char* body;
        u32 word, value;
    };
    const Case cases[] = {
        {"red.global.add.u32 [%rd0], 1;", 0, kAll},
        {"red.global.add.u32 [%rd0+8], %r2;", 2, kSum},
        {"red.add.u32 [%rd0], %r2;", 0, kSum},                   // a generic address
        {"red.global.add.u32 [%rd2], %r2;", 1, kSum / kBlocks},  // the CTA's own
        {"atom.global.add.u32 %r5, [%rd0], %r2;", 0, kSum},      // the old value is not used
        {"red.global.max.u32 [%rd0], %r2;", 0, kThreads},
        {"red.global.or.b32 [%rd0], %r2;", 0, 127},
        {"red.global.xor.b32 [%rd0], 5;", 0, kAll % 2 * 5},
        {"red.global.add.u64 [%rd0], 3;", 0, 3 * kAll},
        {"mov.u64 %rd8, %rd0;\n\tadd.s64 %rd9, %rd8, 4;\n\tred.global.add.u32 [%rd9], %r2;", 1, kSum},
    };
    for (const Case& c : cases) {
        const Seen seen = run(c.body);
        EXPECT_EQ(seen.lanes, each_warp(1, 1)) << c.body;
        EXPECT_EQ(seen.memory[c.word], c.value) << c.body;
    }
    EXPECT_EQ(run("red.shared.add.u32 [tile], 1;").lanes, each_warp(1, 1));
    EXPECT_EQ(run("@%p0 red.global.add.u32 [%rd0], 1;").memory[0], kAll / 2);
    EXPECT_EQ(run("@%p0 red.global.add.u32 [%rd0], 1;").lanes, each_warp(1, 1));
}

TEST(UniformReduction, LanesStaySeparateWhereTheAddressOrTheOperationDoesNotAllowIt) {
    for (
        const char* body : {
            "red.global.add.u32 [%rd1], 1;",  // each lane its own
            "red.global.add.u32 [%rd3], 1;",  // the same by chance
            "selp.b64 %rd8, %rd0, %rd3, %p0;\n\tred.global.add.u32 [%rd8], 1;",
            "@%p0 bra A;\n\tmov.u64 %rd8, %rd0;\n\tbra B;\nA:\n\tmov.u64 %rd8, %rd0;\nB:\n"
            "\tred.global.add.u32 [%rd8], 1;",                                        // two definitions
            "atom.global.add.u32 %r5, [%rd0], 1;\n\tst.global.u32 [%rd1+128], %r5;",  // the old value is used
            "red.global.add.f32 [%rd0], 0f3F800000;",                                 // the order matters
            "red.global.inc.u32 [%rd0], 1000;",
            "red.global.add.u64 [%rd0], %rd4;",  // 64 bits that differ
        })
        EXPECT_EQ(run(body).lanes, each_warp(32, kThreads - 64)) << body;
    EXPECT_EQ(run("red.global.add.u32 [%rd3], 1;").memory[0], kAll);
}

}  // namespace
}  // namespace heddle::ptx::test
