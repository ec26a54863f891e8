// Kernels that need more registers than they may have: values live in memory, results stay.

#include <gtest/gtest.h>
#include <random>

#include "ptx/device.h"
#include "ptx/emit.h"
#include "ptx/fit.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

constexpr u32 kValues = 48;

/// in[k] for each k, `rounds` times v[k] = v[k] * 3 + v[(k + 5) % n] in a loop, and out = the sum of v[k] * (k + 1). All values
/// live through the loop; a lane with an odd index takes another way in it.
std::string many_values(bool wide, const std::string& directives) {
    const std::string type = wide ? "u64" : "u32", v = wide ? "%rd" : "%r";
    const std::string bytes = wide ? "8" : "4";
    const u32 first = 20;
    auto reg = [&](u32 k) { return v + std::to_string(first + k % kValues); };
    std::string t = ".visible .entry many(.param .u64 in, .param .u64 out, .param .u32 rounds)\n" +
                    directives +
                    "{\n.reg .pred %p<4>;\n.reg .b32 %r<100>;\n.reg .b64 %rd<100>;\n"
                    "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\nld.param.u32 %r1, [rounds];\n"
                    "mov.u32 %r2, %tid.x;\nand.b32 %r3, %r2, 1;\nsetp.ne.u32 %p1, %r3, 0;\n"
                    "mul.wide.u32 %rd2, %r2, " +
                    bytes + ";\nadd.s64 %rd1, %rd1, %rd2;\n";
    for (u32 k = 0; k < kValues; ++k)
        t += "ld.global." + type + " " + reg(k) + ", [%rd0 + " + std::to_string(k * (wide ? 8 : 4)) + "];\n";
    t += "LOOP:\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra DONE;\n@%p1 bra ODD;\n";
    for (u32 k = 0; k < kValues; ++k)
        t += "mad.lo." + type + " " + reg(k) + ", " + reg(k) + ", 3, " + reg(k + 5) + ";\n";
    t += "bra NEXT;\nODD:\n";
    for (u32 k = 0; k < kValues; ++k)
        t += "add." + type + " " + reg(k) + ", " + reg(k) + ", " + reg(k + 7) + ";\n";
    // A guarded write keeps what the other lanes have.
    t += "NEXT:\n@!%p1 add." + type + " " + reg(1) + ", " + reg(1) + ", 1;\n";
    t += "sub.u32 %r1, %r1, 1;\nbra LOOP;\nDONE:\nmov." + type + " " + v + "10, 0;\n";
    for (u32 k = 0; k < kValues; ++k)
        t += "mad.lo." + type + " " + v + "10, " + reg(k) + ", " + std::to_string(k + 1) + ", " + v + "10;\n";
    return t + "st.global." + type + " [%rd1], " + v + "10;\nret;\n}\n";
}

template <class T>
T expected(std::vector<T> v, u32 rounds, bool odd) {
    for (; rounds != 0; --rounds) {
        for (u32 k = 0; k < kValues; ++k)
            v[k] = odd ? v[k] + v[(k + 7) % kValues] : v[k] * 3 + v[(k + 5) % kValues];
        if (!odd) ++v[1];
    }
    T sum = 0;
    for (u32 k = 0; k < kValues; ++k) sum += v[k] * (k + 1);
    return sum;
}

template <class T>
void expect_right(Device& d, u32 threads) {
    std::mt19937_64 random(7);
    std::vector<T> in;
    for (u32 k = 0; k < kValues; ++k) in.push_back(static_cast<T>(random()));
    const u64 from = d.upload(in), to = d.upload(std::vector<T>(threads));
    d.run("many", {1, 1, 1}, {threads, 1, 1}, from, to, 5u);
    const auto out = d.download<T>(to, threads);
    for (u32 t = 0; t < threads; ++t) EXPECT_EQ(out[t], expected(in, 5, t % 2 != 0)) << "thread " << t;
}

u64 local_accesses(const Device& d) {
    u64 n = 0;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst&) {
        n += s.op == OpClass::memory && s.space == MemSpace::local;
    });
    return n;
}

}  // namespace

TEST(PtxSpill, AKernelFitsWhateverItsLimitAndStillComputesTheSame) {
    for (const u32 limit : {64u, 40u, 24u, 16u}) {
        Device d(module_text(many_values(false, ".maxnreg " + std::to_string(limit) + "\n")));
        EXPECT_LE(d.program->kernel("many")->registers, limit);
        expect_right<u32>(d, 64);
        EXPECT_EQ(local_accesses(d) == 0, limit == 64) << limit;
    }
    for (const u32 limit : {64u, 32u, 20u}) {
        Device d(module_text(many_values(true, ".maxnreg " + std::to_string(limit) + "\n")));
        EXPECT_LE(d.program->kernel("many")->registers, limit);
        expect_right<u64>(d, 64);
    }
}

