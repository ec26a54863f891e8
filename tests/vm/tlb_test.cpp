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

    u32 probe(u64 key, u64 index) {
        auto& set = sets_[index % sets_.size()];
        for (auto e = set.begin(); e != set.end(); ++e)
            if (e->key == key) {
                set.splice(set.begin(), set, e);
                return set.front().frame;
            }
        return Tlb::kMiss;
    }
    u64 insert(u64 key, u64 index, u32 frame) {
        auto& set = sets_[index % sets_.size()];
        u64 victim = Tlb::kNoKey;
        if (probe(key, index) != Tlb::kMiss) {
            set.pop_front();
        } else if (set.size() == ways_) {
            victim = set.back().key;
            set.pop_back();
        }
        set.push_front({key, frame});
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

}  // namespace

TEST(Tlb, FindsAndEvictsWhatAPlainModelDoes) {
    const std::pair<u32, u32> shapes[] = {{1, 0}, {64, 0}, {512, 16}, {12, 4}, {8, 1}, {1024, 16}};
    for (const auto& [entries, ways] : shapes) {
        Tlb tlb(entries, ways);
        Model model(entries, ways);
        Random random(entries + ways);
        u64 hits = 0;
        for (u32 n = 0; n < 15'000; ++n) {
            const u64 page = random.below(entries * 2 + 2), app = random.below(3), key = page << 10 | app;
            const u64 what = random.below(1000);
            if (what < 600) {
                const u32 found = tlb.probe(key, page);
                ASSERT_EQ(found, model.probe(key, page));
                hits += found != Tlb::kMiss;
            } else if (what < 950) {
                const u32 frame = static_cast<u32>(random.below(1u << 27));
                ASSERT_EQ(tlb.insert(key, page, frame).key, model.insert(key, page, frame));
            } else if (what < 990) {
                const bool there = tlb.find(key) != Tlb::kMiss;
                ASSERT_EQ(tlb.remove(key, page), there);
                ASSERT_EQ(model.remove_if([&](u64 k) { return k == key; }), there ? 1u : 0u);
            } else if (what < 999) {
                auto gone = [&](u64 k) { return (k & 0xff) == app && (k >> 10) % 8 == page % 8; };
                ASSERT_EQ(tlb.remove_if(gone), model.remove_if(gone));
            } else {
                auto gone = [&](u64 k) { return (k & 0xff) == app; };
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
    tlb.insert(a.v, a.page(), 7);
    EXPECT_EQ(tlb.probe(b.v, b.page()), Tlb::kMiss);
    EXPECT_EQ(tlb.probe(a.v, a.page()), 7u);
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
    tlb.answer({Cycle(30), page, 77, true});
    EXPECT_EQ(tlb.next_fill(), Cycle(30));
    tlb.take_fill([](const L1Tlb::Mshr&, u32 frame) { EXPECT_EQ(frame, 77u); });
    EXPECT_TRUE(tlb.quiet());
    EXPECT_EQ(tlb.find(page), 77u);
    EXPECT_EQ(tlb.stats.wait_cycles, 25u);
}

TEST(L1Tlb, AnAnswerThatWasTakenBackServesThoseThatWaitAndIsNotKept) {
    L1TlbSettings settings;
    settings.entries = 2;
    settings.mshrs = 1;
    L1Tlb tlb(settings);
    const PageKey page(0, VirtAddr(0x1000), PageSize::small);
    tlb.wait_for(page, Cycle(1));
    tlb.answer({Cycle(9), page, 3, true});
    tlb.take_back([](PageKey) { return true; }, Cycle(20));
    u32 served = 0;
    tlb.take_fill([&](const L1Tlb::Mshr&, u32 frame) { served = frame; });
    EXPECT_EQ(served, 3u);
    EXPECT_EQ(tlb.find(page), L1Tlb::kMiss);
    EXPECT_EQ(tlb.blocked_until(), Cycle(20));
}
