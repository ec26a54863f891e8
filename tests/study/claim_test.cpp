#include "study/claim.h"

#include <gtest/gtest.h>

#include "sim/error.h"

namespace heddle::study {
namespace {

using enum Verdict;

struct Case {
    const char* paper;
    std::vector<std::string> band;
    double ours;
    Verdict expected;
};
const Case kCases[] = {
    // A gain of 10 %: within a quarter; at least half; same sign; other sign.
    {"+10 %", {}, 0.10, holds},
    {"+10 %", {}, 0.125, holds},
    {"+10 %", {}, 0.076, holds},
    {"+10 %", {}, 0.074, half},
    {"+10 %", {}, 0.3, half},
    {"+10 %", {}, 0.049, sign},
    {"+10 %", {}, -0.01, fails},
    {"+10 %", {}, 0, fails},
    {"+10 %", {"50 %"}, 0.06, holds},
    {"+10 %", {"8 %", "9 %"}, 0.10, half},
    {"+10 %", {"8 %", "9 %"}, 0.085, holds},
    {"-22.4 %", {}, -0.2, holds},
    {"-22.4 %", {}, -0.12, half},
    {"-22.4 %", {}, -0.01, sign},
    {"-22.4 %", {}, 0.2, fails},
    // 1.6x exceeds 1 by 0.6.
    {"1.6x", {}, 1.5, holds},
    {"1.6x", {}, 1.31, half},
    {"1.6x", {}, 1.1, sign},
    {"1.6x", {}, 0.9, fails},
    {"5.9", {}, 5, holds},
    {"5.9", {}, 3, half},
    // An amount has no sign to be right about: within a factor of two, or it fails.
    {"5.9", {}, 11.8, half},
    {"5.9", {}, 12, fails},
    {"5.9", {}, 2.9, fails},
    {"400", {}, 90, fails},
    {"5 pp", {}, 0.2, fails},
    // A share besides keeps half of the paper's distance from 1. MSK-39: the paper's machine loses half, ours nothing.
    {"47.3 %", {}, 1.002, fails},
    {"47.3 %", {}, 0.95, fails},
    {"47.3 %", {}, 0.75, fails},
    {"47.3 %", {}, 0.73, half},
    {"47.3 %", {}, 0.5, holds},
    {"47.3 %", {}, 0.24, half},
    {"47.3 %", {}, 0.23, fails},
    {"47.3 %", {"40 %", "100 %"}, 0.95, holds},
    {"1.0 %", {}, 0.9, fails},
    {"1.0 %", {}, 0.019, half},
    {"94.5 %", {}, 0.5, half},
    {"94.5 %", {}, 0.4, fails},
    // What is above 100 % is no share; what has a sign is a change.
    {"150 %", {}, 2.9, half},
    {"150 %", {}, 3.1, fails},
    {"+47.3 %", {}, 1.002, half},
    {"-47.3 %", {}, 0.002, fails},
    {"0 %", {"-2 %", "2 %"}, 0.01, holds},
    {"0 %", {"-2 %", "2 %"}, 0.03, fails},
    {"> 14 %", {}, 0.15, holds},
    {"> 14 %", {}, 0.14, half},
    {"> 14 %", {}, 0.02, sign},
    {"> 14 %", {}, -0.1, fails},
    {">= 0 %", {}, 0, holds},
    {"> 0 %", {}, 0, fails},
    {"< 2", {}, 1.9, holds},
    {"< 2", {}, 2.1, fails},
    {"< -5 %", {}, -0.03, half},
    {"|x| < 1 %", {}, -0.009, holds},
    {"|x| < 1 %", {}, -0.011, fails},
    {"true", {}, 1, holds},
    {"yes", {}, 0, fails},
};

TEST(Stated, JudgesByBandSizeAndSign) {
    for (const Case& c : kCases)
        EXPECT_EQ(Stated(c.paper, c.band).judge(c.ours), c.expected) << c.paper << " against " << c.ours;
    EXPECT_EQ(Stated("+10 %", {}).judge(std::nullopt), unknown);
}

TEST(Stated, IsNearWithinTenPointsOrAFactorOfTwo) {
    const std::tuple<const char*, double, Verdict> cases[] = {
        {"56 %", 0.46, holds},       {"56 %", 0.66, holds},      {"56 %", 0.45, fails},
        {"56 %", 0.67, fails},       {"-2 pp", 0.07, holds},     {"-2 pp", 0.09, fails},
        {"0 %", 0.1, holds},         {"5.9", 2.95, holds},       {"5.9", 11.8, holds},
        {"5.9", 12, fails},          {"5.9", 2.9, fails},        {"1.6x", 0.8, holds},
        {"1.6x", 0.7, fails},        {"< 2", 4, holds},          {"< 2", 4.1, fails},
        {"< 2", 0.1, holds},         {"> 20", 10, holds},        {"> 20", 9, fails},
        {"> 20", 900, holds},        {"> 50 %", 0.41, holds},    {"> 50 %", 0.39, fails},
        {"|x| < 5 %", -0.14, holds}, {"|x| < 5 %", 0.16, fails}, {"true", 1, holds},
        {"true", 0, fails},
    };
    for (const auto& [paper, ours, expected] : cases)
        EXPECT_EQ(Stated::near(paper).judge(ours), expected) << paper << " against " << ours;
    EXPECT_EQ(Stated::near("5").judge(std::nullopt), unknown);
    EXPECT_EQ(Stated::near("56 %").band_text(), "46.0 % to 66.0 %");
    EXPECT_THROW(Stated::near("some"), InputError);
}

TEST(Stated, ShowsOursInThePapersUnit) {
    EXPECT_EQ(Stated("+10.1 %", {}).show(0.0874), "+8.7 %");
    EXPECT_EQ(Stated("+10.1 %", {}).show(-0.0874), "-8.7 %");
    EXPECT_EQ(Stated("56 %", {}).show(0.5), "50.0 %");
    EXPECT_EQ(Stated("1.6x", {}).show(1.234), "1.23x");
    EXPECT_EQ(Stated("true", {}).show(0), "no");
    EXPECT_EQ(Stated("+10 %", {}).band_text(), "+7.5 % to +12.5 %");
}

TEST(Stated, RefusesWhatCanNotBeJudged) {
    for (const auto& [paper, band] :
         std::vector<std::pair<std::string, std::vector<std::string>>>{{"ten", {}},
                                                                       {"0 %", {}},
                                                                       {"> 3", {"25 %"}},
                                                                       {"+10 %", {"3"}},
                                                                       {"+10 %", {"9 %", "8 %"}},
                                                                       {"|x| > 3", {}},
                                                                       {"", {}},
                                                                       {"nan", {}}})
        EXPECT_THROW(Stated(paper, band), InputError) << paper;
}

}  // namespace
}  // namespace heddle::study
