#pragma once
// Surface functions of surface objects (CUDA programming guide): elements of 1, 2, 4, 8 or 16 bytes, x in bytes. The last
// argument says what happens outside: a fault, the nearest element, or zeros.

#define HEDDLE_STRIP(...) __VA_ARGS__

/// One instruction in each of its three behaviours outside; behind `tail` outputs, inputs and what is overwritten.
#define HEDDLE_BY_MODE(head, tail, ...)                      \
    {                                                        \
        if (mode == cudaBoundaryModeZero)                    \
            asm volatile(head ".zero " tail : __VA_ARGS__);  \
        else if (mode == cudaBoundaryModeClamp)              \
            asm volatile(head ".clamp " tail : __VA_ARGS__); \
        else                                                 \
            asm volatile(head ".trap " tail : __VA_ARGS__);  \
    }

#define HEDDLE_SURFACE(name, form, places, parameters, arguments, ...)                                       \
    template <class T>                                                                                       \
    static __device__ __forceinline__ T name##read(cudaSurfaceObject_t s, HEDDLE_STRIP parameters,           \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
        static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,                                 \
                      "elements of 1, 2, 4, 8 or 16 bytes");                                                 \
        unsigned r[4];                                                                                       \
        unsigned short h;                                                                                    \
        T out;                                                                                               \
        if constexpr (sizeof(T) == 1)                                                                        \
            HEDDLE_BY_MODE("suld.b." form ".b8", "%0, [%[s], " places "];", "=h"(h)                          \
                           : [s] "l"(s), __VA_ARGS__                                                         \
                           : "memory")                                                                       \
        else if constexpr (sizeof(T) == 2)                                                                   \
            HEDDLE_BY_MODE("suld.b." form ".b16", "%0, [%[s], " places "];", "=h"(h)                         \
                           : [s] "l"(s), __VA_ARGS__                                                         \
                           : "memory")                                                                       \
        else if constexpr (sizeof(T) == 4)                                                                   \
            HEDDLE_BY_MODE("suld.b." form ".b32", "%0, [%[s], " places "];", "=r"(r[0])                      \
                           : [s] "l"(s), __VA_ARGS__                                                         \
                           : "memory")                                                                       \
        else if constexpr (sizeof(T) == 8)                                                                   \
            HEDDLE_BY_MODE("suld.b." form ".v2.b32", "{%0, %1}, [%[s], " places "];", "=r"(r[0]), "=r"(r[1]) \
                           : [s] "l"(s), __VA_ARGS__                                                         \
                           : "memory")                                                                       \
        else                                                                                                 \
            HEDDLE_BY_MODE("suld.b." form ".v4.b32", "{%0, %1, %2, %3}, [%[s], " places "];", "=r"(r[0]),    \
                           "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                                \
                           : [s] "l"(s), __VA_ARGS__                                                         \
                           : "memory")                                                                       \
        if constexpr (sizeof(T) <= 2)                                                                        \
            __builtin_memcpy(&out, &h, sizeof(T));                                                           \
        else                                                                                                 \
            __builtin_memcpy(&out, r, sizeof(T));                                                            \
        return out;                                                                                          \
    }                                                                                                        \
    template <class T>                                                                                       \
    static __device__ __forceinline__ void name##read(T* out, cudaSurfaceObject_t s,                         \
                                                      HEDDLE_STRIP parameters,                               \
                                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        *out = name##read<T>(s, HEDDLE_STRIP arguments, mode);                                               \
    }                                                                                                        \
    template <class T>                                                                                       \
    static __device__ __forceinline__ void name##write(                                                      \
        T v, cudaSurfaceObject_t s, HEDDLE_STRIP parameters,                                                 \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                               \
        static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,                                 \
                      "elements of 1, 2, 4, 8 or 16 bytes");                                                 \
        unsigned r[4] = {};                                                                                  \
        __builtin_memcpy(r, &v, sizeof(T));                                                                  \
        const unsigned short h = static_cast<unsigned short>(r[0]);                                          \
        if constexpr (sizeof(T) == 1)                                                                        \
            HEDDLE_BY_MODE("sust.b." form ".b8", "[%[s], " places "], %[v];",                                \
                           : [v] "h"(h), [s] "l"(s), __VA_ARGS__                                             \
                           : "memory")                                                                       \
        else if constexpr (sizeof(T) == 2)                                                                   \
            HEDDLE_BY_MODE("sust.b." form ".b16", "[%[s], " places "], %[v];",                               \
                           : [v] "h"(h), [s] "l"(s), __VA_ARGS__                                             \
                           : "memory")                                                                       \
        else if constexpr (sizeof(T) == 4)                                                                   \
            HEDDLE_BY_MODE("sust.b." form ".b32", "[%[s], " places "], %[v];",                               \
                           : [v] "r"(r[0]), [s] "l"(s), __VA_ARGS__                                          \
                           : "memory")                                                                       \
        else if constexpr (sizeof(T) == 8)                                                                   \
            HEDDLE_BY_MODE("sust.b." form ".v2.b32", "[%[s], " places "], {%[v], %[w]};",                    \
                           : [v] "r"(r[0]), [w] "r"(r[1]), [s] "l"(s), __VA_ARGS__                           \
                           : "memory")                                                                       \
        else                                                                                                 \
            HEDDLE_BY_MODE("sust.b." form ".v4.b32", "[%[s], " places "], {%[v], %[w], %[p], %[q]};",        \
                           : [v] "r"(r[0]), [w] "r"(r[1]), [p] "r"(r[2]), [q] "r"(r[3]), [s] "l"(s),         \
                             __VA_ARGS__                                                                     \
                           : "memory")                                                                       \
    }

HEDDLE_SURFACE(surf1D, "1d", "{%[x]}", (int x), (x), [x] "r"(x))
HEDDLE_SURFACE(surf2D, "2d", "{%[x], %[y]}", (int x, int y), (x, y), [x] "r"(x), [y] "r"(y))
HEDDLE_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z),
               (x, y, z), [x] "r"(x), [y] "r"(y), [z] "r"(z))
HEDDLE_SURFACE(surf1DLayered, "a1d", "{%[l], %[x]}", (int x, int layer),
               (x, layer), [x] "r"(x), [l] "r"(layer))
HEDDLE_SURFACE(surf2DLayered, "a2d", "{%[l], %[x], %[y], %[y]}", (int x, int y, int layer),
               (x, y, layer), [x] "r"(x), [y] "r"(y), [l] "r"(layer))
HEDDLE_SURFACE(surfCubemap, "a2d", "{%[l], %[x], %[y], %[y]}", (int x, int y, int face),
               (x, y, face), [x] "r"(x), [y] "r"(y), [l] "r"(face))
HEDDLE_SURFACE(surfCubemapLayered, "a2d", "{%[l], %[x], %[y], %[y]}", (int x, int y, int layer_face),
               (x, y, layer_face), [x] "r"(x), [y] "r"(y), [l] "r"(layer_face))
#undef HEDDLE_SURFACE
#undef HEDDLE_BY_MODE
#undef HEDDLE_STRIP
