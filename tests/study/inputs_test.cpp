// Frozen inputs: how hashes get into a study's file, and what does not have them.

#include "study/inputs.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>

#include "build_plugin.h"
#include "cli/program.h"
#include "sim/error.h"
#include "study/sha256.h"
#include "study/stream_hash.h"
#include "trace/open.h"

namespace heddle::study {
namespace {

const std::string kA(64, 'a'), kB(64, 'b'), kC(64, 'c');

constexpr const char* kBefore = R"yaml(# a comment at the start
about: a test   # and behind a value
workloads:
  - {name: one, run: "pattern:alu,ctas=1"}
  - {name: "a pair: two", run: "pattern:alu,ctas=1 + pattern:stream,ctas=1"}
# the last line
)yaml";

TEST(Freeze, AddsHashesAndChangesNothingElse) {
    const std::string after = with_inputs(kBefore, "f.yaml", {{"one", kA}, {"a pair: two", kB}},
                                          {{"one", kC}, {"a pair: two", kA}});
    ASSERT_TRUE(after.starts_with(kBefore)) << after;
    EXPECT_EQ(after.substr(std::string(kBefore).size()),
              "# SHA-256 of each workload's stream; heddle study --freeze writes them.\ninputs:\n  full:\n   "
              " one: " +
                  kA + "\n    \"a pair: two\": " + kB + "\n  small:\n    one: " + kC +
                  "\n    \"a pair: two\": " + kA + "\n");
    // Again, and with a new hash: only its digits change.
    const Streams full{{"one", kA}, {"a pair: two", kB}}, small{{"one", kC}, {"a pair: two", kA}};
    EXPECT_EQ(with_inputs(after, "f.yaml", full, small), after);
    std::string expected = after;
    expected.replace(expected.find(kB), 64, kC);
    EXPECT_EQ(with_inputs(after, "f.yaml", {{"one", kA}, {"a pair: two", kC}}, {}), expected);
}

TEST(Freeze, KeepsCommentsOrderAndLineEndsAroundItsHashes) {
    const std::string before =
        "workloads: [x, y, z]\r\ninputs:\r\n  # why\r\n  full:   # theirs\r\n      y: \"" + kA +
        "\"  # of y\r\n      gone: " + kB + "\r\n      # between\r\n      x: " + kB +
        "\r\nvariants: {a: }  # é";
    const std::string after = with_inputs(before, "f.yaml", {{"x", kC}, {"y", kB}, {"z", kA}}, {{"x", kA}});
    EXPECT_EQ(after, "workloads: [x, y, z]\r\ninputs:\r\n  # why\r\n  full:   # theirs\r\n      y: \"" + kB +
                         "\"  # of y\r\n      # between\r\n      x: " + kC + "\r\n      z: " + kA +
                         "\r\n  small:\r\n    x: " + kA + "\r\nvariants: {a: }  # é\r\n");
}

TEST(Freeze, RefusesAFileThatItCannotEditByLine) {
    for (const std::string& text :
         {std::string("{workloads: [x]}\n"), "workloads: [x]\ninputs: {full: {x: " + kA + "}}\n",
          std::string("workloads: [x]\n...\n")})
        EXPECT_THROW(with_inputs(text, "f.yaml", {{"x", kB}}, {{"x", kC}}), InputError) << text;
    // One that has each hash on a line of its own in braces is edited all the same.
    EXPECT_EQ(
        with_inputs("workloads: [x]\ninputs: {\n  full: {\n    x: " + kA + "}}\n", "f.yaml", {{"x", kB}}, {}),
        "workloads: [x]\ninputs: {\n  full: {\n    x: " + kB + "}}\n");
}

TEST(Freeze, WritesOnlyWhatIsNewAndKeepsWhoMayReadTheFile) {
    using std::filesystem::perms;
    const TemporaryFolder folder;
    const std::string file = folder.write("f.yaml", kBefore);
    const perms mode = perms::owner_read | perms::owner_write | perms::group_read;
    std::filesystem::permissions(file, mode);
    EXPECT_TRUE(freeze(file, {{"one", kA}}, {}));
    EXPECT_EQ(std::filesystem::status(file).permissions(), mode);
    EXPECT_NE(folder.read("f.yaml").find(kA), std::string::npos);
    const auto long_ago = std::filesystem::last_write_time(file) - std::chrono::hours(1);
    std::filesystem::last_write_time(file, long_ago);
    EXPECT_FALSE(freeze(file, {{"one", kA}}, {}));
    EXPECT_EQ(std::filesystem::last_write_time(file), long_ago);
    EXPECT_THROW(freeze(folder.path() + "/none.yaml", {{"one", kA}}, {}), InputError);
}

/// The study in `folder` with the command's other words.
Ended study_in(const TemporaryFolder& folder, const std::vector<std::string>& words) {
    return heddle_run(with({"study", "./f.yaml", "--store", "s.db"}, words), folder.path());
}

TEST(StudyInputs, AreFrozenVerifiedAndRefusedWhenTheyDiffer) {
    const TemporaryFolder folder;
    folder.write("f.yaml", kBefore);
    const Ended unfrozen = study_in(folder, {"--verify"});
    EXPECT_EQ(unfrozen.code, 2);
    EXPECT_NE(unfrozen.err.find("no hashes to compare with"), std::string::npos) << unfrozen.err;
    const Ended frozen = study_in(folder, {"--freeze"});
    ASSERT_EQ(frozen.code, 0) << frozen.err;
    EXPECT_EQ(frozen.out, "./f.yaml: 2 inputs, frozen\n");
    EXPECT_EQ(study_in(folder, {"--freeze"}).out, "./f.yaml: 2 inputs, frozen already\n");
    const std::string text = folder.read("f.yaml");
    ASSERT_TRUE(text.starts_with(kBefore));
    const std::string alu = stream_hash(*open_source("pattern:alu,ctas=1")),
                      stream = stream_hash(*open_source("pattern:stream,ctas=1"));
    EXPECT_NE(text.find("one: " + alu), std::string::npos) << text;
    EXPECT_NE(text.find("two\": " + sha256(alu + "\n" + stream + "\n")), std::string::npos) << text;
    EXPECT_EQ(study_in(folder, {"--verify"}).out, "f: 2 inputs are the frozen ones\n");
    EXPECT_EQ(study_in(folder, {"--verify", "--small"}).out, "f-small: 2 inputs are the frozen ones\n");
    EXPECT_EQ(study_in(folder, {}).code, 0);

    // Another input: nothing runs.
    std::string other = text;
    other.replace(other.find("alu,ctas=1"), 10, "alu,ctas=3");
    folder.write("f.yaml", other);
    const std::string now = stream_hash(*open_source("pattern:alu,ctas=3"));
    for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"--verify"}, {"--small"}}) {
        const Ended differs = study_in(folder, words);
        EXPECT_EQ(differs.code, 2);
        EXPECT_EQ(differs.out, "");
        for (const std::string& part : {std::string("./f.yaml:"), std::string("workload one: "), alu, now})
            EXPECT_NE(differs.err.find(part), std::string::npos) << part << differs.err;
        EXPECT_EQ(std::count(differs.err.begin(), differs.err.end(), '\n'), 1) << differs.err;
    }
    const Ended runs = heddle_run({"results", "--store", "s.db"}, folder.path());
    EXPECT_NE(runs.out.find("ctas=1"), std::string::npos) << runs.out;
    EXPECT_EQ(runs.out.find("ctas=3"), std::string::npos) << runs.out;

    // The small form alone.
    folder.write("f.yaml", kBefore);
    EXPECT_EQ(study_in(folder, {"--freeze", "--small"}).code, 0);
    EXPECT_NE(folder.read("f.yaml").find("\n  small:\n    one: " + alu), std::string::npos);
    EXPECT_EQ(folder.read("f.yaml").find("full:"), std::string::npos);
    EXPECT_EQ(study_in(folder, {"--verify", "--small"}).code, 0);
    EXPECT_EQ(study_in(folder, {"--verify"}).code, 2);
}

