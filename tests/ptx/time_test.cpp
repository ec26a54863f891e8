// Loops that wait for time to pass, alone or beside a value.

#include <gtest/gtest.h>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

/// Waits until %clock64 has gone on by n; out[block] = how far it has.
const char* const kWait = R"(
.visible .entry wait(.param .u64 n, .param .u64 out) {
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd0, [n];
	ld.param.u64 %rd1, [out];
	mov.u64 %rd2, %clock64;
LOOP:
	mov.u64 %rd3, %clock64;
	sub.s64 %rd4, %rd3, %rd2;
	setp.lt.u64 %p0, %rd4, %rd0;
	@%p0 bra LOOP;
	mov.u32 %r0, %ctaid.x;
	mul.wide.u32 %rd5, %r0, 8;
	add.s64 %rd5, %rd1, %rd5;
	st.global.u64 [%rd5], %rd4;
	ret;
}
)";

/// The first block waits until flag[0] is set or n have passed, and says so in flag[2], then sets flag[1]. The second sets
/// flag[0] if `sets`, then counts in flag[3] until flag[1] is set.
const char* const kTimeout = R"(
.visible .entry timeout(.param .u64 flags, .param .u64 n, .param .u32 sets) {
	.reg .pred %p<4>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd0, [flags];
	ld.param.u64 %rd1, [n];
	ld.param.u32 %r0, [sets];
	mov.u32 %r1, %ctaid.x;
	setp.ne.u32 %p0, %r1, 0;
	@%p0 bra SECOND;
	mov.u64 %rd2, %clock64;
LOOP:
	ld.volatile.global.u32 %r2, [%rd0];
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra OUT;
	mov.u64 %rd3, %clock64;
	sub.s64 %rd4, %rd3, %rd2;
	setp.lt.u64 %p2, %rd4, %rd1;
	@%p2 bra LOOP;
OUT:
	selp.u32 %r3, 1, 2, %p1;
	st.global.u32 [%rd0 + 8], %r3;
	st.volatile.global.u32 [%rd0 + 4], 1;
	ret;
SECOND:
	setp.ne.u32 %p3, %r0, 0;
	@%p3 st.volatile.global.u32 [%rd0], 1;
COUNT:
	red.global.add.u32 [%rd0 + 12], 1;
	ld.volatile.global.u32 %r4, [%rd0 + 4];
	setp.eq.u32 %p1, %r4, 0;
	@%p1 bra COUNT;
	ret;
}
)";

}  // namespace

TEST(PtxTime, AWaitForTheClockEndsInFewRoundsAndAtMostASixteenthTooLate) {
    for (const u64 n : {u64{10}, u64{1000}, u64{1} << 20, u64{1} << 32, u64{1} << 48}) {
        Device d(module_text(kWait));
        const u64 out = d.upload(std::vector<u64>(3));
        const ExecutionStats stats = d.run("wait", {3, 1, 1}, {64, 1, 1}, n, out);
        for (const u64 waited : d.download<u64>(out, 3)) {
            EXPECT_GE(waited, n);
            EXPECT_LE(waited, n + n / 16 + 16) << n;
        }
        EXPECT_LT(stats.executed_operations, u64{6} * 5000) << n;
    }
}

TEST(PtxTime, AWaitThatNeverEndsIsReported) {
    Device d(module_text(kWait));
    const u64 out = d.upload(std::vector<u64>(1));
    try {
        d.run("wait", {1, 1, 1}, {32, 1, 1}, ~u64{0}, out);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::no_progress) << e.what();
    }
}

TEST(PtxTime, AWaitForAFlagSeesItOrRunsIntoItsTimeout) {
    for (const u32 sets : {1u, 0u}) {
        Device d(module_text(kTimeout));
        const u64 flags = d.upload(std::vector<u32>(4));
        d.run("timeout", {2, 1, 1}, {1, 1, 1}, flags, u64{100'000}, sets);
        const auto got = d.download<u32>(flags, 4);
        EXPECT_EQ(got[2], sets != 0 ? 1u : 2u);
        // The time that passed is that of the block that went on working.
        if (sets == 0) {
            EXPECT_GT(got[3], 100'000u / 8);
            EXPECT_LT(got[3], 100'000u);
        }
    }
}

TEST(PtxTime, ATimeoutComesEvenIfNobodyElseRuns) {
    Device d(module_text(kTimeout));
    const u64 flags = d.upload(std::vector<u32>(4));
    d.run("timeout", {1, 1, 1}, {1, 1, 1}, flags, u64{1} << 40, 0u);
    EXPECT_EQ(d.download<u32>(flags, 3)[2], 2u);
}
