#include <gtest/gtest.h>

#include "dram/audit/devices.h"
#include "dram/audit/text.h"

namespace heddle::dram::audit {
namespace {

TEST(AuditState, ABankOpensOnlyWhenClosed) {
    const auto violation = first_violation(hbm2(), {command(0, activate, {.bank = 1, .row = 7}),
                                                    command(1000, activate, {.bank = 1, .row = 8})});
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->rule, "state: ACT needs a closed bank");
    EXPECT_EQ(violation->number, 2u);
    ASSERT_TRUE(violation->preceding);
    EXPECT_EQ(violation->preceding->at, Cycle(0));
    EXPECT_EQ(describe(*violation),
              "command 2: ACT at 1000 (pseudo-channel 0, rank 0, bank group 0, bank 1, row 8) breaks 'state: "
              "ACT needs a "
              "closed bank' (state): row 7 is open, after ACT at 0 (pseudo-channel 0, rank 0, bank group 0, "
              "bank 1, row 7)");
}

TEST(AuditState, ABurstNeedsTheRowThatItNamesOpen) {
    const Command open = command(0, activate, {.row = 7});
    for (const CommandKind kind : {read, read_auto, write, write_auto}) {
        EXPECT_EQ(rule_broken(hbm2(), {open, command(100, kind, {.row = 7})}), "none");
        EXPECT_EQ(rule_broken(hbm2(), {open, command(100, kind, {.row = 6})}),
                  "state: a burst needs its row open");
        EXPECT_EQ(rule_broken(hbm2(), {open, command(100, kind, {.bank = 1, .row = 7})}),
                  "state: a burst needs its row open");
        EXPECT_EQ(rule_broken(hbm2(), {open, command(100, kind, {.pseudo = 1, .row = 7})}),
                  "state: a burst needs its row open");
    }
}

TEST(AuditState, AutoPrechargeClosesTheBank) {
    const Command open = command(0, activate, {.row = 7});
    for (const CommandKind kind : {read_auto, write_auto}) {
        const Command burst = command(100, kind, {.row = 7});
        EXPECT_EQ(rule_broken(hbm2(), {open, burst, command(200, read, {.row = 7})}),
                  "state: a burst needs its row open");
        EXPECT_EQ(rule_broken(hbm2(), {open, burst, command(200, activate, {.row = 9})}), "none");
    }
}

TEST(AuditState, ARefreshNeedsItsBanksPrecharged) {
    AuditDevice d = hbm2();
    set(d, "RFCpb", 160);
    set(d, "RREFD", 8);
    const Command open = command(0, activate, {.group = 2, .bank = 3, .row = 7});
    const std::string rule = "state: a refresh needs its banks precharged";
    EXPECT_EQ(rule_broken(d, {open, command(500, refresh_all)}), rule);
    EXPECT_EQ(rule_broken(d, {open, command(500, refresh_all, {.pseudo = 1})}), "none");
    EXPECT_EQ(rule_broken(d, {open, command(400, precharge_all), command(500, refresh_all)}), "none");
    EXPECT_EQ(rule_broken(d, {open, command(500, refresh_bank, {.group = 2, .bank = 3})}), rule);
    EXPECT_EQ(rule_broken(d, {open, command(500, refresh_bank, {.group = 2, .bank = 2})}), "none");
}

TEST(AuditState, PrechargeAllOfARankLeavesTheOtherRankOpen) {
    const Command first = command(0, activate, {.row = 7});
    const Command second = command(100, activate, {.rank = 1, .row = 7});
    const Command close = command(200, precharge_all, {.rank = 1});
    EXPECT_EQ(rule_broken(ddr4(), {first, second, close, command(300, read, {.row = 7})}), "none");
    EXPECT_EQ(rule_broken(ddr4(), {first, second, close, command(300, read, {.rank = 1, .row = 7})}),
              "state: a burst needs its row open");
}

TEST(AuditState, APrechargeOfAClosedBankIsLegalButNamesNoRow) {
    EXPECT_EQ(rule_broken(hbm2(), {command(0, precharge)}), "none");
    EXPECT_EQ(rule_broken(hbm2(), {command(0, precharge, {.row = 3})}),
              "state: PREpb names the row that it closes");
}

TEST(AuditState, CommandsComeInTimeOrderAndTheEndIsTheLast) {
    const std::string rule = "state: commands come in time order";
    EXPECT_EQ(rule_broken(hbm2(), {command(10, activate), command(9, activate, {.pseudo = 1})}), rule);
    const auto violation = first_violation(hbm2(), {command(10, activate)}, 9);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->rule, rule);
    EXPECT_EQ(violation->number, 0u);
}

TEST(AuditState, CoordinatesExistOnTheDevice) {
    const std::string rule = "state: coordinates exist on the device";
    const Place outside[] = {{.pseudo = 2}, {.rank = 1},    {.group = 4},
                             {.bank = 4},   {.row = 32768}, {.column = 32}};
    for (const Place& place : outside) EXPECT_EQ(rule_broken(hbm2(), {command(0, activate, place)}), rule);
    const auto violation = first_violation(hbm2(), {command(0, activate, {.group = 7})});
    EXPECT_EQ(violation->detail, "bank group 7, the last one is 3");
}

TEST(AuditState, ADeviceWithoutTheTimingsOfARefreshHasNoSuchCommand) {
    const std::string rule = "state: the device has the command";
    EXPECT_EQ(rule_broken(hbm2(), {command(0, refresh_bank)}), rule);
    EXPECT_EQ(rule_broken(ddr4(), {command(0, refresh_same)}), rule);
    EXPECT_EQ(rule_broken(ddr4(), {command(0, refresh_all)}), "none");
}

TEST(AuditState, NothingIsJudgedAfterTheFirstViolation) {
    Auditor auditor(hbm2());
    auditor.observe(command(0, read));
    auditor.observe(command(0, activate));
    auditor.finish(Cycle(1'000'000));
    EXPECT_EQ(auditor.commands(), 1u);
    EXPECT_EQ(auditor.violation()->number, 1u);
}

}  // namespace
}  // namespace heddle::dram::audit
