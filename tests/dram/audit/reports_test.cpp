// Faults that users found in public DRAM simulators, each with the right answer. D3 = umd-memsys/DRAMsim3,
// R1 = CMU-SAFARI/ramulator, R2 = CMU-SAFARI/ramulator2, DS = tukl-msd/DRAMSys.

#include <gtest/gtest.h>

#include "dram/audit/devices.h"

namespace heddle::dram::audit {
namespace {

AuditDevice lpddr5() {
    AuditDevice d;  // LPDDR5_6400, 8 Gb x16
    d.standard = "LPDDR5";
    d.groups = d.banks = 4;
    d.rows = 32768;
    d.columns = 64;
    d.timing = {{"BL_min", 2}, {"BL_max", 4}, {"CL", 17},     {"RCD", 15},    {"RP", 15},    {"RPab", 17},
                {"RAS", 34},   {"RC", 49},    {"WR", 28},     {"RTP", 8},     {"CWL", 9},    {"PPD", 2},
                {"CCDS", 2},   {"CCDL", 4},   {"CCDS_WR", 2}, {"CCDL_WR", 4}, {"WTRS", 5},   {"WTRL", 10},
                {"RRDS", 4},   {"RRDL", 4},   {"FAW", 16},    {"RFC", 168},   {"REFI", 3125}};
    return d;
}

AuditDevice hbm3() {
    AuditDevice d;  // HBM3_6400Mbps
    d.standard = "HBM3";
    d.pseudos = 2;
    d.groups = d.banks = 4;
    d.rows = 16384;
    d.columns = 32;
    d.timing = {{"BL", 2},   {"CL", 20},   {"RCDRD", 31}, {"RCDWR", 15}, {"RP", 26},   {"RAS", 45},
                {"RC", 72},  {"WR", 33},   {"RTP", 9},    {"CWL", 10},   {"CCDS", 2},  {"CCDL", 4},
                {"RRDS", 4}, {"RRDL", 5},  {"FAW", 24},   {"WTRS", 7},   {"WTRL", 10}, {"RTW", 20},
                {"PPD", 2},  {"RFC", 416}, {"REFI", 6240}};
    return d;
}

TEST(AuditReports, D3_24_ABankThatIsRefreshedOpensAfterRFCpbAndTheOthersAfterRREFD) {
    AuditDevice d = gddr6();
    set(d, "RFCpb", 20);
    set(d, "RREFD", 8);
    set(d, "RCDRD", 22);
    const Command refresh = command(1950, refresh_bank, {.bank = 2});
    const auto early = first_violation(d, {refresh, command(1952, activate, {.bank = 2})});
    ASSERT_TRUE(early);
    EXPECT_EQ(early->rule, "bank: REFpb -> ACT REFpb, RFCpb");
    EXPECT_EQ(early->required, 20);
    EXPECT_EQ(early->actual, 2);
    EXPECT_EQ(
        rule_broken(d, {refresh, command(1970, activate, {.bank = 2}), command(1992, read, {.bank = 2})}),
        "none");
    EXPECT_EQ(rule_broken(d, {refresh, command(1958, activate, {.group = 1})}), "none");
    EXPECT_EQ(rule_broken(d, {refresh, command(1957, activate, {.group = 1})}),
              "channel: REFpb -> ACT, RREFD");
}

TEST(AuditReports, D3_24_TooFewPerBankRefreshesAreFound) {
    AuditDevice d = gddr6();
    d.refresh = RefreshMode::per_bank;
    set(d, "REFIpb", 208);
    Auditor auditor(d);
    // 28 where 450 are due.
    for (u64 n = 1; n <= 28; ++n)
        auditor.observe(command(n * 208 * 16, refresh_bank, {.bank = static_cast<u8>(n % 4)}));
    auditor.finish(Cycle(450 * 208));
    ASSERT_TRUE(auditor.violation());
    EXPECT_EQ(auditor.violation()->rule, "refresh: at most 8 postponed");
    // The audit ends where a bank owes nine; the counts are those until then.
    EXPECT_LT(auditor.refreshes()[0].per_bank, 28u);
    EXPECT_GE(auditor.refreshes()[0].due, 9u * 16);
}

TEST(AuditReports, R2_41_BothPseudoChannelsOfHbm3TakeACommandInOneClock) {
    const Command open = command(0, activate, {.row = 1});
    const Command other = command(100, activate, {.pseudo = 1, .row = 1});
    EXPECT_EQ(rule_broken(hbm3(), {open, other, command(100, read, {.row = 1})}), "none");
    // Two column commands in one clock they don't take: the decoder is one.
    EXPECT_EQ(rule_broken(hbm3(), {open, other, command(200, read, {.row = 1}),
                                   command(200, read, {.pseudo = 1, .row = 1})}),
              "column command bus");
}

TEST(AuditReports, R2_129_ARunWithoutAnyRefreshIsFoundOnADeviceWithoutRanks) {
    AuditDevice d = hbm2();
    d.refresh = RefreshMode::all_bank;
    Auditor auditor(d);
    auditor.finish(Cycle(3'696'593));
    ASSERT_TRUE(auditor.violation());
    EXPECT_EQ(auditor.refreshes()[0].all_bank, 0u);
    EXPECT_EQ(auditor.refreshes()[1].due, 947u);  // 3,696,593 / 3,900
}

TEST(AuditReports, R2_129_RefreshesOnTimeAreAsManyAsTheRunHasIntervals) {
    AuditDevice d = hbm2();
    d.refresh = RefreshMode::all_bank;
    Auditor auditor(d);
    for (u64 n = 1; n * 3900 <= 3'696'593; ++n)
        for (u8 pseudo = 0; pseudo < 2; ++pseudo)
            auditor.observe(command(n * 3900 + pseudo, refresh_all, {.pseudo = pseudo}));
    auditor.finish(Cycle(3'696'593));
    EXPECT_FALSE(auditor.violation());
    for (const RefreshCount& count : auditor.refreshes()) {
        EXPECT_EQ(count.all_bank, 947u);
        EXPECT_EQ(count.due, 947u);
    }
}

TEST(AuditReports, R1_57_ARefreshWaitsForTheImplicitPrecharge) {
    const AuditDevice d = ddr4();
    const Command open = command(0, activate, {.row = 1});
    // RTP + RP = 9 + 16; CWL + BL + WR + RP = 12 + 4 + 18 + 16.
    for (const auto& [burst, wait] : {std::pair(read_auto, 25u), std::pair(write_auto, 50u)}) {
        const Command last = command(100, burst, {.row = 1});
        EXPECT_EQ(rule_broken(d, {open, last, command(100 + wait, refresh_all)}), "none");
        const auto violation = first_violation(d, {open, last, command(99 + wait, refresh_all)});
        ASSERT_TRUE(violation);
        EXPECT_EQ(violation->required, wait);
        EXPECT_EQ(violation->preceding->kind, burst);
    }
}

TEST(AuditReports, DS_58_ReadsOfTwoPseudoChannelsStandInAdjacentColumnSlots) {
    const std::vector<Command> stream = {
        command(0, activate, {.row = 1}), command(50, activate, {.pseudo = 1, .row = 1}),
        command(100, read, {.row = 1}),   command(101, read, {.pseudo = 1, .row = 1}),
        command(104, read, {.row = 1}),   command(105, read, {.pseudo = 1, .row = 1})};
    EXPECT_EQ(rule_broken(hbm2(), stream), "none");
    EXPECT_EQ(rule_broken(hbm3(), stream), "none");
}

TEST(AuditReports, Gem5_3271_ALongColumnDistanceThatEqualsTheBurstIsLegal) {
    AuditDevice d = gddr6();
    set(d, "CCDL", 2);
    EXPECT_EQ(rule_broken(d, {command(0, activate, {.row = 1}), command(100, read, {.row = 1}),
                              command(102, read, {.row = 1})}),
              "none");
}

TEST(AuditReports, D3_Gddr6_AStreamOverBankGroupsFillsTheDataBus) {
    const AuditDevice d = gddr6();
    Auditor auditor(d);
    for (u8 group = 0; group < 4; ++group)
        auditor.observe(command(100u * group, activate, {.group = group, .row = 1}));
    for (u32 n = 0; n < 64; ++n)
        auditor.observe(
            command(1000 + 2 * n, read, {.group = static_cast<u8>(n % 4), .row = 1, .column = n / 4}));
    EXPECT_FALSE(auditor.violation());
    for (const SlackRow& row : auditor.slack()) {
        if (row.rule == "data bus: bursts apart") {
            EXPECT_EQ(row.exercised, 63u);
            EXPECT_EQ(row.slack, 0);
        }
    }
}

TEST(AuditReports, R2_128_Lpddr5WithOpenRowsIsRefreshedOnTime) {
    AuditDevice d = lpddr5();
    d.refresh = RefreshMode::all_bank;
    Auditor auditor(d);
    for (u64 n = 0; n < 100; ++n) {
        const u64 start = n * 3125;
        auditor.observe(command(start + 200, activate, {.group = 1, .row = static_cast<u32>(n)}));
        auditor.observe(command(start + 215, read, {.group = 1, .row = static_cast<u32>(n)}));
        auditor.observe(command(start + 3125 - 17, precharge_all));
        auditor.observe(command(start + 3125, refresh_all));
    }
    auditor.finish(Cycle(100 * 3125));
    EXPECT_FALSE(auditor.violation());
    EXPECT_EQ(auditor.refreshes()[0].all_bank, 100u);
    EXPECT_EQ(auditor.refreshes()[0].due, 100u);
}

TEST(AuditReports, D3_58_APrechargeNamesTheRowThatItCloses) {
    const std::vector<Command> stream = {command(0, activate, {.row = 7}),
                                         command(100, precharge, {.row = 8})};
    EXPECT_EQ(rule_broken(hbm2(), stream), "state: PREpb names the row that it closes");
}

}  // namespace
}  // namespace heddle::dram::audit
