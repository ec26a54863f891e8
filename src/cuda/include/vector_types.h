#pragma once
// char1 to double4 and dim3, with the sizes and alignments that the CUDA programming guide lists, and their make_
// functions.

#include "host_defines.h"

#define HEDDLE_BOTH static __inline__ __host__ __device__

#define HEDDLE_VECTOR(T, name, align2, align4)               \
    typedef struct name##1 {                                 \
        T x;                                                 \
    }                                                        \
    name##1;                                                 \
    typedef struct __align__(align2) name##2 {               \
        T x, y;                                              \
    }                                                        \
    name##2;                                                 \
    typedef struct name##3 {                                 \
        T x, y, z;                                           \
    }                                                        \
    name##3;                                                 \
    typedef struct __align__(align4) name##4 {               \
        T x, y, z, w;                                        \
    }                                                        \
    name##4;                                                 \
    HEDDLE_BOTH name##1 make_##name##1(T x) {                \
        name##1 made = {x};                                  \
        return made;                                         \
    }                                                        \
    HEDDLE_BOTH name##2 make_##name##2(T x, T y) {           \
        name##2 made = {x, y};                               \
        return made;                                         \
    }                                                        \
    HEDDLE_BOTH name##3 make_##name##3(T x, T y, T z) {      \
        name##3 made = {x, y, z};                            \
        return made;                                         \
    }                                                        \
    HEDDLE_BOTH name##4 make_##name##4(T x, T y, T z, T w) { \
        name##4 made = {x, y, z, w};                         \
        return made;                                         \
    }

HEDDLE_VECTOR(signed char, char, 2, 4)
HEDDLE_VECTOR(unsigned char, uchar, 2, 4)
HEDDLE_VECTOR(short, short, 4, 8)
HEDDLE_VECTOR(unsigned short, ushort, 4, 8)
HEDDLE_VECTOR(int, int, 8, 16)
HEDDLE_VECTOR(unsigned int, uint, 8, 16)
HEDDLE_VECTOR(long, long, 16, 16)
HEDDLE_VECTOR(unsigned long, ulong, 16, 16)
HEDDLE_VECTOR(long long, longlong, 16, 16)
HEDDLE_VECTOR(unsigned long long, ulonglong, 16, 16)
HEDDLE_VECTOR(float, float, 8, 16)
HEDDLE_VECTOR(double, double, 16, 16)

#undef HEDDLE_VECTOR
#undef HEDDLE_BOTH

typedef struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#elif defined(__cplusplus)
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const {
        return make_uint3(x, y, z);
    }
#endif
} dim3;
