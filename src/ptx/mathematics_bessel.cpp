// Bessel functions: power series in sums of two doubles, so that what cancels leaves enough; far out the asymptotic series,
// whose smallest term is e^(-2x). Abramowitz and Stegun, chapter 9.

#include <cmath>

#include "ptx/mathematics.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

namespace {

constexpr Double2 kGamma{0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58},
    kInverseHalfPi{0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55};
/// Where the asymptotic series begins.
constexpr double kFar = 25;

struct Bessel {
    double j = 0, y = 0;
};

/// Of order 0 or 1 (9.1.10, 9.1.11, 9.1.13), 0 < x < kFar.
Bessel series(double x, int order) {
    const Double2 square = two_product(0.5 * x, 0.5 * x);
    Double2 term{1, 0};                        // (-x^2 / 4)^k / (k! (k + order)!)
    Double2 psi = times(negative(kGamma), 2);  // psi(k + 1) + psi(k + order + 1)
    if (order == 1) psi = add(psi, 1.0);
    Double2 j = term, y = psi;
    for (int k = 1; k < 24 + static_cast<int>(2 * x); ++k) {
        term = negative(divide(multiply(term, square), {static_cast<double>(k) * (k + order), 0}));
        psi = add(psi, add(divide({1, 0}, {static_cast<double>(k), 0}),
                           divide({1, 0}, {static_cast<double>(k + order), 0})));
        j = add(j, term);
        y = add(y, multiply(term, psi));
    }
    // pi Y = 2 ln(x / 2) J - (x / 2)^order sum of terms psi, and for order 1 another - 2 / x.
    if (order == 1) {
        j = multiply(j, {0.5 * x, 0});
        y = multiply(y, {0.5 * x, 0});
    }
    Double2 twice = subtract(times(multiply(subtract(log_of(x), kLn2), j), 2), y);
    if (order == 1) twice = subtract(twice, divide({2, 0}, {x, 0}));
    return {sum(j), sum(times(multiply(kInverseHalfPi, twice), 0.5))};
}

/// 9.2.5 to 9.2.10, x >= kFar.
Bessel far(double x, int order) {
    const double square = order == 0 ? 0 : 4;  // 4 order^2
    double p = 1, q = 0, term = 1;
    for (int k = 1; k < 40 && (term > 1e-18 || term < -1e-18); ++k) {
        term *= (square - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
        const double v = (k & 2) != 0 ? -term : term;
        ((k & 1) != 0 ? q : p) += v;
    }
    const SineCosine at = sine_cosine(x);
    // Cosine and sine of x - order pi/2 - pi/4, sqrt(2) times.
    const double with = sum(add(at.sine, at.cosine)), against = sum(subtract(at.sine, at.cosine));
    const double c = order == 0 ? with : against, s = order == 0 ? against : -with;
    const double amplitude = 0x1.20dd750429b6dp-1 / __builtin_sqrt(x);  // 1 / sqrt(pi x)
    return {amplitude * (p * c - q * s), amplitude * (p * s + q * c)};
}

Bessel bessel(double x, int order) {
    return x < kFar ? series(x, order) : far(x, order);
}

/// I of order 0 or 1 (9.6.10, 9.7.1), x >= 0.
double modified(double x, int order) {
    if (x < 30) {
        const Double2 square = two_product(0.5 * x, 0.5 * x);
        Double2 v{1, 0};
        for (int k = 20 + static_cast<int>(2 * x); k > 0; --k)
            v = add(divide(multiply(v, square), {static_cast<double>(k) * (k + order), 0}), 1.0);
        return sum(order == 0 ? v : multiply(v, {0.5 * x, 0}));
    }
    if (x > 800) return kInfinity;
    const double square = order == 0 ? 0 : 4;
    Double2 v{1, 0};
    double term = 1;
    for (int k = 1; k < 50 && (term > 1e-18 || term < -1e-18); ++k) {
        term *= -(square - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
        v = add(v, term);
    }
    const Scaled e = exp_scaled({x, 0});
    return scale(sum(divide(multiply(e.value, v), root_of(multiply({2 * x, 0}, kPi)))), e.exponent);
}

}  // namespace

double j0(double x) {
    const double m = __builtin_fabs(x);
    if (x != x) return kNan;
    return m == kInfinity ? 0 : m < 0x1p-28 ? 1 : bessel(m, 0).j;
}
double j1(double x) {
    const double m = __builtin_fabs(x);
    if (x != x) return kNan;
    const double v = m == kInfinity ? 0 : m < 0x1p-28 ? 0.5 * m : bessel(m, 1).j;
    return x < 0 ? -v : v;
}
double y0(double x) {
    if (x != x || x < 0) return kNan;
    if (x == 0) return -kInfinity;
    return x == kInfinity ? 0 : bessel(x, 0).y;
}
double y1(double x) {
    if (x != x || x < 0) return kNan;
    if (x == 0) return -kInfinity;
    if (x < 0x1p-500) return -kInverseHalfPi.high / x;
    return x == kInfinity ? 0 : bessel(x, 1).y;
}

double jn(double order, double x) {
    if (x != x || order < 0) return kNan;
    const double m = __builtin_fabs(x);
    const bool negative_result = x < 0 && fmod(order, 2) == 1;
    auto with_sign = [&](double v) { return negative_result ? -v : v; };
    if (order == 0) return j0(x);
    if (order == 1) return j1(x);
    if (m == 0 || m == kInfinity) return with_sign(0);
    if (order <= m) {
        double before = j0(m), now = j1(m);
        for (double k = 1; k < order; ++k) {
            const double next = 2 * k / m * now - before;
            before = now;
            now = next;
        }
        return with_sign(now);
    }
    if (order * log(0.5 * m) - lgamma(order + 1) < -750) return with_sign(0);
    // Miller: downwards from an order where J is as good as 0, then 1 = J0 + 2 J2 + 2 J4 + ...
    double above = 0, now = 1, total = 0, wanted = 0;
    for (double k = 2 * __builtin_floor((order + __builtin_sqrt(160 * order)) / 2) + 2; k > 0; --k) {
        const double below = 2 * k / m * now - above;
        above = now;
        now = below;
        if (k - 1 == order) wanted = now;
        if (fmod(k - 1, 2) == 0) total += k == 1 ? now : 2 * now;
        if (__builtin_fabs(now) > 0x1p500) {
            now *= 0x1p-500;
            above *= 0x1p-500;
            total *= 0x1p-500;
            wanted *= 0x1p-500;
        }
    }
    return with_sign(wanted / total);
}
double yn(double order, double x) {
    if (x != x || order < 0 || x < 0) return kNan;
    if (x == 0) return -kInfinity;
    if (x == kInfinity) return 0;
    double before = y0(x), now = y1(x);
    if (order == 0) return before;
    for (double k = 1; k < order && now > -kInfinity; ++k) {
        const double next = 2 * k / x * now - before;
        before = now;
        now = next;
    }
    return now;
}

double cyl_bessel_i0(double x) {
    return x != x ? kNan : modified(__builtin_fabs(x), 0);
}
double cyl_bessel_i1(double x) {
    const double m = __builtin_fabs(x);
    if (x != x) return kNan;
    return std::copysign(m < 0x1p-28 ? 0.5 * m : modified(m, 1), x);
}

}  // namespace heddle::ptx::math
