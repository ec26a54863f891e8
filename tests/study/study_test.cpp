// Study files and heddle study.

#include "study/study.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "sim/error.h"

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
        {"    paper: 2x", "    paper: two", "'two' is no number"},
        {"over single)", "over singel)", "claim T-3: there is no set 'singel', did you mean 'single'?"},
        {"id: T-2", "id: T-1", "the claim T-1 is there twice"},
        {"paper: [\"|x| < 1\", \"> 0\"]", "paper: 1", "2 measures, but 1 numbers of the paper"},
        {"workloads:", "wrkloads:", "unknown key 'wrkloads'"},
        {"    paper: true", "    paper: 3", "wants 'true' as the paper's"},
        {"  slow: gpu.clock=350MHz", "  slow: fast", "'fast' is no KEY=VALUE"},
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

TEST(StudyFile, ShippedOnesCanBeRead) {
    EXPECT_GE(shipped_studies().size(), 1u);
    for (const ShippedStudy& s : shipped_studies()) {
        const Study study = read_study(s.path);
        EXPECT_FALSE(study.about.empty()) << s.name;
        for (const Claim& c : study.claims) EXPECT_FALSE(c.statement.empty());
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
    EXPECT_NE(run.err.find("mine.yaml:1:26: a program takes all that follows it: name it last"),
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
