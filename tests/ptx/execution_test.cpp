#include <gtest/gtest.h>
#include <numeric>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

// c[i] = a[i] + b[i], as nvcc compiles it.
const std::string kVectorAdd = module_text(R"(
.visible .entry add(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pn)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<4>;
	.reg .b32 	%r<6>;
	.reg .b64 	%rd<11>;
	ld.param.u64 	%rd1, [pa];
	ld.param.u64 	%rd2, [pb];
	ld.param.u64 	%rd3, [pc];
	ld.param.u32 	%r2, [pn];
	mov.u32 	%r3, %ctaid.x;
	mov.u32 	%r4, %ntid.x;
	mov.u32 	%r5, %tid.x;
	mad.lo.s32 	%r1, %r3, %r4, %r5;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2;
	cvta.to.global.u64 	%rd4, %rd1;
	mul.wide.s32 	%rd5, %r1, 4;
	add.s64 	%rd6, %rd4, %rd5;
	cvta.to.global.u64 	%rd7, %rd2;
	add.s64 	%rd8, %rd7, %rd5;
	ld.global.f32 	%f1, [%rd8];
	ld.global.f32 	%f2, [%rd6];
	add.f32 	%f3, %f2, %f1;
	cvta.to.global.u64 	%rd9, %rd3;
	add.s64 	%rd10, %rd9, %rd5;
	st.global.f32 	[%rd10], %f3;
$L__BB0_2:
	ret;
}
)");

std::vector<float> counting(std::size_t n) {
    std::vector<float> v(n);
    std::iota(v.begin(), v.end(), 0.0f);
    return v;
}

}  // namespace

TEST(PtxExecution, AVectorAddAddsAndStreamsWhatItTouched) {
    Device d(kVectorAdd);
    const std::size_t n = 100;
    const u64 a = d.upload(counting(n)), b = d.upload(counting(n)), c = d.upload(std::vector<float>(n));
    d.run("add", {2, 1, 1}, {64, 1, 1}, a, b, c, static_cast<u32>(n));
    const auto sum = d.download<float>(c, n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(sum[i], 2.0f * static_cast<float>(i));

    EXPECT_EQ(d.stream.info.grid, (Dim3{2, 1, 1}));
    EXPECT_EQ(d.stream.order, (std::vector<u64>{0, 1}));
    EXPECT_TRUE(d.stream.complete);
    // Warp 1 of CTA 1 has threads 96..127; four of them are below n.
    std::vector<std::pair<u64, u64>> loads;  // first address, lanes
    std::vector<u64> stores;
    d.stream.each(1, 1, [&](const StaticInst& s, const DynInst& i) {
        if (s.mem == MemOp::load) loads.emplace_back(0, i.mask);
        for_each_address(i, [&](int lane, u64 address) {
            if (lane == 0 && s.mem == MemOp::load) loads.back().first = address;
            if (s.mem == MemOp::store) stores.push_back(address);
        });
    });
    EXPECT_EQ(loads, (std::vector<std::pair<u64, u64>>{{b + 96 * 4, 0xf}, {a + 96 * 4, 0xf}}));
    EXPECT_EQ(stores, (std::vector<u64>{c + 384, c + 388, c + 392, c + 396}));
}

TEST(PtxExecution, ALoadPastTheEndNamesKernelThreadLineAndAllocation) {
    Device d(kVectorAdd);
    const u64 a = d.upload(counting(64)), b = d.upload(counting(64)), c = d.upload(counting(60));
    try {
        d.run("add", {1, 1, 1}, {64, 1, 1}, a, b, c, 64u);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::illegal_address);
        const std::string what = e.what();
        EXPECT_NE(what.find("test.ptx:31: illegal address"), std::string::npos) << what;
        EXPECT_NE(what.find("0 bytes after the end of the 240-byte device allocation"), std::string::npos)
            << what;
        EXPECT_NE(what.find("kernel 'add', block (0,0,0), thread (60,0,0)"), std::string::npos) << what;
    }
}

TEST(PtxExecution, AMisalignedLoadIsAnErrorOfItsOwn) {
    Device d(kVectorAdd);
    const u64 a = d.upload(counting(64));
    try {
        d.run("add", {1, 1, 1}, {32, 1, 1}, a + 2, a, a, 8u);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::misaligned_address);
    }
}

