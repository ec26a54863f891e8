#include "cuda/kernel_feed.h"

#include <gtest/gtest.h>

#include "ptx/device.h"

namespace heddle::cuda {
namespace {

using namespace ptx::test;
using ptx::Launch;

TEST(KernelFeed, AStreamExecutedWhileItIsReadIsTheRecordedOne) {
    const std::string text = module_text(R"(
.visible .entry k(.param .u64 out, .param .u32 n) {
	.reg .pred %p;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	mad.lo.u32 %r2, %r1, 96, %r0;
	mul.wide.u32 %rd1, %r2, 4;
	ld.param.u64 %rd0, [out];
	ld.param.u32 %r5, [n];
	add.s64 %rd0, %rd0, %rd1;
	mov.u32 %r3, 0;
L:
	st.global.u32 [%rd0], %r3;
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p, %r3, %r5;
	@%p bra L;
	ret;
}
)");
    Device d(text);
    const u64 out = d.upload(std::vector<u32>(96 * 2));
    d.run("k", {2, 1, 1}, {96, 1, 1}, out, 20'000u);  // more than a CTA executes in a turn
    Launch launch;
    launch.kernel = d.program->kernel("k");
    launch.grid = {2, 1, 1};
    launch.block = {96, 1, 1};
    launch.args = pack_arguments(out, 20'000u);
    for (const u64 most_words : {u64{100}, kMostWords}) {
        const auto live = feed_kernel(d.context, launch, most_words);
        const auto cta = live->make_cta();
        u64 ctas = 0;
        bool pieces = false;
        for (; live->next_cta(*cta); ++ctas) {
            pieces |= cta->chunked;
            for (u32 warp = 0; warp < 3; ++warp) {
                auto cursor = cta->cursor(warp, live->info());
                DynInst got;
                u64 n = 0;
                d.stream.each(ctas, warp, [&](const StaticInst&, const DynInst& want) {
                    ASSERT_TRUE(cursor.next(got));
                    ASSERT_EQ(got.static_index, want.static_index);
                    ASSERT_EQ(got.mask, want.mask);
                    ++n;
                });
                EXPECT_FALSE(cursor.next(got));
                EXPECT_GT(n, 60'000u);
            }
        }
        EXPECT_EQ(ctas, 2u);
        EXPECT_EQ(pieces, most_words == 100);
    }
}

}  // namespace
}  // namespace heddle::cuda
