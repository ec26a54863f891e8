// Moving loads ahead changes what waits, never what is computed.

#include <gtest/gtest.h>
#include <random>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

TEST(PtxSchedule, IndependentLoadsComeBeforeTheFirstUse) {
    Device d(module_text(R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .f32 %f<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd0, [in];
	ld.param.u64 %rd1, [out];
	ld.global.f32 %f0, [%rd0];
	add.f32 %f4, %f0, 0f3F800000;
	ld.global.f32 %f1, [%rd0+128];
	add.f32 %f4, %f4, %f1;
	ld.global.f32 %f2, [%rd0+256];
	add.f32 %f4, %f4, %f2;
	st.global.f32 [%rd1], %f4;
	ret;
}
)"));
    const u64 in = d.upload(std::vector<float>(100, 2.0f)), out = d.upload(std::vector<float>(1));
    d.run("k", {1, 1, 1}, {1, 1, 1}, in, out);
    EXPECT_EQ(d.download<float>(out, 1)[0], 7.0f);
    std::string kinds;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst&) {
        kinds += s.mem == MemOp::load        ? 'L'
                 : s.mem == MemOp::store     ? 'S'
                 : s.op == OpClass::fp32_add ? 'a'
                                             : 'x';
    });
    EXPECT_EQ(kinds, "LLLaaaSx");
}

TEST(PtxSchedule, StraightLinesWithAliasingAccessesGiveTheSameMemory) {
    std::mt19937 engine(11);
    auto random = [&](u32 n) { return static_cast<u32>(engine()) % n; };
    for (int round = 0; round < 60; ++round) {
        // Registers r0..r5, eight words of global and eight of shared memory a thread; two registers for one pointer.
        u32 r[6] = {1, 2, 3, 4, 5, 6}, global[8] = {}, shared[8] = {};
        std::string body;
        for (u32 k = 0; k < 6; ++k)
            body += "\tmov.u32 %r" + std::to_string(k) + ", " + std::to_string(r[k]) + ";\n";
        for (int step = 0; step < 60; ++step) {
            const u32 a = random(6), b = random(6), at = random(8);
            const std::string ra = "%r" + std::to_string(a), rb = "%r" + std::to_string(b),
                              offset = "+" + std::to_string(4 * at) + "]";
            switch (random(6)) {
                case 0:
                    body += "\tld.global.u32 " + ra + ", [%rd" + std::to_string(random(2)) + offset + ";\n";
                    r[a] = global[at];
                    break;
                case 1:
                    body += "\tst.global.u32 [%rd" + std::to_string(random(2)) + offset + ", " + ra + ";\n";
                    global[at] = r[a];
                    break;
                case 2:
                    body += "\tld.shared.u32 " + ra + ", [%s" + offset + ";\n";
                    r[a] = shared[at];
                    break;
                case 3:
                    body += "\tst.shared.u32 [%s" + offset + ", " + ra + ";\n";
                    shared[at] = r[a];
                    break;
                case 4:
                    body += "\tmad.lo.u32 " + ra + ", " + ra + ", 3, " + rb + ";\n";
                    r[a] = r[a] * 3 + r[b];
                    break;
                default:
                    // A dependent access: the word that the register picks.
                    body +=
                        "\tand.b32 %t, " + rb +
                        ", 7;\n\tmul.wide.u32 %rd4, %t, 4;\n\tadd.s64 %rd4, %rd4, %rd0;\n\tld.global.u32 " +
                        ra + ", [%rd4];\n";
                    r[a] = global[r[b] & 7];
            }
        }
        for (u32 k = 0; k < 6; ++k)
            body +=
                "\tst.global.u32 [%rd0+" + std::to_string(32 + 4 * k) + "], %r" + std::to_string(k) + ";\n";
        Device d(
            module_text(".visible .entry k(.param .u64 p) {\n\t.shared .align 8 .b8 tile[1024];\n\t.reg .b32 "
                        "%r<6>, %t, %s, %i;\n\t.reg .b64 %rd<5>;\n"
                        "\tmov.u32 %i, %tid.x;\n\tmul.wide.u32 %rd2, %i, 56;\n\tld.param.u64 %rd3, "
                        "[p];\n\tadd.s64 %rd0, %rd3, %rd2;\n\tadd.s64 %rd1, %rd2, %rd3;\n"
                        "\tmov.u32 %s, tile;\n\tmad.lo.u32 %s, %i, 32, %s;\n" +
                        body + "\tret;\n}\n"));
        const u64 p = d.upload(std::vector<u32>(14 * 32));
        d.run("k", {1, 1, 1}, {32, 1, 1}, p);
        const auto got = d.download<u32>(p, 14 * 32);
        for (u32 t = 0; t < 32; ++t) {
            for (u32 k = 0; k < 8; ++k) ASSERT_EQ(got[t * 14 + k], global[k]) << body;
            for (u32 k = 0; k < 6; ++k) ASSERT_EQ(got[t * 14 + 8 + k], r[k]) << body;
        }
    }
}
