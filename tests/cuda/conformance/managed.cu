// Managed variables, of this file and of another, read and written by host and device; what programs and libraries ask of
// headers: marks for profilers, guards, versions, error codes.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

#include <cstring>
#include <string>

#include "check.h"

struct Pair {
    int first;
    double second;
};

__device__ __managed__ int counter = 5;
__managed__ Pair pairs[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}};
static __managed__ float* memory;
__managed__ char empty_at_first[100000];
__device__ int not_managed = 9;

__global__ void change(int n) {
    atomicAdd(&counter, 1);
    if (threadIdx.x == 0) {
        pairs[1].second += pairs[0].first + not_managed;
        empty_at_first[99999] = static_cast<char>(n);
    }
    memory[threadIdx.x] = static_cast<float>(counter * 0 + threadIdx.x * n);
}
__global__ void architecture(int* out) {
#if defined(__CUDA_ARCH__)
    out[0] = __CUDA_ARCH__;
#endif
    out[1] = __isGlobal(out) != 0 && __isShared(out) == 0;
    out[2] = static_cast<int>(__cvta_generic_to_global(out) == reinterpret_cast<size_t>(out));
}

#if !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__CUDACC__)
#error a guard is missing
#endif

int main() {
    NVTX3_FUNC_RANGE();
    const nvtx3::scoped_range range{"all of it", nvtx3::rgb{1, 2, 3}, nvtx3::payload{7}};
    CHECK(nvtxRangePush("managed") == NVTX_NO_PUSH_POP_TRACKING);
    // Their first values are there before anything else happens.
    CHECK(counter == 5 && pairs[0].first == 1 && pairs[2].second == 3.5 && empty_at_first[99999] == 0);
    counter = 100;
    memory = managed<float>(32);
    change<<<1, 32>>>(3);
    CUDA(cudaDeviceSynchronize());
    CHECK(counter == 132, "%d", counter);
    CHECK(pairs[1].second == 2.5 + 1 + 9, "%f", pairs[1].second);
    CHECK(empty_at_first[99999] == 3);
    CHECK(memory[31] == 93);
    int copied = 0;
    CUDA(cudaMemcpyFromSymbol(&copied, counter, sizeof copied));
    CHECK(copied == 132);
    copied = 7;
    CUDA(cudaMemcpyToSymbol(counter, &copied, sizeof copied));
    CHECK(counter == 7);
    void* address = nullptr;
    CUDA(cudaGetSymbolAddress(&address, counter));
    CHECK(address == &counter);
    cudaPointerAttributes attributes;
    CUDA(cudaPointerGetAttributes(&attributes, &counter));
    CHECK(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == &counter);
    nvtxRangePop();

    int* out = managed<int>(3);
    architecture<<<1, 1>>>(out);
    CUDA(cudaDeviceSynchronize());
    CHECK(out[0] == EXPECTED_ARCHITECTURE, "%d", out[0]);
    CHECK(out[1] == 1 && out[2] == 1);
    cudaFuncAttributes function;
    CUDA(cudaFuncGetAttributes(&function, architecture));
    CHECK(function.ptxVersion * 10 == EXPECTED_ARCHITECTURE, "%d", function.ptxVersion);

    CHECK(std::string(cudaGetErrorName(cudaErrorPriorLaunchFailure)) == "cudaErrorPriorLaunchFailure");
    CHECK(cudaErrorTextureNotBound == 24 && cudaErrorLaunchMaxDepthExceeded == 65 && cudaErrorCdpNotSupported == 811 &&
          cudaErrorApiFailureBase == 10000);
    return finished();
}
