// Exponentials, logarithms, powers, trigonometry. The special functions are in mathematics_special.cpp.
//
// Where one rounding of the argument would already cost accuracy, values are carried as a sum of two doubles (high +
// low): Dekker, "A floating-point technique for extending the available precision", 1971.

#include "ptx/mathematics.h"

#include <array>
#include <bit>
#include <cmath>

#include "ptx/approximate.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

double scale(double v, i64 n) {
    // In two steps, so that subnormal results round once.
    if (n > 1023) return v * power_of_two(1023) * power_of_two(n - 1023 > 1023 ? 1023 : n - 1023);
    if (n < -1022) return v * power_of_two(n + 200 < -1022 ? -1022 : n + 200) * power_of_two(-200);
    return v * power_of_two(n);
}

namespace {

/// e^(r.high + r.low) - 1 for |r| <= 0.35. The first two terms are exact, so what is rounded is below r^3 / 6.
Double2 exp_minus_one_small(Double2 r) {
    const double x = r.high;
    double p = 1.0 / 1307674368000;
    p = p * x + 1.0 / 87178291200;
    p = p * x + 1.0 / 6227020800;
    p = p * x + 1.0 / 479001600;
    p = p * x + 1.0 / 39916800;
    p = p * x + 1.0 / 3628800;
    p = p * x + 1.0 / 362880;
    p = p * x + 1.0 / 40320;
    p = p * x + 1.0 / 5040;
    p = p * x + 1.0 / 720;
    p = p * x + 1.0 / 120;
    p = p * x + 1.0 / 24;
    p = p * x + 1.0 / 6;
    const Double2 q = two_product(x, x), s = normal(x, 0.5 * q.high);
    return normal(s.high, s.low + (p * x * q.high + (0.5 * q.low + (r.low + r.low * x))));
}

/// v = k ln 2 + rest.
i64 take_powers(Double2 v, Double2& rest) {
    const double shifted = v.high * 0x1.71547652b82fep+0 + kRounder, k = shifted - kRounder;
    // ln 2 in parts of which the first times k is exact.
    rest = add(two_sum(v.high - k * 0x1.62e42feep-1, -k * 0x1.a39ef35793c76p-33),
               v.low - k * 0x1.cc01f97b57a08p-87);
    return static_cast<i64>(std::bit_cast<u64>(shifted) - std::bit_cast<u64>(kRounder));
}

}  // namespace

Scaled exp_scaled(Double2 v) {
    Double2 rest;
    const i64 n = take_powers(v, rest);
    return {add(exp_minus_one_small(rest), 1.0), n};
}
double exp_of(Double2 v) {
    if (v.high != v.high) return kNan;
    if (v.high > 709.79) return kInfinity;
    if (v.high < -745.2) return 0;
    const Scaled e = exp_scaled(v);
    return scale(sum(e.value), e.exponent);
}
Double2 expm1_of(Double2 v) {
    Double2 rest;
    const double p = power_of_two(take_powers(v, rest));
    return add(two_sum(p, -1.0), times(exp_minus_one_small(rest), p));
}

double exp(double x) {
    return exp_of({x, 0});
}
double exp2(double x) {
    if (!(x > -1100 && x < 1100)) return exp_of({x * 0.7, 0});
    const double k = (x + kRounder) - kRounder;
    return scale(sum(add(exp_minus_one_small(multiply({x - k, 0}, kLn2)), 1.0)), static_cast<i64>(k));
}
double exp10(double x) {
    return exp_of(multiply({x, 0}, {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}));
}

double expm1(double x) {
    if (x == 0 || x != x || (x < 0x1p-60 && x > -0x1p-60)) return x;
    if (x < -40) return -1.0;
    if (x > 40) return exp(x);
    return sum(expm1_of({x, 0}));
}

Double2 log_of(double x) {
    i64 exponent = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        exponent = -54;
    }
    const u64 bits = std::bit_cast<u64>(x);
    const i64 e = static_cast<i64>(bits - 0x3fe6a09e667f3bcdu) >> 52;
    const double m = std::bit_cast<double>(bits - (static_cast<u64>(e) << 52));
    exponent += e;
    // ln m = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1).
    const Double2 s = divide({m - 1, 0}, two_sum(m, 1.0));
    const Double2 q = multiply(s, s);
    const double t = q.high;
    double p = 1.0 / 23;
    p = p * t + 1.0 / 21;
    p = p * t + 1.0 / 19;
    p = p * t + 1.0 / 17;
    p = p * t + 1.0 / 15;
    p = p * t + 1.0 / 13;
    p = p * t + 1.0 / 11;
    p = p * t + 1.0 / 9;
    p = p * t + 1.0 / 7;
    p = p * t + 1.0 / 5;
    const Double2 inner = add(Double2{0x1.5555555555555p-2, 0x1.5555555555555p-56}, two_product(t, p));
    Double2 r = add(s, multiply(multiply(s, q), inner));
    r = {2 * r.high, 2 * r.low};
    const double k = static_cast<double>(exponent);
    // k ln 2: the first part's product is exact.
    return add(
        add(Double2{k * 0x1.62e42feep-1, 0}, Double2{k * 0x1.a39ef35793c76p-33, k * 0x1.cc01f97b57a08p-87}),
        r);
}

