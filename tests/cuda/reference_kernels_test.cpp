// The kernels of the hardware reference: what they print must be what an H200 printed (hw/checksums.txt there; integer
// cases exactly, floating-point ones within 1e-5). Their source lies beside the repository and is skipped where it is not.
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

#include "built.h"
#include "cuda/programs.h"

namespace heddle {
namespace {

const std::string kSource = checkout("../shared/hw/kernels.cu");

struct Reference {
    const char* name;
    double checksum;
    bool integer, quick;  // quick: a second without optimisation
};
constexpr Reference kReferences[] = {
    {"vecadd", 4193447.86, false, false},
    {"triad", 33557696.6, false, false},
    {"strided_2", 523695.212, false, true},
    {"strided_8", 524562.596, false, false},
    {"strided_32", 524465.519, false, false},
    {"gather_1m", 523370.426, false, true},
    {"gather_16m", 523470.732, false, false},
    {"gather_256m", 524294.686, false, false},
    {"gups", 3.22757604e+10, true, false},
    {"row_sum", 2095929.64, false, true},
    {"spmv_scalar", 258066.863, false, false},
    {"spmv_warp", 258066.86, false, false},
    {"bfs", 64600.0, true, false},
    {"lookup", 130990.655, false, true},
    {"histogram_global", 1048576.0, true, true},
    {"histogram_shared", 4194304.0, true, false},
    {"transpose_naive", 2095929.64, false, false},
    {"transpose_tiled", 2095929.64, false, false},
    {"reduce", 4193853.29, false, false},
    {"scan", 269381747.0, false, false},
    {"sgemm", 33517765.1, false, false},
    {"stencil3d", 1970885.19, false, false},
    {"hotspot", 2200805.56, false, false},
    {"pathfinder", 3326920.0, true, true},
    {"walsh", 1053371.58, false, false},
    {"bitonic", 5.62484702e+14, true, false},
    {"convolve_rows", 6118821.93, false, false},
    {"convolve_columns", 6118814.33, false, false},
    {"black_scholes", 35516227.3, false, false},
    {"kmeans_aos", 250249.0, true, false},
    {"kmeans_soa", 249479.0, true, false},
    {"nbody", 249659.443, false, false},
};

TEST(ReferenceKernels, PrintTheChecksumsOfAnH200) {
    HEDDLE_NEEDS_CLANG();
    if (access(kSource.c_str(), R_OK) != 0) GTEST_SKIP() << kSource << " is not there";
    const std::string program = compiled("kernels", {kSource});
    ASSERT_NE(program, "");
    for (const Reference& r : kReferences) {
#ifndef __OPTIMIZE__
        if (!r.quick) continue;
#endif
        TemporaryFolder folder;
        const std::string command = program + " " + r.name + " >" + folder.path() + "/out";
        ASSERT_EQ(std::system(command.c_str()), 0) << r.name;
        double value = 0;
        ASSERT_EQ(
            std::sscanf(folder.read("out").c_str(), (std::string(r.name) + " checksum %lf").c_str(), &value),
            1)
            << r.name;
        // Integers are printed with nine digits.
        EXPECT_NEAR(value, r.checksum, r.integer ? 0 : std::fabs(r.checksum) * 1e-5) << r.name;
    }
}

}  // namespace
}  // namespace heddle
