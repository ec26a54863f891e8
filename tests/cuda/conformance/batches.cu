// Copies between devices and in batches, and what a program says about managed memory and asks again.

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

#define DRIVER(call) CHECK((call) == CUDA_SUCCESS, "%s", #call)

static std::vector<int> numbers(int n, int first) {
    std::vector<int> all(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) all[static_cast<size_t>(i)] = first + i;
    return all;
}

static void between_devices() {
    // A box of 3 by 2 by 2 numbers out of one of 8 by 4 by 3, from place (2, 1, 1) to (1, 0, 0).
    const std::vector<int> from = numbers(8 * 4 * 3, 0);
    int *a, *b;
    CUDA(cudaMalloc(&a, from.size() * 4));
    CUDA(cudaMalloc(&b, 6 * 3 * 2 * 4));
    CUDA(cudaMemcpy(a, from.data(), from.size() * 4, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(b, 0, 6 * 3 * 2 * 4));
    cudaMemcpy3DPeerParms p{};
    p.srcPtr = make_cudaPitchedPtr(a, 32, 8, 4);
    p.srcPos = make_cudaPos(8, 1, 1);
    p.dstPtr = make_cudaPitchedPtr(b, 24, 6, 3);
    p.dstPos = make_cudaPos(4, 0, 0);
    p.extent = make_cudaExtent(12, 2, 2);
    CUDA(cudaMemcpy3DPeer(&p));
    p.dstPos = make_cudaPos(4, 1, 0);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMemcpy3DPeerAsync(&p, stream));
    int got[36];
    CUDA(cudaMemcpyAsync(got, b, sizeof got, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamSynchronize(stream));
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 6; ++x) {
                const bool inside = x >= 1 && x < 4;
                const int row = y == 0 ? 0 : y - 1;  // the second copy is a row further
                const int want = inside ? (z + 1) * 32 + (row + 1) * 8 + x - 1 + 2 : 0;
                CHECK(got[(z * 3 + y) * 6 + x] == want, "%d %d %d: %d", x, y, z, got[(z * 3 + y) * 6 + x]);
            }
    p.srcDevice = 1;
    CHECK(cudaMemcpy3DPeer(&p) == cudaErrorInvalidDevice);
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    cudaGetLastError();
}

static void batches() {
    std::vector<int> host = numbers(64, 100), back(64);
    int *a, *b;
    CUDA(cudaMalloc(&a, 256));
    CUDA(cudaMalloc(&b, 256));
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    // Host to device, device to device, device to host; the second list of hints is for the last copy.
    void* to[] = {a, b + 16, back.data()};
    void* from[] = {host.data(), a, b + 16};
    size_t sizes[] = {256, 128, 128}, first[] = {0, 2}, failed = 7;
    cudaMemcpyAttributes hints[2] = {};
    hints[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    hints[1].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
#if CUDART_VERSION >= 13000
    CUDA(cudaMemcpyBatchAsync(to, from, sizes, 3, hints, first, 2, stream));
#else
    CUDA(cudaMemcpyBatchAsync(to, from, sizes, 3, hints, first, 2, &failed, stream));
    CHECK(failed == 7);
    // CUDA 13's form, in C++ beside it.
    CUDA(cudaMemcpyBatchAsync(to, from, sizes, 3, hints, first, 2, stream));
#endif
    CUDA(cudaStreamSynchronize(stream));
    for (int i = 0; i < 32; ++i) CHECK(back[i] == 100 + i);
    from[1] = a + 48;  // 128 bytes from there leave the allocation
#if CUDART_VERSION >= 13000
    CHECK(cudaMemcpyBatchAsync(to, from, sizes, 3, hints, first, 2, stream) == cudaErrorInvalidValue);
#else
    CHECK(cudaMemcpyBatchAsync(to, from, sizes, 3, hints, first, 2, &failed, stream) ==
          cudaErrorInvalidValue);
    CHECK(failed == 1, "%zu", failed);
    hints[1].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    CHECK(cudaMemcpyBatchAsync(to, from, sizes, 3, hints, first, 2, &failed, stream) ==
          cudaErrorInvalidValue);
    CHECK(failed == ~size_t{0});
#endif

    // Boxes: of an array of 8 by 4 floats, columns 2 to 5 of rows 1 and 2, to rows of 6 and back to another place.
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    CUDA(cudaMallocArray(&array, &format, 8, 4));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, host.data(), 32, 32, 4, cudaMemcpyHostToDevice));
    cudaMemcpy3DBatchOp ops[2] = {};
    ops[0].src.type = cudaMemcpyOperandTypeArray;
    ops[0].src.op.array.array = array;
    ops[0].src.op.array.offset = {2, 1, 0};
    ops[0].dst.type = cudaMemcpyOperandTypePointer;
    ops[0].dst.op.ptr.ptr = a;
    ops[0].dst.op.ptr.rowLength = 6;
    ops[0].dst.op.ptr.layerHeight = 2;
    ops[0].extent = make_cudaExtent(4, 2, 1);
    ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    ops[1] = ops[0];
    ops[1].src = ops[0].dst;
    ops[1].dst = ops[0].src;
    ops[1].dst.op.array.offset = {0, 2, 0};
    CUDA(cudaMemset(a, 0, 256));
