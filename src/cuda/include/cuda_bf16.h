#pragma once
// bfloat16: __nv_bfloat16 and __nv_bfloat162. Arithmetic on the device is one bf16 instruction each from sm_90 on (fma
// from sm_80 on); elsewhere it goes through float and is rounded once.

#include "cuda_runtime.h"

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#if defined(__cplusplus)
#include "heddle/small_float_bits.h"

#define HEDDLE_H __nv_bfloat16
#define HEDDLE_H2 __nv_bfloat162
#define HEDDLE_H_RAW __nv_bfloat16_raw
#define HEDDLE_H2_RAW __nv_bfloat162_raw
#define HEDDLE_H_FORMAT heddle_small::Bfloat16
#define HEDDLE_H_TYPE "bf16"
#define HEDDLE_H_ARCH_ARITHMETIC 900
#define HEDDLE_H_ARCH_FMA 800
#define HEDDLE_H_ARCH_MINMAX 800
#define HEDDLE_H_ARCH_ATOMIC 900
#define HEDDLE_H_OF(from, mode) __##from##2bfloat16##mode
#define HEDDLE_H_TO(to) __bfloat162##to
#define HEDDLE_H_AS(to) __bfloat16_as_##to
#define HEDDLE_H_AS_H(from) __##from##_as_bfloat16
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define HEDDLE_NO_OPERATORS
#endif
#if defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define HEDDLE_NO_OPERATORS2
#endif
#if defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define HEDDLE_NO_CONVERSIONS
#endif
#include "heddle/small_float.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

HEDDLE_SMALL __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
HEDDLE_SMALL __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
    return __nv_bfloat162(a, a);
}
#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80U))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7FU))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001U))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFFU))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000U))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80U))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000U))
#include "heddle/small_float_end.h"
#endif
