// mbarrier objects, by their instructions: phases, states and parities, counts, threads that leave, bytes that are to come,
// asynchronous copies that arrive.

#include <cuda_pipeline.h>

#include "check.h"

constexpr unsigned kThreads = 128;

using Object = unsigned long long;

__device__ unsigned at(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void start(Object* o, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(o)), "r"(count) : "memory");
}
__device__ Object arrive(Object* o) {
    Object state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(o)) : "memory");
    return state;
}
__device__ Object arrive(Object* o, unsigned count) {  // by a generic address
    Object state;
    asm volatile("mbarrier.arrive.noComplete.b64 %0, [%1], %2;" : "=l"(state) : "l"(o), "r"(count) : "memory");
    return state;
}
__device__ bool test(Object* o, Object state) {
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over) : "r"(at(o)), "l"(state) : "memory");
    return over != 0;
}
__device__ bool test_parity(Object* o, unsigned parity) {
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over) : "l"(o), "r"(parity) : "memory");
    return over != 0;
}
__device__ unsigned pending(Object state) {
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    return count;
}

/// Threads hand values to their neighbours twice a round; threads 64 and up leave after two rounds.
__global__ void phases(unsigned* sums) {
    __shared__ Object object;
    __shared__ unsigned values[kThreads];
    if (threadIdx.x == 0) start(&object, kThreads);
    __syncthreads();
    unsigned sum = 0, parity = 0;
    for (unsigned round = 0; round < 5; ++round) {
        const unsigned left = round < 2 ? kThreads : 64;
        values[threadIdx.x] = threadIdx.x + round;
        const Object state = arrive(&object);
        while (!test(&object, state)) {
        }
        sum += values[(threadIdx.x + 37) % left];
        parity ^= 1;
        if (round == 1 && threadIdx.x >= 64) {
            asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at(&object)) : "memory");
            break;
        }
        arrive(&object);
        while (!test_parity(&object, parity)) {
        }
        parity ^= 1;
    }
    sums[threadIdx.x] = sum;
}

/// One thread, which sees each step.
__global__ void steps(unsigned* seen) {
    __shared__ Object object;
    unsigned k = 0;
    start(&object, 5);
    Object state = arrive(&object);
    seen[k++] = pending(state);                 // 5: before the arrival
    seen[k++] = pending(arrive(&object, 2));    // 4
    seen[k++] = test(&object, state);           // 0
    seen[k++] = test_parity(&object, 1);        // 1: the phase before the first
    seen[k++] = test_parity(&object, 0);        // 0
    seen[k++] = pending(arrive(&object));       // 2
    seen[k++] = pending(arrive(&object));       // 1: completes the phase
    seen[k++] = test(&object, state);           // 1
    seen[k++] = test_parity(&object, 0);        // 1
    seen[k++] = test_parity(&object, 1);        // 0
    state = arrive(&object);
    seen[k++] = pending(state);                 // 5 again
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(&object)) : "memory");
}

#if defined(BYTES)
/// Arrivals do not end a phase while bytes are to come.
__global__ void bytes(unsigned* seen) {
    __shared__ Object object;
    unsigned k = 0;
    start(&object, 2);
    Object state;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(at(&object)), "r"(48) : "memory");
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(&object)), "r"(16) : "memory");
    arrive(&object);
    seen[k++] = test(&object, state);  // 0
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(&object)), "r"(60) : "memory");
    seen[k++] = test(&object, state);  // 0
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(&object)), "r"(4) : "memory");
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2, 1000; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over) : "r"(at(&object)), "l"(state) : "memory");
    seen[k++] = over;  // 1
}
#endif

__global__ void copies(const int* from, int* to) {
    __shared__ Object object;
    __shared__ __align__(16) int buffer[kThreads * 4];
    if (threadIdx.x == 0) start(&object, blockDim.x);
    __syncthreads();
    __pipeline_memcpy_async(&buffer[4 * threadIdx.x], &from[4 * threadIdx.x], 16);
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&object)) : "memory");  // changes nothing
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&object)) : "memory");
    while (!test_parity(&object, 0)) {
    }
    for (unsigned k = 0; k < 4; ++k) to[4 * threadIdx.x + k] = buffer[(4 * threadIdx.x + k + 77) % (4 * kThreads)];
}

int main() {
    unsigned* const out = managed<unsigned>(kThreads);
    phases<<<1, kThreads>>>(out);
    CUDA(cudaDeviceSynchronize());
    for (unsigned t = 0; t < kThreads; ++t) {
        unsigned sum = 0;
        for (unsigned round = 0; round < (t < 64 ? 5 : 2); ++round) sum += (t + 37) % (round < 2 ? kThreads : 64) + round;
        CHECK(out[t] == sum, "%u: %u, not %u", t, out[t], sum);
    }
    steps<<<1, 1>>>(out);
    CUDA(cudaDeviceSynchronize());
    const unsigned expected[] = {5, 4, 0, 1, 0, 2, 1, 1, 1, 0, 5};
    for (unsigned k = 0; k < 11; ++k) CHECK(out[k] == expected[k], "step %u: %u", k, out[k]);
#if defined(BYTES)
    bytes<<<1, 1>>>(out);
    CUDA(cudaDeviceSynchronize());
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 1, "%u %u %u", out[0], out[1], out[2]);
#endif
    int* const from = managed<int>(4 * kThreads);
    int* const to = managed<int>(4 * kThreads);
    for (unsigned k = 0; k < 4 * kThreads; ++k) from[k] = static_cast<int>(random_bits());
    copies<<<1, kThreads>>>(from, to);
    CUDA(cudaDeviceSynchronize());
    for (unsigned k = 0; k < 4 * kThreads; ++k) CHECK(to[k] == from[(k + 77) % (4 * kThreads)], "%u", k);
    return finished();
}
