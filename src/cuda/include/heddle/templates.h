#pragma once
// C++ forms of the runtime's functions: typed pointers, kernels and symbols as arguments.

namespace heddle_templates {
/// A pointer's own address, whatever it points to: const data too.
template <class T>
static inline void** untyped(T** p) {
    return (void**)(void*)p;
}
/// A symbol is the variable itself.
template <class T>
static inline const void* symbol(const T& variable) {
    return (const void*)&reinterpret_cast<const volatile char&>(variable);
}
/// A kernel is the function itself: by its name, its address or a pointer.
template <class F>
static inline const void* kernel(F* f) {
    return reinterpret_cast<const void*>(f);
}
}  // namespace heddle_templates

template <class T>
static inline cudaError_t cudaMalloc(T** p, size_t bytes) {
    return ::cudaMalloc(heddle_templates::untyped(p), bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** p, size_t bytes, unsigned int flags = 0) {
    return ::cudaHostAlloc(heddle_templates::untyped(p), bytes, flags);
}
static inline cudaError_t cudaMallocHost(void** p, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(p, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** p, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(heddle_templates::untyped(p), bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** p, const void* host, unsigned int flags) {
    return ::cudaHostGetDevicePointer(heddle_templates::untyped(p), const_cast<void*>(host), flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** p, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged(heddle_templates::untyped(p), bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
    return ::cudaMallocPitch(heddle_templates::untyped(p), pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** p, size_t bytes, cudaStream_t stream) {
    return ::cudaMallocAsync(heddle_templates::untyped(p), bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(heddle_templates::untyped(p), bytes, pool, stream);
}
static inline cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(p, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** p, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(heddle_templates::untyped(p), bytes, pool, stream);
}
// CUDA 13's forms, beside CUDA 12's.
static inline cudaError_t cudaMemAdvise(const void* p, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation location) {
    return ::cudaMemAdvise_v2(p, bytes, advice, location);
}
static inline cudaError_t cudaMemPrefetchAsync(const void* p, size_t bytes, cudaMemLocation location,
                                               unsigned int flags, cudaStream_t stream = 0) {
    return ::cudaMemPrefetchAsync_v2(p, bytes, location, flags, stream);
}
static inline cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                               size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                               size_t attribute_count, cudaStream_t stream) {
    size_t failed;
    return ::cudaMemcpyBatchAsync(const_cast<void**>(to), const_cast<void**>(from),
                                  const_cast<size_t*>(sizes), count, attributes, first, attribute_count,
                                  &failed, stream);
}
static inline cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* list,
                                                 unsigned long long flags, cudaStream_t stream) {
    size_t failed;
    return ::cudaMemcpy3DBatchAsync(count, list, &failed, flags, stream);
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* p, size_t bytes = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
    return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(p), bytes, flags);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol(heddle_templates::symbol(symbol), from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync(heddle_templates::symbol(symbol), from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(to, heddle_templates::symbol(symbol), bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(to, heddle_templates::symbol(symbol), bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
    return ::cudaGetSymbolAddress(p, heddle_templates::symbol(symbol));
}
template <class T, class S>
static inline cudaError_t cudaGetSymbolAddress(T** p, const S& symbol) {
    return ::cudaGetSymbolAddress(heddle_templates::untyped(p), heddle_templates::symbol(symbol));
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    return ::cudaGetSymbolSize(bytes, heddle_templates::symbol(symbol));
}

template <class F>
static inline cudaError_t cudaLaunchKernel(F* f, dim3 grid, dim3 block, void** args, size_t shared = 0,
                                           cudaStream_t stream = 0) {
    return ::cudaLaunchKernel(heddle_templates::kernel(f), grid, block, args, shared, stream);
}
template <class F>
static inline cudaError_t cudaLaunchCooperativeKernel(F* f, dim3 grid, dim3 block, void** args,
                                                      size_t shared = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel(heddle_templates::kernel(f), grid, block, args, shared, stream);
}
#if __cplusplus >= 201103L
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...),
                                             A&&... args) {
    return [&](P... converted) {
        void* pointers[] = {&converted..., 0};
        return ::cudaLaunchKernelExC(config, heddle_templates::kernel(kernel), pointers);
    }(static_cast<A&&>(args)...);
}
#endif
template <class F>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* f) {
    return ::cudaFuncGetAttributes(attributes, heddle_templates::kernel(f));
}
template <class F>
static inline cudaError_t cudaFuncSetAttribute(F* f, cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute(heddle_templates::kernel(f), attribute, value);
}
template <class F>
static inline cudaError_t cudaFuncSetCacheConfig(F* f, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig(heddle_templates::kernel(f), config);
}
template <class F>
static inline cudaError_t cudaFuncSetSharedMemConfig(F* f, cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig(heddle_templates::kernel(f), config);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F f, int threads,
                                                                        size_t shared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, heddle_templates::kernel(f), threads,
                                                           shared);
}

template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F f,
                                                                                 int threads, size_t shared,
                                                                                 unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, heddle_templates::kernel(f),
                                                                    threads, shared, flags);
}
template <class F>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, F* f, int blocks,
                                                                    int threads) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, heddle_templates::kernel(f), blocks, threads);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, F* f,
                                                               const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxPotentialClusterSize(size, heddle_templates::kernel(f), config);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, F* f,
                                                         const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxActiveClusters(clusters, heddle_templates::kernel(f), config);
}
template <class F>
static inline cudaError_t cudaFuncGetName(const char** name, F* f) {
    return ::cudaFuncGetName(name, heddle_templates::kernel(f));
}
template <class F>
static inline cudaError_t cudaGetKernel(cudaKernel_t* kernel, F* f) {
    return ::cudaGetKernel(kernel, heddle_templates::kernel(f));
}
template <class F>
static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, F* f) {
    return ::cudaGetFuncBySymbol(function, heddle_templates::kernel(f));
}

