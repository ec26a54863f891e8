// The gamma functions.

#include <array>
#include <cmath>

#include "ptx/mathematics.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

namespace {

/// ln Gamma by Stirling's series, x >= 16: (x - 1/2) ln x - x + ln sqrt(2 pi) + 1 / 12x - ...
Double2 stirling(Double2 x) {
    const double r = 1 / x.high, q = r * r;
    double p = 1.0 / 156;
    p = p * q - 691.0 / 360360;
    p = p * q + 1.0 / 1188;
    p = p * q - 1.0 / 1680;
    p = p * q + 1.0 / 1260;
    p = p * q - 1.0 / 360;
    Double2 v = multiply(add(x, -0.5), log_of(x));
    v = subtract(v, x);
    v = add(v, Double2{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55});
    return add(add(v, divide({1, 0}, multiply(x, {12, 0}))), p * r * q);
}

/// Brings `at` >= 0.5 to 16 or more; Gamma(before) = Gamma(after) / result.
Double2 raise(Double2& at) {
    Double2 product{1, 0};
    while (at.high < 16) {
        product = multiply(product, at);
        at = add(at, 1.0);
    }
    return product;
}

Scaled gamma_of(Double2 at) {  // at >= 0.5
    const Double2 product = raise(at);
    Scaled e = exp_scaled(stirling(at));
    e.value = divide(e.value, product);
    return e;
}

/// ln Gamma(at), at >= 0.5 and not near 1 or 2.
Double2 log_gamma_of(Double2 at) {
    const bool small = at.high < 16;
    const Double2 product = raise(at);
    const Double2 v = stirling(at);
    return small ? subtract(v, log_of(product)) : v;
}

/// zeta(k) / k from k = 2, for ln Gamma(1 + z) = -gamma z + sum zeta(k) (-z)^k / k.
constexpr std::array<double, 21> kAtOne{0x1.a51a6625307d3p-1, 0x1.9a4d55beab2d7p-2, 0x1.151322ac7d848p-2,
                                        0x1.a8b9c17aa6149p-3, 0x1.5b40cb100c306p-3, 0x1.2703a1dcea3aep-3,
                                        0x1.010b36af86397p-3, 0x1.c806706d57db4p-4, 0x1.9a01e385d5f8fp-4,
                                        0x1.748c33114c6d6p-4, 0x1.556ad63243bc4p-4, 0x1.3b1d971fc5985p-4,
                                        0x1.2496df8320c5fp-4, 0x1.11133476e7fep-4,  0x1.00010064cdeb2p-4,
                                        0x1.e1e2d311e8abdp-5, 0x1.c71ce3a20b419p-5, 0x1.af28a1b5688ap-5,
                                        0x1.9999b3352d5bap-5, 0x1.86186db77bfbfp-5, 0x1.745d1d1778df9p-5};
/// (zeta(k) - 1) / k, for ln Gamma(2 + z) = (1 - gamma) z + sum (zeta(k) - 1) (-z)^k / k.
constexpr std::array<double, 15> kAtTwo{0x1.4a34cc4a60fa6p-2,  0x1.13e001a557607p-4,  0x1.51322ac7d8483p-6,
                                        0x1.e404fc218f5f2p-8,  0x1.7add6eadb6c3p-9,   0x1.38ac5c2bf8e08p-10,
                                        0x1.0b36af86396e9p-11, 0x1.d3fd4c76d2fc8p-13, 0x1.a127b0f17d65ap-14,
                                        0x1.78de5bd7c81efp-15, 0x1.580dcee66eb02p-16, 0x1.3cbc963ce2243p-17,
                                        0x1.2597a39f34aacp-18, 0x1.11b2eb7679541p-19, 0x1.0064cdeb22f0fp-20};

/// first z + sum coefficients[k] (-z)^(k + 2), |z| <= 1/8.
template <std::size_t N>
double log_gamma_near(double z, double first, const std::array<double, N>& coefficients) {
    double p = 0;
    for (std::size_t k = N; k-- > 0;) p = coefficients[k] - z * p;
    return z * (first + z * p);
}

}  // namespace

double tgamma(double x) {
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
    if (x >= 0.5) {
        const Scaled g = gamma_of({x, 0});
        return scale(sum(g.value), g.exponent);
    }
    if (__builtin_fabs(x) < 0x1p-60) return 1 / x;
    // Reflection: pi / (sin(pi x) Gamma(1 - x)).
    const Scaled g = gamma_of(two_sum(1, -x));
    const Double2 below = multiply(sine_cosine_of_pi_times(x).sine, g.value);
    return scale(sum(divide(kPi, below)), -g.exponent);
}

double lgamma(double x) {
    if (x != x) return kNan;
    if (__builtin_fabs(x) == kInfinity) return kInfinity;
    if (x <= 0 && __builtin_floor(x) == x) return kInfinity;
    if (__builtin_fabs(x - 1) <= 0.125) return log_gamma_near(x - 1, -0x1.2788cfc6fb619p-1, kAtOne);
    if (__builtin_fabs(x - 2) <= 0.125) return log_gamma_near(x - 2, 0x1.b0ee6072093cep-2, kAtTwo);
    if (x >= 0x1p60) return x * (log(x) - 1);
    if (x >= 0.5) return sum(log_gamma_of({x, 0}));
    const double m = __builtin_fabs(x);
    if (m < 0x1p-60) return -log(m);
    // ln(pi / |x sin(pi x)|) - ln Gamma(-x) for negative x; with Gamma(1 - x) between 0 and 1/2.
    const Double2 sine = sine_cosine_of_pi_times(x).sine;
    const Double2 reflected = divide(kPi, sine.high < 0 ? negative(sine) : sine);
    return sum(subtract(log_of(reflected), log_gamma_of(two_sum(1, -x))));
}

}  // namespace heddle::ptx::math
