#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "built.h"
#include "ptx/code.h"
#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

/// The message of a text that isn't accepted.
std::string error_of(const std::string& text) {
    try {
        Module::parse(text, "bad.ptx");
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}
/// The body of a kernel, from line 5 on.
std::string in_kernel(const std::string& body) {
    return module_text(".visible .entry k(.param .u64 p) {\n" + body + "\n\tret;\n}\n");
}

/// "{%r1, %r2}".
std::string fragment(const std::string& letter, int registers) {
    std::string list;
    for (int k = 1; k <= registers; ++k) list += (k == 1 ? "%" : ", %") + letter + std::to_string(k);
    return "{" + list + "}";
}
/// A multiplication with that many registers for D and C, and for A and B.
std::string multiply(int sums, int factors) {
    const std::string d = fragment("f", sums), a = fragment("r", factors);
    return "\twmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32 " + d + ", " + a + ", " + a + ", " + d +
           ";";
}

}  // namespace

TEST(PtxParser, ErrorsNameFileLineAndWhatIsWrong) {
    const std::pair<std::string, std::string> cases[] = {
        {"", "bad.ptx:1: PTX starts with '.version', not the end of the file"},
        {".version 8.0\n.target sm_75\n.adress_size 64\n", "bad.ptx:3: unknown directive '.adress_size'"},
        {in_kernel("\t.reg .b32 %r1;\n\tadd.s32 %r1, %r2, 1;"), "bad.ptx:6: unknown register '%r2'"},
        {in_kernel("\t.reg .b32 %r<3>;\n\tmov.u32 %r3, 1;"), "bad.ptx:6: unknown register '%r3'"},
        {in_kernel("\t.reg .b32 %r1;\n\t.reg .f64 %d1;\n\tadd.f32 %r1, %d1, %r1;"),
         "bad.ptx:7: register '%d1' is .f64; 'add.f32' needs .f32"},
        {in_kernel("\t.reg .f32 %f1;\n\tadd.s32 %f1, 1, 2;"),
         "bad.ptx:6: register '%f1' is .f32; 'add.s32' writes .s32"},
        {in_kernel("\tbra nowhere;"), "bad.ptx:5: unknown name 'nowhere' in function 'k'"},
        {in_kernel("\tbra $L_1;"), "bad.ptx:5: no label '$L_1' in function 'k'"},
        {in_kernel("$L_1:\n$L_1:"), "bad.ptx:6: label '$L_1' is already defined"},
        {in_kernel("\t.reg .b32 %r1;\n\t@%r1 ret;"), "bad.ptx:6: guard '%r1' is not a predicate but .b32"},
        {in_kernel("\t.reg .b32 %r1;\n\tadd.s32 %r1, %r1;"), "bad.ptx:6: 'add.s32' needs 3 operands, not 2"},
        {in_kernel("\t.reg .b32 %r1;\n\tmov.u32 %r1, 5"),
         "bad.ptx:7: ';' expected after 'mov' and its operands, not 'ret'"},
        {in_kernel("\t.reg .b32 %r1;\n\tld.shared.u32 %r1, [p];"),
         "bad.ptx:6: 'p' is not in the state space of 'ld.shared.u32'"},
        {in_kernel("\t.reg .b32 %r1;\n\t.reg .b32 %r1;"), "bad.ptx:6: register '%r1' is already declared"},
        {in_kernel("\t.reg .f32 %f<17>;\n\t.reg .b32 %r<17>;\n" + multiply(16, 16)),
         "bad.ptx:7: 'wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32': 16 registers do not hold the "
         "matrix"},
        {in_kernel("\t.reg .f32 %f<17>;\n\t.reg .b32 %r<17>;\n" + multiply(8, 0)),
         "bad.ptx:7: 'wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32': 0 registers do not hold the "
         "matrix"},
        {in_kernel("\t.reg .b32 %r<9>;\n\twmma.load.a.sync.aligned.row.m16n16k16.f16 " + fragment("r", 8) +
                   ", [p];"),
         "bad.ptx:6: 'wmma.load.a.sync.aligned.row.m16n16k16.f16' takes no address of a parameter"},
        {module_text(".visible .entry k() {\n\tret;\n"), "bad.ptx:6: function 'k' has no closing '}'"},
        {module_text(".global .b32 a;\n.global .b32 a;\n"), "bad.ptx:5: 'a' is already defined at line 4"},
        {module_text(".global .align 3 .b32 a;\n"), "bad.ptx:4: .align needs a power of two up to 4096"},
        {module_text(".global .b32 a[2] = {1, 2, 3};\n"), "bad.ptx:4: more initial values than elements"},
        {module_text(".global .b8 a = 0x;\n"), "bad.ptx:4: number has no digits"},
        {module_text("/* open\n"), "bad.ptx:4: unterminated comment"},
        {module_text(".visible .entry k();\n"), "bad.ptx:4: kernel 'k' has no body"},
    };
    for (const auto& [text, want] : cases) EXPECT_EQ(error_of(text), want) << text;
}

