// Page tables and the frames that they and their pages get.

#include "vm/page_table.h"

#include <gtest/gtest.h>
#include <set>

#include "sim/error.h"

using namespace heddle;

namespace {

/// Two applications' tables and the manager behind them.
struct Memory {
    explicit Memory(PageSize size, std::string_view manager_name = "in-order", u32 parts = 1,
                    std::string_view parameters = {})
        : blocks(parts) {
        MemoryManagerContext context;
        context.blocks = &blocks;
        const config::Choice choice = parameters.empty() ? memory_managers().choose(manager_name)
                                                         : memory_managers().choose(manager_name, parameters);
        manager = memory_managers().make(choice, context);
        tables = std::make_unique<PageTables>(size, *manager,
                                              parts == 1 ? std::vector<u32>{0, 0} : std::vector<u32>{0, 1},
                                              std::vector<std::string>{"first", "second"});
    }
    FrameBlocks blocks;
    std::unique_ptr<MemoryManager> manager;
    std::unique_ptr<PageTables> tables;
};

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
        Memory m(size);
        const WalkPath path = m.tables->path(0, VirtAddr(address));
        const u64 index[] = {3, 500, 7, 129};
        ASSERT_EQ(path.levels, size == PageSize::large ? 3u : 4u);
        std::set<u64> nodes;
        for (u32 k = 0; k < path.levels; ++k) {
            EXPECT_EQ(path.entry[k].v % kNode, index[k] * 8) << k;
            nodes.insert(path.entry[k].v / kNode);
        }
        EXPECT_EQ(nodes.size(), path.levels);
        EXPECT_EQ(nodes.count(path.frame), 0u);
        EXPECT_EQ(m.tables->translate(0, VirtAddr(address)).v,
                  (u64{path.frame} << 12) + address % (u64{1} << page_shift(size)));
    }
}

TEST(PageTables, NeighboursShareTheNodesOfTheirCommonAddressBits) {
    Memory m(PageSize::small);
    const WalkPath a = m.tables->path(0, VirtAddr(0x7f0000000000)),
                   b = m.tables->path(0, VirtAddr(0x7f0000001000)),
                   c = m.tables->path(0, VirtAddr(0x7f0000200000));
    for (u32 k = 0; k < 3; ++k) EXPECT_EQ(a.entry[k], b.entry[k]);
    EXPECT_EQ(b.entry[3].v, a.entry[3].v + 8);
    EXPECT_EQ(c.entry[2].v, a.entry[2].v + 8);
    EXPECT_NE(c.entry[3].v / kNode, a.entry[3].v / kNode);
    // A root, and of this application one node of levels 2 and 3, two of level 4; the other has a root.
    EXPECT_EQ(m.tables->table_frames(), 2u + 4);
    EXPECT_EQ(m.tables->pages(), 3u);
    // Twice the same page is one page.
    EXPECT_EQ(m.tables->path(0, VirtAddr(0x7f0000001fff)).frame, b.frame);
    EXPECT_EQ(m.tables->pages(), 3u);
}

TEST(PageTables, PagesOf64KiBAreSixteenEntriesOfOneAlignedPiece) {
    Memory m(PageSize::medium);
    const u32 first = m.tables->path(0, VirtAddr(0x30000)).frame;
    EXPECT_EQ(first % 16, 0u);
    for (u64 a = 0x30000; a < 0x40000; a += 0x1000)
        EXPECT_EQ(m.tables->translate(0, VirtAddr(a)).v, (u64{first} << 12) + (a - 0x30000));
    EXPECT_EQ(m.tables->pages(), 1u);
    EXPECT_NE(m.tables->path(0, VirtAddr(0x40000)).frame, first);
}

TEST(PageTables, InOrderGivesNeighbouringFramesAndTheLowestFreeOneAgain) {
    Memory m(PageSize::small);
    std::vector<u32> frames;
    // The applications' first touches alternate: so do their frames.
    m.tables->path(0, VirtAddr(0));
    m.tables->path(1, VirtAddr(0));
    for (u64 p = 1; p < 40; ++p)
        for (u8 app = 0; app < 2; ++app) frames.push_back(m.tables->path(app, VirtAddr(p << 12)).frame);
    for (std::size_t k = 1; k < frames.size(); ++k) EXPECT_EQ(frames[k], frames[k - 1] + 1);
    EXPECT_TRUE(m.tables->unmap(0, VirtAddr(u64{9} << 12)));
    EXPECT_TRUE(m.tables->unmap(1, VirtAddr(u64{5} << 12)));
    EXPECT_FALSE(m.tables->unmap(1, VirtAddr(u64{5} << 12)));
    EXPECT_EQ(m.tables->path(0, VirtAddr(u64{100} << 12)).frame, frames[2 * 4 + 1]);
    EXPECT_EQ(m.tables->path(1, VirtAddr(u64{100} << 12)).frame, frames[2 * 8]);
}

