// The array of a TLB against a plain reference model, and a TLB's MSHRs.

#include "vm/tlb.h"

#include <gtest/gtest.h>
#include <list>
#include <vector>

#include "sim/random.h"
#include "vm/l1_tlb.h"

using namespace heddle;

namespace {

/// Each set a list, the most recent entry first; nothing else.
class Model {
  public:
    Model(u32 entries, u32 ways) : ways_(ways == 0 ? entries : ways), sets_(entries / ways_) {}

    Mapping probe(PageKey key) {
        auto& set = sets_[key.page() % sets_.size()];
        for (auto e = set.begin(); e != set.end(); ++e)
            if (e->key == key) {
                set.splice(set.begin(), set, e);
                return set.front().mapping;
            }
        return {};
    }
    PageKey insert(PageKey key, Mapping mapping) {
        auto& set = sets_[key.page() % sets_.size()];
        PageKey victim;
        if (probe(key).any()) {
            set.pop_front();
        } else if (set.size() == ways_) {
            victim = set.back().key;
            set.pop_back();
        }
        set.push_front({key, mapping});
        return victim;
    }
    template <class Gone>
    u32 remove_if(Gone gone) {
        u32 n = 0;
        for (auto& set : sets_)
            n += static_cast<u32>(set.remove_if([&](const Tlb::Entry& e) { return gone(e.key); }));
        return n;
    }
    u32 used() const {
        u32 n = 0;
        for (const auto& set : sets_) n += static_cast<u32>(set.size());
        return n;
    }

  private:
    u32 ways_;
    std::vector<std::list<Tlb::Entry>> sets_;
};

constexpr Mapping kSeven(7, PageSize::small);

}  // namespace

TEST(Tlb, FindsAndEvictsWhatAPlainModelDoes) {
    const std::pair<u32, u32> shapes[] = {{1, 0}, {64, 0}, {512, 16}, {12, 4}, {8, 1}, {1024, 16}};
    for (const auto& [entries, ways] : shapes) {
        Tlb tlb(entries, ways);
        Model model(entries, ways);
        Random random(entries + ways);
        u64 hits = 0;
        for (u32 n = 0; n < 15'000; ++n) {
            const u64 page = random.below(entries * 2 + 2);
            const u8 app = static_cast<u8>(random.below(3));
            const PageKey key(app, VirtAddr(page << kFrameShift), PageSize::small);
            const u64 what = random.below(1000);
            if (what < 600) {
                const Mapping found = tlb.probe(key);
                ASSERT_EQ(found, model.probe(key));
                hits += found.any();
            } else if (what < 950) {
                const Mapping mapping(static_cast<u32>(random.below(kFrames)), PageSize::small);
                ASSERT_EQ(tlb.insert(key, mapping).key, model.insert(key, mapping));
            } else if (what < 990) {
                const bool there = tlb.find(key).any();
                ASSERT_EQ(tlb.remove(key), there);
                ASSERT_EQ(model.remove_if([&](PageKey k) { return k == key; }), there ? 1u : 0u);
            } else if (what < 999) {
                auto gone = [&](PageKey k) { return k.app() == app && k.page() % 8 == page % 8; };
                ASSERT_EQ(tlb.remove_if(gone), model.remove_if(gone));
            } else {
                auto gone = [&](PageKey k) { return k.app() == app; };
                ASSERT_EQ(tlb.remove_if(gone), model.remove_if(gone));
            }
            if (n % 64 == 0) {
                ASSERT_EQ(tlb.used(), model.used());
            }
        }
        EXPECT_GT(hits, 300u);
    }
}

TEST(Tlb, APageOfOneSpaceIsNotThatOfAnother) {
    Tlb tlb(16, 4);
    const PageKey a(1, VirtAddr(0x5000), PageSize::small), b(2, VirtAddr(0x5000), PageSize::small);
    tlb.insert(a, kSeven);
    EXPECT_FALSE(tlb.probe(b).any());
    EXPECT_EQ(tlb.probe(a), kSeven);
    EXPECT_EQ(PageKey(1, VirtAddr(0x5fff), PageSize::small), a);
    EXPECT_NE(PageKey(1, VirtAddr(0x5000), PageSize::medium), a);
    EXPECT_EQ(PageKey(9, VirtAddr(0xfffffff12345), PageSize::large).address(),
              VirtAddr(0xfffffff12345 & ~u64{0x1fffff}));
}

TEST(L1Tlb, CountsTheDifferentWarpsThatWaitForAPageUpTo63) {
    L1TlbSettings settings;
    settings.entries = 2;
    settings.mshrs = 2;
    L1Tlb tlb(settings);
    const PageKey page(0, VirtAddr(0x1000), PageSize::small);
    L1Tlb::Mshr& m = tlb.wait_for(page, Cycle(5));
    EXPECT_TRUE(L1Tlb::add_warp(m, 9));
    EXPECT_FALSE(L1Tlb::add_warp(m, 9));
    EXPECT_EQ(m.stalled, 1);
    for (u8 w = 0; w < 64; ++w) L1Tlb::add_warp(m, w);
    EXPECT_EQ(m.stalled, 63);
    EXPECT_EQ(m.warps, ~u64{0});
    tlb.answer({Cycle(30), page, kSeven, true});
    EXPECT_EQ(tlb.next_fill(), Cycle(30));
    tlb.take_fill([](const L1Tlb::Mshr&, Mapping mapping) { EXPECT_EQ(mapping, kSeven); });
    EXPECT_TRUE(tlb.quiet());
    EXPECT_EQ(tlb.find(page), kSeven);
    EXPECT_EQ(tlb.stats.wait_cycles, 25u);
}

TEST(L1Tlb, AnAnswerThatWasTakenBackServesThoseThatWaitAndIsNotKept) {
    L1TlbSettings settings;
    settings.entries = 2;
    settings.mshrs = 1;
    L1Tlb tlb(settings);
    const PageKey page(0, VirtAddr(0x1000), PageSize::small);
    tlb.wait_for(page, Cycle(1));
    tlb.answer({Cycle(9), page, kSeven, true});
    tlb.flush(PageSet::everything());
    tlb.stall(Cycle(20));
    Mapping served;
    tlb.take_fill([&](const L1Tlb::Mshr&, Mapping mapping) { served = mapping; });
    EXPECT_EQ(served, kSeven);
    EXPECT_FALSE(tlb.find(page).any());
    EXPECT_EQ(tlb.blocked_until(), Cycle(20));
    tlb.stall(Cycle(10));  // ends with the last of them
    EXPECT_EQ(tlb.blocked_until(), Cycle(20));
}
