// Accesses outside allocations under the three modes of the memory check.

#include <gtest/gtest.h>
#include <optional>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

const char* const kTouch = R"(
.visible .entry touch(.param .u64 at, .param .u32 how) {
	.reg .pred %p<3>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [at];
	ld.param.u32 %r0, [how];
	setp.eq.u32 %p0, %r0, 0;
	setp.eq.u32 %p1, %r0, 1;
	setp.eq.u32 %p2, %r0, 2;
	@%p0 ld.global.u32 %r1, [%rd0];
	@%p1 st.global.u32 [%rd0], 5;
	@%p2 atom.global.add.u32 %r1, [%rd0], 1;
	add.u32 %r2, %r1, 1;
	ret;
}
)";

enum class How : u32 { read, write, atomic };

/// What a launch of 64 threads comes to: how many warnings, or none if it faults.
std::optional<std::size_t> warnings(MemoryCheck check, How how, i64 from_end) {
    Device d(module_text(kTouch));
    d.context.memory_check = check;
    std::vector<std::string> said;
    d.context.warn = [&](const std::string& text) { said.push_back(text); };
    const u64 at = d.upload(std::vector<u32>(256));
    try {
        for (int k = 0; k < 2; ++k)
            d.run("touch", {2, 1, 1}, {32, 1, 1}, at + 1024 + static_cast<u64>(from_end),
                  static_cast<u32>(how));
    } catch (const DeviceFault& e) {
        EXPECT_EQ(e.kind(), DeviceFault::Kind::illegal_address);
        return std::nullopt;
    }
    for (const std::string& text : said)
        EXPECT_NE(text.find(" the 1,024-byte device allocation"), std::string::npos) << text;
    return said.size();
}

constexpr i64 kPage = 2 << 20;

}  // namespace

TEST(PtxMemoryCheck, ReadsInAnAllocationsPageAreWarnedOfOnceAndTheRestAreFaults) {
    using enum MemoryCheck;
    EXPECT_EQ(warnings(warn, How::read, -4), 0u);
    EXPECT_EQ(warnings(warn, How::read, 0), 1u);
    EXPECT_EQ(warnings(warn, How::read, kPage - 1024 - 4), 1u);
    EXPECT_EQ(warnings(warn, How::read, kPage - 1024), std::nullopt);
    // The page below a program's first allocation has something of the driver's; the one below that has not.
    EXPECT_EQ(warnings(warn, How::read, -1024 - 4), 1u);
    EXPECT_EQ(warnings(warn, How::read, -1024 - kPage), 1u);
    EXPECT_EQ(warnings(warn, How::read, -1024 - kPage - 4), std::nullopt);
    EXPECT_EQ(warnings(warn, How::write, -1024 - 4), std::nullopt);
    EXPECT_EQ(warnings(warn, How::write, 0), std::nullopt);
    EXPECT_EQ(warnings(warn, How::atomic, 0), std::nullopt);
}

TEST(PtxMemoryCheck, ErrorTakesNothingAndOffTakesWhatADeviceTakes) {
    using enum MemoryCheck;
    for (const How how : {How::read, How::write, How::atomic}) {
        EXPECT_EQ(warnings(error, how, 0), std::nullopt);
        EXPECT_EQ(warnings(error, how, -4), 0u);
        EXPECT_EQ(warnings(off, how, 0), 0u);
        EXPECT_EQ(warnings(off, how, kPage - 1024 - 4), 0u);
        EXPECT_EQ(warnings(off, how, kPage - 1024), std::nullopt);
    }
}

TEST(PtxMemoryCheck, AReadOutsideGetsWhatIsThere) {
    const std::string body = R"(
.visible .entry get(.param .u64 at, .param .u64 out) {
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [at];
	ld.param.u64 %rd1, [out];
	ld.global.u32 %r0, [%rd0];
	st.global.u32 [%rd1], %r0;
	ret;
}
)";
    Device d(module_text(body));
    const u64 out = d.upload(std::vector<u32>{7, 7}), neighbour = d.upload(std::vector<u32>{9});
    d.run("get", {1, 1, 1}, {1, 1, 1}, out + 8, out);
    EXPECT_EQ(d.download<u32>(out, 1)[0], 0u);
    EXPECT_GT(neighbour, out);
}