TEST(PtxExecution, ABlockThatDoesNotFitIsABadLaunch) {
    Device d(kVectorAdd);
    const u64 a = d.upload(counting(64));
    EXPECT_THROW(d.run("add", {1, 1, 1}, {2048, 1, 1}, a, a, a, 8u), DeviceFault);
}

TEST(PtxExecution, ACopyKeepsTheValueOfItsTime) {
    // Each turn keeps what the last one computed; each register is written in one place, the source after the copy.
    Device d(module_text(R"(
.visible .entry k(.param .u64 out)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<6>;
	.reg .b64 	%rd<2>;
	ld.param.u64 	%rd1, [out];
	mov.u32 	%r1, 0;
	mov.u32 	%r2, 0;
AGAIN:
	mov.u32 	%r3, %r4;
	mad.lo.s32 	%r4, %r1, 10, 1;
	setp.gt.s32 	%p1, %r1, 0;
	@%p1 add.s32 	%r2, %r2, %r3;
	add.s32 	%r1, %r1, 1;
	setp.lt.s32 	%p2, %r1, 4;
	@%p2 bra 	AGAIN;
	st.global.u32 	[%rd1], %r2;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>{0});
    d.run("k", {1, 1, 1}, {1, 1, 1}, out);
    EXPECT_EQ(d.download<u32>(out, 1)[0], 1u + 11 + 21);
}

TEST(PtxExecution, RegistersThatAreCopiesOfEachOtherAreNoEndlessChain) {
    Device d(module_text(R"(
.visible .entry k(.param .u64 out)
{
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<2>;
	ld.param.u64 	%rd1, [out];
	mov.u32 	%r1, %r2;
	mov.u32 	%r2, %r1;
	mov.u32 	%r3, %r3;
	xor.b32 	%r4, %r1, %r1;
	xor.b32 	%r5, %r3, %r3;
	add.s32 	%r6, %r4, %r5;
	add.s32 	%r7, %r6, 7;
	st.global.u32 	[%rd1], %r7;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>{0});
    d.run("k", {1, 1, 1}, {1, 1, 1}, out);
    EXPECT_EQ(d.download<u32>(out, 1)[0], 7u);
}

namespace {

/// Each predicate is made of the one before, `operand` times; the last one chooses what is stored.
std::string chain_of_predicates(u32 length, const std::string& operation, u32 operands) {
    std::string body = R"(
.visible .entry k(.param .u64 out)
{
	.reg .pred 	%p<)" +
                       std::to_string(length + 1) +
                       R"(>;
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<2>;
	ld.param.u64 	%rd1, [out];
	ld.global.u32 	%r1, [%rd1];
	setp.eq.s32 	%p0, %r1, 3;
)";
    for (u32 k = 1; k <= length; ++k) {
        body += "\t" + operation + " \t%p" + std::to_string(k);
        for (u32 n = 0; n < operands; ++n) body += ", %p" + std::to_string(k - 1);
        body += ";\n";
    }
    return module_text(body + "\tselp.u32 \t%r2, 7, 8, %p" + std::to_string(length) +
                       ";\n\tst.global.u32 \t[%rd1], %r2;\n\tret;\n}\n");
}

/// What the kernel stores, if the stream shows no more of it than a load, a comparison, a choice and a store.
u32 chosen(const std::string& text) {
    Device d(text);
    const u64 out = d.upload(std::vector<u32>{3});
    d.run("k", {1, 1, 1}, {1, 1, 1}, out);
    std::vector<StaticInst> seen;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst&) { seen.push_back(s); });
    EXPECT_EQ(seen.size(), 5u);
    // The choice waits for the comparison, which the logic in between does not hide.
    if (seen.size() == 5) {
        EXPECT_EQ(seen[2].src[0], seen[1].dst[0]);
    }
    return d.download<u32>(out, 1)[0];
}

}  // namespace

TEST(PtxExecution, LogicThatTheStreamLeavesOutIsTracedOnceHoweverOftenItIsUsed) {
    EXPECT_EQ(chosen(chain_of_predicates(64, "and.pred", 2)), 7u);  // 2^64 ways lead back to the comparison
}

TEST(PtxExecution, LogicThatTheStreamLeavesOutMayBeAChainOfAnyLength) {
    EXPECT_EQ(chosen(chain_of_predicates(200'001, "not.pred", 1)), 8u);
}
