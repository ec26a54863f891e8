#pragma once
// Half precision: __half and __half2. Arithmetic on the device is one f16 or f16x2 instruction each; on the host it goes
// through float and is rounded once.

#include "cuda_runtime.h"

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#if defined(__cplusplus)
#include "heddle/small_float_bits.h"

#define HEDDLE_H __half
#define HEDDLE_H2 __half2
#define HEDDLE_H_RAW __half_raw
#define HEDDLE_H2_RAW __half2_raw
#define HEDDLE_H_FORMAT heddle_small::Half
#define HEDDLE_H_TYPE "f16"
// The architecture that has each instruction.
#define HEDDLE_H_ARCH_ARITHMETIC 530
#define HEDDLE_H_ARCH_FMA 530
#define HEDDLE_H_ARCH_MINMAX 800
#define HEDDLE_H_ARCH_ATOMIC 700
#define HEDDLE_H_OF(from, mode) __##from##2half##mode
#define HEDDLE_H_TO(to) __half2##to
#define HEDDLE_H_AS(to) __half_as_##to
#define HEDDLE_H_AS_H(from) __##from##_as_half
#if defined(__CUDA_NO_HALF_OPERATORS__)
#define HEDDLE_NO_OPERATORS
#endif
#if defined(__CUDA_NO_HALF2_OPERATORS__)
#define HEDDLE_NO_OPERATORS2
#endif
#if defined(__CUDA_NO_HALF_CONVERSIONS__)
#define HEDDLE_NO_CONVERSIONS
#endif
#include "heddle/small_float.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

HEDDLE_SMALL __half __float2half(float f) {
    return __float2half_rn(f);
}
HEDDLE_SMALL __half __double2half(double d) {
    return __half(d);
}
HEDDLE_SMALL __half2 make_half2(__half a, __half b) {
    return __half2(a, b);
}
HEDDLE_SMALL __half2 __float2half2_rn(float f) {
    return __half2(__half(f), __half(f));
}
HEDDLE_SMALL __half2 __floats2half2_rn(float a, float b) {
    return __half2(__half(a), __half(b));
}
HEDDLE_SMALL __half2 __float22half2_rn(float2 f) {
    return __half2(__half(f.x), __half(f.y));
}
HEDDLE_SMALL float2 __half22float2(__half2 h) {
    return make_float2(__half2float(h.x), __half2float(h.y));
}
HEDDLE_SMALL __half2 __half2half2(__half a) {
    return __half2(a, a);
}
HEDDLE_SMALL __half2 __halves2half2(__half a, __half b) {
    return __half2(a, b);
}
HEDDLE_SMALL __half __low2half(__half2 h) {
    return h.x;
}
HEDDLE_SMALL __half __high2half(__half2 h) {
    return h.y;
}
HEDDLE_SMALL __half2 __low2half2(__half2 h) {
    return __half2(h.x, h.x);
}
HEDDLE_SMALL __half2 __high2half2(__half2 h) {
    return __half2(h.y, h.y);
}
HEDDLE_SMALL __half2 __lows2half2(__half2 a, __half2 b) {
    return __half2(a.x, b.x);
}
HEDDLE_SMALL __half2 __highs2half2(__half2 a, __half2 b) {
    return __half2(a.y, b.y);
}
#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00U))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFFU))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001U))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFFU))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000U))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00U))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000U))
#include "heddle/small_float_end.h"
#endif
