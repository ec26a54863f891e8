#pragma once
// Dot products of bytes, and of half words with bytes, added to a word: one instruction each from sm_61 on (CUDA programming
// guide, SIMD and mixed-precision intrinsics).

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define HEDDLE_DOT(name, instruction, W, A, B, type, as_word_a, as_word_b) \
    static __device__ __forceinline__ W name(A a, B b, W c) {              \
        W r;                                                               \
        asm(instruction "." type "." type " %0, %1, %2, %3;"               \
            : "=r"(r)                                                      \
            : "r"(as_word_a(a)), "r"(as_word_b(b)), "r"(c));               \
        return r;                                                          \
    }
#define HEDDLE_DOT_BOTH(name, instruction, S, U)                                  \
    HEDDLE_DOT(name, instruction, int, int, int, "s32", , )                       \
    HEDDLE_DOT(name, instruction, unsigned, unsigned, unsigned, "u32", , )        \
    HEDDLE_DOT(name, instruction, int, S, char4, "s32", heddle_word, heddle_word) \
    HEDDLE_DOT(name, instruction, unsigned, U, uchar4, "u32", heddle_word, heddle_word)

template <class T>
static __device__ __forceinline__ unsigned heddle_word(const T& parts) {
    static_assert(sizeof(T) == 4, "a word");
    unsigned r;
    __builtin_memcpy(&r, &parts, 4);
    return r;
}
HEDDLE_DOT_BOTH(__dp4a, "dp4a", char4, uchar4)
HEDDLE_DOT_BOTH(__dp2a_lo, "dp2a.lo", short2, ushort2)
HEDDLE_DOT_BOTH(__dp2a_hi, "dp2a.hi", short2, ushort2)
#undef HEDDLE_DOT_BOTH
#undef HEDDLE_DOT
#endif
