// NVIDIA's toolkit where one is installed: programs that its nvcc builds, and heddle cc with its headers. Where there is none
// these tests say so and are skipped.

#include <filesystem>
#include <gtest/gtest.h>

#include "built.h"
#include "cuda/child.h"
#include "cuda/programs.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// The toolkit's folder; empty: there is none. ptxas tells it from the folder that heddle env makes.
std::string nvidia_toolkit() {
    std::vector<std::string> places{"/usr/local/cuda", "/usr/lib/cuda"};
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(name); value != nullptr) places.insert(places.begin(), value);
    if (const std::string nvcc = cuda::find_on_path("nvcc"); !nvcc.empty())
        places.push_back(fs::canonical(nvcc).parent_path().parent_path().string());
    for (const std::string& place : places)
        if (fs::exists(place + "/bin/nvcc") && fs::exists(place + "/bin/ptxas") &&
            fs::exists(place + "/include/cuda.h"))
            return place;
    return {};
}

#define HEDDLE_NEEDS_TOOLKIT()    \
    if (nvidia_toolkit().empty()) \
    GTEST_SKIP() << "no CUDA toolkit is installed (CUDA_PATH, nvcc, /usr/local/cuda)"

std::string nvidia_source(const std::string& name) {
    return checkout("tests/cuda/conformance/" + name + ".cu");
}

void expect_recorded(const TemporaryFolder& folder, const std::string& program, const std::string& name) {
    const Ended run = heddle_run({"record", "-o", folder.path() + "/r", program});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_NE(run.out.find(name + " done\n"), std::string::npos) << run.out << run.err;
}

void expect_nvcc_works(const std::string& name, const std::string& options) {
    const TemporaryFolder folder;
    const std::string program = folder.path() + "/" + name, log = folder.path() + "/said";
    const std::string command = "'" + nvidia_toolkit() + "/bin/nvcc' -arch=compute_75 -cudart shared '" +
                                nvidia_source(name) + "' -o '" + program + "' " + options + " >'" + log +
                                "' 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << folder.read("said");
    // What nvcc links can't start with a runtime that needs a sanitizer's library in front.
    if (!sanitized()) expect_recorded(folder, program, name);
}

TEST(InstalledToolkit, ProgramsOfNvccRun) {
    HEDDLE_NEEDS_TOOLKIT();
    expect_nvcc_works("installed", "");
}

TEST(InstalledToolkit, KernelsOfNvccLaunchKernels) {
    HEDDLE_NEEDS_TOOLKIT();
    expect_nvcc_works("installed_launch", "-rdc=true -lcudadevrt");
}

TEST(InstalledToolkit, HeddleCcCompilesWithItsHeaders) {
    HEDDLE_NEEDS_TOOLKIT();
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    const std::string program = folder.path() + "/installed";
    const Ended built =
        heddle_run({"cc", "--cuda-path", nvidia_toolkit(), nvidia_source("installed"), "-o", program});
    ASSERT_EQ(built.code, 0) << built.err;
    expect_recorded(folder, program, "installed");
}

TEST(InstalledToolkit, StructuresOfItsHeadersAreTheRuntimes) {
    HEDDLE_NEEDS_TOOLKIT();
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    for (const char* name : {"libraries", "graph_objects", "driver_graphs", "batches", "processes"}) {
        const std::string program = folder.path() + "/" + name;
        const Ended built =
            heddle_run({"cc", "--cuda-path", nvidia_toolkit(), nvidia_source(name), "-lcuda", "-o", program});
        ASSERT_EQ(built.code, 0) << built.err;
        EXPECT_EQ(std::system((program + " >" + folder.path() + "/out 2>&1").c_str()), 0)
            << folder.read("out");
        EXPECT_NE(folder.read("out").find(" checks, 0 failed\n"), std::string::npos) << folder.read("out");
    }
}

TEST(InstalledToolkit, AFolderThatHoldsNoneIsAnError) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    const auto said = [&] {
        const Ended run = heddle_run(
            {"cc", "--cuda-path=" + folder.path(), nvidia_source("installed"), "-o", folder.path() + "/p"});
        EXPECT_EQ(run.code, 2);
        EXPECT_FALSE(fs::exists(folder.path() + "/p"));
        return run.err;
    };
    EXPECT_NE(said().find("holds no CUDA toolkit"), std::string::npos);
    fs::create_directories(folder.path() + "/include");
    folder.write("include/cuda.h", "#define CUDA_VERSION 10020\n");
    EXPECT_NE(said().find("is CUDA 10.2; Heddle's runtime is that of CUDA 11 to 13"), std::string::npos);
}

}  // namespace
}  // namespace heddle
