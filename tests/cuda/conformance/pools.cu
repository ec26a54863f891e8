// Memory pools: attributes are what was set, and what the pool's own allocations come to; limits; access.

#include "check.h"

using u64 = unsigned long long;

static u64 get(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    u64 value = ~0ull;
    CUDA(cudaMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

static void expect(cudaMemPool_t pool, u64 used, u64 used_high, u64 reserved, u64 reserved_high) {
    CHECK(get(pool, cudaMemPoolAttrUsedMemCurrent) == used);
    CHECK(get(pool, cudaMemPoolAttrUsedMemHigh) == used_high);
    CHECK(get(pool, cudaMemPoolAttrReservedMemCurrent) == reserved);
    CHECK(get(pool, cudaMemPoolAttrReservedMemHigh) == reserved_high);
}

static cudaMemPool_t make_pool(std::size_t most) {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    props.maxSize = most;
    cudaMemPool_t pool = nullptr;
    CUDA(cudaMemPoolCreate(&pool, &props));
    return pool;
}

static void counts() {
    constexpr u64 mib = 1 << 20;
    cudaMemPool_t const pool = make_pool(0);
    void *a = nullptr, *b = nullptr;
    expect(pool, 0, 0, 0, 0);
    CUDA(cudaMallocFromPoolAsync(&a, 3 * mib, pool, nullptr));
    CUDA(cudaMallocFromPoolAsync(&b, 2 * mib, pool, nullptr));
    expect(pool, 5 * mib, 5 * mib, 5 * mib, 5 * mib);
    // Nothing is kept until a threshold is set.
    CUDA(cudaFreeAsync(a, nullptr));
    expect(pool, 2 * mib, 5 * mib, 2 * mib, 5 * mib);
    u64 threshold = 4 * mib, zero = 0;
    CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK(get(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
    CUDA(cudaMallocFromPoolAsync(&a, 3 * mib, pool, nullptr));
    CUDA(cudaFreeAsync(a, nullptr));
    expect(pool, 2 * mib, 5 * mib, 4 * mib, 5 * mib);
    CUDA(cudaMemPoolTrimTo(pool, 3 * mib));
    expect(pool, 2 * mib, 5 * mib, 3 * mib, 5 * mib);
    CUDA(cudaMemPoolTrimTo(pool, 0));
    expect(pool, 2 * mib, 5 * mib, 2 * mib, 5 * mib);
    CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
    expect(pool, 2 * mib, 2 * mib, 2 * mib, 2 * mib);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &threshold) == cudaErrorInvalidValue);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero) == cudaErrorInvalidValue);
    // cudaFree takes a pool's memory as well; the pool may go before it.
    CUDA(cudaMemPoolDestroy(pool));
    CUDA(cudaFree(b));
    CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
    cudaGetLastError();
}

static void current() {
    cudaMemPool_t first = nullptr, now = nullptr;
    CUDA(cudaDeviceGetDefaultMemPool(&first, 0));
    CUDA(cudaDeviceGetMemPool(&now, 0));
    CHECK(first != nullptr && now == first);
    cudaMemPool_t const mine = make_pool(1000);
    CUDA(cudaDeviceSetMemPool(0, mine));
    CUDA(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == mine);
    const u64 before = get(first, cudaMemPoolAttrUsedMemCurrent);
    void *a = nullptr, *b = nullptr;
    CUDA(cudaMallocAsync(&a, 600, nullptr));
    CHECK(get(mine, cudaMemPoolAttrUsedMemCurrent) == 600);
    CHECK(get(first, cudaMemPoolAttrUsedMemCurrent) == before);
    // The pool has 1,000 bytes and no more.
    CHECK(cudaMallocAsync(&b, 401, nullptr) == cudaErrorMemoryAllocation);
    CUDA(cudaMallocAsync(&b, 400, nullptr));
    CUDA(cudaFreeAsync(a, nullptr));
    CUDA(cudaFreeAsync(b, nullptr));
    CUDA(cudaMemPoolDestroy(mine));
    CUDA(cudaDeviceGetMemPool(&now, 0));
    CHECK(now == first);
    CHECK(cudaMemPoolDestroy(first) == cudaErrorInvalidValue);
    CHECK(cudaDeviceSetMemPool(1, first) == cudaErrorInvalidDevice);
    cudaGetLastError();
}

static void settings() {
    cudaMemPool_t const pool = make_pool(0);
    for (cudaMemPoolAttr attribute :
         {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
          cudaMemPoolReuseAllowInternalDependencies}) {
        int value = 7, off = 0;
        CUDA(cudaMemPoolGetAttribute(pool, attribute, &value));
        CHECK(value == 1);
        CUDA(cudaMemPoolSetAttribute(pool, attribute, &off));
        CUDA(cudaMemPoolGetAttribute(pool, attribute, &value));
        CHECK(value == 0);
    }
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    cudaMemLocation where{cudaMemLocationTypeDevice, 0};
    CUDA(cudaMemPoolGetAccess(&flags, pool, &where));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    const cudaMemAccessDesc same{where, cudaMemAccessFlagsProtReadWrite};
    CUDA(cudaMemPoolSetAccess(pool, &same, 1));
    const cudaMemAccessDesc none{where, cudaMemAccessFlagsProtNone};
    CHECK(cudaMemPoolSetAccess(pool, &none, 1) == cudaErrorInvalidValue);
    CUDA(cudaMemPoolDestroy(pool));

    // Another process can open a pool by a file descriptor, if the pool is made for it (processes.cu), and by nothing else.
    int handles = -1;
    CUDA(cudaDeviceGetAttribute(&handles, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    CHECK(handles == cudaMemHandleTypePosixFileDescriptor);
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypeWin32;
    props.location = where;
    cudaMemPool_t shared = nullptr;
    CHECK(cudaMemPoolCreate(&shared, &props) == cudaErrorNotSupported);
    int descriptor = -1;
    cudaMemPool_t first = nullptr;
    CUDA(cudaDeviceGetDefaultMemPool(&first, 0));
    CHECK(cudaMemPoolExportToShareableHandle(&descriptor, first, cudaMemHandleTypePosixFileDescriptor, 0) ==
          cudaErrorInvalidValue);
    cudaGetLastError();
}

int main() {
    counts();
    current();
    settings();
    return finished();
}
