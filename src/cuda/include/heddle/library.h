#pragma once
// NVIDIA's device library as Heddle has it. clang's device headers call __nv_* functions, whose bodies come with
// NVIDIA's toolkit. What is one or two PTX instructions, or a few lines, is defined here; sines, powers and the like
// stay calls, which Heddle executes itself (docs/ptx.md).

#include <__clang_cuda_libdevice_declares.h>

#define HEDDLE_NV extern "C" __device__ inline __attribute__((always_inline))

// Integers.
HEDDLE_NV int __nv_abs(int a) {
    return a < 0 ? -a : a;
}
HEDDLE_NV long long __nv_llabs(long long a) {
    return a < 0 ? -a : a;
}
HEDDLE_NV int __nv_min(int a, int b) {
    return a < b ? a : b;
}
HEDDLE_NV int __nv_max(int a, int b) {
    return a > b ? a : b;
}
HEDDLE_NV unsigned __nv_umin(unsigned a, unsigned b) {
    return a < b ? a : b;
}
HEDDLE_NV unsigned __nv_umax(unsigned a, unsigned b) {
    return a > b ? a : b;
}
HEDDLE_NV long long __nv_llmin(long long a, long long b) {
    return a < b ? a : b;
}
HEDDLE_NV long long __nv_llmax(long long a, long long b) {
    return a > b ? a : b;
}
HEDDLE_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
HEDDLE_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}
HEDDLE_NV int __nv_clz(int a) {
    int r;
    asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a));
    return r;
}
HEDDLE_NV int __nv_clzll(long long a) {
    int r;
    asm("clz.b64 %0, %1;" : "=r"(r) : "l"(a));
    return r;
}
HEDDLE_NV int __nv_popc(int a) {
    return __builtin_popcount(static_cast<unsigned>(a));
}
HEDDLE_NV int __nv_popcll(long long a) {
    return __builtin_popcountll(static_cast<unsigned long long>(a));
}
HEDDLE_NV int __nv_brev(int a) {
    return static_cast<int>(__builtin_bitreverse32(static_cast<unsigned>(a)));
}
HEDDLE_NV long long __nv_brevll(long long a) {
    return static_cast<long long>(__builtin_bitreverse64(static_cast<unsigned long long>(a)));
}
HEDDLE_NV int __nv_ffs(int a) {
    return 32 - __nv_clz(a & -a);
}
HEDDLE_NV int __nv_ffsll(long long a) {
    return 64 - __nv_clzll(a & -a);
}
HEDDLE_NV int __nv_byte_perm(int a, int b, int c) {
    int r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
HEDDLE_NV int __nv_mulhi(int a, int b) {
    return __nvvm_mulhi_i(a, b);
}
HEDDLE_NV unsigned __nv_umulhi(unsigned a, unsigned b) {
    return __nvvm_mulhi_ui(a, b);
}
HEDDLE_NV long long __nv_mul64hi(long long a, long long b) {
    return __nvvm_mulhi_ll(a, b);
}
HEDDLE_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
    return __nvvm_mulhi_ull(a, b);
}
HEDDLE_NV int __nv_mul24(int a, int b) {
    return __nvvm_mul24_i(a, b);
}
HEDDLE_NV unsigned __nv_umul24(unsigned a, unsigned b) {
    return __nvvm_mul24_ui(a, b);
}
HEDDLE_NV int __nv_sad(int a, int b, int c) {
    return static_cast<int>(a > b ? a - b : b - a) + c;
}
HEDDLE_NV unsigned __nv_usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}
HEDDLE_NV int __nv_hadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
HEDDLE_NV int __nv_rhadd(int a, int b) {
    return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
HEDDLE_NV int __nv_uhadd(unsigned a, unsigned b) {
    return static_cast<int>((a & b) + ((a ^ b) >> 1));
}
HEDDLE_NV unsigned __nv_urhadd(unsigned a, unsigned b) {
    return (a | b) - ((a ^ b) >> 1);
}

// Bits.
HEDDLE_NV int __nv_float_as_int(float a) {
    return __builtin_bit_cast(int, a);
}
HEDDLE_NV unsigned __nv_float_as_uint(float a) {
    return __builtin_bit_cast(unsigned, a);
}
HEDDLE_NV float __nv_int_as_float(int a) {
    return __builtin_bit_cast(float, a);
}
HEDDLE_NV float __nv_uint_as_float(unsigned a) {
    return __builtin_bit_cast(float, a);
}
HEDDLE_NV unsigned long long __nv_double_as_longlong(double a) {
    return __builtin_bit_cast(unsigned long long, a);
}
HEDDLE_NV double __nv_longlong_as_double(long long a) {
    return __builtin_bit_cast(double, a);
}
HEDDLE_NV int __nv_double2hiint(double a) {
    return static_cast<int>(__nv_double_as_longlong(a) >> 32);
}
HEDDLE_NV int __nv_double2loint(double a) {
    return static_cast<int>(__nv_double_as_longlong(a));
}
HEDDLE_NV double __nv_hiloint2double(int high, int low) {
    return __nv_longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

// Arithmetic in a given rounding mode: one instruction each.
#define HEDDLE_ROUNDED2(name, T, builtin, letter)    \
    HEDDLE_NV T __nv_##name##_rn(T a, T b) {         \
        return __nvvm_##builtin##_rn_##letter(a, b); \
    }                                                \
    HEDDLE_NV T __nv_##name##_rz(T a, T b) {         \
        return __nvvm_##builtin##_rz_##letter(a, b); \
    }                                                \
    HEDDLE_NV T __nv_##name##_rd(T a, T b) {         \
        return __nvvm_##builtin##_rm_##letter(a, b); \
    }                                                \
    HEDDLE_NV T __nv_##name##_ru(T a, T b) {         \
        return __nvvm_##builtin##_rp_##letter(a, b); \
    }
