// Remainders, rounding and exponents: exact functions.

#include <bit>
#include <cmath>

#include "ptx/mathematics.h"
#include "ptx/mathematics_double.h"

namespace heddle::ptx::math {

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
