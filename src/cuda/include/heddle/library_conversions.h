#pragma once
// Conversions in a given rounding mode: one cvt instruction each (heddle/library.h).

#define HEDDLE_CONVERT(name, D, S, text, d, s)         \
    HEDDLE_NV D __nv_##name(S a) {                     \
        D r;                                           \
        asm("cvt." text " %0, %1;" : "=" d(r) : s(a)); \
        return r;                                      \
    }
// To integers: rn, rz, rd, ru of the manual are .rni, .rzi, .rmi, .rpi.
#define HEDDLE_TO_INTEGER(name, D, S, types, d, s)      \
    HEDDLE_CONVERT(name##_rn, D, S, "rni." types, d, s) \
    HEDDLE_CONVERT(name##_rz, D, S, "rzi." types, d, s) \
    HEDDLE_CONVERT(name##_rd, D, S, "rmi." types, d, s) \
    HEDDLE_CONVERT(name##_ru, D, S, "rpi." types, d, s)
#define HEDDLE_TO_FLOAT(name, D, S, types, d, s)       \
    HEDDLE_CONVERT(name##_rn, D, S, "rn." types, d, s) \
    HEDDLE_CONVERT(name##_rz, D, S, "rz." types, d, s) \
    HEDDLE_CONVERT(name##_rd, D, S, "rm." types, d, s) \
    HEDDLE_CONVERT(name##_ru, D, S, "rp." types, d, s)

HEDDLE_TO_INTEGER(float2int, int, float, "s32.f32", "r", "f")
HEDDLE_TO_INTEGER(float2uint, unsigned, float, "u32.f32", "r", "f")
HEDDLE_TO_INTEGER(float2ll, long long, float, "s64.f32", "l", "f")
HEDDLE_TO_INTEGER(float2ull, unsigned long long, float, "u64.f32", "l", "f")
HEDDLE_TO_INTEGER(double2int, int, double, "s32.f64", "r", "d")
HEDDLE_TO_INTEGER(double2uint, unsigned, double, "u32.f64", "r", "d")
HEDDLE_TO_INTEGER(double2ll, long long, double, "s64.f64", "l", "d")
HEDDLE_TO_INTEGER(double2ull, unsigned long long, double, "u64.f64", "l", "d")
HEDDLE_TO_FLOAT(int2float, float, int, "f32.s32", "f", "r")
HEDDLE_TO_FLOAT(uint2float, float, unsigned, "f32.u32", "f", "r")
HEDDLE_TO_FLOAT(ll2float, float, long long, "f32.s64", "f", "l")
HEDDLE_TO_FLOAT(ull2float, float, unsigned long long, "f32.u64", "f", "l")
HEDDLE_TO_FLOAT(ll2double, double, long long, "f64.s64", "d", "l")
HEDDLE_TO_FLOAT(ull2double, double, unsigned long long, "f64.u64", "d", "l")
HEDDLE_TO_FLOAT(double2float, float, double, "f32.f64", "f", "d")
HEDDLE_CONVERT(int2double_rn, double, int, "rn.f64.s32", "d", "r")
HEDDLE_CONVERT(uint2double_rn, double, unsigned, "rn.f64.u32", "d", "r")

#undef HEDDLE_CONVERT
#undef HEDDLE_TO_INTEGER
#undef HEDDLE_TO_FLOAT
