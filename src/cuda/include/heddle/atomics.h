#pragma once
// Atomic functions of the CUDA programming guide, of device, block and system scope, over clang's builtins.

#define HEDDLE_ATOMIC static __device__ __forceinline__

#define HEDDLE_ATOMICS(scope)                                                                         \
    HEDDLE_ATOMIC int atomicAdd##scope(int* p, int v) {                                               \
        return __iAtomicAdd##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicAdd##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicAdd##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicAdd##scope(unsigned long long* p, unsigned long long v) {  \
        return __ullAtomicAdd##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC float atomicAdd##scope(float* p, float v) {                                         \
        return __fAtomicAdd##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC double atomicAdd##scope(double* p, double v) {                                      \
        return __dAtomicAdd##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicSub##scope(int* p, int v) {                                               \
        return __iAtomicAdd##scope(p, -v);                                                            \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicSub##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicAdd##scope(p, 0u - v);                                                        \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicExch##scope(int* p, int v) {                                              \
        return __iAtomicExch##scope(p, v);                                                            \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicExch##scope(unsigned* p, unsigned v) {                               \
        return __uAtomicExch##scope(p, v);                                                            \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicExch##scope(unsigned long long* p, unsigned long long v) { \
        return __ullAtomicExch##scope(p, v);                                                          \
    }                                                                                                 \
    HEDDLE_ATOMIC float atomicExch##scope(float* p, float v) {                                        \
        return __fAtomicExch##scope(p, v);                                                            \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicMin##scope(int* p, int v) {                                               \
        return __iAtomicMin##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicMin##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicMin##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC long long atomicMin##scope(long long* p, long long v) {                             \
        return __illAtomicMin##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicMin##scope(unsigned long long* p, unsigned long long v) {  \
        return __ullAtomicMin##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicMax##scope(int* p, int v) {                                               \
        return __iAtomicMax##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicMax##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicMax##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC long long atomicMax##scope(long long* p, long long v) {                             \
        return __illAtomicMax##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicMax##scope(unsigned long long* p, unsigned long long v) {  \
        return __ullAtomicMax##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicInc##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicInc##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicDec##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicDec##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicAnd##scope(int* p, int v) {                                               \
        return __iAtomicAnd##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicAnd##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicAnd##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicAnd##scope(unsigned long long* p, unsigned long long v) {  \
        return __ullAtomicAnd##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicOr##scope(int* p, int v) {                                                \
        return __iAtomicOr##scope(p, v);                                                              \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicOr##scope(unsigned* p, unsigned v) {                                 \
        return __uAtomicOr##scope(p, v);                                                              \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicOr##scope(unsigned long long* p, unsigned long long v) {   \
        return __ullAtomicOr##scope(p, v);                                                            \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicXor##scope(int* p, int v) {                                               \
        return __iAtomicXor##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicXor##scope(unsigned* p, unsigned v) {                                \
        return __uAtomicXor##scope(p, v);                                                             \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicXor##scope(unsigned long long* p, unsigned long long v) {  \
        return __ullAtomicXor##scope(p, v);                                                           \
    }                                                                                                 \
    HEDDLE_ATOMIC int atomicCAS##scope(int* p, int c, int v) {                                        \
        return __iAtomicCAS##scope(p, c, v);                                                          \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned atomicCAS##scope(unsigned* p, unsigned c, unsigned v) {                    \
        return __uAtomicCAS##scope(p, c, v);                                                          \
    }                                                                                                 \
    HEDDLE_ATOMIC unsigned long long atomicCAS##scope(unsigned long long* p, unsigned long long c,    \
                                                      unsigned long long v) {                         \
        return __ullAtomicCAS##scope(p, c, v);                                                        \
    }

HEDDLE_ATOMICS()
HEDDLE_ATOMICS(_block)
HEDDLE_ATOMICS(_system)

HEDDLE_ATOMIC unsigned short atomicCAS(unsigned short* p, unsigned short c, unsigned short v) {
    unsigned short r;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(c), "h"(v) : "memory");
    return r;
}

#undef HEDDLE_ATOMICS
#undef HEDDLE_ATOMIC
