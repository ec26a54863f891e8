// Every shipped workload, compiled, executed, timed and checked by itself.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cuda/workload.h"

namespace heddle {
namespace {

#if defined(__SANITIZE_ADDRESS__)
// The runtime is loaded by programs that know nothing of sanitizers.
constexpr bool kProgramsRun = false;
#else
constexpr bool kProgramsRun = true;
#endif

class EveryWorkload : public testing::TestWithParam<cuda::Workload> {};

TEST_P(EveryWorkload, PassesItsSelfCheckInSmallAndIsTimed) {
    if (!kProgramsRun) GTEST_SKIP() << "programs run without sanitizers";
    const std::string& name = GetParam().name;
    const Outcome outcome = heddle_run({"run", name, "--size", "small"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(name + ": PASS"), std::string::npos) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("requests  mean"), std::string::npos) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryWorkload, testing::ValuesIn(cuda::workloads()),
                         [](const auto& test) { return test.param.name; });

TEST(Workloads, BadOptionsAreNamedAndEndTheRunAsAFailureOfTheProgram) {
    if (!kProgramsRun) GTEST_SKIP() << "programs run without sanitizers";
    const Outcome unknown = heddle_run({"run", "bfs", "--size", "small", "--vertixes", "5"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_NE(unknown.err.find("bfs: unknown option --vertixes"), std::string::npos) << unknown.err;
    const Outcome broken = heddle_run({"run", "nw", "--size", "small", "--length", "100"});
    EXPECT_EQ(broken.code, 1);
    EXPECT_NE(broken.err.find("nw: --length must be a multiple of 16"), std::string::npos) << broken.err;
    const Outcome without = heddle_run({"run", "bfs", "--vertices"});
    EXPECT_EQ(without.code, 2);
    EXPECT_NE(without.err.find("--vertices needs a value"), std::string::npos) << without.err;
}

}  // namespace
}  // namespace heddle
