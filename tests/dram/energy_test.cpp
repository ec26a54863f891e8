// Energy by hand.

#include "dram/energy.h"

#include <gtest/gtest.h>

#include "dram/alone.h"

namespace heddle::dram {
namespace {

TEST(DramEnergy, OneActivateReadPrechargeIsTheSumOfTheFormulas) {  // D3 PR#49: power without tCK
    MemorySettings s;
    s.standard = "ddr4";
    s.part = "ddr4_8gb_x8";
    s.speed = "ddr4_2400r";
    const Resolved r = resolve(s);
    const Currents* c = find_currents(r);
    ASSERT_NE(c, nullptr);
    EXPECT_EQ(c->name, "ddr4_8gb_x8_2400");
    Statistics stats;
    stats.commands[static_cast<std::size_t>(CommandKind::activate)] = 1;
    stats.commands[static_cast<std::size_t>(CommandKind::precharge)] = 1;
    stats.read_bursts = 1;
    stats.cycles = 120;  // 100 ns
    stats.open_cycles = 60;
    const Energy e = energy_of(stats, r, *c);
    // tCK 5/6 ns; tRC 55, tRAS 39, burst 4 clocks; 8 devices; mA x V x ns = pJ.
    const double ns = 1.0 / 1.2;
    const double activate = 8 * 1.2 * (48 * 55 - (43 * 39 + 34 * 16)) * ns;
    const double read = 8 * 1.2 * (135 - 43) * 4 * ns;
    const double background = 8 * 1.2 * (43 * 60 + 34 * 60) * ns;
    EXPECT_NEAR(static_cast<double>(e.activate), activate, 1);
    EXPECT_NEAR(static_cast<double>(e.read), read, 1);
    EXPECT_NEAR(static_cast<double>(e.background), background, 1);
    EXPECT_NEAR(static_cast<double>(e.average_mw(stats.cycles, r.clock_hz)),
                (activate + read + background) / 100, 1);
}

TEST(DramEnergy, ApplicationsSharesOfCommandsAddUpToTheChannels) {
    MemorySettings s;  // GDDR5
    const Resolved r = resolve(s);
    std::vector<StreamEntry> stream;
    for (u64 k = 0; k < 500; ++k) stream.push_back({k * 0x1040, k % 3 == 0, {}});
    AloneOptions options;
    options.request_bytes = 64;
    const AloneResult result = run_alone(s, stream, options);
    const Currents* c = find_currents(r);
    ASSERT_NE(c, nullptr);
    const Energy all = energy_of(result.total, r, *c);
    const Energy app = energy_of(result.total.apps.at(0), r, *c);
    EXPECT_EQ(app.activate, all.activate);
    EXPECT_EQ(app.read, all.read);
    EXPECT_EQ(app.write, all.write);
    EXPECT_GT(all.background, 0u);
    EXPECT_EQ(result.total.read_bursts, 2 * result.total.reads);  // 64 bytes are two bursts of 32
}

TEST(DramEnergy, TheCurrentsAreThoseOfTheNearestDensityAndRate) {
    MemorySettings s;  // gddr5_1gb_x32: 1 Gbit devices draw far more than 8 Gbit ones
    ASSERT_NE(find_currents(resolve(s)), nullptr);
    EXPECT_EQ(find_currents(resolve(s))->name, "gddr5_1gb_x32");
    s.standard = "ddr4";
    s.part = "ddr4_8gb_x8";
    for (const auto& [speed, name] :
         {std::pair{"ddr4_2133p", "ddr4_8gb_x8_2400"}, {"ddr4_3200aa", "ddr4_8gb_x8_3200"}}) {
        s.speed = speed;
        EXPECT_EQ(find_currents(resolve(s))->name, name);
    }
    s.standard = "hbm2e";
    s.part = "hbm2e_16gb";
    s.speed = "hbm2e_3200";
    EXPECT_EQ(find_currents(resolve(s))->name, "hbm2_8gb_x128");
    s.standard = "hbm3";
    s.part = "hbm3_16gb_8hi";
    s.speed = "hbm3_6400";
    EXPECT_EQ(find_currents(resolve(s)), nullptr);  // the source states none
}

// One read in one of three channels, no refresh. Every channel draws background for the whole run; the one that is read
// has a row open from its activate to the end.
TEST(DramEnergy, EachChannelDrawsBackgroundForTheWholeRun) {
    MemorySettings s;
    s.channels = 3;
    const AloneResult r = run_alone(s, {{0, false, {}}});
    ASSERT_NE(r.currents, nullptr);
    // 1 GHz; activate at 0, read at 12, data until 12 + 12 + 2 = 26 clocks of 1 ns. One x32 device a channel, 1.5 V.
    EXPECT_EQ(r.cycles, 26u);
    EXPECT_NEAR(static_cast<double>(r.energy.background), 1.5 * (450 * 26 + 2 * 250 * 26), 1);
    EXPECT_NEAR(static_cast<double>(r.energy.read), 1.5 * (1080 - 450) * 2, 1);
    EXPECT_NEAR(static_cast<double>(r.energy.activate), 1.5 * (490 * 40 - (450 * 28 + 250 * 12)), 1);
    EXPECT_EQ(r.energy.write + r.energy.refresh, 0u);
}

}  // namespace
}  // namespace heddle::dram
