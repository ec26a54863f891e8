// Against a multimap of the standard library, over random insertions and erasures.
#include "sim/flat_table.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "sim/random.h"

namespace heddle {
namespace {

struct Wide {
    u64 key = ~u64{0};
    u32 value = 0;
};
struct Narrow {
    u32 key = ~u32{0};
    u32 value = 0;
};

/// `keys`: of how many different ones, `apart` from each other; a key is there `twice` at most, or once.
template <class Slot>
void compare_with_a_multimap(u64 keys, u64 apart, bool twice) {
    using Key = typename FlatTable<Slot>::Key;
    FlatTable<Slot> table(4);
    std::multimap<Key, u32> model;
    Random random(keys + apart);
    for (u32 k = 0; k < 20'000; ++k) {
        const Key key = static_cast<Key>(random.below(keys) * apart);
        std::multiset<u32> there, expected;
        table.each(key, [&](const Slot& slot) { there.insert(slot.value); });
        const auto [first, end] = model.equal_range(key);
        for (auto m = first; m != end; ++m) expected.insert(m->second);
        ASSERT_EQ(there, expected) << key;
        ASSERT_EQ(table.find(key) != nullptr, !expected.empty()) << key;
        // More come than go, then more go than come.
        const bool grows = k / 4'000 % 2 == 0;
        if (random.below(4) < (grows ? 3u : 1u)) {
            if (expected.size() >= (twice ? 2u : 1u)) continue;
            table.insert(key)->value = k;
            model.emplace(key, k);
        } else if (!expected.empty()) {
            const u32 value = *expected.begin();
            table.erase(table.find(key, [=](const Slot& slot) { return slot.value == value; }));
            for (auto m = first; m != end; ++m)
                if (m->second == value) {
                    model.erase(m);
                    break;
                }
        }
        ASSERT_EQ(table.size(), model.size());
        if (k % 5'000 != 4'999) continue;
        table.erase_if([](const Slot& slot) { return slot.value % 3 == 0; });
        std::erase_if(model, [](const auto& entry) { return entry.second % 3 == 0; });
        ASSERT_EQ(table.size(), model.size());
        for (const auto& [there_key, value] : model)
            ASSERT_NE(table.find(there_key, [v = value](const Slot& slot) { return slot.value == v; }),
                      nullptr);
    }
}

TEST(FlatTable, HoldsWhatAMultimapHolds) {
    for (const u64 apart : {u64{1}, u64{128}, u64{1} << 20}) {
        compare_with_a_multimap<Wide>(3'000, apart, false);
        compare_with_a_multimap<Wide>(300, apart, true);
        compare_with_a_multimap<Narrow>(2'000, apart, false);
    }
    compare_with_a_multimap<Wide>(500, u64{1} << 54, true);
}

TEST(FlatTable, AWholeTableOfNeighboursComesAndGoes) {
    FlatTable<Wide> table(64);
    for (u32 round = 0; round < 3; ++round) {
        for (u64 k = 0; k < 64; ++k) table.insert(k << 7)->value = static_cast<u32>(k);
        for (u64 k = 0; k < 64; ++k) {
            ASSERT_EQ(table.find(k << 7)->value, k);
            table.erase(table.find(k << 7));
            ASSERT_EQ(table.find(k << 7), nullptr);
        }
        EXPECT_EQ(table.size(), 0u);
    }
}

}  // namespace
}  // namespace heddle