TEST(PtxParser, DeepNestingIsAnErrorAndNotAStackOverflow) {
    const std::string braces(100000, '{');
    EXPECT_NE(error_of(in_kernel(braces)).find("nested too deeply"), std::string::npos);
    EXPECT_NE(error_of(in_kernel("\t.reg .b32 %r1;\n\tmov.u32 %r1, " + std::string(100000, '-') + "1;"))
                  .find("nested too deeply"),
              std::string::npos);
    EXPECT_NE(error_of(module_text(".global .b32 a = " + std::string(100000, '(') + "1;"))
                  .find("nested too deeply"),
              std::string::npos);
    std::string dimensions;
    for (int k = 0; k < 100000; ++k) dimensions += "[1]";
    EXPECT_NE(
        error_of(module_text(".global .b8 a" + dimensions + " = " + braces + "1;")).find("nested too deeply"),
        std::string::npos);
}

TEST(PtxParser, AModuleListsKernelsVariablesAndWhatIsNotSupported) {
    const auto m = Module::parse(module_text(R"(
.const .align 4 .f32 weights[3] = {0f3F800000, 2.5, -1};
.global .texref image;
.extern .shared .align 16 .b8 dynamic[];
.visible .entry first(.param .u64 a, .param .align 8 .b8 b[24], .param .u8 c) .maxntid 64, 2, 1
{
	.shared .align 8 .b64 tile[16];
	.reg .b32 %r<4>;
	wgmma.fence.sync.aligned;
	frobnicate.u32 %r1, %r2;
	mov.u32 %r3, dynamic;
	st.shared.u32 [%r3], %r1;
	ret;
}
)"),
                                 "list.ptx");
    ASSERT_EQ(m->kernels().size(), 1u);
    const KernelDecl& k = m->kernels()[0];
    EXPECT_EQ(k.name, "first");
    EXPECT_EQ(k.param_bytes, 33u);
    ASSERT_EQ(k.params.size(), 3u);
    EXPECT_EQ(k.params[1].offset, 8u);
    EXPECT_EQ(k.params[2].offset, 32u);
    EXPECT_EQ(k.static_shared_bytes, 128u);
    EXPECT_EQ(k.max_threads, 128u);
    EXPECT_TRUE(k.uses_dynamic_shared);
    ASSERT_EQ(m->variables().size(), 2u);
    EXPECT_EQ(m->variables()[0].space, VariableSpace::constant);
    EXPECT_EQ(m->variables()[1].space, VariableSpace::texture);
    ASSERT_EQ(m->unsupported().size(), 2u);
    EXPECT_EQ(m->unsupported()[0].line, 12u);
    EXPECT_EQ(m->unsupported()[0].what, "wgmma.fence.sync.aligned: matrix instructions are not supported");
    EXPECT_EQ(m->unsupported()[1].what, "frobnicate.u32: unknown opcode");

    Context context;
    const auto program = context.load({m});
    float weights[3];
    std::memcpy(weights, reinterpret_cast<const void*>(program->variable("weights")->address),
                sizeof weights);
    EXPECT_EQ(weights[0], 1.0f);
    EXPECT_EQ(weights[1], 2.5f);
    EXPECT_EQ(weights[2], -1.0f);
}

