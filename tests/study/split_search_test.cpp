// SMs divided among applications by search.

#include "study/split_search.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "cli/program.h"
#include "sim/error.h"

namespace heddle::study {
namespace {

using nlohmann::json;
using Divisions = std::vector<std::vector<u32>>;

TEST(SplitSearch, TriesEqualPartsAndThenSixths) {
    EXPECT_EQ(divisions(30, 2), (Divisions{{15, 15}, {5, 25}, {10, 20}, {20, 10}, {25, 5}}));
    EXPECT_EQ(divisions(7, 2), (Divisions{{4, 3}, {1, 6}, {2, 5}, {3, 4}, {5, 2}}));
    EXPECT_EQ(divisions(2, 2), (Divisions{{1, 1}}));
    EXPECT_EQ(divisions(8, 8), (Divisions{std::vector<u32>(8, 1)}));
    EXPECT_THROW(divisions(2, 3), InputError);
    // Five ends out of six places less one: C(5, n - 1), and equal parts where they are none of them.
    const std::pair<u32, std::size_t> counts[] = {{1, 1}, {2, 5}, {3, 10}, {4, 11}, {5, 6}, {6, 1}};
    for (const auto& [apps, count] : counts) {
        const Divisions all = divisions(30, apps);
        EXPECT_EQ(all.size(), count) << apps;
        EXPECT_EQ(std::set<std::vector<u32>>(all.begin(), all.end()).size(), all.size());
        for (const std::vector<u32>& d : all) {
            EXPECT_EQ(std::accumulate(d.begin(), d.end(), 0u), 30u);
            EXPECT_EQ(std::count(d.begin(), d.end(), 0u), 0);
        }
    }
}

constexpr const char* kSearched = R"yaml(machine: gtx480
sms: search
workloads:
  - {name: pair, run: "pattern:gather,ctas=30,accesses=2,footprint=4MiB + pattern:stream,ctas=15,accesses=8"}
  - pattern:alu,ctas=1,accesses=1
variants:
  fr-fcfs: dram.scheduler=fr-fcfs
  fcfs: dram.scheduler=fcfs
metrics: [ws]
)yaml";

TEST(SplitSearch, TakesTheBestOfAllForEveryVariantAndTheStoreKeepsThem) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", kSearched);
    const std::vector<std::string> search{"study", "./mine.yaml", "--store", "s.db", "--json"};
    const Ended run = heddle_run(search, folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
    const json found = json::parse(run.out)["comparison"];
    const std::vector<u32> chosen = found["workloads"][0]["sms"];
    EXPECT_FALSE(found["workloads"][1].contains("sms"));

    // By hand: each division given in the file. gtx480 has 15 SMs.
    double best = 0, equal = 0, other = 0;
    std::vector<u32> expected;
    for (const char* sms : {"8, 7", "2, 13", "5, 10", "7, 8", "10, 5", "12, 3"}) {
        std::string text = kSearched;
        text.replace(text.find("search"), 6, std::string("[") + sms + "]");
        folder.write("one.yaml", text);
        const Ended one = heddle_run({"study", "./one.yaml", "--store", "s.db", "--json"}, folder.path());
        ASSERT_EQ(one.code, 0) << one.err;
        const json c = json::parse(one.out)["comparison"];
        const double ws = c["metrics"][0]["values"]["pair"]["fr-fcfs"];
        if (best == 0) equal = ws;
        if (ws > best) {
            best = ws;
            other = c["metrics"][0]["values"]["pair"]["fcfs"];
            expected = c["workloads"][0]["sms"].get<std::vector<u32>>();
        }
        // The baseline's runs, with those alone, are there.
        for (const json& r : c["runs"])
            if (r["workload"] == "pair" && r["variant"] == "fr-fcfs") {
                EXPECT_TRUE(r["from_store"]) << sms;
            }
    }
    EXPECT_EQ(chosen, expected);
    EXPECT_GT(best, equal);
    EXPECT_DOUBLE_EQ(found["metrics"][0]["values"]["pair"]["fr-fcfs"], best);
    EXPECT_DOUBLE_EQ(found["metrics"][0]["values"]["pair"]["fcfs"], other);
    EXPECT_NE(run.err.find("the best of 6 divisions (weighted speed-up "), std::string::npos) << run.err;

    const Ended again = heddle_run(search, folder.path());
    const json kept = json::parse(again.out)["comparison"];
    for (const json& r : kept["runs"]) EXPECT_TRUE(r["from_store"]);
    const Ended compare =
        heddle_run({"compare", "gather", "+", "stream", "--ctas", "30", "--accesses", "4", "--set",
                    "dram.scheduler=fr-fcfs,fcfs", "--sms", "search", "--store", "s.db", "--json"},
                   folder.path());
    ASSERT_EQ(compare.code, 0) << compare.err;
    EXPECT_EQ(json::parse(compare.out)["workloads"][0]["sms"].size(), 2u);
}

TEST(SplitSearch, WantsSeveralApplications) {
    const TemporaryFolder folder;
    folder.write("mine.yaml", "workloads: [{name: a, run: 'pattern:alu', sms: search}]\n");
    const Ended run = heddle_run({"study", "./mine.yaml", "--store", "s.db"}, folder.path());
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("mine.yaml:1:48: 'search' divides SMs among several applications"),
              std::string::npos)
        << run.err;
    folder.write("mine.yaml", "workloads: [{name: a, run: 'pattern:alu + pattern:alu', sms: serach}]\n");
    const Ended typo = heddle_run({"study", "./mine.yaml", "--store", "s.db"}, folder.path());
    EXPECT_EQ(typo.code, 2);
    EXPECT_NE(
        typo.err.find("mine.yaml:1:62: SMs 'serach': expected whole numbers of at least 1, such as 10,20, or "
                      "'search'"),
        std::string::npos)
        << typo.err;
    const Ended compare =
        heddle_run({"compare", "gather", "stream", "--sms", "search", "--store", "s.db"}, folder.path());
    EXPECT_EQ(compare.code, 2);
    EXPECT_NE(compare.err.find("--sms search divides SMs among applications joined by '+'"),
              std::string::npos)
        << compare.err;
}

