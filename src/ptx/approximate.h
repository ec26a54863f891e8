#pragma once
// The approximate f32 instructions: sin, cos, ex2, lg2, tanh .approx. Computed in double with polynomials of
// our own and rounded once, so the error is below 0.51 units in the last place of the exact result (far below
// what the PTX ISA allows), the same bits everywhere. Straight-line code that vectorizes.

#include <bit>

#include "sim/types.h"

namespace heddle::ptx {

/// Adding and subtracting it rounds a double below 2^51 to an integer; the integer stands in the sum's low
/// bits.
inline constexpr double kRounder = 0x1.8p52;

/// 2^n for -1022 <= n <= 1023.
inline double power_of_two(i64 n) {
    return std::bit_cast<double>(static_cast<u64>(n + 1023) << 52);
}

/// 2^x; x is clamped to [-1000, 1000]. Relative error below 2^-40.
inline double exp2_core(double x) {
    x = x < -1000.0 ? -1000.0 : x;
    x = x > 1000.0 ? 1000.0 : x;
    const double shifted = x + kRounder;
    const i64 n = static_cast<i64>(std::bit_cast<u64>(shifted) - std::bit_cast<u64>(kRounder));
    const double f = (x - (shifted - kRounder)) * 0x1.62e42fefa39efp-1;  // ln 2
    // e^f for |f| <= 0.3466, Taylor to the 11th power.
    double p = 1.0 / 39916800;
    p = p * f + 1.0 / 3628800;
    p = p * f + 1.0 / 362880;
    p = p * f + 1.0 / 40320;
    p = p * f + 1.0 / 5040;
    p = p * f + 1.0 / 720;
    p = p * f + 1.0 / 120;
    p = p * f + 1.0 / 24;
    p = p * f + 1.0 / 6;
    p = p * f + 0.5;
    p = p * f + 1.0;
    p = p * f + 1.0;
    return p * power_of_two(n);
}

inline float approximate_ex2(float x) {
    if (x != x) return std::bit_cast<float>(0x7fffffffu);
    return static_cast<float>(exp2_core(static_cast<double>(x)));
}

/// log2 of a positive, finite, normal double; relative error below 2^-40 (absolute near 1).
inline double log2_core(double v) {
    const u64 bits = std::bit_cast<u64>(v);
    // Mantissa in [sqrt(1/2), sqrt(2)).
    const u64 offset = bits - 0x3fe6a09e667f3bcdu;
    const i64 exponent = static_cast<i64>(offset) >> 52;
    const double m = std::bit_cast<double>(bits - (static_cast<u64>(exponent) << 52));
    const double s = (m - 1) / (m + 1), q = s * s;
    double p = 1.0 / 17;
    p = p * q + 1.0 / 15;
    p = p * q + 1.0 / 13;
    p = p * q + 1.0 / 11;
    p = p * q + 1.0 / 9;
    p = p * q + 1.0 / 7;
    p = p * q + 1.0 / 5;
    p = p * q + 1.0 / 3;
    p = p * q + 1.0;
    return p * s * 0x1.71547652b82fep+1 + static_cast<double>(exponent);  // 2 / ln 2
}

inline float approximate_lg2(float x) {
    const float infinity = std::bit_cast<float>(0x7f800000u);
    if (x == 0) return -infinity;
    if (!(x > 0)) return std::bit_cast<float>(0x7fffffffu);
    if (x == infinity) return x;
    return static_cast<float>(log2_core(static_cast<double>(x)));
}

struct SinCos {
    double sine, cosine;
};

/// For |r| <= pi/4 (and a little more), Taylor series; relative error below 2^-45.
inline double sine_poly(double r) {
    const double q = r * r;
    double p = -1.0 / 1307674368000;
    p = p * q + 1.0 / 6227020800;
    p = p * q - 1.0 / 39916800;
    p = p * q + 1.0 / 362880;
    p = p * q - 1.0 / 5040;
    p = p * q + 1.0 / 120;
    p = p * q - 1.0 / 6;
    return r + r * (p * q);
}
inline double cosine_poly(double r) {
    const double q = r * r;
    double p = -1.0 / 87178291200;
    p = p * q + 1.0 / 479001600;
    p = p * q - 1.0 / 3628800;
    p = p * q + 1.0 / 40320;
    p = p * q - 1.0 / 720;
    p = p * q + 1.0 / 24;
    p = p * q - 0.5;
    return 1.0 + p * q;
}

/// Sine (quarter 0) or cosine (quarter 1) of an f32. The reduction by pi/2 is exact to 2^-60 up to 2^20 or so
/// and keeps degrading beyond, as the hardware's own does much earlier; infinities give NaN.
inline float approximate_sin_cos(float x, u64 quarter) {
    const double v = static_cast<double>(x);
    if (!(v > -0x1p50 && v < 0x1p50)) {
        const float gone = x - x;
        return gone != gone ? std::bit_cast<float>(0x7fffffffu) : 0.0f;
    }
    const double shifted = v * 0x1.45f306dc9c883p-1 + kRounder;  // 2/pi
    const double k = shifted - kRounder;
    const u64 n = std::bit_cast<u64>(shifted) + quarter;
    const double r = ((v - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
    const double value = (n & 1) != 0 ? cosine_poly(r) : sine_poly(r);
    return static_cast<float>((n & 2) != 0 ? -value : value);
}
inline float approximate_sin(float x) {
    return x == 0 ? x : approximate_sin_cos(x, 0);
}
inline float approximate_cos(float x) {
    return approximate_sin_cos(x, 1);
}

inline float approximate_tanh(float x) {
    if (x != x) return std::bit_cast<float>(0x7fffffffu);
    if (x == 0) return x;
    const double v = static_cast<double>(x);
    if (v > -0.03125 && v < 0.03125) {
        const double q = v * v;  // Taylor: the quotient below would cancel
        return static_cast<float>(v + v * q * (-1.0 / 3 + q * (2.0 / 15 + q * (-17.0 / 315))));
    }
    const double clamped = v < -20 ? -20.0 : v > 20 ? 20.0 : v;
    const double e = exp2_core(clamped * 0x1.71547652b82fep+1);  // e^(2v)
    return static_cast<float>((e - 1) / (e + 1));
}

}  // namespace heddle::ptx