TEST(PtxParser, MatricesOfOtherShapesAndFragmentsAreNotSupported) {
    EXPECT_EQ(error_of(in_kernel("\t.reg .f32 %f<9>;\n\t.reg .b32 %r<9>;\n" + multiply(8, 8))), "accepted");
    for (const std::string inst :
         {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {}, [%rd1];",
          "wmma.load.c.sync.aligned.row.m8n8k128.shared.b1 {%r1}, [%rd1];",
          "mma.sync.aligned.m2n256k16.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, %r1, "
          "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};",
          "mma.sync.aligned.m8n32k16.row.col.f16.f16.f16.f16 {%r1, %r2, %r3, %r4}, {%r1, %r2}, "
          "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4};"}) {
        const auto m =
            Module::parse(in_kernel("\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<2>;\n\t" + inst), "a.ptx");
        EXPECT_EQ(m->unsupported().size(), 1u) << inst;
    }
}

TEST(PtxParser, AnUnsupportedInstructionFaultsWhenItIsReached) {
    Device d(in_kernel("\t.reg .b32 %r<4>;\n\twgmma.fence.sync.aligned;"));
    try {
        d.run("k", {1, 1, 1}, {32, 1, 1}, u64{0});
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::unsupported);
        EXPECT_EQ(
            std::string(e.what()),
            "test.ptx:6: instruction is not supported: wgmma.fence.sync.aligned: matrix instructions are "
            "not supported (kernel 'k', block (0,0,0), thread (0,0,0))");
    }
}

TEST(PtxParser, ModulesLinkByName) {
    const auto a = Module::parse(module_text(R"(
.extern .global .align 4 .b32 shared_value;
.extern .func (.param .b32 r) twice(.param .b32 x);
.visible .entry main_kernel(.param .u64 out) {
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.global.u32 %r1, [shared_value];
	{
	.param .b32 p0;
	st.param.b32 [p0], %r1;
	.param .b32 r0;
	call.uni (r0), twice, (p0);
	ld.param.b32 %r2, [r0];
	}
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %r2;
	ret;
}
)"),
                                 "a.ptx");
    const auto b = Module::parse(module_text(R"(
.visible .global .align 4 .b32 shared_value = 21;
.visible .func (.param .b32 r) twice(.param .b32 x) {
	.reg .b32 %r<2>;
	ld.param.b32 %r1, [x];
	add.s32 %r1, %r1, %r1;
	st.param.b32 [r], %r1;
	ret;
}
)"),
                                 "b.ptx");
    Context context;
    try {
        context.load({a});
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("is not defined"), std::string::npos);
    }
    const auto program = context.load({a, b});
    const u64 out = context.memory().allocate(MemoryKind::device, 4);
    Launch launch;
    launch.kernel = program->kernel("main_kernel");
    launch.args = pack_arguments(out);
    Execution(context, launch, nullptr).run();
    EXPECT_EQ(*reinterpret_cast<const int*>(out), 42);
}

TEST(PtxParser, EveryInstructionFormOfTheCensusIsExecuted) {
    std::ifstream file(checkout("tests/ptx/data/forms.ptx"));
    std::stringstream text;
    text << file.rdbuf();
    const auto m = Module::parse(text.str(), "forms.ptx");
    for (const Unsupported& u : m->unsupported()) ADD_FAILURE() << u.line << ": " << u.what;
    ASSERT_EQ(m->functions().size(), 2u);
    EXPECT_GT(m->functions()[1].ops.size(), 450u);
}
