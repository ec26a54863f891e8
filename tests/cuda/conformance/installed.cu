// What an installed toolkit's headers declare, by the runtime of Heddle: structures, symbols, textures, math, warps.

#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "../programs/check.h"

namespace {

constexpr int kThreads = 256;

__constant__ float factors[4];
__device__ int counter;

template <class T>
__global__ void reduce(const T* in, T* out, int n) {
    __shared__ T parts[kThreads / 32];
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    T sum = k < n ? in[k] : T(0);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < kThreads / 32; ++w) parts[0] += parts[w];
    out[blockIdx.x] = parts[0];
    atomicAdd(&counter, 1);
}

__global__ void mathematics(float* out) {
    const float x = static_cast<float>(threadIdx.x) * 0.25f;
    out[threadIdx.x] = sinf(x) + sqrtf(x) * factors[threadIdx.x % 4];
    out[32 + threadIdx.x] = static_cast<float>(pow(static_cast<double>(x), 1.5) + erf(0.5));
    out[64 + threadIdx.x] = __half2float(__hadd(__float2half(x), __float2half(1.0f)));
}

__global__ void fetch(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex2D<float>(texture, static_cast<float>(threadIdx.x) + 0.5f, 1.5f);
}

__global__ void tiles(int* out) {
    namespace cg = cooperative_groups;
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    out[threadIdx.x] =
        tile.shfl(static_cast<int>(threadIdx.x), 3) + static_cast<int>(tile.meta_group_rank()) * 1000;
}

}  // namespace

int main() {
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    int warp = 0;
    OK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
    CHECK(properties.warpSize == 32 && warp == 32 && properties.major >= 7);
    CHECK(properties.multiProcessorCount > 0 && properties.totalGlobalMem > 0 &&
          properties.managedMemory == 1);

    constexpr int n = 1000;
    double *in = nullptr, *out = nullptr;
    OK(cudaMallocManaged(&in, n * sizeof(double)));
    OK(cudaMallocManaged(&out, 4 * sizeof(double)));
    for (int k = 0; k < n; ++k) in[k] = k;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(begin, stream));
    reduce<<<4, kThreads, 0, stream>>>(in, out, n);
    OK(cudaEventRecord(end, stream));
    OK(cudaStreamSynchronize(stream));
    float time_ms = -1;
    OK(cudaEventElapsedTime(&time_ms, begin, end));
    CHECK(time_ms > 0);
    CHECK(out[0] + out[1] + out[2] + out[3] == n * (n - 1) / 2 && out[0] == 255 * 256 / 2);
    int count = 0;
    OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    CHECK(count == 4);

    const float given[4] = {1, 2, 3, 4};
    OK(cudaMemcpyToSymbol(factors, given, sizeof given));
    float *values = nullptr, host[96];
    OK(cudaMalloc(&values, sizeof host));
    mathematics<<<1, 32>>>(values);
    OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 32; ++k) {
        const float x = static_cast<float>(k) * 0.25f;
        CHECK(std::fabs(host[k] - (std::sin(x) + std::sqrt(x) * given[k % 4])) <
              1e-5f * (1 + std::fabs(host[k])));
        CHECK(std::fabs(host[32 + k] - (std::pow(x, 1.5) + std::erf(0.5))) < 1e-5 * (1 + host[32 + k]));
        CHECK(host[64 + k] == x + 1);
    }

    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&array, &format, 32, 2));
    for (int k = 0; k < 64; ++k) host[k] = static_cast<float>(k);
    OK(cudaMemcpy2DToArray(array, 0, 0, host, 32 * sizeof(float), 32 * sizeof(float), 2,
                           cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    fetch<<<1, 32>>>(texture, values);
    OK(cudaMemcpy(host, values, 32 * sizeof(float), cudaMemcpyDeviceToHost));
    for (int k = 0; k < 32; ++k) CHECK(host[k] == static_cast<float>(32 + k));

    int* words = nullptr;
    OK(cudaMallocManaged(&words, 32 * sizeof(int)));
    tiles<<<1, 32>>>(words);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < 32; ++k) CHECK(words[k] == k / 8 * 8 + 3 + k / 8 * 1000);
    std::puts("installed done");
}
