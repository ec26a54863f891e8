#include <gtest/gtest.h>

#include "dram/audit/devices.h"

namespace heddle::dram::audit {
namespace {

const Command kOpen0 = command(0, activate, {.row = 1});

TEST(AuditCommandBus, ASharedBusTakesOneCommandAClock) {
    const AuditDevice d = ddr4();
    const Command other_rank_open = command(100, activate, {.rank = 1, .row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, command(100, read, {.row = 1}), other_rank_open}), "command bus");
    EXPECT_EQ(rule_broken(d, {kOpen0, command(99, read, {.row = 1}), other_rank_open}), "none");
}

TEST(AuditCommandBus, ASplitBusTakesARowAndAColumnCommandInOneClock) {
    const AuditDevice d = hbm2();
    const Command row = command(100, activate, {.pseudo = 1, .row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, command(100, read, {.row = 1}), row}), "none");
    EXPECT_EQ(rule_broken(d, {kOpen0, row, command(100, precharge_all)}), "row command bus");
}

TEST(AuditCommandBus, AnActivateOfTwoClocksHoldsTheRowBusOfBothPseudoChannels) {
    const AuditDevice d = hbm2();
    const Command row = command(100, activate, {.pseudo = 1, .row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, row, command(101, precharge_all)}), "row command bus");
    EXPECT_EQ(rule_broken(d, {kOpen0, row, command(102, precharge_all)}), "none");
}

TEST(AuditCommandBus, ADeviceMaySayThatItsActivateTakesOneClock) {
    AuditDevice d = hbm2();
    d.activate_clocks = 1;
    const Command row = command(100, activate, {.pseudo = 1, .row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, row, command(101, precharge_all)}), "none");
    EXPECT_EQ(rule_broken(d, {kOpen0, row, command(100, precharge_all)}), "row command bus");
    // RCDRD 14 counts from the activate's last clock: now its first, not its second.
    EXPECT_EQ(rule_broken(d, {kOpen0, command(13, read, {.row = 1})}), "bank: ACT -> RD RDA, RCDRD");
    EXPECT_EQ(rule_broken(d, {kOpen0, command(14, read, {.row = 1})}), "none");
    EXPECT_EQ(rule_broken(hbm2(), {kOpen0, command(14, read, {.row = 1})}), "bank: ACT -> RD RDA, RCDRD");
}

TEST(AuditCommandBus, ADeviceMaySayWhichBusesItHas) {
    AuditDevice two = ddr4(), one = hbm2();
    two.command_buses = CommandBuses::separate;
    one.command_buses = CommandBuses::shared;
    const Command other = command(100, activate, {.rank = 1, .row = 1});
    EXPECT_EQ(rule_broken(two, {kOpen0, command(100, read, {.row = 1}), other}), "none");
    EXPECT_EQ(rule_broken(two, {kOpen0, other, command(100, precharge, {.row = 1})}), "row command bus");
    EXPECT_EQ(rule_broken(one, {kOpen0, command(100, read, {.row = 1}),
                                command(100, activate, {.pseudo = 1, .row = 1})}),
              "command bus");
}

TEST(AuditCommandBus, PseudoChannelsShareTheColumnBus) {
    const AuditDevice d = hbm2();
    const Command other = command(50, activate, {.pseudo = 1, .row = 1});
    const Command first = command(100, read, {.row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, other, first, command(100, read, {.pseudo = 1, .row = 1})}),
              "column command bus");
}

// Ramulator's rows between ranks ask for BL + CS between a read and a write of another rank, 6 clocks here.
// The read's data is on the bus from CL to CL + BL = 20, the write's must not start before 20 + CS = 22: CWL
// = 12, so the write may come 10 clocks after the read.
TEST(AuditDataBus, AWriteToAnotherRankWaitsForTheReadsDataAlthoughNoTableSaysSo) {
    const AuditDevice d = ddr4();
    const Command other = command(50, activate, {.rank = 1, .row = 1});
    const Command first = command(100, read, {.row = 1});
    const auto violation =
        first_violation(d, {kOpen0, other, first, command(109, write, {.rank = 1, .row = 1})});
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->rule, "data bus: CS idle clocks from rank to rank");
    EXPECT_EQ(violation->required, 10);
    EXPECT_EQ(violation->actual, 9);
    EXPECT_EQ(rule_broken(d, {kOpen0, other, first, command(110, write, {.rank = 1, .row = 1})}), "none");
}

TEST(AuditDataBus, WritesOfTwoRanksLieIdleClocksApart) {
    const AuditDevice d = ddr4();
    const Command other = command(50, activate, {.rank = 1, .row = 1});
    const Command first = command(100, write, {.row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, other, first, command(105, write, {.rank = 1, .row = 1})}),
              "other rank: WR WRA -> WR WRA, BL + CS");
    EXPECT_EQ(rule_broken(d, {kOpen0, other, first, command(106, write, {.rank = 1, .row = 1})}), "none");
}

// A read-to-write distance that is set too short lets the write's data meet the read's: data of the read in
// [CL, CL + BL) = [14, 16), so with CWL = 5 the write needs 14 + 2 + 1 - 5 = 12 clocks.
TEST(AuditDataBus, AGivenReadToWriteDistanceDoesNotExcuseACollision) {
    AuditDevice d = hbm2();
    set(d, "RTW", 1);
    const Command first = command(100, read, {.row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, first, command(110, write, {.row = 1})}),
              "data bus: an idle clock from read to write");
    EXPECT_EQ(rule_broken(d, {kOpen0, first, command(112, write, {.row = 1})}), "none");
    // Data of this write would be over, [107, 109), before the read's begins at 114.
    EXPECT_EQ(rule_broken(d, {kOpen0, first, command(102, write, {.row = 1})}), "none");
}

TEST(AuditDataBus, EachPseudoChannelHasItsOwn) {
    const AuditDevice d = hbm2();
    const Command other = command(50, activate, {.pseudo = 1, .row = 1});
    const Command first = command(100, read, {.row = 1});
    EXPECT_EQ(rule_broken(d, {kOpen0, other, first, command(101, read, {.pseudo = 1, .row = 1}),
                              command(102, write, {.pseudo = 1, .row = 1})}),
              "pseudo-channel: RD RDA -> WR WRA, CL + BL + 2 - CWL");
    EXPECT_EQ(rule_broken(d, {kOpen0, other, first, command(101, write, {.pseudo = 1, .row = 1})}), "none");
}

}  // namespace
}  // namespace heddle::dram::audit