/// The block size (multiple of a warp, at most `limit` if given) with the most resident threads; of equals the largest.
template <class S, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block, F f,
                                                                         S shared_of_block, int limit = 0) {
    cudaFuncAttributes attributes;
    int device = 0, sms = 0;
    cudaError_t error = ::cudaFuncGetAttributes(&attributes, heddle_templates::kernel(f));
    if (error == cudaSuccess) error = ::cudaGetDevice(&device);
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess) return error;
    int top = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < top) top = limit;
    int best = 0;
    *block = 0;
    *min_grid = 0;
    for (int threads = (top + 31) / 32 * 32; threads > 0; threads -= 32) {
        const int size = threads < top ? threads : top;
        int blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heddle_templates::kernel(f), size,
                                                                shared_of_block(size));
        if (error != cudaSuccess) return error;
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *min_grid = blocks * sms;
        }
    }
    return cudaSuccess;
}
namespace heddle_templates {
struct Same {
    size_t bytes;
    explicit Same(size_t b) : bytes(b) {}
    size_t operator()(int) const { return bytes; }
};
}  // namespace heddle_templates
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block, F f,
                                                             size_t shared = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, f, heddle_templates::Same(shared),
                                                          limit);
}

template <class S, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid, int* block,
                                                                                  F f, S shared_of_block,
                                                                                  int limit = 0,
                                                                                  unsigned int = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, f, shared_of_block, limit);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block, F f,
                                                                      size_t shared = 0, int limit = 0,
                                                                      unsigned int = 0) {
    return cudaOccupancyMaxPotentialBlockSize(min_grid, block, f, shared, limit);
}

#include "heddle/graph_templates.h"

/// The channel format of a texel type.
template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define HEDDLE_CHANNELS(T, bits, kind)                                              \
    template <>                                                                     \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                       \
        return ::cudaCreateChannelDesc(bits, 0, 0, 0, cudaChannelFormatKind##kind); \
    }
#define HEDDLE_CHANNELS_VECTOR(T, bits, kind)                                                \
    HEDDLE_CHANNELS(T##1, bits, kind)                                                        \
    template <>                                                                              \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<T##2>() {                             \
        return ::cudaCreateChannelDesc(bits, bits, 0, 0, cudaChannelFormatKind##kind);       \
    }                                                                                        \
    template <>                                                                              \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<T##4>() {                             \
        return ::cudaCreateChannelDesc(bits, bits, bits, bits, cudaChannelFormatKind##kind); \
    }
HEDDLE_CHANNELS(char, 8, Signed)
HEDDLE_CHANNELS(signed char, 8, Signed)
HEDDLE_CHANNELS(unsigned char, 8, Unsigned)
HEDDLE_CHANNELS(short, 16, Signed)
HEDDLE_CHANNELS(unsigned short, 16, Unsigned)
HEDDLE_CHANNELS(int, 32, Signed)
HEDDLE_CHANNELS(unsigned int, 32, Unsigned)
HEDDLE_CHANNELS(float, 32, Float)
HEDDLE_CHANNELS_VECTOR(char, 8, Signed)
HEDDLE_CHANNELS_VECTOR(uchar, 8, Unsigned)
HEDDLE_CHANNELS_VECTOR(short, 16, Signed)
HEDDLE_CHANNELS_VECTOR(ushort, 16, Unsigned)
HEDDLE_CHANNELS_VECTOR(int, 32, Signed)
HEDDLE_CHANNELS_VECTOR(uint, 32, Unsigned)
HEDDLE_CHANNELS_VECTOR(float, 32, Float)
#undef HEDDLE_CHANNELS
#undef HEDDLE_CHANNELS_VECTOR
