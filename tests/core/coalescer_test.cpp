// The coalescer against one that keeps the set of bytes of every line.

#include "core/coalescer.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "core/warp_access.h"

namespace heddle {
namespace {

using test::LaneAddress;
using test::random_lanes;
using test::random_mask;
using test::WarpAccess;

enum class Fault {
    none,
    straddle_lost,      // the next line is forgotten
    order_by_address,   // lines ascending instead of by first touch
    partial_by_lane,    // a sector that two lanes cover together counts as partial
    lanes_in_both,      // a straddling lane counts in both lines
    first_sector_only,  // an access over two sectors marks the first
    thirty_two_lanes,   // lanes 32..63 ignored
};

/// What the header of the coalescer says, lane by lane and byte by byte.
std::vector<LineAccess> coalesce(const std::vector<LaneAddress>& lanes, u32 access_bytes, bool want_partial,
                                 Fault fault = Fault::none) {
    struct Touched {
        LineAccess access;
        std::set<u64> bytes;
        u8 split = 0;  // sectors that one lane alone does not cover
    };
    std::vector<Touched> lines;
    const auto line_of = [&](u64 address) -> Touched& {
        for (auto& t : lines)
            if (t.access.line == address / 128) return t;
        return lines.emplace_back(Touched{{address / 128, 0, 0, 0}, {}, 0});
    };
    for (const auto& [lane, address] : lanes) {
        if (fault == Fault::thirty_two_lanes && lane >= 32) continue;
        ++line_of(address).access.lanes;
        if (fault == Fault::lanes_in_both && (address + access_bytes - 1) / 128 != address / 128)
            ++line_of(address + access_bytes - 1).access.lanes;
        for (u64 byte = address; byte < address + access_bytes; ++byte) {
            if (fault == Fault::straddle_lost && byte / 128 != address / 128) break;
            if (fault == Fault::first_sector_only && byte / 32 != address / 32) break;
            Touched& t = line_of(byte);
            t.bytes.insert(byte);
            t.split = static_cast<u8>(t.split | 1 << byte / 32 % 4);
        }
    }
    std::vector<LineAccess> result;
    for (auto& t : lines) {
        u32 count[4] = {};
        for (const u64 byte : t.bytes) ++count[byte % 128 / 32];
        for (u32 s = 0; s < 4; ++s) {
            const u8 bit = static_cast<u8>(1 << s);
            if (count[s] != 0) t.access.sectors |= bit;
            if (want_partial && count[s] != 0 && count[s] != 32) t.access.partial |= bit;
        }
        if (want_partial && fault == Fault::partial_by_lane) t.access.partial = t.split;
        result.push_back(t.access);
    }
    if (fault == Fault::order_by_address)
        std::sort(result.begin(), result.end(), [](auto& a, auto& b) { return a.line < b.line; });
    return result;
}

std::string text(std::span<const LineAccess> lines) {
    std::ostringstream out;
    for (const auto& l : lines)
        out << std::hex << l.line << ":s" << u32{l.sectors} << "p" << u32{l.partial} << std::dec << "n"
            << u32{l.lanes} << " ";
    return out.str();
}

/// Runs random accesses through `under_test`; the first that differs from the model, described, or "".
template <class UnderTest>
std::string first_difference(UnderTest under_test, std::set<AddressForm>* forms = nullptr) {
    Random random(3, "coalescer test");
    for (int k = 0; k < 6000; ++k) {
        const u32 warp_lanes = random.chance(1, 2) ? 32 : 64;
        const u32 threads = random.chance(1, 4) ? 1 + static_cast<u32>(random.below(warp_lanes)) : warp_lanes;
        const u32 bytes = 1u << random.below(5);
        const u64 align = random.chance(2, 3) ? bytes : 1;
        const u64 base = u64{1} << 33 | random.below(1 << 20) * 256;
        const u64 span = u64{256} << random.below(12);
        const WarpAccess access(random_lanes(random, random_mask(random, threads), align, base, span),
                                warp_lanes, threads);
        const bool partial = random.chance(1, 2);
        if (forms != nullptr) forms->insert(access.inst().form);
        const std::string expected = text(coalesce(access.lanes(), bytes, partial));
        const std::string got = text(under_test(access, bytes, partial));
        if (got == expected) continue;
        std::ostringstream out;
        out << "case " << k << ", " << bytes << " bytes a lane, partial " << partial << ":" << std::hex;
        for (const auto& [lane, address] : access.lanes()) out << ' ' << lane << '@' << address;
        out << "\n  expected " << expected << "\n  got      " << got;
        return out.str();
    }
    return "";
}

TEST(Coalescer, AgreesWithByteSetsOnRandomAccesses) {
    Coalescer coalescer;
    std::set<AddressForm> forms;
    EXPECT_EQ(first_difference([&](const WarpAccess& a, u32 bytes,
                                   bool partial) { return coalescer.coalesce(a.inst(), bytes, partial); },
                               &forms),
              "");
    EXPECT_EQ(forms.size(), 4u);  // every AddressForm was met
}

TEST(Coalescer, TheComparisonCatchesBrokenCoalescers) {
    for (const Fault fault : {Fault::straddle_lost, Fault::order_by_address, Fault::partial_by_lane,
                              Fault::lanes_in_both, Fault::first_sector_only, Fault::thirty_two_lanes})
        EXPECT_NE(first_difference([&](const WarpAccess& a, u32 bytes, bool partial) {
                      return coalesce(a.lanes(), bytes, partial, fault);
                  }),
                  "")
            << "fault " << static_cast<int>(fault);
}

TEST(Coalescer, AUnitStrideWarpOfWordsIsOneLine) {
    std::vector<LaneAddress> lanes;
    for (u32 k = 0; k < 32; ++k) lanes.push_back({k, 0x10000 + 4 * k});
    const WarpAccess access(lanes, 32, 32);
    Coalescer coalescer;
    const auto lines = coalescer.coalesce(access.inst(), 4, true);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(text(lines), "200:sfp0n32 ");
}

TEST(Coalescer, SixtyFourStraddlingLanesTouch128Lines) {
    std::vector<LaneAddress> lanes;
    for (u32 k = 0; k < 64; ++k) lanes.push_back({k, 0x10000 + u64{512} * k + 127});
    const WarpAccess access(lanes, 64, 64);
    Coalescer coalescer;
    EXPECT_EQ(coalescer.coalesce(access.inst(), 2, false).size(), 128u);
}

TEST(Coalescer, NothingOfAnEarlierInstructionShowsInALaterOne) {
    // One object over many instructions, whose lines collide in a small table now and then.
    Coalescer coalescer;
    for (u32 k = 0; k < 5000; ++k) {
        const u64 address = u64{k} << 12;
        const WarpAccess access({{0, address}, {5, address + (u64{1} << 40)}}, 32, 32);
        ASSERT_EQ(text(coalescer.coalesce(access.inst(), 4, true)), text(coalesce(access.lanes(), 4, true)));
    }
}

}  // namespace
}  // namespace heddle
