// Lanes of one warp that wait in loops, each for something else.

#include <gtest/gtest.h>
#include <random>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

/// Lane 0 waits for a[0], lane 1 for a[1], in loops of their own; the second warp sets a[first] after 4,096 rounds, and
/// the lane that waits for it sets the other. If `counts`, lane 1 counts its rounds in a[3].
const char* const kTwoLoops = R"(
.visible .entry two_loops(.param .u64 a, .param .u32 first, .param .u32 counts) {
	.reg .pred %p<4>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd0, [a];
	ld.param.u32 %r1, [first];
	ld.param.u32 %r5, [counts];
	setp.ne.u32 %p3, %r5, 0;
	mov.u32 %r0, %tid.x;
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SETTER;
	setp.eq.u32 %p1, %r0, 1;
	@%p1 bra ONE;
	setp.ne.u32 %p1, %r0, 0;
	@%p1 bra DONE;
ZERO:
	ld.volatile.global.u32 %r2, [%rd0];
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra ZERO;
	st.volatile.global.u32 [%rd0 + 4], 1;
	bra DONE;
ONE:
	@%p3 red.global.add.u32 [%rd0 + 12], 1;
	ld.volatile.global.u32 %r2, [%rd0 + 4];
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra ONE;
	st.volatile.global.u32 [%rd0], 1;
	bra DONE;
SETTER:
	setp.ne.u32 %p0, %r0, 32;
	@%p0 bra DONE;
	mov.u32 %r3, 0;
LATER:
	add.u32 %r3, %r3, 1;
	ld.volatile.global.u32 %r4, [%rd0 + 8];
	add.u32 %r4, %r4, %r3;
	st.volatile.global.u32 [%rd0 + 8], %r4;
	setp.lt.u32 %p3, %r3, 4096;
	@%p3 bra LATER;
	mul.wide.u32 %rd1, %r1, 4;
	add.s64 %rd1, %rd0, %rd1;
	st.volatile.global.u32 [%rd1], 1;
DONE:
	ret;
}
)";

/// value[c] = 1 + (sum of the values of c's up to four children) mod 65,536. Threads take cells from the last one down
/// and look at a cell's children again until none is 0.
const char* const kGather = R"(
.visible .entry gather(.param .u64 children, .param .u64 value, .param .u32 cells) {
	.reg .pred %p<6>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd0, [children];
	ld.param.u64 %rd1, [value];
	ld.param.u32 %r0, [cells];
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r2, %r1, %r3;
	sub.s32 %r5, %r0, %r4;
	sub.s32 %r5, %r5, 1;
	mov.u32 %r6, %nctaid.x;
	mul.lo.s32 %r6, %r6, %r1;
	setp.lt.s32 %p0, %r5, 0;
	@%p0 bra DONE;
	bra CELL;
NEXT:
	setp.lt.s32 %p0, %r5, 0;
	@%p0 bra DONE;
CELL:
	mul.wide.s32 %rd2, %r5, 16;
	add.s64 %rd2, %rd0, %rd2;
	mov.u32 %r7, 0;
	mov.u32 %r8, 0;
	bra CHILD;
ADD:
	add.u32 %r8, %r8, %r11;
	mov.pred %p1, -1;
STEP:
	setp.lt.u32 %p2, %r7, 3;
	add.u32 %r7, %r7, 1;
	and.pred %p2, %p2, %p1;
	add.s64 %rd2, %rd2, 4;
	@%p2 bra CHILD;
	bra ROUND;
CHILD:
	ld.global.s32 %r10, [%rd2];
	setp.eq.s32 %p3, %r10, -1;
	mov.pred %p1, -1;
	@%p3 bra STEP;
	mul.wide.s32 %rd3, %r10, 4;
	add.s64 %rd3, %rd1, %rd3;
	ld.volatile.global.u32 %r11, [%rd3];
	setp.eq.u32 %p4, %r11, 0;
	mov.pred %p1, 0;
	@%p4 bra STEP;
	bra ADD;
ROUND:
	@%p1 bra READY;
	bra NEXT;
READY:
	and.b32 %r8, %r8, 65535;
	add.u32 %r8, %r8, 1;
	mul.wide.s32 %rd4, %r5, 4;
	add.s64 %rd4, %rd1, %rd4;
	st.volatile.global.u32 [%rd4], %r8;
	sub.s32 %r5, %r5, %r6;
	bra NEXT;
DONE:
	ret;
}
)";

constexpr u32 kChildren = 4;
constexpr i32 kNone = -1;

/// Children have larger numbers than their cell, most of them hardly larger.
std::vector<i32> random_children(u32 cells, u32 seed) {
    std::mt19937 random(seed);
    std::vector<i32> children;
    for (u32 c = 0; c < cells; ++c)
        for (u32 k = 0; k < kChildren; ++k) {
            const u32 reach = random() % 4 == 0 ? cells : 40;
            const u64 child = c + 1 + random() % reach;
            children.push_back(random() % 2 == 0 && child < cells ? static_cast<i32>(child) : kNone);
        }
    return children;
}

}  // namespace

TEST(PtxWaiting, SplitsOfOneWarpThatWaitForDifferentValuesBothWakeUp) {
    for (const u32 first : {0u, 1u}) {
        Device d(module_text(kTwoLoops));
        const u64 a = d.upload(std::vector<u32>(4));
        d.run("two_loops", {1, 1, 1}, {64, 1, 1}, a, first, 0u);
        EXPECT_EQ(d.download<u32>(a, 3), (std::vector<u32>{1, 1, 4096 * 4097 / 2})) << "first " << first;
    }
}

