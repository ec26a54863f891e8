// Instructions that few programs have, each with its right result.

#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "ptx/device.h"
#include "ptx/lower.h"
#include "sim/build.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

/// Runs BODY, which leaves its results in %r0 to %r7, in one thread; `a` and `b` are in %r8 and %r9.
std::vector<u32> results(const std::string& body, u32 a, u32 b) {
    std::string text = R"(
.visible .entry k(.param .u64 out, .param .u32 a, .param .u32 b) {
	.reg .pred %p<8>;
	.reg .b16 %h<8>;
	.reg .b32 %r<16>;
	.reg .b64 %x<8>;
	.shared .align 16 .b8 memory[1024];
	ld.param.u64 %x0, [out];
	ld.param.u32 %r8, [a];
	ld.param.u32 %r9, [b];
)";
    text += body;
    for (int k = 0; k < 8; ++k)
        text += "\tst.global.u32 [%x0 + " + std::to_string(4 * k) + "], %r" + std::to_string(k) + ";\n";
    Device d(module_text((text + "\tret;\n}\n").c_str()));
    const u64 out = d.upload(std::vector<u32>(16));
    d.run("k", {1, 1, 1}, {1, 1, 1}, out, a, b);
    return d.download<u32>(out, 8);
}

}  // namespace

TEST(PtxInstructions, PackedComparisonsCompareHalves) {
    // 2 and NaN with 1 and 1; then equal halves in bf16.
    auto got = results(R"(
	set.gt.f16x2.f16x2 %r0, %r8, %r9;
	set.ne.f16x2.f16x2 %r1, %r8, %r9;
	set.neu.f16x2.f16x2 %r2, %r8, %r9;
	setp.gt.f16x2 %p0|%p1, %r8, %r9;
	selp.u32 %r3, 1, 0, %p0;
	@%p1 or.b32 %r3, %r3, 2;
	setp.gtu.and.f16x2 %p2|%p3, %r8, %r9, !%p1;
	selp.u32 %r4, 1, 0, %p2;
	@%p3 or.b32 %r4, %r4, 2;
	setp.eq.f16x2 %p4|_, %r9, %r9;
	selp.u32 %r5, 1, 0, %p4;
	mov.b32 {%h0, %h1}, %r8;
	mov.b32 {%h2, %h3}, %r9;
	set.gt.f16.f16 %h4, %h0, %h2;
	set.gt.u32.f16 %r6, %h1, %h3;
	cvt.u32.u16 %r7, %h4;
)",
                       0x7e004000, 0x3c003c00);
    EXPECT_EQ(got, (std::vector<u32>{0x3c00, 0x3c00, 0x3c003c00, 1, 3, 1, 0, 0x3c00}));
    got = results("\tset.le.bf16x2.bf16x2 %r0, %r8, %r9;\n\tset.lt.bf16x2.bf16x2 %r1, %r8, %r9;\n",
                  0x3f804000, 0x40004000);
    EXPECT_EQ(got[0], 0x3f803f80u);
    EXPECT_EQ(got[1], 0x3f800000u);
}

TEST(PtxInstructions, AClusterOfOneBlock) {
    const auto got = results(R"(
	mov.u32 %r10, memory;
	st.shared.u32 [memory + 8], %r8;
	mapa.shared::cluster.u32 %r11, %r10, 0;
	ld.shared.u32 %r0, [%r11 + 8];
	getctarank.shared::cluster.u32 %r1, %r11;
	barrier.cluster.arrive.release;
	barrier.cluster.wait.acquire;
	createpolicy.fractional.L2::evict_last.b64 %x1, 1.0;
	ld.global.L2::cache_hint.u32 %r2, [%x0], %x1;
)",
                             77, 0);
    EXPECT_EQ(got, (std::vector<u32>{77, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(PtxInstructions, ThreadsOfAClusterMeetWhereTheyWait) {
    // The first warp, which runs first, reads what the second writes before it arrives.
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %x<2>;
	.shared .b32 memory[64];
	ld.param.u64 %x0, [out];
	mov.u32 %r0, %tid.x;
	shl.b32 %r1, %r0, 2;
	mov.u32 %r2, memory;
	add.u32 %r2, %r2, %r1;
	st.shared.u32 [%r2], %r0;
	barrier.cluster.arrive.release;
	barrier.cluster.wait.acquire;
	xor.b32 %r1, %r1, 128;
	mov.u32 %r2, memory;
	add.u32 %r2, %r2, %r1;
	ld.shared.u32 %r3, [%r2];
	mul.wide.u32 %x1, %r0, 4;
	add.s64 %x0, %x0, %x1;
	st.global.u32 [%x0], %r3;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(64));
    d.run("k", {1, 1, 1}, {64, 1, 1}, out);
    const auto got = d.download<u32>(out, 64);
    for (u32 k = 0; k < 64; ++k) EXPECT_EQ(got[k], k ^ 32);
}

TEST(PtxInstructions, ABarriersNumberIsAtMost15) {
    EXPECT_NO_THROW(results("\tbar.sync %r8;\n", 15, 0));
    EXPECT_THROW(results("\tbar.sync %r8;\n", 16, 0), DeviceFault);
}

TEST(PtxInstructions, AtomicsOnVectorsAreOnesOnTheirElements) {
    const auto got = results(R"(
	mov.b32 %r10, 0f3f800000;
	mov.b32 %r11, 0f40000000;
	red.global.add.v2.f32 [%x0 + 32], {%r10, %r11};
	atom.global.add.v2.f32 {%r0, %r1}, [%x0 + 32], {%r11, %r11};
	ld.global.v2.u32 {%r2, %r3}, [%x0 + 32];
	atom.global.v2.f16x2.add.noftz {%r4, %r5}, [%x0 + 40], {%r8, %r9};
	ld.global.v2.u32 {%r6, %r7}, [%x0 + 40];
)",
                             0x3c004000, 0x40003c00);
    EXPECT_EQ(got, (std::vector<u32>{0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0, 0, 0x3c004000,
                                     0x40003c00}));
}

TEST(PtxInstructions, AShuffleFromALaneThatDoesNotTakePartGivesZero) {
    // Lanes 0 to 7 add up eight values over offsets that reach the others, too.
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %x<1>;
	ld.param.u64 %x0, [out];
	mov.u32 %r0, %tid.x;
	add.u32 %r1, %r0, 1;
	setp.ge.u32 %p0, %r0, 8;
	@%p0 bra END;
	shfl.sync.down.b32 %r2, %r1, 16, 31, 255;
	add.u32 %r1, %r1, %r2;
	shfl.sync.down.b32 %r2, %r1, 8, 31, 255;
	add.u32 %r1, %r1, %r2;
	shfl.sync.down.b32 %r2, %r1, 4, 31, 255;
	add.u32 %r1, %r1, %r2;
	shfl.sync.down.b32 %r2, %r1, 2, 31, 255;
	add.u32 %r1, %r1, %r2;
	shfl.sync.down.b32 %r2, %r1, 1, 31, 255;
	add.u32 %r1, %r1, %r2;
	setp.eq.u32 %p1, %r0, 0;
	@%p1 st.global.u32 [%x0], %r1;
END:
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(1));
    d.run("k", {1, 1, 1}, {32, 1, 1}, out);
    EXPECT_EQ(d.download<u32>(out, 1)[0], 36u);
}

