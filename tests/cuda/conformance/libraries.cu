// Libraries of kernels loaded by hand, in the runtime's form and the driver's: kernels, variables, what is known about both.

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>

#include "check.h"

#define DRIVER(call) CHECK((call) == CUDA_SUCCESS, "%s", #call)

// scale: p[i] = p[i] * factor + offset (a variable); shift: p[i] += bias (a managed variable).
static const char kText[] = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .global .align 4 .u32 offset = 7;
.visible .global .attribute(.managed) .align 4 .u32 bias = 3;
.visible .entry scale(.param .u64 p, .param .u8 unused, .param .u32 factor)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r3, [%rd1];
    ld.global.u32 %r4, [offset];
    mad.lo.u32 %r3, %r3, %r1, %r4;
    st.global.u32 [%rd1], %r3;
    ret;
}
.visible .entry shift(.param .u64 p)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r3, [%rd1];
    ld.global.u32 %r4, [bias];
    add.u32 %r3, %r3, %r4;
    st.global.u32 [%rd1], %r3;
    ret;
}
)";

__global__ void own_kernel(char a, double b, int c, int* p) {
    *p = a + static_cast<int>(b) + c;
}

static void runtime_form(int* p) {
    cudaLibrary_t library;
    CUDA(cudaLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    CUDA(cudaLibraryGetKernelCount(&count, library));
    CHECK(count == 2);
    cudaKernel_t scale, listed[2] = {};
    CUDA(cudaLibraryGetKernel(&scale, library, "scale"));
    CUDA(cudaLibraryEnumerateKernels(listed, 2, library));
    CHECK(listed[0] == scale && listed[1] != nullptr && listed[1] != scale);
    CHECK(cudaLibraryGetKernel(&scale, library, "none") == cudaErrorSymbolNotFound);

    for (int i = 0; i < 32; ++i) p[i] = i;
    unsigned char unused = 0;
    unsigned factor = 3;
    void* arguments[] = {&p, &unused, &factor};
    CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(scale), 1, 32, arguments, 0, 0));
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) CHECK(p[i] == 3 * i + 7, "%d", p[i]);

    // The kernel's variables are the program's too.
    void *at = nullptr, *managed = nullptr;
    size_t bytes = 0;
    CUDA(cudaLibraryGetGlobal(&at, &bytes, library, "offset"));
    CHECK(bytes == 4);
    const unsigned offset = 100;
    CUDA(cudaMemcpy(at, &offset, 4, cudaMemcpyHostToDevice));
    CUDA(cudaLibraryGetManaged(&managed, &bytes, library, "bias"));
    CHECK(bytes == 4 && *static_cast<unsigned*>(managed) == 3);
    *static_cast<unsigned*>(managed) = 1000;
    CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(scale), 1, 32, arguments, 0, 0));
    void* one[] = {&p};
    CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(listed[1]), 1, 32, one, 0, 0));
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) CHECK(p[i] == 3 * (3 * i + 7) + 100 + 1000, "%d", p[i]);
    CHECK(cudaLibraryGetGlobal(&at, &bytes, library, "none") == cudaErrorSymbolNotFound);
    CHECK(cudaLibraryGetManaged(&at, &bytes, library, "offset") == cudaErrorSymbolNotFound);
    void* function;
    CHECK(cudaLibraryGetUnifiedFunction(&function, library, "scale") == cudaErrorSymbolNotFound);

    size_t first = 9, size = 9;
    const size_t places[3][2] = {{0, 8}, {8, 1}, {12, 4}};
    for (size_t k = 0; k < 3; ++k) {
        CUDA(cudaFuncGetParamInfo(reinterpret_cast<const void*>(scale), k, &first, &size));
        CHECK(first == places[k][0] && size == places[k][1], "%zu: %zu %zu", k, first, size);
    }
    CHECK(cudaFuncGetParamInfo(reinterpret_cast<const void*>(scale), 3, &first, &size) ==
          cudaErrorInvalidValue);
    const char* name = nullptr;
    CUDA(cudaFuncGetName(&name, reinterpret_cast<const void*>(scale)));
    CHECK(std::string(name) == "scale");
    CUDA(cudaKernelSetAttributeForDevice(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000, 0));
    cudaFuncAttributes attributes;
    CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(scale)));
    CHECK(attributes.maxDynamicSharedSizeBytes == 60000);
    CHECK(cudaKernelSetAttributeForDevice(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000, 1) ==
          cudaErrorInvalidDevice);
    CUDA(cudaLibraryUnload(library));
    CHECK(cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
    CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(scale), 1, 32, arguments, 0, 0) ==
          cudaErrorInvalidDeviceFunction);
}

