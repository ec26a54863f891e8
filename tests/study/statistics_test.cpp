#include "study/statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <vector>

#include "sim/error.h"
#include "study/seeds.h"

namespace heddle::study {
namespace {

TEST(Statistics, StudentsQuantilesAreThoseOfThePublishedTable) {
    // Two-sided, to three decimals: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 (upper critical values;
    // 0.95, 0.975 and 0.995 of one side).
    struct Line {
        u64 freedom;
        double at90, at95, at99;
    };
    constexpr Line kTable[] = {
        {1, 6.314, 12.706, 63.657}, {2, 2.920, 4.303, 9.925},  {3, 2.353, 3.182, 5.841},
        {4, 2.132, 2.776, 4.604},   {5, 2.015, 2.571, 4.032},  {9, 1.833, 2.262, 3.250},
        {10, 1.812, 2.228, 3.169},  {15, 1.753, 2.131, 2.947}, {19, 1.729, 2.093, 2.861},
        {20, 1.725, 2.086, 2.845},  {29, 1.699, 2.045, 2.756}, {30, 1.697, 2.042, 2.750},
        {60, 1.671, 2.000, 2.660},  {99, 1.660, 1.984, 2.626}, {100, 1.660, 1.984, 2.626},
    };
    for (const Line& l : kTable) {
        EXPECT_NEAR(student_quantile(0.90, l.freedom), l.at90, 5.01e-4) << l.freedom;
        EXPECT_NEAR(student_quantile(0.95, l.freedom), l.at95, 5.01e-4) << l.freedom;
        EXPECT_NEAR(student_quantile(0.99, l.freedom), l.at99, 5.01e-4) << l.freedom;
    }
}

TEST(Statistics, StudentsQuantilesAreThoseOfTheClosedForms) {
    // One degree is Cauchy's distribution; with two P(|T| <= t) = t / sqrt(2 + t^2).
    for (const double p : {0.5, 0.9, 0.95, 0.999}) {
        EXPECT_NEAR(student_quantile(p, 1), std::tan(p * std::numbers::pi / 2),
                    1e-9 * student_quantile(p, 1));
        EXPECT_NEAR(student_quantile(p, 2), p * std::sqrt(2 / (1 - p * p)), 1e-9 * student_quantile(p, 2));
    }
    // With many it is the normal distribution.
    EXPECT_NEAR(student_quantile(0.95, 100'000), 1.959964, 1e-4);
}

TEST(Statistics, StudentsDistributionIsTheIntegralOfItsDensity) {
    for (const u64 n : {1u, 2u, 3u, 4u, 7u, 8u, 30u}) {
        const double v = static_cast<double>(n);
        const double scale =
            std::exp(std::lgamma((v + 1) / 2) - std::lgamma(v / 2)) / std::sqrt(v * std::numbers::pi);
        const auto density = [&](double t) { return scale * std::pow(1 + t * t / v, -(v + 1) / 2); };
        constexpr int kSteps = 20'000;  // Simpson's rule
        constexpr double kEnd = 3, kStep = kEnd / kSteps;
        double sum = density(0) + density(kEnd);
        for (int k = 1; k < kSteps; ++k) sum += (k % 2 == 1 ? 4 : 2) * density(k * kStep);
        EXPECT_NEAR(student_cdf(kEnd, n), 0.5 + sum * kStep / 3, 1e-10) << n;
        EXPECT_NEAR(student_cdf(-kEnd, n), 1 - student_cdf(kEnd, n), 1e-15) << n;
    }
}

TEST(Statistics, AnIntervalIsThatOfAWorkedExample) {
    // Mean 5, squared differences 4 + 1 + 0 + 1 + 4 = 10, deviation sqrt(10 / 4), margin t(4) sqrt(2.5 / 5).
    const std::vector<double> sample{3, 4, 5, 6, 7};
    const Estimate e = estimate(sample);
    EXPECT_DOUBLE_EQ(e.mean, 5);
    EXPECT_DOUBLE_EQ(e.deviation, std::sqrt(2.5));
    EXPECT_NEAR(e.margin, 2.776445 * std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(estimate(sample, 0.99).margin, 4.604095 * std::sqrt(0.5), 1e-6);
    // Two values: half their difference times t(1).
    EXPECT_NEAR(estimate(std::vector<double>{10, 12}).margin, 12.706205, 1e-6);
    // A sum of ten times 0.1 is not 1.
    const Estimate same = estimate(std::vector<double>(10, 0.1));
    EXPECT_EQ(same.mean, 0.1);
    EXPECT_EQ(same.margin, 0);
}

TEST(Statistics, NineteenOfTwentyIntervalsHoldTheMean) {
    std::mt19937_64 random(1);
    const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    constexpr int kTrials = 4000;
    int holds = 0;
    for (int k = 0; k < kTrials; ++k) {
        std::vector<double> sample;
        for (int i = 0; i < 5; ++i)  // Box and Muller
            sample.push_back(100 + 7 * std::sqrt(-2 * std::log(1 - uniform())) *
                                       std::cos(2 * std::numbers::pi * uniform()));
        const Estimate e = estimate(sample);
        holds += std::abs(e.mean - 100) <= e.margin;
    }
    // Four standard deviations of a binomial distribution.
    EXPECT_NEAR(static_cast<double>(holds) / kTrials, 0.95, 4 * std::sqrt(0.95 * 0.05 / kTrials));
}

TEST(Seeds, AreListedAsRangesAndNumbers) {
    EXPECT_EQ(parse_seeds("1-4"), (std::vector<u64>{1, 2, 3, 4}));
    EXPECT_EQ(parse_seeds("7,1, 3-4"), (std::vector<u64>{7, 1, 3, 4}));
    EXPECT_EQ(parse_seeds("0-1"), (std::vector<u64>{0, 1}));
    EXPECT_EQ(parse_seeds("18446744073709551614-18446744073709551615").size(), 2u);
    EXPECT_EQ(parse_seeds("1-1000").size(), 1000u);
}

TEST(Seeds, ThatCanNotBeMeantAreRefused) {
    const auto error = [](const char* text) -> std::string {
        try {
            parse_seeds(text);
        } catch (const InputError& e) {
            return e.what();
        }
        return "accepted";
    };
    EXPECT_EQ(error("3"), "3: an interval needs at least two seeds; --seed sets a single one");
    EXPECT_EQ(error("1,2,1"), "1,2,1: seed 1 appears twice");
    EXPECT_EQ(error("5-2"), "5-2: the range ends before it begins");
    EXPECT_EQ(error("1-1001"), "1-1001: more than 1000 seeds");
    EXPECT_EQ(error("0-18446744073709551615"), "0-18446744073709551615: more than 1000 seeds");
    EXPECT_EQ(error("1,99999999999999999999"), "1,99999999999999999999: a seed must be below 2^64");
    for (const char* text : {"", "-", "1-", "1,,2", "1,2,", "a", "1-2-3", "-1-3", "1.5,2"})
        EXPECT_EQ(error(text), std::string(text) + ": expected seeds such as 1-10 or 1,5,8-9");
}

}  // namespace
}  // namespace heddle::study