TEST(PtxInstructions, MatricesAreStoredAsTheyAreLoaded) {
    // Each lane has four words; what is stored straight and loaded transposed is what is stored transposed and loaded straight.
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.reg .b32 %r<24>;
	.reg .b64 %x<4>;
	.shared .align 16 .b8 memory[512];
	ld.param.u64 %x0, [out];
	mov.u32 %r0, %tid.x;
	mul.lo.u32 %r1, %r0, 65537;
	add.u32 %r1, %r1, 6553600;
	add.u32 %r2, %r1, 1000;
	add.u32 %r3, %r1, 2000;
	add.u32 %r4, %r1, 3000;
	shl.b32 %r5, %r0, 4;
	mov.u32 %r6, memory;
	add.u32 %r5, %r5, %r6;
	stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r1, %r2, %r3, %r4};
	bar.sync 0;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r5];
	ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r12, %r13, %r14, %r15}, [%r5];
	bar.sync 0;
	stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r5], {%r1, %r2, %r3, %r4};
	bar.sync 0;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r16, %r17, %r18, %r19}, [%r5];
	mul.wide.u32 %x1, %r0, 32;
	add.s64 %x0, %x0, %x1;
	xor.b32 %r8, %r8, %r1;
	xor.b32 %r9, %r9, %r2;
	xor.b32 %r10, %r10, %r3;
	xor.b32 %r11, %r11, %r4;
	st.global.v4.u32 [%x0], {%r8, %r9, %r10, %r11};
	xor.b32 %r12, %r12, %r16;
	xor.b32 %r13, %r13, %r17;
	xor.b32 %r14, %r14, %r18;
	xor.b32 %r15, %r15, %r19;
	movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r4;
	xor.b32 %r20, %r20, %r19;
	or.b32 %r15, %r15, %r20;
	st.global.v4.u32 [%x0 + 16], {%r12, %r13, %r14, %r15};
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(256, 7));
    d.run("k", {1, 1, 1}, {32, 1, 1}, out);
    EXPECT_EQ(d.download<u32>(out, 256), std::vector<u32>(256));
}

/// docs/ptx.md says which opcodes are executed, and counts them.
TEST(PtxInstructions, TheTableInTheManualHolds) {
    std::ifstream file(checkout("docs/ptx.md"));
    std::string line;
    while (std::getline(file, line) && line != "## Instructions") {
    }
    std::string text;
    std::array<std::size_t, 4> counts{};  // executed, all; the same of what sm_75 has
    while (std::getline(file, line) && !line.starts_with("## ")) {
        text += line + " ";
        if (!line.starts_with("| ") || line.find('`') == std::string::npos) continue;
        const bool later = line.find(", sm_") != std::string::npos;
        const std::size_t second = line.rfind('|', line.size() - 2);
        for (std::size_t at = line.find('`'); at != std::string::npos;) {
            const std::size_t end = line.find('`', at + 1);
            const std::string name = line.substr(at + 1, end - at - 1);
            const OpcodeRow* const row = find_opcode(name);
            const bool executed = row != nullptr && row->lower != &Lowering::not_executed;
            EXPECT_EQ(executed, at < second) << name;
            counts[0] += executed;
            ++counts[1];
            counts[2] += executed && !later;
            counts[3] += !later;
            at = line.find('`', end + 1);
        }
    }
    std::ostringstream said;
    said << counts[0] << " of " << counts[1] << " are executed, " << counts[2] << " of the " << counts[3]
         << " that sm_75";
    EXPECT_NE(text.find(said.str()), std::string::npos) << said.str();
}
