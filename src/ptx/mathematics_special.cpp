// Error functions, gamma functions, and small exact ones.

#include <bit>
#include <cmath>

#include "ptx/mathematics.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

namespace {

constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp+0, kOneOverRootPi = 0x1.20dd750429b6dp-1;

double exp_minus_square(double x) {
    const Double2 q = two_product(x, x);
    return exp_of({-q.high, -q.low});
}

/// erf x = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (2n+1)!!, all terms positive; for 0 <= x <= 1.
double erf_series(double x) {
    const double q = 2 * x * x;
    double sum = 0;
    for (int n = 30; n > 0; --n) sum = (1 + sum) * q / (2 * n + 1);
    return kTwoOverRootPi * exp_minus_square(x) * (x + x * sum);
}

/// erfc x e^(x^2) by its continued fraction, from the inside out; for x >= 2.
double erfcx_fraction(double x) {
    double t = 0;
    const int terms = x < 3 ? 160 : x < 6 ? 60 : 24;
    for (int n = terms; n > 0; --n) t = 0.5 * n / (x + t);
    return kOneOverRootPi / (x + t);
}

}  // namespace

double erf(double x) {
    const double m = __builtin_fabs(x);
    if (x != x) return kNan;
    if (m < 0x1p-28) return x == 0 ? x : kTwoOverRootPi * x;
    if (m > 6) return std::copysign(1.0, x);
    return std::copysign(m < 1 ? erf_series(m) : 1 - erfc(m), x);
}
double erfc(double x) {
    if (x != x) return kNan;
    if (x < 0) return 1 + erf(-x);
    if (x < 0.9) return 1 - erf_series(x);
    if (x > 27.3) return 0;
    if (x < 2) return exp_minus_square(x) * erfcx(x);
    return exp_minus_square(x) * erfcx_fraction(x);
}
/// Between 0.5 and 2: Taylor from the continued fraction's range, stepping down with y' = 2 x y - 2/sqrt(pi).
double erfcx(double x) {
    if (x != x) return kNan;
    if (x < 0.5) {
        const Double2 q = two_product(x, x);
        return exp_of(q) * (x < 0 ? 1 + (x < -6 ? 1 : erf(-x)) : 1 - erf_series(x));
    }
    if (x >= 2) return x > 1e150 ? kOneOverRootPi / x : erfcx_fraction(x);
    double at = 2, y = 0x1.058671b52c776p-2;  // erfcx(2)
    while (at > x) {
        const double h = at - x > 0.25 ? -0.25 : x - at;
        // Derivatives: y1 = 2 a y - 2/sqrt(pi), y(n+1) = 2 a y(n) + 2 n y(n-1); Taylor coefficients c(n) = y(n)/n!.
        double before = y, now = 2 * at * y - kTwoOverRootPi, power = h, sum = y + now * h;
        for (int n = 1; n < 24; ++n) {
            const double next = (2 * at * now + 2 * before) / (n + 1);
            before = now;
            now = next;
            power *= h;
            sum += now * power;
        }
        y = sum;
        at += h;
    }
    return y;
}

namespace {

/// The inverse of the normal tail by Newton's method on erfc, from a rational first guess (Abramowitz and Stegun 26.2.23).
double inverse_erfc_positive(double p) {  // 0 < p <= 1
    const double t = __builtin_sqrt(-2 * log(p / 2));
    double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                        (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) *
               0.70710678118654752;
    for (int k = 0; k < 4; ++k) {
        const double error = erfc(x) - p;
        const double step = error / (-kTwoOverRootPi * exp_minus_square(x));
        x -= step / (1 + x * step);  // Halley
    }
    return x;
}

}  // namespace

