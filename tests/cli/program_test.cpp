// The real program: exit codes, where options may stand, what goes to which stream.

#include "cli/program.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "built.h"

namespace heddle {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

/// A run of a few hundred instructions.
Strings tiny(const Strings& more = {}, const std::string& word = "gather") {
    return with({"run", word, "--ctas", "2", "--threads", "32", "--accesses", "2"}, more);
}

/// The record of a run, without what may differ.
json record_of(const Strings& arguments) {
    const Ended run = heddle_run(arguments);
    EXPECT_EQ(run.code, 0) << run.err;
    // A small input may be suspected of being too small; nothing else is said.
    std::istringstream lines(run.err);
    for (std::string line; std::getline(lines, line);)
        EXPECT_TRUE(line.starts_with("heddle: note: ")) << line;
    json record = json::parse(run.out);
    record.erase("simulation");
    return record;
}

void expect_error(const Ended& run, const std::string& text) {
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "heddle: " + text + "\n");
}

TEST(Program, ARunThatWorksEndsWithZeroAndSaysNothingOnStandardError) {
    const Ended run = heddle_run({"run", "gather", "--ctas", "15", "--threads", "32", "--accesses", "2"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find("machine         gtx480, core clock 700 MHz\n"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("gather"), std::string::npos) << run.out;
}

TEST(Program, HelpAndVersionAreOutput) {
    EXPECT_EQ(heddle_run({"--version"}).out, "heddle 0.1.0\n");
    for (const Strings& ask : {Strings{"help"}, Strings{"--help"}, Strings{"-h"}}) {
        const Ended run = heddle_run(ask);
        EXPECT_EQ(run.code, 0);
        EXPECT_NE(run.out.find("explain"), std::string::npos);
    }
    for (const Strings& ask :
         {Strings{"help", "run"}, Strings{"run", "--help"}, Strings{"run", "gather", "-h"}}) {
        const Ended run = heddle_run(ask);
        EXPECT_EQ(run.code, 0);
        EXPECT_NE(run.out.find("Usage: heddle run [OPTIONS] [SOURCE [+ SOURCE]...]"), std::string::npos)
            << run.out;
        EXPECT_NE(run.out.find("--max-instructions N"), std::string::npos) << run.out;
        EXPECT_NE(run.out.find("Without SOURCE the workload bfs runs."), std::string::npos) << run.out;
    }
}

TEST(Program, OptionsMayStandAnywhere) {
    const json first =
        record_of({"run", "-m", "gtx480-wg", "--json", "--ctas", "3", "--threads", "64", "random"});
    for (const Strings& order :
         {Strings{"run", "random", "--json", "--threads=64", "--ctas=3", "-mgtx480-wg"},
          Strings{"run", "--json", "--machine", "gtx480-wg", "random", "--ctas", "3", "--threads", "64"},
          Strings{"--json", "-m", "gtx480-wg", "run", "random", "--ctas", "3", "--threads", "64"}})
        EXPECT_EQ(record_of(order), first);
}

TEST(Program, JsonIsTheRecordAlone) {
    const json r = record_of(tiny({"--json", "--seed", "7"}, "stream"));
    EXPECT_EQ(r["machine"]["name"], "gtx480");
    EXPECT_EQ(r["machine"]["description"]["gpus"]["gpu"]["sms"], 15);
    EXPECT_EQ(r["seed"], 7);
    EXPECT_EQ(r["version"], "0.1.0");
    EXPECT_EQ(r["partial"], false);
    ASSERT_EQ(r["apps"].size(), 1u);
    EXPECT_EQ(r["apps"][0]["kernels"].size(), 1u);
    EXPECT_GT(r["memories"]["gddr5"]["read_bytes"], 0);
    const double ipc =
        r["apps"][0]["thread_instructions"].get<double>() / r["apps"][0]["cycles"].get<double>();
    EXPECT_NEAR(r["apps"][0]["ipc"].get<double>(), ipc, 1e-6);
}

TEST(Program, StallPercentagesOfARunSumToAHundred) {
    const json r = record_of(tiny({"--json"}));
    long per_mille = 0;
    for (const auto& [cause, stall] : r["stalls"].items())
        per_mille += std::lround(stall["percent"].get<double>() * 10);
    EXPECT_EQ(per_mille, 1000);
}

TEST(Program, TwoRunsGiveTheSameRecord) {
    EXPECT_EQ(record_of(tiny({"--json"})), record_of(tiny({"--json"})));
}

TEST(Program, CostIsMeasured) {
    const json s = json::parse(heddle_run(tiny({"--json"})).out)["simulation"];
    EXPECT_GT(s["cpu_seconds"].get<double>(), 0.0);
    EXPECT_LT(s["cpu_seconds"].get<double>(), 60.0);
    EXPECT_GT(s["peak_memory_bytes"].get<long>(), 1 << 20);
}

TEST(Program, StatsChoosesTheCounters) {
    const json all = record_of(tiny({"--json"}))["counters"];
    const json some = record_of(tiny({"--json", "--stats", "gpu.l2."}))["counters"];
    EXPECT_GT(all.size(), some.size());
    EXPECT_FALSE(some.empty());
    for (const auto& [name, counter] : some.items()) {
        EXPECT_TRUE(name.starts_with("gpu.l2."));
        EXPECT_EQ(counter, all[name]);
    }
    EXPECT_NE(heddle_run(tiny({"--stats", "l2.reads"})).out.find("\ncounters\n  gpu.l2.reads"),
              std::string::npos);
    const Ended none = heddle_run(tiny({"--stats", "gpu.l3."}));
    EXPECT_EQ(none.code, 0);
    EXPECT_NE(none.err.find("no counter starts with 'gpu.l3.', did you mean 'gpu.l"), std::string::npos)
        << none.err;
}

TEST(Program, AnInstructionLimitGivesAPartialResult) {
    const json r = record_of({"run", "--json", "--ctas", "64", "--max-instructions", "20k", "stream"});
    EXPECT_EQ(r["partial"], true);
    EXPECT_EQ(r["partial_because"], "instruction limit");
    EXPECT_GE(r["apps"][0]["thread_instructions"], 20'000);
    EXPECT_LT(r["apps"][0]["thread_instructions"], 25'000);
}

/// Waits until a process has a handler for SIGINT.
bool catches_interrupts(pid_t pid) {
    for (int tries = 0; tries < 2000; ++tries) {
        std::ifstream status("/proc/" + std::to_string(pid) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigCgt:") &&
                (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0)
                return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

TEST(Program, AnInterruptionGivesWhatThereIsAnd130) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Started run(
            {"run", "--json", "--accesses", "1000000", "--ctas", "15", "--footprint", "64MiB", "random"});
        ASSERT_TRUE(catches_interrupts(run.pid()));
        kill(run.pid(), signal);
        const Ended end = run.wait();
        EXPECT_EQ(end.code, 130) << end.err;
        EXPECT_EQ(end.err, "");
        const json r = json::parse(end.out);
        EXPECT_EQ(r["partial"], true);
        EXPECT_EQ(r["partial_because"], "interrupted");
    }
}

TEST(Program, AnInterruptedRecordingLeavesNothingBehind) {
    TemporaryFolder folder;
    Started run(
        {"record", "-o", folder.path() + "/out.rec", "--accesses", "1000000", "--ctas", "2000", "gather"});
    ASSERT_TRUE(catches_interrupts(run.pid()));
    kill(run.pid(), SIGINT);
    EXPECT_EQ(run.wait().code, 130);
    EXPECT_NE(rmdir(folder.path().c_str()), -1) << "the folder is not empty";
}

TEST(Program, ARecordingRunsAsItsSourceDoes) {
    TemporaryFolder folder;
    const std::string file = folder.path() + "/small.rec";
    const Strings source{"--ctas", "3", "--threads", "64", "--accesses", "4", "hotset"};
    Strings record{"record", "-o", file}, run{"run", "--json"};
    record.insert(record.end(), source.begin(), source.end());
    run.insert(run.end(), source.begin(), source.end());
    const Ended recorded = heddle_run(record);
    EXPECT_EQ(recorded.code, 0) << recorded.err;
    EXPECT_NE(recorded.out.find("1 kernels, 3 CTAs"), std::string::npos) << recorded.out;
    json direct = record_of(run), replayed = record_of({"run", file, "--json"});
    for (json* r : {&direct, &replayed}) (*r)["apps"][0].erase("name");
    EXPECT_EQ(direct, replayed);
}

TEST(Program, OutputThatCannotBeWrittenIsAnError) {
    const Ended run = Started({"help"}, {}, "/dev/full").wait();
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "heddle: cannot write to standard output: No space left on device\n");
}

TEST(Program, ABareWordIsAPatternAndAPathIsAFile) {
    TemporaryFolder folder;
    folder.write("stream", "not a trace\n");
    Strings run = tiny({}, "stream");
    EXPECT_EQ(heddle_run(run, folder.path()).code, 0);
    for (const Strings& words : {Strings{"run", "./stream"}, Strings{"run", "--", "stream"}}) {
        const Ended file = heddle_run(words, folder.path());
        EXPECT_EQ(file.code, 2);
        EXPECT_NE(file.err.find("stream:1: is text"), std::string::npos) << file.err;
    }
}

TEST(Program, ABareWordIsAPatternAlsoBesideAProgramOfThatName) {
    TemporaryFolder folder;
    std::filesystem::create_symlink(heddle_binary(), folder.path() + "/stream");
    const Ended run = heddle_run(tiny({"--json"}, "stream"), folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["apps"][0]["name"], "pattern:stream");
    // As a path it takes the options for its own.
    EXPECT_NE(heddle_run({"run", "./stream", "--version"}, folder.path()).out.find("heddle"),
              std::string::npos);
}

TEST(Program, AProgramTakesEverythingBehindItAndMustUseTheCudaRuntime) {
    const std::string wanted =
        "heddle: note: '+' after /bin/echo is an argument of that program; to run it beside others, record "
        "it first and give the recording\n"
        "heddle: '/bin/echo' did not use Heddle's CUDA runtime: either it is not a CUDA program, or NVIDIA's "
        "runtime "
        "is linked into it; "
        "compile with heddle cc, or with nvcc -arch=compute_75 -cudart shared\n";
    for (const Strings& before : {Strings{"run"}, Strings{"run", "--"}}) {
        Strings arguments = before;
        arguments.insert(arguments.end(), {"/bin/echo", "--no-such-option", "+", "-m"});
        const Ended run = heddle_run(arguments);
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.out, "--no-such-option + -m\n");
        EXPECT_EQ(run.err, wanted);
    }
}

TEST(Program, WrongCommandLinesAreErrorsThatNameTheNearestRightThing) {
    TemporaryFolder folder;
    folder.write("mytrace.g", "x\n");
    const struct {
        Strings arguments;
        std::string error;
    } cases[] = {
        {{}, "missing COMMAND; 'heddle help' lists the commands"},
        {{"--foo"}, "unknown option '--foo'; 'heddle help' lists the commands"},
        {{"--max_cycles=3"}, "missing COMMAND; 'heddle help' lists the commands"},
        {{"-x"}, "unknown option '-x'; 'heddle help' lists the commands"},
        {{"--versoin"}, "unknown option '--versoin', did you mean '--version'?"},
        {{"-m", "gtx480"}, "missing COMMAND; 'heddle help' lists the commands"},
        {{"rnu"}, "there is no command 'rnu', did you mean 'run'?"},
        {{"help", "exlpain"}, "there is no command 'exlpain', did you mean 'explain'?"},
        {{"run", "gahter"}, "'gahter' is neither a workload nor a file, did you mean 'gather'?"},
        {{"run", "mytrace"}, "'mytrace' is neither a workload nor a file, did you mean 'mytrace.g'?"},
        {{"run", "zzzzzzzz"},
         "'zzzzzzzz' is neither a workload nor a file; possible: bfs, sssp, spmv, sp, bh, cfd, kmeans, nw, "
         "sad, "
         "ss, pvc, pvr, ... (50 in all)"},
        {{"run", "ssp"}, "'ssp' is neither a workload nor a file, did you mean 'sssp'?"},
        {{"run", "--size", "tiny", "bfs"}, "--size: there is no size 'tiny'; possible: small, medium, large"},
        {{"run", "--size", "small", "./mytrace.g"},
         "--size is an option of workloads and synthetic patterns, but './mytrace.g' is a file"},
        {{"run", "bfs", "--stride", "8B"},
         "--stride is an option of synthetic patterns, but 'bfs' is a workload"},
        {{"run", "--jsn"}, "unknown option '--jsn', did you mean '--json'?"},
        {{"run", "--seed"}, "--seed needs a value: --seed N"},
        {{"run", "--seed", "x"}, "--seed x: expected a whole number such as 2000, 500M or 1G"},
        {{"run", "--max-instructions", "5e8"},
         "--max-instructions 5e8: expected a whole number such as 2000, 500M or 1G"},
        {{"run", "-m", "gtx48"}, "there is no machine 'gtx48', did you mean 'gtx480'?"},
        {{"run", "-m", "gtx480", "-m", "qv100"}, "-m is given twice"},
        {{"run", "alu", "stream"}, "'alu stream': join several applications with '+'"},
        {{"run", "./missing", "32", "-q"}, "there is no file './missing'"},
        {{"run", "alu", "+"}, "'alu +': there is no application after '+'"},
        {{"run", "+", "alu"}, "'+ alu': there is no application before '+'"},
        {{"run", "--stride", "8B", "./mytrace.g"},
         "--stride is an option of synthetic patterns, but './mytrace.g' is a file"},
        {{"run", "--plugin", "none.so"}, "plugin 'none.so': no such file"},
        {{"record", "alu"}, "missing -o FILE: where to write the recording"},
        {{"record", "-o", "x.rec"}, "missing SOURCE: give a workload or a file"},
        {{"list"}, "heddle list needs one of: workloads, machines, policies, studies, metrics"},
        {{"list", "machine"}, "there is no list of 'machine', did you mean 'machines'?"},
    };
    for (const auto& c : cases) expect_error(heddle_run(c.arguments, folder.path()), c.error);
}

TEST(Program, WrongValuesOfPatternOptionsNameTheOption) {
    for (const auto& [option, value] :
         std::vector<std::pair<std::string, std::string>>{{"--divergence", "33"},
                                                          {"--footprint", "64"},
                                                          {"--ctas", "0"},
                                                          {"--hot-percent", "101"},
                                                          {"--bytes", "3"}}) {
        const Ended run = heddle_run({"run", option, value, "hotset"});
        EXPECT_EQ(run.code, 2) << option;
        EXPECT_EQ(run.out, "");
        std::string key = option.substr(2);
        std::replace(key.begin(), key.end(), '-', '_');
        EXPECT_NE(run.err.find(key), std::string::npos) << run.err;
    }
}

TEST(Program, ListsShowWhatThereIs) {
    const Ended machines = heddle_run({"list", "machines"});
    EXPECT_EQ(machines.code, 0);
    for (const char* name : {"gtx480 ", "gtx480-wg ", "kepler-its ", "maxwell-mask ", "qv100 ", "h200 "})
        EXPECT_NE(("\n" + machines.out).find(std::string("\n") + name), std::string::npos) << name;
    EXPECT_NE(heddle_run({"list", "policies"}).out.find("dram.scheduler: DRAM scheduler\n"),
              std::string::npos);
    EXPECT_NE(heddle_run({"list", "workloads"}).out.find("  gather "), std::string::npos);
    EXPECT_EQ(heddle_run({"list", "studies"}).code, 0);
}

TEST(Program, ExplainShowsAKeyAndRefusesAnUnknownOneWithTheNearest) {
    const Ended key = heddle_run({"explain", "dram.scheduler"});
    EXPECT_EQ(key.code, 0);
    EXPECT_NE(key.out.find("fr-fcfs"), std::string::npos) << key.out;
    const Ended wrong = heddle_run({"explain", "dram.schedular"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("did you mean"), std::string::npos) << wrong.err;
    EXPECT_NE(heddle_run({"explain"}).out.find("dram.scheduler "), std::string::npos);
    // A word that is near nothing gets no neighbor.
    for (const char* word : {"bfsx", "nosuchkey", ""})
        expect_error(heddle_run({"explain", word}),
                     fmt::format("there is no key or policy '{}'; 'heddle explain' lists them", word));
}

TEST(Program, ExplainOfASchedulerStatesItsBoundByAnyOfItsNames) {
    const Ended one = heddle_run({"explain", "dram.fcfs"});
    EXPECT_NE(one.out.find(
                  "  bound    (Q + 2) R, with writes (Q + 2) (B + 3) R (clocks that a read waits at most;"),
              std::string::npos)
        << one.out;
    EXPECT_EQ(heddle_run({"explain", "dram.scheduler.fcfs"}).out, one.out);
}

TEST(Program, AWrongOptionOfAWorkloadIsAnErrorOfTheCommandLine) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", "bfs", "--nosuch", "3"}, {"run", "bfs", "--vertices", "abc"}}) {
        const Ended run = heddle_run(words);
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_TRUE(run.err.starts_with("bfs: ")) << run.err;
        EXPECT_TRUE(run.err.ends_with("\nheddle: 'heddle explain bfs' lists the options of bfs\n"))
            << run.err;
    }
}

}  // namespace

TEST(Program, AWarpThatFoundTheLoadStoreUnitFullLooksAgain) {
    const Ended run =
        heddle_run({"run", "stream", "--read-percent", "0", "--ctas", "12", "--accesses", "4", "--set",
                    "lsu.queue=1", "--set", "l1.write=back", "--set", "l1.write_allocate=true"});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST(Program, ACarveOutOfTheWholeArrayLeavesL1OneSet) {
    const Ended run = heddle_run({"run", "stream", "--ctas", "4", "--set", "unified=1B"});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST(Program, ARecordingNeverReplacesADevice) {
    const Ended run = heddle_run({"record", "-o", "/dev/null", "gather", "--ctas", "4"});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "heddle: /dev/null: cannot write the recording: not a regular file\n");
}

TEST(Program, RunsSeveralApplicationsEachOnItsSms) {
    const json both = record_of(tiny({"+", "pattern:alu", "--sms", "10,5", "--json"}));
    ASSERT_EQ(both["apps"].size(), 2u);
    EXPECT_EQ(both["apps"][0]["name"], "pattern:gather");
    EXPECT_EQ(both["apps"][0]["sms"], 10);
    EXPECT_EQ(both["apps"][1]["first_sm"], 10);
    EXPECT_EQ(both["apps"][1]["sms"], 5);
    const json equal = record_of(tiny({"+", "alu", "+", "alu", "+", "stream", "--json"}));
    // 15 SMs: the first three have one more than the last.
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(equal["apps"][k]["sms"], k < 3 ? 4 : 3);
    const json alone = record_of(tiny({"+", "alu", "--sms", "10,5", "--alone", "2", "--json"}));
    ASSERT_EQ(alone["apps"].size(), 1u);
    EXPECT_EQ(alone["apps"][0]["name"], "pattern:alu");
    EXPECT_EQ(alone["apps"][0]["first_sm"], 10);
    auto error = [](const Strings& more) { return heddle_run(tiny(more)).err; };
    EXPECT_NE(error({"+", "alu", "--sms", "10"}).find("--sms 10: 1 number for 2 applications"),
              std::string::npos);
    EXPECT_NE(error({"+", "alu", "--sms", "10,6"}).find("the sum exceeds the machine's 15 SMs"),
              std::string::npos);
    EXPECT_NE(error({"+", "alu", "--alone", "3"}).find("--alone 3: there are 2 applications"),
              std::string::npos);
}

TEST(Program, NoProgramIsStartedInVain) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/made";
    auto beside_program = [&](const char* option, const char* value) {
        return heddle_run(
                   {"run", option, value, "pattern:gather,ctas=2,accesses=2", "+", "/usr/bin/touch", file})
            .code;
    };
    EXPECT_EQ(beside_program("--alone", "1"), 0);
    EXPECT_EQ(beside_program("--sms", "10,6"), 2);
    EXPECT_EQ(beside_program("--alone", "3"), 2);
    EXPECT_FALSE(std::filesystem::exists(file));
    beside_program("--alone", "2");
    EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(Program, TrafficThatDrainsAfterTheLastKernelDoesNotExceedThePeak) {
    const json record =
        record_of({"run", "stream", "--json", "--read-percent", "0", "--ctas", "64", "--set",
                   "l2.write=through", "--set", "channels=1", "--set", "dram_queue=4096", "--set",
                   "write_queue=65536", "--set", "write_high=60000", "--set", "write_low=50000"});
    EXPECT_LE(record["memories"]["gddr5"]["utilization"].get<double>(), 1.0);
}

}  // namespace heddle
