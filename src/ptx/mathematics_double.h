#pragma once
// Sums of two doubles, for mathematics*.cpp.

#include <bit>
#include <utility>

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

/// e^(high + low); ln x of a positive finite x.
double exp_of(Double2 v);
Double2 log_of(double x);

}  // namespace heddle::ptx::math
