// The agenda against a sorted set of (cycle, part).

#include "sim/agenda.h"

#include <gtest/gtest.h>
#include <set>

#include "sim/random.h"

namespace heddle {
namespace {

using Wake = std::pair<u64, u32>;  // cycle, part

/// A wake at a time that a machine may ask for: mostly soon, sometimes around the agenda's horizon, far or never.
u64 random_delay(Random& random) {
    switch (random.below(10)) {
        case 0:
            return 500 + random.below(30);
        case 1:
            return 1 + random.below(5000);
        case 2:
            return 1 + random.below(u64{1} << 40);
        case 3:
            return random.chance(1, 2) ? 63 + random.below(3) : 511 + random.below(3);
        default:
            return 1 + random.below(40);
    }
}

TEST(Agenda, StepsTheSamePartsInTheSameOrderAsASortedSet) {
    Random random(1, "agenda test");
    for (const u32 parts : {1u, 2u, 63u, 64u, 65u, 200u}) {
        for (int round = 0; round < 40; ++round) {
            Agenda agenda(parts);
            std::set<Wake> model;
            const auto wake = [&](u64 at) {
                const u32 part = static_cast<u32>(random.below(parts));
                agenda.wake(part, Cycle(at));
                model.emplace(at, part);
            };
            wake(random.below(3));
            for (u64 k = random.below(2 * parts); k > 0; --k) wake(random_delay(random));
            for (int cycle = 0; cycle < 200 && !model.empty(); ++cycle) {
                const u64 now = model.begin()->first;
                ASSERT_EQ(agenda.next(), Cycle(now)) << parts << " parts, round " << round;
                std::vector<u32> expected;
                while (!model.empty() && model.begin()->first == now) {
                    expected.push_back(model.begin()->second);
                    model.erase(model.begin());
                }
                std::vector<u32> stepped;
                agenda.run(Cycle(now), [&](u32 part) {
                    stepped.push_back(part);
                    for (u64 n = random.below(3); n > 0; --n) wake(now + random_delay(random));
                });
                ASSERT_EQ(stepped, expected) << "cycle " << now;
                // Between steps, as an event from outside does.
                if (random.chance(1, 4)) wake(now + random_delay(random));
            }
        }
    }
}

TEST(Agenda, AWakeForNeverIsNoWake) {
    Agenda agenda(3);
    agenda.wake(1, kNever);
    EXPECT_EQ(agenda.next(), kNever);
}

TEST(Agenda, APartWokenTwiceForACycleIsSteppedOnceAlsoFromAfar) {
    Agenda agenda(3);
    agenda.wake(2, Cycle(100'000));
    agenda.wake(2, Cycle(100'000));
    agenda.wake(0, Cycle(99'900));
    agenda.run(Cycle(99'900), [&](u32) { agenda.wake(2, Cycle(100'000)); });
    int steps = 0;
    ASSERT_EQ(agenda.next(), Cycle(100'000));
    agenda.run(Cycle(100'000), [&](u32 part) {
        EXPECT_EQ(part, 2u);
        ++steps;
    });
    EXPECT_EQ(steps, 1);
    EXPECT_EQ(agenda.next(), kNever);
}

}  // namespace
}  // namespace heddle
