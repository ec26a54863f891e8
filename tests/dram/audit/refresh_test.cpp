#include <gtest/gtest.h>

#include "dram/audit/devices.h"
#include "dram/audit/text.h"

namespace heddle::dram::audit {
namespace {

const std::string kLate = "refresh: at most 2 postponed";
const std::string kEarly = "refresh: at most 1 pulled in";

AuditDevice refreshed(RefreshMode mode) {
    AuditDevice d = gddr6();
    d.refresh = mode;
    d.max_postponed = 2;
    d.max_pulled_in = 1;
    set(d, "REFI", 3200);
    return d;
}

std::vector<Command> all_bank_refreshes(std::initializer_list<u64> clocks) {
    std::vector<Command> stream;
    for (const u64 at : clocks) stream.push_back(command(at, refresh_all));
    return stream;
}

// Due at 3200, 6400, ...: with two allowed to wait, the first must be there before the third is due at 9600.
TEST(AuditRefresh, TheFirstMayWaitUntilTheLastClockBeforeTooManyAreOwed) {
    const AuditDevice d = refreshed(RefreshMode::all_bank);
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({9599})), "none");
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({9600})), kLate);
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({9599, 12799, 15999})), "none");
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({9599, 12800})), kLate);
}

TEST(AuditRefresh, AnyCommandAndTheEndRevealThatARefreshIsOverdue) {
    const AuditDevice d = refreshed(RefreshMode::all_bank);
    EXPECT_EQ(rule_broken(d, {command(9600, activate)}), kLate);
    EXPECT_EQ(rule_broken(d, {}, 9600), kLate);
    EXPECT_EQ(rule_broken(d, {}, 9599), "none");
    EXPECT_EQ(first_violation(d, {}, 9600)->detail,
              "pseudo-channel 0, rank 0, bank group 0, bank 0 was due a refresh before clock 9600");
}

TEST(AuditRefresh, AtMostSoManyComeEarly) {
    const AuditDevice d = refreshed(RefreshMode::all_bank);
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({100, 3200, 6400})), "none");
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({100, 3199})), kEarly);
    const auto violation = first_violation(d, all_bank_refreshes({100, 3199}));
    EXPECT_EQ(violation->required, 3200);
    EXPECT_FALSE(violation->preceding);
}

TEST(AuditRefresh, IntervalsStayClocksWhenTimesAreHalfClocks) {
    AuditDevice d = refreshed(RefreshMode::all_bank);
    d.steps_per_clock = 2;
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({19199})), "none");
    EXPECT_EQ(rule_broken(d, all_bank_refreshes({19200})), kLate);
}

