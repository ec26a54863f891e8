// A link carries one message after the other, each direction for itself: closed forms.

#include "link/link.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

LinkSettings settings(u64 latency, u64 bytes_per_s, u32 header) {
    LinkSettings s;
    s.latency = Cycle(latency);
    s.bytes_per_s = bytes_per_s;
    s.header_bytes = header;
    return s;
}

constexpr LinkDirection kOut = LinkDirection::out, kBack = LinkDirection::back;

}  // namespace

TEST(Link, AMessageTakesItsLatencyAndItsBytes) {
    // 64 bytes a cycle: 16 + 112 bytes take two.
    Link link("l", settings(50, 64'000'000'000, 16), Clock(1'000'000'000, 1));
    EXPECT_EQ(link.carry(kOut, 112, Cycle(1000)), Cycle(1052));
    // The next one begins when it ends, the other direction knows nothing of it.
    EXPECT_EQ(link.carry(kOut, 112, Cycle(1000)), Cycle(1054));
    EXPECT_EQ(link.carry(kBack, 112, Cycle(1000)), Cycle(1052));
    EXPECT_EQ(link.stats(kOut).messages, 2u);
    EXPECT_EQ(link.stats(kOut).bytes, 256u);
    EXPECT_EQ(link.stats(kOut).wait_cycles, 2u);
    EXPECT_EQ(link.stats(kBack).wait_cycles, 0u);
    // Idle meanwhile: nothing is saved up.
    EXPECT_EQ(link.carry(kOut, 112, Cycle(5000)), Cycle(5052));
}

TEST(Link, ItsBandwidthIsExactWhateverTheClocks) {
    for (const u64 hertz : {1'400'000'000u, 700'000'000u, 1'333'333'333u})
        for (const u64 rate : {128'000'000'000u, 80'000'000'000u, 7'777'777'777u, 450'000'000'000u}) {
            Link link("l", settings(10, rate, 16), Clock(hertz, 1));
            Cycle last;
            constexpr u64 kMessages = 100'000, kBytes = 144;
            for (u64 k = 0; k < kMessages; ++k) last = link.carry(kOut, kBytes - 16, Cycle(0));
            const long double cycles = static_cast<long double>(kMessages * kBytes) * hertz / rate;
            EXPECT_NEAR(static_cast<double>(last.v), static_cast<double>(10 + cycles), 1.0)
                << hertz << " " << rate;
        }
}

TEST(Link, WithoutABandwidthOnlyTheLatencyCounts) {
    Link link("l", settings(50, 0, 16), Clock(1'000'000'000, 1));
    for (u32 k = 0; k < 10; ++k) EXPECT_EQ(link.carry(kOut, 128, Cycle(7)), Cycle(57));
    // At least one cycle: whatever crosses between parts does.
    Link none("l", settings(0, 0, 0), Clock(1'000'000'000, 1));
    EXPECT_EQ(none.carry(kOut, 0, Cycle(7)), Cycle(8));
}

TEST(Link, RequestsAndAnswersHaveTheirData) {
    Request r;
    r.sectors = 0b0111;
    r.lanes = 20;
    const auto bytes = [&](RequestKind kind) {
        r.kind = kind;
        return std::pair(data_bytes(r, kOut), data_bytes(r, kBack));
    };
    EXPECT_EQ(bytes(RequestKind::read), std::pair(0u, 96u));
    EXPECT_EQ(bytes(RequestKind::write), std::pair(96u, 0u));
    EXPECT_EQ(bytes(RequestKind::atomic), std::pair(80u, 80u));
    EXPECT_EQ(bytes(RequestKind::reduction), std::pair(80u, 0u));
}