TEST(SplitSearch, TakesEqualPartsWhereNoneIsBetterOrNoneRuns) {
    const TemporaryFolder folder;
    // One CTA each: the other SMs change nothing. /bin/false fails on any.
    const std::string alu = "pattern:alu,ctas=1,accesses=1";
    const Ended run = heddle_run(
        {"compare", "--sms", "search", "--store", "s.db", "--json", alu, "+", alu, alu, "+", "/bin/false"},
        folder.path());
    EXPECT_EQ(run.code, 1);
    const json c = json::parse(run.out);
    EXPECT_EQ(c["workloads"][0]["sms"], (std::vector<u32>{8, 7}));
    EXPECT_EQ(c["metrics"][0]["values"][alu + " + " + alu]["gtx480"], 2.0);
    EXPECT_FALSE(c["workloads"][1].contains("sms"));
    EXPECT_NE(run.err.find("/bin/false: no division of the SMs has run; using equal parts"),
              std::string::npos)
        << run.err;
}

TEST(SplitSearch, MakesNoRunWhereSomethingElseIsWrong) {
    const TemporaryFolder folder;
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"--metric", "nope"}, "nope"},
        {{"--set", "gpu.sms=7,4"}, "variant 4 has 4 SMs, but 7 has 7: no division suits both"},
    };
    for (const auto& [more, expected] : cases) {
        const Ended run = heddle_run(
            with({"compare", "gather", "+", "stream", "--ctas", "2", "--sms", "search", "--store", "s.db"},
                 more),
            folder.path());
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(expected), std::string::npos) << run.err;
        const Ended list = heddle_run({"results", "list", "--store", "s.db"}, folder.path());
        EXPECT_EQ(list.out.find("gather"), std::string::npos) << list.out;
    }
}

}  // namespace
}  // namespace heddle::study
