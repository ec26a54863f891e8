// Energy in the record of a run.

#include "lab.h"

namespace heddle::test {
namespace {

TEST(RunEnergy, AnApplicationsCommandsAreItsShareAndAMemoryWithoutCurrentsHasNone) {
    const auto loads = [](u64 base) {
        return program({kernel({.ctas = 4}, [=](WarpWriter& w) {
            for (u32 k = 0; k < 20; ++k) w.load1(1, {}, base + (u64{w.cta} << 20) + k * 4096);
            w.use(1);
        })});
    };
    // Reads alone: all is done when the application ends.
    const RunRecord r = run(small_machine(), loads(kData));
    const u64 commands = counter(r, "dram.energy.activates") + counter(r, "dram.energy.reads") +
                         counter(r, "dram.energy.writes");
    EXPECT_GT(counter(r, "dram.energy.reads"), 0u);
    EXPECT_EQ(counter(r, "dram.energy.writes"), 0u);
    EXPECT_GT(counter(r, "dram.energy.background"), 0u);
    ASSERT_EQ(r.apps.size(), 1u);
    u64 own = 0;
    for (const CounterRecord& c : r.apps[0].counters)
        if (c.name == "dram.energy") own = c.value;
    EXPECT_EQ(own, commands);

    const RunRecord hbm3 =
        run(small_machine({"memories.dram.standard=hbm3", "memories.dram.part=hbm3_8gb_8hi",
                           "memories.dram.speed=hbm3_6400"}),
            loads(kData));
    for (const CounterRecord& c : hbm3.counters)
        EXPECT_EQ(c.name.find("energy"), std::string::npos) << c.name;
}

}  // namespace
}  // namespace heddle::test
