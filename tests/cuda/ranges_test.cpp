// Marks and ranges of NVTX: from the program through the recording into the results.

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "cuda/programs.h"
#include "sim/types.h"

namespace heddle {
namespace {

using Json = nlohmann::json;

struct Expected {
    const char *name, *domain;
    u64 kernels;
    u64 first, last;  // launches, from 1
};
// The order in which they begin.
constexpr Expected kExpected[] = {{"outer", "", 3, 1, 3},
                                  {"inner", "", 2, 2, 3},
                                  {"gr\u00fc\u00dfe \u4e16 \U0001f600", "", 2, 4, 5},
                                  {"from a string", "library", 2, 5, 6},
                                  {"whole_function", "", 1, 7, 7},
                                  {"registered", "mine", 3, 8, 10},
                                  {"moved", "", 2, 11, 12},
                                  {"open at the end", "", 2, 11, 12}};

TEST(CudaRanges, AreKeptWithTheKernelsLaunchedInThem) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    const std::string program = folder.path() + "/ranges", recording = folder.path() + "/r",
                      trace = folder.path() + "/t";
    const Ended built = heddle_run({"cc", checkout("tests/cuda/conformance/ranges.cu"), "-o", program});
    ASSERT_EQ(built.code, 0) << built.err;
    EXPECT_EQ(built.err, "");
    // On its own, without a recording: nothing is kept.
    EXPECT_EQ(std::system((program + " >/dev/null").c_str()), 0);
    const Ended recorded = heddle_run({"record", "-o", recording, program});
    ASSERT_EQ(recorded.code, 0) << recorded.out << recorded.err;
    const Ended run = heddle_run({"run", "--json", "--trace-requests", trace, recording});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json app = Json::parse(run.out)["apps"][0];
    std::map<u64, std::pair<u64, u64>> kernels;  // start and end, by index
    for (const Json& k : app["kernels"])
        kernels[k["index"]] = {k["start_cycle"], k["start_cycle"].get<u64>() + k["cycles"].get<u64>()};
    ASSERT_EQ(kernels.size(), 12u);
    std::vector<Json> ranges, marks;
    for (const Json& r : app["ranges"])
        if (r.contains("mark_cycle"))
            marks.push_back(r);
        else if (r["kernels"] != 0)
            ranges.push_back(r);
    ASSERT_EQ(ranges.size(), std::size(kExpected));
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        const Expected& e = kExpected[k];
        EXPECT_EQ(ranges[k]["name"], e.name);
        EXPECT_EQ(ranges[k].value("domain", ""), e.domain);
        EXPECT_EQ(ranges[k]["kernels"], e.kernels);
        EXPECT_EQ(ranges[k]["start_cycle"], kernels[e.first].first);
        EXPECT_EQ(ranges[k]["cycles"], kernels[e.last].second - kernels[e.first].first);
    }
    EXPECT_EQ(ranges[1]["color"], "#ff00ff00");
    EXPECT_EQ(ranges[5]["color"], "#ff010203");
    EXPECT_FALSE(ranges[0].contains("color"));
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0]["name"], "between");
    EXPECT_EQ(marks[0]["mark_cycle"], kernels[3].second);
    EXPECT_EQ(marks[1]["domain"], "mine");
    EXPECT_EQ(marks[1]["mark_cycle"], kernels[10].second);

    // The same in the file of traced requests, each end after its beginning.
    std::ifstream in(trace);
    std::map<u64, std::string> open;
    std::size_t ended = 0, moments = 0;
    const Json events = Json::parse(in)["traceEvents"];
    for (const Json& e : events) {
        if (e["ph"] == "b") open[e["id"]] = e["name"];
        if (e["ph"] == "i") ++moments;
        if (e["ph"] != "e") continue;
        EXPECT_EQ(open[e["id"]], e["name"]);
        ++ended;
    }
    EXPECT_EQ(open.size(), std::size(kExpected));
    EXPECT_EQ(ended, std::size(kExpected));
    EXPECT_EQ(moments, 2u);

    // Selected launches keep their ranges.
    const Ended some = heddle_run({"run", "--json", "--kernels", "2", recording});
    ASSERT_EQ(some.code, 0) << some.err;
    const Json kept = Json::parse(some.out)["apps"][0]["ranges"];
    for (const Json& r : kept)
        if (!r.contains("mark_cycle")) {
            EXPECT_EQ(r["kernels"], r["name"] == "outer" || r["name"] == "inner" ? 1 : 0) << r;
        }
}

}  // namespace
}  // namespace heddle
