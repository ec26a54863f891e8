// The ring against std::deque.

#include "sim/ring.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "sim/random.h"

namespace heddle {
namespace {

TEST(Ring, BehavesAsADequeUnderRandomUse) {
    Random random(1, "ring test");
    for (int round = 0; round < 50; ++round) {
        Ring<u64> ring;
        std::deque<u64> model;
        const u64 growth = 1 + random.below(3);  // of 4 operations
        for (int k = 0; k < 500; ++k) {
            if (model.empty() || random.below(4) < growth) {
                const u64 value = random.next();
                ring.push(value);
                model.push_back(value);
            } else {
                ASSERT_EQ(ring.pop(), model.front());
                model.pop_front();
            }
            if (random.chance(1, 200)) {
                ring.clear();
                model.clear();
            }
            ASSERT_EQ(ring.size(), model.size());
            ASSERT_EQ(ring.empty(), model.empty());
            if (model.empty()) continue;
            ASSERT_EQ(ring.front(), model.front());
            ASSERT_EQ(ring.back(), model.back());
            const u32 at = static_cast<u32>(random.below(model.size()));
            ASSERT_EQ(ring[at], model[at]);
        }
    }
}

TEST(Ring, ByTimeIsAStableSort) {
    struct Timed {
        u64 at = 0;
        u32 number = 0;
        bool operator==(const Timed&) const = default;
    };
    Random random(5);
    for (u32 round = 0; round < 50; ++round) {
        Ring<Timed> ring;
        std::vector<Timed> model;
        for (u32 k = 0; k < 30; ++k) {
            const Timed t{random.below(12), k};
            ring.push_by_time(t);
            model.push_back(t);
        }
        std::stable_sort(model.begin(), model.end(),
                         [](const Timed& a, const Timed& b) { return a.at < b.at; });
        for (const Timed& t : model) ASSERT_EQ(ring.pop(), t);
    }
}

TEST(Ring, KeepsOwningElementsThroughGrowth) {
    Ring<std::unique_ptr<int>> ring;
    for (int k = 0; k < 5; ++k) ring.push(std::make_unique<int>(k));
    EXPECT_EQ(*ring.pop(), 0);
    for (int k = 5; k < 40; ++k) ring.push(std::make_unique<int>(k));
    for (int k = 1; k < 40; ++k) EXPECT_EQ(*ring.pop(), k);
    EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace heddle
