// heddle run --dump-requests, and heddle dram on what it wrote.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace heddle {
namespace {

using nlohmann::json;

TEST(DumpRequests, ARunAndItsReplayMoveTheSameBytes) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/requests";
    const Ended run = heddle_run({"run", "--dump-requests", file, "--ctas", "15", "--json", "gather"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const Ended replay = heddle_run({"dram", "--json", file});
    ASSERT_EQ(replay.code, 0) << replay.err;
    const json was = json::parse(run.out)["memories"]["gddr5"], is = json::parse(replay.out);
    EXPECT_EQ(is["read_bytes"], was["read_bytes"]);
    EXPECT_EQ(is["write_bytes"], was["write_bytes"]);
    EXPECT_EQ(is["channel_map"], "as gpus.gpu.address_map says");
    // What came to L2 was more than what L2 let through.
    const Ended l2 = heddle_run({"dram", "--json", file + ".l2"});
    ASSERT_EQ(l2.code, 0) << l2.err;
    EXPECT_GE(json::parse(l2.out)["requests"], is["requests"]);
}

TEST(DumpRequests, NeverReplacesADevice) {
    const Ended refused = heddle_run({"run", "--dump-requests", "/dev/null", "--ctas", "1", "gather"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err, "heddle: /dev/null: cannot write the requests: not a regular file\n");
}

}  // namespace
}  // namespace heddle
