// Shared-memory passes against a count over explicit (bank, word, lane) lists.

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "core/coalescer.h"
#include "core/warp_access.h"

namespace heddle {
namespace {

using test::LaneAddress;
using test::random_lanes;
using test::random_mask;
using test::WarpAccess;

enum class Fault { none, no_broadcast, atomics_share, whole_warp_at_once, first_word_only };

/// Groups of lanes that together move a word of every bank go one after the other; in each, a bank gives one 4-byte word a
/// pass (to every lane that reads that word), an atomic one word of one lane.
u32 passes(const std::vector<LaneAddress>& lanes, u32 access_bytes, u32 banks, bool atomic,
           Fault fault = Fault::none) {
    const u32 group_lanes =
        fault == Fault::whole_warp_at_once ? 64u : std::max(1u, 4 * banks / std::max(access_bytes, 4u));
    u32 sum = 0;
    for (u32 group = 0; group < 64; ++group) {
        std::map<u64, std::multiset<u64>> words;  // of each bank
        for (const auto& [lane, address] : lanes) {
            if (lane / group_lanes != group) continue;
            u64 last = (address + access_bytes - 1) / 4;
            if (fault == Fault::first_word_only) last = address / 4;
            for (u64 word = address / 4; word <= last; ++word) words[word % banks].insert(word);
        }
        u32 most = 0;
        for (const auto& [bank, in_bank] : words) {
            const bool apart =
                (atomic && fault != Fault::atomics_share) || (!atomic && fault == Fault::no_broadcast);
            const std::set<u64> different(in_bank.begin(), in_bank.end());
            most = std::max(most, static_cast<u32>(apart ? in_bank.size() : different.size()));
        }
        sum += most;
    }
    return sum;
}

template <class UnderTest>
std::string first_difference(UnderTest under_test) {
    Random random(4, "bank test");
    for (int k = 0; k < 6000; ++k) {
        const u32 warp_lanes = random.chance(1, 2) ? 32 : 64;
        const u32 threads = random.chance(1, 4) ? 1 + static_cast<u32>(random.below(warp_lanes)) : warp_lanes;
        const u32 bytes = 1u << random.below(5);
        const u32 banks = 1u << random.below(7);
        const bool atomic = random.chance(1, 3);
        const WarpAccess access(random_lanes(random, random_mask(random, threads), bytes, 1 << 20, 1 << 16),
                                warp_lanes, threads);
        const u32 expected = passes(access.lanes(), bytes, banks, atomic);
        const u32 got = under_test(access, bytes, banks, atomic);
        if (got == expected) continue;
        std::ostringstream out;
        out << "case " << k << ", " << bytes << " bytes a lane, " << banks << " banks, atomic " << atomic
            << ":" << std::hex;
        for (const auto& [lane, address] : access.lanes()) out << ' ' << lane << '@' << address;
        out << std::dec << "\n  expected " << expected << ", got " << got;
        return out.str();
    }
    return "";
}

TEST(BankPasses, AgreeWithACountOnRandomAccesses) {
    const std::string difference =
        first_difference([](const WarpAccess& a, u32 bytes, u32 banks, bool atomic) {
            return bank_passes(a.inst(), bytes, banks, atomic);
        });
    EXPECT_TRUE(difference.empty()) << difference;
}

TEST(BankPasses, TheComparisonCatchesBrokenCounts) {
    for (const Fault fault :
         {Fault::no_broadcast, Fault::atomics_share, Fault::whole_warp_at_once, Fault::first_word_only})
        EXPECT_NE(first_difference([&](const WarpAccess& a, u32 bytes, u32 banks, bool atomic) {
                      return passes(a.lanes(), bytes, banks, atomic, fault);
                  }),
                  "")
            << "fault " << static_cast<int>(fault);
}

TEST(BankPasses, AStrideOfWordsCostsItsCommonDivisorWithTheBanks) {
    // The textbook rule: 32 lanes, words k*stride, 32 banks: gcd(stride, 32) passes.
    for (const auto& [stride, expected] :
         std::map<u64, u32>{{1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {16, 16}, {32, 32}, {33, 1}, {48, 16}}) {
        std::vector<LaneAddress> lanes;
        for (u32 k = 0; k < 32; ++k) lanes.push_back({k, 4 * stride * k});
        const WarpAccess access(lanes, 32, 32);
        EXPECT_EQ(bank_passes(access.inst(), 4, 32, false), expected) << "stride " << stride;
    }
}

TEST(BankPasses, OneWordForAllIsOnePassAndAnAtomicOnItOneALane) {
    std::vector<LaneAddress> lanes;
    for (u32 k = 0; k < 32; ++k) lanes.push_back({k, 64});
    const WarpAccess access(lanes, 32, 32);
    EXPECT_EQ(bank_passes(access.inst(), 4, 32, false), 1u);
    EXPECT_EQ(bank_passes(access.inst(), 4, 32, true), 32u);
}

TEST(BankPasses, WideUnitStrideAccessesTakeOnePassPer128Bytes) {
    for (const u32 bytes : {4u, 8u, 16u}) {
        std::vector<LaneAddress> lanes;
        for (u32 k = 0; k < 32; ++k) lanes.push_back({k, u64{bytes} * k});
        const WarpAccess access(lanes, 32, 32);
        EXPECT_EQ(bank_passes(access.inst(), bytes, 32, false), bytes / 4) << bytes << " bytes";
    }
}

}  // namespace
}  // namespace heddle
