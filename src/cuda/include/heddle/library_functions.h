#pragma once
// Library functions made of others (heddle/library.h).

HEDDLE_NV void __nv_sincosf(float a, float* s, float* c) {
    *s = __nv_sinf(a);
    *c = __nv_cosf(a);
}
HEDDLE_NV void __nv_sincos(double a, double* s, double* c) {
    *s = __nv_sin(a);
    *c = __nv_cos(a);
}
HEDDLE_NV void __nv_sincospif(float a, float* s, float* c) {
    *s = __nv_sinpif(a);
    *c = __nv_cospif(a);
}
HEDDLE_NV void __nv_sincospi(double a, double* s, double* c) {
    *s = __nv_sinpi(a);
    *c = __nv_cospi(a);
}
HEDDLE_NV float __nv_modff(float a, float* whole) {
    *whole = __nv_truncf(a);
    return __nv_copysignf(__nv_isinff(a) ? 0.0f : a - *whole, a);
}
HEDDLE_NV double __nv_modf(double a, double* whole) {
    *whole = __nv_trunc(a);
    return __nv_copysign(__nv_isinfd(a) ? 0.0 : a - *whole, a);
}

/// 2^n for normal results.
__device__ inline double __heddle_power_of_two(int n) {
    return __nv_longlong_as_double(static_cast<long long>(n + 1023) << 52);
}
HEDDLE_NV double __nv_scalbn(double a, int n) {
    // In two steps, so that a result that is subnormal is rounded once; a third for what two cannot reach.
    n = __nv_max(__nv_min(n, 2200), -2200);
    if (n > 1023 || n < -1022) {
        const int step = n > 0 ? 1023 : -1022 + 53;
        a *= __heddle_power_of_two(step);
        n -= step;
        if (n > 1023 || n < -1022) {
            a *= __heddle_power_of_two(step);
            n = __nv_max(__nv_min(n - step, 1023), -1022);
        }
    }
    return a * __heddle_power_of_two(n);
}
HEDDLE_NV float __nv_scalbnf(float a, int n) {
    return static_cast<float>(static_cast<double>(a) *
                              __heddle_power_of_two(__nv_max(__nv_min(n, 500), -500)));
}
HEDDLE_NV double __nv_ldexp(double a, int n) {
    return __nv_scalbn(a, n);
}
HEDDLE_NV float __nv_ldexpf(float a, int n) {
    return __nv_scalbnf(a, n);
}
HEDDLE_NV double __nv_frexp(double a, int* exponent) {
    *exponent = 0;
    if (a == 0 || !__nv_isfinited(a)) return a;
    int scale = 0;
    if (__builtin_fabs(a) < 2.2250738585072014e-308) {
        a *= 18014398509481984.0;  // 2^54
        scale = -54;
    }
    const unsigned long long bits = __nv_double_as_longlong(a);
    *exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1022 + scale;
    return __builtin_bit_cast(double, (bits & ~(0x7ffull << 52)) | 0x3feull << 52);
}
HEDDLE_NV float __nv_frexpf(float a, int* exponent) {
    return static_cast<float>(__nv_frexp(static_cast<double>(a), exponent));
}
HEDDLE_NV int __nv_ilogb(double a) {
    if (a == 0) return static_cast<int>(0x80000000u);
    if (!__nv_isfinited(a)) return a != a ? static_cast<int>(0x80000000u) : 0x7fffffff;
    int exponent;
    __nv_frexp(a, &exponent);
    return exponent - 1;
}
HEDDLE_NV int __nv_ilogbf(float a) {
    return __nv_ilogb(static_cast<double>(a));
}
HEDDLE_NV long long __nv_llrint(double a) {
    return __nv_double2ll_rn(a);
}
HEDDLE_NV long long __nv_llrintf(float a) {
    return __nv_float2ll_rn(a);
}
HEDDLE_NV long long __nv_llround(double a) {
    return __nv_double2ll_rz(__nv_round(a));
}
HEDDLE_NV long long __nv_llroundf(float a) {
    return __nv_float2ll_rz(__nv_roundf(a));
}
HEDDLE_NV float __nv_nextafterf(float a, float b) {
    if (a != a || b != b) return a + b;
    if (a == b) return b;
    if (a == 0) return __nv_copysignf(__nv_int_as_float(1), b);
    const int bits = __nv_float_as_int(a);
    return __nv_int_as_float(a<b == a> 0 ? bits + 1 : bits - 1);
}
HEDDLE_NV double __nv_powi(double a, int n) {
    double r = 1;
    for (unsigned k = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n); k != 0;
         k >>= 1, a *= a)
        if ((k & 1) != 0) r *= a;
    return n < 0 ? 1 / r : r;
}
HEDDLE_NV float __nv_powif(float a, int n) {
    float r = 1;
    for (unsigned k = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n); k != 0;
         k >>= 1, a *= a)
        if ((k & 1) != 0) r *= a;
    return n < 0 ? 1 / r : r;
}
HEDDLE_NV double __nv_norm4d(double a, double b, double c, double d) {
    return __nv_hypot(__nv_hypot(a, b), __nv_hypot(c, d));
}
HEDDLE_NV float __nv_norm4df(float a, float b, float c, float d) {
    return __nv_hypotf(__nv_hypotf(a, b), __nv_hypotf(c, d));
}
HEDDLE_NV double __nv_rnorm3d(double a, double b, double c) {
    return 1 / __nv_norm3d(a, b, c);
}
HEDDLE_NV float __nv_rnorm3df(float a, float b, float c) {
    return 1 / __nv_norm3df(a, b, c);
}
HEDDLE_NV double __nv_rnorm4d(double a, double b, double c, double d) {
    return 1 / __nv_norm4d(a, b, c, d);
}
HEDDLE_NV float __nv_rnorm4df(float a, float b, float c, float d) {
    return 1 / __nv_norm4df(a, b, c, d);
}
