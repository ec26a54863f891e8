// Comparisons and studies over several seeds, as a user runs them.

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "study/statistics.h"

namespace heddle::study {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

/// Student's t of two degrees of freedom, 95 %.
const double kT2 = 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95));

Strings seeds_of(const TemporaryFolder& folder, const Strings& more) {
    return with({"compare", "--ctas", "1", "--footprint", "1MiB", "--store", folder.path() + "/s.db"}, more);
}

json cycles_and_seed(const Strings& words, const TemporaryFolder& folder) {
    const Ended run = heddle_run(with({"run", "--json"}, words), folder.path());
    EXPECT_EQ(run.code, 0) << run.err;
    return json::parse(run.out);
}

TEST(Seeds, GiveTheMeanOfTheRunsWithEachAndItsInterval) {
    const TemporaryFolder folder;
    const Ended compared =
        heddle_run(seeds_of(folder, {"gather", "random", "--set", "dram.scheduler=fr-fcfs,fcfs", "--metric",
                                     "cycles", "--seeds", "2-4", "--json"}));
    ASSERT_EQ(compared.code, 0) << compared.err;
    const json c = json::parse(compared.out), &m = c["metrics"][0];
    EXPECT_EQ(c["seeds"], (std::vector<int>{2, 3, 4}));
    EXPECT_EQ(c["confidence"], 0.95);
    EXPECT_EQ(c["runs"].size(), 12u);
    // Those of single runs.
    double value[2][3];
    for (int v = 0; v < 2; ++v)
        for (int s = 0; s < 3; ++s)
            value[v][s] = cycles_and_seed(
                {"gather", "--ctas", "1", "--footprint", "1MiB", "--seed", std::to_string(s + 2), "--set",
                 v == 0 ? "dram.scheduler=fr-fcfs" : "dram.scheduler=fcfs"},
                folder)["cycles"];
    EXPECT_NE(value[0][0], value[0][1]);
    const auto margin = [](const double(&x)[3]) {
        const double mean = (x[0] + x[1] + x[2]) / 3;
        double squares = 0;
        for (const double v : x) squares += (v - mean) * (v - mean);
        return kT2 * std::sqrt(squares / 2 / 3);
    };
    for (int v = 0; v < 2; ++v) {
        const char* name = v == 0 ? "fr-fcfs" : "fcfs";
        EXPECT_EQ(m["samples"]["gather"][name], (std::vector<double>{value[v][0], value[v][1], value[v][2]}));
        EXPECT_NEAR(m["values"]["gather"][name].get<double>(), (value[v][0] + value[v][1] + value[v][2]) / 3,
                    1e-9);
        EXPECT_NEAR(m["value_margins"]["gather"][name].get<double>(), margin(value[v]), 1e-9);
    }
    // Ratios are taken within a seed.
    double ratio[3];
    for (int s = 0; s < 3; ++s) ratio[s] = value[1][s] / value[0][s];
    EXPECT_NEAR(m["ratios"]["gather"]["fcfs"].get<double>(), (ratio[0] + ratio[1] + ratio[2]) / 3, 1e-12);
    EXPECT_NEAR(m["ratio_margins"]["gather"]["fcfs"].get<double>(), margin(ratio), 1e-12);
    EXPECT_EQ(m["ratios"]["gather"]["fr-fcfs"], 1.0);
    EXPECT_EQ(m["ratio_margins"]["gather"]["fr-fcfs"], 0.0);
    double means[3];
    for (std::size_t s = 0; s < 3; ++s) {
        const auto sample = [&m, s](const char* w, const char* v) {
            return m["samples"][w][v][s].get<double>();
        };
        means[s] = std::sqrt(sample("gather", "fcfs") / sample("gather", "fr-fcfs") *
                             sample("random", "fcfs") / sample("random", "fr-fcfs"));
    }
    EXPECT_NEAR(m["geometric_mean"]["fcfs"].get<double>(), (means[0] + means[1] + means[2]) / 3, 1e-12);
    EXPECT_NEAR(m["geometric_mean_margins"]["fcfs"].get<double>(), margin(means), 1e-12);
}

TEST(Seeds, StandInTheTablesAndInTheCsv) {
    const TemporaryFolder folder;
    const Strings words = seeds_of(folder, {"gather", "alu", "--set", "dram.scheduler=fr-fcfs,fcfs",
                                            "--metric", "cycles", "--seeds", "1,2"});
    const Ended text = heddle_run(words);
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("cycles (core cycles); mean of 2 seeds "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find(" 95 % confidence\n"), std::string::npos) << text.out;
    EXPECT_NE(text.err.find("heddle: note: alu: every seed gives the same figures\n"), std::string::npos)
        << text.err;
    EXPECT_EQ(text.err.find("gather: every seed"), std::string::npos) << text.err;
    const Ended csv = heddle_run(with(words, {"--csv"}));
    EXPECT_TRUE(csv.out.starts_with(
        "workload,variant,metric,unit,value,ratio,seeds,value_margin,ratio_margin\ngather,fr-fcfs,cycles,"))
        << csv.out;
    EXPECT_NE(csv.out.find(",1,2,0,0\n"), std::string::npos) << csv.out;
}