HEDDLE_ROUNDED2(fadd, float, add, f)
HEDDLE_ROUNDED2(dadd, double, add, d)
HEDDLE_ROUNDED2(fmul, float, mul, f)
HEDDLE_ROUNDED2(dmul, double, mul, d)
HEDDLE_ROUNDED2(fdiv, float, div, f)
HEDDLE_ROUNDED2(ddiv, double, div, d)
#undef HEDDLE_ROUNDED2
#define HEDDLE_ROUNDED1(name, T, builtin, letter) \
    HEDDLE_NV T __nv_##name##_rn(T a) {           \
        return __nvvm_##builtin##_rn_##letter(a); \
    }                                             \
    HEDDLE_NV T __nv_##name##_rz(T a) {           \
        return __nvvm_##builtin##_rz_##letter(a); \
    }                                             \
    HEDDLE_NV T __nv_##name##_rd(T a) {           \
        return __nvvm_##builtin##_rm_##letter(a); \
    }                                             \
    HEDDLE_NV T __nv_##name##_ru(T a) {           \
        return __nvvm_##builtin##_rp_##letter(a); \
    }
HEDDLE_ROUNDED1(frcp, float, rcp, f)
HEDDLE_ROUNDED1(drcp, double, rcp, d)
HEDDLE_ROUNDED1(fsqrt, float, sqrt, f)
HEDDLE_ROUNDED1(dsqrt, double, sqrt, d)
#undef HEDDLE_ROUNDED1
#define HEDDLE_ROUNDED_SUB(name, T, add)     \
    HEDDLE_NV T __nv_##name##_rn(T a, T b) { \
        return __nv_##add##_rn(a, -b);       \
    }                                        \
    HEDDLE_NV T __nv_##name##_rz(T a, T b) { \
        return __nv_##add##_rz(a, -b);       \
    }                                        \
    HEDDLE_NV T __nv_##name##_rd(T a, T b) { \
        return __nv_##add##_rd(a, -b);       \
    }                                        \
    HEDDLE_NV T __nv_##name##_ru(T a, T b) { \
        return __nv_##add##_ru(a, -b);       \
    }
HEDDLE_ROUNDED_SUB(fsub, float, fadd)
HEDDLE_ROUNDED_SUB(dsub, double, dadd)
#undef HEDDLE_ROUNDED_SUB
#define HEDDLE_ROUNDED_FMA(name, T, letter)       \
    HEDDLE_NV T __nv_##name##_rn(T a, T b, T c) { \
        return __nvvm_fma_rn_##letter(a, b, c);   \
    }                                             \
    HEDDLE_NV T __nv_##name##_rz(T a, T b, T c) { \
        return __nvvm_fma_rz_##letter(a, b, c);   \
    }                                             \
    HEDDLE_NV T __nv_##name##_rd(T a, T b, T c) { \
        return __nvvm_fma_rm_##letter(a, b, c);   \
    }                                             \
    HEDDLE_NV T __nv_##name##_ru(T a, T b, T c) { \
        return __nvvm_fma_rp_##letter(a, b, c);   \
    }
HEDDLE_ROUNDED_FMA(fmaf, float, f)
HEDDLE_ROUNDED_FMA(fma, double, d)
HEDDLE_ROUNDED_FMA(fmaf_ieee, float, f)
#undef HEDDLE_ROUNDED_FMA

