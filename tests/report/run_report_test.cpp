#include "report/run_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/sample_record.h"

namespace heddle::report {
namespace {

using nlohmann::json;

config::Node toy_machine() {
    config::Node m = config::Node::section();
    m.add("clock", config::Node::scalar("500MHz"));
    m.add("sms", config::Node::scalar("15", true));
    return m;
}

json parsed(const RunRecord& r, const RunReportOptions& options = {}) {
    return json::parse(run_json(r, toy_machine(), options));
}

bool has_line(const std::string& text, const std::string& wanted) {
    return ("\n" + text).find("\n" + wanted + "\n") != std::string::npos;
}

TEST(RunText, FiguresOfARoundRunStandWithTheirUnits) {
    const std::string text = run_text(sample_record());
    EXPECT_TRUE(has_line(text, "machine         toy, core clock 500 MHz")) << text;
    EXPECT_TRUE(has_line(text, "time            1,000,000 core cycles, 2.000 ms")) << text;
    EXPECT_TRUE(has_line(text, "application     gather: 1 kernel, 64 CTAs")) << text;
    EXPECT_TRUE(has_line(text, "instructions    80,000,000 thread, 2,500,000 warp")) << text;
    EXPECT_TRUE(
        has_line(text, "IPC             80.00 thread instructions, 2.500 warp instructions per cycle"))
        << text;
    EXPECT_TRUE(has_line(text, "  l1  25.0 %  hits of 8,000,000  read sectors")) << text;
    EXPECT_TRUE(has_line(text, "  bandwidth  100.0 GB/s, 50.0 % of 200.0 GB/s peak")) << text;
    EXPECT_TRUE(has_line(text, "  traffic    152.6 MiB read, 38.1 MiB written")) << text;
    EXPECT_TRUE(has_line(text,
                         "  latency   mean 612.3 cycles; 50 % within 500, 90 % within 1,200, 99 % within "
                         "2,400, longest 9,999"))
        << text;
    EXPECT_TRUE(has_line(text, "  requests  mean 31.50 per load after coalescing, at most 32")) << text;
    EXPECT_TRUE(has_line(
        text, "simulation      2,000,000 warp instructions per CPU second (1.25 s), peak memory 48.0 MiB"))
        << text;
}

TEST(RunText, PageWalksStandWithTheirLatencyAndShareOfDram) {
    RunRecord r = sample_record();
    EXPECT_EQ(run_text(r).find("page walks"), std::string::npos);
    const std::pair<const char*, u64> counters[] = {
        {"l1_tlb.misses", 2'000},     {"l1_tlb.stalled_warps", 3'000}, {"l1_tlb.most_stalled_warps", 17},
        {"walks.count", 2'100},       {"walks.ended", 2'000},          {"walks.cycles", 500'000},
        {"walks.busy_cycles", 1'000}, {"walks.over_cycles", 12'500},   {"walks.latency_p50", 240},
        {"walks.latency_p90", 300},   {"walks.latency_p99", 400},      {"walks.latency_max", 987},
        {"walks.reads", 8'000},       {"walks.reads_in_dram", 2'000},
    };
    for (const auto& [name, value] : counters)
        r.counters.push_back({std::string("gpu.translation.") + name, "things", value});
    r.caches.push_back({"l2_tlb", 4'000, 1'000});
    const std::string text = run_text(r);
    EXPECT_TRUE(has_line(text, "page walks")) << text;
    EXPECT_TRUE(
        has_line(text,
                 "  walks        2,100; mean 250.0 cycles; 50 % within 240, 90 % within 300, 99 % within "
                 "400, longest 987"))
        << text;
    EXPECT_TRUE(has_line(text, "  outstanding  mean 12.5 while any are in progress")) << text;
    EXPECT_TRUE(has_line(text, "  warps        mean 1.50 stalled per miss, at most 17")) << text;
    EXPECT_TRUE(has_line(text, "  reads        8,000, 25.0 % of them in DRAM")) << text;
    EXPECT_NE(text.find("hits of 4,000  pages"), std::string::npos) << text;
    // Cut off before any walk has ended.
    RunRecord early = sample_record();
    early.counters.push_back({"gpu.translation.walks.count", "walks", 64});
    EXPECT_TRUE(has_line(run_text(early).substr(0, run_text(early).find(" cycles;") + 8) + "\n",
                         "  walks        64; mean 0.0 cycles;"))
        << run_text(early);
}

TEST(RunText, StallSharesOfThirdsAddUpToAHundredPercent) {
    const std::string text = run_text(sample_record());
    EXPECT_NE(text.find("issue       33.4 %"), std::string::npos) << text;
    EXPECT_NE(text.find("dependency  33.3 %"), std::string::npos) << text;
    EXPECT_NE(text.find("memory      33.3 %"), std::string::npos) << text;
}

TEST(RunText, FitsOneScreen) {
    RunRecord r = sample_record();
    r.stalls.clear();
    for (const char* cause : {"issue", "dependency", "memory", "shared_memory", "barrier", "fence",
                              "cta_wait", "pipe_busy", "lsu_full", "not_selected", "drain"})
        r.stalls.push_back({cause, 5});
    for (u64 pc = 0; pc < 30; ++pc) r.hot_loads.push_back({std::string(300, 'k'), pc, 10, 320, 1000 - pc});
    const std::string text = run_text(r);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 46);
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = text.find('\n', begin);
        EXPECT_LE(end - begin, 120u) << text.substr(begin, end - begin);
        EXPECT_TRUE(end == begin || text[end - 1] != ' ')
            << "space at the end of: " << text.substr(begin, end - begin);
        begin = end + 1;
    }
}

TEST(RunText, WhatDoesNotExistHasNoLine) {
    RunRecord r;
    r.machine_name = "toy";
    EXPECT_EQ(run_text(r), "machine         toy\n");
}

TEST(RunText, APartialResultSaysSo) {
    RunRecord r = sample_record();
    r.partial = true;
    r.partial_because = "interrupted";
    EXPECT_TRUE(has_line(run_text(r), "partial         the run was cut short: interrupted"));
}

TEST(RunText, CountersAreShownWhenAskedFor) {
    EXPECT_EQ(run_text(sample_record()).find("l2.reads"), std::string::npos);
    const std::string text = run_text(sample_record(), {"l2."});
    EXPECT_TRUE(has_line(text, "  l2.reads  6,000,000  lines")) << text;
    EXPECT_EQ(text.find("sm.loads"), std::string::npos);
}

TEST(RunText, SeveralApplicationsStandInATable) {
    RunRecord r = sample_record();
    r.apps.push_back({"alu", 500'000, 1'000'000, 32'000'000, {}});
    r.apps[1].launches = 3;
    r.apps[1].first_sm = 10;
    r.apps[1].sms = 5;
    // 1.25 misses of 1,000 thread instructions; 1,400,000 bytes in 500,000 cycles.
    r.apps[1].counters = {{"l2.misses", "lines", 40'000}, {"dram.read_bytes", "bytes", 1'400'000}};
    const std::string text = run_text(r);
    EXPECT_TRUE(has_line(
        text,
        "gather                 once        1  1,000,000     80,000,000       80.00     2.500     0.00"))
        << text;
    EXPECT_TRUE(has_line(text,
                         "alu          10-14  3 times        0    500,000     32,000,000       64.00     "
                         "2.000     1.25        1.4 GB/s"))
        << text;
}

TEST(RunText, WhatTheDramSchedulerFoundStandsBesideEachApplication) {
    RunRecord r = sample_record();
    r.apps.push_back({"alu", 500'000, 1'000'000, 32'000'000, {}});
    // 40 requests of 16 activates; first in 6 of 8 windows; 4 of them with an estimate, 10 MPKI in all.
    r.apps[1].counters = {
        {"dram.reads", "requests", 30}, {"dram.writes", "requests", 10}, {"dram.activates", "commands", 16}};
    r.apps[1].scheduler_windows = {
        .windows = 8, .first_windows = 6, .window_bytes = 1'000, .mpki_windows = 4, .mpki_sum = 10'000'000};
    r.memories[0].rank_changes = 1'234;
    const std::string text = run_text(r);
    EXPECT_NE(text.find(" 2.50\n"), std::string::npos) << text;
    EXPECT_TRUE(has_line(text, "  alu              75.0 %                 2.500             125.0")) << text;
    EXPECT_TRUE(has_line(text, "  the order of applications changed 1,234 times over all channels")) << text;
    EXPECT_EQ(run_text(sample_record()).find("DRAM scheduler"), std::string::npos);
}

TEST(RunJson, CountersOverTimeAreListsOfOneLength) {
    RunRecord r = sample_record();
    EXPECT_FALSE(parsed(r).contains("timeline"));
    r.timeline = TimelineRecord{100, {100, 205}, {{"read_bytes", {64, 128}}}};
    EXPECT_EQ(parsed(r)["timeline"],
              json::parse(R"({"interval": 100, "cycle": [100, 205], "read_bytes": [64, 128]})"));
}

TEST(RunJson, HoldsWhatTheRecordHolds) {
    const json j = parsed(sample_record());
    EXPECT_EQ(j["version"], "9.9.9");
    EXPECT_EQ(j["seed"], 7);
    EXPECT_EQ(j["partial"], false);
    EXPECT_FALSE(j.contains("partial_because"));
    EXPECT_EQ(j["machine"]["name"], "toy");
    EXPECT_EQ(j["machine"]["description"]["sms"], 15);
    EXPECT_EQ(j["machine"]["description"]["clock"], "500MHz");
    const json& app = j["apps"][0];
    EXPECT_EQ(app["name"], "gather");
    EXPECT_EQ(app["cycles"], 1'000'000);
    EXPECT_EQ(app["ipc"], 80.0);
    EXPECT_EQ(app["warp_ipc"], 2.5);
    EXPECT_EQ(app["kernels"][0]["ctas"], 64);
    const json& m = j["memories"]["gddr5"];
    EXPECT_EQ(m["read_bytes"], 160'000'000);
    EXPECT_EQ(m["row_conflicts"], 1'000'000);
    EXPECT_EQ(m["utilization"], 0.5);
    EXPECT_EQ(j["caches"]["l1"]["hit_rate"], 0.25);
    EXPECT_EQ(j["load_latency_cycles"]["mean"], 612.345);
    EXPECT_EQ(j["hot_loads"][0]["pc"], 0x48);
    EXPECT_EQ(j["counters"]["sm.loads"]["value"], 1000);
    EXPECT_EQ(j["counters"]["sm.loads"]["unit"], "warp instructions");
    EXPECT_EQ(j["simulation"]["cpu_seconds"], 1.25);
    EXPECT_EQ(j["simulation"]["warp_instructions_per_cpu_second"], 2'000'000);
    EXPECT_EQ(j["simulation"]["peak_memory_bytes"], 48 * 1024 * 1024);
}

TEST(RunJson, StallPercentagesSumToExactlyAHundred) {
    const json j = parsed(sample_record());
    int per_mille = 0;
    for (const auto& [cause, stall] : j["stalls"].items())
        per_mille += static_cast<int>(stall["percent"].get<double>() * 10 + 0.5);
    EXPECT_EQ(per_mille, 1000);
    EXPECT_EQ(j["stalls"]["barrier"]["warp_cycles"], 0);
}

TEST(RunJson, CountersCanBeFiltered) {
    const json j = parsed(sample_record(), {"l2."});
    EXPECT_EQ(j["counters"].size(), 1u);
    EXPECT_TRUE(j["counters"].contains("l2.reads"));
    EXPECT_TRUE(parsed(sample_record(), {"no"})["counters"].empty());
    EXPECT_TRUE(parsed(sample_record(), {"reads"})["counters"].contains("l2.reads"))
        << "after a dot it counts too";
    EXPECT_TRUE(parsed(sample_record(), {"eads"})["counters"].empty());
}

TEST(RunJson, OnlySimulationDependsOnTheRunsCost) {
    RunRecord slow = sample_record();
    slow.simulation = {99'000'000, 1};
    json a = parsed(sample_record()), b = parsed(slow);
    EXPECT_NE(a, b);
    a.erase("simulation");
    b.erase("simulation");
    EXPECT_EQ(a, b);
}

TEST(RunJson, AnyBytesInANameGiveValidJson) {
    RunRecord r = sample_record();
    std::string bytes;
    for (int c = 1; c < 256; ++c) bytes += static_cast<char>(c);
    r.apps[0].name = bytes;
    r.apps[0].kernels[0].name = "\xe2\x82\xac \xf0\x9f\x98\x80 \xed\xa0\x80 \xe2\x82";
    const json j = parsed(r);
    EXPECT_EQ(j["apps"][0]["name"].get<std::string>().substr(0, 127), bytes.substr(0, 127));
    EXPECT_EQ(j["apps"][0]["kernels"][0]["name"],
              "\xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd");
}

TEST(RunJson, AnEmptyRecordIsValidToo) {
    const json j = parsed(RunRecord{});
    EXPECT_TRUE(j["apps"].empty());
    EXPECT_FALSE(j.contains("load_latency_cycles"));
    EXPECT_FALSE(j["simulation"].contains("warp_instructions_per_cpu_second"));
}

TEST(Counters, APrefixThatMatchesNothingIsToldWithTheNearest) {
    EXPECT_EQ(unmatched_counters(sample_record(), "l2."), "");
    EXPECT_EQ(unmatched_counters(sample_record(), "reads"), "");
    EXPECT_EQ(unmatched_counters(sample_record(), "sm.load_"),
              "no counter starts with 'sm.load_', did you mean 'sm.loads'?");
}

}  // namespace
}  // namespace heddle::report
