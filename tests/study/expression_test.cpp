#include "study/expression.h"

#include <cmath>
#include <gtest/gtest.h>

#include "sim/error.h"

namespace heddle::study {
namespace {

/// Metrics ipc and hits, variants gmc and wg-w, workloads bfs, nw and spmv; top is bfs and nw.
const ExpressionNames& names() {
    auto find = [](std::vector<std::string> known) {
        return [known](const std::string& name) {
            for (std::size_t k = 0; k < known.size(); ++k)
                if (known[k] == name) return k;
            throw InputError("no " + name);
        };
    };
    static const ExpressionNames names = {find({"ipc", "hits"}), find({"gmc", "wg-w"}),
                                          find({"bfs", "nw", "spmv"}),
                                          [](const std::string& name) -> std::vector<std::size_t> {
                                              if (name != "top") throw InputError("no set " + name);
                                              return {0, 1};
                                          },
                                          3};
    return names;
}

// [metric][variant][workload]
constexpr double kFigures[2][2][3] = {{{10, 20, 40}, {11, 30, 40}}, {{0.5, 0.6, 0.7}, {0.4, 0.6, 0.9}}};

std::optional<double> value(const char* text) {
    return Expression(text, names())
        .value([](std::size_t m, std::size_t v, std::size_t w) -> Measured { return kFigures[m][v][w]; })
        .value;
}

/// Why there is no value; workloads have their names.
std::string why(const char* text) {
    const Measured m =
        Expression(text, names())
            .value([](std::size_t m, std::size_t v, std::size_t w) -> Measured { return kFigures[m][v][w]; },
                   {"bfs", "nw", "spmv"});
    EXPECT_EQ(m.value.has_value(), m.why.empty()) << text;
    return m.why;
}

struct ExpressionCase {
    const char* text;
    double expected;
};
const ExpressionCase kExpressions[] = {
    {"1 + 2 * 3 - 4 / 2", 5},
    {"-(1 + 2) * 10 %", -0.3},
    {"2 - 3 - 4", -5},
    {"geomean(ipc@wg-w / ipc@gmc) - 1", std::cbrt(1.1 * 1.5 * 1.0) - 1},
    {"mean(ipc@gmc)", 70.0 / 3},
    {"mean(ipc@gmc over top)", 15},
    {"sum(ipc@gmc over top)", 30},
    {"ipc@wg-w[nw] / ipc@gmc[nw]", 1.5},
    {"ipc@\"wg-w\"[nw]", 30},
    {"max(ipc@gmc)", 40},
    {"min(ipc@gmc over top)", 10},
    {"mean(max(hits@gmc, hits@wg-w))", (0.5 + 0.6 + 0.9) / 3},
    {"max(ipc@gmc[bfs], ipc@gmc[nw], 3)", 20},
    {"max(mean(ipc@gmc), 100)", 100},
    {"abs(hits@wg-w[bfs] - hits@gmc[bfs])", 0.1},
    {"count(ipc@wg-w > ipc@gmc)", 2},
    {"share(ipc@wg-w > ipc@gmc)", 2.0 / 3},
    {"all(ipc@wg-w >= ipc@gmc)", 1},
    {"all(ipc@wg-w > ipc@gmc)", 0},
    {"any(hits@wg-w < hits@gmc)", 1},
    {"all(ipc@wg-w > ipc@gmc over top) and not any(ipc@wg-w > 100)", 1},
    {"1 > 2 or 2 >= 2 and 1 == 1", 1},
    {"min(ipc@wg-w / ipc@gmc over top) > ipc@wg-w[spmv] / ipc@gmc[spmv]", 1},
    {"correlation(ipc@gmc, ipc@gmc * 3 + 1)", 1},
    {"correlation(ipc@gmc, -ipc@gmc over top)", -1},
    {"mean(abs(ipc@wg-w / ipc@gmc - 1))", 0.2},
};

TEST(Expression, MeansWhatItSays) {
    for (const ExpressionCase& c : kExpressions) {
        const auto v = value(c.text);
        ASSERT_TRUE(v.has_value()) << c.text;
        EXPECT_NEAR(*v, c.expected, 1e-12) << c.text;
    }
}

TEST(Expression, KnowsNumbersFromTruth) {
    EXPECT_TRUE(Expression("all(ipc@gmc > 1)", names()).is_truth());
    EXPECT_FALSE(Expression("share(ipc@gmc > 1)", names()).is_truth());
}

TEST(Expression, HasNoValueIfAFigureIsMissing) {
    const Expression e("mean(ipc@gmc)", names());
    const Measured m = e.value([](std::size_t, std::size_t, std::size_t w) -> Measured {
        return w == 1 ? Measured(std::nullopt, "its run failed") : Measured(1.0);
    });
    EXPECT_EQ(m.value, std::nullopt);
    EXPECT_EQ(m.why, "ipc@gmc has no value in workload 2: its run failed");
}

TEST(Expression, SaysWhyItHasNoValue) {
    EXPECT_EQ(why("1 / (ipc@gmc[bfs] - 10)"), "division by 0: (ipc@gmc[bfs] - 10) is 0");
    EXPECT_EQ(why("mean(1 / (ipc@gmc - 20))"), "division by 0: (ipc@gmc - 20) is 0 in nw");
    EXPECT_EQ(why("all(ipc@gmc / (hits@gmc - hits@gmc) > 1 over top)"),
              "division by 0: (hits@gmc - hits@gmc) is 0 in bfs");
    EXPECT_EQ(why("geomean(ipc@gmc - 20)"), "geomean needs values above 0, but ipc@gmc - 20 is -10 in bfs");
    EXPECT_EQ(why("geomean(ipc@gmc - 10)"), "geomean needs values above 0, but ipc@gmc - 10 is 0 in bfs");
    EXPECT_EQ(why("correlation(ipc@gmc, 3)"), "correlation with a constant: 3 is 3 in every workload");
    EXPECT_EQ(why("correlation(ipc@gmc - ipc@gmc, hits@gmc)"),
              "correlation with a constant: ipc@gmc - ipc@gmc is 0 in every workload");
    EXPECT_EQ(why("1e308 * 10"), "the result is too large for a number");
    EXPECT_EQ(why("sum(ipc@gmc * 1e307)"), "the result is too large for a number in nw");
    EXPECT_EQ(why("mean(ipc@gmc)"), "");
}

TEST(Expression, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> cases[] = {
        {"ipc@gmc", "has a value for each workload"},
        {"ipc", "'ipc' alone is incomplete"},
        {"mean(ipc@gmc", "')' is missing at the end"},
        {"meen(ipc@gmc)", "did you mean 'mean'"},
        {"mean(mean(ipc@gmc))", "inside another aggregate"},
        {"mean(ipc@gmc > 1)", "expected a number, not a comparison"},
        {"all(ipc@gmc)", "expected a comparison"},
        {"mean(ipc@gmc, ipc@gmc)", "mean takes 1 argument"},
        {"correlation(ipc@gmc)", "correlation takes 2 arguments"},
        {"mean(ipc@other)", "no other"},
        {"mean(ipd@gmc)", "no ipd"},
        {"ipc@gmc[x]", "no x"},
        {"mean(ipc@gmc over x)", "no set x"},
        {"1 +", "expression is incomplete"},
        {"1 2", "'2' was not expected here"},
        {"max(ipc@gmc, 3)", "ipc@gmc has a value for each workload"},
        {"(1 > 2) + 1", "expected a number, not a comparison"},
        {"", "expression is incomplete"},
    };
    for (const auto& [text, expected] : cases) {
        std::string error;
        try {
            Expression e(text, names());
        } catch (const InputError& e) {
            error = e.what();
        }
        EXPECT_NE(error.find(expected), std::string::npos) << text << ": " << error;
    }
    // What nobody has written is not repeated.
    for (const char c : {'(', '-', '1'})
        for (const std::size_t length : {std::size_t{3'000}, std::size_t{20'000}}) {
            std::string error;
            try {
                Expression e(std::string(length, c) + " x", names());
            } catch (const InputError& e) {
                error = e.what();
            }
            EXPECT_FALSE(error.empty());
            EXPECT_LT(error.size(), 250u) << error;
        }
    std::string sum = "1";
    while (sum.size() < 3'900) sum += " + 1";
    EXPECT_EQ(value(sum.c_str()), static_cast<double>((sum.size() + 3) / 4));
}

}  // namespace
}  // namespace heddle::study
