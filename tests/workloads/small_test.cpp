// Every shipped workload, compiled, executed, timed and checked by itself.

#include <gtest/gtest.h>

#include "built.h"
#include "cli/program.h"
#include "cuda/workload.h"
#include "workload_program.h"

namespace heddle {
namespace {

/// Every one, or every fourth with sanitizers.
std::vector<cuda::Workload> tested() {
    std::vector<cuda::Workload> out;
    for (std::size_t k = 0; k < cuda::workloads().size(); k += sanitized() ? 4 : 1)
        out.push_back(cuda::workloads()[k]);
    return out;
}

class EveryWorkload : public testing::TestWithParam<cuda::Workload> {};

TEST_P(EveryWorkload, PassesItsSelfCheckInSmallAndIsTimed) {
    const std::string& name = GetParam().name;
    const Ended outcome = heddle_run({"run", name, "--size", "small"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(name + ": PASS"), std::string::npos) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("requests  mean"), std::string::npos) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryWorkload, testing::ValuesIn(tested()),
                         [](const auto& test) { return test.param.name; });

TEST(Workloads, SpmvAndSsspReadStandardFiles) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const TemporaryFolder folder;
    // Symmetric: each of two entries beside the diagonal counts twice.
    const std::string matrix = folder.write("m.mtx",
                                            "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n"
                                            "3 3 4\n1 1 2.5\n2 1 -1\n3 2 1e-3\n3 3 4\n");
    const Ended spmv = heddle_run({"run", "spmv", "--input", matrix});
    EXPECT_NE(spmv.out.find("spmv: 3 x 3, 6 entries\nspmv: PASS"), std::string::npos) << spmv.out << spmv.err;
    const std::string roads = folder.write("r.gr", "c roads\np sp 4 4\na 1 2 3\na 2 3 4\na 1 3 9\na 3 4 1\n");
    const Ended sssp = heddle_run({"run", "sssp", "--input", roads, "--source", "0"});
    EXPECT_NE(sssp.out.find("sssp: 4 vertices, 4 edges, 4 rounds\nsssp: PASS"), std::string::npos)
        << sssp.out << sssp.err;
    const Ended wrong = heddle_run({"run", "spmv", "--input", roads});
    EXPECT_NE(wrong.err.find("r.gr:1: expected \"%%MatrixMarket matrix ...\""), std::string::npos)
        << wrong.err;
}

TEST(Workloads, OptionsOfHeddleAndOfTheWorkloadMayMixAfterItsName) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const Ended outcome = heddle_run({"run", "bfs", "--vertices", "2000", "--set", "l1.size=32KiB",
                                      "--graph=rmat", "--size", "small", "--degree", "4", "--kernels", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    // R-MAT of 2,000 vertices and a mean degree of 4: 4,000 edges in both directions.
    EXPECT_NE(outcome.out.find("bfs: 2000 vertices, 8000 edges"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("1 kernel, "), std::string::npos) << outcome.out;
}

TEST(Workloads, TheSeedChoosesTheInputAndTheSameSeedGivesTheSame) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const auto levels = [](const char* seed) {
        const Ended outcome = heddle_run({"run", "bfs", "--size", "small", "--seed", seed});
        return outcome.out.substr(0, outcome.out.find('\n'));
    };
    const std::string one = levels("1");
    EXPECT_NE(one.find("level sizes 1 "), std::string::npos) << one;
    EXPECT_EQ(levels("1"), one);
    EXPECT_NE(levels("2"), one);
}

TEST(Workloads, BadOptionsAreNamedAndAreErrorsOfTheCommandLine) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const Ended unknown = heddle_run({"run", "bfs", "--size", "small", "--vertixes", "5"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("bfs: unknown option --vertixes"), std::string::npos) << unknown.err;
    const Ended broken = heddle_run({"run", "nw", "--size", "small", "--length", "100"});
    EXPECT_EQ(broken.code, 2);
    EXPECT_NE(broken.err.find("nw: --length must be a multiple of 16"), std::string::npos) << broken.err;
    const Ended without = heddle_run({"run", "bfs", "--vertices"});
    EXPECT_EQ(without.code, 2);
    EXPECT_NE(without.err.find("--vertices needs a value"), std::string::npos) << without.err;
}

}  // namespace
}  // namespace heddle
