// Programs load whatever function of the runtime they name. The list is that of NVIDIA's Python bindings for CUDA 13.3
// (cuda.bindings.cyruntime).
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <string>

#include "built.h"
#include "cli/program.h"

namespace heddle {
namespace {

TEST(CudaRuntime, HasEveryFunctionOfCuda13) {
    const std::string binary = heddle_binary();
    const std::string library = binary.substr(0, binary.rfind('/')) + "/libcudart.so.13";
    void* const runtime = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(runtime, nullptr) << dlerror();
    std::ifstream names(checkout("tests/cuda/cuda13_functions.txt"));
    unsigned count = 0;
    for (std::string name; std::getline(names, name); ++count)
        EXPECT_NE(dlsym(runtime, name.c_str()), nullptr) << name;
    EXPECT_EQ(count, 339u);
}

/// docs/cuda-functions.md tells each function of that list once: as supported, or with what it needs.
TEST(CudaRuntime, ThePageOfFunctionsIsThatOfTheSources) {
    if (std::system("python3 -c 0 >/dev/null 2>&1") != 0) GTEST_SKIP() << "python3 is not installed";
    EXPECT_EQ(std::system(("python3 '" + checkout("cmake/cuda_functions.py") + "' --check").c_str()), 0);
    std::ifstream file(checkout("docs/cuda-functions.md")),
        names(checkout("tests/cuda/cuda13_functions.txt"));
    const std::string page(std::istreambuf_iterator<char>(file), {});
    for (std::string name; std::getline(names, name);) {
        const std::size_t at = page.find("`" + name + "`");
        EXPECT_NE(at, std::string::npos) << name;
        EXPECT_EQ(page.find("`" + name + "`", at + 1), std::string::npos) << name;
    }
}

/// The library of an installed toolkit, by what it exports.
TEST(CudaRuntime, HasEveryNameThatAnInstalledRuntimeExports) {
    const std::string theirs = "/usr/local/cuda/lib64/libcudart.so.13";
    if (!std::filesystem::exists(theirs)) GTEST_SKIP() << theirs << " is not installed";
    const std::string binary = heddle_binary();
    void* const runtime =
        dlopen((binary.substr(0, binary.rfind('/')) + "/libcudart.so.13").c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(runtime, nullptr) << dlerror();
    TemporaryFolder folder;
    ASSERT_EQ(std::system(("nm -D --defined-only '" + theirs + "' >" + folder.path() + "/names").c_str()), 0);
    std::istringstream list(folder.read("names"));
    unsigned count = 0;
    for (std::string address, kind, name; list >> address >> kind >> name;) {
        name = name.substr(0, name.find('@'));
        if (kind != "T") continue;
        EXPECT_NE(dlsym(runtime, name.c_str()), nullptr) << name;
        ++count;
    }
    EXPECT_GE(count, 400u);
}

}  // namespace
}  // namespace heddle
