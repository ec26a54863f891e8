// Inverse trigonometric, hyperbolic and inverse hyperbolic functions, and roots.

#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>

#include "ptx/mathematics.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

namespace {

struct Arc {
    double from, at;  // for x >= from: atan x = angle + atan((x - at) / (1 + x at))
    Double2 angle;
};
constexpr std::array<Arc, 3> kArcs{{
    {1.4966057626654890, 2.4140625, {0x1.2d9654c66566fp+0, 0x1.7bebc063c8655p-54}},
    {0.6681786379192989, 1.0, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}},
    {0.1989123673796580, 0.4140625, {0x1.91fde7cd0c662p-2, 0x1.1074188054b53p-56}},
}};

/// atan of a small value, |t| <= 0.21.
Double2 atan_small(Double2 v) {
    const double t = v.high, q = t * t;
    double p = 1.0 / 29;
    p = 1.0 / 27 - q * p;
    p = 1.0 / 25 - q * p;
    p = 1.0 / 23 - q * p;
    p = 1.0 / 21 - q * p;
    p = 1.0 / 19 - q * p;
    p = 1.0 / 17 - q * p;
    p = 1.0 / 15 - q * p;
    p = 1.0 / 13 - q * p;
    p = 1.0 / 11 - q * p;
    p = 1.0 / 9 - q * p;
    p = 1.0 / 7 - q * p;
    p = 1.0 / 5 - q * p;
    p = 1.0 / 3 - q * p;
    return normal(t, v.low - t * q * p);
}

/// atan of y / x, both positive.
Double2 atan_ratio(Double2 y, Double2 x) {
    const bool flipped = y.high > x.high * 5.0273394921258481;
    if (flipped) std::swap(x, y);  // pi/2 - atan(x / y)
    const double ratio = y.high / x.high;
    for (const Arc& arc : kArcs)
        if (ratio >= arc.from) {
            const Double2 at{arc.at, 0};
            return add(arc.angle, atan_small(divide(subtract(y, multiply(x, at)), add(x, multiply(y, at)))));
        }
    const Double2 small = atan_small(divide(y, x));
    return flipped ? subtract(kHalfPi, small) : small;
}

/// sqrt(1 - m^2), 0 <= m <= 1.
Double2 other_leg(double m) {
    if (m == 1) return {};
    return root_of(multiply(two_sum(1, -m), two_sum(1, m)));
}

}  // namespace

double atan(double x) {
    if (x != x || x == 0) return x;
    const double m = __builtin_fabs(x);
    if (m < 0x1p-27) return x;
    const double r = m > 0x1p60 ? kHalfPi.high : sum(atan_ratio({m, 0}, {1.0, 0}));
    return x < 0 ? -r : r;
}
double atan2(double y, double x) {
    if (x != x || y != y) return kNan;
    const double a = __builtin_fabs(y), b = __builtin_fabs(x);
    const bool left = std::signbit(x);
    Double2 r;
    if (a == kInfinity && b == kInfinity)
        r = {kPi.high / 4, kPi.low / 4};
    else if (a == 0 || b == kInfinity)
        r = {};
    else if (b == 0 || a == kInfinity || a / b > 0x1p60)
        r = kHalfPi;
    else if (a / b < 0x1p-27 && !left)
        return std::copysign(a / b, y);
    else {
        const i64 up = b > 0x1p500 || a > 0x1p500 ? -600 : b < 0x1p-500 || a < 0x1p-500 ? 500 : 0;
        r = atan_ratio({scale(a, up), 0}, {scale(b, up), 0});
    }
    return std::copysign(sum(left ? subtract(kPi, r) : r), y);
}
double asin(double x) {
    const double m = __builtin_fabs(x);
    if (!(m <= 1)) return kNan;
    if (m < 0x1p-27) return x;
    return std::copysign(m == 1 ? kHalfPi.high : sum(atan_ratio({m, 0}, other_leg(m))), x);
}
double acos(double x) {
    const double m = __builtin_fabs(x);
    if (!(m <= 1)) return kNan;
    if (x == 1) return 0;
    if (m < 0x1p-60) return kHalfPi.high;
    if (x == -1) return kPi.high;
    const Double2 r = atan_ratio(other_leg(m), {m, 0});
    return sum(x > 0 ? r : subtract(kPi, r));
}