TEST(AuditRefresh, WithRefreshOffNoneIsDueButCommandsAreHeldToTheirConstraints) {
    AuditDevice d = refreshed(RefreshMode::off);
    EXPECT_EQ(rule_broken(d, {}, 1'000'000'000), "none");
    EXPECT_EQ(rule_broken(d, {command(0, refresh_all), command(210, activate)}),
              "channel: REFab -> ACT PREab PREpb RD WR RDA WRA REFab REFpb, RFCab");
}

TEST(AuditRefresh, PerBankEachBankIsDueOneAnInterval) {
    AuditDevice d = refreshed(RefreshMode::per_bank);
    std::vector<Command> stream;
    // 16 banks, one refresh every 3200 / 16 = 200 clocks, for ten rounds.
    for (u64 n = 1; n <= 160; ++n) {
        const u8 bank = static_cast<u8>((n - 1) % 16);
        stream.push_back(command(200 * n, refresh_bank,
                                 {.group = static_cast<u8>(bank % 4), .bank = static_cast<u8>(bank / 4)}));
    }
    Auditor auditor(d);
    for (const Command& c : stream) auditor.observe(c);
    auditor.finish(Cycle(32000));
    EXPECT_FALSE(auditor.violation());
    const auto counts = auditor.refreshes();
    ASSERT_EQ(counts.size(), 1u);
    EXPECT_EQ(counts[0].per_bank, 160u);
    EXPECT_EQ(counts[0].due, 160u);

    // One bank is left out: it owes its third at 3 x 3200.
    std::erase_if(stream, [](const Command& c) { return c.group == 1 && c.bank == 2; });
    const auto violation = first_violation(d, stream);
    ASSERT_TRUE(violation);
    EXPECT_EQ(violation->rule, kLate);
    EXPECT_EQ(violation->command.at, Cycle(9600));
    EXPECT_EQ(violation->detail,
              "pseudo-channel 0, rank 0, bank group 1, bank 2 was due a refresh before clock 9600");
}

/// HBM3 with two stack levels in each of two pseudo-channels, in half clocks.
AuditDevice two_levels() {
    AuditDevice d;
    d.standard = "HBM3";
    d.pseudos = d.ranks = 2;
    d.groups = d.banks = 4;
    d.rows = 1024;
    d.columns = 64;
    d.steps_per_clock = 2;
    d.refresh = RefreshMode::per_bank;
    d.max_postponed = d.max_pulled_in = 1;
    for (const TimingName& t : timing_names(d))
        if (t.needed) d.timing.emplace_back(t.name, 8);
    set(d, "REFI", 3200);
    set(d, "REFIpb", 200);
    return d;
}

// JESD238: every bank once in tREFI. A level's 16 banks take turns every 3200 / 16 = 200 clocks, 400 half
// clocks, and each level has turns of its own.
TEST(AuditRefresh, PerBankEachStackLevelHasItsOwnTurns) {
    const AuditDevice d = two_levels();
    for (const u64 half_clocks : {u64{400}, u64{200}}) {
        Auditor auditor(d);
        for (u64 n = 1; n <= 80; ++n) {
            const u8 bank = static_cast<u8>((n - 1) % 16);
            for (u8 place = 0; place < 4; ++place)
                auditor.observe(command(half_clocks * n + 20u * place, refresh_bank,
                                        {.pseudo = static_cast<u8>(place / 2),
                                         .rank = static_cast<u8>(place % 2),
                                         .group = static_cast<u8>(bank % 4),
                                         .bank = static_cast<u8>(bank / 4)}));
        }
        if (half_clocks == 400) {
            auditor.finish(Cycle(32'100));
            ASSERT_FALSE(auditor.violation()) << describe(*auditor.violation());
            // Counted for each pseudo-channel, which a REFab would address.
            ASSERT_EQ(auditor.refreshes().size(), 2u);
            for (const RefreshCount& count : auditor.refreshes()) {
                EXPECT_EQ(count.per_bank, 160u);
                EXPECT_EQ(count.due, 160u);
            }
        } else {
            // Twice as often: bank 0's third comes at 200 x 33, two of its intervals of 6400 end at 12800.
            ASSERT_TRUE(auditor.violation());
            EXPECT_EQ(auditor.violation()->rule, kEarly);
        }
    }
}

TEST(AuditRefresh, PerBankIntervalsThatAreRoundedUpAreNotCalledLate) {
    // 3900 / 16 = 243.75: a controller that counts 244 clocks is a bit slower than REFI, for ever.
    AuditDevice d = refreshed(RefreshMode::per_bank);
    set(d, "REFI", 3900);
    set(d, "REFIpb", 244);
    Auditor auditor(d);
    for (u64 n = 1; n <= 100'000; ++n) {
        const u8 bank = static_cast<u8>((n - 1) % 16);
        auditor.observe(command(244 * n, refresh_bank,
                                {.group = static_cast<u8>(bank % 4), .bank = static_cast<u8>(bank / 4)}));
    }
    EXPECT_FALSE(auditor.violation());
}

TEST(AuditRefresh, OneSameBankRefreshCountsForTheBankOfEachGroup) {
    AuditDevice d;
    d.standard = "DDR5";
    d.groups = 8;
    d.banks = 4;
    d.rows = 1024;
    d.columns = 64;
    d.refresh = RefreshMode::same_bank;
    d.max_postponed = d.max_pulled_in = 1;
    for (const char* name :
         {"BL",   "CL",      "CWL",     "RCD",  "RP",   "RAS",  "RC",   "WR",  "RTP",   "PPD",    "CCDS",
          "CCDL", "CCDS_WR", "CCDL_WR", "WTRS", "WTRL", "RRDS", "RRDL", "FAW", "RFCsb", "REFSBRD"})
        d.timing.emplace_back(name, 8);
    d.timing.emplace_back("REFIsb", 1000);
    std::vector<Command> stream;
    for (u64 n = 1; n <= 40; ++n)
        stream.push_back(command(1000 * n, refresh_same, {.bank = static_cast<u8>((n - 1) % 4)}));
    Auditor auditor(d);
    for (const Command& c : stream) auditor.observe(c);
    auditor.finish(Cycle(40'000));
    EXPECT_FALSE(auditor.violation());
    EXPECT_EQ(auditor.refreshes()[0].same_bank, 40u);
    EXPECT_EQ(auditor.refreshes()[0].due, 40u);
    // The refreshed bank of every group waits RFCsb, the others REFSBRD: both 8, less the second clock of
    // ACT.
    EXPECT_EQ(rule_broken(d, {stream[0], command(1006, activate, {.group = 5})}),
              "bank: REFsb -> ACT, RFCsb");
    EXPECT_EQ(rule_broken(d, {stream[0], command(1006, activate, {.group = 5, .bank = 1})}),
              "rank: REFsb -> ACT, REFSBRD");
    EXPECT_EQ(rule_broken(d, {stream[0], command(1007, activate, {.group = 5})}), "none");
}

}  // namespace
}  // namespace heddle::dram::audit
