// Against a map that forgets nothing and looks at the time.
#include "dram/scheduler/served_loads.h"

#include <gtest/gtest.h>
#include <map>

#include "sim/random.h"

namespace heddle::dram {
namespace {

TEST(DramServedLoads, AreKnownForAsLongAsTheyAreRememberedAndNoLonger) {
    constexpr u64 kRemembered = 500;
    for (const u64 names : {20ull, 3'000ull, 1'000'000'000ull}) {  // again and again, at times, never
        ServedLoads loads(kRemembered);
        std::map<u64, u64> at;
        Random random(names);
        Cycle now;
        u32 known = 0;
        for (u32 k = 0; k < 50'000; ++k) {
            // Crowded and quiet times: the table grows and is swept.
            now = now + (k / 5'000 % 2 == 0 ? random.below(2) : random.below(60));
            const u64 key = random.below(names);
            const auto found = at.find(key);
            const bool live = found != at.end() && now.v - found->second <= kRemembered;
            known += live;
            ASSERT_EQ(loads.contains(key, now), live) << k;
            if (random.below(3) == 0) continue;
            ASSERT_EQ(loads.insert(key, now), !live) << k;
            if (!live) at[key] = now.v;
            ASSERT_TRUE(loads.contains(key, now)) << k;
        }
        EXPECT_EQ(known == 0, names == 1'000'000'000ull);
    }
}

}  // namespace
}  // namespace heddle::dram
