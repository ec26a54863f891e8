#pragma once
// Asynchronous copies of a thread: cp.async from sm_80 on, plain copies elsewhere.

#include "cuda_runtime.h"

#if defined(__CUDA__)

/// Copies 4, 8 or 16 bytes from global to shared memory; the last `zeros` of them are zeros instead.
static __device__ __forceinline__ void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                                               size_t zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const unsigned read = static_cast<unsigned>(bytes - zeros);
    switch (bytes) {
        case 4:
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(read)
                         : "memory");
            return;
        case 8:
            asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(from), "r"(read)
                         : "memory");
            return;
        default:
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(read)
                         : "memory");
            return;
    }
#else
    const unsigned* const words = static_cast<const unsigned*>(from);
    unsigned copied[4] = {};
    for (unsigned k = 0; k < bytes / 4; ++k)
        if (4 * k < bytes - zeros) copied[k] = words[k];
    for (size_t k = bytes - zeros; k < bytes; ++k) reinterpret_cast<char*>(copied)[k] = 0;
    for (unsigned k = 0; k < bytes / 4; ++k) static_cast<unsigned*>(to)[k] = copied[k];
#endif
}
static __device__ __forceinline__ void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Until all but the last `prior` groups are there; the count is a constant.
static __device__ __forceinline__ void __pipeline_wait_prior(size_t prior) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    switch (prior) {
#define HEDDLE_WAIT(n)                                            \
    case n:                                                       \
        asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
        return;
        HEDDLE_WAIT(1)
        HEDDLE_WAIT(2)
        HEDDLE_WAIT(3)
        HEDDLE_WAIT(4)
        HEDDLE_WAIT(5)
        HEDDLE_WAIT(6)
        HEDDLE_WAIT(7)
        HEDDLE_WAIT(8)
#undef HEDDLE_WAIT
        default:
            asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
#endif
}
#endif
