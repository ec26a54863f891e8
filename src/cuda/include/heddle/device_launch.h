#pragma once
// Kernels that start kernels, and the runtime's functions that a kernel may call.
//
// `heddle cc` writes a launch in device code as configure<decltype(&kernel), &kernel>(grid, block, ...)(arguments): clang 14
// knows no launches there, but takes a kernel as a constant. What is launched runs after the kernel that launches it, or when
// the block waits for it (cudaDeviceSynchronize). All of a block's launches run in their order, so its streams and events need
// no state.

extern "C" {
__device__ unsigned __heddle_launch(const void* record);
__device__ unsigned __heddle_wait();
}

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)

#if __cplusplus >= 201103L
namespace heddle_launch {

/// A kernel's address, made where it is no call.
template <class F, F Kernel>
struct Address {
    static constexpr F value = Kernel;
};

/// What the runtime reads: DeviceLaunchRecord of src/ptx/device_launch.h.
struct Record {
    const void* kernel;
    const void* parameters;
    unsigned parameter_bytes, grid[3], block[3], shared;
    cudaStream_t stream;
};

/// Where each of a kernel's parameters stands: aligned to itself, one behind the other.
template <class... P>
struct Layout {
    static constexpr size_t end(size_t at) { return at; }
};
template <class First, class... Rest>
struct Layout<First, Rest...> {
    static constexpr size_t begin(size_t at) {
        return (at + alignof(First) - 1) / alignof(First) * alignof(First);
    }
    static constexpr size_t end(size_t at) { return Layout<Rest...>::end(begin(at) + sizeof(First)); }
};

template <class F>
struct Configured;
template <class... P>
struct Configured<void (*)(P...)> {
    Record record;

    template <class... A>
    __device__ void operator()(A&&... arguments) {
        launch(static_cast<P>(arguments)...);
    }

  private:
    __device__ void launch(P... parameters) {
        constexpr size_t bytes = Layout<P...>::end(0);
        alignas(16) char buffer[bytes + 16];
        put<0>(buffer, parameters...);
        record.parameters = buffer;
        record.parameter_bytes = bytes;
        __heddle_launch(&record);
    }
    template <size_t At>
    static __device__ void put(char*) {}
    template <size_t At, class First, class... Rest>
    static __device__ void put(char* buffer, const First& first, const Rest&... rest) {
        constexpr size_t at = Layout<First>::begin(At);
        __builtin_memcpy(buffer + at, &first, sizeof(First));
        put<at + sizeof(First)>(buffer, rest...);
    }
};

template <class F, F Kernel>
__device__ Configured<F> configure(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0) {
    return {{reinterpret_cast<const void*>(Address<F, Kernel>::value),
             nullptr,
             0,
             {grid.x, grid.y, grid.z},
             {block.x, block.y, block.z},
             static_cast<unsigned>(shared),
             stream}};
}

}  // namespace heddle_launch
#endif

static __device__ __forceinline__ cudaError_t cudaDeviceSynchronize() {
    return static_cast<cudaError_t>(__heddle_wait());
}
static __device__ __forceinline__ cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaPeekAtLastError() {
    return cudaSuccess;
}
static __device__ __forceinline__ const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaSuccess ? "no error" : "an error of a launch from the device";
}
static __device__ __forceinline__ const char* cudaGetErrorName(cudaError_t error) {
    return error == cudaSuccess ? "cudaSuccess" : "cudaErrorUnknown";
}
static __device__ __forceinline__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = 0;
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = 0;
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaEventDestroy(cudaEvent_t) {
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

// A copy or fill comes after what the block has launched.
static __device__ inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                                                     cudaStream_t = 0) {
    __heddle_wait();
    for (size_t k = 0; k < bytes; ++k) static_cast<char*>(to)[k] = static_cast<const char*>(from)[k];
    return cudaSuccess;
}
static __device__ inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = 0) {
    __heddle_wait();
    for (size_t k = 0; k < bytes; ++k) static_cast<char*>(to)[k] = static_cast<char>(value);
    return cudaSuccess;
}
static __device__ __forceinline__ cudaError_t cudaMalloc(void** p, size_t bytes) {
    *p = malloc(bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T>
static __device__ __forceinline__ cudaError_t cudaMalloc(T** p, size_t bytes) {
    return cudaMalloc((void**)(void*)p, bytes);
}
static __device__ __forceinline__ cudaError_t cudaFree(void* p) {
    free(p);
    return cudaSuccess;
}
