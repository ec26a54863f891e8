#include <gtest/gtest.h>
#include <set>

#include "dram/audit/probe.h"
#include "dram/audit/text.h"

namespace heddle::dram::audit {
namespace {

using listing::Row;
using listing::Standard;

class EveryStandard : public testing::TestWithParam<Standard> {};

Auditor audited(const AuditDevice& device, const std::vector<Command>& commands) {
    Auditor auditor(device);
    for (const Command& c : commands) auditor.observe(c);
    return auditor;
}

const SlackRow& slack_of(const std::vector<SlackRow>& rows, const std::string& rule) {
    for (const SlackRow& row : rows)
        if (row.rule == rule) return row;
    throw std::runtime_error("no rule " + rule);
}

/// A refresh leaves the bank closed, and ACT waits as long as these: their rows can't be reached with a
/// burst.
bool is_unreachable(const std::string& before, const std::string& after) {
    return before == "REFab" && listing::is_burst(after);
}

TEST_P(EveryStandard, HasTheRulesOfTheListingAndNoOthers) {
    const Standard& standard = GetParam();
    std::set<std::string> expected;
    for (const Row& row : standard.rows) expected.insert(listing::rule_text(row));
    listing::Timings timings;
    for (const std::string& name : listing::timing_names_in(standard)) timings[name] = 1;
    std::set<std::string> found;
    for (const SlackRow& row : Auditor(listing::device_with(standard, timings)).slack())
        if (row.source != "data bus" && row.source != "command bus" && row.source != "refresh")
            found.insert(row.rule);
    EXPECT_EQ(found, expected);
}

TEST_P(EveryStandard, AcceptsEachPairOfEachRowAtItsLimitAndRefusesItAClockEarlierByThatRow) {
    const Standard& standard = GetParam();
    int probes = 0;
    for (const Row& row : standard.rows) {
        const std::string rule = listing::rule_text(row);
        for (const std::string& before : row.preceding) {
            for (const std::string& after : row.following) {
                if (is_unreachable(before, after)) continue;
                SCOPED_TRACE(standard.name + " " + rule + ": " + before + " then " + after);
                listing::Probe probe = listing::make_probe(standard, row, before, after);
                const AuditDevice device = listing::device_with(standard, probe.timings);

                const Auditor at_limit = audited(device, probe.commands);
                EXPECT_FALSE(at_limit.violation()) << describe(*at_limit.violation());
                const SlackRow slack = slack_of(at_limit.slack(), rule);
                EXPECT_EQ(slack.slack, 0);
                EXPECT_GE(slack.exercised, 1u);

                probe.commands.back().at -= 1;
                const Auditor too_early = audited(device, probe.commands);
                ASSERT_TRUE(too_early.violation());
                const Violation& v = *too_early.violation();
                EXPECT_EQ(v.rule, rule) << describe(v);
                EXPECT_EQ(v.number, probe.commands.size());
                EXPECT_EQ(v.actual, v.required - 1);
                ASSERT_TRUE(v.preceding);
                EXPECT_EQ(v.preceding->kind, listing::kind_of(before));
                ++probes;
            }
        }
    }
    EXPECT_GE(probes, 60);
}

TEST_P(EveryStandard, AReadToWriteDistanceThatIsGivenReplacesTheFormula) {
    const Standard& standard = GetParam();
    if (standard.name == "HBM3") return;  // its table has RTW already
    const std::string level = standard.name == "GDDR6" ? "Channel" : standard.all_level;
    const Row row{level, {"RD", "RDA"}, {"WR", "WRA"}, "nRTW"};
    Standard extended = standard;
    extended.rows.push_back(row);
    listing::Probe probe = listing::make_probe(extended, row, "RD", "WR");
    const AuditDevice device = listing::device_with(extended, probe.timings);
    EXPECT_FALSE(audited(device, probe.commands).violation());
    probe.commands.back().at -= 1;
    const Auditor too_early = audited(device, probe.commands);
    ASSERT_TRUE(too_early.violation());
    EXPECT_EQ(too_early.violation()->rule, listing::rule_text(row));
}

INSTANTIATE_TEST_SUITE_P(Audit, EveryStandard, testing::ValuesIn(listing::standards()),
                         [](const auto& info) { return title(info.param); });

TEST(AuditRules, WithoutBankGroupsOrOtherRanksTheirRulesAndTimingsAreNotNeeded) {
    AuditDevice d;
    d.standard = "DDR4";
    d.banks = 16;
    d.rows = 1024;
    d.columns = 64;
    d.timing = {{"CL", 16}, {"CWL", 12}, {"BL", 4},   {"RCD", 16}, {"RP", 16},  {"RAS", 39}, {"RC", 55},
                {"WR", 18}, {"RTP", 9},  {"CCDS", 4}, {"RRDS", 4}, {"WTRS", 3}, {"FAW", 26}};
    const Auditor auditor(d);
    for (const SlackRow& row : auditor.slack()) {
        EXPECT_EQ(row.rule.find("bank group:"), std::string::npos) << row.rule;
        EXPECT_EQ(row.rule.find("other "), std::string::npos) << row.rule;
    }
}

}  // namespace
}  // namespace heddle::dram::audit