#if CUDART_VERSION >= 13000
    CUDA(cudaMemcpy3DBatchAsync(2, ops, 0, stream));
#else
    CUDA(cudaMemcpy3DBatchAsync(2, ops, &failed, 0, stream));
#endif
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemcpy(back.data(), a, 48, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 6; ++x) CHECK(back[y * 6 + x] == (x < 4 ? 100 + (y + 1) * 8 + x + 2 : 0));
    CUDA(cudaMemcpy2DFromArray(back.data(), 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x)
            CHECK(back[y * 8 + x] == (y >= 2 && x < 4 ? 100 + (y - 1) * 8 + x + 2 : 100 + y * 8 + x));
#ifdef HEDDLE_LATEST
    hints[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    CUDA(cudaMemcpyWithAttributesAsync(b, host.data(), 256, hints, stream));
    CUDA(cudaMemcpy(back.data(), b, 256, cudaMemcpyDeviceToHost));
    CHECK(back == host);
    CUDA(cudaMemcpy3DWithAttributesAsync(ops, 0, stream));
    CUDA(cudaStreamSynchronize(stream));
#endif
    CUDA(cudaFreeArray(array));
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    CUDA(cudaStreamDestroy(stream));
    cudaGetLastError();
}

template <class T = int>
static T range(cudaMemRangeAttribute attribute, const void* p, size_t bytes) {
    T value = static_cast<T>(-77);
    CUDA(cudaMemRangeGetAttribute(&value, sizeof value, attribute, p, bytes));
    return value;
}

static void advice() {
    constexpr size_t kHalf = 65536;
    char* const p = managed<char>(2 * kHalf);
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
#if CUDART_VERSION >= 13000
#define ADVISE(pointer, bytes, what, where) CUDA(cudaMemAdvise(pointer, bytes, what, where))
#define PREFETCH(pointer, bytes, where) CUDA(cudaMemPrefetchAsync(pointer, bytes, where, 0, 0))
#else
#define ADVISE(pointer, bytes, what, where) CUDA(cudaMemAdvise_v2(pointer, bytes, what, where))
#define PREFETCH(pointer, bytes, where) CUDA(cudaMemPrefetchAsync_v2(pointer, bytes, where, 0, 0))
#endif
    CHECK(range(cudaMemRangeAttributeReadMostly, p, 2 * kHalf) == 0);
    CHECK(range(cudaMemRangeAttributePreferredLocation, p, 2 * kHalf) == cudaInvalidDeviceId);
    ADVISE(p, kHalf, cudaMemAdviseSetReadMostly, device);
    CHECK(range(cudaMemRangeAttributeReadMostly, p, kHalf) == 1);
    CHECK(range(cudaMemRangeAttributeReadMostly, p, 2 * kHalf) == 0);
    CHECK(range(cudaMemRangeAttributeReadMostly, p + kHalf, kHalf) == 0);
    ADVISE(p, 2 * kHalf, cudaMemAdviseSetPreferredLocation, device);
    CHECK(range(cudaMemRangeAttributePreferredLocation, p, 2 * kHalf) == 0);
    ADVISE(p + kHalf, kHalf, cudaMemAdviseSetPreferredLocation, host);
    CHECK(range(cudaMemRangeAttributePreferredLocation, p + kHalf, kHalf) == cudaCpuDeviceId);
    CHECK(range(cudaMemRangeAttributePreferredLocation, p, 2 * kHalf) == cudaInvalidDeviceId);
    CHECK(range(cudaMemRangeAttributePreferredLocationType, p, kHalf) == cudaMemLocationTypeDevice);
    CHECK(range(cudaMemRangeAttributePreferredLocationId, p, kHalf) == 0);
    ADVISE(p, 2 * kHalf, cudaMemAdviseUnsetPreferredLocation, device);
    CHECK(range(cudaMemRangeAttributePreferredLocation, p, kHalf) == cudaInvalidDeviceId);
    ADVISE(p, 2 * kHalf, cudaMemAdviseSetAccessedBy, device);
    ADVISE(p, kHalf, cudaMemAdviseSetAccessedBy, host);
    int by[3] = {5, 5, 5};
    CUDA(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, p, kHalf));
    CHECK(by[0] == cudaCpuDeviceId && by[1] == 0 && by[2] == cudaInvalidDeviceId);
    CUDA(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, p, 2 * kHalf));
    CHECK(by[0] == 0 && by[1] == cudaInvalidDeviceId);
    PREFETCH(p, 2 * kHalf, device);
    int last = -7, mostly = -7;
    void* data[] = {&last, &mostly};
    size_t sizes[] = {4, 4};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeLastPrefetchLocation,
                                     cudaMemRangeAttributeReadMostly};
    CUDA(cudaMemRangeGetAttributes(data, sizes, which, 2, p, kHalf));
    CHECK(last == 0 && mostly == 1);
    // Batches: the first range to the device, the others to the host.
    void* parts[] = {p, p + kHalf, p + kHalf + 4096};
    size_t lengths[] = {kHalf, 4096, 4096}, first[] = {0, 1};
    cudaMemLocation places[] = {device, host};
    CUDA(cudaMemPrefetchBatchAsync(parts, lengths, 3, places, first, 2, 0, 0));
    CHECK(range(cudaMemRangeAttributeLastPrefetchLocation, p, kHalf) == 0);
    CHECK(range(cudaMemRangeAttributeLastPrefetchLocation, p + kHalf, 8192) == cudaCpuDeviceId);
    CHECK(range(cudaMemRangeAttributeLastPrefetchLocationType, p + kHalf, 8192) == cudaMemLocationTypeHost);
    CUDA(cudaMemDiscardBatchAsync(parts, lengths, 3, 0, 0));
    CUDA(cudaMemDiscardAndPrefetchBatchAsync(parts, lengths, 3, places + 1, first, 1, 0, 0));
    CHECK(range(cudaMemRangeAttributeLastPrefetchLocation, p, kHalf) == cudaCpuDeviceId);
    CHECK(cudaMemPrefetchBatchAsync(parts, lengths, 3, places, first + 1, 1, 0, 0) == cudaErrorInvalidValue);
    const cudaMemLocation none{cudaMemLocationTypeDevice, 4};
