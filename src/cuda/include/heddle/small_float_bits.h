#pragma once
// 16-bit floating-point numbers as bits (cuda_fp16.h, cuda_bf16.h): conversions in every rounding mode, and the
// arithmetic that a device has as one instruction.
//
// What has more bits than a float becomes a float first that is rounded to odd: the last bit is set if anything was cut
// off. Rounding that once more, to a format at least two bits shorter, gives what rounding once would.

#if !defined(__CUDA__)
// A host compiler does not know rintf by itself, and programs take memcpy from here, as from NVIDIA's header.
#include <math.h>
#include <string.h>
#endif

#define HEDDLE_SMALL static __inline__ __host__ __device__

namespace heddle_small {

enum Round { nearest, to_zero, down, up };

template <class To, class From>
HEDDLE_SMALL To bits_as(From from) {
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

HEDDLE_SMALL float odd_float(double d) {
    const float f = static_cast<float>(d);
    if (static_cast<double>(f) == d || d != d) return f;
    // The nearest float is one side of d; the odd one of the two beside it is wanted.
    unsigned bits = bits_as<unsigned>(f);
    const double distance = static_cast<double>(f) - d;
    if ((bits & 0x7fffffffu) == 0x7f800000u) return bits_as<float>((bits & 0x80000000u) | 0x7f7fffffu);
    if ((bits & 1) == 0)
        bits += (distance > 0) == ((bits >> 31) == 0) && (bits & 0x7fffffffu) != 0 ? ~0u : 1u;
    return bits_as<float>(bits);
}
HEDDLE_SMALL float odd_float(unsigned long long n) {
    unsigned shift = 0;
    unsigned long long lost = 0;
    while (n >> 24 != 0) {
        lost |= n & 1;
        n >>= 1;
        ++shift;
    }
    n |= lost;
    return static_cast<float>(n) * static_cast<float>(1ull << (shift / 2)) *
           static_cast<float>(1ull << (shift - shift / 2));
}
HEDDLE_SMALL float odd_float(long long n) {
    return n < 0 ? -odd_float(0ull - static_cast<unsigned long long>(n))
                 : odd_float(static_cast<unsigned long long>(n));
}
/// a * b + c; the product of two 16-bit numbers is exact in double.
HEDDLE_SMALL float odd_fma(float a, float b, float c) {
    const double product = static_cast<double>(a) * b, addend = c, sum = product + addend;
    // What the sum lost (Knuth's two-sum) sets its last bit.
    const double of_addend = sum - product;
    const double lost = (product - (sum - of_addend)) + (addend - of_addend);
    if (lost == 0 || lost != lost) return odd_float(sum);
    unsigned long long bits = bits_as<unsigned long long>(sum);
    if ((bits & 1) == 0) bits += (lost < 0) == (bits >> 63 == 0) ? ~0ull : 1ull;
    return odd_float(bits_as<double>(bits));
}

/// Whether a magnitude grows by one: `last` is its lowest bit, `rest` what is cut off of a unit of `unit`.
HEDDLE_SMALL bool grows(Round mode, bool negative, unsigned last, unsigned rest, unsigned unit) {
    switch (mode) {
        case to_zero:
            return false;
        case down:
            return negative && rest != 0;
        case up:
            return !negative && rest != 0;
        default:
            return rest > unit / 2 || (rest == unit / 2 && last != 0);
    }
}

struct Half {
    static __inline__ __host__ __device__ unsigned short from_float(float f, Round mode) {
        const unsigned bits = bits_as<unsigned>(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
        if (magnitude > 0x7f800000) return 0x7fff;
        if (magnitude == 0x7f800000) return static_cast<unsigned short>(sign | 0x7c00);
        if (magnitude >= 0x47800000) {  // beyond every finite number
            const bool infinite = mode == nearest || grows(mode, sign != 0, 1, 1, 1);
            return static_cast<unsigned short>(sign | (infinite ? 0x7c00 : 0x7bff));
        }
        unsigned mantissa, shift;
        if (magnitude >= 0x38800000) {  // normal
            mantissa = magnitude - 0x38000000;
            shift = 13;
        } else {  // subnormal: units of 2^-24
            mantissa = (magnitude & 0x7fffff) | (magnitude >> 23 == 0 ? 0 : 0x800000);
            shift = 126 - (magnitude >> 23);
            if (shift > 30) {  // less than half a unit
                mantissa = magnitude != 0;
                shift = 30;
            }
        }
        const unsigned base = mantissa >> shift, unit = 1u << shift;
        return static_cast<unsigned short>(
            sign | (base + grows(mode, sign != 0, base & 1, mantissa & (unit - 1), unit)));
    }
    static __inline__ __host__ __device__ float to_float(unsigned short h) {
        const unsigned sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 1023;
        if (exponent == 31) return bits_as<float>(sign | 0x7f800000 | mantissa << 13);
        if (exponent != 0) return bits_as<float>(sign | (exponent + 112) << 23 | mantissa << 13);
        const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
        return sign != 0 ? -magnitude : magnitude;
    }
};

struct Bfloat16 {
    static __inline__ __host__ __device__ unsigned short from_float(float f, Round mode) {
        const unsigned bits = bits_as<unsigned>(f);
        if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
        const unsigned base = bits >> 16;
        return static_cast<unsigned short>(base +
                                           grows(mode, bits >> 31 != 0, base & 1, bits & 0xffff, 0x10000));
    }
    static __inline__ __host__ __device__ float to_float(unsigned short h) {
        return bits_as<float>(static_cast<unsigned>(h) << 16);
    }
};

}  // namespace heddle_small
