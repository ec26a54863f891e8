// Address maps: one-to-one, the closed form of M-WG, even spread, independence of the program's base.

#include "mem/address_map.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "sim/error.h"
#include "sim/random.h"
#include "vm/address_space.h"

namespace heddle {
namespace {

constexpr ChannelHash kHashes[] = {ChannelHash::modulo, ChannelHash::xor3, ChannelHash::xor_fold};
constexpr u64 kMemory = u64{1} << 39;  // 2^32 lines, the most that a machine has

u32 most_minus_least(const std::vector<u32>& counts) {
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    return *most - *least;
}

TEST(AddressMap, IsOneToOneForEveryHashChannelAndSliceCount) {
    Random random(1, "address map test");
    for (const ChannelHash hash : kHashes)
        for (u32 channels = 1; channels <= 40; ++channels)
            for (u32 slices = 1; slices <= 4; ++slices)
                for (const u32 interleave : {128u, 256u, 1024u, 4096u}) {
                    const AddressMap map({interleave, hash}, channels, slices);
                    for (int k = 0; k < 25; ++k) {
                        const PhysAddr address(random.below(kMemory) >> random.below(30));
                        const Place place = map.place(address);
                        ASSERT_LT(place.channel, channels);
                        ASSERT_LT(place.slice, slices);
                        ASSERT_EQ(place.local.v % interleave, address.v % interleave);
                        ASSERT_EQ(map.address(place.channel, place.local), address)
                            << channels << " channels, hash " << static_cast<int>(hash);
                    }
                }
}

TEST(AddressMap, LocalAddressesOfAPrefixOfMemoryFillEveryChannelWithoutHoles) {
    // Together with one-to-one: memory of n blocks needs no more than ceil(n / channels) blocks of a channel.
    for (const ChannelHash hash : kHashes)
        for (const u32 channels : {1u, 3u, 6u, 8u, 24u, 32u, 40u}) {
            const AddressMap map({256, hash}, channels, 1);
            const u64 blocks = 64 * u64{channels};
            std::vector<std::set<u64>> used(channels);
            for (u64 b = 0; b < blocks; ++b) {
                const Place place = map.place(PhysAddr(b * 256));
                used[place.channel].insert(place.local.v / 256);
            }
            for (const auto& locals : used) {
                EXPECT_EQ(locals.size(), 64u) << channels << " channels, hash " << static_cast<int>(hash);
                EXPECT_EQ(*locals.rbegin(), 63u);
            }
        }
}

TEST(AddressMap, Xor3OverSixChannelsIsTheClosedFormOfThePaper) {
    // S1: channel = {addr[47:11] : (addr[10:8] XOR addr[13:11])} mod 6; X div 6 is the block in the channel.
    const AddressMap map({256, ChannelHash::xor3}, 6, 1);
    Random random(2, "address map test");
    for (int k = 0; k < 10'000; ++k) {
        const u64 a = random.below(u64{1} << 48);
        const auto bits = [&](u32 high, u32 low) { return a >> low & ((u64{1} << (high - low + 1)) - 1); };
        const u64 x = bits(47, 11) << 3 | (bits(10, 8) ^ bits(13, 11));
        const Place place = map.place(PhysAddr(a));
        ASSERT_EQ(place.channel, x % 6) << std::hex << a;
        ASSERT_EQ(place.local.v, x / 6 * 256 + a % 256) << std::hex << a;
    }
}

TEST(AddressMap,
     ChannelsOfTheWarpAwareMachineAreThoseWorkedOutByHand) {  // Chatterjee et al., SC 2014
    const AddressMap map({256, ChannelHash::xor3}, 6, 1);
    const std::pair<u64, u32> examples[] = {{0x0, 0},    {0x100, 1},     {0x500, 5}, {0x600, 0},
                                            {0x700, 1},  {0x800, 3},     {0x900, 2}, {0x1000, 0},
                                            {0x3000, 0}, {0x12345680, 4}};
    for (const auto& [address, channel] : examples)
        EXPECT_EQ(map.place(PhysAddr(address)).channel, channel) << std::hex << address;
}

TEST(AddressMap, ModuloIsPlainInterleaving) {
    const AddressMap map({512, ChannelHash::modulo}, 6, 1);
    for (u64 a = 0; a < 512 * 40; a += 128) {
        const Place place = map.place(PhysAddr(a));
        ASSERT_EQ(place.channel, a / 512 % 6);
        ASSERT_EQ(place.local.v, a / 512 / 6 * 512 + a % 512);
    }
}

TEST(AddressMap, AStreamUsesAllChannelsAndSlicesEvenly) {
    for (const ChannelHash hash : kHashes)
        for (const u32 channels : {4u, 6u, 8u, 11u, 24u, 32u, 40u})
            for (u32 slices = 1; slices <= 4; ++slices) {
                const AddressMap map({256, hash}, channels, slices);
                std::vector<u32> counts(channels * slices);
                const u64 blocks = u64{channels} * slices * 512;
                for (u64 b = 0; b < blocks; ++b) {
                    const Place place = map.place(PhysAddr(b * 256));
                    ++counts[place.channel * slices + place.slice];
                }
                EXPECT_LE(most_minus_least(counts), 512u / 20)  // 5 %
                    << channels << "x" << slices << " hash " << static_cast<int>(hash);
            }
}

TEST(AddressMap, XorFoldSpreadsEveryPowerOfTwoStride) {
    // With 2^k channels, 2^k steps of any power-of-two stride that stay below 4 GiB meet every channel once;
    // plain interleaving leaves all of them in one channel from a stride of 2^k blocks on.
    for (const u32 k : {1u, 2u, 3u, 4u, 5u}) {
        const u32 channels = 1u << k;
        const AddressMap folded({256, ChannelHash::xor_fold}, channels, 1);
        const AddressMap plain({256, ChannelHash::modulo}, channels, 1);
        for (u32 stride = 8; stride + k <= 32; ++stride) {
            std::set<u32> met, met_plain;
            for (u64 i = 0; i < channels; ++i) {
                met.insert(folded.place(PhysAddr(i << stride)).channel);
                met_plain.insert(plain.place(PhysAddr(i << stride)).channel);
            }
            EXPECT_EQ(met.size(), channels) << channels << " channels, stride 2^" << stride;
            if (stride >= 8 + k) {
                EXPECT_EQ(met_plain.size(), 1u);
            }
        }
    }
}

TEST(AddressMap, XorFoldLeavesNoStrideOnFewChannelsForOddChannelCounts) {
    for (const u32 channels : {6u, 11u, 24u, 40u}) {
        const AddressMap map({256, ChannelHash::xor_fold}, channels, 1);
        for (u32 stride = 8; stride <= 20; ++stride) {
            std::vector<u32> counts(channels);
            for (u64 i = 0; i < 64 * channels; ++i) ++counts[map.place(PhysAddr(i << stride)).channel];
            EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 64u * 3)
                << channels << " channels, stride 2^" << stride;
        }
    }
}

TEST(AddressMap, LinesOfASliceAreNumberedDensely) {
    for (const u32 slices : {1u, 2u, 3u, 4u, 8u, 12u, 64u})
        for (const u32 interleave : {128u, 256u, 1024u}) {
            const AddressMap map({interleave, ChannelHash::xor_fold}, 6, slices);
            const u64 lines_per_block = interleave / 128;
            const u64 blocks = 64 * slices;
            std::vector<std::set<u64>> numbers(slices);
            for (u64 line = 0; line < blocks * lines_per_block; ++line) {
                const Place place = map.place(map.address(2, PhysAddr(line * 128)));
                ASSERT_EQ(place.channel, 2u);
                ASSERT_EQ(place.local.v, line * 128);
                numbers[place.slice].insert(map.slice_line(place.local));
            }
            for (const auto& n : numbers) {
                EXPECT_EQ(n.size(), 64 * lines_per_block) << slices << " slices of " << interleave;
                EXPECT_EQ(*n.rbegin(), 64 * lines_per_block - 1);
            }
        }
}

TEST(AddressMap, ALineNeverSpansTwoPlaces) {
    Random random(3, "address map test");
    for (const ChannelHash hash : kHashes)
        for (const u32 channels : {1u, 6u, 7u, 32u}) {
            const AddressMap map({128, hash}, channels, 3);
            for (int k = 0; k < 200; ++k) {
                const u64 line = random.below(kMemory) / 128 * 128;
                const Place first = map.place(PhysAddr(line)), last = map.place(PhysAddr(line + 127));
                EXPECT_EQ(first.channel, last.channel);
                EXPECT_EQ(first.slice, last.slice);
                EXPECT_EQ(last.local - first.local, 127u);
            }
        }
}

TEST(AddressMap, MovingAProgramBy64GiBStepsChangesNoPlace) {
    Random random(4, "address map test");
    const AddressMap map({256, ChannelHash::xor_fold}, 24, 2);
    for (const u64 move : {1ull, 2ull, 7ull, 1000ull}) {
        LinearMemory here, there;
        for (int k = 0; k < 5000; ++k) {
            const u64 a = (u64{3} << 32) + random.below(u64{5} << 32);
            const Place p = map.place(here.translate(0, VirtAddr(a)));
            const Place q = map.place(there.translate(0, VirtAddr(a + (move << 36))));
            ASSERT_EQ(p.channel, q.channel);
            ASSERT_EQ(p.slice, q.slice);
            ASSERT_EQ(p.local, q.local);
        }
        EXPECT_EQ(here.regions(), there.regions());
    }
}

TEST(LinearMemory, GivesEachRegionOfEachApplicationAPhysicalRegionOfItsOwn) {
    Random random(5, "address map test");
    LinearMemory memory;
    for (u8 app = 0; app < 3; ++app) memory.place(app, app, 3);
    std::map<std::pair<u32, u64>, u64> model;  // (application, region) -> its how-manieth
    u64 regions[3] = {};
    for (int k = 0; k < 20'000; ++k) {
        const u8 app = static_cast<u8>(random.below(3));
        const u64 a = random.below(20) << 32 | random.below(u64{1} << 32);
        const auto [at, fresh] = model.emplace(std::pair{u32{app}, a >> 32}, regions[app]);
        regions[app] += fresh;
        // Every third region, whatever the others have used.
        ASSERT_EQ(memory.translate(app, VirtAddr(a)),
                  PhysAddr((at->second * 3 + app) << 32 | (a & 0xffffffff)));
    }
    EXPECT_EQ(memory.regions(), model.size());
}

TEST(LinearMemory, RefusesARegionThatHasNoLineNumbersLeft) {
    // Lines are numbered with 32 bits, and the last number means "none": 127 regions of 2^25 lines.
    LinearMemory memory;
    for (u64 k = 0; k < 127; ++k) {
        const PhysAddr last = memory.translate(1, VirtAddr(k << 32 | 0xffffffff));
        ASSERT_LT(last.v >> kLineShift, (u64{1} << 32) - 1);
    }
    EXPECT_THROW(memory.translate(1, VirtAddr(u64{500} << 32)), InputError);
    EXPECT_NO_THROW(memory.translate(1, VirtAddr(u64{3} << 32)));
}

}  // namespace
}  // namespace heddle
