#pragma once
// Loads and stores with cache hints, and what address space a pointer leads to (CUDA programming guide). clang has __ldg.

#define HEDDLE_MEMORY static __device__ __forceinline__

// One instruction of 1, 2 or 4 words of a kind: its PTX type, its C type, its register's letter, and T's parts.
#define HEDDLE_LOAD1(name, hint, T, W, type, reg)                                               \
    HEDDLE_MEMORY T name(const T* p) {                                                          \
        W r;                                                                                    \
        asm volatile("ld.global." hint "." type " %0, [%1];" : "=" reg(r) : "l"(p) : "memory"); \
        return static_cast<T>(r);                                                               \
    }
#define HEDDLE_LOAD2(name, hint, T, W, type, reg)                     \
    HEDDLE_MEMORY T name(const T* p) {                                \
        W x, y;                                                       \
        asm volatile("ld.global." hint ".v2." type " {%0, %1}, [%2];" \
                     : "=" reg(x), "=" reg(y)                         \
                     : "l"(p)                                         \
                     : "memory");                                     \
        T r;                                                          \
        r.x = static_cast<decltype(r.x)>(x);                          \
        r.y = static_cast<decltype(r.y)>(y);                          \
        return r;                                                     \
    }
#define HEDDLE_LOAD4(name, hint, T, W, type, reg)                             \
    HEDDLE_MEMORY T name(const T* p) {                                        \
        W x, y, z, w;                                                         \
        asm volatile("ld.global." hint ".v4." type " {%0, %1, %2, %3}, [%4];" \
                     : "=" reg(x), "=" reg(y), "=" reg(z), "=" reg(w)         \
                     : "l"(p)                                                 \
                     : "memory");                                             \
        T r;                                                                  \
        r.x = static_cast<decltype(r.x)>(x);                                  \
        r.y = static_cast<decltype(r.y)>(y);                                  \
        r.z = static_cast<decltype(r.z)>(z);                                  \
        r.w = static_cast<decltype(r.w)>(w);                                  \
        return r;                                                             \
    }
#define HEDDLE_STORE1(name, hint, T, W, type, reg)                                                         \
    HEDDLE_MEMORY void name(T* p, T v) {                                                                   \
        asm volatile("st.global." hint "." type " [%0], %1;" ::"l"(p), reg(static_cast<W>(v)) : "memory"); \
    }
#define HEDDLE_STORE2(name, hint, T, W, type, reg)                                                        \
    HEDDLE_MEMORY void name(T* p, T v) {                                                                  \
        asm volatile("st.global." hint ".v2." type " [%0], {%1, %2};" ::"l"(p), reg(static_cast<W>(v.x)), \
                     reg(static_cast<W>(v.y))                                                             \
                     : "memory");                                                                         \
    }
#define HEDDLE_STORE4(name, hint, T, W, type, reg)                                                 \
    HEDDLE_MEMORY void name(T* p, T v) {                                                           \
        asm volatile("st.global." hint ".v4." type " [%0], {%1, %2, %3, %4};" ::"l"(p),            \
                     reg(static_cast<W>(v.x)), reg(static_cast<W>(v.y)), reg(static_cast<W>(v.z)), \
                     reg(static_cast<W>(v.w))                                                      \
                     : "memory");                                                                  \
    }
#define HEDDLE_HINTED(ONE, TWO, FOUR, name, hint)                       \
    ONE(name, hint, char, short, "s8", "h")                             \
    ONE(name, hint, signed char, short, "s8", "h")                      \
    ONE(name, hint, unsigned char, unsigned short, "u8", "h")           \
    ONE(name, hint, short, short, "s16", "h")                           \
    ONE(name, hint, unsigned short, unsigned short, "u16", "h")         \
    ONE(name, hint, int, int, "s32", "r")                               \
    ONE(name, hint, unsigned, unsigned, "u32", "r")                     \
    ONE(name, hint, long, long, "s64", "l")                             \
    ONE(name, hint, unsigned long, unsigned long, "u64", "l")           \
    ONE(name, hint, long long, long long, "s64", "l")                   \
    ONE(name, hint, unsigned long long, unsigned long long, "u64", "l") \
    ONE(name, hint, float, float, "f32", "f")                           \
    ONE(name, hint, double, double, "f64", "d")                         \
    TWO(name, hint, char2, short, "s8", "h")                            \
    TWO(name, hint, uchar2, unsigned short, "u8", "h")                  \
    TWO(name, hint, short2, short, "s16", "h")                          \
    TWO(name, hint, ushort2, unsigned short, "u16", "h")                \
    TWO(name, hint, int2, int, "s32", "r")                              \
    TWO(name, hint, uint2, unsigned, "u32", "r")                        \
    TWO(name, hint, longlong2, long long, "s64", "l")                   \
    TWO(name, hint, ulonglong2, unsigned long long, "u64", "l")         \
    TWO(name, hint, float2, float, "f32", "f")                          \
    TWO(name, hint, double2, double, "f64", "d")                        \
    FOUR(name, hint, char4, short, "s8", "h")                           \
    FOUR(name, hint, uchar4, unsigned short, "u8", "h")                 \
    FOUR(name, hint, short4, short, "s16", "h")                         \
    FOUR(name, hint, ushort4, unsigned short, "u16", "h")               \
    FOUR(name, hint, int4, int, "s32", "r")                             \
    FOUR(name, hint, uint4, unsigned, "u32", "r")                       \
    FOUR(name, hint, float4, float, "f32", "f")