// Functions that are one instruction.
HEDDLE_NV float __nv_sqrtf(float a) {
    return __nvvm_sqrt_rn_f(a);
}
HEDDLE_NV double __nv_sqrt(double a) {
    return __nvvm_sqrt_rn_d(a);
}
HEDDLE_NV float __nv_rsqrtf(float a) {
    return __nvvm_rsqrt_approx_f(a);
}
HEDDLE_NV float __nv_frsqrt_rn(float a) {
    return __nvvm_rsqrt_approx_f(a);
}
HEDDLE_NV float __nv_fmaf(float a, float b, float c) {
    return __nvvm_fma_rn_f(a, b, c);
}
HEDDLE_NV double __nv_fma(double a, double b, double c) {
    return __nvvm_fma_rn_d(a, b, c);
}
HEDDLE_NV float __nv_fabsf(float a) {
    return __builtin_fabsf(a);
}
HEDDLE_NV double __nv_fabs(double a) {
    return __builtin_fabs(a);
}
HEDDLE_NV float __nv_fminf(float a, float b) {
    return __nvvm_fmin_f(a, b);
}
HEDDLE_NV float __nv_fmaxf(float a, float b) {
    return __nvvm_fmax_f(a, b);
}
HEDDLE_NV double __nv_fmin(double a, double b) {
    return __nvvm_fmin_d(a, b);
}
HEDDLE_NV double __nv_fmax(double a, double b) {
    return __nvvm_fmax_d(a, b);
}
HEDDLE_NV float __nv_floorf(float a) {
    return __nvvm_floor_f(a);
}
HEDDLE_NV double __nv_floor(double a) {
    return __nvvm_floor_d(a);
}
HEDDLE_NV float __nv_ceilf(float a) {
    return __nvvm_ceil_f(a);
}
HEDDLE_NV double __nv_ceil(double a) {
    return __nvvm_ceil_d(a);
}
HEDDLE_NV float __nv_truncf(float a) {
    return __nvvm_trunc_f(a);
}
HEDDLE_NV double __nv_trunc(double a) {
    return __nvvm_trunc_d(a);
}
HEDDLE_NV float __nv_rintf(float a) {
    return __nvvm_round_f(a);
}
HEDDLE_NV double __nv_rint(double a) {
    return __nvvm_round_d(a);
}
HEDDLE_NV float __nv_saturatef(float a) {
    return __nvvm_saturate_f(a);
}
HEDDLE_NV float __nv_copysignf(float a, float b) {
    return __nv_uint_as_float((__nv_float_as_uint(a) & 0x7fffffffu) | (__nv_float_as_uint(b) & 0x80000000u));
}
HEDDLE_NV double __nv_copysign(double a, double b) {
    const unsigned long long sign = 1ull << 63;
    return __builtin_bit_cast(double,
                              (__nv_double_as_longlong(a) & ~sign) | (__nv_double_as_longlong(b) & sign));
}
HEDDLE_NV int __nv_isnanf(float a) {
    return a != a;
}
HEDDLE_NV int __nv_isnand(double a) {
    return a != a;
}
HEDDLE_NV int __nv_isinff(float a) {
    return __builtin_fabsf(a) == __builtin_inff();
}
HEDDLE_NV int __nv_isinfd(double a) {
    return __builtin_fabs(a) == __builtin_inf();
}
HEDDLE_NV int __nv_finitef(float a) {
    return __builtin_fabsf(a) < __builtin_inff();
}
HEDDLE_NV int __nv_isfinited(double a) {
    return __builtin_fabs(a) < __builtin_inf();
}
HEDDLE_NV int __nv_signbitf(float a) {
    return __nv_float_as_int(a) < 0;
}
HEDDLE_NV int __nv_signbitd(double a) {
    return static_cast<int>(__nv_double_as_longlong(a) >> 63);
}

// The fast versions: what nvcc makes of __sinf() and its like.
HEDDLE_NV float __nv_fast_fdividef(float a, float b) {
    return __nvvm_div_approx_f(a, b);
}
HEDDLE_NV float __nv_fast_sinf(float a) {
    return __nvvm_sin_approx_f(a);
}
HEDDLE_NV float __nv_fast_cosf(float a) {
    return __nvvm_cos_approx_f(a);
}
HEDDLE_NV float __nv_fast_tanf(float a) {
    return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
HEDDLE_NV void __nv_fast_sincosf(float a, float* s, float* c) {
    *s = __nvvm_sin_approx_f(a);
    *c = __nvvm_cos_approx_f(a);
}
HEDDLE_NV float __nv_fast_expf(float a) {
    return __nvvm_ex2_approx_f(a * 1.4426950408889634f);
}
HEDDLE_NV float __nv_fast_exp10f(float a) {
    return __nvvm_ex2_approx_f(a * 3.3219280948873623f);
}
HEDDLE_NV float __nv_fast_log2f(float a) {
    return __nvvm_lg2_approx_f(a);
}
HEDDLE_NV float __nv_fast_logf(float a) {
    return __nvvm_lg2_approx_f(a) * 0.69314718055994531f;
}
HEDDLE_NV float __nv_fast_log10f(float a) {
    return __nvvm_lg2_approx_f(a) * 0.30102999566398120f;
}
HEDDLE_NV float __nv_fast_powf(float a, float b) {
    return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}

#include "heddle/library_conversions.h"
#include "heddle/library_functions.h"

#undef HEDDLE_NV
