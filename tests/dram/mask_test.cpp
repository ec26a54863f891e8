// MASK's DRAM scheduler. The first tests are worked examples, computed by hand from Ausavarungnirun, PhD thesis, CMU 2017, ch. 6.

#include <gtest/gtest.h>

#include "dram/geometry.h"
#include "dram/scheduler/silver_turns.h"
#include "service_order.h"

namespace heddle::dram {
namespace {

using Ask = ServiceOrder::Ask;

MemorySettings mask(std::string_view parameters = "", QueueForm queues = QueueForm::separate) {
    MemorySettings s = small_memory();
    s.scheduler = schedulers().choose("mask", parameters);
    s.queues = queues;
    return s;
}

std::vector<u32> quotas(const std::vector<TranslationPressure::App>& apps, u32 most = 500) {
    std::vector<u32> all;
    const u32 n = static_cast<u32>(apps.size());
    for (u32 a = 0; a < n; ++a) all.push_back(silver_quota(apps, n, a, most));
    return all;
}

TEST(MaskScheduler, QuotasFollowConcurrentWalksTimesStalledWarps) {
    EXPECT_EQ(quotas({{10, 20}, {5, 30}}), (std::vector<u32>{285, 214}));
    EXPECT_EQ(quotas({{10, 20}, {0, 30}}), (std::vector<u32>{500, 0}));
    EXPECT_EQ(quotas({{0, 0}, {0, 0}}), (std::vector<u32>{250, 250}));
    EXPECT_EQ(quotas({{1, 1}, {1, 1}, {1, 2}}), (std::vector<u32>{125, 125, 250}));
    // Nobody has said anything of the second and third application.
    EXPECT_EQ(silver_quota({}, 3, 1, 500), 166u);
    const TranslationPressure::App most{TranslationPressure::kMost, TranslationPressure::kMost};
    EXPECT_EQ(silver_quota(std::vector(256, most), 256, 255, 1'000'000'000), 1'000'000'000u / 256);
}

constexpr u8 kA = 0, kB = 1;

/// Products 3 and 2: with thresh_max 5 these are the quotas.
TranslationPressure three_to_two() {
    return {{{3, 1}, {1, 2}}};
}

TEST(MaskScheduler, ATurnEndsWithItsQuotaAndOthersDataGoToTheNormalQueue) {
    const TranslationPressure pressure = three_to_two();
    ServiceOrder order(mask("thresh_max: 5"), &pressure);
    order.channel().applications(2);
    // One bank, every row another: inside a queue the oldest goes first.
    order.add({{"a1", 0, 1, kA},
               {"a2", 0, 2, kA},
               {"b1", 0, 3, kB},
               {"a3", 0, 4, kA},
               {"a4", 0, 5, kA},
               {"b2", 0, 6, kB},
               {"b3", 0, 7, kB}});
    order.run();
    EXPECT_EQ(order.served(), "a1 a2 a3 b2 b3 b1 a4");
    EXPECT_EQ(counter_of(order, "silver_requests"), 5u);
    EXPECT_EQ(counter_of(order, "normal_requests"), 2u);
    EXPECT_EQ(counter_of(order, "turns"), 3u);  // A, B, and A again
    EXPECT_EQ(counter_of(order.channel().policy_counters(kA), "quotas"), 6u);
    EXPECT_EQ(counter_of(order.channel().policy_counters(kB), "silver_requests"), 2u);
}

TEST(MaskScheduler, AWalkGoesBeforeARowHitOfItsBankButHoldsUpNoOtherBank) {
    ServiceOrder order(mask());
    order.channel().applications(2);
    order.open(0, 1, kA);
    order.open(1, 1, kA);
    const u64 before = order.channel().statistics(order.now()).count(CommandKind::activate);
    order.add({{"s", 0, 1, kA}, {"n", 1, 1, kB}, {"g", 0, 2, kB, false, true}});
    order.run();
    EXPECT_EQ(order.served(), "n g s");
    EXPECT_EQ(counter_of(order, "golden_requests"), 1u);
    // One for g, and one because the row of s must be opened again.
    EXPECT_EQ(order.channel().statistics(order.now()).count(CommandKind::activate), before + 2);
}

TEST(MaskScheduler, WalksOfABankAreServedInOrderAlsoIfALaterOneIsARowHit) {
    ServiceOrder order(mask());
    order.open(0, 1, kA);
    order.add({{"g1", 0, 2, kA, false, true}, {"g2", 0, 1, kB, false, true}, {"g3", 0, 2, kA, false, true}});
    order.run();
    EXPECT_EQ(order.served(), "g1 g2 g3");
}

TEST(MaskScheduler, SilverAndNormalServeRowHitsFirstEachInItself) {
    ServiceOrder order(mask());
    order.channel().applications(2);
    order.open(0, 1, kA);
    order.add({{"n1", 0, 2, kB}, {"n2", 0, 1, kB}, {"s1", 0, 3, kA}, {"s2", 0, 1, kA}});
    order.run();
    // n2 is a hit of the row that s2 uses, but s1 is silver; then row 3 is open, and n1 is the oldest.
    EXPECT_EQ(order.served(), "s2 s1 n1 n2");
}

TEST(MaskScheduler, WithWeisTheApplicationThatMovedLessGoesFirstInsideAQueueAndWalksStayInOrder) {
    ServiceOrder order(mask("{order: weis, silver: 1}"));
    order.channel().applications(3);
    order.open(0, 1, kA);
    for (u32 k = 0; k < 4; ++k) order.add({{"", 1, 5, 1}});
    order.run();
    const std::vector<AppSignals> totals = {{1, 0}, {1, 0}, {1, 0}};
    order.channel().signals(totals, order.now());  // moved: 1, 4, 0 bursts
    order.add({{"s", 0, 9, kA},                    // silver is full from here on
               {"n1", 0, 2, 1},
               {"n2", 0, 3, 2},
               {"n3", 0, 9, 1},
               {"g1", 0, 4, 1, false, true},
               {"g2", 0, 5, 2, false, true}});
    order.run();
    EXPECT_EQ(order.served(), "g1 g2 s n3 n2 n1");
}

TEST(MaskScheduler, AFullSilverQueueSendsTheOwnersDataToNormalAndKeepsItsQuota) {
    const TranslationPressure pressure = three_to_two();
    ServiceOrder order(mask("{thresh_max: 5, silver: 1}"), &pressure);
    order.channel().applications(2);
    order.add({{"a1", 0, 1, kA}, {"a2", 0, 2, kA}, {"b1", 0, 3, kB}});
    order.run();
    EXPECT_EQ(order.served(), "a1 a2 b1");
    EXPECT_EQ(counter_of(order, "silver_full"), 1u);
    // Two of three are left: the turn does not pass yet.
    order.add_one({"a3", 0, 4, kA});
    order.run();
    EXPECT_EQ(counter_of(order, "turns"), 1u);
    order.add_one({"a4", 0, 5, kA});
    EXPECT_EQ(counter_of(order, "turns"), 2u);
}

TEST(MaskScheduler, AnOwnerThatPutsNothingIntoSilverLosesItsTurnToOthersWhenTheyCome) {
    for (const u64 wait : {999u, 1'000u}) {
        ServiceOrder order(mask("idle_turn: 1000"));
        order.channel().applications(2);
        order.add_one({"a1", 0, 1, kA});
        order.run(wait);
        order.add({{"b1", 0, 2, kB}, {"a2", 0, 3, kA}});
        order.run();
        const bool lost = wait == 1'000;
        EXPECT_EQ(order.served(), lost ? "a1 b1 a2" : "a1 a2 b1");
        EXPECT_EQ(counter_of(order, "idle_turns"), u64{lost});
    }
    // Of three applications the second is idle too: the third has the turn after both times.
    SilverTurns turns(500, 1'000, nullptr);
    turns.applications(3);
    turns.arrives(0, Cycle{0});
    turns.insert(Cycle{10});
    turns.arrives(2, Cycle{1'010});
    EXPECT_EQ(turns.owner(), 1);
    turns.arrives(2, Cycle{2'009});
    EXPECT_EQ(turns.owner(), 1);
    turns.arrives(2, Cycle{2'010});
    EXPECT_EQ(turns.owner(), 2);
    turns.arrives(2, Cycle{9'000});
    EXPECT_EQ(turns.owner(), 2);
}

TEST(MaskScheduler, AnApplicationThatSuffersNothingIsPassedOver) {
    TranslationPressure pressure{{{1, 1}, {0, 0}, {1, 1}}};
    SilverTurns turns(2, 1'000, &pressure);
    turns.applications(3);
    turns.arrives(0, Cycle{0});
    turns.insert(Cycle{0});
    EXPECT_EQ(turns.owner(), 2);
    pressure.apps = {{0, 0}, {1, 1}, {0, 0}};
    turns.insert(Cycle{1});
    EXPECT_EQ(turns.owner(), 1);  // quotas are those of the moment: two requests for application 1
    turns.insert(Cycle{2});
    turns.insert(Cycle{3});
    EXPECT_EQ(turns.owner(), 1);
    // With more applications than requests to share out each gets one.
    SilverTurns many(2, 1'000, nullptr);
    many.applications(3);
    many.arrives(0, Cycle{0});
    many.insert(Cycle{0});
    many.insert(Cycle{0});
    EXPECT_EQ(many.owner(), 2);
}

TEST(MaskScheduler, EachQueueHasItsOwnRoom) {
    for (const QueueForm queues : {QueueForm::separate, QueueForm::unified}) {
        MemorySettings s = mask("{golden: 1, silver: 1, normal: 1}", queues);
        s.write_queue = 1;
        s.write_high = 1;
        s.write_low = 0;
        ServiceOrder order(s);
        order.channel().applications(2);
        Request walk, a, b, write;
        walk.cls = RequestClass::page_walk;
        b.app = kB;
        write.kind = RequestKind::write;
        write.app = kB;
        auto can = [&](const Request& r) { return order.channel().can_accept(r); };
        EXPECT_TRUE(can(walk) && can(a) && can(b) && can(write));
        order.add_one({"g", 0, 1, kA, false, true});
        EXPECT_FALSE(can(walk));
        EXPECT_TRUE(can(a) && can(b) && can(write));
        order.add_one({"n", 0, 2, kB});
        EXPECT_FALSE(can(b));
        EXPECT_TRUE(can(a));
        const bool apart = queues == QueueForm::separate;
        EXPECT_EQ(can(write), apart);
        order.add_one({"s", 0, 3, kA});
        EXPECT_FALSE(can(a));
        EXPECT_EQ(can(write), apart);
        order.run();
        EXPECT_EQ(order.served(), "g s n");
        EXPECT_TRUE(can(walk) && can(a) && can(b) && can(write));
    }
}

TEST(MaskScheduler, WhatAFullNormalQueueRefusedIsTakenWhenItsTurnComes) {
    const TranslationPressure pressure = three_to_two();
    ServiceOrder order(mask("{thresh_max: 5, normal: 1}"), &pressure);
    order.channel().applications(2);
    Request b;
    b.app = kB;
    order.add({{"b1", 0, 1, kB}, {"a1", 0, 2, kA}, {"a2", 0, 3, kA}});
    EXPECT_FALSE(order.channel().can_accept(b));
    const u64 room = order.channel().room_events();
    order.add_one({"a3", 0, 4, kA});
    EXPECT_TRUE(order.channel().can_accept(b));
    EXPECT_GT(order.channel().room_events(), room);
}

TEST(MaskScheduler, UnifiedWritesAreDataOfTheirApplicationAndSeparateOnesKnowNoClass) {
    for (const QueueForm queues : {QueueForm::separate, QueueForm::unified}) {
        ServiceOrder order(mask("", queues));
        order.channel().applications(2);
        order.add({{"n", 0, 2, kB, true}, {"s", 0, 3, kA, true}});
        order.run();
        const bool apart = queues == QueueForm::separate;
        EXPECT_EQ(order.served(), apart ? "n s" : "s n");
        EXPECT_EQ(counter_of(order, "silver_requests"), apart ? 0u : 1u);
    }
}

TEST(MaskScheduler, EntriesForCpusAreRefused) {
    MemorySettings s = mask();
    s.cpu_reserve = 4;
    EXPECT_THROW(Channel(s, 0), InputError);
}

}  // namespace
}  // namespace heddle::dram
