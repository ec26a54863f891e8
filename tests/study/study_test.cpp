// Study files and heddle study.

#include "study/study.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "config/manual.h"
#include "sim/error.h"
#include "study/study_schema.h"

namespace heddle::study {
namespace {

using nlohmann::json;

constexpr const char* kStudy = R"yaml(about: a test
source: nobody
set: {l2.mshrs: 32}
sms: [10, 5]
workloads:
  - pattern:alu,ctas=2,accesses=2
  - {name: few, run: "pattern:stream,ctas=1,accesses=2"}
  - {name: pair, run: "pattern:stream,ctas=1,accesses=2 + pattern:alu,ctas=2,accesses=2"}
sets: {single: [few]}
variants:
  slow: gpu.clock=350MHz
  fast:
  other: {machine: qv100, set: [l1.latency=30]}
baseline: slow
metrics: [ws, seconds]
claims:
  - id: T-1
    kind: H
    statement: twice the clock halves the time of arithmetic
    measure: seconds@slow[pattern:alu,ctas=2,accesses=2] / seconds@fast[pattern:alu,ctas=2,accesses=2]
    paper: 2x
  - id: T-2
    statement: cycles of arithmetic do not change, and both kinds run
    measure: ["cycles@slow[pattern:alu,ctas=2,accesses=2] - cycles@fast[pattern:alu,ctas=2,accesses=2]", "min(cycles@fast)"]
    paper: ["|x| < 1", "> 0"]
  - id: T-3
    statement: an order that does not hold
    measure: any(seconds@fast > seconds@slow over single)
    paper: true
)yaml";

TEST(StudyFile, ItsKeysAreExplainedLikeAMachines) {
    EXPECT_EQ(config::defects(StudyText::schema()), std::vector<std::string>{});
    const std::string keys = heddle_run({"explain", "study"}).out;
    for (const char* key : {"workloads.run", "variants.NAME.set", "claims.band", "baseline"})
        EXPECT_NE(keys.find(key), std::string::npos) << key << keys;
    const std::string set = heddle_run({"explain", "study.variants.NAME.set"}).out;
    EXPECT_NE(set.find("KEY=VALUE, a list of these, or a section of KEY: VALUE"), std::string::npos) << set;
    EXPECT_NE(heddle_run({"explain", "study.metrix"}).err.find("did you mean 'metrics'?"), std::string::npos);
}

TEST(StudyFile, IsReadWhole) {
    const TemporaryFolder folder;
    const Study s = read_study(folder.write("mine.yaml", kStudy));
    EXPECT_EQ(s.name, "mine");
    ASSERT_EQ(s.workloads.size(), 3u);
    EXPECT_EQ(s.workloads[2].apps.size(), 2u);
    EXPECT_EQ(s.workloads[2].division.sms, (std::vector<u32>{10, 5}));
    EXPECT_TRUE(s.workloads[1].division.sms.empty());
    ASSERT_EQ(s.variants.size(), 3u);
    EXPECT_EQ(s.variants[0].sets, (std::vector<std::string>{"l2.mshrs=32", "gpu.clock=350MHz"}));
    EXPECT_EQ(s.variants[2].machine, "qv100");
    EXPECT_EQ(metrics_of(s), (std::vector<std::string>{"ws", "seconds", "cycles"}));
}

TEST(StudyFile, NamesThePlaceOfWhatIsWrong) {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"baseline: slow", "baseline: slwo",
         "mine.yaml:14:11: there is no variant 'slwo', did you mean 'slow'?"},
        {"sets: {single: [few]}", "sets: {single: [fwe]}", "there is no workload 'fwe', did you mean 'few'?"},
        {"    kind: H", "    kidn: H", "unknown key 'kidn', did you mean 'kind'?"},
        {"    kind: H", "    kind: [H]", "mine.yaml:18:11: kind: expected a text, not a list"},
        {"{name: few, run:", "{name: few, rnu:", "unknown key 'rnu', did you mean 'run'?"},
        {"baseline: slow", "alone: variants", "mine.yaml:14:8: alone: 'variants' is not one of its values"},
        {"    statement: twice the clock halves the time of arithmetic\n", "", "missing key 'statement'"},
        {"  fast:", "  fast: {st: [l1.latency=30]}",
         "mine.yaml:12:10: unknown key 'st', did you mean 'set'?"},
        {"    paper: 2x", "    paper: two", "'two' is not a number"},
        {"over single)", "over singel)", "claim T-3: there is no set 'singel', did you mean 'single'?"},
        {"id: T-2", "id: T-1", "claim T-1 appears twice"},
        {"paper: [\"|x| < 1\", \"> 0\"]", "paper: 1", "2 measures, but 1 numbers from the paper"},
        {"workloads:", "wrkloads:", "unknown key 'wrkloads'"},
        {"    paper: true", "    paper: 3", "needs 'true' as the paper's"},
        {"  slow: gpu.clock=350MHz", "  slow: fast", "'fast' is not KEY=VALUE"},
    };
    for (const auto& [from, to, expected] : cases) {
        const TemporaryFolder folder;
        std::string text = kStudy;
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, std::string(from).size(), to);
        std::string error;
        try {
            read_study(folder.write("mine.yaml", text));
        } catch (const InputError& e) {
            error = e.what();
        }
        EXPECT_NE(error.find(expected), std::string::npos) << to << ": " << error;
    }
}

