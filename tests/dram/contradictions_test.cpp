// Settings that no device can have are refused when the machine is read, with the place in its file.

#include <gtest/gtest.h>

#include "config/machine_file.h"
#include "dram/settings.h"
#include "sim/error.h"

namespace heddle::dram {
namespace {

std::string error_of(const std::string& yaml) {
    try {
        config::parse(MemorySettings::schema(), yaml, "m.yaml");
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

// The default memory is gddr5_4000: RCDRD 12, RAS 28, RP 12, RC 40, CCDS 2, CCDL 3, WTRS 5.
TEST(DramContradictions, TheDefaultMemoryHasNone) {
    EXPECT_EQ(error_of(""), "");
}

TEST(DramContradictions, EachIsAnErrorThatNamesPlaceAndKeys) {
    const std::pair<const char*, const char*> cases[] = {
        {"channels: 2\ntiming:\n  RAS: 11 cycles\n",
         "m.yaml:3:8: timing.RAS: 11 clocks are less than the 12 of RCDRD: a row would be closed before it "
         "can be "
         "read"},
        {"timing: {RCD: 30ns}\n",
         "m.yaml:1:15: timing.RAS: 28 clocks are less than the 30 of RCDRD: a row would be closed before it "
         "can be "
         "read"},
        {"timing: {RC: 27 cycles}\n",
         "m.yaml:1:14: timing.RC: 27 clocks are less than the 28 of RAS: a row cycle includes the time that "
         "the "
         "row is "
         "open"},
        {"timing: {CCDL: 1 cycles}\n",
         "m.yaml:1:16: timing.CCDL: 1 clocks are less than the 2 of CCDS: the same bank group cannot be "
         "faster than "
         "another"},
        {"timing: {CL: 0}\n", "m.yaml:1:14: timing.CL: must be at least 1 clock"},
        {"timing: {RCD: 0ns}\n", "m.yaml:1:15: timing.RCDRD: must be at least 1 clock"},
        {"timing: {RP: 1s}\n",
         "m.yaml:1:14: timing.RP: 1000000000 clocks, at most 10000000 are possible; is the unit right?"},
        {"timing: {WR: 5000000000 cycles}\n",
         "m.yaml:1:14: timing.WR: 4294967294 clocks, at most 10000000 are possible; is the unit right?"},
        {"clock: 1Hz\n", "m.yaml:1:8: clock: 1 Hz is too slow; the minimum is 1 MHz"},
        {"write_high: 8\n",
         "m.yaml:1:13: write_low: 16 is above write_high, 8: a drain would end before it starts"},
        {"refresh: all_bank\ntiming:\n  REFI: 100ns\n",
         "m.yaml:3:9: timing.REFI: 100 clocks from refresh to refresh, but one takes 110 (RFC)"},
        {"refresh: per_bank\ntiming:\n  REFIpb: 5 cycles\n",
         "m.yaml:3:11: timing.REFIpb: 5 clocks from one-bank refresh to refresh, but they must be at least "
         "7 apart (RREFD)"},
        {"refresh: same_bank\n",
         "m.yaml:1:10: refresh: gddr5 has no such refresh; possible: off, all_bank, per_bank"},
        {"standard: gddr7\n", "m.yaml:1:11: standard: there is no 'gddr7', did you mean 'gddr5'?"},
        {"part: gddr5_3gb_x32\n",
         "m.yaml:1:7: part: there is no 'gddr5_3gb_x32' of standard gddr5, did you mean 'gddr5_1gb_x32'?"},
        {"channels: 1\nspeed: hbm2_2000\n",
         "m.yaml:2:8: speed: 'hbm2_2000' is of standard hbm2, not gddr5; possible: gddr5_4000, gddr5_4500, "
         "gddr5_5000, gddr5_5500, gddr5_6000, gddr5_6500, gddr5_7000"},
        {"standard: gddr6\n",
         "m.yaml:1:11: part: 'gddr5_1gb_x32' is of standard gddr5, not gddr6; possible: gddr6_8gb_x16, "
         "gddr6_16gb_x16, gddr6_32gb_x16"},
        {"width_bits: 20\n",
         "m.yaml:1:13: width_bits: 20 is not a multiple of the 32 bits of 'gddr5_1gb_x32'"},
        {"ranks: 16\n", "m.yaml:1:8: banks_per_group: 256 banks in a channel; the limit is 128"},
        {"map: [byte:32, colum:4, row]\n", "m.yaml:1:6: map: field 'colum:4', did you mean 'column'?"},
        {"map: [byte:32, column:32, row]\n",
         "m.yaml:1:6: map: 'byte:32 column:32 row' gives 'column' 32 values, but "
         "there are 64"},
    };
    for (const auto& [yaml, wanted] : cases) EXPECT_EQ(error_of(yaml), wanted) << yaml;
}

// Of each kind of refresh the shortest interval that leaves a clock for requests, and the one below it.
TEST(DramContradictions, RefreshesMustLeaveTimeForRequests) {
    struct Edge {
        const char *memory, *key;
        unsigned least;
        const char* error;  // of one clock less
    };
    const Edge edges[] = {
        // RFC 110.
        {"refresh: all_bank\n", "REFI", 111,
         "timing.REFI: 110 clocks from refresh to refresh, but one takes 110 (RFC)"},
        // Both ranks of GDDR5 wait for the refresh of either.
        {"refresh: all_bank\nranks: 2\n", "REFI", 221,
         "timing.REFI: 220 clocks from refresh to refresh of each of 2 ranks, but one takes 110 (RFC)"},
        // RREFD 6.
        {"refresh: per_bank\n", "REFIpb", 7,
         "timing.REFIpb: 6 clocks from one-bank refresh to refresh, but they must be at least 7 apart "
         "(RREFD)"},
        // RFCpb 60 of each of 16 banks: 4 * 16 > 60, but RREFD asks for more; a longer RFCpb is what counts.
        {"refresh: per_bank\ntiming: {RFCpb: 160 cycles, REFIpb: ", nullptr, 11,
         "timing.REFIpb: a bank is refreshed every 160 clocks, but its refresh takes 160 (RFCpb)"},
        {"refresh: per_bank\ntiming: {RFCpb: 160 cycles, REFI: ", nullptr, 176,
         "timing.REFI: a bank is refreshed every 160 clocks, but its refresh takes 160 (RFCpb)"},
        // 4 banks in a group, refreshed at twice the normal rate, and one refresh of a rank at a time: REFI / 8 > 48.
        {"standard: ddr5\npart: ddr5_16gb_x8\nspeed: ddr5_4800bn\nrefresh: same_bank\n"
         "timing: {RFCsb: 48 cycles, RREFD: 48 cycles, REFI: ",
         nullptr, 392,
         "timing.REFI: 48 clocks (REFI / 8) from same-bank refresh to refresh, but they must be at least 49 "
         "apart "
         "(RREFD)"},
        // Four of them within FAW.
        {"refresh: per_bank\ntiming: {FAW: 40 cycles, REFIpb: ", nullptr, 11,
         "timing.REFIpb: 10 clocks from one-bank refresh to refresh, but they must be at least 11 apart "
         "(FAW)"},
        // Both stack levels of a pseudo-channel within RREFD.
        {"standard: hbm3\npart: hbm3_8gb_8hi\nspeed: hbm3_6400\nrefresh: per_bank\n"
         "timing: {RFCpb: 1 cycles, RREFD: 10 cycles, REFIpb: ",
         nullptr, 21,
         "timing.REFIpb: 20 clocks from one-bank refresh to refresh of each of 2 ranks, but they must be at "
         "least 21 apart (RREFD)"},
        // Two pseudo-channels, whose refreshes of one clock each share the bus of row commands.
        {"standard: hbm2\npart: hbm2_8gb\nspeed: hbm2_2000\nrefresh: per_bank\n"
         "timing: {RFCpb: 1 cycles, RREFD: 1 cycles, FAW: 1 cycles, REFIpb: ",
         nullptr, 3,
         "timing.REFIpb: 2 clocks from one-bank refresh to refresh, but they must be at least 3 apart to "
         "leave the command bus to requests"},
    };
    for (const Edge& edge : edges) {
        const auto said = [&](unsigned clocks) {
            std::string yaml = edge.memory;
            if (edge.key != nullptr) yaml += std::string("timing: {") + edge.key + ": ";
            const std::string error = error_of(yaml + std::to_string(clocks) + " cycles}\n");
            const std::size_t key = error.find("timing");
            return key == std::string::npos ? error : error.substr(key);
        };
        EXPECT_EQ(said(edge.least), "") << edge.memory;
        EXPECT_EQ(said(edge.least - 1), edge.error) << edge.memory;
    }
}

}  // namespace
}  // namespace heddle::dram
