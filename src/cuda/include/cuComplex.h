#pragma once
// Complex numbers as pairs.

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HEDDLE_COMPLEX(T, V, suffix, prefix)                                                         \
    static __inline__ __host__ __device__ V make_cu##prefix##Complex(T r, T i) {                     \
        return V{r, i};                                                                              \
    }                                                                                                \
    static __inline__ __host__ __device__ T cuCreal##suffix(V a) {                                   \
        return a.x;                                                                                  \
    }                                                                                                \
    static __inline__ __host__ __device__ T cuCimag##suffix(V a) {                                   \
        return a.y;                                                                                  \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuConj##suffix(V a) {                                    \
        return V{a.x, -a.y};                                                                         \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCadd##suffix(V a, V b) {                               \
        return V{a.x + b.x, a.y + b.y};                                                              \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCsub##suffix(V a, V b) {                               \
        return V{a.x - b.x, a.y - b.y};                                                              \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCmul##suffix(V a, V b) {                               \
        return V{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                      \
    }                                                                                                \
    static __inline__ __host__ __device__ V cuCdiv##suffix(V a, V b) {                               \
        const T s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), o = 1 / s;                      \
        const T ax = a.x * o, ay = a.y * o, bx = b.x * o, by = b.y * o, n = 1 / (bx * bx + by * by); \
        return V{(ax * bx + ay * by) * n, (ay * bx - ax * by) * n};                                  \
    }
HEDDLE_COMPLEX(float, float2, f, Float)
HEDDLE_COMPLEX(double, double2, , Double)
#undef HEDDLE_COMPLEX
static __inline__ __host__ __device__ cuComplex make_cuComplex(float r, float i) {
    return cuComplex{r, i};
}
static __inline__ __host__ __device__ float cuCabsf(cuFloatComplex a) {
    return hypotf(a.x, a.y);
}
static __inline__ __host__ __device__ double cuCabs(cuDoubleComplex a) {
    return hypot(a.x, a.y);
}