TEST(PtxSpill, FewerRegistersMeanMoreTrafficOfSpilledValues) {
    u64 before = 0;
    for (const u32 limit : {48u, 40u, 32u, 24u}) {
        Device d(module_text(many_values(false, ".maxnreg " + std::to_string(limit) + "\n")));
        expect_right<u32>(d, 32);
        EXPECT_GT(local_accesses(d), before) << limit;
        before = local_accesses(d);
    }
}

TEST(PtxSpill, ABlockThatAnSmHasTooFewRegistersForRunsWithValuesInMemory) {
    DeviceLimits limits;
    limits.registers_per_sm = 32768;
    Device d(module_text(many_values(false, "")), limits);
    const Kernel& k = *d.program->kernel("many");
    EXPECT_GT(k.registers, 32u);
    EXPECT_EQ(d.context.resident_ctas_per_sm(k, {1024, 1, 1}, 0), 1u);
    EXPECT_EQ(d.context.fit(k, {64, 1, 1}).registers, k.registers);
    EXPECT_LE(d.context.fit(k, {1024, 1, 1}).registers, 32u);
    expect_right<u32>(d, 1024);
    EXPECT_LE(d.stream.info.registers, 32u);
    EXPECT_GT(local_accesses(d), 0u);
    expect_right<u32>(d, 64);
    EXPECT_EQ(local_accesses(d), 0u);
}

TEST(PtxSpill, LaunchBoundsLeaveRoomForTheBlocksThatTheyAskFor) {
    DeviceLimits limits;
    limits.registers_per_sm = 65536;
    Device d(module_text(many_values(false, ".maxntid 256, 1, 1\n.minnctapersm 8\n")), limits);
    const Kernel& k = *d.program->kernel("many");
    EXPECT_LE(k.registers, 65536u / (256 * 8));
    EXPECT_EQ(d.context.resident_ctas_per_sm(k, {256, 1, 1}, 0), 8u);
    expect_right<u32>(d, 256);
}

TEST(PtxSpill, ABlockThatFitsInNoWayIsRefusedWithTheReason) {
    DeviceLimits limits;
    limits.registers_per_sm = 4096;
    Device d(module_text(many_values(false, "")), limits);
    try {
        expect_right<u32>(d, 1024);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::out_of_resources);
        EXPECT_NE(std::string(e.what()).find("an SM has no room for a block of 1024 threads"),
                  std::string::npos)
            << e.what();
    }
}

TEST(PtxSpill, AFunctionThatIsCalledSpillsToo) {
    // Each call's values are its own: the function calls itself.
    std::string body =
        ".func (.param .b32 ret) deep(.param .b32 n) {\n.reg .pred %p<2>;\n.reg .b32 %r<100>;\n"
        "ld.param.u32 %r0, [n];\n";
    for (u32 k = 0; k < kValues; ++k)
        body += "mad.lo.u32 %r" + std::to_string(20 + k) + ", %r0, " + std::to_string(k + 3) + ", " +
                std::to_string(k * k) + ";\n";
    body +=
        "mov.u32 %r1, 0;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 bra SUM;\nsub.u32 %r2, %r0, 1;\n{\n"
        ".param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r2;\ncall.uni (b), deep, (a);\n"
        "ld.param.b32 %r1, [b];\n}\nSUM:\n";
    for (u32 k = 0; k < kValues; ++k)
        body += "xor.b32 %r3, %r1, %r" + std::to_string(20 + k) + ";\nadd.u32 %r1, %r1, %r3;\n";
    body +=
        "st.param.b32 [ret], %r1;\nret;\n}\n"
        ".visible .entry start(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
        "ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 3;\n{\n.param .b32 a;\n.param "
        ".b32 b;\n"
        "st.param.b32 [a], %r1;\ncall.uni (b), deep, (a);\nld.param.b32 %r2, [b];\n}\n"
        "mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd0, %rd0, %rd1;\nst.global.u32 [%rd0], %r2;\nret;\n}\n";
    DeviceLimits limits;
    limits.registers_per_sm = 32768;
    Device d(module_text(body), limits);
    const u32 threads = 1024;
    const u64 out = d.upload(std::vector<u32>(threads));
    d.run("start", {1, 1, 1}, {threads, 1, 1}, out);
    EXPECT_LE(d.stream.info.registers, 32u);
    std::vector<u32> by_depth;
    for (u32 n = 0; n < 4; ++n) {
        u32 r = n == 0 ? 0 : by_depth.back();
        for (u32 k = 0; k < kValues; ++k) r += r ^ (n * (k + 3) + k * k);
        by_depth.push_back(r);
    }
    const auto got = d.download<u32>(out, threads);
    for (u32 t = 0; t < threads; ++t) EXPECT_EQ(got[t], by_depth[t % 4]) << t;
}
