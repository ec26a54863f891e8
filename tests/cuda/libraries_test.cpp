// The toolkit's libraries and the driver API, by conformance programs that compare with loops on the host and print "NAME done".

#include <gtest/gtest.h>

#include "cuda/programs.h"

namespace heddle {
namespace {

/// Compiles a program with the options and runs it by itself.
void expect_library_works(const std::string& name, const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    const std::string program = folder.path() + "/" + name;
    std::vector<std::string> words{"cc", checkout("tests/cuda/conformance/" + name + ".cu"), "-o", program};
    words.insert(words.end(), options.begin(), options.end());
    const Ended built = heddle_run(words);
    ASSERT_EQ(built.code, 0) << built.err;
    EXPECT_EQ(built.err, "");
    const Ended run = heddle_run({"record", "-o", folder.path() + "/r", program});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_NE(run.out.find(name + " done\n"), std::string::npos) << run.out << run.err;
}

TEST(CudaLibraries, CublasAgreesWithLoopsOnTheHost) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("cublas", {"-lcublas"});
    expect_library_works("cublas_old", {"-lcublas"});
}

TEST(CudaLibraries, CurandsGeneratorsGiveTheirPublishedNumbers) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("curand_device", {});
}

TEST(CudaLibraries, CurandsHostApiOrdersThemAsTheManualSays) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("curand_host", {"-lcurand"});
}

TEST(CudaLibraries, CufftAgreesWithSumsOnTheHost) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("cufft", {"-lcufft"});
}

TEST(CudaLibraries, CusparseAgreesWithDenseMatrices) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("cusparse", {"-lcusparse"});
}

TEST(CudaLibraries, TheDriverApiLoadsLaunchesAndCopies) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("driver", {"-lcuda", "-ldl"});
}

TEST(CudaLibraries, NvrtcCompilesWhatTheDriverThenRuns) {
    HEDDLE_NEEDS_CLANG();
    expect_library_works("nvrtc", {"-lnvrtc", "-lcuda"});
}

}  // namespace
}  // namespace heddle
