#pragma once
// Multiplication of matrices by a warp: nvcuda::wmma of the CUDA programming guide, in the shapes and types of sm_70 to
// sm_90. Each function is one wmma instruction; whether a device has it depends on its type, not on this header.

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__CUDA__)
#define __CUDA_MMA_H__

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct s4;
struct u4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

}  // namespace wmma
}  // namespace nvcuda

#include "heddle/mma_fragments.h"

namespace nvcuda {
namespace wmma {

/// Rounds to the 10 bits of mantissa that the multiplication takes: to nearest, halves away from zero.
HEDDLE_WMMA float __float_to_tf32(float v) {
    const unsigned bits = __float_as_uint(v);
    return (bits & 0x7f800000u) == 0x7f800000u ? v : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

// D = A * B + C, one instruction. Lists of registers as operands of asm:
#define HEDDLE_OUT2(c, r) "=" c((r)[0]), "=" c((r)[1])
#define HEDDLE_OUT4(c, r) HEDDLE_OUT2(c, r), "=" c((r)[2]), "=" c((r)[3])
#define HEDDLE_OUT8(c, r) HEDDLE_OUT4(c, r), "=" c((r)[4]), "=" c((r)[5]), "=" c((r)[6]), "=" c((r)[7])
#define HEDDLE_IN1(c, r) c((r)[0])
#define HEDDLE_IN2(c, r) HEDDLE_IN1(c, r), c((r)[1])
#define HEDDLE_IN4(c, r) HEDDLE_IN2(c, r), c((r)[2]), c((r)[3])
#define HEDDLE_IN8(c, r) HEDDLE_IN4(c, r), c((r)[4]), c((r)[5]), c((r)[6]), c((r)[7])

// The places of D, A, B and C in the text, by their numbers of registers.
#define HEDDLE_8888                                                                                        \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, " \
    "%21, "                                                                                                \
    "%22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31}"
#define HEDDLE_8884                                                                                        \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, " \
    "%21, "                                                                                                \
    "%22, %23}, {%24, %25, %26, %27}"
#define HEDDLE_4888                                                                                          \
    "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, " \
    "%21, %22, %23, %24, %25, %26, %27}"
#define HEDDLE_4884                                                                                          \
    "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, " \
    "%21, %22, %23}"
#define HEDDLE_8448                                                                                          \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, " \
    "%21, %22, %23}"
#define HEDDLE_8828                                                                                          \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, " \
    "%21, "                                                                                                  \
    "%22, %23, %24, %25}"
#define HEDDLE_8288                                                                                          \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, " \
    "%21, "                                                                                                  \
    "%22, %23, %24, %25}"
#define HEDDLE_8228 \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}"
#define HEDDLE_8418 \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20}"
#define HEDDLE_8148 \
    "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20}"
#define HEDDLE_2112 "{%0, %1}, {%2}, {%3}, {%4, %5}"

#define HEDDLE_MMA_TEXT(layouts, shape, types, places, outputs, ...) \
    asm volatile("wmma.mma.sync.aligned." layouts "." shape "." types " " places ";" : outputs : __VA_ARGS__)
#define HEDDLE_JOIN(...) __VA_ARGS__
/// dn, an, bn, cn: registers; dr, ar, cr: their C types, with letters dc, ac, cc.
#define HEDDLE_MMA(m, n, k, T, C, D, types, places, dn, dc, dr, an, bn, ac, ar, cn, cc, cr)              \
    template <class AL, class BL>                                                                        \
    HEDDLE_WMMA void mma_sync(fragment<accumulator, m, n, k, D>& d,                                      \
                              const fragment<matrix_a, m, n, k, T, AL>& a,                               \
                              const fragment<matrix_b, m, n, k, T, BL>& b,                               \
                              const fragment<accumulator, m, n, k, C>& c, bool satf = false) {           \
        constexpr bool a_row = heddle_details::Same<AL, row_major>::value;                               \
        constexpr bool b_row = heddle_details::Same<BL, row_major>::value;                               \
        dr* const rd = reinterpret_cast<dr*>(d.x);                                                       \
        const ar* const ra = reinterpret_cast<const ar*>(a.x);                                           \
        const ar* const rb = reinterpret_cast<const ar*>(b.x);                                           \
        const cr* const rc = reinterpret_cast<const cr*>(c.x);                                           \
        if (satf)                                                                                        \
            HEDDLE_MMA_LAYOUTS("m" #m "n" #n "k" #k, types ".satfinite", places,                         \
                               HEDDLE_JOIN(HEDDLE_OUT##dn(dc, rd)), HEDDLE_IN##an(ac, ra),               \
                               HEDDLE_IN##bn(ac, rb), HEDDLE_IN##cn(cc, rc))                             \
        else                                                                                             \
            HEDDLE_MMA_LAYOUTS("m" #m "n" #n "k" #k, types, places, HEDDLE_JOIN(HEDDLE_OUT##dn(dc, rd)), \
                               HEDDLE_IN##an(ac, ra), HEDDLE_IN##bn(ac, rb), HEDDLE_IN##cn(cc, rc))      \
    }
#define HEDDLE_MMA_LAYOUTS(shape, types, places, outputs, ...)                                   \
    {                                                                                            \
        if constexpr (a_row && b_row)                                                            \
            HEDDLE_MMA_TEXT("row.row", shape, types, places, HEDDLE_JOIN(outputs), __VA_ARGS__); \
        else if constexpr (a_row)                                                                \
            HEDDLE_MMA_TEXT("row.col", shape, types, places, HEDDLE_JOIN(outputs), __VA_ARGS__); \
        else if constexpr (b_row)                                                                \
            HEDDLE_MMA_TEXT("col.row", shape, types, places, HEDDLE_JOIN(outputs), __VA_ARGS__); \
        else                                                                                     \
            HEDDLE_MMA_TEXT("col.col", shape, types, places, HEDDLE_JOIN(outputs), __VA_ARGS__); \
    }

#define HEDDLE_MMA_HALF(m, n, k)                                                                             \
    HEDDLE_MMA(m, n, k, __half, float, float, "f32.f32", HEDDLE_8888, 8, "f", float, 8, 8, "r", unsigned, 8, \
               "f", float)                                                                                   \
    HEDDLE_MMA(m, n, k, __half, __half, float, "f32.f16", HEDDLE_8884, 8, "f", float, 8, 8, "r", unsigned,   \
               4, "r", unsigned)                                                                             \
    HEDDLE_MMA(m, n, k, __half, float, __half, "f16.f32", HEDDLE_4888, 4, "r", unsigned, 8, 8, "r",          \
               unsigned, 8, "f", float)                                                                      \
    HEDDLE_MMA(m, n, k, __half, __half, __half, "f16.f16", HEDDLE_4884, 4, "r", unsigned, 8, 8, "r",         \
               unsigned, 4, "r", unsigned)
HEDDLE_MMA_HALF(16, 16, 16)
HEDDLE_MMA_HALF(32, 8, 16)
HEDDLE_MMA_HALF(8, 32, 16)
#define HEDDLE_MMA_REAL(m, n, k, T, type, places, an, bn)                                                 \
    HEDDLE_MMA(m, n, k, T, float, float, "f32." type "." type ".f32", places, 8, "f", float, an, bn, "r", \
               unsigned, 8, "f", float)
HEDDLE_MMA_REAL(16, 16, 16, __nv_bfloat16, "bf16", HEDDLE_8448, 4, 4)
HEDDLE_MMA_REAL(32, 8, 16, __nv_bfloat16, "bf16", HEDDLE_8828, 8, 2)
HEDDLE_MMA_REAL(8, 32, 16, __nv_bfloat16, "bf16", HEDDLE_8288, 2, 8)
HEDDLE_MMA_REAL(16, 16, 8, precision::tf32, "tf32", HEDDLE_8448, 4, 4)
HEDDLE_MMA(8, 8, 4, double, double, double, "f64.f64.f64.f64", HEDDLE_2112, 2, "d", double, 1, 1, "d", double,
           2, "d", double)
#define HEDDLE_MMA_WHOLE(m, n, k, T, type, places, an, bn)                                          \
    HEDDLE_MMA(m, n, k, T, int, int, "s32." type "." type ".s32", places, 8, "r", int, an, bn, "r", \
               unsigned, 8, "r", int)
HEDDLE_MMA_WHOLE(16, 16, 16, signed char, "s8", HEDDLE_8228, 2, 2)
HEDDLE_MMA_WHOLE(32, 8, 16, signed char, "s8", HEDDLE_8418, 4, 1)
HEDDLE_MMA_WHOLE(8, 32, 16, signed char, "s8", HEDDLE_8148, 1, 4)
HEDDLE_MMA_WHOLE(16, 16, 16, unsigned char, "u8", HEDDLE_8228, 2, 2)
HEDDLE_MMA_WHOLE(32, 8, 16, unsigned char, "u8", HEDDLE_8418, 4, 1)
HEDDLE_MMA_WHOLE(8, 32, 16, unsigned char, "u8", HEDDLE_8148, 1, 4)
#define HEDDLE_MMA_SMALL(T, type)                                                                       \
    HEDDLE_MMA(8, 8, 32, T, int, int, "s32." type "." type ".s32", HEDDLE_2112, 2, "r", int, 1, 1, "r", \
               unsigned, 2, "r", int)
HEDDLE_MMA_SMALL(experimental::precision::s4, "s4")
HEDDLE_MMA_SMALL(experimental::precision::u4, "u4")

HEDDLE_WMMA void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                           const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                           const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
                           const fragment<accumulator, 8, 8, 128, int>& c,
                           experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                           experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
    if (op == experimental::bmmaBitOpXOR)
        asm volatile("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 " HEDDLE_2112 ";"
                     : "=r"(d.x[0]), "=r"(d.x[1])
                     : "r"(a.x[0]), "r"(b.x[0]), "r"(c.x[0]), "r"(c.x[1]));
    else
        asm volatile("wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 " HEDDLE_2112 ";"
                     : "=r"(d.x[0]), "=r"(d.x[1])
                     : "r"(a.x[0]), "r"(b.x[0]), "r"(c.x[0]), "r"(c.x[1]));
}

#undef HEDDLE_2112
#undef HEDDLE_4884
#undef HEDDLE_4888
#undef HEDDLE_8148
#undef HEDDLE_8228
#undef HEDDLE_8288
#undef HEDDLE_8418
#undef HEDDLE_8448
#undef HEDDLE_8828
#undef HEDDLE_8884
#undef HEDDLE_8888
#undef HEDDLE_IN1
#undef HEDDLE_IN2
#undef HEDDLE_IN4
#undef HEDDLE_IN8
#undef HEDDLE_JOIN
#undef HEDDLE_MMA
#undef HEDDLE_MMA_HALF
#undef HEDDLE_MMA_LAYOUTS
#undef HEDDLE_MMA_REAL
#undef HEDDLE_MMA_SMALL
#undef HEDDLE_MMA_TEXT
#undef HEDDLE_MMA_WHOLE
#undef HEDDLE_OUT2
#undef HEDDLE_OUT4
#undef HEDDLE_OUT8
#undef HEDDLE_WMMA

}  // namespace wmma
}  // namespace nvcuda
#endif
