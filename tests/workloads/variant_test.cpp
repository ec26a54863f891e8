// The workloads' other variants and inputs, and self-checks that find a fault.

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "built.h"
#include "cli/program.h"
#include "workload_program.h"

namespace heddle {
namespace {

TEST(Variants, EveryVariantPassesItsSelfCheck) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    for (const auto& [name, options] : {std::pair{"bfs", "--variant frontier"},
                                        {"bfs", "--graph rmat --variant frontier"},
                                        {"bfs", "--graph road --labels ordered"},
                                        {"sssp", "--graph rmat --degree 5"},
                                        {"sssp", "--graph road"},
                                        {"spmv", "--variant vector --repeats 2"},
                                        {"kmeans", "--layout arrays"},
                                        {"hotspot", "--side 100 --steps 7 --together 3"},
                                        {"mm", "--rows 70 --columns 33 --depth 50"}}) {
        const Said said = workload_says(name, std::string("--size small ") + options);
        EXPECT_TRUE(said.code == 0 && said.has(": PASS (")) << name << ' ' << options << '\n' << said.text;
    }
}

/// Of one run of small kmeans.
double requests_per_load(const char* layout) {
    const Ended run = heddle_run({"run", "kmeans", "--size", "small", "--layout", layout, "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code != 0 ? 0 : nlohmann::json::parse(run.out)["requests_per_load"]["mean"].get<double>();
}

TEST(Variants, PointsAsArraysAreCoalescedAndPointsAsRecordsAreNot) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    // 16 features of 4 bytes: lanes are 64 bytes apart, two of them in a line of 128 bytes.
    EXPECT_DOUBLE_EQ(requests_per_load("records"), 16);
    // For each point, 16 loads of that kind turn the records round; 2 rounds of 5 centers then load 16 features each
    // by 1 request.
    EXPECT_NEAR(requests_per_load("arrays"), (16 * 16 + 2 * 5 * 16 * 1) / (16 + 2 * 5 * 16.0), 1e-6);
}

TEST(Variants, AMeanDegreeMayBeOdd) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    EXPECT_TRUE(workload_says("bfs", "--vertices 1000 --degree 3").has("1000 vertices, 3000 edges"));
}

TEST(Variants, CtasOfBhThatWaitForOneAnotherAreAllResident) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const auto ctas = [](const std::vector<std::string>& machine) {
        const Ended run = heddle_run(with({"run", "bh", "--bodies", "300", "--json"}, machine));
        EXPECT_EQ(run.code, 0) << run.err;
        std::string out;
        if (run.code != 0) return out;
        const nlohmann::json record = nlohmann::json::parse(run.out);
        for (const auto& kernel : record["apps"][0]["kernels"]) {
            const auto name = kernel["name"].get<std::string>();
            if (name == "build" || name == "summarise" || name == "sort_bodies")
                out += name + ' ' + std::to_string(kernel["ctas"].get<int>()) + ' ';
        }
        return out;
    };
    // 300 bodies for CTAs of 256 threads.
    EXPECT_EQ(ctas({}), "build 2 summarise 2 sort_bodies 2 ");
    EXPECT_EQ(ctas({"--set", "gpu.sms=1", "--set", "sm.ctas=1"}), "build 2 summarise 1 sort_bodies 1 ");
}

/// A workload's source with one piece of it changed, compiled and run.
Said run_with(const std::string& name, const std::string& piece, const std::string& by) {
    const std::string folder = checkout("workloads/");
    std::ifstream in(folder + name + "/" + name + ".cu");
    std::string source{std::istreambuf_iterator<char>(in), {}};
    const auto replace = [&](const std::string& from, const std::string& to) {
        const std::size_t at = source.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        if (at != std::string::npos) source.replace(at, from.size(), to);
    };
    if (source.find("\"../common/") != std::string::npos) replace("\"../common/", "\"" + folder + "common/");
    replace(piece, by);
    const TemporaryFolder temporary;
    const Ended compiled = heddle_run({"cc", temporary.write(name + ".cu", source), "-I", folder + name, "-o",
                                       temporary.path() + "/" + name});
    EXPECT_EQ(compiled.code, 0) << compiled.err;
    return program_says(temporary.path() + "/" + name, "--size small");
}

TEST(SelfCheck, AKernelThatErrsFailsWithTheFirstDifference) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    struct Fault {
        const char *name, *piece, *by, *finding;
    };
    for (const Fault& fault :
         {// The power of a chip's parts counts for nothing.
          Fault{"hotspot", "power_tile[ty][tx] = power[y * width + x]", "power_tile[ty][tx] = 0",
                "hotspot: FAIL: temperature[0] is "},
          // An 8x8 block is made of the wrong halves.
          Fault{"sad", "{0, 1, 4, 5}, {2, 3, 6, 7}", "{0, 1, 4, 5}, {2, 3, 6, 6}", "sad: FAIL: sum of 8x8["},
          // Nothing flows along z.
          Fault{"cns", "for (u32 axis = 0; axis < 3; ++axis) {\n        const u32 stride",
                "for (u32 axis = 0; axis < 2; ++axis) {\n        const u32 stride",
                "cns: FAIL: density[0] is "},
          // Cells do not see what is across the box's border.
          Fault{"comd", "return {0, cells.edge};", "return {0, 0};", "comd: FAIL: velocity x["}}) {
        const Said said = run_with(fault.name, fault.piece, fault.by);
        EXPECT_EQ(said.code, 1) << fault.name;
        EXPECT_TRUE(said.has(fault.finding)) << said.text;
        EXPECT_TRUE(said.has(" differences)")) << said.text;
    }
}

TEST(Measure, TheFrozenFiguresAreWrittenWholeOrNotAtAll) {
    const TemporaryFolder folder;
    namespace fs = std::filesystem;
    fs::create_directories(folder.path() + "/workloads");
    fs::copy(checkout("workloads/measure.py"), folder.path() + "/workloads");
    folder.write("workloads/workloads.tsv", "bfs\tsearch\n");
    folder.write("workloads/measured.tsv", "frozen\n");
    for (const char* some : {"bfs", "--size small", "--machine h200"}) {
        const Said said = program_says(
            "python3", folder.path() + "/workloads/measure.py --heddle /bin/false --write " + some);
        EXPECT_EQ(said.code, 2) << some;
        EXPECT_TRUE(said.has("--write measures every workload in small and in medium")) << said.text;
    }
    EXPECT_EQ(folder.read("workloads/measured.tsv"), "frozen\n");
}

}  // namespace
}  // namespace heddle
