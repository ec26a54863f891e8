// The crossbar against a model that moves every port every cycle, and against closed forms.

#include "noc/crossbar.h"

#include <gtest/gtest.h>
#include <sstream>

#include "noc/crossbar_run.h"
#include "sim/random.h"

namespace heddle {
namespace {

using test::CrossbarFault;
using test::CrossbarRun;
using test::Delivery;
using test::Packet;
using test::Stepping;

constexpr u64 kLast = 2'000'000;

/// Header and data in flits, at least one.
u32 flits_of(const CrossbarSettings& s, Crossbar::Carries carries, bool write, u32 sectors) {
    const bool requests = carries == Crossbar::Carries::requests;
    const u32 data = requests == write ? 32 * sectors : 0;
    const u32 bytes = (requests ? s.request_header : s.response_header) + data;
    return std::max(1u, (bytes + s.flit_bytes - 1) / s.flit_bytes);
}

/// A crossbar, its traffic and how eager its receivers are.
struct Scene {
    CrossbarSettings settings;
    Crossbar::Carries carries = Crossbar::Carries::requests;
    u32 sources = 1, destinations = 1;
    std::vector<Packet> packets;  // in order of creation
    u64 eagerness = 8;            // of 8

    explicit Scene(Random& random) {
        const u32 flit_bytes[] = {8, 32, 32, 64, 128};
        const u32 headers[] = {1, 8, 8, 40};
        settings.latency = 1 + static_cast<u32>(random.below(12));
        settings.flit_bytes = flit_bytes[random.below(std::size(flit_bytes))];
        settings.request_header = headers[random.below(std::size(headers))];
        settings.response_header = headers[random.below(std::size(headers))];
        settings.credits = 1 + static_cast<u32>(random.below(6));
        settings.output_queue = 1 + static_cast<u32>(random.below(8));
        if (random.chance(1, 2)) carries = Crossbar::Carries::responses;
        sources = random.chance(1, 10) ? 60 + static_cast<u32>(random.below(80))
                                       : 1 + static_cast<u32>(random.below(9));
        destinations = random.chance(1, 10) ? 70 : 1 + static_cast<u32>(random.below(6));
        if (random.chance(1, 2)) eagerness = 1 + random.below(8);
        const u64 duration = 1 + random.below(300);
        const bool hot_spot = random.chance(1, 3);
        for (u32 k = 0; k < 150; ++k) {
            Packet p;
            p.created = random.below(duration);
            p.source = static_cast<u32>(random.below(sources));
            p.destination =
                hot_spot && random.chance(3, 4) ? 0 : static_cast<u32>(random.below(destinations));
            p.sectors = 1 + static_cast<u32>(random.below(4));
            p.write = random.chance(1, 2);
            p.flits = flits_of(settings, carries, p.write, p.sectors);
            packets.push_back(p);
        }
        std::stable_sort(packets.begin(), packets.end(),
                         [](const Packet& a, const Packet& b) { return a.created < b.created; });
    }
    bool ready(u32 destination, u64 cycle) const {
        return mix64(destination * 1'000'003 + cycle) % 8 < eagerness;
    }
};

std::string text(const Scene& s) {
    std::ostringstream out;
    out << s.sources << " x " << s.destinations << ", latency " << s.settings.latency << ", flit "
        << s.settings.flit_bytes << ", credits " << s.settings.credits << ", queue "
        << s.settings.output_queue << ", receivers ready in " << s.eagerness << "/8 of cycles";
    return out.str();
}

/// The first delivery of `under_test(scene)` that differs from the model's, described, or "".
template <class UnderTest>
std::string first_difference(UnderTest under_test) {
    Random random(6, "crossbar test");
    for (int k = 0; k < 400; ++k) {
        const Scene scene(random);
        const auto ready = [&](u32 d, u64 cycle) { return scene.ready(d, cycle); };
        const test::Passage expected =
            simulate(scene.settings, scene.sources, scene.destinations, scene.packets, ready, kLast);
        const test::Passage got = under_test(scene, ready);
        std::ostringstream out;
        out << "case " << k << ": " << text(scene);
        const auto describe = [&](const test::Passage& o, std::size_t at) {
            if (at >= o.deliveries.size()) {
                out << "nothing";
                return;
            }
            const Delivery& d = o.deliveries[at];
            const Packet& p = scene.packets[d.id];
            out << "packet " << d.id << " (created " << p.created << ", " << p.source << " to "
                << p.destination << ", " << p.flits << " flits) granted at " << d.granted << ", whole at "
                << d.whole;
        };
        const std::size_t n = std::max(expected.deliveries.size(), got.deliveries.size());
        for (std::size_t d = 0; d < n; ++d) {
            if (d < expected.deliveries.size() && d < got.deliveries.size() &&
                got.deliveries[d] == expected.deliveries[d])
                continue;
            out << "\n  delivery " << d << "\n  expected ";
            describe(expected, d);
            out << "\n  got      ";
            describe(got, d);
            return out.str();
        }
        if (!got.finished || !expected.finished) return out.str() + ": packets are lost";
        if (got.blocked_cycles != expected.blocked_cycles) {
            out << "\n  blocked cycles: expected " << expected.blocked_cycles << ", got "
                << got.blocked_cycles;
            return out.str();
        }
    }
    return "";
}

template <class Ready>
test::Passage run_real(const Scene& s, Ready ready, Stepping stepping) {
    CrossbarRun run(s.settings, s.carries, s.sources, s.destinations, s.packets, ready);
    test::Passage outcome = run.run(stepping, kLast);
    u64 flits = 0;
    for (const Packet& p : s.packets) flits += p.flits;
    EXPECT_EQ(run.crossbar().packets(), s.packets.size());
    EXPECT_EQ(run.crossbar().flits_moved(), flits);
    EXPECT_TRUE(run.crossbar().empty());
    return outcome;
}

TEST(Crossbar, SteppedWhenItAsksDeliversAsTheCycleByCycleModel) {
    EXPECT_EQ(
        first_difference([](const Scene& s, auto ready) { return run_real(s, ready, Stepping::when_asked); }),
        "");
}

TEST(Crossbar, SteppedEveryCycleDeliversTheSame) {
    const std::string difference = first_difference(
        [](const Scene& s, auto ready) { return run_real(s, ready, Stepping::every_cycle); });
    EXPECT_TRUE(difference.empty()) << difference;
}

TEST(Crossbar, TheComparisonCatchesBrokenCrossbars) {
    for (int k = 1; k < static_cast<int>(CrossbarFault::count_); ++k)
        EXPECT_NE(first_difference([&](const Scene& s, auto ready) {
                      return simulate(s.settings, s.sources, s.destinations, s.packets, ready, kLast,
                                      static_cast<CrossbarFault>(k));
                  }),
                  "")
            << "fault " << k;
}

// -- closed forms

/// Deliveries of `packets` (in order of creation) to receivers that are always ready.
std::vector<Delivery> deliver(const CrossbarSettings& s, u32 sources, u32 destinations,
                              std::vector<Packet> packets) {
    const auto always = [](u32, u64) { return true; };
    CrossbarRun run(s, Crossbar::Carries::requests, sources, destinations, packets, always);
    return run.run(Stepping::when_asked, kLast).deliveries;
}

Packet write_packet(u64 created, u32 source, u32 destination, u32 sectors) {
    return {created, source, destination, sectors, true, 0};
}

TEST(Crossbar, AnUnloadedPacketIsWholeAfterLatencyAndItsFlits) {
    for (const u32 latency : {1u, 8u, 31u})
        for (const u32 sectors : {1u, 2u, 4u}) {
            CrossbarSettings s;
            s.latency = latency;
            s.request_header = 8;
            s.flit_bytes = 32;
            const u64 flits = 1 + sectors;  // 8 + 32 n bytes in flits of 32
            const auto got = deliver(s, 4, 4, {write_packet(100, 3, 2, sectors)});
            ASSERT_EQ(got.size(), 1u);
            EXPECT_EQ(got[0].whole, 100 + latency + flits - 1);
        }
}

TEST(Crossbar, AStreamOfOneSourceMovesAFlitEveryCycle) {
    CrossbarSettings s;
    s.credits = 60;
    std::vector<Packet> packets(200, write_packet(0, 0, 0, 4));
    const auto got = deliver(s, 1, 1, packets);
    ASSERT_EQ(got.size(), packets.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k].whole, s.latency + 5 * (k + 1) - 1);
}

TEST(Crossbar, SaturatingSourcesGetEqualShares) {
    CrossbarSettings s;
    s.credits = 16;
    for (const u32 sources : {2u, 3u, 70u}) {
        std::vector<Packet> packets;
        for (u32 n = 0; n < 50; ++n)
            for (u32 k = 0; k < sources; ++k) packets.push_back(write_packet(0, k, 0, 1));
        const auto got = deliver(s, sources, 1, packets);
        ASSERT_EQ(got.size(), packets.size());
        std::vector<u32> share(sources);
        for (const Delivery& d : got) {
            ++share[packets[d.id].source];
            const auto [least, most] = std::minmax_element(share.begin(), share.end());
            ASSERT_LE(*most - *least, 1u) << sources << " sources, cycle " << d.granted;
        }
    }
}

TEST(Crossbar, CreditsBoundAPairToCreditsPacketsARoundTrip) {
    // One-flit packets: sent at t, granted at t + latency, credit back at t + 2 latency.
    CrossbarSettings s;
    s.latency = 10;
    s.credits = 4;
    s.request_header = 8;
    std::vector<Packet> packets(40, Packet{0, 0, 0, 4, false, 0});  // reads: a header
    const auto got = deliver(s, 1, 1, packets);
    ASSERT_EQ(got.size(), packets.size());
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_EQ(got[k].granted, 10 + k / 4 * 20 + k % 4) << "packet " << k;
}

TEST(Crossbar, AHeadWithoutACreditBlocksTheWholePort) {
    CrossbarSettings s;
    s.latency = 10;
    s.credits = 1;
    // Two to destination 0, then one to destination 1, which is idle all the time.
    const auto got = deliver(s, 1, 2, {Packet{0, 0, 0, 1}, Packet{0, 0, 0, 1}, Packet{0, 0, 1, 1}});
    ASSERT_EQ(got.size(), 3u);
    EXPECT_EQ(got[0].granted, 10u);
    EXPECT_EQ(got[1].granted, 30u);  // the credit is back at 20
    EXPECT_EQ(got[2].granted, 31u);  // behind it
    EXPECT_EQ(got[2].destination, 1u);
}

}  // namespace
}  // namespace heddle
