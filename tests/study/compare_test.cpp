// heddle compare and heddle results as a user runs them.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "built.h"
#include "cli/program.h"
#include "cli/shell.h"
#include "sim/text.h"
#include "study/store.h"

namespace heddle::study {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;
using namespace std::chrono_literals;

/// Nine runs; of `ctas` 4 each takes a tenth of a second or more.
Strings nine_runs(const TemporaryFolder& folder, const Strings& more = {}, const char* ctas = "1") {
    return with({"compare", "gather", "random", "hotset", "--set", "dram.scheduler=fr-fcfs,fcfs,par-bs",
                 "--ctas", ctas, "--footprint", "1MiB", "--json", "--store", folder.path() + "/s.db"},
                more);
}

std::size_t stored(const TemporaryFolder& folder) {
    const std::string path = folder.path() + "/s.db";
    if (access(path.c_str(), F_OK) != 0) return 0;
    std::size_t n = 0;
    try {
        Store store(path, Store::Open::read);
        store.each({}, false, [&](const StoredRun&) { ++n; });
    } catch (const std::exception&) {
        return 0;  // it is being made
    }
    return n;
}

std::vector<pid_t> children(pid_t parent) {
    std::ifstream in("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
    std::vector<pid_t> out;
    for (pid_t pid = 0; in >> pid;) out.push_back(pid);
    return out;
}

template <class Condition>
bool wait_for(Condition condition) {
    for (int k = 0; k < 4000; ++k) {
        if (condition()) return true;
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

bool runs(pid_t pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return in >> number >> name >> state && state != "Z";
}

/// The figures without what says where they come from.
json figures(const std::string& out) {
    json all = json::parse(out);
    all.erase("runs");
    return all;
}

TEST(Results, EveryExportIsUtf8WhateverPathsAreCalled) {
    const TemporaryFolder folder;
    // A machine and a recording by names that no file format expects.
    const std::string odd = "\xff\"x,\n\x1b[31m";
    // A comma divides machines.
    const std::string machine = "./\xff\"x\n\x1b[31m.yaml";
    folder.write(machine, "extends: gtx480\n");
    ASSERT_EQ(heddle_run({"record", "alu", "--ctas", "1", "-o", "./" + odd + ".hdl"}, folder.path()).code, 0);
    const Strings command{"compare", "./" + odd + ".hdl", "-m", machine, "--store", "s.db"};
    const Ended text = heddle_run(with(command, {"--html", "page.html"}), folder.path());
    ASSERT_EQ(text.code, 0) << text.err;
    auto is_utf8 = [](const std::string& bytes) {
        return json::accept(json(bytes).dump(-1, ' ', false, json::error_handler_t::ignore)) &&
               valid_utf8(bytes) == bytes;
    };
    EXPECT_TRUE(is_utf8(text.out)) << text.out;
    EXPECT_EQ(text.out.find('\x1b'), std::string::npos);
    EXPECT_TRUE(is_utf8(folder.read("page.html")));
    for (const Strings& how : {Strings{"--json"}, Strings{"--csv"}}) {
        const std::string out = heddle_run(with(command, how), folder.path()).out;
        EXPECT_TRUE(is_utf8(out)) << out;
        if (how.front() == "--json") {
            EXPECT_TRUE(json::accept(out)) << out;
        }
    }
    for (const Strings& how : {Strings{"results", "export", "--json"}, Strings{"results", "list", "--json"},
                               Strings{"results", "export"}, Strings{"results"}}) {
        const Ended run = heddle_run(with(how, {"--store", "s.db"}), folder.path());
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_TRUE(is_utf8(run.out)) << run.out;
        if (how.back() == "--json") {
            ASSERT_TRUE(json::accept(run.out)) << run.out;
            EXPECT_EQ(json::parse(run.out).size(), 1u);
        }
    }
    for (const char* command : {"run", "compare"}) {
        // Names in messages neither act on the terminal nor are anything but UTF-8.
        const Ended run = heddle_run({command, "./none" + odd}, folder.path());
        EXPECT_EQ(run.code, 2);
        EXPECT_TRUE(is_utf8(run.err)) << run.err;
        EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << run.err;
    }
}

TEST(Compare, AReadOnlyStoreServesWhatItHasAndMakesTheRest) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/s.db",
                      program = heddle_binary() + " compare alu --ctas 1 --csv --store " + store;
    const Ended first = shell_run(program);
    ASSERT_EQ(first.code, 0) << first.err;
    ASSERT_EQ(shell_run("chmod 0555 " + folder.path() + "; chmod 0444 " + store + "*").code, 0);
    const Ended served = shell_run(program, true);
    EXPECT_EQ(served.code, 0) << served.err;
    EXPECT_EQ(served.out, first.out);
    EXPECT_EQ(served.err,
              "heddle: note: the store " + store + " is read-only: missing runs are made but not kept\n");
    const Ended more = shell_run(program + " --set gpu.sms=4", true);
    EXPECT_EQ(more.code, 0) << more.err;
    EXPECT_EQ(stored(folder), 1u);
    const Ended removed = shell_run(heddle_binary() + " results delete --all --store " + store, true);
    EXPECT_EQ(removed.code, 2);
    EXPECT_NE(removed.err.find("is read-only"), std::string::npos) << removed.err;
    ASSERT_EQ(shell_run("chmod 0755 " + folder.path()).code, 0);
}

TEST(Compare, SettingsOfAPolicyThatADesignChoosesMakeRunsOfTheirOwn) {
    TemporaryFolder folder;
    const Ended run = heddle_run({"compare", "gather", "-m", "maxwell-mask", "--set",
                                  "translation.design=mask", "--set", "tokens.initial=0.1,0.9", "--ctas", "1",
                                  "--accesses", "1", "--store", folder.path() + "/s.db"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(stored(folder), 2u);
}

TEST(Compare, FindsEveryRunAgainAndGivesTheSameFigures) {
    const TemporaryFolder folder;
    const Ended first = heddle_run(nine_runs(folder, {"-j", "2"}));
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(stored(folder), 9u);
    const auto before = std::chrono::steady_clock::now();
    const Ended again = heddle_run(nine_runs(folder));
    EXPECT_LT(std::chrono::steady_clock::now() - before, 5s);
    const json a = json::parse(first.out), b = json::parse(again.out);
    EXPECT_EQ(figures(first.out), figures(again.out));
    for (const json& run : a["runs"]) EXPECT_FALSE(run["from_store"]);
    for (const json& run : b["runs"]) EXPECT_TRUE(run["from_store"]);
    EXPECT_EQ(a["baseline"], "fr-fcfs");
    for (const json& w : a["workloads"]) EXPECT_EQ(a["metrics"][0]["ratios"][w["name"]]["fr-fcfs"], 1.0);
}

TEST(Compare, GivesWhatSingleRunsGive) {
    const TemporaryFolder folder;
    const json all = figures(heddle_run(nine_runs(folder, {"--metric", "cycles,l2.reads,l2.reads.1"})).out);
    const json one = json::parse(heddle_run({"run", "random", "--ctas", "1", "--footprint", "1MiB", "--json",
                                             "--set", "dram.scheduler=fcfs"})
                                     .out);
    EXPECT_EQ(all["metrics"][0]["values"]["random"]["fcfs"], one["cycles"]);
    EXPECT_EQ(all["metrics"][1]["values"]["random"]["fcfs"], one["counters"]["gpu.l2.reads"]["value"]);
    EXPECT_EQ(all["metrics"][2]["values"]["random"]["fcfs"], one["apps"][0]["counters"]["l2.reads"]["value"]);
}

TEST(Compare, ComputesTheMetricsOfSeveralApplicationsFromRunsTogetherAndAlone) {
    const TemporaryFolder folder;
    const Strings apps{"gather", "+", "stream", "--ctas", "1", "--footprint", "1MiB", "--sms", "10,5"};
    const Ended compared = heddle_run(with({"compare", "--store", folder.path() + "/s.db", "--json",
                                            "--metric", "it,ws,hs,antt,unfairness,slowdown.2"},
                                           apps));
    ASSERT_EQ(compared.code, 0) << compared.err;
    const json c = json::parse(compared.out);
    EXPECT_EQ(c["runs"].size(), 3u);
    double together[2], alone[2];
    const json both = json::parse(heddle_run(with({"run", "--json"}, apps)).out);
    auto ipc = [](const json& app) {
        return app["thread_instructions"].get<double>() / app["cycles"].get<double>();
    };
    for (std::size_t k = 0; k < 2; ++k) {
        together[k] = ipc(both["apps"][k]);
        const json own =
            json::parse(heddle_run(with({"run", "--json", "--alone", std::to_string(k + 1)}, apps)).out);
        alone[k] = ipc(own["apps"][0]);
    }
    const double s1 = alone[0] / together[0], s2 = alone[1] / together[1];
    const double expected[] = {
        together[0] + together[1], 1 / s1 + 1 / s2, 1 / (s1 + s2), s1 + s2, std::max(s1, s2), s2};
    for (std::size_t m = 0; m < 6; ++m)
        EXPECT_NEAR(c["metrics"][m]["values"]["gather + stream"]["gtx480"].get<double>(), expected[m], 1e-9)
            << c["metrics"][m]["name"];
}

TEST(Compare, KilledInTheMiddleGoesOnWhereItStopped) {
    const TemporaryFolder folder, whole;
    Started command(nine_runs(folder, {"-j", "2"}, "4"));
    ASSERT_TRUE(wait_for([&] { return stored(folder) >= 3; }));
    const std::vector<pid_t> workers = children(command.pid());
    kill(command.pid(), SIGKILL);
    EXPECT_EQ(command.wait().code, -1);
    // Its workers end with it, and what had finished is there.
    for (const pid_t worker : workers) EXPECT_TRUE(wait_for([worker] { return !runs(worker); }));
    const std::size_t kept = stored(folder);
    EXPECT_GE(kept, 3u);
    EXPECT_LT(kept, 9u);
    const Ended again = heddle_run(nine_runs(folder, {"-j", "2"}, "4"));
    ASSERT_EQ(again.code, 0) << again.err;
    std::set<std::string> seen;
    std::size_t found = 0;
    const json rest = json::parse(again.out);
    for (const json& run : rest["runs"]) {
        found += run["from_store"].get<bool>();
        EXPECT_TRUE(seen.insert(run["key"]).second);
    }
    EXPECT_EQ(found, kept);
    EXPECT_EQ(stored(folder), 9u);
    EXPECT_EQ(figures(again.out), figures(heddle_run(nine_runs(whole, {"-j", "2"}, "4")).out));
}

TEST(Compare, MakesARunAgainWhoseWorkerWasKilled) {
    const TemporaryFolder folder;
    Started command(nine_runs(folder, {"-j", "2"}, "4"));
    std::vector<pid_t> workers;
    ASSERT_TRUE(wait_for([&] {
        if (stored(folder) == 0) return false;
        workers = children(command.pid());
        return !workers.empty();
    }));
    kill(workers.front(), SIGKILL);
    const Ended end = command.wait();
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(stored(folder), 9u);
    EXPECT_EQ(json::parse(end.out)["metrics"][0]["geometric_mean"].size(), 3u);
}

TEST(Compare, GoesOnAsTheProgramThatItWasStartedAs) {
    const TemporaryFolder folder;
    const std::string copy = folder.path() + "/heddle";
    std::filesystem::copy_file(heddle_binary(), copy);
    Started command(nine_runs(folder, {"-j", "1"}, "4"), {}, {}, copy);
    ASSERT_TRUE(wait_for([&] { return stored(folder) >= 1; }));
    // As a build or an installation does.
    std::filesystem::rename(folder.write("new", "another program\n"), copy);
    const Ended end = command.wait();
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(stored(folder), 9u);
}

TEST(Compare, TellsRunsOfAProgramApartByWhatItReadsAndWhatExecutesIt) {
    const TemporaryFolder folder;
    const std::string copy = folder.path() + "/heddle";
    std::filesystem::copy_file(heddle_binary(), copy);
    auto key = [&](const Strings& arguments) -> std::string {
        const Ended end =
            Started(with({"compare", "--json", "--store", folder.path() + "/s.db", "/bin/true"}, arguments),
                    folder.path(), {}, copy)
                .wait();
        return json::parse(end.out)["runs"][0]["key"];
    };
    std::set<std::string> keys;
    for (const char* input : {"graph", "another graph"})
        for (const char* runtime : {"runtime", "another runtime"}) {
            folder.write("in.txt", input);
            folder.write("libcudart.so.12", runtime);
            for (const Strings& arguments :
                 {Strings{"in.txt"}, Strings{"--graph=in.txt"}, Strings{"--graph", "in.txt"}}) {
                const std::string first = key(arguments);
                EXPECT_TRUE(keys.insert(first).second) << arguments.front();
                EXPECT_EQ(key(arguments), first);
            }
        }
    EXPECT_NE(key({"a", "b"}), key({"a b"}));
}

TEST(Compare, InterruptedSaysHowFarItCame) {
    const TemporaryFolder folder;
    Started command(nine_runs(folder, {"-j", "1"}, "4"));
    ASSERT_TRUE(wait_for([&] { return stored(folder) >= 1; }));
    kill(command.pid(), SIGINT);
    const Ended end = command.wait();
    EXPECT_EQ(end.code, 130);
    EXPECT_NE(end.err.find(" of 9 runs are in "), std::string::npos) << end.err;
    EXPECT_EQ(end.out, "");
}

TEST(Compare, TwoAtOnceOnOneStoreGiveTheSame) {
    const TemporaryFolder folder;
    Started a(nine_runs(folder, {"-j", "1"})), b(nine_runs(folder, {"-j", "1"}));
    const Ended first = a.wait(), second = b.wait();
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(figures(first.out), figures(second.out));
    EXPECT_EQ(stored(folder), 9u);
}

TEST(Compare, PrintsAnAlignedTableWithTheBestOfEachRowMarked) {
    const TemporaryFolder folder;
    Strings words = nine_runs(folder);
    words.erase(std::find(words.begin(), words.end(), "--json"));
    const Ended table = heddle_run(with(words, {"--baseline", "fcfs"}));
    ASSERT_EQ(table.code, 0) << table.err;
    EXPECT_NE(table.out.find("relative to fcfs, best marked *"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("\n  geometric mean"), std::string::npos);
    EXPECT_NE(table.out.find("1.000*"), std::string::npos);
    const Ended csv = heddle_run(with(words, {"--csv"}));
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 10);
    EXPECT_TRUE(csv.out.starts_with("workload,variant,metric,unit,value,ratio\n"));
}

TEST(Compare, RefusesBeforeAnythingRuns) {
    const TemporaryFolder folder;
    auto error = [&](const Strings& words) {
        const Ended end = heddle_run(with({"compare", "--store", folder.path() + "/s.db"}, words));
        EXPECT_EQ(end.code, 2);
        EXPECT_EQ(stored(folder), 0u);
        return end.err;
    };
    EXPECT_NE(error({"gather", "--metric", "ipd"}).find("there is no metric 'ipd', did you mean 'ipc'?"),
              std::string::npos);
    EXPECT_NE(error({"gather", "--metric", "read_hits"})
                  .find("is ambiguous: gpu.sm.l1.read_hits or gpu.l2.read_hits"),
              std::string::npos);
    EXPECT_NE(error({"gather", "--set", "dram.scheduler=fcfs,nonsense"}).find("nonsense"), std::string::npos);
    EXPECT_NE(error({"gather", "--set", "dram.scheduler=fcfs,fr-fcfs", "--baseline", "fr-fcf"})
                  .find("did you mean 'fr-fcfs'"),
              std::string::npos);
    EXPECT_NE(error({"gathr"}).find("gather"), std::string::npos);
    EXPECT_NE(error({"gather", "--timeline", "0"}).find("--timeline: 0 cycles"), std::string::npos);
    EXPECT_NE(error({"gather", "--metric", "ipc.2"}).find("metric 'ipc.2': there is 1 application"),
              std::string::npos);
    EXPECT_NE(error({"gather", "+"}).find("there is no application after '+'"), std::string::npos);
    const std::string page = folder.path() + "/none/page.html";
    EXPECT_EQ(error({"gather", "--html", page}),
              "heddle: " + page + ": cannot write the page: No such file or directory\n");
    EXPECT_EQ(error({"gather", "--html", folder.path()}),
              "heddle: " + folder.path() + ": cannot write the page: not a regular file\n");
    EXPECT_NE(error({"gather", "--set", "dram.scheduler=fcfs,fcfs"}).find("fcfs appears twice"),
              std::string::npos);
}

TEST(Compare, ACounterThatOnlyOneVariantHasIsAMetric) {
    TemporaryFolder folder;
    const auto r =
        heddle_run({"compare", "gather", "--set", "dram.scheduler=fr-fcfs,mask", "--ctas", "1", "--footprint",
                    "1MiB", "--metric", "scheduler.turns", "--store", folder.path() + "/s.db"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_NE(r.out.find("gddr5.scheduler.turns"), std::string::npos) << r.out;
}

TEST(Compare, SaysWhyAMetricHasNoValue) {
    const TemporaryFolder folder;
    const Ended one =
        heddle_run({"compare", "alu", "--ctas", "1", "--metric", "ws", "--store", folder.path() + "/s.db"});
    EXPECT_NE(one.out.find("  -: no ws: it needs several applications that execute instructions\n"),
              std::string::npos)
        << one.out;
    const Ended r = heddle_run(
        {"compare", "alu", "--ctas", "1", "--metric", "l2_tlb.hit_rate", "--store", folder.path() + "/s.db"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_NE(
        r.out.find("  -: no l2_tlb.hit_rate: the machine lacks the part or its data, or nothing used it\n"),
        std::string::npos)
        << r.out;
}

TEST(Compare, GoesOnWhenARunFailsAndSaysWhich) {
    const TemporaryFolder folder;
    // A CTA of 256 threads does not fit an SM of 128.
    const Ended end = heddle_run({"compare", "stream", "--ctas", "2", "--accesses", "2", "--set",
                                  "sm.threads=1536,128", "--store", folder.path() + "/s.db"});
    EXPECT_EQ(end.code, 1);
    EXPECT_NE(end.err.find("heddle: stream on 128 failed: "), std::string::npos) << end.err;
    EXPECT_NE(end.err.find("256 threads"), std::string::npos) << end.err;
    EXPECT_EQ(stored(folder), 1u);
    EXPECT_NE(end.out.find("stream"), std::string::npos);
}

TEST(Results, ShowAMetricWhereARunHasIt) {
    const TemporaryFolder folder;
    const std::string db = folder.path() + "/s.db";
    heddle_run({"compare", "stream", "gather", "+", "alu", "--ctas", "1", "--store", db});
    auto list = [&](const char* metrics) {
        return heddle_run({"results", "--store", db, "--json", "--metric", metrics});
    };
    const Ended both = list("ipc.2,l2.reads.2,cycles");
    ASSERT_EQ(both.code, 0) << both.err;
    for (const json& run : json::parse(both.out)) {
        const bool pair =
            run["workload"].get<std::string>().find('+') != std::string::npos && run["alone"] == 0;
        EXPECT_EQ(run.contains("ipc.2"), pair);
        EXPECT_EQ(run.contains("l2.reads.2"), pair);
        EXPECT_TRUE(run.contains("cycles"));
    }
    EXPECT_NE(list("cyclse").err.find("there is no metric 'cyclse', did you mean 'cycles'?"),
              std::string::npos);
    EXPECT_EQ(list("ipc.3").code, 2);
}

TEST(Results, ListsFiltersExportsAndDeletes) {
    const TemporaryFolder folder;
    const std::string db = folder.path() + "/s.db";
    heddle_run(nine_runs(folder));
    auto results = [&](const Strings& words) { return heddle_run(with({"results", "--store", db}, words)); };
    EXPECT_NE(results({}).out.find("9 runs in "), std::string::npos);
    EXPECT_NE(results({"--set", "scheduler=fcfs"}).out.find("3 runs in "), std::string::npos);
    const json list =
        json::parse(results({"list", "--json", "--workload", "gather", "--metric", "cycles"}).out);
    ASSERT_EQ(list.size(), 3u);
    EXPECT_GT(list[0]["cycles"], 0);
    const std::string key = list[0]["key"];
    EXPECT_EQ(json::parse(results({"show", key}).out)["cycles"], list[0]["cycles"]);
    const std::string csv = results({"export"}).out;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 10);
    EXPECT_EQ(json::parse(results({"export", "--json"}).out).size(), 9u);
    EXPECT_EQ(results({"delete"}).code, 2);
    EXPECT_EQ(results({"delete", key}).out, "1 run deleted\n");
    EXPECT_EQ(results({"delete", "--workload", "gather"}).out, "2 runs deleted\n");
    EXPECT_EQ(stored(folder), 6u);
    EXPECT_EQ(results({"delete", "--all"}).out, "6 runs deleted\n");
    EXPECT_EQ(results({"delete", "--older-than", "x"}).code, 2);
    EXPECT_EQ(results({"show", "xyz"}).code, 2);
}

}  // namespace
}  // namespace heddle::study
