// heddle run --trace-requests on the command line.

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace heddle {
namespace {

using nlohmann::json;

const std::vector<std::string> kRun = {"run", "--json", "--ctas", "2", "chase"};

Ended run_small(std::vector<std::string> more) {
    more.insert(more.begin(), kRun.begin(), kRun.end() - 1);
    more.push_back(kRun.back());
    return heddle_run(more);
}

TEST(TraceRequests, ChangesNothingOfTheResultAndSaysWhatItHolds) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/lives.json";
    const Ended plain = run_small({}), traced = run_small({"--trace-requests", file}),
                few = run_small({"--trace-requests", file + "2", "--trace-requests-every", "8", "--audit",
                                 "--dump-requests", folder.path() + "/requests"});
    ASSERT_EQ(traced.code, 0) << traced.err;
    ASSERT_EQ(few.code, 0) << few.err;
    json was = json::parse(plain.out), is = json::parse(traced.out), third = json::parse(few.out);
    for (json* record : {&was, &is, &third}) record->erase("simulation");
    third.erase("audit");
    EXPECT_EQ(was, is);
    EXPECT_EQ(was, third);
    const json whole = json::parse(folder.read("lives.json")), part = json::parse(folder.read("lives.json2"));
    EXPECT_EQ(whole["otherData"]["one_in"], 1);
    EXPECT_EQ(part["otherData"]["one_in"], 8);
    EXPECT_LT(part["traceEvents"].size() * 3, whole["traceEvents"].size());
    EXPECT_GT(part["traceEvents"].size(), 0u);
    EXPECT_TRUE(few.err.ends_with("heddle: note: " + file +
                                  "2: " + part["otherData"]["sampled"].get<std::string>() + "\n"))
        << few.err;
}

TEST(TraceRequests, BadPathsAndNumbersAreOneErrorAndLeaveNothing) {
    const TemporaryFolder folder;
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why) {
        const Ended run = run_small(arguments);
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(run.err, "heddle: " + why + "\n");
    };
    const std::string missing = folder.path() + "/none/lives.json";
    refused({"--trace-requests", missing},
            missing + ": cannot write the traced requests: No such file or directory");
    refused({"--trace-requests", folder.path()},
            folder.path() + ": cannot write the traced requests: not a regular file");
    refused({"--trace-requests", "/dev/null"},
            "/dev/null: cannot write the traced requests: not a regular file");
    refused({"--trace-requests-every", "4"},
            "--trace-requests-every has no effect without --trace-requests FILE");
    refused({"--trace-requests", folder.path() + "/lives.json", "--trace-requests-every", "0"},
            "--trace-requests-every: 0 requests; give at least 1");
    // An old file stays as it is when the run fails.
    const std::string old = folder.write("old.json", "old");
    EXPECT_EQ(run_small({"--trace-requests", old, "--set", "l2.ways=100000"}).code, 2);
    EXPECT_EQ(folder.read("old.json"), "old");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files += entry.exists();
    EXPECT_EQ(files, 1u);
}

}  // namespace
}  // namespace heddle
