#pragma once
// IEEE 754 arithmetic in the formats and rounding modes that the host's own operations don't give: f16 and
// bf16, directed rounding, conversions. Everything is exact integer arithmetic, or host operations whose
// error is known exactly, so results are the same bits everywhere. Results that are NaN are PTX's canonical
// NaN.

#include <bit>
#include <cmath>

#include "ptx/operation.h"
#include "sim/types.h"

namespace heddle::ptx {

using u128 = unsigned __int128;

struct Half {
    u16 bits;
};
struct Bfloat {
    u16 bits;
};

struct Format {
    i32 exponent_bits, fraction_bits;
    constexpr i32 bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr i32 width() const { return 1 + exponent_bits + fraction_bits; }
    constexpr u64 infinity() const { return ((u64{1} << exponent_bits) - 1) << fraction_bits; }
    constexpr u64 sign_bit() const { return u64{1} << (width() - 1); }
};
inline constexpr Format kF16{5, 10}, kBf16{8, 7}, kF32{8, 23}, kF64{11, 52};

inline constexpr u32 kNan32 = 0x7fffffff;
/// What an invalid operation gives. (The hardware passes the payload of a NaN argument on; here it is lost.)
inline constexpr u64 kNan64 = 0xfff8'0000'0000'0000;
inline constexpr u16 kNan16 = 0x7fff;

template <class T>
struct FormatOf;
template <>
struct FormatOf<float> {
    static constexpr Format format = kF32;
    static constexpr u64 nan = kNan32;
};
template <>
struct FormatOf<double> {
    static constexpr Format format = kF64;
    static constexpr u64 nan = kNan64;
};
template <>
struct FormatOf<Half> {
    static constexpr Format format = kF16;
    static constexpr u64 nan = kNan16;
};
template <>
struct FormatOf<Bfloat> {
    static constexpr Format format = kBf16;
    static constexpr u64 nan = kNan16;
};

inline i32 top_bit(u128 v) {
    const u64 high = static_cast<u64>(v >> 64), low = static_cast<u64>(v);
    return high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);
}

/// The value (-1)^sign * magnitude * 2^exponent, magnitude not 0, rounded to the format. If `sticky`, the
/// magnitude stands for something a little larger (less than one unit).
u64 round_to_format(const Format& f, bool sign, i32 exponent, u128 magnitude, bool sticky, Round mode);

/// A finite number taken apart: (-1)^sign * magnitude * 2^exponent.
struct Unpacked {
    bool sign;
    i32 exponent;
    u64 magnitude;
};
Unpacked unpack(const Format& f, u64 bits);

enum class Special2 : u8 { finite, infinity, nan };
inline Special2 classify(const Format& f, u64 bits) {
    const u64 magnitude = bits & (f.sign_bit() - 1);
    return magnitude < f.infinity()    ? Special2::finite
           : magnitude == f.infinity() ? Special2::infinity
                                       : Special2::nan;
}

/// a * b + c, a + b, a * b, a / b, sqrt(a) in one rounding.
u64 soft_fma(const Format& f, u64 nan, u64 a, u64 b, u64 c, Round mode);
u64 soft_add(const Format& f, u64 nan, u64 a, u64 b, Round mode);
u64 soft_mul(const Format& f, u64 nan, u64 a, u64 b, Round mode);
u64 soft_div(const Format& f, u64 nan, u64 a, u64 b, Round mode);
u64 soft_sqrt(const Format& f, u64 nan, u64 a, Round mode);
/// Between formats; a NaN becomes `nan`, one from double keeps its sign and what fits of its payload.
u64 soft_convert(const Format& to, const Format& from, u64 nan, u64 bits, Round mode);

inline float half_to_float(Half h) {
    const u32 sign = static_cast<u32>(h.bits & 0x8000) << 16, magnitude = h.bits & 0x7fff;
    if (magnitude >= 0x7c00) return std::bit_cast<float>(magnitude == 0x7c00 ? sign | 0x7f800000 : kNan32);
    // A half's magnitude as a float's exponent and fraction, rescaled: exact for subnormals too.
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    return std::bit_cast<float>(std::bit_cast<u32>(scaled) | sign);
}
inline float bfloat_to_float(Bfloat b) {
    return std::bit_cast<float>(static_cast<u32>(b.bits) << 16);
}

