// A cache's policies learn of every line that leaves for another, clean or dirty, in L1 as in L2.

#include <gtest/gtest.h>

#include "machine/lab.h"

using namespace heddle;
using namespace heddle::test;

namespace {

struct Gone {
    u32 set = 0, way = 0;
    u64 line = 0;
    friend bool operator==(const Gone&, const Gone&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Gone& g) {
        return out << "set " << g.set << " way " << g.way << " line " << g.line;
    }
};
std::vector<Gone> seen_by_replacement;
std::vector<u64> seen_by_insertion;

/// The first way that may leave does, so after the first lines it is always way 0.
class FirstWay final : public ReplacementPolicy {
  public:
    explicit FirstWay(const CacheContext&) {}
    void on_hit(u32, u32) override {}
    void on_fill(u32, u32, u32) override {}
    u32 victim(u32, u64 evictable) override { return static_cast<u32>(std::countr_zero(evictable)); }
    void on_evict(u32 set, u32 way, PhysAddr line) override {
        seen_by_replacement.push_back({set, way, line.v / kLineBytes});
    }
};
class Witness final : public InsertionPolicy {
  public:
    explicit Witness(const CacheContext&) {}
    u32 position(const Request&) override { return 0; }
    void on_evict(PhysAddr line) override { seen_by_insertion.push_back(line.v / kLineBytes); }
};
const bool eviction_witnesses_registered =
    replacement_policies().add<FirstWay>("test-first-way", "the first way leaves (a test's)", "") &&
    insertion_policies().add<Witness>("test-witness", "watches what leaves (a test's)", "");

/// One warp touches lines 0 to 19 after each other.
RunRecord touch(std::vector<std::string> sets, bool stores) {
    EXPECT_TRUE(eviction_witnesses_registered);
    seen_by_replacement.clear();
    seen_by_insertion.clear();
    return run(sets, {}, [stores](WarpWriter& w) {
        for (u64 k = 0; k < 20; ++k) {
            if (stores)
                w.store({1}, w.lanes(kData + k * kLineBytes, 4));
            else
                w.load(1, {1}, w.lanes(kData + k * kLineBytes, 4));
            w.fence();
        }
    });
}

/// Of a cache of one set: line 0 leaves when it is full, then each line when the next one comes.
std::vector<u64> leaving(u64 ways) {
    std::vector<u64> lines{0};
    for (u64 k = ways; k < 19; ++k) lines.push_back(k);
    return lines;
}

}  // namespace

TEST(Evictions, APolicyOfL1SeesEachLineThatLeaves) {
    for (const bool stores : {false, true}) {
        const RunRecord r = touch({"l1.size=1KiB", "l1.ways=8", "l1.replacement=test-first-way",
                                   "l1.write=back", "l1.write_allocate=true"},
                                  stores);
        std::vector<Gone> expected;
        for (const u64 line : leaving(8)) expected.push_back({0, 0, line});
        EXPECT_EQ(seen_by_replacement, expected) << stores;
        EXPECT_EQ(counter(r, "gpu.sm.l1.write_backs"), stores ? expected.size() : 0u);
    }
}

TEST(Evictions, PoliciesOfL2SeeEachLineThatLeaves) {
    for (const bool stores : {false, true}) {
        const RunRecord r =
            touch({"l1.enabled=false", "l2.size=1KiB", "l2.ways=8", "l2.replacement=test-first-way",
                   "l2.insertion=test-witness", "l2.write=back", "l2.write_allocate=true"},
                  stores);
        std::vector<Gone> expected;
        for (const u64 line : leaving(8)) expected.push_back({0, 0, line});
        EXPECT_EQ(seen_by_replacement, expected) << stores;
        EXPECT_EQ(seen_by_insertion, leaving(8)) << stores;
        EXPECT_EQ(counter(r, "gpu.l2.write_backs"), stores ? expected.size() : 0u);
    }
}
