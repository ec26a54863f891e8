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

HEDDLE_SMALL __half2 make_half2(__half a, __half b) {
    return __half2(a, b);
}
HEDDLE_SMALL __half2 __half2half2(__half a) {
    return __half2(a, a);
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
