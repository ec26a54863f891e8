// Programs as their own build files make them: separate compilation, C files, Makefiles and CMake through `heddle env`.

#include <gtest/gtest.h>

#include "cuda/programs.h"
#include "sim/build.h"

namespace heddle {
namespace {

std::string source(const std::string& name) {
    return checkout("tests/cuda/programs/" + name);
}

/// `heddle WORDS` in a folder; its error output must be empty unless `chatty`.
void heddle_in(const TemporaryFolder& folder, const std::vector<std::string>& words) {
    const Ended run = Started(words, folder.path()).wait();
    EXPECT_EQ(run.code, 0) << words[0] << " " << words[1] << ": " << run.out << run.err;
}

/// The program runs in Heddle and says that it is done.
void expect_said(const TemporaryFolder& folder, const std::string& program, const std::string& name) {
    const Ended run = Started({"record", "-o", "r", "./" + program}, folder.path()).wait();
    EXPECT_EQ(run.code, 0) << program << ": " << run.err;
    EXPECT_TRUE(run.out.starts_with(name + " done\n")) << program << ": " << run.out << run.err;
}

TEST(CudaToolkit, RelocatableCodeIsLinkedHoweverItIsBuilt) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    const std::string a = source("relocatable.cu"), b = source("relocatable_other.cu");
    heddle_in(folder, {"cc", "-rdc=true", a, b, "-o", "at_once"});
    expect_said(folder, "at_once", "relocatable");
    // Objects, an archive of them, a device link that is asked for by itself.
    heddle_in(folder, {"cc", "-dc", a, "-o", "a.o"});
    heddle_in(folder, {"cc", "--device-c", b, "-o", "b.o"});
    heddle_in(folder, {"cc", "-dlink", "a.o", "b.o", "-o", "link.o"});
    heddle_in(folder, {"cc", "a.o", "b.o", "link.o", "-o", "parts"});
    expect_said(folder, "parts", "relocatable");
    heddle_in(folder, {"cc", "-lib", "b.o", "-o", "libb.a"});
    heddle_in(folder, {"cc", "-rdc=true", "a.o", "-L.", "-lb", "-o", "archived"});
    expect_said(folder, "archived", "relocatable");
}

TEST(CudaToolkit, HeadersOfCInAnyOrderAndTheRuntimeInC) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    heddle_in(folder, {"cc", source("c_headers.cu"), "-I" + source("include"), "-o", "headers"});
    expect_said(folder, "headers", "c_headers");
    for (const char* standard : {"c++11", "c++14", "c++20"})
        heddle_in(folder, {"cc", "-std", standard, "-c", source("c_headers.cu"), "-I", source("include"),
                           "-o", "h.o"});
    heddle_in(folder, {"cc", "-cuda", source("c_headers.cu"), "-I", source("include")});
    EXPECT_NE(folder.read("c_headers.cu.cpp.ii").find("cudaLaunchKernel"), std::string::npos);
    heddle_in(folder, {"cc", source("runtime_in_c.c"), "-o", "in_c"});
    const Ended run = Started({"run", "--max-cycles", "1", "./in_c"}, folder.path()).wait();
    EXPECT_NE((run.out + run.err).find("runtime_in_c done\n"), std::string::npos) << run.err;
}

TEST(CudaToolkit, AMakefileThatNamesItsToolkitFindsHeddles) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    folder.write("Makefile",
                 "CUDA_DIR = /usr/local/cuda\n"
                 "NVCC = $(CUDA_DIR)/bin/nvcc\n"
                 "program: a.o b.o\n"
                 "\t$(NVCC) -arch=sm_70 -rdc=true $^ -o $@ -L$(CUDA_DIR)/lib64 -lcudart\n"
                 "a.o: " +
                     source("relocatable.cu") +
                     "\n\t$(NVCC) -O3 -Xcompiler -Wall -dc -I$(CUDA_DIR)/include $< -o $@\n"
                     "b.o: " +
                     source("relocatable_other.cu") + "\n\tnvcc -O3 -dc $< -o $@\n");
    heddle_in(folder, {"env", "make", "-s"});
    expect_said(folder, "program", "relocatable");
}

TEST(CudaToolkit, CMakesLanguageAndPackageAreFound) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    folder.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\n"
        "project(sample LANGUAGES CXX CUDA)\n"
        "find_package(CUDAToolkit 12 REQUIRED)\n"
        "add_executable(sample " +
            source("relocatable.cu") + " " + source("relocatable_other.cu") +
            ")\n"
            "set_target_properties(sample PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES 75)\n"
            "target_compile_features(sample PRIVATE cuda_std_14)\n");  // the runtime is linked without being named
    heddle_in(folder, {"env", "--", "cmake", "-B", "build"});
    heddle_in(folder, {"env", "--", "cmake", "--build", "build"});
    expect_said(folder, "build/sample", "relocatable");
}

TEST(CudaToolkit, CMakesPackageHasTheToolkitsLibraries) {
    HEDDLE_NEEDS_CLANG();
    const TemporaryFolder folder;
    // Of C++ alone, linked by the host's compiler: nothing of heddle cc takes part.
    folder.write(
        "blas.cpp",
        "#include <cstdio>\n#include <cublas_v2.h>\n#include <cuda.h>\n#include <nvrtc.h>\n"
        "int main() {\n"
        "    float x[3] = {1, 2, 3}, *d, dot = 0;\n"
        "    int major = 0, minor = 0, devices = 0;\n"
        "    cublasHandle_t handle;\n"
        "    CUdeviceptr p;\n"
        "    if (cuInit(0) || cuDeviceGetCount(&devices) || nvrtcVersion(&major, &minor)) return 1;\n"
        "    if (cublasCreate(&handle) || cuMemAlloc(&p, sizeof x)) return 2;\n"
        "    d = reinterpret_cast<float*>(p);\n"
        "    if (cublasSetVector(3, 4, x, 1, d, 1)) return 3;\n"
        "    if (cublasSdot(handle, 3, d, 1, d, 1, &dot) || dot != 14 || devices != 1) return 4;\n"
        "    std::printf(\"blas done\\n\");\n"
        "    return cublasDestroy(handle);\n"
        "}\n");
    folder.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\n"
        "project(sample LANGUAGES CXX)\n"
        "find_package(CUDAToolkit REQUIRED)\n"
        "add_executable(blas blas.cpp)\n"
        "target_link_libraries(blas PRIVATE CUDA::cudart CUDA::cublas CUDA::nvrtc CUDA::cuda_driver)\n");
    heddle_in(folder, {"env", "--", "cmake", "-B", "build"});
    heddle_in(folder, {"env", "--", "cmake", "--build", "build"});
    // What the host's compiler links can't start with a runtime that needs a sanitizer's library in front.
    if (sanitizer_library().empty()) expect_said(folder, "build/blas", "blas");
}

TEST(CudaToolkit, EnvPrintsLinesForAShellAndReportsAFailingCommand) {
    const TemporaryFolder folder;
    const Ended lines = Started({"env"}, folder.path()).wait();
    EXPECT_EQ(lines.code, 0) << lines.err;
    EXPECT_NE(lines.out.find("export CUDA_HOME='"), std::string::npos) << lines.out;
    EXPECT_EQ(Started({"env", "false"}, folder.path()).wait().code, 1);
    EXPECT_EQ(Started({"env", "no-such-command-anywhere"}, folder.path()).wait().code, 2);
    EXPECT_EQ(Started({"env", "--nonsense"}, folder.path()).wait().code, 2);
}

}  // namespace
}  // namespace heddle
