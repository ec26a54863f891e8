// Over several memories: every line has a place of its own, places fill ports and channels in order, and what is put
// together is taken apart again.
#include "mem/router.h"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include "sim/random.h"

namespace heddle {
namespace {

const std::vector<RoutedMemory> kThree{{{256, ChannelHash::xor_fold}, 6, 2},
                                       {{512, ChannelHash::modulo}, 1, 1},
                                       {{128, ChannelHash::xor3}, 8, 3}};

TEST(PhysicalSpace, KeepsTheMemoryInAsManyBitsAsItNeeds) {
    for (const auto& [memories, bits] : {std::pair<u32, u32>{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}}) {
        const PhysicalSpace space(memories);
        EXPECT_EQ(space.bytes(), u64{1} << (39 - bits));
        Random random(memories);
        for (u32 k = 0; k < 1'000; ++k) {
            const u32 memory = static_cast<u32>(random.below(memories));
            const u64 byte = random.below(space.bytes());
            const PhysAddr a = space.address(memory, byte);
            ASSERT_EQ(space.memory(a), memory);
            ASSERT_EQ(space.byte(a), byte);
            // A line number names the memory too.
            ASSERT_EQ(space.memory(line_address(line_number(a))), memory);
        }
    }
}

TEST(Router, WithOneMemoryIsItsAddressMap) {
    const Router router({{{256, ChannelHash::xor_fold}, 12, 2}});
    const AddressMap map({256, ChannelHash::xor_fold}, 12, 2);
    Random random(1);
    for (u32 k = 0; k < 10'000; ++k) {
        const PhysAddr a(random.below(u64{1} << 39));
        const Router::Route to = router.route(a);
        const Place place = map.place(a);
        ASSERT_EQ(to.local, place.local);
        ASSERT_EQ(to.channel, place.channel);
        ASSERT_EQ(to.port, place.channel * 2 + place.slice);
    }
}

TEST(Router, NumbersChannelsAndPortsOverAllMemories) {
    const Router router(kThree);
    EXPECT_EQ(router.memories(), 3u);
    EXPECT_EQ(router.channels(), 6u + 1 + 8);
    EXPECT_EQ(router.ports(), 12u + 1 + 24);
    const u32 first_channel[] = {0, 6, 7};
    for (u32 p = 0; p < router.ports(); ++p) {
        const Router::Port& port = router.port(p);
        EXPECT_EQ(port.flat_channel, first_channel[port.memory] + port.channel);
        const u32 first = router.first_port_of(port.flat_channel);
        EXPECT_TRUE(p >= first && p < first + router.slices_of(port.flat_channel));
    }
}

TEST(Router, GivesEachLineAPlaceOfItsOwnAndFindsItAgain) {
    const Router router(kThree);
    std::set<std::tuple<u32, u64>> places;
    std::set<u32> ports;
    for (u32 memory = 0; memory < 3; ++memory)
        for (u64 line = 0; line < 4'096; ++line) {
            const PhysAddr a = router.space().address(memory, line * kLineBytes);
            Request r;
            router.send_to(r, a);
            ASSERT_EQ(r.line, a);
            ASSERT_EQ(router.port(r.port).memory, memory);
            ASSERT_EQ(router.port(r.port).flat_channel, r.channel);
            ASSERT_EQ(router.address(r.channel, r.local), a);
            ASSERT_TRUE(places.emplace(r.channel, r.local.v).second);
            ports.insert(r.port);
        }
    EXPECT_EQ(ports.size(), router.ports()) << "some are never used";
}

TEST(Router, DividesTheChannelsOfEveryMemory) {
    Router router({{{256, ChannelHash::modulo}, 6, 1}, {{256, ChannelHash::modulo}, 2, 1}});
    router.divide(2);
    for (u32 memory = 0; memory < 2; ++memory)
        for (u64 region = 0; region < 4; ++region)
            for (u64 block = 0; block < 64; ++block) {
                const PhysAddr a = router.space().address(memory, region << 32 | block * 256);
                const Router::Port& port = router.port(router.route(a).port);
                ASSERT_EQ(port.memory, memory);
                const u32 half = memory == 0 ? 3 : 1;
                ASSERT_EQ(port.channel / half, region % 2);
            }
}

}  // namespace
}  // namespace heddle
