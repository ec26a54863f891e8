#pragma once
// Sums of two doubles, for mathematics*.cpp.

#include <bit>
#include <utility>

#include "sim/types.h"

namespace heddle::ptx::math {

inline constexpr double kInfinity = std::bit_cast<double>(0x7ff0000000000000u);
inline constexpr double kNan = std::bit_cast<double>(0x7ff8000000000000u);

/// high + low, |low| at most half a unit in high's last place.
struct Double2 {
    double high = 0, low = 0;
};

inline Double2 two_sum(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}
inline Double2 two_product(double a, double b) {
    const double p = a * b;
    return {p, __builtin_fma(a, b, -p)};
}
inline Double2 normal(double a, double b) {  // |a| >= |b|
    const double s = a + b;
    return {s, b - (s - a)};
}
inline Double2 add(Double2 a, Double2 b) {
    const Double2 s = two_sum(a.high, b.high);
    return normal(s.high, s.low + (a.low + b.low));
}
inline Double2 add(Double2 a, double b) {
    return add(a, Double2{b, 0});
}
inline Double2 multiply(Double2 a, Double2 b) {
    const Double2 p = two_product(a.high, b.high);
    return normal(p.high, p.low + (a.high * b.low + a.low * b.high));
}
inline Double2 divide(Double2 a, Double2 b) {
    const double q = a.high / b.high;
    const double rest = __builtin_fma(-q, b.high, a.high) + (a.low - q * b.low);
    return normal(q, rest / b.high);
}

inline Double2 negative(Double2 a) {
    return {-a.high, -a.low};
}
inline Double2 subtract(Double2 a, Double2 b) {
    return add(a, negative(b));
}
/// a times a power of two.
inline Double2 times(Double2 a, double power) {
    return {a.high * power, a.low * power};
}
/// Of a positive value.
inline Double2 root_of(Double2 a) {
    const double r = __builtin_sqrt(a.high);
    return normal(r, (__builtin_fma(-r, r, a.high) + a.low) / (2 * r));
}
inline double sum(Double2 a) {
    return a.high + a.low;
}

/// value * 2^exponent.
struct Scaled {
    Double2 value;
    i64 exponent = 0;
};

/// v * 2^n, rounded once where the result is subnormal.
double scale(double v, i64 n);

inline constexpr Double2 kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr Double2 kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
inline constexpr Double2 kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// Of sums of two doubles, to about 2^-60 of the result. exp_scaled wants |v| < 2^31.
Scaled exp_scaled(Double2 v);
double exp_of(Double2 v);
Double2 expm1_of(Double2 v);
/// Of positive finite values.
Double2 log_of(double x);
Double2 log_of(Double2 v);
/// ln(1 + v), v > -1, to 2^-106 of 1 where v is small.
Double2 log1p_of(Double2 v);
/// To 2^-56.
struct SineCosine {
    Double2 sine, cosine;
};
/// Of a finite x; of pi x.
SineCosine sine_cosine(double x);
SineCosine sine_cosine_of_pi_times(double x);

}  // namespace heddle::ptx::math
