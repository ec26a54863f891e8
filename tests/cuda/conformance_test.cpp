// The programs under tests/cuda/conformance: each compares functions of CUDA with plain C++ and counts what it checked.

#include <cstdio>
#include <gtest/gtest.h>

#include "cuda/asm_escapes.h"
#include "cuda/packages.h"
#include "cuda/programs.h"

namespace heddle {
namespace {

struct Conformance {
    const char* name;
    std::vector<const char*> sources;
    std::vector<const char*> options;
    int checks;  // at least
};

void PrintTo(const Conformance& c, std::ostream* out) {
    *out << c.name;
}

class CudaConformance : public testing::TestWithParam<Conformance> {};

TEST_P(CudaConformance, EveryCheckHolds) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    const std::string program = folder.path() + "/program";
    std::vector<std::string> words{"cc"};
    for (const char* source : GetParam().sources)
        words.push_back(checkout("tests/cuda/conformance/") + source);
    for (const char* option : GetParam().options) words.emplace_back(option);
    words.insert(words.end(), {"-o", program});
    const Ended made = heddle_run(words);
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.err, "");
    const int status = std::system((program + " >" + folder.path() + "/out 2>&1").c_str());
    const std::string out = folder.read("out");
    EXPECT_EQ(status, 0) << out;
    const std::size_t last = out.rfind('\n', out.size() - 2);
    int checks = 0, failed = -1;
    std::sscanf(out.c_str() + (last == std::string::npos ? 0 : last + 1), "%d checks, %d failed", &checks,
                &failed);
    EXPECT_GE(checks, GetParam().checks) << out;
    EXPECT_EQ(failed, 0) << out;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, CudaConformance,
    testing::Values(
        Conformance{"simd", {"simd.cu"}, {}, 200000}, Conformance{"half", {"half.cu"}, {}, 1000000},
        Conformance{"half_sm_90", {"half.cu"}, {"-arch=sm_90"}, 1000000},
        Conformance{"groups", {"groups.cu"}, {}, 3000},
        Conformance{"groups_sm_80", {"groups.cu"}, {"-arch=sm_80"}, 3000},
        Conformance{"groups_sm_90", {"groups.cu"}, {"-arch=sm_90", "-DCLUSTERS"}, 3080},
        Conformance{"wide_tiles", {"wide_tiles.cu"}, {}, 20000},
        Conformance{"mbarrier", {"mbarrier.cu"}, {"-arch=sm_80"}, 650},
        Conformance{"mbarrier_sm_90", {"mbarrier.cu"}, {"-arch=sm_90", "-DBYTES"}, 650},
        Conformance{"managed", {"managed.cu"}, {"-DEXPECTED_ARCHITECTURE=700"}, 25},
        Conformance{
            "managed_rdc", {"managed.cu"}, {"-rdc=true", "-arch=sm_90a", "-DEXPECTED_ARCHITECTURE=900"}, 25},
        Conformance{"tensor", {"tensor.cu"}, {"-arch=sm_80"}, 6000},
        Conformance{"surfaces", {"surfaces.cu"}, {}, 3000}, Conformance{"thrust", {"thrust.cu"}, {}, 25},
        Conformance{"libcu", {"libcu.cu"}, {}, 1900}, Conformance{"mended", {"mended.cu"}, {}, 68},
        Conformance{"pools", {"pools.cu"}, {}, 80},
        Conformance{"libraries", {"libraries.cu"}, {"-lcuda"}, 160},
        Conformance{"graph_objects", {"graph_objects.cu"}, {"-DHEDDLE_LATEST"}, 120},
        Conformance{"driver_graphs", {"driver_graphs.cu"}, {"-lcuda"}, 130},
        Conformance{"batches", {"batches.cu"}, {"-DHEDDLE_LATEST", "-lcuda"}, 250},
        Conformance{"latecomers", {"latecomers.cu"}, {"-lcuda", "-ldl"}, 136},
        Conformance{"processes", {"processes.cu"}, {"-lcuda"}, 540},
        Conformance{"displays", {"displays.cu"}, {"-lcuda"}, 22},
        Conformance{"attributes", {"attributes.cu"}, {"-lcuda"}, 130},
        Conformance{"libcu_sm_80", {"libcu.cu"}, {"-arch=sm_80"}, 1900},
        Conformance{"mathematics", {"mathematics.cu", "mathematics_reference.cpp"}, {"-lquadmath"}, 130000},
        Conformance{"cufft_splits", {"cufft_splits.cu"}, {"-lcufft"}, 1100000}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(HeaderPackages, AMissingHeaderOfALibraryNamesItsPackage) {
    const std::string nowhere = "/nonexistent";
    auto said = [](const std::string& header) {
        return "a.cu:1:10: fatal error: '" + header + "' file not found\n#include <" + header +
               ">\n         ^~~~\n1 error generated.\n";
    };
    const struct {
        const char *header, *package;
    } cases[] = {{"thrust/sort.h", "libthrust-dev"}, {"cub/cub.cuh", "libcub-dev"},
                 {"cuda/atomic", "libcu++-dev"},     {"cuda/std/tuple", "libcu++-dev"},
                 {"nv/target", "libcu++-dev"},       {"thrusters.h", ""},
                 {"mine/thrust/sort.h", ""}};
    for (const auto& c : cases)
        EXPECT_EQ(cuda::missing_header(said(c.header), nowhere).package, c.package) << c.header;
    EXPECT_EQ(cuda::missing_header(said("cub/cub.cuh"), nowhere).header, "cub/cub.cuh");
    EXPECT_EQ(cuda::missing_header("", nowhere).package, "");
    EXPECT_EQ(cuda::missing_header("a.cu:1:1: error: unknown type name 'x'\n", nowhere).package, "");
    // What is installed and still lacks the header has it under no other package.
    TemporaryFolder folder;
    ASSERT_EQ(std::system(("mkdir " + folder.path() + "/thrust").c_str()), 0);
    EXPECT_EQ(cuda::missing_header(said("thrust/none.h"), folder.path()).package, "");
}

TEST(AssemblyEscapes, SingleSignsBeforeNamesAreDoubledInTheStatementThatClangNames) {
    const std::string text =
        "int percent = 7 % percent;\n"
        "asm(\"mov.u32 %0, %laneid;\" : \"=r\"(a)); asm(\"mov.u32 %0, %%warpid;\\n\"\n"
        "    \"add.u32 %0, %1, %smid;\" : \"=r\"(a)); printf(\"%d\", 1);\n";
    const std::string said =
        "/x/a.cu:2:21: error: invalid % escape in inline assembly string\n"
        "/x/a.cu:3:27: error: invalid % escape in inline assembly string\n";
    const auto places = cuda::unknown_escapes(said);
    ASSERT_EQ(places.size(), 2u);
    EXPECT_EQ(places[1].file, "/x/a.cu");
    EXPECT_EQ(places[1].line, 3u);
    EXPECT_EQ(places[1].column, 27u);
    EXPECT_EQ(cuda::double_escapes(text, places),
              "int percent = 7 % percent;\n"
              "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(a)); asm(\"mov.u32 %0, %%warpid;\\n\"\n"
              "    \"add.u32 %0, %1, %%smid;\" : \"=r\"(a)); printf(\"%d\", 1);\n");
    EXPECT_TRUE(cuda::unknown_escapes("/x/a.cu:2:21: error: expected ';'\n").empty());
    EXPECT_EQ(cuda::double_escapes(text, {{"/x/a.cu", 99, 1}}), text);
}

TEST(HeddleCc, AssemblyThatOnlyNvccReadsIsMendedWithItsLinesKept) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    folder.write("lane.h",
                 "static __device__ unsigned lane() {\n    unsigned r;\n    asm(\"mov.u32 %0, %laneid;\" : "
                 "\"=r\"(r));\n    return r;\n}\n");
    const std::string good = folder.write(
        "good.cu",
        "#include \"lane.h\"\n__global__ void k(unsigned* p) {\n    unsigned w;\n    asm volatile(\"mov.u32 "
        "%0, \"\n        \"%warpid;\" : \"=r\"(w));\n    p[threadIdx.x] = lane() + w;\n}\nint main() {\n    "
        "unsigned* p;\n    cudaMallocManaged(&p, 256);\n    k<<<1, 64>>>(p);\n    return "
        "cudaDeviceSynchronize() == cudaSuccess && p[40] == 9 ? 0 : 1;\n}\n");
    const Ended made = heddle_run({"cc", good, "-o", folder.path() + "/good"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(std::system((folder.path() + "/good").c_str()), 0);
    const std::string bad = folder.write(
        "bad.cu",
        "#include \"lane.h\"\n__global__ void k(unsigned* p) { *p = lane() + nothing; }\nint main() {}\n");
    const Ended run = heddle_run({"cc", bad, "-o", folder.path() + "/bad"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("bad.cu:2:48: error: use of undeclared identifier 'nothing'"), std::string::npos)
        << run.err;
}

}  // namespace
}  // namespace heddle
