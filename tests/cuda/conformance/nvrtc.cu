// NVRTC: a program with a header of its own and a template, compiled while this one runs; its lowered names; logs of what is wrong.

#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#include "library.h"

static std::string log_of(nvrtcProgram program) {
    size_t bytes = 0;
    EXPECT(nvrtcGetProgramLogSize(program, &bytes) == NVRTC_SUCCESS);
    std::vector<char> log(bytes);
    EXPECT(nvrtcGetProgramLog(program, log.data()) == NVRTC_SUCCESS);
    return log.data();
}

int main() {
    const char* const source = R"(
#include "scale.h"
namespace shapes {
__constant__ int offset = 3;
template <typename T, int kAdd>
__global__ void fill(T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0);
    if (i < n) out[i] = scaled(static_cast<T>(i)) + kAdd + offset;
}
}
extern "C" __global__ void plain(int* out) { *out = FROM_OPTION; }
)";
    const char* const header = "template <typename T> __device__ T scaled(T v) { return 2 * v; }\n";
    const char* const name = "scale.h";
    nvrtcProgram program;
    EXPECT(nvrtcCreateProgram(&program, source, "shapes.cu", 1, &header, &name) == NVRTC_SUCCESS);
    EXPECT(nvrtcAddNameExpression(program, "shapes::fill<double, 5>") == NVRTC_SUCCESS);
    EXPECT(nvrtcAddNameExpression(program, "&shapes::offset") == NVRTC_SUCCESS);
    const char* const options[] = {"--gpu-architecture=compute_70", "-DFROM_OPTION=77", "--std=c++14"};
    const nvrtcResult compiled = nvrtcCompileProgram(program, 3, options);
    if (compiled != NVRTC_SUCCESS)
        std::printf("%s: %s\n", nvrtcGetErrorString(compiled), log_of(program).c_str());
    EXPECT(compiled == NVRTC_SUCCESS);
    size_t bytes = 0;
    EXPECT(nvrtcGetPTXSize(program, &bytes) == NVRTC_SUCCESS);
    std::vector<char> ptx(bytes);
    EXPECT(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS);
    EXPECT(ptx.back() == 0 && std::strstr(ptx.data(), "heddle_name_expression") == nullptr);
    const char *fill_name, *offset_name;
    EXPECT(nvrtcGetLoweredName(program, "shapes::fill<double, 5>", &fill_name) == NVRTC_SUCCESS);
    EXPECT(nvrtcGetLoweredName(program, "&shapes::offset", &offset_name) == NVRTC_SUCCESS);
    EXPECT(nvrtcGetLoweredName(program, "other", &fill_name) == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);

    EXPECT(cuInit(0) == CUDA_SUCCESS);
    CUcontext context;
    EXPECT(cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
    CUmodule module;
    CUfunction fill, plain;
    EXPECT(cuModuleLoadData(&module, ptx.data()) == CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&fill, module, fill_name) == CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&plain, module, "plain") == CUDA_SUCCESS);
    CUdeviceptr offset, out;
    EXPECT(cuModuleGetGlobal(&offset, &bytes, module, offset_name) == CUDA_SUCCESS && bytes == 4);
    int n = 100;
    EXPECT(cuMemAllocManaged(&out, n * sizeof(double), CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
    void* params[] = {&out, &n};
    EXPECT(cuLaunchKernel(fill, 2, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
    EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);
    for (int i = 0; i < n; ++i) EXPECT(reinterpret_cast<double*>(out)[i] == 2.0 * i + 8);
    EXPECT(cuLaunchKernel(plain, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
    EXPECT(cuCtxSynchronize() == CUDA_SUCCESS && *reinterpret_cast<int*>(out) == 77);
    EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && program == nullptr);

    // An error names the program's own file and line; a wrong option is an error of its own.
    EXPECT(nvrtcCreateProgram(&program, "__global__ void k() {\n  missing();\n}\n", "wrong.cu", 0, nullptr,
                              nullptr) == NVRTC_SUCCESS);
    EXPECT(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION);
    EXPECT(log_of(program).find("wrong.cu:2:") != std::string::npos &&
           log_of(program).find("missing") != std::string::npos);
    EXPECT(nvrtcGetPTXSize(program, &bytes) == NVRTC_ERROR_INVALID_PROGRAM);
    const char* const wrong = "--no-such-option";
    EXPECT(nvrtcCompileProgram(program, 1, &wrong) == NVRTC_ERROR_INVALID_OPTION);
    EXPECT(log_of(program).find("no-such-option") != std::string::npos);
    EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
    std::printf("nvrtc done\n");
}
