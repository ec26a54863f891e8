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

// Orders travel as numbers of the argument's type.
extern "C" __device__ double __nv_heddle_jn(double order, double a);
extern "C" __device__ float __nv_heddle_jnf(float order, float a);
extern "C" __device__ double __nv_heddle_yn(double order, double a);
extern "C" __device__ float __nv_heddle_ynf(float order, float a);
HEDDLE_NV double __nv_jn(int n, double a) {
    return __nv_heddle_jn(n, a);
}
HEDDLE_NV float __nv_jnf(int n, float a) {
    return __nv_heddle_jnf(static_cast<float>(n), a);
}
HEDDLE_NV double __nv_yn(int n, double a) {
    return __nv_heddle_yn(n, a);
}
HEDDLE_NV float __nv_ynf(int n, float a) {
    return __nv_heddle_ynf(static_cast<float>(n), a);
}

/// The remainder, and the quotient's sign and three lowest bits.
HEDDLE_NV double __nv_remquo(double a, double b, int* quotient) {
    const double size = __builtin_fabs(b);
    // Exact: less than eight divisors stay, and their number is not in doubt.
    const double eight = __nv_dmul_rn(8, size);
    const double left = __nv_isinfd(eight) || !(__builtin_fabs(a) >= eight)
                            ? __builtin_fabs(a)
                            : __nv_fmod(__builtin_fabs(a), eight);
    const double rest = __nv_remainder(left, size);
    const int count = size > 0 && __nv_isfinited(a) && __nv_isfinited(b)
                          ? static_cast<int>(__nv_rint((left - rest) / size)) & 7
                          : 0;
    *quotient = __nv_signbitd(a) != __nv_signbitd(b) ? -count : count;
    return __nv_signbitd(a) ? -rest : rest;
}
HEDDLE_NV float __nv_remquof(float a, float b, int* quotient) {
    return static_cast<float>(__nv_remquo(static_cast<double>(a), static_cast<double>(b), quotient));
}

// Lengths of vectors. Squares are added in sums of two doubles, at a scale where they are normal.
struct __heddle_length {
    double largest = 0, up = 1, high = 0, low = 0;
    bool missing = false;

    __device__ inline void see(double a) {
        missing = missing || a != a;
        largest = __nv_fmax(largest, __builtin_fabs(a));
        up = largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-500 ? 0x1p600 : 1.0;
    }
    __device__ inline void add(double a) {
        const double v = __nv_dmul_rn(a, up), p = __nv_dmul_rn(v, v), s = __nv_dadd_rn(high, p),
                     t = __nv_dsub_rn(s, high);
        const double lost = __nv_dadd_rn(__nv_dsub_rn(high, __nv_dsub_rn(s, t)), __nv_dsub_rn(p, t));
        low = __nv_dadd_rn(low, __nv_dadd_rn(lost, __nv_fma(v, v, -p)));
        high = s;
    }
    __device__ inline bool edge() const { return missing || largest == 0 || __nv_isinfd(largest); }
    __device__ inline double at_edge() const {
        return __nv_isinfd(largest) ? largest : missing ? __nv_longlong_as_double(0x7ff8000000000000ll) : 0.0;
    }
    __device__ inline double length() const {
        if (edge()) return at_edge();
        const double r = __nv_sqrt(__nv_dadd_rn(high, low));
        return __nv_fma(__nv_dadd_rn(__nv_fma(-r, r, high), low), 0.5 / r, r) / up;
    }
    __device__ inline double reciprocal() const {
        if (edge()) return 1 / at_edge();
        const double r = 1 / __nv_sqrt(__nv_dadd_rn(high, low)), v = __nv_dmul_rn(r, high);
        // 1 - r^2 (high + low)
        const double rest = __nv_fma(r, high, -v), error = __nv_fma(-v, r, 1.0) - r * (rest + r * low);
        return __nv_fma(0.5 * r, error, r) * up;
    }
};
__device__ inline __heddle_length __heddle_length_of(double a, double b, double c, double d) {
    __heddle_length v;
    v.see(a), v.see(b), v.see(c), v.see(d);
    v.add(a), v.add(b), v.add(c), v.add(d);
    return v;
}
template <class T>
__device__ inline __heddle_length __heddle_length_of(int n, const T* a) {
    __heddle_length v;
    for (int k = 0; k < n; ++k) v.see(static_cast<double>(a[k]));
    for (int k = 0; k < n; ++k) v.add(static_cast<double>(a[k]));
    return v;
}
HEDDLE_NV double __nv_norm4d(double a, double b, double c, double d) {
    return __heddle_length_of(a, b, c, d).length();
}
HEDDLE_NV double __nv_rnorm4d(double a, double b, double c, double d) {
    return __heddle_length_of(a, b, c, d).reciprocal();
}
HEDDLE_NV double __nv_norm(int n, const double* a) {
    return __heddle_length_of(n, a).length();
}
HEDDLE_NV double __nv_rnorm(int n, const double* a) {
    return __heddle_length_of(n, a).reciprocal();
}

// Squares of floats neither overflow nor vanish in double.
__device__ inline float __heddle_short_length(double squares, bool infinite, bool inverse) {
    const double r = infinite ? __builtin_inf() : __nv_sqrt(squares);
    return static_cast<float>(inverse ? 1 / r : r);
}
__device__ inline double __heddle_square(float a) {
    return static_cast<double>(a) * static_cast<double>(a);
}
__device__ inline float __heddle_short_length4(float a, float b, float c, float d, bool inverse) {
    return __heddle_short_length(
        __heddle_square(a) + __heddle_square(b) + __heddle_square(c) + __heddle_square(d),
        __nv_isinff(a) || __nv_isinff(b) || __nv_isinff(c) || __nv_isinff(d), inverse);
}
__device__ inline float __heddle_short_length_of(int n, const float* a, bool inverse) {
    double squares = 0;
    bool infinite = false;
    for (int k = 0; k < n; ++k) {
        squares += __heddle_square(a[k]);
        infinite = infinite || __nv_isinff(a[k]);
    }
    return __heddle_short_length(squares, infinite, inverse);
}
HEDDLE_NV float __nv_norm4df(float a, float b, float c, float d) {
    return __heddle_short_length4(a, b, c, d, false);
}
HEDDLE_NV float __nv_rnorm4df(float a, float b, float c, float d) {
    return __heddle_short_length4(a, b, c, d, true);
}
HEDDLE_NV float __nv_normf(int n, const float* a) {
    return __heddle_short_length_of(n, a, false);
}
HEDDLE_NV float __nv_rnormf(int n, const float* a) {
    return __heddle_short_length_of(n, a, true);
}
