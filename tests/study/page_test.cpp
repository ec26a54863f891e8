// The HTML page: what is in its data, and what it shows without JavaScript. cmake/report_test.py opens it in a browser.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "sim/types.h"
#include "study/page_kernels.h"

namespace heddle::study {
namespace {

using nlohmann::ordered_json;

std::string between(const std::string& page, const std::string& begin, const std::string& end) {
    const std::size_t from = page.find(begin) + begin.size();
    return page.substr(from, page.find(end, from) - from);
}

TEST(Page, HasTheComparisonsDataItsRunsAndTheTablesOfTheTerminal) {
    const TemporaryFolder folder;
    const std::vector<std::string> words{
        "compare",  "gather",     "alu",     "--ctas", "1",          "--set", "dram.scheduler=fr-fcfs,fcfs",
        "--metric", "cycles,ipc", "--seeds", "1-2",    "--timeline", "500",   "--store",
        "s.db"};
    const Ended text = heddle_run(with(words, {"--html", "p.html"}), folder.path());
    ASSERT_EQ(text.code, 0) << text.err;
    const std::string page = folder.read("p.html");
    const ordered_json data = ordered_json::parse(between(page, "id=\"data\">", "</script"));
    ordered_json json = ordered_json::parse(heddle_run(with(words, {"--json"}), folder.path()).out),
                 page_json = data["comparison"];
    json.erase("runs");
    page_json.erase("runs");
    EXPECT_EQ(page_json, json);
    // Those with the first seed.
    ASSERT_EQ(data["runs"].size(), 4u);
    const ordered_json& run = data["runs"][0];
    const ordered_json one = ordered_json::parse(
        heddle_run({"run", "gather", "--ctas", "1", "--seed", "1", "--timeline", "500", "--json"}).out);
    for (const char* key : {"cycles", "timeline", "caches", "stalls"}) EXPECT_EQ(run[key], one[key]) << key;
    u64 read = 0;
    for (const ordered_json& memory : one["memories"]) read += memory["read_bytes"].get<u64>();
    EXPECT_DOUBLE_EQ(
        run["dram_bandwidth"]["read"].get<double>(),
        static_cast<double>(read) * one["core_hz"].get<double>() / 1e9 / one["cycles"].get<double>());
    EXPECT_EQ(run["bandwidth_over_time"].size(), one["timeline"]["cycle"].size());
    const ordered_json& kernel = one["apps"][0]["kernels"][0];
    ASSERT_EQ(run["kernels"].size(), 1u);
    EXPECT_EQ(run["kernels"][0]["cycles"], kernel["cycles"]);
    EXPECT_NEAR(run["kernels"][0]["row_hit_rate"].get<double>(),
                kernel["memory"]["row_hit_rate"].get<double>(), 1e-6);
    EXPECT_FALSE(data["runs"][2]["kernels"][0].contains("load_latency"));
    // Without JavaScript.
    std::string plain = between(page, "<noscript>", "</noscript>");
    EXPECT_NE(plain.find("cycles relative to fr-fcfs, best marked *; mean of 2 seeds ± 95 % confidence\n"),
              std::string::npos)
        << plain;
    // Chart.js is in the page, and nothing is left to be filled in.
    EXPECT_NE(page.find("Chart.js v"), std::string::npos);
    for (const char* mark : {"@TITLE@", "@STYLE@", "@TEXT@", "@DATA@", "@CHARTS@", "@SCRIPT@"})
        EXPECT_EQ(page.find(mark), std::string::npos) << mark;
}

ordered_json launch(const std::string& name, u64 cycles, const ordered_json& memory) {
    return {{"name", name}, {"cycles", cycles}, {"memory", memory}};
}

TEST(PageKernels, AddUpTheLaunchesOfAName) {
    const ordered_json a{{"l1_read_sectors", 10},
                         {"l1_read_sector_hits", 9},
                         {"row_hits", 3},
                         {"row_conflicts", 1},
                         {"dram_read_bytes", 3000},
                         {"loads", 4},
                         {"load_latency_cycles", 400},
                         {"l1_hit_rate", 0.9},
                         {"warp_cycles", {{"issue", 25}, {"memory", 75}}}},
        b{{"shared", true},
          {"l1_read_sectors", 30},
          {"l1_read_sector_hits", 1},
          {"row_misses", 4},
          {"dram_write_bytes", 1000},
          {"loads", 1},
          {"load_latency_cycles", 200},
          {"warp_cycles", {{"memory", 100}}}},
        nothing{{"warp_cycles", ordered_json::object()}};
    const ordered_json record{
        {"core_hz", 1'000'000'000},
        {"apps",
         {{{"name", "one"},
           {"kernels", {launch("f", 100, a), launch("g", 50, nothing), launch("f", 300, b)}}}}}};
    const ordered_json kernels = page_kernels(record);
    ASSERT_EQ(kernels.size(), 2u);
    const ordered_json& f = kernels[0];
    EXPECT_EQ(f["name"], "f");
    EXPECT_EQ(f["launches"], 2);
    EXPECT_EQ(f["cycles"], 400);
    EXPECT_EQ(f["l1_hit_rate"], 10.0 / 40);
    EXPECT_EQ(f["row_hit_rate"], 3.0 / 8);
    EXPECT_EQ(f["dram_bytes"], 4000);
    EXPECT_EQ(f["dram_bandwidth"], 10);  // 4000 bytes in 400 ns
    EXPECT_EQ(f["load_latency"], 120);
    EXPECT_EQ(f["memory_waits"], 175.0 / 200);
    EXPECT_EQ(f["shared"], true);
    EXPECT_FALSE(f.contains("l2_hit_rate"));
    EXPECT_EQ(kernels[1],
              (ordered_json{
                  {"name", "g"}, {"launches", 1}, {"cycles", 50}, {"dram_bytes", 0}, {"dram_bandwidth", 0}}));
}

TEST(PageKernels, AreTheLongestOfEachApplicationAndAllOthersTogether) {
    const ordered_json memory{{"warp_cycles", ordered_json::object()}};
    ordered_json many = ordered_json::array();
    for (u64 k = 1; k <= 23; ++k) many.push_back(launch("k" + std::to_string(k), k * 10, memory));
    const ordered_json record{
        {"core_hz", 1000},
        {"apps",
         {{{"name", "one"}, {"kernels", many}}, {{"name", "two"}, {"kernels", {launch("k1", 5, memory)}}}}}};
    const ordered_json kernels = page_kernels(record);
    ASSERT_EQ(kernels.size(), 21u);
    EXPECT_EQ(kernels[0]["name"], "one: k23");
    EXPECT_EQ(kernels[20]["name"], "4 others");
    EXPECT_EQ(kernels[20]["launches"], 4);
    EXPECT_EQ(kernels[20]["cycles"], 10 + 20 + 30 + 5);
}

}  // namespace
}  // namespace heddle::study
