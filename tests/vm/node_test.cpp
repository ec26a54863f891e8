// What every translation node keeps, whichever it is (vm/node.h), and what each one's time is in closed form.

#include "vm/node.h"

#include <set>

#include "vm/design.h"
#include "vm/node_rig.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// A node, and what of its contract has a figure of its own.
struct Kind {
    const char* name;
    bool entries = false;        // is asked for entries of page tables
    bool stores = false;         // keeps what it is told
    u64 least = 0;               // cycles from `at` to any answer
    u64 most_at_next = ~u64{0};  // questions to the next node at once
};

constexpr u32 kL1Mshrs = 3, kWalkerMshrs = 5, kWalks = 2, kCapacity = 8;

/// Small enough that everything is full at times.
TranslationSettings tight() {
    TranslationSettings s;
    s.l1_tlb.entries = kCapacity;
    s.l1_tlb.latency = Cycle(2);
    s.l1_tlb.invalidate = Cycle(7);
    s.l1_tlb.mshrs = kL1Mshrs;
    s.l2_tlb.entries = kCapacity;
    s.l2_tlb.ways = 2;
    s.l2_tlb.latency = Cycle(6);
    s.l2_tlb.invalidate = Cycle(30);
    s.l2_tlb.ports = 1;
    s.l2_tlb.bypass_entries = 2;
    s.walker.walks = kWalks;
    s.walker.mshrs = kWalkerMshrs;
    s.walk_cache.size_bytes = kCapacity * WalkCacheSettings::kEntryBytes;
    s.walk_cache.ways = 2;
    s.walk_cache.latency = Cycle(4);
    return s;
}

class EveryNode : public testing::TestWithParam<Kind> {
  protected:
    static PageKey page(u8 app, u64 number) {
        return {app, VirtAddr(number << kFrameShift), PageSize::small};
    }
    /// Of 16 keys, or as many as `of`.
    static PageKey key(u64 number, u64 of = 16) {
        const u8 app = static_cast<u8>(number % 2);
        return GetParam().entries ? entry_key(app, PhysAddr((u64{1} << 20) + number % of * 8))
                                  : page(app, number % of);
    }
    /// An entry's level is always the same.
    static u8 level(PageKey key) { return GetParam().entries ? static_cast<u8>(1 + key.page() % 4) : u8{0}; }
    /// What must hold at the end of any run.
    static void check_all_answered(NodeRig& rig) {
        for (std::size_t k = 0; k < rig.asked.size(); ++k) {
            ASSERT_EQ(rig.answers[k].times, 1u) << "question " << k;
            EXPECT_GE(rig.answers[k].at, rig.asked[k].at + GetParam().least) << "question " << k;
        }
        EXPECT_TRUE(rig.node->quiet());
        EXPECT_EQ(rig.node->asked(), rig.asked.size());
        EXPECT_EQ(rig.node->answered(), rig.asked.size());
        EXPECT_EQ(rig.node->due(), kNever);
        EXPECT_NO_THROW(rig.node->check());
        EXPECT_LE(rig.far->most, GetParam().most_at_next);
    }
};

std::string name_of(const testing::TestParamInfo<Kind>& info) {
    std::string name = info.param.name;
    std::erase(name, '_');
    return name;
}

