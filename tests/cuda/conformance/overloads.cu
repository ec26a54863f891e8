// The C++ forms of the runtime's functions: typed pointers (to const too), kernels, symbols.

#include <cmath>
#include <cstdio>
#include <cstring>

#include "../programs/check.h"

__device__ int counter[4] = {1, 2, 3, 4};
__constant__ float scale = 2;
__device__ volatile int flag = 7;

template <class T>
__global__ void doubled(T* to, const T* from, int n) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < n) to[k] = from[k] * 2;
}
__global__ void __launch_bounds__(128, 4) bounded(int* p) {
    p[threadIdx.x] = static_cast<int>(threadIdx.x);
}
__global__ void dynamic(int* p) {
    extern __shared__ int room[];
    room[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    p[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

struct Record {
    int a;
    double b;
};

/// Functions of <cmath> by their common names: of floats they are float on the device as on the host.
template <class T>
__host__ __device__ void math_of(T a, T b, T* out) {
    T* o = out;
    for (T v : {acosh(a), asinh(b), atanh(b), cbrt(a), erf(b), erfc(b), exp2(a), expm1(b), lgamma(a), log1p(b), log2(a),
                logb(a), nearbyint(a), rint(a), round(a), tgamma(a), trunc(a), copysign(a, -b), fdim(a, b), fmax(a, b),
                fmin(a, b), hypot(a, b), nextafter(a, b), remainder(a, b), fma(a, b, a), scalbn(a, 3), scalbln(a, 3L)})
        *o++ = v;
    *o++ = static_cast<T>(ilogb(a) + lrint(a) + lround(a) + llrint(a) + llround(a));
    int quotient;
    *o++ = remquo(a, b, &quotient);
    *o++ = static_cast<T>(quotient);
}
constexpr int kMathValues = 30;
template <class T>
__global__ void math_on_device(T a, T b, T* out) {
    math_of(a, b, out);
}
template <class T>
void check_math(T relative) {
    T host[kMathValues], *device;
    OK(cudaMallocManaged(&device, sizeof host));
    const T a = static_cast<T>(5.75), b = static_cast<T>(0.625);
    math_of(a, b, host);
    math_on_device<<<1, 1>>>(a, b, device);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < kMathValues; ++k) CHECK(std::abs(device[k] - host[k]) <= relative * std::abs(host[k]));
    OK(cudaFree(device));
}

int main() {
    constexpr int n = 64;
    constexpr size_t bytes = n * sizeof(float);
    // Pointers of every kind of element.
    const float* from = nullptr;
    float* to = nullptr;
    Record* records = nullptr;
    const volatile int* odd = nullptr;
    float** table = nullptr;
    void* plain = nullptr;
    OK(cudaMalloc(&from, bytes));
    OK(cudaMalloc(&to, bytes));
    OK(cudaMalloc(&records, sizeof(Record)));
    OK(cudaMalloc(&odd, sizeof(int)));
    OK(cudaMalloc(&table, sizeof(float*)));
    OK(cudaMalloc(&plain, bytes));
    OK(cudaMalloc((void**)&plain, bytes));
    const float *host = nullptr, *pinned = nullptr, *managed = nullptr, *pitched = nullptr, *pooled = nullptr;
    OK(cudaMallocHost(&host, bytes));
    OK(cudaMallocHost(&pinned, bytes, cudaHostAllocMapped));
    OK(cudaHostAlloc(&pinned, bytes, cudaHostAllocMapped));
    OK(cudaMallocManaged(&managed, bytes));
    OK(cudaMallocManaged(&managed, bytes, cudaMemAttachGlobal));
    size_t pitch = 0;
    OK(cudaMallocPitch(&pitched, &pitch, 100, 4));
    CHECK(pitch >= 100);
    OK(cudaMallocAsync(&pooled, bytes, 0));
    cudaMemPool_t pool;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMallocAsync(&pooled, bytes, pool, 0));
    OK(cudaMallocFromPoolAsync(&pooled, bytes, pool, 0));
    const float* seen = nullptr;
    OK(cudaHostGetDevicePointer(&seen, const_cast<float*>(host), 0));
    CHECK(seen == host);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamAttachMemAsync(stream, const_cast<float*>(managed)));
    cudaEvent_t event;
    OK(cudaEventCreate(&event, cudaEventDisableTiming));

    // Symbols by themselves, typed addresses.
    int values[4] = {5, 6, 7, 8}, back[4] = {};
    OK(cudaMemcpyToSymbol(counter, values, sizeof values));
    OK(cudaMemcpyFromSymbolAsync(back, counter, sizeof(int), 2 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(back[0] == 7);
    const float two = 4;
    OK(cudaMemcpyToSymbolAsync(scale, &two, sizeof two, 0, cudaMemcpyHostToDevice, stream));
    int* address = nullptr;
    const int* same = nullptr;
    OK(cudaGetSymbolAddress(&address, counter));
    OK(cudaGetSymbolAddress(&same, counter));
    OK(cudaGetSymbolAddress((void**)&address, counter));
    CHECK(address == same);
    size_t size = 0;
    OK(cudaGetSymbolSize(&size, counter));
    CHECK(size == sizeof counter);
    int seven = 0;
    OK(cudaMemcpyFromSymbol(&seven, flag, sizeof seven));
    CHECK(seven == 7);

    // Kernels by name, instances of templates, pointers to them.
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, doubled<float>));
    OK(cudaFuncGetAttributes(&attributes, bounded));
    CHECK(attributes.maxThreadsPerBlock == 128);
    OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    OK(cudaFuncSetCacheConfig(doubled<int>, cudaFuncCachePreferL1));
    OK(cudaFuncSetSharedMemConfig(bounded, cudaSharedMemBankSizeFourByte));
    const char* name = nullptr;
    OK(cudaFuncGetName(&name, bounded));
    CHECK(std::strcmp(name, "_Z7boundedPi") == 0);
    int blocks = 0, block = 0, grid = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, doubled<float>, 128, 0));
    CHECK(blocks > 0);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, bounded, 128, 0, cudaOccupancyDefault));
    CHECK(blocks >= 4);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, doubled<double>));
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, doubled<double>, 0, 96));
    CHECK(block <= 96 && block > 0 && grid > 0);
    OK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, dynamic, 64, 0, cudaOccupancyDefault));
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic,
                                                         [](int threads) { return threads * sizeof(int); }));
    OK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        &grid, &block, dynamic, [](int threads) { return threads * sizeof(int); }, 0, cudaOccupancyDefault));
    size_t room = 0;
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, dynamic, 1, 64));
    CHECK(room >= 64 * sizeof(int));

    // Launches by calls.
    float one[n];
    for (float& v : one) v = 1.5f;
    OK(cudaMemcpy(const_cast<float*>(from), one, bytes, cudaMemcpyHostToDevice));
    int count = n;
    void* arguments[] = {&to, &from, &count};
    OK(cudaLaunchKernel(doubled<float>, dim3(1), dim3(n), arguments));
    OK(cudaLaunchKernel((const void*)doubled<float>, dim3(1), dim3(n), arguments, 0, 0));
    OK(cudaLaunchCooperativeKernel(doubled<float>, dim3(1), dim3(n), arguments));
    OK(cudaMemcpy(one, to, bytes, cudaMemcpyDeviceToHost));
    for (float v : one) CHECK(v == 3);
    void (*pointer)(int*) = dynamic;
    int* ints = nullptr;
    OK(cudaMallocManaged(&ints, n * sizeof(int)));
    pointer<<<1, n, n * sizeof(int), stream>>>(ints);
    OK(cudaStreamSynchronize(stream));
    CHECK(ints[0] == n - 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = n;
    OK(cudaLaunchKernelEx(&config, bounded, ints));
    OK(cudaDeviceSynchronize());
    CHECK(ints[5] == 5);

    // What kernels of a stream shall keep in L2.
    cudaStreamAttrValue window = {};
    window.accessPolicyWindow.base_ptr = to;
    window.accessPolicyWindow.num_bytes = bytes;
    window.accessPolicyWindow.hitRatio = 0.6f;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 16));
    OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
    cudaStreamAttrValue kept = {};
    OK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &kept));
    CHECK(kept.accessPolicyWindow.base_ptr == to && kept.accessPolicyWindow.num_bytes == bytes);
    cudaStream_t other;
    OK(cudaStreamCreate(&other));
    OK(cudaStreamCopyAttributes(other, stream));
    OK(cudaStreamGetAttribute(other, cudaLaunchAttributeAccessPolicyWindow, &kept));
    CHECK(kept.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
    window.accessPolicyWindow.hitRatio = 2;
    CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window) ==
           cudaErrorInvalidValue);
    OK(cudaCtxResetPersistingL2Cache());
    check_math(1e-6f);
    check_math(1e-14);
    std::puts("overloads done");
}
