#pragma once
// Barriers and fences that shared variables are not moved across. clang 14 takes it that __syncthreads, its kin with a
// result and the fences leave a shared variable alone whose address nobody takes, and moves a load in front of the barrier
// that it has to stand behind (alias analysis of globals). An empty asm that touches memory keeps the order and costs no
// instruction. The barriers of a warp and those with a number are right as they are; other versions may see them otherwise.
//
// Before clang's headers are read, which define __syncthreads_and, __threadfence, __syncwarp and their kin by these;
// __syncthreads itself is built in.

#define HEDDLE_ORDERED(call)           \
    ({                                 \
        asm volatile("" ::: "memory"); \
        call;                          \
        asm volatile("" ::: "memory"); \
    })
#define HEDDLE_ORDERED_VALUE(call)     \
    ({                                 \
        asm volatile("" ::: "memory"); \
        const int heddle_value = call; \
        asm volatile("" ::: "memory"); \
        heddle_value;                  \
    })

// A function, as programs may say ::__syncthreads().
static __device__ inline __attribute__((always_inline)) void heddle_syncthreads() {
    HEDDLE_ORDERED(__syncthreads());
}
#define __syncthreads heddle_syncthreads

#define __nvvm_bar0_and(a) HEDDLE_ORDERED_VALUE(__nvvm_bar0_and(a))
#define __nvvm_bar0_or(a) HEDDLE_ORDERED_VALUE(__nvvm_bar0_or(a))
#define __nvvm_bar0_popc(a) HEDDLE_ORDERED_VALUE(__nvvm_bar0_popc(a))
#define __nvvm_bar_warp_sync(mask) HEDDLE_ORDERED(__nvvm_bar_warp_sync(mask))
#define __nvvm_barrier_sync(id) HEDDLE_ORDERED(__nvvm_barrier_sync(id))
#define __nvvm_barrier_sync_cnt(id, count) HEDDLE_ORDERED(__nvvm_barrier_sync_cnt(id, count))
#define __nvvm_membar_cta() HEDDLE_ORDERED(__nvvm_membar_cta())
#define __nvvm_membar_gl() HEDDLE_ORDERED(__nvvm_membar_gl())
#define __nvvm_membar_sys() HEDDLE_ORDERED(__nvvm_membar_sys())
