#pragma once
// Floating-point instructions: host arithmetic with the host's rounding modes, and exact searches for the small formats.

#include "ptx/conformance_cases.h"

namespace heddle::ptx::test {

inline u64 flush32(u64 v) {
    return (v & 0x7f800000) == 0 ? v & 0x80000000 : v;
}
/// A double's NaN in a smaller format, as an H200 gives it: sign, quiet bit, the payload's upper bits.
inline u64 nan_of_double(u64 a, int exponent_bits, int fraction_bits) {
    const u64 infinity = ((u64{1} << exponent_bits) - 1) << fraction_bits;
    return (a >> 63) << (exponent_bits + fraction_bits) | infinity | u64{1} << (fraction_bits - 1) |
           (a & ((u64{1} << 51) - 1)) >> (52 - fraction_bits);
}
inline u64 half_bits(long double v) {
    return encode_nearest(v, 5, 10);
}
inline u64 bfloat_bits(long double v) {
    return encode_nearest(v, 8, 7);
}
inline double half(u64 v) {
    return decode_float(v & 0xffff, 5, 10);
}
inline double bfloat(u64 v) {
    return decode_float(v & 0xffff, 8, 7);
}

/// min/max of PTX: one NaN loses; -0 < +0.
template <class T>
u64 smaller(u64 a, u64 b, T (*as)(u64), bool max) {
    const T x = as(a), y = as(b);
    if (x != x && y != y) return bits_of(x);
    if (x != x) return b;
    if (y != y) return a;
    if (x == y) return std::signbit(x) != max ? a : b;
    return (x < y) != max ? a : b;
}

inline std::vector<Case> float_cases() {
    std::vector<Case> list;
    auto add = [&](std::string body, std::array<int, 3> in, int out, std::function<u64(u64, u64, u64)> want,
                   Inputs kind = Inputs::floats) {
        list.push_back({std::move(body), in, out, std::move(want), kind});
    };
    const std::array<int, 3> h{16, 16, 16}, w{32, 32, 32}, x{64, 64, 64};
    struct Mode {
        const char* name;
        int mode;
    };
    for (const Mode m : {Mode{"rn", FE_TONEAREST}, Mode{"rz", FE_TOWARDZERO}, Mode{"rm", FE_DOWNWARD},
                         Mode{"rp", FE_UPWARD}}) {
        const std::string r = m.name;
        const int mode = m.mode;
        // The operands pass through volatile copies so that nothing is computed before the mode is set.
        auto f32 = [=](auto f) {
            return [=](u64 a, u64 b, u64 c) {
                volatile float p = as_f32(a), q = as_f32(b), s = as_f32(c);
                return bits_of(static_cast<float>(rounded(mode, [&] { return f(p, q, s); })));
            };
        };
        auto f64 = [=](auto f) {
            return [=](u64 a, u64 b, u64 c) {
                volatile double p = as_f64(a), q = as_f64(b), s = as_f64(c);
                return bits_of(static_cast<double>(rounded(mode, [&] { return f(p, q, s); })));
            };
        };
        add("add." + r + ".f32 %d, %a, %b;", w, 32,
            f32([](volatile float& a, volatile float& b, volatile float&) { return a + b; }));
        add("sub." + r + ".f32 %d, %a, %b;", w, 32,
            f32([](volatile float& a, volatile float& b, volatile float&) { return a - b; }));
        add("mul." + r + ".f32 %d, %a, %b;", w, 32,
            f32([](volatile float& a, volatile float& b, volatile float&) { return a * b; }));
        add("div." + r + ".f32 %d, %a, %b;", w, 32,
            f32([](volatile float& a, volatile float& b, volatile float&) { return a / b; }));
        add("fma." + r + ".f32 %d, %a, %b, %c;", w, 32,
            f32([](volatile float& a, volatile float& b, volatile float& c) {
                return std::fma(float{a}, float{b}, float{c});
            }));
        add("sqrt." + r + ".f32 %d, %a;", w, 32,
            f32([](volatile float& a, volatile float&, volatile float&) { return std::sqrt(float{a}); }));
        add("rcp." + r + ".f32 %d, %a;", w, 32, f32([](volatile float& a, volatile float&, volatile float&) {
                volatile float one = 1;
                return one / a;
            }));
        add("add." + r + ".f64 %d, %a, %b;", x, 64,
            f64([](volatile double& a, volatile double& b, volatile double&) { return a + b; }));
        add("sub." + r + ".f64 %d, %a, %b;", x, 64,
            f64([](volatile double& a, volatile double& b, volatile double&) { return a - b; }));
        add("mul." + r + ".f64 %d, %a, %b;", x, 64,
            f64([](volatile double& a, volatile double& b, volatile double&) { return a * b; }));
        add("div." + r + ".f64 %d, %a, %b;", x, 64,
            f64([](volatile double& a, volatile double& b, volatile double&) { return a / b; }));
        add("fma." + r + ".f64 %d, %a, %b, %c;", x, 64,
            f64([](volatile double& a, volatile double& b, volatile double& c) {
                return std::fma(double{a}, double{b}, double{c});
            }));
        add("sqrt." + r + ".f64 %d, %a;", x, 64,
            f64([](volatile double& a, volatile double&, volatile double&) { return std::sqrt(double{a}); }));
        add("rcp." + r + ".f64 %d, %a;", x, 64,
            f64([](volatile double& a, volatile double&, volatile double&) {
                volatile double one = 1;
                return one / a;
            }));
        // Narrowing, and integers to floating point.
        add("cvt." + r + ".f32.f64 %d, %a;", {64, 32, 32}, 32, [=](u64 a, u64, u64) {
            volatile double v = as_f64(a);
            if (v != v) return nan_of_double(a, 8, 23);
            return bits_of(static_cast<float>(rounded(mode, [&] { return static_cast<float>(v); })));
        });
        add(
            "cvt." + r + ".f32.s32 %d, %a;", w, 32,
            [=](u64 a, u64, u64) {
                volatile i32 v = s32(a);
                return bits_of(static_cast<float>(rounded(mode, [&] { return static_cast<float>(v); })));
            },
            Inputs::integers);
        add(
            "cvt." + r + ".f32.u64 %d, %a;", {64, 32, 32}, 32,
            [=](u64 a, u64, u64) {
                volatile long double v = static_cast<long double>(a);
                return bits_of(static_cast<float>(rounded(mode, [&] { return static_cast<float>(v); })));
            },
            Inputs::integers);
        add(
            "cvt." + r + ".f64.s64 %d, %a;", x, 64,
            [=](u64 a, u64, u64) {
                volatile long double v = static_cast<long double>(s64(a));
                return bits_of(static_cast<double>(rounded(mode, [&] { return static_cast<double>(v); })));
            },
            Inputs::integers);
        add(
            "cvt." + r + ".f64.u64 %d, %a;", x, 64,
            [=](u64 a, u64, u64) {
                volatile long double v = static_cast<long double>(a);
                return bits_of(static_cast<double>(rounded(mode, [&] { return static_cast<double>(v); })));
            },
            Inputs::integers);
    }
    // Floating point to integers: the value rounded to an integer, clamped; NaN.
    struct Integral {
        const char* name;
        double (*f)(double);
    };
    for (const Integral m : {Integral{"rni", [](double v) { return std::nearbyint(v); }},
                             Integral{"rzi", [](double v) { return std::trunc(v); }},
                             Integral{"rmi", [](double v) { return std::floor(v); }},
                             Integral{"rpi", [](double v) { return std::ceil(v); }}}) {
        const std::string r = m.name;
        auto f = m.f;
        auto clamp = [](double v, long double least, long double most, u64 nan) -> u64 {
            if (v != v) return nan;
            const long double c = std::fmin(std::fmax(static_cast<long double>(v), least), most);
            return c < 0 ? static_cast<u64>(static_cast<i64>(c)) : static_cast<u64>(c);
        };
        add("cvt." + r + ".s32.f32 %d, %a;", w, 32, [=](u64 a, u64, u64) {
            return clamp(f(static_cast<double>(as_f32(a))), -2147483648.0L, 2147483647.0L, 0);
        });
        add("cvt." + r + ".u32.f32 %d, %a;", w, 32,
            [=](u64 a, u64, u64) { return clamp(f(static_cast<double>(as_f32(a))), 0, 4294967295.0L, 0); });
        add("cvt." + r + ".s64.f32 %d, %a;", {32, 32, 32}, 64, [=](u64 a, u64, u64) {
            return clamp(f(static_cast<double>(as_f32(a))), -0x1p63L, 0x1p63L - 1, u64{1} << 63);
        });
        add("cvt." + r + ".s32.f64 %d, %a;", {64, 32, 32}, 32, [=](u64 a, u64, u64) {
            return clamp(f(as_f64(a)), -2147483648.0L, 2147483647.0L, u64{1} << 31);
        });
        add("cvt." + r + ".u64.f64 %d, %a;", x, 64,
            [=](u64 a, u64, u64) { return clamp(f(as_f64(a)), 0, 0x1p64L - 1, u64{1} << 63); });
        add("cvt." + r + ".f32.f32 %d, %a;", w, 32,
            [=](u64 a, u64, u64) { return bits_of(static_cast<float>(f(static_cast<double>(as_f32(a))))); });
        add("cvt." + r + ".f64.f64 %d, %a;", x, 64, [=](u64 a, u64, u64) { return bits_of(f(as_f64(a))); });
    }
    add("cvt.f64.f32 %d, %a;", {32, 32, 32}, 64, [](u64 a, u64, u64) {
        if (as_f32(a) != as_f32(a))
            return (a & 0x80000000) << 32 | 0x7ff8000000000000u | (a & 0x3fffff) << 29;
        return bits_of(static_cast<double>(as_f32(a)));
    });
    add(
        "cvt.rn.f32.u16 %d, %a;", h, 32, [](u64 a, u64, u64) { return bits_of(static_cast<float>(a)); },
        Inputs::integers);
    add(
        "cvt.rn.f64.s32 %d, %a;", {32, 32, 32}, 64,
        [](u64 a, u64, u64) { return bits_of(static_cast<double>(s32(a))); }, Inputs::integers);
    add("cvt.sat.f32.f32 %d, %a;", w, 32, [](u64 a, u64, u64) {
        const float v = as_f32(a);
        return bits_of(v > 0 ? (v < 1 ? v : 1.0f) : 0.0f);
    });
    // Flushing and saturation.
    add("add.ftz.f32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return flush32(bits_of(as_f32(flush32(a)) + as_f32(flush32(b)))); });
    add("mul.ftz.f32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) {
        const double exact =
            static_cast<double>(as_f32(flush32(a))) * static_cast<double>(as_f32(flush32(b)));
        return std::fabs(exact) < 0x1p-126 ? u64{std::signbit(exact)} << 31
                                           : bits_of(static_cast<float>(exact));
    });
    add("fma.rn.ftz.f32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        const double exact =
            std::fma(static_cast<double>(as_f32(flush32(a))), static_cast<double>(as_f32(flush32(b))),
                     static_cast<double>(as_f32(flush32(c))));
        if (std::fabs(exact) < 0x1p-126) return u64{std::signbit(exact)} << 31;
        return bits_of(std::fma(as_f32(flush32(a)), as_f32(flush32(b)), as_f32(flush32(c))));
    });
    add("add.sat.f32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) {
        const float v = as_f32(a) + as_f32(b);
        return bits_of(v > 0 ? (v < 1 ? v : 1.0f) : 0.0f);
    });
    add("setp.gtu.ftz.f32 %p, %a, %b; selp.b32 %d, 1, 0, %p;", w, 32,
        [](u64 a, u64 b, u64) { return u64{!(as_f32(flush32(a)) <= as_f32(flush32(b)))}; });
    // Signs, minima, comparisons.
    add("neg.f32 %d, %a;", w, 32,
        [](u64 a, u64, u64) { return as_f32(a) != as_f32(a) ? 0x7fffffffu : a ^ 0x80000000; });
    add("abs.f64 %d, %a;", x, 64,
        [](u64 a, u64, u64) { return as_f64(a) != as_f64(a) ? a | u64{1} << 51 : a & ~(u64{1} << 63); });
    add("copysign.f32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return (a & 0x80000000) | (b & 0x7fffffff); });
    add("copysign.f64 %d, %a, %b;", x, 64,
        [](u64 a, u64 b, u64) { return (a & u64{1} << 63) | (b & ~(u64{1} << 63)); });
    add("min.f32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) { return smaller(a, b, as_f32, false); });
    add("max.f32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) { return smaller(a, b, as_f32, true); });
    add("min.f64 %d, %a, %b;", x, 64, [](u64 a, u64 b, u64) { return smaller(a, b, as_f64, false); });
    add("max.f64 %d, %a, %b;", x, 64, [](u64 a, u64 b, u64) { return smaller(a, b, as_f64, true); });
    struct Order {
        const char* name;
        bool (*f)(double, double);
    };
    for (const Order o : {Order{"eq", [](double a, double b) { return a == b; }},
                          Order{"ne", [](double a, double b) { return a < b || a > b; }},
                          Order{"lt", [](double a, double b) { return a < b; }},
                          Order{"le", [](double a, double b) { return a <= b; }},
                          Order{"gt", [](double a, double b) { return a > b; }},
                          Order{"ge", [](double a, double b) { return a >= b; }},
                          Order{"equ", [](double a, double b) { return !(a < b || a > b); }},
                          Order{"neu", [](double a, double b) { return a != b; }},
                          Order{"ltu", [](double a, double b) { return !(a >= b); }},
                          Order{"leu", [](double a, double b) { return !(a > b); }},
                          Order{"gtu", [](double a, double b) { return !(a <= b); }},
                          Order{"geu", [](double a, double b) { return !(a < b); }},
                          Order{"num", [](double a, double b) { return a == a && b == b; }},
                          Order{"nan", [](double a, double b) { return a != a || b != b; }}}) {
        auto f = o.f;
        const std::string select = " %p, %a, %b; selp.b32 %d, 1, 0, %p;";
        add("setp." + std::string(o.name) + ".f32" + select, w, 32, [=](u64 a, u64 b, u64) {
            return u64{f(static_cast<double>(as_f32(a)), static_cast<double>(as_f32(b)))};
        });
        add("setp." + std::string(o.name) + ".f64" + select, {64, 64, 32}, 32,
            [=](u64 a, u64 b, u64) { return u64{f(as_f64(a), as_f64(b))}; });
    }
    add("set.lt.f32.f32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return as_f32(a) < as_f32(b) ? 0x3f800000u : 0; });
    add("slct.f32.f32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) { return as_f32(c) >= 0 ? a : b; });
    add("testp.subnormal.f32 %p, %a; selp.b32 %d, 1, 0, %p;", w, 32,
        [](u64 a, u64, u64) { return u64{std::fpclassify(as_f32(a)) == FP_SUBNORMAL}; });
    add("testp.normal.f64 %p, %a; selp.b32 %d, 1, 0, %p;", {64, 32, 32}, 32,
        [](u64 a, u64, u64) { return u64{std::isnormal(as_f64(a)) || as_f64(a) == 0}; });
    // Halves: sums and products of doubles are exact, the fused product fits a long double.
    const Inputs hk = Inputs::halves, bk = Inputs::bfloats;
    add(
        "add.f16 %d, %a, %b;", h, 16,
        [](u64 a, u64 b, u64) { return half_bits(static_cast<long double>(half(a)) + half(b)); }, hk);
    add(
        "sub.f16 %d, %a, %b;", h, 16,
        [](u64 a, u64 b, u64) { return half_bits(static_cast<long double>(half(a)) - half(b)); }, hk);
    add(
        "mul.f16 %d, %a, %b;", h, 16,
        [](u64 a, u64 b, u64) { return half_bits(static_cast<long double>(half(a)) * half(b)); }, hk);
    add(
        "fma.rn.f16 %d, %a, %b, %c;", h, 16,
        [](u64 a, u64 b, u64 c) {
            return half_bits(std::fma(static_cast<long double>(half(a)), static_cast<long double>(half(b)),
                                      static_cast<long double>(half(c))));
        },
        hk);
    add(
        "fma.rn.bf16 %d, %a, %b, %c;", h, 16,
        [](u64 a, u64 b, u64 c) {
            return bfloat_bits(std::fma(static_cast<long double>(bfloat(a)),
                                        static_cast<long double>(bfloat(b)),
                                        static_cast<long double>(bfloat(c))));
        },
        bk);
    auto pair = [](auto f) {
        return [=](u64 a, u64 b, u64 c) {
            return (f(a >> 16, b >> 16, c >> 16) & 0xffff) << 16 |
                   (f(a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff);
        };
    };
    add("add.f16x2 %d, %a, %b;", w, 32,
        pair([](u64 a, u64 b, u64) { return half_bits(static_cast<long double>(half(a)) + half(b)); }));
    add("mul.f16x2 %d, %a, %b;", w, 32,
        pair([](u64 a, u64 b, u64) { return half_bits(static_cast<long double>(half(a)) * half(b)); }));
    add("fma.rn.f16x2 %d, %a, %b, %c;", w, 32, pair([](u64 a, u64 b, u64 c) {
            return half_bits(std::fma(static_cast<long double>(half(a)), static_cast<long double>(half(b)),
                                      static_cast<long double>(half(c))));
        }));
    add(
        "setp.lt.f16 %p, %a, %b; selp.b32 %d, 1, 0, %p;", {16, 16, 32}, 32,
        [](u64 a, u64 b, u64) { return u64{half(a) < half(b)}; }, hk);
    add(
        "cvt.f32.f16 %d, %a;", {16, 32, 32}, 32,
        [](u64 a, u64, u64) { return bits_of(static_cast<float>(half(a))); }, hk);
    add("cvt.rn.f16.f32 %d, %a;", {32, 32, 32}, 16, [](u64 a, u64, u64) { return half_bits(as_f32(a)); });
    add("cvt.rn.f16.f64 %d, %a;", {64, 32, 32}, 16, [](u64 a, u64, u64) {
        return as_f64(a) != as_f64(a) ? nan_of_double(a, 5, 10) : half_bits(as_f64(a));
    });
    add("cvt.rn.bf16.f32 %d, %a;", {32, 32, 32}, 16, [](u64 a, u64, u64) { return bfloat_bits(as_f32(a)); });
    add(
        "cvt.rn.f16.s32 %d, %a;", {32, 32, 32}, 16, [](u64 a, u64, u64) { return half_bits(s32(a)); },
        Inputs::integers);
    add(
        "cvt.rzi.s32.f16 %d, %a;", {16, 32, 32}, 32,
        [](u64 a, u64, u64) {
            const double v = std::trunc(half(a));
            return v != v               ? 0
                   : v >= 2147483647.0  ? 2147483647u
                   : v <= -2147483648.0 ? u64{1} << 31
                                        : static_cast<u64>(static_cast<i64>(v));
        },
        hk);
    add("cvt.rn.f16x2.f32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return half_bits(as_f32(a)) << 16 | half_bits(as_f32(b)); });
    return list;
}

/// Approximate instructions: the exact value in double, and how far off (relative) the PTX ISA lets a result be.
struct Approximation {
    const char* op;
    double (*exact)(double);
    double relative, absolute, from, to;
};
inline const std::vector<Approximation>& approximations() {
    static const std::vector<Approximation> list{
        {"rcp.approx.f32", [](double v) { return 1 / v; }, 0x1p-23, 0, -1e30, 1e30},
        {"sqrt.approx.f32", [](double v) { return std::sqrt(v); }, 0x1p-23, 0, 0, 1e30},
        {"rsqrt.approx.f32", [](double v) { return 1 / std::sqrt(v); }, 0x1p-22, 0, 1e-30, 1e30},
        {"sin.approx.f32", [](double v) { return std::sin(v); }, 0, 0x1p-20, -3.14, 3.14},
        {"cos.approx.f32", [](double v) { return std::cos(v); }, 0, 0x1p-20, -3.14, 3.14},
        {"lg2.approx.f32", [](double v) { return std::log2(v); }, 0x1p-22, 0x1p-22, 1e-30, 1e30},
        {"ex2.approx.f32", [](double v) { return std::exp2(v); }, 0x1p-22, 0, -125, 127},
        {"tanh.approx.f32", [](double v) { return std::tanh(v); }, 0x1p-11, 0, -10, 10},
    };
    return list;
}

}  // namespace heddle::ptx::test
