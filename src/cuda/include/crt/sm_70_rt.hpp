#pragma once
// What clang's device headers expect of NVIDIA's header of this name: matching within a warp, nanosleep.

#define HEDDLE_MATCH(T, bits, wide)                                                                     \
    static __device__ __forceinline__ unsigned __match_any_sync(unsigned mask, T v) {                   \
        return static_cast<unsigned>(__match##bits##_any_sync(mask, __builtin_bit_cast(wide, v)));      \
    }                                                                                                   \
    static __device__ __forceinline__ unsigned __match_all_sync(unsigned mask, T v, int* all) {         \
        return static_cast<unsigned>(__match##bits##_all_sync(mask, __builtin_bit_cast(wide, v), all)); \
    }
HEDDLE_MATCH(int, 32, unsigned)
HEDDLE_MATCH(unsigned, 32, unsigned)
HEDDLE_MATCH(float, 32, unsigned)
HEDDLE_MATCH(long, 64, unsigned long long)
HEDDLE_MATCH(unsigned long, 64, unsigned long long)
HEDDLE_MATCH(long long, 64, unsigned long long)
HEDDLE_MATCH(unsigned long long, 64, unsigned long long)
HEDDLE_MATCH(double, 64, unsigned long long)
#undef HEDDLE_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned ns) {
    asm volatile("nanosleep.u32 %0;" ::"r"(ns));
}
