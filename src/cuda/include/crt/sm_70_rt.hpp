#pragma once
// What clang's device headers expect of NVIDIA's header of this name: matching within a warp, nanosleep.

// By PTX: clang 14's builtins of 64 bits give a result of 64 bits, which no instruction has.
#define HEDDLE_MATCH(T, bits, wide, reg)                                                        \
    static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, T v) {           \
        unsigned r;                                                                             \
        asm volatile("match.any.sync.b" #bits " %0, %1, %2;"                                    \
                     : "=r"(r)                                                                  \
                     : reg(__builtin_bit_cast(wide, v)), "r"(mask));                            \
        return r;                                                                               \
    }                                                                                           \
    static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, T v, int* all) { \
        unsigned r;                                                                             \
        int same;                                                                               \
        asm volatile("{\n.reg .pred p;\nmatch.all.sync.b" #bits                                 \
                     " %0|p, %2, %3;\nselp.s32 %1, 1, 0, p;\n}"                                 \
                     : "=r"(r), "=r"(same)                                                      \
                     : reg(__builtin_bit_cast(wide, v)), "r"(mask));                            \
        *all = same;                                                                            \
        return r;                                                                               \
    }
HEDDLE_MATCH(int, 32, unsigned, "r")
HEDDLE_MATCH(unsigned, 32, unsigned, "r")
HEDDLE_MATCH(float, 32, unsigned, "r")
HEDDLE_MATCH(long, 64, unsigned long long, "l")
HEDDLE_MATCH(unsigned long, 64, unsigned long long, "l")
HEDDLE_MATCH(long long, 64, unsigned long long, "l")
HEDDLE_MATCH(unsigned long long, 64, unsigned long long, "l")
HEDDLE_MATCH(double, 64, unsigned long long, "l")
#undef HEDDLE_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned ns) {
    asm volatile("nanosleep.u32 %0;" ::"r"(ns));
}