Double2 log_of(Double2 v) {
    return add(log_of(v.high), v.low / v.high);
}
Double2 log1p_of(Double2 v) {
    const Double2 y = two_sum(1.0, v.high);
    return log_of(Double2{y.high, y.low + v.low});
}

namespace {

/// Logarithms outside their domain; otherwise `inside` decides.
bool log_edge(double x, double& result) {
    if (x > 0 && x < kInfinity) return false;
    result = kNan;
    if (x == 0) result = -kInfinity;
    if (x == kInfinity) result = kInfinity;
    return true;
}

}  // namespace

double log(double x) {
    double edge;
    if (log_edge(x, edge)) return edge;
    const Double2 r = log_of(x);
    return r.high + r.low;
}
double log2(double x) {
    double edge;
    if (log_edge(x, edge)) return edge;
    const Double2 r = multiply(log_of(x), {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
    return r.high + r.low;
}
double log10(double x) {
    double edge;
    if (log_edge(x, edge)) return edge;
    const Double2 r = multiply(log_of(x), {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
    return r.high + r.low;
}
double log1p(double x) {
    if (x == 0 || x != x) return x;
    if (!(x > -1)) return x == -1 ? -kInfinity : kNan;
    if (x == kInfinity) return x;
    if (x < 0x1p-54 && x > -0x1p-54) return x;
    return sum(log1p_of({x, 0}));
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return kNan;
    const double whole = __builtin_trunc(y);
    const bool integer = whole == y,
               odd = integer && __builtin_fabs(y) < 0x1p53 && __builtin_trunc(y / 2) * 2 != y;
    const double magnitude = __builtin_fabs(x);
    // So far out only whether |x| is above 1 matters: |ln x| is at least 2^-53.
    if (__builtin_fabs(y) > 0x1p65) {
        if (magnitude == 1) return 1;
        return (magnitude > 1) == (y > 0) ? kInfinity : 0;
    }
    const bool negative = std::signbit(x);
    if (magnitude == 0 || magnitude == kInfinity) {
        const double r = (magnitude == 0) == (y > 0) ? 0 : kInfinity;
        return negative && odd ? -r : r;
    }
    if (negative && !integer) return kNan;
    const double r = exp_of(multiply({y, 0}, log_of(magnitude)));
    return negative && odd ? -r : r;
}

namespace {

/// 2/pi, 64 bits a word.
constexpr std::array<u64, 20> kTwoOverPi{
    0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u,
    0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u,
    0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0xf0cfbc209af4361du};

/// x - k pi/2 with |result| <= pi/4 (and a little), k modulo 4. Payne and Hanek for large x.
Double2 reduce(double x, u32& quarter) {
    if (__builtin_fabs(x) < 0x1p20) {
        const double shifted = x * 0x1.45f306dc9c883p-1 + kRounder, k = shifted - kRounder;
        quarter = static_cast<u32>(std::bit_cast<u64>(shifted)) & 3;
        const double a = x - k * 0x1.921fb544p+0;  // exact
        const Double2 b = two_sum(a, -(k * 0x1.0b4611a6p-34));
        return add(b, Double2{-(k * 0x1.3198a2e037073p-69), 0});
    }
    const u64 bits = std::bit_cast<u64>(x);
    const i32 exponent = static_cast<i32>(bits >> 52 & 0x7ff) - 1075;  // x = mantissa * 2^exponent
    const u64 mantissa = (bits & 0xfffffffffffffu) | u64{1} << 52;
    // Bits of 2/pi from place exponent - 2 on: what stands above only adds multiples of 4.
    const i32 first = exponent > 2 ? exponent - 2 : 0, shift = exponent > 2 ? 0 : 2 - exponent;
    auto word = [&](i32 at) {  // 64 bits of 2/pi from bit `at`
        const u32 w = static_cast<u32>(at) / 64, s = static_cast<u32>(at) % 64;
        return s == 0 ? kTwoOverPi[w] : kTwoOverPi[w] << s | kTwoOverPi[w + 1] >> (64 - s);
    };
    using u128 = unsigned __int128;
    const u128 p2 = u128{mantissa} * word(first + 128);
    const u128 p1 = u128{mantissa} * word(first + 64) + (p2 >> 64);
    const u64 low = static_cast<u64>(p1);
    const u128 high = u128{mantissa} * word(first) + (p1 >> 64);
    // The value is (high, low, p2) / 2^(190 + shift).
    const u32 below = static_cast<u32>(62 + shift);
    const u64 whole = static_cast<u64>(high >> below);
    u128 fraction = high << (128 - below) | (u128{low} << 64 | static_cast<u64>(p2)) >> below;
    quarter = static_cast<u32>(whole) & 3;
    bool negative = false;
    if ((fraction >> 127) != 0) {
        fraction = -fraction;
        negative = true;
        quarter = (quarter + 1) & 3;
    }
    const u64 top = static_cast<u64>(fraction >> 64), rest = static_cast<u64>(fraction);
    const double h = static_cast<double>(top >> 11) * 0x1p-53;
    const double l = static_cast<double>((top & 0x7ff) << 42 | rest >> 22) * 0x1p-106;
    Double2 r = multiply(two_sum(h, l), {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
    if (negative) r = {-r.high, -r.low};
    if (bits >> 63 != 0) {
        r = {-r.high, -r.low};
        quarter = (4 - quarter) & 3;
    }
    return r;
}

Double2 sine(Double2 r) {
    const double x = r.high, q = x * x;
    double p = 1.0 / 355687428096000;
    p = p * q - 1.0 / 1307674368000;
    p = p * q + 1.0 / 6227020800;
    p = p * q - 1.0 / 39916800;
    p = p * q + 1.0 / 362880;
    p = p * q - 1.0 / 5040;
    p = p * q + 1.0 / 120;
    p = p * q - 1.0 / 6;
    return normal(x, x * q * p + r.low * (1 - 0.5 * q));
}
Double2 cosine(Double2 r) {
    const double x = r.high;
    const Double2 square = two_product(x, x);
    const double q = square.high;
    double p = -1.0 / 6402373705728000;
    p = p * q + 1.0 / 20922789888000;
    p = p * q - 1.0 / 87178291200;
    p = p * q + 1.0 / 479001600;
    p = p * q - 1.0 / 3628800;
    p = p * q + 1.0 / 40320;
    p = p * q - 1.0 / 720;
    p = p * q + 1.0 / 24;
    const double half = 0.5 * q, w = 1 - half;
    return normal(w, ((1 - w) - half) + (q * q * p - (0.5 * square.low + x * r.low)));
}
/// Sine, or with one quarter added cosine, of r + quarter pi / 2.
Double2 turned(Double2 r, u32 quarter) {
    const Double2 v = (quarter & 1) != 0 ? cosine(r) : sine(r);
    return (quarter & 2) != 0 ? negative(v) : v;
}
double turn(double x, u32 add_quarters) {
    if (!(__builtin_fabs(x) < kInfinity)) return kNan;
    u32 quarter = 0;
    const Double2 r = reduce(x, quarter);
    return sum(turned(r, quarter + add_quarters));
}
/// pi x - quarter pi / 2, |x| < 2^53.
Double2 reduce_halves(double x, u32& quarter) {
    const double k = __builtin_rint(2 * x);
    quarter = static_cast<u32>(static_cast<i64>(k));
    return multiply({x - k / 2, 0}, kPi);
}

}  // namespace

SineCosine sine_cosine(double x) {
    u32 quarter = 0;
    const Double2 r = reduce(x, quarter);
    return {turned(r, quarter), turned(r, quarter + 1)};
}
SineCosine sine_cosine_of_pi_times(double x) {
    u32 quarter = 0;
    const Double2 r = reduce_halves(x, quarter);
    return {turned(r, quarter), turned(r, quarter + 1)};
}

double sin(double x) {
    return x == 0 || __builtin_fabs(x) < 0x1p-30 ? x : turn(x, 0);
}
double cos(double x) {
    return turn(x, 1);
}
double tan(double x) {
    if (__builtin_fabs(x) < 0x1p-30) return x;
    if (!(__builtin_fabs(x) < kInfinity)) return kNan;
    const SineCosine v = sine_cosine(x);
    return sum(divide(v.sine, v.cosine));
}
double sinpi(double x) {
    if (!(__builtin_fabs(x) < kInfinity)) return kNan;
    if (x == 0 || __builtin_fabs(x) >= 0x1p52) return std::copysign(0.0, x);
    if (__builtin_fabs(x) < 0x1p-300) return scale(sum(multiply({x * 0x1p200, 0}, kPi)), -200);
    u32 quarter = 0;
    const Double2 r = reduce_halves(x, quarter);
    const double v = sum(turned(r, quarter));
    return v == 0 ? std::copysign(0.0, x) : v;
}
double cospi(double x) {
    if (!(__builtin_fabs(x) < kInfinity)) return kNan;
    if (__builtin_fabs(x) >= 0x1p53) return 1;
    u32 quarter = 0;
    const Double2 r = reduce_halves(x, quarter);
    const double v = sum(turned(r, quarter + 1));
    return v == 0 ? 0 : v;
}

}  // namespace heddle::ptx::math