/// What the command says of kStudy with `from` replaced; nothing may have run.
std::string error_with(const std::string& from, const std::string& to) {
    const TemporaryFolder folder;
    std::string text = kStudy;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    folder.write("mine.yaml", text);
    const Ended run = heddle_run({"study", "./mine.yaml", "--store", "s.db"}, folder.path());
    EXPECT_EQ(run.code, 2) << run.out << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    return run.err;
}

TEST(StudyCommand, NamesThePlaceOfWhatIsWrongWithMachinesMetricsAndOptions) {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"metrics: [ws, seconds]", "metrics: [ws, secnds]",
         "./mine.yaml:15:15: there is no metric 'secnds', did you mean 'seconds'?"},
        {"cycles@slow", "cycels@slow", "./mine.yaml:24:15: there is no metric 'cycels'"},
        {"  slow: gpu.clock=350MHz", "  slow: gpu.clok=350MHz",
         "./mine.yaml:11:9: variant slow: gpu.clok=350MHz: this machine has no key 'gpu.clok'"},
        {"set: [l1.latency=30]", "set: [l1.latency=30, l1.ways=lots]",
         "./mine.yaml:13:48: variant other: l1.ways=lots: "},
        {"set: [l1.latency=30]", "set: {l1.latency: 30, l1.ways: lots}",
         "./mine.yaml:13:49: variant other: l1.ways=lots: "},
        {"set: {l2.mshrs: 32}", "set: {l2.mshrs: none}", "./mine.yaml:3:7: variant slow: l2.mshrs=none: "},
        {"machine: qv100", "machine: qv10",
         "./mine.yaml:13:20: variant other: there is no machine 'qv10', did you mean"},
        {"sms: [10, 5]", "sms: [10, 5, 1]",
         "./mine.yaml:4:6: workload pair on slow: sms 10,5,1: 3 numbers for 2 applications"},
        {"sms: [10, 5]", "sms: [10, 50]",
         "./mine.yaml:4:6: workload pair on slow: sms 10,50: the sum exceeds the machine's 15 SMs"},
        {"sms: [10, 5]", "sms: [10, 0]", "./mine.yaml:4:6: SMs '10,0'"},
        {"source: nobody", "source: nobody\noptions: [--sed=3]",
         "./mine.yaml:3:10: unknown option '--sed', did you mean '--set'?"},
    };
    for (const auto& [from, to, expected] : cases) {
        const std::string error = error_with(from, to);
        EXPECT_NE(error.find(expected), std::string::npos) << to << ": " << error;
    }
}

TEST(StudyFile, BlamesTheBandOrTheNumberWhicheverIsWrong) {
    const std::tuple<const char*, const char*> cases[] = {
        {"    paper: 2y\n    band: 5 %\n", "mine.yaml:21:12: '2y' is not a number"},
        {"    paper: 2x\n    band: five\n", "mine.yaml:22:11: the band 'five' is not a share such as 25 %"},
        {"    paper: '> 2'\n    band: 5 %\n", "mine.yaml:22:11: a band applies to a number"},
        {"    paper: 2x\n    band: [1x, 2x, 3x]\n", "mine.yaml:22:11: a band is [LOW, HIGH], not 3 numbers"},
    };
    for (const auto& [to, expected] : cases) {
        const std::string error = error_with("    paper: 2x\n", to);
        EXPECT_NE(error.find(expected), std::string::npos) << error;
    }
    EXPECT_NE(error_with("paper: [\"|x| < 1\", \"> 0\"]", "paper: [\"|x| < 1\", \"> y\"]")
                  .find(":25:24: 'y' is not a number"),
              std::string::npos)
        << error_with("paper: [\"|x| < 1\", \"> 0\"]", "paper: [\"|x| < 1\", \"> y\"]");
}

