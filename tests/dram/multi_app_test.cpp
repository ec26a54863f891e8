// Worked examples of the schedulers of Jog et al., MEMSYS 2015. Expected orders follow from the rules by hand.

#include <gtest/gtest.h>

#include "config/machine_file.h"
#include "dram/scheduler/application_windows.h"
#include "service_order.h"

namespace heddle::dram {
namespace {

MemorySettings with(std::string_view scheduler, std::string_view parameters = "") {
    MemorySettings s = small_memory();
    s.scheduler = schedulers().choose(scheduler, parameters);
    return s;
}

/// Application 0 is B and 1 is A, so that an order by number would not do.
constexpr u8 kAppA = 1, kAppB = 0;

void end_window(ServiceOrder& order, std::vector<AppSignals> totals) {
    order.channel().signals(totals, order.now());
}

std::string example_1(const MemorySettings& settings, bool a_has_lower_mpki = false) {
    ServiceOrder order(settings);
    order.open(0, 3);
    if (a_has_lower_mpki) end_window(order, {{1'000, 50}, {1'000, 10}});
    order.add({{"b1", 0, 2, kAppB}, {"a1", 0, 1, kAppA}, {"b2", 0, 3, kAppB}});
    order.run();
    return order.served();
}

TEST(MultiApp, AfterRowHitsEachPolicyOpensTheRowOfItsOwnChoice) {
    EXPECT_EQ(example_1(with("fr-fcfs")), "b2 b1 a1");
    EXPECT_EQ(example_1(with("its"), true), "b2 a1 b1");
    EXPECT_EQ(example_1(with("prior-app", "order: [1]")), "b2 b1 a1");  // B
    EXPECT_EQ(example_1(with("prior-app", "order: [2]")), "b2 a1 b1");
    EXPECT_EQ(example_1(with("prior-low-mpki", "profile: [5, 0.5]")), "b2 a1 b1");
    EXPECT_EQ(example_1(with("prior-low-mpki", "profile: [0.5, 5]")), "b2 b1 a1");
    EXPECT_EQ(example_1(with("prior-low-bw", "profile: [20GB/s, 10GB/s]")), "b2 a1 b1");
    EXPECT_EQ(example_1(with("prior-low-bw", "profile: [10GB/s, 20GB/s]")), "b2 b1 a1");
}

TEST(MultiApp, RoundRobinTakesTurnsInOpeningRowsWhateverTheAge) {
    using Ask = ServiceOrder::Ask;
    const std::vector<Ask> four = {{"b1", 0, 3, 1}, {"b2", 0, 4, 1}, {"a1", 0, 1, 0}, {"a2", 0, 2, 0}};
    ServiceOrder order(with("rr-fr-fcfs"));
    order.add(four);
    order.run();
    EXPECT_EQ(order.served(), "a1 b1 a2 b2");

    std::vector<Ask> five = four;
    five.push_back({"a3", 0, 1, 0});  // a row hit when a1 is served
    ServiceOrder with_hit(with("rr-fr-fcfs"));
    with_hit.add(five);
    with_hit.run();
    EXPECT_EQ(with_hit.served(), "a1 a3 b1 a2 b2");
}

TEST(MultiApp, ItsComparesMissesAnInstructionNotMisses) {
    const std::vector<AppWindow> w = {{80'000, 40, 0}, {5'000, 10, 0}};  // MPKI 0.5 and 2.0
    AppOrder order = {1, 0};
    order_by_mpki(order, w);
    EXPECT_EQ(order, (AppOrder{0, 1}));
    // The same through a controller: A is application 1.
    ServiceOrder service(with("its"));
    service.open(0, 9, 7);
    end_window(service, {{5'000, 10}, {80'000, 40}});
    service.add({{"b", 0, 2, kAppB}, {"a", 0, 1, kAppA}});
    service.run();
    EXPECT_EQ(service.served(), "a b");
}

TEST(MultiApp, WeisPutsTheApplicationThatMovedLessInTheLastWindowFirst) {
    AppOrder order = {0, 1};
    order_by_bursts(order, std::vector<AppWindow>{{1, 0, 600}, {1, 0, 200}});
    EXPECT_EQ(order, (AppOrder{1, 0}));
    order_by_bursts(order, std::vector<AppWindow>{{1, 0, 300}, {1, 0, 700}});
    EXPECT_EQ(order, (AppOrder{0, 1}));

    // The same through a controller, which counts bursts itself. A is application 0 here.
    ServiceOrder service(with("weis"));
    auto move = [&](u32 a, u32 b) {
        for (u32 k = 0; k < a; ++k) service.add({{"", 1, 5, 0}});
        for (u32 k = 0; k < b; ++k) service.add({{"", 2, 5, 1, k % 2 == 0}});  // writes count too
        service.run();
        end_window(service, {{1, 0}, {1, 0}});
    };
    auto first = [&](u32 row) {
        service.add({{"a", 0, row, 0}, {"b", 0, row + 1, 1}});
        service.run();
        const std::string all = service.served();
        return all.substr(all.size() - 3);
    };
    move(600, 200);
    EXPECT_EQ(first(10), "b a");
    move(299, 699);  // with the one of each just served: 300 and 700
    EXPECT_EQ(first(20), "a b");
}

TEST(MultiApp, RoundRobinEqualisesActivatesNotBursts) {
    ServiceOrder order(with("rr-fr-fcfs"));
    for (u32 row = 0; row < 3; ++row) order.add({{"b", 0, 20 + row, 1}});
    for (u32 row = 0; row < 3; ++row)
        for (u32 k = 0; k < 4; ++k) order.add({{"a", 0, row, 0}});
    order.run();
    EXPECT_EQ(order.served(), "a a a a b a a a a b a a a a b");
    const Statistics& s = order.channel().statistics(order.now());
    ASSERT_GE(s.apps.size(), 2u);
    EXPECT_EQ(s.apps[0].activates, s.apps[1].activates);
    EXPECT_EQ(s.apps[0].read_bytes, 4 * s.apps[1].read_bytes);
    // Six rows, each chosen once although all but the first need a precharge too.
    EXPECT_EQ(counter_of(order, "selections"), 6u);
    EXPECT_EQ(counter_of(order, "rank_changes"), 6u);
}

TEST(MultiApp, RoundRobinPassesOverApplicationsThatWantNoRow) {
    ServiceOrder order(with("rr-fr-fcfs"));
    order.add({{"c1", 0, 1, 9}, {"c2", 0, 2, 9}, {"c3", 0, 3, 9}, {"a1", 0, 4, 2}, {"a2", 0, 5, 2}});
    order.run();
    EXPECT_EQ(order.served(), "a1 c1 a2 c2 c3");
}

TEST(MultiApp, ARequestForWhichARowWasClosedKeepsItsTurn) {
    ServiceOrder order(with("rr-fr-fcfs"));
    order.open(0, 9, 7);
    order.add({{"b1", 0, 1, 1}});
    // Long enough for the precharge, too short for the activate.
    for (u32 k = 0; k < 100 && order.channel().statistics(order.now()).count(CommandKind::precharge) == 0;
         ++k)
        order.run(1);
    ASSERT_EQ(order.channel().statistics(order.now()).count(CommandKind::activate), 1u);
    // The turn is at application 2 now, but the bank is b1's.
    order.add({{"c1", 0, 2, 2}, {"b2", 0, 3, 1}});
    order.run();
    EXPECT_EQ(order.served(), "b1 c1 b2");
}

TEST(MultiApp, RowHitsGoByAgeAlsoIfTheRowWasOpenedForAYoungerRequest) {
    // Rows are the applications' own in a GPU; here both want one.
    ServiceOrder order(with("prior-app", "order: [2]"));
    order.add({{"b1", 0, 1, kAppB}, {"a1", 0, 1, kAppA}, {"b2", 0, 2, kAppB}, {"a2", 0, 1, kAppA}});
    order.run();
    EXPECT_EQ(order.served(), "b1 a1 a2 b2");
}

TEST(MultiApp, NewRanksHoldForRequestsThatWaitAlready) {
    ServiceOrder order(with("its"));
    order.open(0, 9, 7);
    order.add({{"b1", 0, 1, kAppB}, {"b2", 0, 2, kAppB}, {"a1", 0, 3, kAppA}});
    end_window(order, {{1'000, 50}, {1'000, 10}});
    order.run();
    EXPECT_EQ(order.served(), "a1 b1 b2");
    EXPECT_EQ(order.channel().ranks()[kAppA], 0);
    EXPECT_EQ(order.channel().ranks()[kAppB], 1);
}

TEST(MultiApp, WithoutInstructionsAnApplicationKeepsItsPlaceAndEqualsKeepTheirOrder) {
    AppOrder order = {0, 1, 2};
    order_by_mpki(order, std::vector<AppWindow>{{1'000, 9, 0}, {0, 5, 0}, {1'000, 2, 0}});
    EXPECT_EQ(order, (AppOrder{2, 1, 0}));
    order_by_mpki(order, std::vector<AppWindow>{{2'000, 8, 0}, {0, 0, 0}, {1'000, 4, 0}});
    EXPECT_EQ(order, (AppOrder{2, 1, 0}));
    order_by_mpki(order, std::vector<AppWindow>{{2'000, 0, 0}, {1, 1, 0}, {1'000, 4, 0}});  // MPKI 0
    EXPECT_EQ(order, (AppOrder{0, 2, 1}));
    order_by_mpki(order, std::vector<AppWindow>{{0, 1, 0}, {0, 2, 0}, {0, 3, 0}});
    EXPECT_EQ(order, (AppOrder{0, 2, 1}));
    order_by_bursts(order, std::vector<AppWindow>{{0, 0, 7}, {0, 0, 7}, {0, 0, 7}});
    EXPECT_EQ(order, (AppOrder{0, 2, 1}));
}

TEST(MultiApp, AWindowWithoutMemoryDecidesAlone) {
    // After many windows in which A was heavy, one in which it is light decides.
    ServiceOrder order(with("its", "memory: window"));
    AppSignals b{}, a{};
    for (u32 k = 0; k < 50; ++k) {
        b = {b.instructions + 1'000, b.misses + 1};
        a = {a.instructions + 1'000, a.misses + 100};
        end_window(order, {b, a});
    }
    EXPECT_EQ(order.channel().ranks()[kAppB], 0);
    b = {b.instructions + 1'000, b.misses + 2};
    a = {a.instructions + 1'000, a.misses + 1};
    end_window(order, {b, a});
    EXPECT_EQ(order.channel().ranks()[kAppA], 0);
    EXPECT_EQ(counter_of(order, "windows"), 51u);
    EXPECT_EQ(counter_of(order, "rank_changes"), 1u);
}

/// Which application goes first after each of these windows.
std::vector<u8> first_after(const std::string& policy, const std::vector<std::array<AppWindow, 2>>& windows) {
    ServiceOrder order(with(policy.substr(0, policy.find(' ')), policy.substr(policy.find(' ') + 1)));
    std::vector<AppSignals> totals(2);
    std::vector<u8> first;
    for (const auto& window : windows) {
        for (u8 app = 0; app < 2; ++app) {
            totals[app].instructions += window[app].instructions;
            totals[app].misses += window[app].misses;
            for (u64 k = 0; k < window[app].bursts; ++k) order.add({{"", app, 5, app}});
        }
        order.run();
        end_window(order, totals);
        const std::span<const u16> ranks = order.channel().ranks();
        first.push_back(ranks[1] < ranks[0] ? 1 : 0);
    }
    return first;
}

TEST(MultiApp, WindowsAreForgottenAddedUpOrHalvedEachTime) {
    // 0 has misses an instruction 0.100, 0.010, 0 and nothing; 1 has 0.010, 0.050, 0.040 and 0.020.
    const std::vector<std::array<AppWindow, 2>> misses = {{{{1'000, 100, 0}, {1'000, 10, 0}}},
                                                          {{{1'000, 10, 0}, {1'000, 50, 0}}},
                                                          {{{1'000, 0, 0}, {1'000, 40, 0}}},
                                                          {{{0, 0, 0}, {1'000, 20, 0}}}};
    EXPECT_EQ(first_after("its memory: window", misses), (std::vector<u8>{1, 0, 0, 0}));
    // Sums: 0.100 and 0.010; 0.055 and 0.030; 0.037 and 0.033; 0.037 and 0.030.
    EXPECT_EQ(first_after("its memory: cumulative", misses), (std::vector<u8>{1, 1, 1, 1}));
    // Halved: 0.100 and 0.010; 60 and 55 of 1,500; 30 of 1,750 and 67 of 1,750; 15 of 875 and 53 of 1,875.
    EXPECT_EQ(first_after("its memory: halving", misses), (std::vector<u8>{1, 1, 0, 0}));

    const std::vector<std::array<AppWindow, 2>> bursts = {
        {{{1, 0, 60}, {1, 0, 20}}}, {{{1, 0, 10}, {1, 0, 31}}}, {{{1, 0, 10}, {1, 0, 20}}}};
    EXPECT_EQ(first_after("weis memory: window", bursts), (std::vector<u8>{1, 0, 0}));
    EXPECT_EQ(first_after("weis memory: cumulative", bursts), (std::vector<u8>{1, 1, 1}));  // 70, 51; 80, 71
    EXPECT_EQ(first_after("weis memory: halving", bursts), (std::vector<u8>{1, 0, 0}));     // 40, 41; 30, 40
}

TEST(MultiApp, AnAgeCapLetsARequestThatWaitedLongerGoBeforeRowHits) {
    for (const char* policy : {"rr-fr-fcfs", "its", "weis", "prior-app", "prior-low-mpki", "prior-low-bw"})
        for (const bool cap : {false, true}) {
            SCOPED_TRACE(policy);
            ServiceOrder order(with(policy, cap ? "age_cap: 200" : ""));
            order.open(0, 1, 0);
            order.add({{"x", 0, 2, 3}});
            for (u32 k = 0; k < 400; ++k) order.add({{"h", 0, 1, 0}});
            order.run();
            const std::string served = order.served();
            const std::size_t before = (served.find('x') + 1) / 2;
            if (cap) {
                EXPECT_LT(before, 200u);
                EXPECT_GT(before, 20u);
            } else {
                EXPECT_EQ(before, 400u);
            }
        }
}

TEST(MultiApp, AnOrderThatNamesAnApplicationTwiceIsRefused) {
    EXPECT_THROW(schedulers().choose("prior-app", "order: [2, 1, 2]"), InputError);
}

}  // namespace
}  // namespace heddle::dram