double sinh(double x) {
    const double m = __builtin_fabs(x);
    if (m < 0x1p-28 || x != x) return x;
    if (m > 800) return std::copysign(kInfinity, x);
    if (m > 22) {
        const Scaled e = exp_scaled({m, 0});
        return std::copysign(scale(sum(e.value), e.exponent - 1), x);
    }
    const Double2 e = expm1_of({m, 0});
    return std::copysign(0.5 * sum(add(e, divide(e, add(e, 1.0)))), x);
}
double cosh(double x) {
    const double m = __builtin_fabs(x);
    if (x != x) return x;
    if (m > 800) return kInfinity;
    const Scaled e = exp_scaled({m, 0});
    if (m > 22) return scale(sum(e.value), e.exponent - 1);
    const Double2 v = times(e.value, scale(1, e.exponent));
    return 0.5 * sum(add(v, divide({1, 0}, v)));
}
double tanh(double x) {
    const double m = __builtin_fabs(x);
    if (m < 0x1p-28 || x != x) return x;
    if (m > 22) return std::copysign(1.0, x);
    const Double2 e = expm1_of({2 * m, 0});
    return std::copysign(sum(divide(e, add(e, 2.0))), x);
}
double asinh(double x) {
    const double m = __builtin_fabs(x);
    if (m < 0x1p-28 || !(m < kInfinity)) return x;
    Double2 r;
    if (m > 0x1p28) {
        r = add(log_of(m), kLn2);
    } else {
        const Double2 q = two_product(m, m);
        r = log1p_of(add(divide(q, add(root_of(add(q, 1.0)), 1.0)), m));
    }
    return std::copysign(sum(r), x);
}
double acosh(double x) {
    if (!(x >= 1)) return kNan;
    if (x == kInfinity) return x;
    if (x > 0x1p28) return sum(add(log_of(x), kLn2));
    if (x == 1) return 0;
    const Double2 t = two_sum(x, -1.0);
    return sum(log1p_of(add(t, root_of(multiply(t, add(t, 2.0))))));
}
double atanh(double x) {
    const double m = __builtin_fabs(x);
    if (!(m <= 1)) return kNan;
    if (m == 1) return std::copysign(kInfinity, x);
    if (m < 0x1p-28) return x;
    return std::copysign(0.5 * sum(log1p_of(divide({2 * m, 0}, two_sum(1, -m)))), x);
}

double cbrt(double x) {
    const double m = __builtin_fabs(x);
    if (x == 0 || !(m < kInfinity)) return x;
    const Double2 l = log_of(m);
    double r = exp_of(multiply(l, {0x1.5555555555555p-2, 0x1.5555555555555p-56}));
    // One Newton step with the cube known exactly.
    const Double2 cube = multiply(two_product(r, r), {r, 0});
    r -= (cube.high - m + cube.low) / (3 * r * r);
    return std::copysign(r, x);
}
double rcbrt(double x) {
    double m = __builtin_fabs(x);
    if (x == 0 || !(m < kInfinity)) return 1 / x;
    // In the middle of the range, so that the cube of the result times m is normal.
    double back = 1;
    if (m < 0x1p-900) m *= 0x1p300, back = 0x1p100;
    if (m > 0x1p900) m *= 0x1p-300, back = 0x1p-100;
    const double r = 1 / cbrt(m);
    const Double2 one = multiply(multiply(two_product(r, r), {r, 0}), {m, 0});
    return std::copysign((r + r * ((1 - one.high - one.low) / 3)) * back, x);
}

namespace {

/// 1 / sqrt(v), v positive and of middling size.
double reciprocal_root(Double2 v) {
    const double r = 1 / __builtin_sqrt(v.high);
    const Double2 one = multiply(two_product(r, r), v);
    return r + r * (0.5 * (1 - one.high - one.low));
}

/// A power of two that brings values of at most `largest` where their squares are normal.
double middling(double largest) {
    return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-500 ? 0x1p600 : 1.0;
}

/// The sum of squares of the values times `up`; NaN and infinity as IEEE's hypot has them. False where the norm is
/// `edge`.
bool sum_of_squares(std::initializer_list<double> values, Double2& squares, double& up, double& edge) {
    double largest = 0;
    bool missing = false;
    for (double v : values) {
        missing = missing || v != v;
        largest = __builtin_fabs(v) > largest ? __builtin_fabs(v) : largest;
    }
    edge = largest == kInfinity ? kInfinity : missing ? kNan : 0;
    if (edge != 0 || largest == 0) return false;
    up = middling(largest);
    squares = {};
    for (double v : values) squares = add(squares, two_product(v * up, v * up));
    return true;
}
double norm(std::initializer_list<double> values) {
    Double2 squares;
    double up = 1, edge = 0;
    if (!sum_of_squares(values, squares, up, edge)) return edge;
    return sum(root_of(squares)) / up;
}
double reciprocal_norm(std::initializer_list<double> values) {
    Double2 squares;
    double up = 1, edge = 0;
    if (!sum_of_squares(values, squares, up, edge)) return 1 / edge;
    return reciprocal_root(squares) * up;
}

}  // namespace

double rsqrt(double x) {
    if (!(x > 0 && x < kInfinity)) return 1 / __builtin_sqrt(x);
    return x < 0x1p-900 ? reciprocal_root({x * 0x1p300, 0}) * 0x1p150 : reciprocal_root({x, 0});
}
double hypot(double x, double y) {
    return norm({x, y});
}
double rhypot(double x, double y) {
    return reciprocal_norm({x, y});
}
double norm3d(double x, double y, double z) {
    return norm({x, y, z});
}
double rnorm3d(double x, double y, double z) {
    return reciprocal_norm({x, y, z});
}

}  // namespace heddle::ptx::math