double erfcinv(double p) {
    if (!(p >= 0 && p <= 2)) return kNan;
    if (p == 0) return kInfinity;
    if (p == 2) return -kInfinity;
    if (p == 1) return 0;
    return p <= 1 ? inverse_erfc_positive(p) : -inverse_erfc_positive(2 - p);
}
double erfinv(double p) {
    const double m = __builtin_fabs(p);
    if (!(m <= 1)) return kNan;
    if (m == 1) return std::copysign(kInfinity, p);
    if (m < 0x1p-28) return p / kTwoOverRootPi;
    if (m >= 0.5) return std::copysign(inverse_erfc_positive(1 - m), p);  // 1 - m is exact
    double x = m / kTwoOverRootPi;
    for (int k = 0; k < 4; ++k) {
        const double step = (erf(x) - m) / (kTwoOverRootPi * exp_minus_square(x));
        x -= step / (1 + x * step);
    }
    return std::copysign(x, p);
}
double normcdf(double x) {
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
double normcdfinv(double p) {
    return -1.41421356237309504880 * erfcinv(2 * p);
}

namespace {

/// ln Gamma by Stirling's series, x >= 12.
Double2 stirling(double x) {
    const double r = 1 / x, q = r * r;
    double p = 1.0 / 156;
    p = p * q - 691.0 / 360360;
    p = p * q + 1.0 / 1188;
    p = p * q - 1.0 / 1680;
    p = p * q + 1.0 / 1260;
    p = p * q - 1.0 / 360;
    p = p * q + 1.0 / 12;
    // (x - 1/2) ln x - x + ln sqrt(2 pi) + p / x
    Double2 sum = multiply({x - 0.5, 0}, log_of(x));
    sum = add(sum, -x);
    sum = add(sum, Double2{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55});
    return add(sum, p * r);
}

}  // namespace

namespace {

/// Gamma of at.high + at.low >= 0.5.
double gamma_of(Double2 at) {
    Double2 product{1, 0};
    while (at.high < 12) {
        product = multiply(product, at);
        at = add(at, 1.0);
    }
    // at.low shifts the argument: d ln Gamma / dx is about ln x - 1 / 2x.
    const Double2 l = add(stirling(at.high), at.low * (log(at.high) - 0.5 / at.high));
    return exp_of(l) / product.high * (1 - product.low / product.high);
}

}  // namespace

double tgamma(double x) {
    constexpr double pi = 3.14159265358979323846;
    if (x != x || x == kInfinity) return x;
    if (x == 0) return std::copysign(kInfinity, x);
    const double whole = __builtin_floor(x);
    if (x < 0 && (whole == x || x == -kInfinity)) return kNan;
    if (x > 171.7) return kInfinity;
    if (x < -184) return fmod(whole, 2) == 0 ? 0.0 : -0.0;
    if (x == whole && x <= 23) {  // factorials are exact
        double f = 1;
        for (u32 k = 2; k < x; ++k) f *= k;
        return f;
    }
    if (x >= 0.5) return gamma_of({x, 0});
    // Reflection; far out in two divisions, as Gamma(1 - x) alone overflows.
    const double s = sinpi(x);
    if (x > -170) return pi / (s * gamma_of(two_sum(1, -x)));
    return pi / s / gamma_of({-x, 0}) / -x;
}

double lgamma(double x) {
    if (x != x) return kNan;
    if (__builtin_fabs(x) == kInfinity) return kInfinity;
    if (x <= 0 && __builtin_floor(x) == x) return kInfinity;
    if (x == 1 || x == 2) return 0;
    if (x < 0.5) {
        if (x > -0x1p-60 && x < 0x1p-60) return -log(__builtin_fabs(x));
        return log(3.14159265358979323846 / __builtin_fabs(sinpi(x))) - lgamma(1 - x);
    }
    if (x >= 0x1p60) return x * (log(x) - 1);
    Double2 product{1, 0};
    Double2 at{x, 0};
    while (at.high < 12) {
        product = multiply(product, at);
        at = add(at, 1.0);
    }
    Double2 l = add(stirling(at.high), at.low * log(at.high));
    if (x < 12) {
        const Double2 p = log_of(product.high);
        l = add(l, Double2{-p.high, -(p.low + product.low / product.high)});
    }
    return l.high + l.low;
}

double hypot(double x, double y) {
    const double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (a == kInfinity || b == kInfinity) return kInfinity;
    if (a != a || b != b) return kNan;
    const double high = a > b ? a : b;
    if (high == 0) return 0;
    const double up = high > 0x1p500 ? 0x1p-600 : high < 0x1p-500 ? 0x1p600 : 1.0;
    const Double2 s = add(two_product(a * up, a * up), two_product(b * up, b * up));
    double r = __builtin_sqrt(s.high);
    r += (__builtin_fma(-r, r, s.high) + s.low) / (2 * r);
    return r / up;
}
double rhypot(double x, double y) {
    return 1 / hypot(x, y);
}

/// Exact: the quotient's bits are taken off one by one.
double fmod(double x, double y) {
    const double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (!(a < kInfinity) || y != y || y == 0) return kNan;
    if (b == kInfinity || a < b) return x;
    double r = a;
    while (r >= b) {
        const i64 difference =
            static_cast<i64>(std::bit_cast<u64>(r) >> 52) - static_cast<i64>(std::bit_cast<u64>(b) >> 52);
        double t = b;
        if (difference > 0 && (std::bit_cast<u64>(b) >> 52) != 0)
            t = std::bit_cast<double>(std::bit_cast<u64>(b) + (static_cast<u64>(difference) << 52));
        while ((std::bit_cast<u64>(b) >> 52) == 0 && t * 2 <= r) t *= 2;  // subnormal divisor
        if (t > r) t *= 0.5;
        r -= t;
    }
    return std::copysign(r, x);
}
double remainder(double x, double y) {
    const double b = __builtin_fabs(y);
    if (!(__builtin_fabs(x) < kInfinity) || y != y || y == 0) return kNan;
    if (b == kInfinity) return x;
    double r = b < 0x1p1023 ? __builtin_fabs(fmod(x, 2 * b)) : __builtin_fabs(x);
    const double half = 0.5 * b;
    if (b < 0x1p-1021) {
        if (r + r > b) {
            r -= b;
            if (r + r >= b) r -= b;
        }
    } else if (r > half) {
        r -= b;
        if (r >= half) r -= b;
    }
    return std::signbit(x) ? -r : r;
}
double round(double x) {
    const double t = __builtin_trunc(x);
    return __builtin_fabs(x - t) >= 0.5 ? t + std::copysign(1.0, x) : t;
}
double logb(double x) {
    if (x != x) return kNan;
    if (x == 0) return -kInfinity;
    if (__builtin_fabs(x) == kInfinity) return kInfinity;
    const u64 m = std::bit_cast<u64>(x) & ~(u64{1} << 63);
    if (m < u64{1} << 52) return -1011.0 - static_cast<double>(__builtin_clzll(m));
    return static_cast<double>(m >> 52) - 1023;
}
double fdim(double x, double y) {
    return x != x || y != y ? kNan : x > y ? x - y : 0;
}
double nextafter(double x, double y) {
    if (x != x || y != y) return kNan;
    if (x == y) return y;
    if (x == 0) return std::copysign(0x1p-1074, y);
    const u64 bits = std::bit_cast<u64>(x);
    return std::bit_cast<double>((x < y) == (x > 0) ? bits + 1 : bits - 1);
}
double ldexp(double x, double n) {
    // Three steps at most, the last of which rounds.
    double left = n < -3000 ? -3000 : n > 3000 ? 3000 : n;
    while (left > 1000) x *= 0x1p1000, left -= 1000;
    while (left < -1000) {
        if (__builtin_fabs(x) < 0x1p-60) return x * 0x1p-1000 * 0x1p-1000;
        x *= 0x1p-900;
        left += 900;
    }
    const double p = std::bit_cast<double>(static_cast<u64>(static_cast<i64>(left) + 1023) << 52);
    return x * p;
}

}  // namespace heddle::ptx::math