static void files_and_errors(int* p) {
    const char* const path = "library.ptx";
    std::FILE* const f = std::fopen(path, "w");
    CHECK(f != nullptr && std::fwrite(kText, 1, sizeof kText - 1, f) == sizeof kText - 1);
    std::fclose(f);
    cudaLibrary_t library;
    cudaLibraryOption preserved[] = {cudaLibraryBinaryIsPreserved};
    void* yes[] = {reinterpret_cast<void*>(1)};
    CUDA(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, preserved, yes, 1));
    std::remove(path);
    cudaKernel_t shift;
    CUDA(cudaLibraryGetKernel(&shift, library, "shift"));
    p[0] = 1;
    void* one[] = {&p};
    CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(shift), 1, 1, one, 0, 0));
    CUDA(cudaDeviceSynchronize());
    CHECK(p[0] == 4);
    CUDA(cudaLibraryUnload(library));
    CHECK(cudaLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0) ==
          cudaErrorFileNotFound);
    char log[256] = "x";
    cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CHECK(cudaLibraryLoadData(&library, ".version 6.4\n.target sm_70\nnonsense", options, values, 2, nullptr,
                              nullptr, 0) == cudaErrorInvalidPtx);
    CHECK(std::strstr(log, ".ptx:3") != nullptr, "%s", log);
    cudaGetLastError();
}

static void driver_form(int* p) {
    CUlibrary library;
    DRIVER(cuLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    DRIVER(cuLibraryGetKernelCount(&count, library));
    CHECK(count == 2);
    CUkernel shift, listed[2];
    DRIVER(cuLibraryGetKernel(&shift, library, "shift"));
    DRIVER(cuLibraryEnumerateKernels(listed, 2, library));
    CHECK(listed[1] == shift);
    CUfunction function, functions[2];
    DRIVER(cuKernelGetFunction(&function, shift));
    CUmodule module, of;
    DRIVER(cuLibraryGetModule(&module, library));
    DRIVER(cuFuncGetModule(&of, function));
    CHECK(of == module);
    DRIVER(cuModuleGetFunctionCount(&count, module));
    CHECK(count == 2);
    DRIVER(cuModuleEnumerateFunctions(functions, 2, module));
    CHECK(functions[1] == function);
    CUlibrary whose;
    DRIVER(cuKernelGetLibrary(&whose, shift));
    CHECK(whose == library);
    const char* name;
    DRIVER(cuKernelGetName(&name, shift));
    CHECK(std::string(name) == "shift");
    DRIVER(cuFuncGetName(&name, functions[0]));
    CHECK(std::string(name) == "scale");
    size_t first, size;
    DRIVER(cuFuncGetParamInfo(functions[0], 2, &first, &size));
    CHECK(first == 12 && size == 4);
    DRIVER(cuKernelGetParamInfo(shift, 0, &first, nullptr));
    CHECK(first == 0 && cuKernelGetParamInfo(shift, 1, &first, &size) == CUDA_ERROR_INVALID_VALUE);
    int value;
    DRIVER(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 70000, shift, 0));
    DRIVER(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shift, 0));
    CHECK(value == 70000);
    DRIVER(cuKernelSetCacheConfig(shift, CU_FUNC_CACHE_PREFER_L1, 0));
    CUfunctionLoadingState state;
    DRIVER(cuFuncLoad(function));
    DRIVER(cuFuncIsLoaded(&state, function));
    CHECK(state == CU_FUNCTION_LOADING_STATE_LOADED);
    CUmoduleLoadingMode mode;
    DRIVER(cuModuleGetLoadingMode(&mode));
    CHECK(mode == CU_MODULE_EAGER_LOADING);

    CUdeviceptr at;
    DRIVER(cuLibraryGetManaged(&at, &size, library, "bias"));
    *reinterpret_cast<unsigned*>(at) = 20;
    DRIVER(cuLibraryGetGlobal(&at, &size, library, "offset"));
    CHECK(size == 4);
    p[0] = 1;
    void* one[] = {&p};
    CUlaunchAttribute cooperative;
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, nullptr, &cooperative, 1};
    // A kernel's handle is a function's in each launch.
    DRIVER(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(shift), one, nullptr));
    DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, one, nullptr));
    DRIVER(cuCtxSynchronize());
    CHECK(p[0] == 41);
    size_t free_bytes;
    DRIVER(cuOccupancyAvailableDynamicSMemPerBlock(&free_bytes, function, 1, 64));
    CHECK(free_bytes > 40000);
    int clusters = 0;
    DRIVER(cuOccupancyMaxActiveClusters(&clusters, function, &config));
    CHECK(clusters > 0);
    DRIVER(cuLibraryUnload(library));
    CHECK(cuKernelGetName(&name, shift) != CUDA_SUCCESS);
}

static void own() {
    cudaKernel_t kernel;
    CUDA(cudaGetKernel(&kernel, reinterpret_cast<const void*>(own_kernel)));
    const size_t places[4][2] = {{0, 1}, {8, 8}, {16, 4}, {24, 8}};
    for (size_t k = 0; k < 4; ++k) {
        size_t first, size;
        CUDA(cudaFuncGetParamInfo(reinterpret_cast<const void*>(own_kernel), k, &first, &size));
        CHECK(first == places[k][0] && size == places[k][1]);
    }
    const char* name;
    CUDA(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)));
    CHECK(std::strstr(name, "own_kernel") != nullptr);
}

int main() {
    int* const p = managed<int>(32);
    runtime_form(p);
    files_and_errors(p);
    driver_form(p);
    own();
    return finished();
}
