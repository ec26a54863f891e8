// Which compilations may share the headers that were parsed once.

#include "cuda/precompiled.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "cuda/programs.h"
#include "sim/child_process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Caches go to a folder of the test's own.
class CudaPrecompiled : public testing::Test {
  protected:
    CudaPrecompiled() {
        if (const char* old = std::getenv("XDG_CACHE_HOME")) old_ = old;
        setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    }
    ~CudaPrecompiled() override {
        if (old_.empty())
            unsetenv("XDG_CACHE_HOME");
        else
            setenv("XDG_CACHE_HOME", old_.c_str(), 1);
    }

    static std::string include() { return checkout("src/cuda/include"); }

    /// The parsed headers that a compilation of a device half with these options takes; empty: none.
    static std::string header(const Words& options) {
        Words c{find_on_path("clang++-14").empty() ? find_on_path("clang++") : find_on_path("clang++-14"),
                "-isystem", include(), "-std=gnu++17"};
        c.insert(c.end(), options.begin(), options.end());
        c.insert(c.end(), {"-nocudainc", "--cuda-path=/nonexistent", "-include", "cuda_runtime.h", "-x",
                           "cuda", "-nocudalib", "--cuda-device-only", "-S", "--cuda-gpu-arch=sm_70",
                           "-Xclang", "-target-feature", "-Xclang", "+ptx64"});
        const Words out = cuda::with_precompiled_runtime(c, include());
        for (std::size_t k = 0; k + 1 < out.size(); ++k)
            if (out[k] == "-include-pch") {
                EXPECT_TRUE(fs::exists(out[k + 1]));
                Words back = out;
                back[k] = "-include";
                back[k + 1] = "cuda_runtime.h";
                EXPECT_EQ(back, c);
                return out[k + 1];
            }
        EXPECT_EQ(out, c);
        return {};
    }

    TemporaryFolder folder_;
    std::string old_;
};

TEST_F(CudaPrecompiled, OptionsThatTheHeadersDoNotSeeShareThem) {
    HEDDLE_NEEDS_CLANG();
    const std::string plain = header({});
    ASSERT_NE(plain, "");
    fs::create_directories(folder_.path() + "/include");
    folder_.write("include/mine.h", "");
    EXPECT_EQ(header({"-D", "BLOCK_SIZE_OF_MINE=64", "-I", folder_.path() + "/include", "-DHEIGHT_OF_MINE"}),
              plain);
    EXPECT_EQ(header({"-MD", "-MF", "a.d", "-cuid=17"}), plain);
    // A name that they contain: others.
    const std::string other = header({"-D", "AIO_PRIO_DELTA_MAX=20"});
    EXPECT_NE(other, "");
    EXPECT_NE(other, plain);
    // Their names may lead elsewhere, or other headers come first: none.
    folder_.write("include/vector_types.h", "");
    EXPECT_EQ(header({"-I", folder_.path() + "/include"}), "");
    EXPECT_EQ(header({"-include", "mine.h"}), "");
    // Clang 14 misreads them as C++20.
    for (const char* standard : {"-std=c++20", "-std=gnu++20", "--std=c++2a", "-std=c++23"})
        EXPECT_EQ(header({standard}), "") << standard;
    EXPECT_NE(header({"-std=c++14"}), "");
    // A header that changed, or is said to have: made again.
    const auto before = fs::last_write_time(plain);
    std::string inputs = folder_.read(fs::relative(fs::path(plain).parent_path() / "inputs", folder_.path()));
    inputs[inputs.find('\t') - 1] ^= 1;
    std::ofstream(fs::path(plain).parent_path() / "inputs") << inputs;
    EXPECT_EQ(header({}), plain);
    EXPECT_GT(fs::last_write_time(plain), before);
}

TEST_F(CudaPrecompiled, TheCodeIsTheSameAndMacrosReachTheHeaders) {
    HEDDLE_NEEDS_CLANG();
    folder_.write(
        "a.cu",
        "#include <cassert>\n#include <cuda_fp16.h>\n"
        "__device__ float4 shared_by_all;\n"
        "__global__ void k(float* p, int n) {\n"
        "    assert(n > 3);\n"
        "    p[threadIdx.x] = __half2float(__float2half(sinf(p[n]))) + N_OF_MINE + shared_by_all.x;\n"
        "}\n");
    auto ptx = [&](const Words& options) {
        Words words{"cc", "-ptx", "a.cu", "-DN_OF_MINE=5", "-o", "a.ptx"};
        words.insert(words.end(), options.begin(), options.end());
        const Ended run = Started(words, folder_.path()).wait();
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return folder_.read("a.ptx");
    };
    const std::string kept = ptx({}), quiet = ptx({"-DNDEBUG"});
    EXPECT_NE(kept.find("__assertfail"), std::string::npos);
    EXPECT_EQ(quiet.find("__assertfail"), std::string::npos);
    EXPECT_NE(ptx({"-std=c++20"}), "");
    // Damaged: made again, or left out if that shows only when clang reads them.
    const auto damage = [&](auto change) {
        unsigned count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path() + "/heddle"))
            if (entry.path().extension() == ".pch") ++count, change(entry.path());
        EXPECT_GE(count, 2u);
        EXPECT_EQ(ptx({}), kept);
    };
    damage([](const fs::path& p) { fs::resize_file(p, 100'000); });
    damage([](const fs::path& p) {
        const auto time = fs::last_write_time(p);
        std::fstream(p, std::ios::in | std::ios::out) << "no headers";
        fs::last_write_time(p, time);
    });
    // Where nothing can be kept.
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    EXPECT_EQ(ptx({}), kept);
    EXPECT_EQ(ptx({"-DNDEBUG"}), quiet);
}

}  // namespace
}  // namespace heddle