TEST(StudyInputs, AreRecordedOnAMachineWhosePolicyIsAPlugins) {
    const TemporaryFolder folder;
    build_plugin(checkout("examples/my_scheduler/my_scheduler.cpp"), folder.path() + "/p.so");
    folder.write("f.yaml", "workloads: ['pattern:alu,ctas=1']\nset: dram.scheduler=oldest-app\n");
    for (const char* what : {"--freeze", "--verify"}) {
        const Ended run = study_in(folder, {what, "--plugin", "p.so"});
        EXPECT_EQ(run.code, 0) << run.err;
    }
}

TEST(StudyInputs, NameThePlaceOfWhatIsWrong) {
    const std::pair<std::string, const char*> cases[] = {
        {"inputs: {full: {one: " + kA + ", two: " + kA + "}}\n",
         "f.yaml:7:93: inputs: there is no workload 'two'; possible: one, a pair: two"},
        {"inputs: {full: {one: abc}}\n",
         "f.yaml:7:22: inputs: 'abc' is not a SHA-256 of 64 hexadecimal digits"},
        {"inputs: {small: {one: " + kA + "}}\n",
         "f.yaml:5:32: workload a pair: two has no hash among the small inputs"},
        {"inputs: {larg: {one: " + kA + "}}\n", "f.yaml:7:10: unknown key 'larg'"},
    };
    for (const auto& [block, expected] : cases) {
        const TemporaryFolder folder;
        folder.write("f.yaml", kBefore + block);
        const Ended run = study_in(folder, {});
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(expected), std::string::npos) << run.err;
        EXPECT_EQ(run.out, "");
    }
    const TemporaryFolder folder;
    folder.write("f.yaml", kBefore);
    EXPECT_EQ(study_in(folder, {"--freeze", "--verify"}).code, 2);
    EXPECT_EQ(study_in(folder, {"--freeze", "--regime"}).code, 2);
    EXPECT_EQ(folder.read("f.yaml"), kBefore);
}

TEST(StudyInputs, TheSmallFormHasItsOwn) {
    const TemporaryFolder folder;
    folder.write("f.yaml",
                 "workloads:\n  - {name: w, run: 'pattern:alu,ctas=9', small: 'pattern:alu,ctas=2'}\n"
                 "  - {name: b, run: bfs --vertices 5000}\n");
    const Study study = read_study(folder.path() + "/f.yaml"), small = small_form(study);
    EXPECT_EQ(small.name, "f-small");
    EXPECT_EQ(small.workloads[0].apps[0], (std::vector<std::string>{"pattern:alu,ctas=2"}));
    EXPECT_EQ(small.workloads[1].apps[0], (std::vector<std::string>{"bfs", "--size", "small"}));
    folder.write("f.yaml", "workloads:\n  - {name: w, run: 'alu', small: 'alu + alu'}\n");
    const Ended wrong = study_in(folder, {});
    EXPECT_NE(wrong.err.find("f.yaml:2:34: 2 applications in place of 1"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace heddle::study
