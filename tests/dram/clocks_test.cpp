// Times become clocks: the next whole number, of the data sheet's period and not of a clock rounded to whole hertz.

#include <gtest/gtest.h>
#include <string>

#include "dram/geometry.h"
#include "dram/parts.h"

namespace heddle::dram {
namespace {

using Wide = unsigned __int128;

/// The bin's clock as a fraction of hertz: 570 ps, or thirds of whole megahertz.
struct Frequency {
    Wide hz, per;
};
Frequency exact(const SpeedBin& bin) {
    if (bin.standard == "gddr6") return {1'000'000'000'000, 570};
    return {Wide{(bin.clock_hz * 3 + 500'000) / 1'000'000 * 1'000'000}, 3};
}

TEST(DramClocks, EveryRefreshTimeOfEveryPartIsTheNextWholeClockOfTheExactPeriod) {
    int checked = 0;
    for (const SpeedBin& bin : speed_bins()) {
        for (const Part& part : parts()) {
            if (part.standard != bin.standard) continue;
            MemorySettings s;
            s.standard = std::string(bin.standard);
            s.part = std::string(part.name);
            s.speed = std::string(bin.name);
            const Resolved r = resolve(s);
            for (const RefreshTime& t : refresh_times()) {
                if (t.standard != bin.standard || t.density_mbit != part.density_mbit) continue;
                const Frequency f = exact(bin);
                const Wide second = Wide{1'000'000'000'000} * f.per;
                const auto clocks = static_cast<u32>((t.ps * f.hz + second - 1) / second);
                EXPECT_EQ(r.time(t.param), clocks * r.standard->steps) << bin.name << ", " << part.name;
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 80);
}

TEST(DramClocks, Gddr6RefreshesAt570PicosecondsTake211And106Clocks) {
    MemorySettings s;
    s.standard = "gddr6";
    s.part = "gddr6_8gb_x16";
    s.speed = "gddr6_14000_1350mv";
    EXPECT_EQ(resolve(s).time(Param::RFC), 211u);
    EXPECT_EQ(resolve(s).time(Param::RFCpb), 106u);
    // A picosecond more than 211 clocks of 570 ps is another clock; and a time in a machine file counts alike.
    s.timing.RFC = config::Duration{120'270'000, false};
    EXPECT_EQ(resolve(s).time(Param::RFC), 211u);
    s.timing.RFC = config::Duration{120'271'000, false};
    EXPECT_EQ(resolve(s).time(Param::RFC), 212u);
}

TEST(DramClocks, ABinAtTwiceItsClockTakesTwiceItsClocks) {
    MemorySettings s;
    s.standard = "ddr3";
    s.part = "ddr3_1gb_x8";
    s.speed = "ddr3_1066f";
    s.transfers_per_clock = 2;
    s.clock_hz = 1'066'666'667;  // of a bin of 533333333 Hz: both rounded
    EXPECT_EQ(resolve(s).time(Param::RP), 14u);
    EXPECT_EQ(resolve(s).time(Param::RC), 54u);
}

}  // namespace
}  // namespace heddle::dram