/// Round to nearest even; NaN becomes 0x7fff.
inline Half float_to_half(float v) {
    const u32 bits = std::bit_cast<u32>(v), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return Half{kNan16};
    if (magnitude >= 0x477ff000) return Half{static_cast<u16>(sign | 0x7c00)};  // from 65520 on
    if (magnitude < 0x38800000) {                                    // below 2^-14: one unit is 2^-24
        const float units = std::bit_cast<float>(magnitude) + 0.5f;  // 0.5's last place is 2^-24
        return Half{static_cast<u16>(sign | (std::bit_cast<u32>(units) - 0x3f000000))};
    }
    const u32 rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return Half{static_cast<u16>(sign | ((rounded - 0x38000000) >> 13))};
}
inline Bfloat float_to_bfloat(float v) {
    const u32 bits = std::bit_cast<u32>(v);
    if ((bits & 0x7fffffff) > 0x7f800000) return Bfloat{kNan16};
    return Bfloat{static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

inline float next_up(float v) {
    const u32 bits = std::bit_cast<u32>(v);
    if (bits == 0x80000000) return std::bit_cast<float>(1u);
    return std::bit_cast<float>((bits >> 31) != 0 ? bits - 1 : bits + 1);
}
inline float next_down(float v) {
    return -next_up(-v);
}

/// The exact value sum + error, |error| at most half a unit of sum's last place, rounded to f32 in a directed
/// mode.
inline float round_directed(double sum, double error, Round mode) {
    const float nearest = static_cast<float>(sum);
    const double difference = sum - static_cast<double>(nearest);
    const bool above = difference > 0 || (difference == 0 && error > 0);  // the exact value is above nearest
    const bool below = difference < 0 || (difference == 0 && error < 0);
    const bool down = mode == Round::rm || (mode == Round::rz && nearest > 0);
    const bool up = mode == Round::rp || (mode == Round::rz && nearest < 0);
    if (below && down) return next_down(nearest);
    if (above && up) return next_up(nearest);
    return nearest;
}

/// f32 a * b + c in a directed mode: the product is exact in double, the sum's error is known (TwoSum).
inline float fma_directed(float a, float b, float c, Round mode) {
    const double p = static_cast<double>(a) * static_cast<double>(b), q = static_cast<double>(c);
    const double s = p + q;
    const double bb = s - p;
    const double error = (p - (s - bb)) + (q - bb);
    if (s == 0 && mode == Round::rm && (std::signbit(p) || std::signbit(q))) return -0.0f;
    if (std::isinf(s)) return static_cast<float>(s);
    return round_directed(s, error, mode);
}

/// Exact sum + error to odd: a later rounding to a narrower format is then right.
inline double to_odd(double sum, double error) {
    const u64 bits = std::bit_cast<u64>(sum);
    if (error == 0 || (bits & 1) != 0 || !std::isfinite(sum)) return sum;
    const bool away = (error > 0) == (sum > 0);
    return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}
inline double fma_to_odd(double a, double b, double c) {  // the product is exact
    const double p = a * b, s = p + c, bb = s - p;
    return to_odd(s, (p - (s - bb)) + (c - bb));
}
/// double to float so that a further rounding to a narrower format is right.
inline float narrow_to_odd(double v) {
    const float nearest = static_cast<float>(v);
    if (static_cast<double>(nearest) == v || !std::isfinite(nearest)) return nearest;
    const u32 bits = std::bit_cast<u32>(nearest);
    if ((bits & 1) != 0) return nearest;
    const bool away = std::abs(v) > std::abs(static_cast<double>(nearest));
    return std::bit_cast<float>(away ? bits + 1 : bits - 1);
}

inline Half fma_half(Half a, Half b, Half c) {
    return float_to_half(
        narrow_to_odd(fma_to_odd(static_cast<double>(half_to_float(a)), static_cast<double>(half_to_float(b)),
                                 static_cast<double>(half_to_float(c)))));
}
inline Bfloat fma_bfloat(Bfloat a, Bfloat b, Bfloat c) {
    return float_to_bfloat(narrow_to_odd(fma_to_odd(static_cast<double>(bfloat_to_float(a)),
                                                    static_cast<double>(bfloat_to_float(b)),
                                                    static_cast<double>(bfloat_to_float(c)))));
}

inline float canonical(float v) {
    return v != v ? std::bit_cast<float>(kNan32) : v;
}
inline double canonical(double v) {
    return v != v ? std::bit_cast<double>(kNan64) : v;
}
/// Subnormals as zeros of their sign.
inline float flush(float v) {
    const u32 bits = std::bit_cast<u32>(v);
    return (bits & 0x7f800000) == 0 ? std::bit_cast<float>(bits & 0x80000000) : v;
}

}  // namespace heddle::ptx
