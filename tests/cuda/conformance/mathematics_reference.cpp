#include "mathematics_reference.h"

#include <cmath>

using Wide = __float128;

extern "C" {
#define DECLARE(name) Wide name(Wide);
DECLARE(sqrtq)
DECLARE(cbrtq)
DECLARE(expq)
DECLARE(expm1q)
DECLARE(logq)
DECLARE(log2q)
DECLARE(log10q)
DECLARE(log1pq)
DECLARE(sinq)
DECLARE(cosq)
DECLARE(tanq)
DECLARE(asinq)
DECLARE(acosq)
DECLARE(atanq)
DECLARE(sinhq)
DECLARE(coshq)
DECLARE(tanhq)
DECLARE(asinhq)
DECLARE(acoshq)
DECLARE(atanhq)
DECLARE(erfq)
DECLARE(erfcq)
DECLARE(lgammaq)
DECLARE(tgammaq)
DECLARE(j0q)
DECLARE(j1q)
DECLARE(y0q)
DECLARE(y1q)
DECLARE(fabsq)
DECLARE(ceilq)
DECLARE(floorq)
DECLARE(truncq)
DECLARE(rintq)
DECLARE(roundq)
DECLARE(logbq)
#undef DECLARE
#define DECLARE(name) Wide name(Wide, Wide);
DECLARE(powq)
DECLARE(atan2q)
DECLARE(hypotq)
DECLARE(fmodq)
DECLARE(remainderq)
DECLARE(fdimq)
DECLARE(fmaxq)
DECLARE(fminq)
DECLARE(copysignq)
#undef DECLARE
Wide fmaq(Wide, Wide, Wide);
Wide ldexpq(Wide, int);
}

namespace {

const Wide pi = acosq(-1), root_half = 1 / sqrtq(2), half_root_pi = sqrtq(pi) / 2;

Wide exp2_(Wide x) {
    return powq(2, x);
}
Wide exp10_(Wide x) {
    return powq(10, x);
}
Wide sinpi_(Wide x) {
    // To the nearest half, so that no digit is lost near zeros.
    const Wide halves = rintq(2 * x), r = pi * (x - halves / 2);
    const int quarter = static_cast<int>(fmodq(halves, 4) + 4) % 4;
    const Wide v = quarter % 2 != 0 ? cosq(r) : sinq(r);
    return quarter >= 2 ? -v : v;
}
Wide cospi_(Wide x) {
    const Wide halves = rintq(2 * x), r = pi * (x - halves / 2);
    const int quarter = static_cast<int>(fmodq(halves, 4) + 5) % 4;
    const Wide v = quarter % 2 != 0 ? cosq(r) : sinq(r);
    return quarter >= 2 ? -v : v;
}
Wide erfcx_(Wide x) {
    if (x < 20) return expq(x * x) * erfcq(x);
    Wide t = 0;
    for (int n = 60; n > 0; --n) t = static_cast<Wide>(n) / 2 / (x + t);
    return 1 / (2 * half_root_pi * (x + t));
}
/// Bisection in the logarithm finds a start, Halley's method the rest.
Wide erfcinv_(Wide p) {
    if (!(p >= 0 && p <= 2)) return NAN;
    if (p == 0) return INFINITY;
    if (p > 1) return -erfcinv_(2 - p);
    double low = 0, high = 28;
    for (int k = 0; k < 20; ++k) {
        const double middle = (low + high) / 2;
        (erfcq(middle) > p ? low : high) = middle;
    }
    Wide x = low;
    for (int k = 0; k < 3; ++k) {
        const Wide step = (p - erfcq(x)) * half_root_pi * expq(x * x);
        x -= step / (1 + x * step);
    }
    return x;
}
Wide erfinv_(Wide p) {
    if (p < 0) return -erfinv_(-p);
    if (p > static_cast<Wide>(0.5)) return erfcinv_(1 - p);
    Wide x = p * half_root_pi;
    for (int k = 0; k < 6 && p != 0; ++k) {
        const Wide step = (erfq(x) - p) * half_root_pi * expq(x * x);
        x -= step / (1 + x * step);
    }
    return x;
}
Wide normcdfinv_(Wide p) {
    const Wide root_two = 2 * root_half;
    return p > static_cast<Wide>(0.25) && p < static_cast<Wide>(0.75) ? root_two * erfinv_(2 * p - 1)
                                                                      : -root_two * erfcinv_(2 * p);
}
/// The modified Bessel function of order 0 or 1.
Wide modified(Wide x, int order) {
    const Wide q = x * x / 4;
    if (q > 250000) return order == 1 && x < 0 ? -INFINITY : INFINITY;
    Wide term = 1, sum = 1;
    for (int k = 1; term > sum * 1e-36; ++k) {
        term *= q / (static_cast<Wide>(k) * (k + order));
        sum += term;
    }
    return order == 0 ? sum : sum * x / 2;
}

Wide exact(Function f, Wide x, Wide y, Wide z) {
    switch (f) {
#define ONE(name, value, ...) \
    case of_##name:           \
        return value;
#define TWO ONE
#define THREE ONE
#include "mathematics_table.h"
#undef ONE
#undef TWO
#undef THREE
    }
    return 0;
}

}  // namespace

Distance distance(Function f, const double* arguments, double got, bool single) {
    const Wide want = exact(f, arguments[0], arguments[1], arguments[2]);
    const double rounded = single ? static_cast<double>(static_cast<float>(want)) : static_cast<double>(want);
    if (std::isnan(rounded) || std::isnan(got))
        return std::isnan(rounded) && std::isnan(got) ? Distance{} : Distance{INFINITY, INFINITY, INFINITY};
    if (std::isinf(rounded) || std::isinf(got))
        return rounded == got ? Distance{} : Distance{INFINITY, INFINITY, INFINITY};
    int exponent = 0;
    std::frexp(rounded, &exponent);
    const int place =
        single ? (exponent < -125 ? -125 : exponent) - 24 : (exponent < -1021 ? -1021 : exponent) - 53;
    Distance d;
    d.units = static_cast<double>(ldexpq(fabsq(static_cast<Wide>(got) - want), -place));
    d.places =
        static_cast<double>(ldexpq(fabsq(static_cast<Wide>(got) - static_cast<Wide>(rounded)), -place));
    d.absolute = static_cast<double>(fabsq(static_cast<Wide>(got) - want));
    return d;
}
