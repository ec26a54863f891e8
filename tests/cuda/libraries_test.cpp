// The toolkit's libraries and the driver API, by conformance programs that compare with loops on the host and print "NAME done".

#include <gtest/gtest.h>

#include "cuda/programs.h"

namespace heddle {
namespace {

TEST(CudaLibraries, CublasAgreesWithLoopsOnTheHost) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("cublas", {"-lcublas"});
    expect_program_works("cublas_old", {"-lcublas"});
    expect_program_works("cublas_compact", {"-lcublas"});
}

TEST(CudaLibraries, CublasLtAgreesWithLoopsOnTheHost) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("cublaslt", {"-lcublasLt"});
}

TEST(CudaLibraries, CusolverAgreesWithProductsOnTheHost) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("cusolver", {"-lcusolver"});
    expect_program_works("cusolver_qr", {"-lcusolver"});
    expect_program_works("cusolver_eigen", {"-lcusolver"});
    expect_program_works("cusolver_svd", {"-lcusolver"});
    expect_program_works("cusolver_sparse", {"-lcusolver", "-lcusparse"});
}

TEST(CudaLibraries, CurandsGeneratorsGiveTheirPublishedNumbers) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("curand_device");
}

TEST(CudaLibraries, CurandsHostApiOrdersThemAsTheManualSays) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("curand_host", {"-lcurand"});
}

TEST(CudaLibraries, CufftAgreesWithSumsOnTheHost) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("cufft", {"-lcufft"});
}

TEST(CudaLibraries, CusparseAgreesWithDenseMatrices) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("cusparse", {"-lcusparse"});
    expect_program_works("cusparse_more", {"-lcusparse"});
}

TEST(CudaLibraries, TheDriverApiLoadsLaunchesAndCopies) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("driver", {"-lcuda", "-ldl"});
}

TEST(CudaLibraries, NvrtcCompilesWhatTheDriverThenRuns) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("nvrtc", {"-lnvrtc", "-lcuda"});
}

TEST(CudaLibraries, NvJitLinkJoinsWhatNvrtcCompiles) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("nvjitlink", {"-lnvJitLink", "-lnvrtc", "-lcuda"});
}

}  // namespace
}  // namespace heddle
