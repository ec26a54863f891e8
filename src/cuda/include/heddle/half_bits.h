#pragma once
// Arithmetic on the bits of half-precision numbers (cuda_fp16.h).

struct __half;

namespace heddle_half {

#if defined(__CUDA_ARCH__)
static __inline__ __device__ unsigned short from_float(float f) {
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
static __inline__ __device__ float to_float(unsigned short h) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}
#else
/// Round to nearest even.
static __inline__ unsigned short from_float(float f) {
    const unsigned bits = __builtin_bit_cast(unsigned, f), sign = bits >> 16 & 0x8000,
                   magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff;
    if (magnitude >= 0x47800000) return static_cast<unsigned short>(sign | 0x7c00);
    unsigned mantissa, shift;
    unsigned base = 0;
    if (magnitude >= 0x38800000) {  // normal
        mantissa = magnitude - 0x38000000;
        shift = 13;
    } else {  // subnormal
        const unsigned exponent = magnitude >> 23;
        if (exponent < 102) return static_cast<unsigned short>(sign);
        mantissa = (magnitude & 0x7fffff) | 0x800000;
        shift = 126 - exponent;
    }
    base = mantissa >> shift;
    const unsigned rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    base += rest > half || (rest == half && (base & 1) != 0);
    return static_cast<unsigned short>(sign | base);
}
static __inline__ float to_float(unsigned short h) {
    const unsigned sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 1023;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000 | mantissa << 13);
    if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | mantissa << 13);
    const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
    return sign != 0 ? -magnitude : magnitude;
}
#endif

/// Bits that become a __half.
struct Bits {
    unsigned short bits;
    __host__ __device__ operator __half() const;
};

#if defined(__CUDA_ARCH__)
#define HEDDLE_HALF2(name, instruction)                                          \
    static __inline__ __device__ Bits name(unsigned short a, unsigned short b) { \
        unsigned short r;                                                        \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));          \
        return {r};                                                              \
    }
HEDDLE_HALF2(add, "add.rn")
HEDDLE_HALF2(sub, "sub.rn")
HEDDLE_HALF2(mul, "mul.rn")
#undef HEDDLE_HALF2
static __inline__ __device__ Bits fma(unsigned short a, unsigned short b, unsigned short c) {
    unsigned short r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a), "h"(b), "h"(c));
    return {r};
}
#else
static __inline__ Bits add(unsigned short a, unsigned short b) {
    return {from_float(to_float(a) + to_float(b))};
}
static __inline__ Bits sub(unsigned short a, unsigned short b) {
    return {from_float(to_float(a) - to_float(b))};
}
static __inline__ Bits mul(unsigned short a, unsigned short b) {
    return {from_float(to_float(a) * to_float(b))};
}
/// The product is exact in double; the sum is rounded to float first only where float holds it.
static __inline__ Bits fma(unsigned short a, unsigned short b, unsigned short c) {
    return {from_float(static_cast<float>(static_cast<double>(to_float(a)) * to_float(b) + to_float(c)))};
}
#endif

}  // namespace heddle_half