constexpr Kind kKinds[] = {
    {.name = "l1_tlb", .stores = true, .least = 2, .most_at_next = kL1Mshrs},
    {.name = "l2_tlb", .stores = true, .least = 6},
    {.name = "mshrs", .most_at_next = kWalkerMshrs},
    {.name = "walker", .least = 4, .most_at_next = kWalks},
    {.name = "walk_cache", .entries = true, .stores = true, .least = 4},
    {.name = "instant_tables"},
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(Translation, EveryNode, testing::ValuesIn(kKinds), name_of);

TEST_P(EveryNode, AnswersEachMissOnceRightlyAndNotBeforeItsOwnLookupEnded) {
    for (u64 seed = 0; seed < 20; ++seed) {
        NodeRig rig(GetParam().name, tight());
        Random random(seed, "times");
        const u64 slow = 1 + random.below(200), often = 1 + random.below(6);
        rig.far->latency = [&](const PageMiss&) { return 1 + random.below(slow); };
        for (u32 k = 0; k < 600; ++k)
            rig.cycle([&] {
                while (random.chance(1, often + 1)) {
                    const PageKey k16 = key(random.below(16));
                    rig.ask(k16, rig.now, level(k16));
                }
            });
        rig.run();
        check_all_answered(rig);
        for (std::size_t k = 0; k < rig.asked.size(); ++k)
            ASSERT_EQ(rig.answers[k].mapping, truth(rig.processes, rig.asked[k].key, rig.asked[k].level));
    }
}

TEST_P(EveryNode, MayBeToldAheadOfTime) {
    NodeRig rig(GetParam().name, tight());
    rig.in_order = false;
    Random random(1, "ahead");
    for (u32 k = 0; k < 300; ++k)
        rig.cycle([&] {
            const PageKey k16 = key(random.below(16));
            rig.ask(k16, rig.now + random.below(50), level(k16));
        });
    rig.run();
    check_all_answered(rig);
}

TEST_P(EveryNode, LosesNothingWhereEverythingComesAtOnceAndAsksTheNextOneInOrder) {
    constexpr u32 kMany = 1000;
    NodeRig rig(GetParam().name, tight());
    rig.cycle([&] {
        for (u32 k = 0; k < kMany; ++k) rig.ask(key(k, kMany), rig.now, level(key(k, kMany)));
    });
    EXPECT_EQ(rig.node->quiet(), rig.node->instant());
    rig.run();
    check_all_answered(rig);
    // Each page once, in the order of the questions; a walk's first entry stands for it.
    std::vector<PageKey> first;
    for (const PageMiss& m : rig.far->asked_for)
        if (GetParam().entries || m.level <= 1) first.push_back(m.key);
    if (rig.node->instant()) {
        EXPECT_TRUE(first.empty());
        return;
    }
    ASSERT_EQ(first.size(), kMany);
    if (rig.far->asked_for.front().level != 0 && !GetParam().entries) return;  // a walker asks for other keys
    for (u32 k = 0; k < kMany; ++k) ASSERT_EQ(first[k], rig.asked[k].key) << k;
}

TEST_P(EveryNode, AFlushInFlightLosesNothingAndWhatIsAskedAfterwardsIsNew) {
    u64 remapped = 0;
    for (u64 seed = 0; seed < 20; ++seed) {
        NodeRig rig(GetParam().name, tight());
        Random random(seed, "flush");
        rig.far->latency = [&](const PageMiss&) { return 1 + random.below(40); };
        std::size_t old = 0;  // questions before the last change
        for (u32 round = 0; round < 10; ++round) {
            for (u32 k = 0; k < 60; ++k)
                rig.cycle([&] {
                    const PageKey k16 = key(random.below(16));
                    if (random.chance(1, 2)) rig.ask(k16, rig.now, level(k16));
                });
            if (GetParam().entries) {
                rig.node->changed(PageSet::everything(), rig.now);
                for (u64 k = 0; k < 16; ++k) EXPECT_FALSE(rig.node->probe(key(k)).any());
                continue;
            }
            // Half of the pages get other frames: first all are free, then one is taken by somebody else.
            const u8 app = static_cast<u8>(random.below(2));
            remapped += rig.processes.unmap(app, VirtAddr(0), 16 << kFrameShift);
            rig.processes.mapping(1 - app, VirtAddr((u64{100} + round) << kFrameShift));
            const PageSet gone = PageSet::range(app, VirtAddr(0), VirtAddr(16 << kFrameShift));
            rig.node->remove(gone, rig.now);
            rig.node->changed(gone, rig.now);
            for (u64 k = app; k < 16 && !rig.node->instant(); k += 2) {
                EXPECT_FALSE(rig.node->probe(key(k)).any());
            }
            old = rig.asked.size();
        }
        for (u32 k = 0; k < 200; ++k)
            rig.cycle([&] {
                const PageKey k16 = key(random.below(16));
                rig.ask(k16, rig.now, level(k16));
            });
        rig.run();
        check_all_answered(rig);
        for (std::size_t k = old; k < rig.asked.size(); ++k)
            ASSERT_EQ(rig.answers[k].mapping, truth(rig.processes, rig.asked[k].key, rig.asked[k].level))
                << k;
    }
    EXPECT_TRUE(GetParam().entries || remapped > 100);
}

TEST_P(EveryNode, KeepsWhatItIsToldUntilItIsEvictedAndTellsTheNextOneOfThat) {
    NodeRig rig(GetParam().name, tight());
    if (!GetParam().stores || GetParam().name == std::string("l1_tlb"))
        return;  // L1 TLBs are filled by answers alone
    constexpr u32 kMany = 40;
    for (u32 k = 0; k < kMany; ++k) rig.node->insert(key(k, kMany), Mapping(k, PageSize::small), rig.now);
    std::set<u64> victims;
    for (const PageKey v : rig.far->victims) EXPECT_TRUE(victims.insert(v.v).second);
    EXPECT_EQ(victims.size(), kMany - kCapacity);
    for (u32 k = 0; k < kMany; ++k) {
        const Mapping held = rig.node->probe(key(k, kMany));
        EXPECT_EQ(held.any(), victims.count(key(k, kMany).v) == 0);
        if (held.any()) {
            EXPECT_EQ(held, Mapping(k, PageSize::small));
        }
    }
    EXPECT_TRUE(rig.far->asked_for.empty());
}

// -- closed forms

namespace {

PageKey small_page(u64 number) {
    return {0, VirtAddr(number << kFrameShift), PageSize::small};
}

}  // namespace

TEST(NodeTimes, AnL2TlbBeginsItsPortsLookupsACycleAndAnswersHitsAfterItsLatency) {
    for (const u32 ports : {1u, 2u, 3u}) {
        TranslationSettings s = tight();
        s.l2_tlb.ports = ports;
        NodeRig rig("l2_tlb", s);
        rig.node->insert(small_page(1), rig.processes.mapping(0, small_page(1).address()), rig.now);
        rig.cycle([&] {
            for (u32 k = 0; k < 10; ++k) rig.ask(small_page(1), rig.now);
        });
        rig.run();
        for (u32 k = 0; k < 10; ++k) EXPECT_EQ(rig.answers[k].at.v, 1 + k / ports + 6) << k;
        EXPECT_TRUE(rig.far->asked_for.empty());
        EXPECT_EQ(rig.counts.apps[0].hits, 10u);
    }
}

TEST(NodeTimes, AnL2TlbThatIsFlushedLooksNothingUpForAsLongAsItsSettingSays) {
    NodeRig rig("l2_tlb", tight());
    rig.cycle([&] { rig.node->remove(PageSet::everything(), rig.now); });
    rig.cycle([&] { rig.ask(small_page(1), rig.now); });
    rig.run();
    EXPECT_EQ(rig.far->asked_for.at(0).at.v, 1 + 30 + 6u);
    EXPECT_EQ(rig.answers[0].at.v, 1 + 30 + 6 + 10u);
}

TEST(NodeTimes, MshrsAskOnceAndAnswerEachWhenBothItsLookupAndTheWalkHaveEnded) {
    NodeRig rig("mshrs", tight());
    rig.far->latency = [](const PageMiss&) { return u64{100}; };
    rig.cycle([&] { rig.ask(small_page(3), Cycle(10)); });
    rig.cycle([&] { rig.ask(small_page(3), Cycle(50)); });
    rig.cycle([&] { rig.ask(small_page(3), Cycle(170)); });
    rig.run();
    EXPECT_EQ(rig.far->asked_for.size(), 1u);
    EXPECT_EQ(rig.answers[0].at.v, 110u);
    EXPECT_EQ(rig.answers[1].at.v, 110u);
    EXPECT_EQ(rig.answers[2].at.v, 170u);
    EXPECT_EQ(rig.counts.apps[0].merges, 2u);
    EXPECT_EQ(rig.counts.apps[0].walk_cycles, 100u);
    EXPECT_EQ(rig.counts.all.busy_cycles, 109u);  // from the cycle in which it was told
}

TEST(NodeTimes, MshrsThatAreFullLetOnePageGoForEachThatEnds) {
    NodeRig rig("mshrs", tight());
    rig.far->latency = [](const PageMiss&) { return u64{100}; };
    constexpr u32 kPages = 3 * kWalkerMshrs;
    rig.cycle([&] {
        for (u32 k = 0; k < kPages; ++k) rig.ask(small_page(k), rig.now);
    });
    rig.run();
    for (u32 k = 0; k < kPages; ++k) EXPECT_EQ(rig.answers[k].at.v, 1 + 100 * (1 + k / kWalkerMshrs)) << k;
    EXPECT_EQ(rig.counts.all.stall_mshr_cycles, 200u);
    EXPECT_EQ(rig.counts.all.walks_over_cycles, 300u * kWalkerMshrs);
    EXPECT_EQ(rig.counts.apps[0].most_walks, kWalkerMshrs);
    EXPECT_EQ(rig.pressure.apps[0].walks, kWalkerMshrs);
    rig.pressure.apps[0].walks = 0;
    rig.node->end_epoch(rig.now);
    EXPECT_EQ(rig.pressure.apps[0].walks, 0u);
}

TEST(NodeTimes, AWalkTakesOneReadALevelAndOthersWaitForASlot) {
    for (const PageSize size : {PageSize::small, PageSize::large})
        for (const u32 slots : {1u, 2u, 5u}) {
            TranslationSettings s = tight();
            s.page_size = size;
            s.walker.walks = slots;
            NodeRig rig("walker", s);
            rig.far->latency = [](const PageMiss&) { return u64{20}; };
            const u64 levels = size == PageSize::large ? 3 : 4, walk = levels * 20;
            constexpr u32 kPages = 10;
            rig.cycle([&] {
                for (u64 k = 0; k < kPages; ++k)
                    rig.ask(PageKey(0, VirtAddr(k << page_shift(size)), size), rig.now);
            });
            rig.run();
            u64 waited = 0;
            for (u32 k = 0; k < kPages; ++k) {
                EXPECT_EQ(rig.answers[k].at.v, 1 + walk * (1 + k / slots)) << k;
                waited += walk * (k / slots);
            }
            EXPECT_EQ(rig.counts.all.walker_wait_cycles, waited);
            EXPECT_EQ(rig.counts.all.most_walking, slots);
            EXPECT_EQ(rig.far->asked_for.size(), kPages * levels);
            for (std::size_t k = 0; k < levels; ++k) EXPECT_EQ(rig.far->asked_for[k * slots].level, k + 1);
        }
}

TEST(NodeTimes, AWalkWhosePageChangesBeginsAgainWhenItWouldHaveEnded) {
    NodeRig rig("walker", tight());
    rig.far->latency = [](const PageMiss&) { return u64{20}; };
    rig.cycle([&] { rig.ask(small_page(5), rig.now); });
    rig.cycle([&] { rig.node->changed(PageSet::range(1, VirtAddr(0), VirtAddr(1 << 20)), rig.now); });
    rig.cycle([&] {
        rig.processes.unmap(0, small_page(5).address(), 1 << kFrameShift);
        rig.node->changed(PageSet::of(0), rig.now);
    });
    rig.run();
    EXPECT_EQ(rig.answers[0].at.v, 1 + 2 * 80u);
    EXPECT_EQ(rig.counts.all.restarts, 1u);
}

TEST(NodeTimes, AWalkCacheAddsItsLatencyToEachReadAndSavesThoseOfEntriesThatItHolds) {
    NodeRig rig("walk_cache", tight());
    rig.far->latency = [](const PageMiss&) { return u64{20}; };
    const PageKey entry = entry_key(0, PhysAddr(0x5008)), other = entry_key(1, PhysAddr(0x6010));
    EXPECT_EQ(entry_address(entry), PhysAddr(0x5008));
    rig.cycle([&] { rig.ask(entry, rig.now, 2); });
    rig.run();
    EXPECT_EQ(rig.answers[0].at.v, 1 + 4 + 20u);
    const u64 then = rig.now.v + 1;
    rig.cycle([&] {
        rig.ask(entry, rig.now, 2);
        rig.ask(other, rig.now, 3);
        rig.ask(entry, rig.now, 2);  // pipelined
    });
    rig.run();
    EXPECT_EQ(rig.answers[1].at.v, then + 4);
    EXPECT_EQ(rig.answers[2].at.v, then + 4 + 20);
    EXPECT_EQ(rig.answers[3].at.v, then + 4);
    EXPECT_EQ(rig.counts.all.level[2].cache_hits, 2u);
    EXPECT_EQ(rig.counts.all.walk_cache_accesses, 4u);
    rig.node->changed(PageSet::range(0, VirtAddr(0), VirtAddr(4096)), rig.now);
    EXPECT_FALSE(rig.node->probe(entry).any());
    EXPECT_FALSE(rig.node->probe(other).any());  // which entries belong to a page it does not know
}

TEST(NodeTimes, InstantTablesAnswerWhenTheyAreAsked) {
    NodeRig rig("instant_tables", tight());
    rig.cycle([&] { rig.ask(small_page(8), rig.now + 3); });
    EXPECT_EQ(rig.answers[0].at.v, 4u);
    EXPECT_TRUE(rig.node->instant());
    EXPECT_EQ(rig.node->probe(small_page(8)), rig.answers[0].mapping);
}

TEST(Designs, AreListsOfNodesThatThereAre) {
    for (u32 d = static_cast<u32>(TranslationDesign::ideal); d <= static_cast<u32>(TranslationDesign::mask);
         ++d) {
        const auto nodes = nodes_of(static_cast<TranslationDesign>(d));
        ASSERT_FALSE(nodes.empty());
        for (const std::string_view name : nodes) EXPECT_EQ(translation_nodes().entries().count(name), 1u);
    }
}