TEST(PageTables, RandomFramesAreDifferentAlignedAndInNoOrder) {
    for (const PageSize size : {PageSize::small, PageSize::medium, PageSize::large}) {
        Memory m(size, "random", 1, "{seed: 3, window: 64MiB}"),
            same(size, "random", 1, "{seed: 3, window: 64MiB}"),
            other(size, "random", 1, "{seed: 4, window: 64MiB}");
        std::set<u32> taken;
        u32 ascending = 0, differ = 0, last = 0;
        for (u64 p = 0; p < 300; ++p) {
            const VirtAddr at(p << page_shift(size));
            const u32 f = m.tables->path(static_cast<u8>(p % 2), at).frame;
            EXPECT_EQ(f % frames_of(size), 0u);
            EXPECT_TRUE(taken.insert(f).second);
            EXPECT_EQ(same.tables->path(static_cast<u8>(p % 2), at).frame, f);
            differ += other.tables->path(static_cast<u8>(p % 2), at).frame != f;
            ascending += f == last + frames_of(size);
            last = f;
        }
        EXPECT_GT(differ, 200u);
        EXPECT_LT(ascending, 60u);
    }
}

TEST(PageTables, WithDividedChannelsAllOfAnApplicationLiesInItsOwnRegions) {
    for (const char* manager : {"in-order", "random"}) {
        Memory m(PageSize::large, manager, 2);
        for (u8 app = 0; app < 2; ++app)
            for (u64 p = 0; p < 3000; ++p) {  // more than a region of 4 GiB
                const WalkPath path = m.tables->path(app, VirtAddr(p << 21));
                EXPECT_EQ((u64{path.frame} << 12 >> 32) % 2, app);
                for (u32 k = 0; k < path.levels; ++k) EXPECT_EQ((path.entry[k].v >> 32) % 2, app);
            }
    }
}

TEST(PageTables, AFrameOfAnotherAddressSpaceIsAFaultThatNamesBoth) {
    Memory m(PageSize::small);
    const u32 frame = m.tables->path(1, VirtAddr(0x5000)).frame;
    EXPECT_EQ(
        error_of([&] { m.tables->map(0, VirtAddr(0x5000), PageSize::small, frame); }),
        "protection: first accesses the frame at 0x" +
            [&] {
                char text[32];
                std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(frame) << 12);
                return std::string(text);
            }() +
            ", which second owns");
    // And so is the root of another's page table.
    const u32 root = static_cast<u32>(m.tables->path(1, VirtAddr(0)).entry[0].v >> 12);
    EXPECT_NE(error_of([&] { m.tables->map(0, VirtAddr(0x5000), PageSize::small, root); }), "");
}

TEST(PageTables, AddressesBeyond48BitsAreRefused) {
    Memory m(PageSize::small);
    EXPECT_EQ(error_of([&] { m.tables->path(1, VirtAddr(u64{1} << 48)); }),
              "second accesses address 0x1000000000000; four-level page tables cover 48 bits");
}

TEST(PageTables, AManagerThatGivesAFrameTwiceOrOneThatIsNoneEndsTheRun) {
    Memory m(PageSize::small);
    const u32 frame = m.tables->path(0, VirtAddr(0x5000)).frame;
    EXPECT_THROW(m.tables->map(0, VirtAddr(0x6000), PageSize::small, frame), InvariantError);
    EXPECT_THROW(m.tables->map(0, VirtAddr(0x6000), PageSize::small, ~0u), InvariantError);
    EXPECT_THROW(m.tables->map(0, VirtAddr(0x6000), PageSize::small, kFrames - 1), InvariantError);
    Memory large(PageSize::large);
    EXPECT_THROW(large.tables->map(0, VirtAddr(0), PageSize::large, 513), InvariantError);
    large.tables->map(0, VirtAddr(0), PageSize::large, 512 * 7);
    // What was given back may be given again.
    EXPECT_TRUE(m.tables->unmap(0, VirtAddr(0x5000)));
    EXPECT_EQ(m.tables->path(0, VirtAddr(0x7000)).frame, frame);
}
