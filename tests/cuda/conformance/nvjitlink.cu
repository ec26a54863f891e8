// nvJitLink: a kernel and the function that it calls, compiled apart while this program runs, joined and launched; what it refuses.

#include <cstring>
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#include "library.h"

static std::vector<char> code_of(const char* source, const char* name) {
    nvrtcProgram program;
    OK(nvrtcCreateProgram(&program, source, name, 0, nullptr, nullptr));
    const char* const options[] = {"-dlto", "--relocatable-device-code=true"};
    OK(nvrtcCompileProgram(program, 2, options));
    size_t bytes = 0;
    OK(nvrtcGetLTOIRSize(program, &bytes));
    std::vector<char> code(bytes);
    OK(nvrtcGetLTOIR(program, code.data()));
    OK(nvrtcDestroyProgram(&program));
    return code;
}

int main() {
    const std::vector<char> kernel = code_of(
        "extern __device__ int twice(int v);\n"
        "extern \"C\" __global__ void fill(int* out) { out[threadIdx.x] = twice(threadIdx.x) + 1; }\n",
        "kernel.cu");
    const std::vector<char> function = code_of("__device__ int twice(int v) { return 2 * v; }\n", "function.cu");

    nvrtcProgram plain;
    size_t bytes = 0;
    OK(nvrtcCreateProgram(&plain, "__global__ void k() {}\n", nullptr, 0, nullptr, nullptr));
    OK(nvrtcCompileProgram(plain, 0, nullptr));
    EXPECT(nvrtcGetLTOIRSize(plain, &bytes) == NVRTC_ERROR_INVALID_PROGRAM);
    OK(nvrtcDestroyProgram(&plain));

    unsigned major = 0, minor = 99;
    OK(nvJitLinkVersion(&major, &minor));
    EXPECT(major == 12 && minor < 99);
    nvJitLinkHandle link = nullptr;
    const char* options[] = {"-lto", "-arch=sm_70"};
    EXPECT(nvJitLinkCreate(&link, 1, options) == NVJITLINK_ERROR_MISSING_ARCH);
    OK(nvJitLinkCreate(&link, 2, options));
    EXPECT(nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_ERROR_INVALID_INPUT);
    OK(nvJitLinkGetErrorLogSize(link, &bytes));
    EXPECT(bytes == 0);
    EXPECT(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, "nothing", 7, "empty.ptx") ==
           NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
    OK(nvJitLinkGetErrorLogSize(link, &bytes));
    std::vector<char> log(bytes);
    OK(nvJitLinkGetErrorLog(link, log.data()));
    EXPECT(std::strstr(log.data(), "empty.ptx") != nullptr);
    OK(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, kernel.data(), kernel.size(), "kernel"));
    OK(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, function.data(), function.size(), "function"));
    OK(nvJitLinkComplete(link));
    OK(nvJitLinkGetLinkedCubinSize(link, &bytes));
    std::vector<char> image(bytes);
    OK(nvJitLinkGetLinkedCubin(link, image.data()));
    OK(nvJitLinkDestroy(&link));
    EXPECT(link == nullptr);

    OK(cuInit(0));
    CUcontext context;
    OK(cuCtxCreate(&context, 0, 0));
    CUmodule module;
    CUfunction fill;
    OK(cuModuleLoadData(&module, image.data()));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    int* const out = managed<int>(64);
    void* arguments[] = {const_cast<int**>(&out)};
    OK(cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuCtxSynchronize());
    for (int k = 0; k < 64; ++k) EXPECT(out[k] == 2 * k + 1);
    return finished("nvjitlink");
}
