// Error functions and their inverses.

#include <bit>
#include <cmath>

#include "ptx/mathematics.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

namespace {

constexpr Double2 kTwoOverRootPi{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56},
    kOneOverRootPi{0x1.20dd750429b6dp-1, 0x1.1ae3a914fed8p-57},
    kHalfRootPi{0x1.c5bf891b4ef6bp-1, -0x1.618f13eb7ca89p-55},
    kRootTwo{0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    kRootHalf{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};

/// Where the series of erf ends and the continued fraction of erfc begins.
constexpr double kSeriesEnd = 1.5;

Scaled exp_minus_square(Double2 x) {
    return exp_scaled(negative(multiply(x, x)));
}

/// erf x = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (2n+1)!!, all terms positive; for 0 <= x <= kSeriesEnd. What is rounded
/// to one double in the far terms is small in the sum.
Double2 erf_series(Double2 x) {
    const Double2 q = times(multiply(x, x), 2);
    constexpr int kFine = 10;
    double rest = 0;
    for (int n = x.high < 0.5 ? 18 : 34; n > kFine; --n) rest = (1 + rest) * q.high / (2 * n + 1);
    Double2 terms{rest, 0};
    for (int n = kFine; n > 0; --n) terms = divide(multiply(add(terms, 1.0), q), {2.0 * n + 1, 0});
    const Scaled e = exp_minus_square(x);
    const Double2 v = multiply(multiply(kTwoOverRootPi, x), add(terms, 1.0));
    return times(multiply(v, e.value), scale(1, e.exponent));
}

/// erfc x e^(x^2) by its continued fraction, from the inside out; for x >= kSeriesEnd.
Double2 erfcx_fraction(Double2 x) {
    constexpr int kFine = 4;
    const double h = x.high;
    double rest = 0;
    for (int n = 8 + (h > 1000 ? 0 : static_cast<int>(240 / (h * h))); n > kFine; --n)
        rest = 0.5 * n / (h + rest);
    Double2 t{rest, 0};
    for (int n = kFine; n > 0; --n) t = divide({0.5 * n, 0}, add(x, t));
    return divide(kOneOverRootPi, add(x, t));
}

/// Of x >= 0.
Scaled erfc_of(Double2 x) {
    if (x.high < kSeriesEnd) return {subtract({1, 0}, erf_series(x)), 0};
    Scaled e = exp_minus_square(x);
    e.value = multiply(e.value, erfcx_fraction(x));
    return e;
}
Double2 erf_of(Double2 x) {
    if (x.high < kSeriesEnd) return erf_series(x);
    const Scaled tail = erfc_of(x);
    return tail.exponent < -80 ? Double2{1, 0} : subtract({1, 0}, times(tail.value, scale(1, tail.exponent)));
}
/// 2^power erfc of any x.
double erfc_signed(Double2 x, i64 power) {
    if (x.high < -6) return scale(2, power);
    if (x.high < 0) return scale(sum(add(erf_of(negative(x)), 1.0)), power);
    if (x.high > 28) return 0;
    const Scaled v = erfc_of(x);
    return scale(sum(v.value), v.exponent + power);
}

}  // namespace

double erf(double x) {
    const double m = __builtin_fabs(x);
    if (x != x) return kNan;
    if (m < 0x1p-300) return scale(sum(multiply(kTwoOverRootPi, {x * 0x1p200, 0})), -200);
    if (m < 0x1p-28) return sum(multiply(kTwoOverRootPi, {x, 0}));
    return std::copysign(m > 6 ? 1.0 : sum(erf_of({m, 0})), x);
}
double erfc(double x) {
    return x != x ? kNan : erfc_signed({x, 0}, 0);
}
double erfcx(double x) {
    if (x != x) return kNan;
    if (x >= kSeriesEnd) return x > 1e150 ? kOneOverRootPi.high / x : sum(erfcx_fraction({x, 0}));
    if (x < -27) return kInfinity;
    const Scaled e = exp_scaled(two_product(x, x));
    const Double2 tail = x < 0 ? add(erf_of({-x, 0}), 1.0) : subtract({1, 0}, erf_of({x, 0}));
    return scale(sum(multiply(e.value, tail)), e.exponent);
}
double normcdf(double x) {
    if (x != x) return kNan;
    if (x > 40 || x < -40) return x > 0 ? 1 : 0;
    return erfc_signed(negative(multiply({x, 0}, kRootHalf)), -1);
}

namespace {

// The inverses: Halley's method from a first guess, the last residual in two doubles.

Double2 inverse_erf(double p) {  // 0 <= p <= 0.75
    if (p < 0x1p-28) return multiply(kHalfRootPi, {p, 0});
    double x = p * kHalfRootPi.high;
    for (int k = 0;; ++k) {
        const Double2 error = add(erf_series({x, 0}), -p);
        const double slope = kTwoOverRootPi.high * exp_of({-x * x, 0}), step = sum(error) / slope;
        const double change = -step / (1 + x * step);
        if (k == 4) return two_sum(x, change);
        x += change;
    }
}
Double2 inverse_erfc(double p) {  // 0 < p <= 0.75
    // Abramowitz and Stegun 26.2.23.
    const double t = __builtin_sqrt(-2 * log(p / 2));
    double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                        (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) *
               kRootHalf.high;
    if (p < 0x1p-1000) x = __builtin_sqrt(-log(p) - log(x * 1.7724538509055160));
    for (int k = 0;; ++k) {
        const Scaled tail = erfc_of({x, 0}), e = exp_minus_square({x, 0});
        const double target = scale(scale(p, 600), -tail.exponent - 600);
        const double slope = -kTwoOverRootPi.high * e.value.high * scale(1, e.exponent - tail.exponent);
        const double step = sum(add(tail.value, -target)) / slope, change = -step / (1 + x * step);
        if (k == 3) return two_sum(x, change);
        x += change;
    }
}

}  // namespace

double erfinv(double p) {
    const double m = __builtin_fabs(p);
    if (!(m <= 1)) return kNan;
    if (m == 1) return std::copysign(kInfinity, p);
    if (m < 0x1p-300) return scale(sum(multiply(kHalfRootPi, {p * 0x1p200, 0})), -200);
    return std::copysign(sum(m < 0.5 ? inverse_erf(m) : inverse_erfc(1 - m)), p);  // 1 - m is exact
}
double erfcinv(double p) {
    if (!(p >= 0 && p <= 2)) return kNan;
    if (p == 0) return kInfinity;
    if (p == 2) return -kInfinity;
    if (p < 0.5) return sum(inverse_erfc(p));
    if (p > 1.5) return -sum(inverse_erfc(2 - p));
    return std::copysign(sum(inverse_erf(__builtin_fabs(1 - p))), p > 1 ? -1.0 : 1.0);
}
double normcdfinv(double p) {
    if (!(p >= 0 && p <= 1)) return kNan;
    if (p == 0) return -kInfinity;
    if (p == 1) return kInfinity;
    const Double2 x = p < 0.25   ? inverse_erfc(2 * p)
                      : p > 0.75 ? inverse_erfc(2 * (1 - p))
                                 : inverse_erf(__builtin_fabs(2 * p - 1));
    const double r = sum(multiply(kRootTwo, x));
    return p < 0.5 ? -r : r;
}

}  // namespace heddle::ptx::math
