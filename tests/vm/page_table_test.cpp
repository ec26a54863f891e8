// Page tables and the frames that they and their pages get.

#include <gtest/gtest.h>
#include <set>

#include "sim/error.h"
#include "vm/page_set.h"
#include "vm/process.h"

using namespace heddle;

namespace {

/// Two applications' tables.
std::unique_ptr<Processes> two(PageSize size, std::string_view manager = "in-order", u32 parts = 1,
                               std::string_view parameters = {}) {
    TranslationSettings settings;
    settings.page_size = size;
    settings.memory_manager = parameters.empty() ? memory_managers().choose(manager)
                                                 : memory_managers().choose(manager, parameters);
    return std::make_unique<Processes>(settings, std::vector<FrameOwner>{{"first", 0}, {"second", 1}}, parts);
}

constexpr u64 kNode = 4096;

template <class Act>
std::string error_of(Act act) {
    try {
        act();
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

}  // namespace

TEST(PageTables, AWalkReadsTheEntryThatNineBitsOfTheAddressNameInEachLevelsNode) {
    // 48 bits: 9 of each level, then the offset (Intel SDM vol. 3, 4-level paging).
    const u64 address = u64{3} << 39 | u64{500} << 30 | u64{7} << 21 | u64{129} << 12 | 0x123;
    for (const PageSize size : {PageSize::small, PageSize::large}) {
        const auto m = two(size);
        const WalkPath path = m->path(0, VirtAddr(address));
        const u64 index[] = {3, 500, 7, 129};
        ASSERT_EQ(path.levels, size == PageSize::large ? 3u : 4u);
        std::set<u64> nodes;
        for (u32 k = 0; k < path.levels; ++k) {
            EXPECT_EQ(path.entry[k].v % kNode, index[k] * 8) << k;
            nodes.insert(path.entry[k].v / kNode);
        }
        EXPECT_EQ(nodes.size(), path.levels);
        EXPECT_EQ(nodes.count(path.mapping.frame()), 0u);
        EXPECT_EQ(m->translate(0, VirtAddr(address)).v,
                  (u64{path.mapping.frame()} << 12) + address % (u64{1} << page_shift(size)));
    }
}

TEST(PageTables, NeighboursShareTheNodesOfTheirCommonAddressBits) {
    const auto m = two(PageSize::small);
    const WalkPath a = m->path(0, VirtAddr(0x7f0000000000)), b = m->path(0, VirtAddr(0x7f0000001000)),
                   c = m->path(0, VirtAddr(0x7f0000200000));
    for (u32 k = 0; k < 3; ++k) EXPECT_EQ(a.entry[k], b.entry[k]);
    EXPECT_EQ(b.entry[3].v, a.entry[3].v + 8);
    EXPECT_EQ(c.entry[2].v, a.entry[2].v + 8);
    EXPECT_NE(c.entry[3].v / kNode, a.entry[3].v / kNode);
    // A root, and of this application one node of levels 2 and 3, two of level 4; the other has a root.
    EXPECT_EQ(m->table_frames(), 2u + 4);
    EXPECT_EQ(m->pages(), 3u);
    // Twice the same page is one page.
    EXPECT_EQ(m->path(0, VirtAddr(0x7f0000001fff)).mapping.frame(), b.mapping.frame());
    EXPECT_EQ(m->pages(), 3u);
}

TEST(PageTables, PagesOf64KiBAreSixteenEntriesOfOneAlignedPiece) {
    const auto m = two(PageSize::medium);
    const u32 first = m->path(0, VirtAddr(0x30000)).mapping.frame();
    EXPECT_EQ(first % 16, 0u);
    for (u64 a = 0x30000; a < 0x40000; a += 0x1000)
        EXPECT_EQ(m->translate(0, VirtAddr(a)).v, (u64{first} << 12) + (a - 0x30000));
    EXPECT_EQ(m->pages(), 1u);
    EXPECT_NE(m->path(0, VirtAddr(0x40000)).mapping.frame(), first);
}

TEST(PageTables, InOrderGivesNeighbouringFramesAndTheLowestFreeOneAgain) {
    const auto m = two(PageSize::small);
    std::vector<u32> frames;
    // The applications' first touches alternate: so do their frames.
    m->path(0, VirtAddr(0));
    m->path(1, VirtAddr(0));
    for (u64 p = 1; p < 40; ++p)
        for (u8 app = 0; app < 2; ++app) frames.push_back(m->path(app, VirtAddr(p << 12)).mapping.frame());
    for (std::size_t k = 1; k < frames.size(); ++k) EXPECT_EQ(frames[k], frames[k - 1] + 1);
    EXPECT_EQ(m->unmap(0, VirtAddr(u64{9} << 12), kNode), 1u);
    EXPECT_EQ(m->unmap(1, VirtAddr(u64{5} << 12), kNode), 1u);
    EXPECT_EQ(m->unmap(1, VirtAddr(u64{5} << 12), kNode), 0u);
    EXPECT_EQ(m->path(0, VirtAddr(u64{100} << 12)).mapping.frame(), frames[2 * 4 + 1]);
    EXPECT_EQ(m->path(1, VirtAddr(u64{100} << 12)).mapping.frame(), frames[2 * 8]);
}

TEST(PageTables, RandomFramesAreDifferentAlignedAndInNoOrder) {
    for (const PageSize size : {PageSize::small, PageSize::medium, PageSize::large}) {
        const auto m = two(size, "random", 1, "{seed: 3, window: 64MiB}");
        const auto same = two(size, "random", 1, "{seed: 3, window: 64MiB}");
        const auto other = two(size, "random", 1, "{seed: 4, window: 64MiB}");
        std::set<u32> taken;
        u32 ascending = 0, differ = 0, last = 0;
        for (u64 p = 0; p < 300; ++p) {
            const VirtAddr at(p << page_shift(size));
            const u32 f = m->path(static_cast<u8>(p % 2), at).mapping.frame();
            EXPECT_EQ(f % frames_of(size), 0u);
            EXPECT_TRUE(taken.insert(f).second);
            EXPECT_EQ(same->path(static_cast<u8>(p % 2), at).mapping.frame(), f);
            differ += other->path(static_cast<u8>(p % 2), at).mapping.frame() != f;
            ascending += f == last + frames_of(size);
            last = f;
        }
        EXPECT_GT(differ, 200u);
        EXPECT_LT(ascending, 60u);
    }
}

TEST(PageTables, WithDividedChannelsAllOfAnApplicationLiesInItsOwnRegions) {
    for (const char* manager : {"in-order", "random"}) {
        const auto m = two(PageSize::large, manager, 2);
        for (u8 app = 0; app < 2; ++app)
            for (u64 p = 0; p < 3000; ++p) {  // more than a region of 4 GiB
                const WalkPath path = m->path(app, VirtAddr(p << 21));
                EXPECT_EQ((u64{path.mapping.frame()} << 12 >> 32) % 2, app);
                for (u32 k = 0; k < path.levels; ++k) EXPECT_EQ((path.entry[k].v >> 32) % 2, app);
            }
    }
}

TEST(PageTables, AFrameOfAnotherAddressSpaceIsAFaultThatNamesBoth) {
    const auto m = two(PageSize::small);
    const u32 frame = m->path(1, VirtAddr(0x5000)).mapping.frame();
    EXPECT_EQ(
        error_of([&] { m->map(0, VirtAddr(0x5000), PageSize::small, frame); }),
        "protection: first accesses the frame at 0x" +
            [&] {
                char text[32];
                std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(frame) << 12);
                return std::string(text);
            }() +
            ", which second owns");
    // And so is the root of another's page table.
    const u32 root = static_cast<u32>(m->path(1, VirtAddr(0)).entry[0].v >> 12);
    EXPECT_NE(error_of([&] { m->map(0, VirtAddr(0x5000), PageSize::small, root); }), "");
}

TEST(PageTables, AddressesBeyond48BitsAreRefused) {
    const auto m = two(PageSize::small);
    EXPECT_EQ(error_of([&] { m->path(1, VirtAddr(u64{1} << 48)); }),
              "second accesses address 0x1000000000000; four-level page tables cover 48 bits");
}

TEST(PageTables, AManagerThatGivesAFrameTwiceOrOneThatIsNoneEndsTheRun) {
    const auto m = two(PageSize::small);
    const u32 frame = m->path(0, VirtAddr(0x5000)).mapping.frame();
    EXPECT_THROW(m->map(0, VirtAddr(0x6000), PageSize::small, frame), InvariantError);
    EXPECT_THROW(m->map(0, VirtAddr(0x6000), PageSize::small, ~0u), InvariantError);
    EXPECT_THROW(m->map(0, VirtAddr(0x6000), PageSize::small, kFrames - 1), InvariantError);
    const auto large = two(PageSize::large);
    EXPECT_THROW(large->map(0, VirtAddr(0), PageSize::large, 513), InvariantError);
    large->map(0, VirtAddr(0), PageSize::large, 512 * 7);
    // What was given back may be given again.
    EXPECT_EQ(m->unmap(0, VirtAddr(0x5000), kNode), 1u);
    EXPECT_EQ(m->path(0, VirtAddr(0x7000)).mapping.frame(), frame);
}

TEST(PageTables, PagesOfSeveralSizesLieInOneTableAndALeafKnowsItsOwn) {
    constexpr u64 kLarge = u64{2} << 20, kMedium = 64 * 1024;
    const auto m = two(PageSize::small);
    m->map(0, VirtAddr(3 * kLarge), PageSize::large, 512 * 9);
    m->map(0, VirtAddr(4 * kLarge + kMedium), PageSize::medium, 512 * 20 + 16);
    const VirtAddr large(3 * kLarge + 0x12345), medium(4 * kLarge + kMedium + 0xabc8), small(4 * kLarge);
    EXPECT_EQ(m->key(0, large), PageKey(0, large, PageSize::large));
    EXPECT_EQ(m->key(0, medium), PageKey(0, medium, PageSize::medium));
    EXPECT_EQ(m->key(0, small), PageKey(0, small, PageSize::small));
    EXPECT_EQ(m->key(1, large), PageKey(1, large, PageSize::small));  // another address space
    EXPECT_EQ(m->translate(0, large).v, u64{512 * 9} * kNode + 0x12345);
    EXPECT_EQ(m->translate(0, medium).v, u64{512 * 20 + 16} * kNode + 0xabc8);
    EXPECT_EQ(m->path(0, large).levels, 3u);
    EXPECT_EQ(m->path(0, medium).levels, 4u);
    EXPECT_EQ(m->path(0, small).mapping.size(), PageSize::small);
    EXPECT_EQ(m->pages(), 3u);
    // No page lies within another, nor where there are nodes.
    EXPECT_THROW(m->map(0, large, PageSize::small, 512 * 30), InvariantError);
    EXPECT_THROW(m->map(0, medium, PageSize::small, 512 * 31), InvariantError);
    EXPECT_THROW(m->map(0, small, PageSize::large, 512 * 32), InvariantError);
    // Pages go as a whole or not at all, the small one beside them too.
    EXPECT_EQ(m->unmap(0, VirtAddr(3 * kLarge + kNode), kLarge + kNode),
              1u);  // up to the small one's last byte
    EXPECT_EQ(m->key(0, small), PageKey(0, small, PageSize::small));
    EXPECT_EQ(m->pages(), 2u);
    EXPECT_EQ(m->unmap(0, VirtAddr(3 * kLarge), 2 * kLarge), 2u);
    EXPECT_EQ(m->pages(), 0u);
    EXPECT_EQ(m->key(0, large), PageKey(0, large, PageSize::small));
}

TEST(PageTables, ARangeUnmapsTheWholePagesInItUpToTheEndOfTheAddressSpace) {
    const auto m = two(PageSize::medium);
    for (u64 page = 0; page < 4; ++page) m->mapping(0, VirtAddr(page << 16));
    m->mapping(0, VirtAddr((u64{1} << 48) - 1));
    EXPECT_EQ(m->unmap(0, VirtAddr(1), (3 << 16) - 1), 2u);
    EXPECT_EQ(m->unmap(0, VirtAddr(0), 1 << 16), 1u);
    EXPECT_EQ(m->unmap(0, VirtAddr(0), 4 << 16), 1u);
    EXPECT_EQ(m->unmap(0, VirtAddr((u64{1} << 48) - 65536), ~u64{0} - (u64{1} << 48)), 1u);
    EXPECT_EQ(m->unmap(0, VirtAddr(~u64{0} - 10), 10), 0u);
    EXPECT_EQ(m->pages(), 0u);
}

TEST(PageSets, HoldThePagesOfAnySizeThatReachIntoThem) {
    const PageSet set = PageSet::range(2, VirtAddr(0x11000), VirtAddr(0x13000));
    auto page = [](u8 app, u64 address, PageSize size) { return PageKey(app, VirtAddr(address), size); };
    EXPECT_FALSE(set.holds(page(2, 0x10000, PageSize::small)));
    EXPECT_TRUE(set.holds(page(2, 0x11000, PageSize::small)));
    EXPECT_TRUE(set.holds(page(2, 0x12000, PageSize::small)));
    EXPECT_FALSE(set.holds(page(2, 0x13000, PageSize::small)));
    EXPECT_FALSE(set.holds(page(1, 0x12000, PageSize::small)));
    EXPECT_TRUE(set.holds(page(2, 0x10000, PageSize::medium)));
    EXPECT_FALSE(set.holds(page(2, 0x20000, PageSize::medium)));
    EXPECT_TRUE(set.holds(page(2, 0, PageSize::large)));
    EXPECT_TRUE(PageSet::of(2).holds(page(2, 0xffffffff1000, PageSize::small)));
    EXPECT_FALSE(PageSet::of(2).holds(page(3, 0x1000, PageSize::small)));
    EXPECT_TRUE(PageSet::everything().holds(page(3, 0x1000, PageSize::large)));
}