TEST(StudyCommand, AMeasureThatHasNoValueSaysWhyAndWhere) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", R"yaml(workloads: ['pattern:stream,ctas=1,accesses=2', 'pattern:alu,ctas=1']
variants: {a: , b: gpu.clock=350MHz}
claims:
  - {id: T-1, statement: no, measure: mean(1 / (cycles@a - cycles@a)), paper: '> 0'}
  - id: T-2
    statement: no
    measure: [geomean(0 - cycles@a), 'min(cycles@a)']
    paper: ['> 0', '> 0']
  - {id: T-3, statement: no, measure: "correlation(cycles@a - cycles@a, cycles@b)", paper: '> 0'}
  - {id: T-4, statement: no, measure: mean(load_latency@a), paper: '> 0'}
)yaml");
    const Ended run = heddle_run({"study", "./mine.yaml", "--store", "s.db", "--json"}, folder.path());
    EXPECT_EQ(run.code, 0);
    const char* const lines[] = {
        "./mine.yaml:4:39: claim T-1 cannot be measured: division by 0: (cycles@a - cycles@a) is 0 in "
        "pattern:stream,",
        "./mine.yaml:7:15: claim T-2 cannot be measured: geomean needs values above 0, but 0 - cycles@a is -",
        "./mine.yaml:9:39: claim T-3 cannot be measured: correlation with a constant: cycles@a - cycles@a is "
        "0 in ",
        "./mine.yaml:10:39: claim T-4 cannot be measured: load_latency@a has no value in pattern:alu,ctas=1: "
        "its run has "
        "no such figure\n"};
    for (const char* line : lines) EXPECT_NE(run.err.find(line), std::string::npos) << line << run.err;
    const json out = json::parse(run.out);
    EXPECT_EQ(out["totals"]["unknown"], 4);
    EXPECT_FALSE(out["claims"][0]["values"][0].contains("value"));
    EXPECT_TRUE(std::string(out["claims"][0]["values"][0]["reason"]).starts_with("division by 0"));
    EXPECT_FALSE(out["claims"][1]["values"][1].contains("reason"));
}

TEST(StudyFile, ThatCannotBeReadSaysWhy) {
    const TemporaryFolder folder;
    EXPECT_EQ(heddle_run({"study", folder.path() + "/"}).err,
              "heddle: " + folder.path() + "/ is a directory, not a study file\n");
    const std::string empty = folder.write("empty.yaml", "# nothing\n");
    EXPECT_NE(heddle_run({"study", empty}).err.find("empty.yaml:1:1: the study file is empty"),
              std::string::npos)
        << heddle_run({"study", empty}).err;
    EXPECT_EQ(heddle_run({"study", folder.path() + "/none.yaml"}).err,
              "heddle: there is no study file " + folder.path() + "/none.yaml\n");
}

TEST(StudyFile, ShippedOnesCanBeRead) {
    EXPECT_GE(shipped_studies().size(), 1u);
    for (const ShippedStudy& s : shipped_studies()) {
        const Study study = read_study(s.path);
        EXPECT_FALSE(study.about.empty()) << s.name;
        EXPECT_NO_THROW(check_machines(study)) << s.name;
        for (const Claim& c : study.claims) EXPECT_FALSE(c.statement.empty());
    }
}

TEST(StudyFile, ShippedOnesHaveTheFrozenInputsAtTheirSmallSize) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers, and records the same";
    // One store: an application that several studies have is recorded once.
    const TemporaryFolder folder;
    for (const ShippedStudy& s : shipped_studies()) {
        const Ended run =
            heddle_run({"study", s.name + "-small", "--verify", "--store", "s.db"}, folder.path());
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_TRUE(run.out.starts_with(s.name + "-small: ")) << run.out;
    }
}

