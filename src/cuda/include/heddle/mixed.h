#pragma once
// min and max as CUDA has them, for host and device, and single-precision overloads.

#define HEDDLE_BOTH static __inline__ __host__ __device__
#define HEDDLE_MINMAX(T)          \
    HEDDLE_BOTH T min(T a, T b) { \
        return b < a ? b : a;     \
    }                             \
    HEDDLE_BOTH T max(T a, T b) { \
        return a < b ? b : a;     \
    }
#define HEDDLE_MINMAX_MIXED(S, U)         \
    HEDDLE_BOTH U min(S a, U b) {         \
        return min(static_cast<U>(a), b); \
    }                                     \
    HEDDLE_BOTH U min(U a, S b) {         \
        return min(a, static_cast<U>(b)); \
    }                                     \
    HEDDLE_BOTH U max(S a, U b) {         \
        return max(static_cast<U>(a), b); \
    }                                     \
    HEDDLE_BOTH U max(U a, S b) {         \
        return max(a, static_cast<U>(b)); \
    }

// clang's headers have the device's.
static __inline__ __host__ int min(int a, int b) {
    return b < a ? b : a;
}
static __inline__ __host__ int max(int a, int b) {
    return a < b ? b : a;
}
HEDDLE_MINMAX(unsigned)
HEDDLE_MINMAX(long)
HEDDLE_MINMAX(unsigned long)
HEDDLE_MINMAX(long long)
HEDDLE_MINMAX(unsigned long long)
HEDDLE_BOTH float min(float a, float b) {
    return fminf(a, b);
}
HEDDLE_BOTH float max(float a, float b) {
    return fmaxf(a, b);
}
HEDDLE_BOTH double min(double a, double b) {
    return fmin(a, b);
}
HEDDLE_BOTH double max(double a, double b) {
    return fmax(a, b);
}
HEDDLE_MINMAX_MIXED(int, unsigned)
HEDDLE_MINMAX_MIXED(long, unsigned long)
HEDDLE_MINMAX_MIXED(long long, unsigned long long)
HEDDLE_MINMAX_MIXED(float, double)
#undef HEDDLE_MINMAX
#undef HEDDLE_MINMAX_MIXED
#undef HEDDLE_BOTH

static __inline__ __host__ float rsqrtf(float a) {
    return 1 / sqrtf(a);
}
static __inline__ __host__ double rsqrt(double a) {
    return 1 / sqrt(a);
}
static __inline__ __device__ float rsqrt(float a) {
    return rsqrtf(a);
}
static __inline__ __device__ float rcbrt(float a) {
    return rcbrtf(a);
}
static __inline__ __device__ float sinpi(float a) {
    return sinpif(a);
}
static __inline__ __device__ float cospi(float a) {
    return cospif(a);
}
static __inline__ __device__ void sincospi(float a, float* s, float* c) {
    sincospif(a, s, c);
}
static __inline__ __device__ void sincos(float a, float* s, float* c) {
    sincosf(a, s, c);
}
static __inline__ __device__ float normcdf(float a) {
    return normcdff(a);
}
static __inline__ __device__ float normcdfinv(float a) {
    return normcdfinvf(a);
}
static __inline__ __device__ float erfcinv(float a) {
    return erfcinvf(a);
}
static __inline__ __device__ float erfcx(float a) {
    return erfcxf(a);
}

// What clang's headers declare for float and leave to NVIDIA's to define.
#define HEDDLE_SINGLE_1(R, name)                   \
    static __inline__ __device__ R name(float a) { \
        return name##f(a);                         \
    }
#define HEDDLE_SINGLE_2(name)                                   \
    static __inline__ __device__ float name(float a, float b) { \
        return name##f(a, b);                                   \
    }
HEDDLE_SINGLE_1(float, acosh)
HEDDLE_SINGLE_1(float, asinh)
HEDDLE_SINGLE_1(float, atanh)
HEDDLE_SINGLE_1(float, cbrt)
HEDDLE_SINGLE_1(float, erf)
HEDDLE_SINGLE_1(float, erfc)
HEDDLE_SINGLE_1(float, exp2)
HEDDLE_SINGLE_1(float, expm1)
HEDDLE_SINGLE_1(float, lgamma)
HEDDLE_SINGLE_1(float, log1p)
HEDDLE_SINGLE_1(float, log2)
HEDDLE_SINGLE_1(float, logb)
HEDDLE_SINGLE_1(float, nearbyint)
HEDDLE_SINGLE_1(float, rint)
HEDDLE_SINGLE_1(float, round)
HEDDLE_SINGLE_1(float, tgamma)
HEDDLE_SINGLE_1(float, trunc)
HEDDLE_SINGLE_1(int, ilogb)
HEDDLE_SINGLE_1(long, lrint)
HEDDLE_SINGLE_1(long, lround)
HEDDLE_SINGLE_1(long long, llrint)
HEDDLE_SINGLE_1(long long, llround)
HEDDLE_SINGLE_2(copysign)
HEDDLE_SINGLE_2(fdim)
HEDDLE_SINGLE_2(fmax)
HEDDLE_SINGLE_2(fmin)
HEDDLE_SINGLE_2(hypot)
HEDDLE_SINGLE_2(nextafter)
HEDDLE_SINGLE_2(remainder)
#undef HEDDLE_SINGLE_1
#undef HEDDLE_SINGLE_2
static __inline__ __device__ float fma(float a, float b, float c) {
    return fmaf(a, b, c);
}
static __inline__ __device__ float remquo(float a, float b, int* quotient) {
    return remquof(a, b, quotient);
}
static __inline__ __device__ float scalbn(float a, int exponent) {
    return scalbnf(a, exponent);
}
static __inline__ __device__ float scalbln(float a, long exponent) {
    return scalblnf(a, exponent);
}
