// The calls that nvcc writes for launches in kernels, under the names of CUDA 12 and of CUDA 11, and what else the device
// runtime has.

#include <cstdio>

#include "../programs/check.h"

extern "C" {
__device__ void* __cudaCDP2GetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void* buffer, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2_ptsz(void* buffer, cudaStream_t stream);
__device__ void* __cudaCDP2GetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t __cudaCDP2LaunchDevice(void* kernel, void* buffer, dim3 grid, dim3 block,
                                              unsigned shared, cudaStream_t stream);
__device__ void* cudaGetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared);
__device__ cudaError_t cudaLaunchDeviceV2(void* buffer, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2DeviceSynchronize();
__device__ cudaError_t __cudaCDP2GetLastError();
__device__ const char* __cudaCDP2GetErrorString(cudaError_t error);
__device__ cudaError_t __cudaCDP2GetDeviceCount(int* count);
__device__ cudaError_t __cudaCDP2GetDevice(int* device);
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
__device__ cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t stream);
__device__ cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t* event, unsigned flags);
__device__ cudaError_t __cudaCDP2EventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2EventDestroy(cudaEvent_t event);
__device__ cudaError_t __cudaCDP2Malloc(void** p, size_t bytes);
__device__ cudaError_t __cudaCDP2Free(void* p);
__device__ cudaError_t __cudaCDP2MemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                             cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                               size_t width, size_t height, cudaMemcpyKind kind,
                                               cudaStream_t stream);
__device__ cudaError_t __cudaCDP2MemsetAsync(void* p, int value, size_t bytes, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height,
                                               cudaStream_t stream);
__device__ cudaError_t __cudaCDP2DeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
}

namespace {

constexpr int kWords = 64;

__global__ void child(char tag, int* p, short add, double factor) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    p[k] += static_cast<int>(add * factor) + tag;
}

__global__ void append(int* list, int value) {
    list[++list[0]] = value;
}

/// A kernel's parameters, each aligned to itself.
__device__ void fill(void* buffer, char tag, int* p, short add, double factor) {
    char* const b = static_cast<char*>(buffer);
    b[0] = tag;
    *reinterpret_cast<int**>(b + 8) = p;
    *reinterpret_cast<short*>(b + 16) = add;
    *reinterpret_cast<double*>(b + 24) = factor;
}

/// clang takes a kernel's address in device code as a constant only.
template <class F, F Kernel>
struct Address {
    static constexpr F value = Kernel;
};
__device__ void* child_address() {
    return reinterpret_cast<void*>(Address<decltype(&child), &child>::value);
}

__global__ void launches(int* p) {
    // Every lane launches a kernel of its own.
    void* buffer = __cudaCDP2GetParameterBufferV2(child_address(), dim3(2), dim3(8), 0);
    fill(buffer, 1, p + threadIdx.x * 16, 3, 2.0);
    p[kWords] = __cudaCDP2LaunchDeviceV2(buffer, nullptr);
    if (threadIdx.x != 0) return;
    buffer = __cudaCDP2GetParameterBuffer(64, 32);
    fill(buffer, 2, p, 10, 10.0);
    p[kWords + 1] = __cudaCDP2LaunchDevice(child_address(), buffer, dim3(1), dim3(16), 0, nullptr);
    buffer = cudaGetParameterBufferV2(child_address(), dim3(1), dim3(1), 0);
    fill(buffer, 0, p + 63, 1, 1000.0);
    p[kWords + 2] = cudaLaunchDeviceV2(buffer, nullptr);
    // A block of too many threads, no buffer, no kernel.
    buffer = __cudaCDP2GetParameterBufferV2(child_address(), dim3(1), dim3(4096), 0);
    p[kWords + 3] = __cudaCDP2LaunchDeviceV2_ptsz(buffer, nullptr);
    p[kWords + 4] = __cudaCDP2LaunchDeviceV2(nullptr, nullptr);
    buffer = __cudaCDP2GetParameterBufferV2(p, dim3(1), dim3(1), 0);
    p[kWords + 5] = __cudaCDP2LaunchDeviceV2(buffer, nullptr);
}

__device__ void append_in(int* list, int value, cudaStream_t stream) {
    void* const kernel = reinterpret_cast<void*>(Address<decltype(&append), &append>::value);
    void* const buffer = __cudaCDP2GetParameterBufferV2(kernel, dim3(1), dim3(1), 0);
    *static_cast<int**>(buffer) = list;
    static_cast<int*>(buffer)[2] = value;
    __cudaCDP2LaunchDeviceV2(buffer, stream);
}