TEST(StudyCommand, ScoresItsClaims) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", kStudy);
    const Ended run = heddle_run({"study", "./mine.yaml", "--store", "s.db", "--json"}, folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
    const json out = json::parse(run.out);
    ASSERT_EQ(out["claims"].size(), 3u);
    EXPECT_EQ(out["claims"][0]["id"], "T-1");
    EXPECT_EQ(out["claims"][0]["statement"], "twice the clock halves the time of arithmetic");
    EXPECT_EQ(out["claims"][0]["paper"], "2x");
    EXPECT_EQ(out["claims"][0]["measured"], "2.00x");
    EXPECT_EQ(out["claims"][0]["verdict"], "holds");
    EXPECT_EQ(out["claims"][1]["verdict"], "holds");
    EXPECT_EQ(out["claims"][1]["values"].size(), 2u);
    EXPECT_EQ(out["claims"][2]["verdict"], "fails");
    EXPECT_EQ(out["totals"]["holds"], 2);
    EXPECT_EQ(out["totals"]["fails"], 1);
    // Three variants of two single programs and a pair, and the pair's two alone on the baseline.
    EXPECT_EQ(out["comparison"]["runs"].size(), 11u);
    const Ended text = heddle_run({"study", "./mine.yaml", "--store", "s.db"}, folder.path());
    EXPECT_NE(text.out.find("total of 3: holds 2, fails 1\n"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("\nws relative to slow"), std::string::npos) << text.out;
}

TEST(StudyCommand, AProgramStandsLastInAWorkload) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", "workloads: [pattern:alu, /bin/true -x + pattern:alu]\nvariants: {a: }\n");
    const Ended run = heddle_run({"study", "./mine.yaml", "--store", "s.db"}, folder.path());
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("mine.yaml:1:26: a program takes everything that follows it, so name it last"),
              std::string::npos)
        << run.err;
}

TEST(StudyCommand, PassesStrictCapacityToItsRuns) {
    const TemporaryFolder folder;
    const std::string text = "workloads: ['pattern:random,ctas=8,footprint=4GiB']\n";
    for (const std::string& options : {std::string(), std::string("options: [--strict-capacity]\n")}) {
        folder.write("mine.yaml", text + options);
        const Ended run =
            heddle_run({"study", "./mine.yaml", "--strict-capacity", "--store", "s.db"}, folder.path());
        EXPECT_EQ(run.code, 1) << run.err;
        EXPECT_NE(run.err.find("MiB of device memory are in use, but memories.gddr5 has 1536 MiB"),
                  std::string::npos)
            << run.err;
    }
}

TEST(StudyCommand, OnlyProgramsAndWorkloadsHaveArguments) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", "workloads: [pattern:alu, alu --ctas 2]\n");
    const Ended run = heddle_run({"study", "./mine.yaml", "--store", "s.db"}, folder.path());
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("mine.yaml:1:26: 'alu' takes no arguments, but '--ctas' follows"),
              std::string::npos)
        << run.err;
}

TEST(StudyCommand, ReportWithoutAStudySaysWhereAComparisonsPageComesFrom) {
    const Ended run = heddle_run({"report", "gather", "stream"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("heddle compare --html FILE"), std::string::npos) << run.err;
}

TEST(StudyCommand, WritesAPageWhoseDataNoTextInItEnds) {
    const TemporaryFolder folder;
    const std::string about = "a </script> and <!-- <script> and <\\/b";
    folder.write("mine.yaml", "about: '" + about +
                                  "'\nworkloads: ['pattern:stream,ctas=1,accesses=2']\nvariants: {a: }\n");
    const Ended run =
        heddle_run({"study", "./mine.yaml", "--store", "s.db", "--html", "p.html"}, folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
    const std::string page = folder.read("p.html"), begin = "id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    const std::string data = page.substr(from, page.find("</script", from) - from);
    EXPECT_EQ(data.find("<"), std::string::npos);
    EXPECT_EQ(json::parse(data)["about"], about);
}

TEST(StudyCommand, ListsWhatIsShipped) {
    EXPECT_NE(heddle_run({"study", "list"}).out.find("schedulers  "), std::string::npos);
    EXPECT_EQ(heddle_run({"study", "list"}).out, heddle_run({"list", "studies"}).out);
    const Ended wrong = heddle_run({"study", "schedulrs"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("did you mean 'schedulers'?"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace heddle::study