HEDDLE_HINTED(HEDDLE_LOAD1, HEDDLE_LOAD2, HEDDLE_LOAD4, __ldcg, "cg")
HEDDLE_HINTED(HEDDLE_LOAD1, HEDDLE_LOAD2, HEDDLE_LOAD4, __ldca, "ca")
HEDDLE_HINTED(HEDDLE_LOAD1, HEDDLE_LOAD2, HEDDLE_LOAD4, __ldcs, "cs")
HEDDLE_HINTED(HEDDLE_LOAD1, HEDDLE_LOAD2, HEDDLE_LOAD4, __ldlu, "lu")
HEDDLE_HINTED(HEDDLE_LOAD1, HEDDLE_LOAD2, HEDDLE_LOAD4, __ldcv, "cv")
HEDDLE_HINTED(HEDDLE_STORE1, HEDDLE_STORE2, HEDDLE_STORE4, __stwb, "wb")
HEDDLE_HINTED(HEDDLE_STORE1, HEDDLE_STORE2, HEDDLE_STORE4, __stcg, "cg")
HEDDLE_HINTED(HEDDLE_STORE1, HEDDLE_STORE2, HEDDLE_STORE4, __stcs, "cs")
HEDDLE_HINTED(HEDDLE_STORE1, HEDDLE_STORE2, HEDDLE_STORE4, __stwt, "wt")
#undef HEDDLE_HINTED
#undef HEDDLE_LOAD1
#undef HEDDLE_LOAD2
#undef HEDDLE_LOAD4
#undef HEDDLE_STORE1
#undef HEDDLE_STORE2
#undef HEDDLE_STORE4

#define HEDDLE_SPACE(name, space)                                                                        \
    HEDDLE_MEMORY unsigned name(const void* p) {                                                         \
        unsigned r;                                                                                      \
        asm("{\n.reg .pred p;\nisspacep." space " p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(r) : "l"(p)); \
        return r;                                                                                        \
    }
HEDDLE_SPACE(__isGlobal, "global")
HEDDLE_SPACE(__isShared, "shared")
HEDDLE_SPACE(__isLocal, "local")
HEDDLE_SPACE(__isConstant, "const")
#undef HEDDLE_SPACE
#define HEDDLE_SPACE(name, space)                                  \
    HEDDLE_MEMORY size_t __cvta_generic_to_##name(const void* p) { \
        size_t r;                                                  \
        asm("cvta.to." space ".u64 %0, %1;" : "=l"(r) : "l"(p));   \
        return r;                                                  \
    }                                                              \
    HEDDLE_MEMORY void* __cvta_##name##_to_generic(size_t p) {     \
        void* r;                                                   \
        asm("cvta." space ".u64 %0, %1;" : "=l"(r) : "l"(p));      \
        return r;                                                  \
    }
HEDDLE_SPACE(global, "global")
HEDDLE_SPACE(shared, "shared")
HEDDLE_SPACE(local, "local")
HEDDLE_SPACE(constant, "const")
#undef HEDDLE_SPACE

// Reductions over the lanes of a mask: one instruction from sm_80 on.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HEDDLE_REDUX(name, T, type, reg)                                                            \
    HEDDLE_MEMORY T __reduce_##name##_sync(unsigned mask, T v) {                                    \
        T r;                                                                                        \
        asm volatile("redux.sync." #name "." type " %0, %1, %2;" : "=" reg(r) : reg(v), "r"(mask)); \
        return r;                                                                                   \
    }
HEDDLE_REDUX(add, unsigned, "u32", "r")
HEDDLE_REDUX(min, unsigned, "u32", "r")
HEDDLE_REDUX(max, unsigned, "u32", "r")
HEDDLE_REDUX(add, int, "s32", "r")
HEDDLE_REDUX(min, int, "s32", "r")
HEDDLE_REDUX(max, int, "s32", "r")
HEDDLE_REDUX(and, unsigned, "b32", "r")
HEDDLE_REDUX(or, unsigned, "b32", "r")
HEDDLE_REDUX(xor, unsigned, "b32", "r")
#undef HEDDLE_REDUX
#endif

#undef HEDDLE_MEMORY