#if CUDART_VERSION >= 13000
    CHECK(cudaMemAdvise(p, kHalf, cudaMemAdviseSetAccessedBy, none) == cudaErrorInvalidDevice);
#else
    CHECK(cudaMemAdvise_v2(p, kHalf, cudaMemAdviseSetAccessedBy, none) == cudaErrorInvalidDevice);
    CUDA(cudaMemAdvise(p, kHalf, cudaMemAdviseUnsetReadMostly, 0));
    CUDA(cudaMemPrefetchAsync(p, kHalf, cudaCpuDeviceId));
    CHECK(cudaMemPrefetchAsync(p, kHalf, 3) == cudaErrorInvalidDevice);
#endif
    int value;
    CHECK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, &value, 4) ==
          cudaErrorInvalidValue);
    // A new allocation in the same place knows nothing of the old one.
    CUDA(cudaFree(p));
    char* const q = managed<char>(2 * kHalf);
    CHECK(q == p && range(cudaMemRangeAttributeLastPrefetchLocation, q, kHalf) == cudaInvalidDeviceId);
    CUDA(cudaFree(q));
    cudaGetLastError();
}

static void driver_form() {
    int* const p = managed<int>(1024);
    CUdeviceptr at = reinterpret_cast<CUdeviceptr>(p);
    const CUmemLocation device{CU_MEM_LOCATION_TYPE_DEVICE, 0};
    DRIVER(cuMemAdvise_v2(at, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    int value = 9;
    DRIVER(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, at, 4096));
    CHECK(value == 0);
    size_t bytes = 4096, first = 0;
    CUmemLocation place = device;
    DRIVER(cuMemPrefetchBatchAsync(&at, &bytes, 1, &place, &first, 1, 0, nullptr));
    DRIVER(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, at, 4096));
    CHECK(value == 0);
    CUdeviceptr other;
    DRIVER(cuMemAlloc(&other, 4096));
    for (int i = 0; i < 1024; ++i) p[i] = i;
    CUmemcpyAttributes hints{CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, device, device, 0};
    size_t half = 2048;
    CUdeviceptr to = at + 2048;
    CUstream stream;
    DRIVER(cuStreamCreate(&stream, 0));
    DRIVER(cuMemcpyBatchAsync(&other, &at, &half, 1, &hints, &first, 1, stream));
    DRIVER(cuMemcpyBatchAsync(&to, &other, &half, 1, &hints, &first, 1, stream));
    DRIVER(cuStreamSynchronize(stream));
    CHECK(p[512] == 0 && p[1023] == 511);
    CUDA_MEMCPY3D_PEER peer{};
    peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    peer.srcDevice = at;
    peer.srcPitch = 64;
    peer.srcY = 2;
    peer.dstDevice = other;
    peer.dstPitch = 32;
    peer.WidthInBytes = 32;
    peer.Height = 3;
    peer.Depth = 1;
    DRIVER(cuMemcpy3DPeer(&peer));
    int got[24];
    DRIVER(cuMemcpyDtoH(got, other, sizeof got));
    for (int k = 0; k < 24; ++k) CHECK(got[k] == (2 + k / 8) * 16 + k % 8);
    DRIVER(cuMemFree(other));
    DRIVER(cuStreamDestroy(stream));
}

int main() {
    between_devices();
    batches();
    advice();
    driver_form();
    return finished();
}
