// Conformance programs that check themselves: how kernels run, and the runtime's calls around them.

#include <gtest/gtest.h>

#include "cuda/launch_syntax.h"
#include "cuda/local_names.h"
#include "cuda/programs.h"
#include "cuda/register_limit.h"

namespace heddle {
namespace {

TEST(CudaConformance, TypedPointersKernelsAndSymbolsAreTakenAsTheyAre) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("overloads");
}

TEST(CudaConformance, GraphsOfEveryKindOfNodeRun) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("graphs");
}

TEST(CudaConformance, OpenMpThreadsLaunchAndBracketsMayStandApart) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("openmp_and_brackets", {"-Xcompiler", "-fopenmp"});
}

TEST(CudaConformance, KernelsLaunchKernelsAndWaitForThem) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("device_launch");
}

TEST(CudaConformance, TheCallsThatNvccWritesForLaunchesInKernelsWork) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("device_runtime", {"-rdc=true"});
}

TEST(CudaConformance, ProgramsThatDrawCompileAndHearThatThereIsNoGraphics) {
    HEDDLE_NEEDS_CLANG();
    expect_program_works("graphics");
}

TEST(CudaLaunchSyntax, LaunchesInDeviceCodeBecomeCalls) {
    using cuda::Half;
    const auto call = [](const char* text, Half half) { return cuda::call_device_launches(text, half); };
    EXPECT_EQ(call("__global__ void p(int* q) { if (q) { a::k<int><<<1, n>>>(q); } }", Half::device),
              "__global__ void p(int* q) { if (q) { "
              "::heddle_launch::configure<decltype(&a::k<int>), &a::k<int>>(1, n)(q); } }");
    const char* const host = "void f() { k<<<1, 1>>>(); auto l = [] __device__() { return 1 << 2; }; }";
    EXPECT_EQ(call(host, Half::device), host);
    const char* const told = "// a __device__ function\n#define D __device__\nvoid f() { k<<<1, 1>>>(); }";
    EXPECT_EQ(call(told, Half::device), told);
    const char* const branches =
        "#if A\n__global__ void g(int) {\n#else\n__global__ void g(float) {\n#endif\n}\nvoid f() { k<<<1, "
        "1>>>(); }";
    EXPECT_EQ(call(branches, Half::device), branches);
    const char* const both = "__host__ __device__ void f() { k<<<1, 1>>>(); }";
    EXPECT_EQ(call(both, Half::host), both);
    EXPECT_NE(call(both, Half::device), both);
}

TEST(CudaLaunchSyntax, OnlyTheBracketsOfLaunchesComeTogetherAndNothingElseMoves) {
    const struct {
        const char *text, *joined;
    } cases[] = {
        {"k << <1, 1 >> > (p);", "k <<< 1, 1 >>>  (p);"},
        {"k < < < g(a, b), 1 > > > ();", "k <<<   g(a, b), 1 >>>   ();"},
        {"k<T> << <1, 1>>>(p);", "k<T> <<< 1, 1>>>(p);"},
        {"k << <n >> 2, 1 >> >\n  (p);", "k <<< n >> 2, 1 >>> \n  (p);"},
        {"k <<<1, 1>>>(p);", "k <<<1, 1>>>(p);"},
        {"os << < 3;", "os << < 3;"},
        {"friend S& operator<< <T>(S&);", "friend S& operator<< <T>(S&);"},
        {"// k << <1, 1 >> > (p);", "// k << <1, 1 >> > (p);"},
        {"f(\"k << <1, 1 >> > (p)\", '\"');", "f(\"k << <1, 1 >> > (p)\", '\"');"},
        {"R\"(k << <1 >> > (p))\" x;", "R\"(k << <1 >> > (p))\" x;"},
        {"std::vector<std::vector<A<int>> > v(3);", "std::vector<std::vector<A<int>> > v(3);"},
        {"int n = 1'000; k << <n, 1>> >(p);", "int n = 1'000; k <<< n, 1>>> (p);"},
        {"k << <1, 1", "k << <1, 1"},
    };
    for (const auto& c : cases) EXPECT_EQ(cuda::join_launch_brackets(c.text), c.joined);
}

TEST(HeddleCc, AnErrorInAFileWithBracketsApartKeepsItsPlace) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    const std::string file = folder.write(
        "apart.cu", "__global__ void k() {}\nint main() {\n    k << <1, 1 >> > (wrong_name);\n}\n");
    const Ended run = heddle_run({"cc", file, "-o", folder.path() + "/apart"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("apart.cu:3:22: error: use of undeclared identifier 'wrong_name'"),
              std::string::npos)
        << run.err;
}

