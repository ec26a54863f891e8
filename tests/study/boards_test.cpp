// One study on several machines, and what characterises its workloads.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "study/study.h"

namespace heddle::study {
namespace {

using nlohmann::json;

constexpr const char* kBoards = R"yaml(about: two boards
source: nobody
workloads:
  - {name: w, run: "pattern:stream,ctas=1,accesses=2"}
  - {name: v, run: "pattern:alu,ctas=2,accesses=2"}
boards:
  text: gtx480
  sim: {machine: gtx480, set: {gpu.clock: 350MHz}}
variants:
  base:
  quick: gpu.clock=700MHz
baseline: base
metrics: [seconds]
claims:
  - {id: B-1, statement: only one board's clock is slow, measure: "seconds@base[v] / seconds@quick[v]", paper: 2x, note: the clock of the text is 700 MHz}
  - {id: B-2, statement: cycles are the same, measure: "cycles@base[v] - cycles@quick[v]", paper: "|x| < 1"}
)yaml";

Ended boards_of(const std::string& text, const std::vector<std::string>& words) {
    const TemporaryFolder folder;
    folder.write("two.yaml", text);
    Ended run = heddle_run(with({"study", "./two.yaml", "--store", "s.db"}, words), folder.path());
    if (!words.empty() && words.front() == "--html") run.out = folder.read(words[1]);
    return run;
}

TEST(StudyBoards, RunOnEachMachineAndAreShownSideBySide) {
    const Ended run = boards_of(kBoards, {"--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const json out = json::parse(run.out);
    const json& claim = out["claims"][0];
    EXPECT_EQ(claim["boards"]["text"]["verdict"], "fails");
    EXPECT_EQ(claim["boards"]["text"]["measured"], "1.00x");
    EXPECT_EQ(claim["boards"]["sim"]["verdict"], "holds");
    EXPECT_EQ(claim["boards"]["sim"]["measured"], "2.00x");
    EXPECT_FALSE(claim.contains("verdict"));
    EXPECT_EQ(claim["note"], "the clock of the text is 700 MHz");
    ASSERT_EQ(out["boards"].size(), 2u);
    EXPECT_EQ(out["boards"][1]["name"], "sim");
    EXPECT_EQ(out["boards"][1]["machine"], "gtx480");
    EXPECT_EQ(out["boards"][0]["totals"]["holds"], 1);
    EXPECT_EQ(out["boards"][1]["totals"]["holds"], 2);
    // A board's settings come before a variant's.
    EXPECT_EQ(out["boards"][1]["comparison"]["variants"][1]["settings"],
              json::parse(R"(["gpu.clock=350MHz", "gpu.clock=700MHz"])"));
    EXPECT_FALSE(out.contains("totals"));

    const Ended text = boards_of(kBoards, {});
    for (const char* part : {"board text: gtx480\n", "board sim: gtx480\n", "text verdict", "sim verdict",
                             "cause: the clock of the text is 700 MHz",
                             "text: total of 2: holds 1, fails 1\n", "sim: total of 2: holds 2\n"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << text.out;
    EXPECT_NE(text.out.find("2x  1.00x  2.00x  fails         holds"), std::string::npos) << text.out;
}

TEST(StudyBoards, SayWhichOneHasNoValue) {
    std::string text = kBoards;
    const std::string measure = "cycles@base[v] - cycles@quick[v]";
    text.replace(text.find(measure), measure.size(), "load_latency@base[v]");
    const Ended run = boards_of(text, {});
    for (const char* board : {"text", "sim"})
        EXPECT_NE(run.err.find(std::string("claim B-2 cannot be measured on board ") + board + ": "),
                  std::string::npos)
            << run.err;
}

TEST(StudyBoards, LeaveAVariantTheMachineThatItNames) {
    const TemporaryFolder folder;
    std::string text = kBoards;
    text.replace(text.find("  base:"), 7, "  base: {machine: kepler-its, set: {gpu.clock: 1GHz}}");
    const Study study = read_study(folder.write("two.yaml", text)), sim = on_board(study, 1);
    ASSERT_EQ(sim.boards.size(), 1u);
    EXPECT_EQ(sim.boards[0].name, "sim");
    EXPECT_EQ(sim.variants[0].machine, "kepler-its");
    EXPECT_EQ(sim.variants[0].sets, (std::vector<std::string>{"gpu.clock=350MHz", "gpu.clock=1GHz"}));
    EXPECT_EQ(sim.variants[1].machine, "gtx480");
}

TEST(StudyBoards, HaveOnePage) {
    const Ended page = boards_of(kBoards, {"--html", "p.html"});
    ASSERT_EQ(page.code, 0) << page.err;
    const std::string begin = "id=\"data\">";
    const std::size_t from = page.out.find(begin) + begin.size();
    const json data = json::parse(page.out.substr(from, page.out.find("</script", from) - from));
    ASSERT_EQ(data["boards"].size(), 2u);
    for (const json& board : data["boards"]) {
        EXPECT_EQ(board["runs"].size(), 4u);
        EXPECT_FALSE(std::string(board["resolved"]).empty());
        EXPECT_EQ(board["comparison"]["metrics"][0]["name"], "seconds");
    }
    EXPECT_EQ(data["claims"][0]["boards"]["sim"]["verdict"], "holds");
}

TEST(StudyBoards, NameThePlaceOfWhatIsWrong) {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"  text: gtx480", "  text:", "two.yaml:7:3: missing key 'machine'"},
        {"  text: gtx480", "  text: ''", "two.yaml:7:9: "},
        {"  text: gtx480", "  text: gtx48",
         "two.yaml:7:9: board text: variant base: there is no machine 'gtx48'"},
        {"{machine: gtx480, set", "{set", "two.yaml:8:3: missing key 'machine'"},
        {"gpu.clock: 350MHz", "gpu.clok: 350MHz",
         "two.yaml:8:32: board sim: variant base: gpu.clok=350MHz: "},
        {"boards:", "machine: qv100\nboards:", "two.yaml:6:10: give either 'machine' or 'boards'"},
        {"boards:\n  text: gtx480\n  sim: {machine: gtx480, set: {gpu.clock: 350MHz}}\n",
         "boards: [gtx480]\n", "two.yaml:6:9: boards: expected named sections"},
    };
    for (const auto& [from, to, expected] : cases) {
        std::string text = kBoards;
        text.replace(text.find(from), std::string(from).size(), to);
        const Ended run = boards_of(text, {});
        EXPECT_EQ(run.code, 2) << to;
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err.find(expected), std::string::npos) << to << ": " << run.err;
    }
}

constexpr const char* kRegime = R"yaml(workloads:
  - {name: unused, run: "pattern:alu,ctas=9"}
  - {name: s, run: "pattern:stream,ctas=1,accesses=2"}
  - {name: g, run: "pattern:random,ctas=3,accesses=2"}
  - {name: a, run: "pattern:alu,ctas=2,accesses=2"}
variants:
  base:
  other: gpu.clock=350MHz
metrics: [seconds]
sets: {loads: [s, g], rest: [unused]}
regime:
  - {id: R-1, statement: cycles are many, measure: mean(cycles@base over loads), paper: "> 1", note: because}
  - id: R-2
    statement: CTAs by class
    measure: gpu.sm.ctas@base
    classes: {few: "< 3", many: ">= 3"}
    each: {s: few, g: many, a: few}
  - {id: R-3, statement: CTAs, measure: gpu.sm.ctas@base, each: {s: 2, g: {paper: 6.1, note: too much}, a: 1}}
claims:
  - {id: C-1, statement: the clock, measure: "mean(seconds@base / seconds@other)", paper: 0.5x}
)yaml";

std::string regime_with(const std::string& from, const std::string& to) {
    std::string text = kRegime;
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(StudyRegime, ComesBeforeTheClaimsAndIsJudgedByNearness) {
    const Ended run = boards_of(regime_with("g: many", "g: few"), {"--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const json out = json::parse(run.out);
    ASSERT_EQ(out["regime"].size(), 3u);
    EXPECT_EQ(out["regime"][0]["verdict"], "near");
    EXPECT_EQ(out["regime"][0]["note"], "because");
    // Two of three classes are less than 80 %.
    EXPECT_EQ(out["regime"][1]["measured"], "2 of 3 equal");
    EXPECT_EQ(out["regime"][1]["verdict"], "far");
    EXPECT_EQ(out["regime"][1]["values"][0]["ours"], "few (1)");
    EXPECT_EQ(out["regime"][1]["values"][1]["ours"], "many (3)");
    EXPECT_EQ(out["regime"][1]["values"][2]["ours"], "few (2)");
    EXPECT_EQ(out["regime"][1]["values"][1]["verdict"], "far");
    EXPECT_EQ(out["regime"][2]["measured"], "2 of 3 near");
    EXPECT_EQ(out["regime"][2]["values"][1]["note"], "too much");
    EXPECT_EQ(out["claims"].size(), 1u);
    const Ended text = boards_of(kRegime, {});
    const std::size_t regime = text.out.find("workloads under base, before any claim\n"),
                      claims = text.out.find("claims of two\n");
    ASSERT_NE(regime, std::string::npos) << text.out;
    EXPECT_LT(regime, claims);
    EXPECT_NE(text.out.find("near: 2 of 3\n"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("  g: too much"), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("  s: "), std::string::npos) << text.out;
}

TEST(StudyRegime, RunsAloneWithItsWorkloadsUnderTheBaseline) {
    const Ended run = boards_of(kRegime, {"--json", "--regime"});
    ASSERT_EQ(run.code, 0) << run.err;
    const json out = json::parse(run.out);
    ASSERT_EQ(out["regime"].size(), 3u);
    EXPECT_EQ(out["regime"], json::parse(boards_of(kRegime, {"--json"}).out)["regime"]);
    EXPECT_EQ(out["claims"].size(), 0u);
    EXPECT_EQ(out["comparison"]["runs"].size(), 3u);
    for (const json& r : out["comparison"]["runs"]) {
        EXPECT_EQ(r["variant"], "base");
        EXPECT_NE(r["workload"], "unused");
    }
    EXPECT_EQ(boards_of(kRegime, {"--regime"}).code, 0);
    const Ended none = boards_of(kBoards, {"--regime"});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("two.yaml: there is no 'regime' in it"), std::string::npos) << none.err;
}

TEST(StudyRegime, MayLookAtMachinesWithoutTheMechanism) {
    std::string text =
        regime_with("mean(cycles@base over loads)", "mean(seconds@other / seconds@base over loads)");
    const std::string metrics = "metrics: [seconds]";
    text.replace(text.find(metrics), metrics.size(), "references: other\n" + metrics);
    const Ended run = boards_of(text, {"--json", "--regime"});
    ASSERT_EQ(run.code, 0) << run.err;
    const json out = json::parse(run.out);
    EXPECT_GT(std::stod(out["regime"][0]["measured"].get<std::string>()), 1.0);
    std::map<std::string, int> runs;
    for (const json& r : out["comparison"]["runs"]) {
        ++runs[r["variant"].get<std::string>()];
        EXPECT_NE(r["workload"], "unused");
    }
    EXPECT_EQ(runs, (std::map<std::string, int>{{"base", 3}, {"other", 3}}));
    text.replace(text.find("references: other"), 17, "references: othre");
    EXPECT_NE(boards_of(text, {}).err.find("there is no variant 'othre', did you mean 'other'?"),
              std::string::npos)
        << boards_of(text, {}).err;
}

TEST(StudyRegime, NamesThePlaceOfWhatIsWrong) {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"cycles@base over", "cycles@other over",
         "claim R-1: the regime is that of the baseline base and of 'references', not of other"},
        {"g: many", "g: fwe", "two.yaml:17:23: there is no class 'fwe', did you mean 'few'?"},
        {"g: many", "h: many", "two.yaml:17:23: there is no workload 'h'"},
        {"few: \"< 3\"", "few: 3", "two.yaml:16:20: class few: '3' is not a bound"},
        {"s: 2,", "s: two,", "'two' is not a number"},
        {"mean(cycles@base over loads)", "cycles@base",
         "claim R-1: 'cycles@base': cycles@base has a value for each workload"},
        {"id: C-1", "id: R-2", "claim R-2 appears twice"},
        {"    each: {s: few, g: many, a: few}\n", "", "'classes' need 'each'"},
        {"paper: \"> 1\", ", "", "what the paper says is missing"},
    };
    for (const auto& [from, to, expected] : cases) {
        const Ended run = boards_of(regime_with(from, to), {});
        EXPECT_EQ(run.code, 2) << to;
        EXPECT_NE(run.err.find(expected), std::string::npos) << to << ": " << run.err;
    }
}

}  // namespace
}  // namespace heddle::study