TEST(Seeds, OfARunWithoutRandomChoicesAreOneRun) {
    const TemporaryFolder folder;
    ASSERT_EQ(heddle_run({"record", "gather", "--ctas", "1", "-o", "g.heddle"}, folder.path()).code, 0);
    const auto runs = [&](const Strings& more) {
        const Ended end =
            heddle_run(with({"compare", "./g.heddle", "--seeds", "1-4", "--json", "--store", "s.db"}, more),
                       folder.path());
        EXPECT_EQ(end.code, 0) << end.err;
        return json::parse(end.out)["runs"];
    };
    EXPECT_EQ(runs({}).size(), 1u);
    // Frames in random order are a choice of the machine's.
    const json random = runs({"-m", "maxwell-mask", "--set", "translation.memory_manager=random"});
    ASSERT_EQ(random.size(), 4u);
    EXPECT_EQ(random[3]["seed"], 4);
}

TEST(Seeds, ReachPoliciesThatDrawRandomNumbers) {
    const TemporaryFolder folder;
    ASSERT_EQ(heddle_run({"record", "random", "--ctas", "2", "-o", "r.heddle"}, folder.path()).code, 0);
    const Strings run{"./r.heddle", "-m", "maxwell-mask", "--set", "translation.memory_manager=random"};
    const auto seed = [](const json& record) {
        return record["machine"]["description"]["gpus"].front()["translation"]["random"]["seed"];
    };
    const json usual = cycles_and_seed(run, folder),
               third = cycles_and_seed(with(run, {"--seed", "3"}), folder),
               own = cycles_and_seed(with(run, {"--seed", "3", "--set", "random.seed=1"}), folder);
    EXPECT_EQ(seed(usual), 1);
    EXPECT_EQ(seed(third), 3);
    EXPECT_EQ(seed(own), 1);
    EXPECT_NE(third["cycles"], usual["cycles"]);
    EXPECT_EQ(own["cycles"], usual["cycles"]);
}

TEST(Seeds, ThatContradictAreRefused) {
    const TemporaryFolder folder;
    const auto error = [&](const Strings& words) {
        const Ended end = heddle_run(words, folder.path());
        EXPECT_EQ(end.code, 2);
        return end.err;
    };
    EXPECT_EQ(error(seeds_of(folder, {"gather", "--seeds", "1-3", "--seed", "2"})),
              "heddle: give either --seed or --seeds, not both\n");
    EXPECT_EQ(error(seeds_of(folder, {"gather", "--seeds", "7"})),
              "heddle: --seeds 7: an interval needs at least two seeds; --seed sets a single one\n");
    EXPECT_EQ(error(seeds_of(folder, {"gather", "--seeds", ""})),
              "heddle: --seeds : expected seeds such as 1-10 or 1,5,8-9\n");
    folder.write("a.yaml", "workloads: [alu]\nseeds: [1-3, 2]\n");
    EXPECT_EQ(error({"study", "./a.yaml", "--store", "s.db"}),
              "heddle: ./a.yaml:2:8: 1-3,2: seed 2 appears twice\n");
    folder.write("b.yaml", "workloads: [alu]\noptions: [--seed=2]\n");
    EXPECT_EQ(error({"study", "./b.yaml", "--seeds", "1-2", "--store", "s.db"}),
              "heddle: ./b.yaml:2:10: give either --seed or several seeds, not both\n");
}

TEST(Seeds, OfAStudyGiveItsClaimsMargins) {
    const TemporaryFolder folder;
    folder.write(
        "mine.yaml",
        "seeds: 1-3\n"
        "workloads: ['pattern:gather,ctas=1,footprint=1MiB']\n"
        "variants: {one: dram.scheduler=fr-fcfs, other: dram.scheduler=fcfs}\n"
        "metrics: [cycles]\n"
        "claims:\n"
        "  - {id: gain, statement: s, measure: geomean(cycles@other / cycles@one) - 1, paper: '> -90 %'}\n"
        "  - {id: order, statement: s, measure: all(cycles@other > 1), paper: true}\n");
    const Strings words{"study", "./mine.yaml", "--store", "s.db"};
    const Ended run = heddle_run(with(words, {"--json"}), folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
    const json out = json::parse(run.out), &m = out["comparison"]["metrics"][0];
    EXPECT_EQ(out["comparison"]["runs"].size(), 6u);
    const json &gain = out["claims"][0], &order = out["claims"][1];
    EXPECT_NEAR(gain["values"][0]["value"].get<double>(), m["geometric_mean"]["other"].get<double>() - 1,
                1e-12);
    EXPECT_NEAR(gain["values"][0]["margin"].get<double>(), m["geometric_mean_margins"]["other"].get<double>(),
                1e-12);
    EXPECT_NE(gain["measured"].get<std::string>().find(" ±"), std::string::npos);
    EXPECT_EQ(gain["verdict"], "holds");
    EXPECT_EQ(order["measured"], "yes");
    EXPECT_FALSE(order["values"][0].contains("margin"));
    // The command line's count, not the file's.
    const Ended two = heddle_run(with(words, {"--json", "--seeds", "1-2"}), folder.path());
    EXPECT_EQ(json::parse(two.out)["comparison"]["seeds"].size(), 2u);
}

}  // namespace
}  // namespace heddle::study
