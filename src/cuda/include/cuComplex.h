#pragma once
// Complex numbers as pairs.

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HEDDLE_COMPLEX(T, V, suffix, prefix)                                                         \
    static __inline__ __host__ __device__ V make_cu##prefix##Complex(T r, T i) {                     \
        const V made = {r, i};                                                                       \
        return made;                                                                                 \
    }                                                                                                \
    static __inline__ __host__ __device__ T cuCreal##suffix(V a) {                                   \
        return a.x;                                                                                  \
    }                                                                                                \
    static __inline__ __host__ __device__ T cuCimag##suffix(V a) {                                   \
        return a.y;                                                                                  \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuConj##suffix(V a) {                                    \
        const V made = {a.x, -a.y};                                                                  \
        return made;                                                                                 \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCadd##suffix(V a, V b) {                               \
        const V made = {a.x + b.x, a.y + b.y};                                                       \
        return made;                                                                                 \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCsub##suffix(V a, V b) {                               \
        const V made = {a.x - b.x, a.y - b.y};                                                       \
        return made;                                                                                 \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCmul##suffix(V a, V b) {                               \
        const V made = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                               \
        return made;                                                                                 \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCdiv##suffix(V a, V b) {                               \
        const T s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), o = 1 / s;                      \
        const T ax = a.x * o, ay = a.y * o, bx = b.x * o, by = b.y * o, n = 1 / (bx * bx + by * by); \
        const V made = {(ax * bx + ay * by) * n, (ay * bx - ax * by) * n};                           \
        return made;                                                                                 \
    }
HEDDLE_COMPLEX(float, cuFloatComplex, f, Float)
HEDDLE_COMPLEX(double, cuDoubleComplex, , Double)
#undef HEDDLE_COMPLEX
static __inline__ __host__ __device__ cuComplex make_cuComplex(float r, float i) {
    const cuComplex made = {r, i};
    return made;
}
static __inline__ __host__ __device__ float cuCabsf(cuFloatComplex a) {
    return hypotf(a.x, a.y);
}
static __inline__ __host__ __device__ double cuCabs(cuDoubleComplex a) {
    return hypot(a.x, a.y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
    return make_cuDoubleComplex(a.x, a.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
static __inline__ __host__ __device__ cuComplex cuCfmaf(cuComplex x, cuComplex y, cuComplex d) {
    return make_cuFloatComplex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}
static __inline__ __host__ __device__ cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y,
                                                             cuDoubleComplex d) {
    return make_cuDoubleComplex(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);
}
