// Programs load whatever function of the runtime they name. The list is that of NVIDIA's Python bindings for CUDA 13.3
// (cuda.bindings.cyruntime).
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "built.h"

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

}  // namespace
}  // namespace heddle
