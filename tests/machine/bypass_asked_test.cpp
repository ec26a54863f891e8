// A bypass policy hears of each read once, however long the way to memory is full.

#include <gtest/gtest.h>

#include "cache/settings.h"
#include "machine/knob_programs.h"

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::programs;

namespace {

u64 asked = 0, asked_of_others = 0;

/// Everything goes around L2, and each question is counted.
class CountingBypass final : public BypassPolicy {
  public:
    explicit CountingBypass(const CacheContext&) {}
    bool bypass(const Request& r, Cycle) override {
        ++(r.kind == RequestKind::read ? asked : asked_of_others);
        return true;
    }
};

const bool counting_bypass_registered =
    bypass_policies().add<CountingBypass>("counts-questions", "all reads go around L2 (a test's)", "");

}  // namespace

TEST(L2Bypass, IsAskedOnceForEachReadThatReachesL2) {
    ASSERT_TRUE(counting_bypass_registered);
    for (const std::string design : {"none", "shared-tlb"}) {
        asked = asked_of_others = 0;
        // Two requests may wait for DRAM, so that the port is blocked most of the time.
        const RunRecord r = run(small_machine({"translation.design=" + design, "l2.bypass=counts-questions",
                                               "l2.dram_queue=2", "dram.read_queue=4", "l1.enabled=false"}),
                                program(stream(false)));
        u64 reads = counter(r, "gpu.l2.bypassed");
        for (int level = 1; level <= 4 && design != "none"; ++level)
            reads += counter(r, "gpu.translation.walks.level_" + std::to_string(level) + ".reads");
        EXPECT_GT(counter(r, "gpu.l2.bypassed"), 100u);
        EXPECT_EQ(asked, reads) << design;
        EXPECT_EQ(asked_of_others, 0u);
    }
}