TEST(HeddleCc, ADeviceFunctionThatIsNowhereIsAnErrorOfTheLink) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    const std::string file = folder.write("lost.cu",
                                          "__device__ int elsewhere(int);\n"
                                          "__global__ void k(int* p) { *p = elsewhere(3); }\n"
                                          "int main() { k<<<1, 1>>>(nullptr); }\n");
    const Ended run = heddle_run({"cc", "-rdc=true", file, "-o", folder.path() + "/lost"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("undefined device function 'elsewhere(int)'"), std::string::npos) << run.err;
    EXPECT_NE(access((folder.path() + "/lost").c_str(), F_OK), 0);
}

TEST(HeddleCc, AFaultOfCodeWithLineInformationNamesTheSourcesLine) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    const std::string file = folder.write("wild.cu",
                                          "__global__ void k(int* p) {\n"
                                          "    int v = threadIdx.x;\n"
                                          "    p[v] = v;\n"
                                          "}\n"
                                          "int main() {\n"
                                          "    k<<<1, 1>>>(nullptr);\n"
                                          "    return cudaDeviceSynchronize() != cudaSuccess;\n"
                                          "}\n");
    ASSERT_EQ(heddle_run({"cc", "-lineinfo", file, "-o", folder.path() + "/wild"}).code, 0);
    const Ended run = heddle_run({"run", folder.path() + "/wild"});
    EXPECT_EQ(run.code, 1);
    EXPECT_NE(run.err.find("thread (0,0,0), " + file + ":3)"), std::string::npos) << run.err;
}

TEST(HeddleRun, MemcheckSaysWhatBecomesOfAReadThatIsALittleTooFar) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    const std::string file = folder.write("far.cu",
                                          "__global__ void k(const int* p, int* to) { *to = p[256]; }\n"
                                          "int main() {\n"
                                          "    int *p, *to;\n"
                                          "    cudaMalloc(&p, 1024);\n"
                                          "    cudaMalloc(&to, 4);\n"
                                          "    k<<<1, 1>>>(p, to);\n"
                                          "    return cudaDeviceSynchronize() != cudaSuccess;\n"
                                          "}\n");
    const std::string program = folder.path() + "/far";
    ASSERT_EQ(heddle_run({"cc", "-maxrregcount=24", file, "-o", program}).code, 0);
    const std::string text =
        "illegal address 0x200000000400, access of 4 bytes: 0 bytes after the end of the "
        "1,024-byte device allocation";
    const Ended warned = heddle_run({"run", program}), off = heddle_run({"run", "--memcheck=off", program}),
                error = heddle_run({"run", "--memcheck", "error", program});
    EXPECT_EQ(warned.code, 0) << warned.err;
    EXPECT_NE(warned.err.find(text), std::string::npos) << warned.err;
    EXPECT_EQ(off.code, 0);
    EXPECT_EQ(off.err.find("illegal"), std::string::npos) << off.err;
    EXPECT_EQ(error.code, 1);
    EXPECT_NE(error.err.find(text), std::string::npos) << error.err;
    const Ended unknown = heddle_run({"run", "--memcheck", "waarn", program});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_EQ(unknown.err, "heddle: --memcheck: there is no mode 'waarn', did you mean 'warn'?\n");
}

TEST(CudaLocalNames, ClangsSuffixesGoAndTheNamesAreTheFilesOwn) {
    EXPECT_EQ(cuda::with_local_names(".extern .global .u32 _ZL1x;\n"
                                     ".const .align 4 .b8 _ZL1c[4];\n"
                                     ".visible .global .u32 _ZL1x__static__3fee017eb5a86f = 3;\n"
                                     ".visible .const .align 4 .b8 _ZL1c__static__3fee017eb5a86f[4];\n"
                                     ".visible .global .u64 p = _ZL1x;\n"
                                     ".weak .entry _ZL1kv__intern__3fee017eb5a86f(\n)\n{\n"
                                     "\tld.global.u32 \t%r1, [_ZL1x];\n}\n"),
              "\n\n.global .u32 _ZL1x = 3;\n.const .align 4 .b8 _ZL1c[4];\n.visible .global .u64 p = _ZL1x;\n"
              ".entry _ZL1kv(\n)\n{\n\tld.global.u32 \t%r1, [_ZL1x];\n}\n");
}

TEST(CudaRegisterLimit, StandsInEveryEntryWithoutLaunchBounds) {
    EXPECT_EQ(cuda::with_register_limit(".visible .entry a(\n.param .u64 p\n)\n{\nret;\n}\n"
                                        ".visible .entry b()\n.maxntid 64, 1, 1\n{\nret;\n}\n"
                                        ".func f(.param .b32 x)\n{\nret;\n}\n.entry c()\n{\nret;\n}\n",
                                        24),
              ".visible .entry a(\n.param .u64 p\n)\n.maxnreg 24\n{\nret;\n}\n"
              ".visible .entry b()\n.maxntid 64, 1, 1\n{\nret;\n}\n"
              ".func f(.param .b32 x)\n{\nret;\n}\n.entry c()\n.maxnreg 24\n{\nret;\n}\n");
}

}  // namespace
}  // namespace heddle