TEST(PtxWaiting, ALaneThatDoesSomethingInEachRoundStillLetsTheOthersGoOn) {
    Device d(module_text(kTwoLoops));
    const u64 a = d.upload(std::vector<u32>(4));
    d.run("two_loops", {1, 1, 1}, {64, 1, 1}, a, 0u, 1u);
    const auto got = d.download<u32>(a, 4);
    EXPECT_EQ(got[0], 1u);
    EXPECT_EQ(got[1], 1u);
    EXPECT_GT(got[3], 0u);
}

TEST(PtxWaiting, LanesThatWaitForLanesOfTheirOwnAndOfOtherWarpsFinish) {
    for (u32 seed = 1; seed <= 6; ++seed) {
        const u32 cells = 1000;
        const std::vector<i32> children = random_children(cells, seed);
        std::vector<u32> expected(cells);
        for (u32 c = cells; c-- > 0;) {
            u32 sum = 0;
            for (u32 k = 0; k < kChildren; ++k) {
                const i32 child = children[c * kChildren + k];
                if (child != kNone) sum += expected[static_cast<u32>(child)];
            }
            expected[c] = 1 + sum % 65'536;
        }
        Device d(module_text(kGather));
        const u64 in = d.upload(children), value = d.upload(std::vector<u32>(cells));
        d.run("gather", {3, 1, 1}, {64, 1, 1}, in, value, cells);
        EXPECT_EQ(d.download<u32>(value, cells), expected) << "seed " << seed;
    }
}

TEST(PtxWaiting, ACellThatIsItsOwnDescendantIsReportedAndAllOthersAreDone) {
    const u32 cells = 400, first = 300, last = 310;
    std::vector<i32> children(cells * kChildren, kNone);
    for (u32 c = 0; c + 1 < cells; ++c) children[c * kChildren + c % kChildren] = static_cast<i32>(c + 1);
    children[last * kChildren + last % kChildren] = static_cast<i32>(first);
    Device d(module_text(kGather));
    const u64 in = d.upload(children), value = d.upload(std::vector<u32>(cells));
    try {
        d.run("gather", {3, 1, 1}, {64, 1, 1}, in, value, cells);
        FAIL();
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::no_progress);
        EXPECT_NE(std::string(e.what()).find("nothing changes"), std::string::npos) << e.what();
    }
    const auto got = d.download<u32>(value, cells);
    for (u32 c = 0; c < cells; ++c) EXPECT_EQ(got[c], c > last ? cells - c : 0) << "cell " << c;
}

TEST(PtxWaiting, LanesThatStoppedAtOnePlaceGoOnTogether) {
    // The first block's cells wait for the second block's: even lanes for their first child, odd lanes for their second.
    const u32 cells = 64;
    std::vector<i32> children(cells * kChildren, kNone);
    for (u32 c = 32; c < cells; ++c) children[c * kChildren + c % 2] = static_cast<i32>(c - 32);
    Device d(module_text(kGather));
    const u64 in = d.upload(children), value = d.upload(std::vector<u32>(cells));
    d.run("gather", {2, 1, 1}, {32, 1, 1}, in, value, cells);
    const auto got = d.download<u32>(value, cells);
    for (u32 c = 0; c < cells; ++c) EXPECT_EQ(got[c], c < 32 ? 1 : 2) << "cell " << c;
    std::vector<u64> stores;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst& i) {
        if (s.mem == MemOp::store) stores.push_back(i.mask);
    });
    EXPECT_EQ(stores, (std::vector<u64>{0xffffffff}));
}

TEST(PtxWaiting, LanesAtAWarpBarrierWaitForALaneThatWaitsForAnotherWarp) {
    // Lane 0 waits for the second warp's flag; the others meet it at a barrier, and read what the flag announces.
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.shared .b32 flag;
	.shared .b32 value;
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<3>;
	mov.u32 %r0, %tid.x;
	st.shared.u32 [flag], 0;
	st.shared.u32 [value], 0;
	bar.sync 0;
	setp.ge.u32 %p0, %r0, 32;
	@%p0 bra SECOND;
	setp.ne.u32 %p1, %r0, 0;
	@%p1 bra MEET;
LOOK:
	ld.volatile.shared.u32 %r1, [flag];
	setp.eq.u32 %p2, %r1, 0;
	@%p2 bra LOOK;
MEET:
	bar.warp.sync -1;
	ld.shared.u32 %r2, [value];
	ld.param.u64 %rd0, [out];
	mul.wide.u32 %rd1, %r0, 4;
	add.s64 %rd0, %rd0, %rd1;
	st.global.u32 [%rd0], %r2;
	ret;
SECOND:
	mov.u32 %r3, 0;
LATER:
	add.u32 %r3, %r3, 1;
	st.volatile.shared.u32 [value], %r3;
	setp.lt.u32 %p1, %r3, 5000;
	@%p1 bra LATER;
	membar.cta;
	st.volatile.shared.u32 [flag], 1;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(32));
    d.run("k", {1, 1, 1}, {64, 1, 1}, out);
    EXPECT_EQ(d.download<u32>(out, 32), std::vector<u32>(32, 5000));
}