__global__ void order(int* list) {
    cudaStream_t stream;
    cudaEvent_t event;
    const bool made = __cudaCDP2StreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
                      __cudaCDP2EventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess;
    append_in(list, 9, cudaStreamTailLaunch);
    append_in(list, 1, stream);
    __cudaCDP2EventRecord(event, stream);
    __cudaCDP2StreamWaitEvent(stream, event, 0);
    append_in(list, made ? 2 : -1, stream);
    __cudaCDP2EventDestroy(event);
    __cudaCDP2StreamDestroy(stream);
    list[++list[0]] = 0;
    // Waits for the two, not for the launch at the tail.
    list[6] = __cudaCDP2DeviceSynchronize() == cudaSuccess ? list[0] : -1;
}

__global__ void memory(unsigned char* p, int* codes) {
    codes[0] = __cudaCDP2MemsetAsync(p, 7, 100, nullptr);
    codes[1] = __cudaCDP2Memset2DAsync(p + 128, 16, 9, 4, 3, nullptr);
    codes[2] = __cudaCDP2MemcpyAsync(p + 256, p + 96, 64, cudaMemcpyDeviceToDevice, nullptr);
    codes[3] = __cudaCDP2Memcpy2DAsync(p + 384, 8, p + 128, 16, 5, 3, cudaMemcpyDeviceToDevice, nullptr);
    void* room = nullptr;
    codes[4] = __cudaCDP2Malloc(&room, 1000);
    codes[5] = room == nullptr;
    codes[6] = __cudaCDP2Free(room);
    void* none = p;
    codes[7] = __cudaCDP2Malloc(&none, size_t{1} << 40);
    codes[8] = none != nullptr;
    int count = 0, device = 5;
    codes[9] = __cudaCDP2GetDeviceCount(&count) + __cudaCDP2GetDevice(&device);
    codes[10] = count * 10 + device;
    codes[11] = __cudaCDP2GetLastError();
    codes[12] = __cudaCDP2GetErrorString(cudaSuccess)[3];
    codes[13] = __cudaCDP2DeviceGetAttribute(&count, cudaDevAttrWarpSize, 0);
}

}  // namespace

int main() {
    int* p = nullptr;
    OK(cudaMallocManaged(&p, (kWords + 6) * sizeof(int)));
    for (int k = 0; k < kWords + 6; ++k) p[k] = 0;
    launches<<<1, 4>>>(p);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < kWords; ++k) CHECK(p[k] == 7 + (k < 16 ? 102 : 0) + (k == 63 ? 1000 : 0));
    for (int k = 0; k < 3; ++k) CHECK(p[kWords + k] == cudaSuccess);
    CHECK(p[kWords + 3] == cudaErrorInvalidConfiguration);
    CHECK(p[kWords + 4] == cudaErrorInvalidValue);
    CHECK(p[kWords + 5] == cudaErrorInvalidDeviceFunction);

    int* list = nullptr;
    OK(cudaMallocManaged(&list, 7 * sizeof(int)));
    for (int k = 0; k < 7; ++k) list[k] = 0;
    order<<<1, 1>>>(list);
    OK(cudaDeviceSynchronize());
    CHECK(list[0] == 4 && list[1] == 0 && list[2] == 1 && list[3] == 2 && list[4] == 9 && list[6] == 3);

    unsigned char* bytes = nullptr;
    int* codes = nullptr;
    OK(cudaMallocManaged(&bytes, 512));
    OK(cudaMallocManaged(&codes, 14 * sizeof(int)));
    for (int k = 0; k < 512; ++k) bytes[k] = 1;
    memory<<<1, 1>>>(bytes, codes);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < 128; ++k) CHECK(bytes[k] == (k < 100 ? 7 : 1));
    for (int k = 128; k < 256; ++k) CHECK(bytes[k] == (k < 176 && k % 16 < 4 ? 9 : 1));
    for (int k = 256; k < 384; ++k) CHECK(bytes[k] == (k < 320 ? bytes[k - 160] : 1));
    for (int k = 384; k < 512; ++k) CHECK(bytes[k] == (k < 408 && k % 8 < 4 ? 9 : 1));
    for (int k = 0; k < 7; ++k) CHECK(codes[k] == 0);
    CHECK(codes[7] == cudaErrorMemoryAllocation && codes[8] == 0);
    CHECK(codes[9] == 0 && codes[10] == 10 && codes[11] == 0 && codes[12] == 'e');
    CHECK(codes[13] == cudaErrorNotSupported);
    std::puts("device_runtime done");
}
