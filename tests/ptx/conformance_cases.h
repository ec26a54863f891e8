#pragma once
// What PTX instructions give, written from the PTX ISA manual in plain C++.

#include <bit>
#include <cfenv>
#include <cmath>

#include "ptx/conformance.h"

namespace heddle::ptx::test {

inline float as_f32(u64 v) {
    return std::bit_cast<float>(static_cast<u32>(v));
}
inline double as_f64(u64 v) {
    return std::bit_cast<double>(v);
}
inline u64 bits_of(float v) {
    return v != v ? 0x7fffffffu : std::bit_cast<u32>(v);
}
inline u64 bits_of(double v) {
    return v != v ? 0xfff8000000000000u : std::bit_cast<u64>(v);
}
inline i32 s32(u64 v) {
    return static_cast<i32>(static_cast<u32>(v));
}
inline i64 s64(u64 v) {
    return static_cast<i64>(v);
}
inline i16 s16(u64 v) {
    return static_cast<i16>(static_cast<u16>(v));
}
inline u32 w32(u64 v) {
    return static_cast<u32>(v);
}

/// The value of a small float format, exactly.
inline double decode_float(u64 bits, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const bool sign = (bits >> (exponent_bits + fraction_bits) & 1) != 0;
    const int e = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
    const double f = static_cast<double>(bits & ((u64{1} << fraction_bits) - 1));
    double v;
    if (e == (1 << exponent_bits) - 1)
        v = f == 0 ? INFINITY : NAN;
    else if (e == 0)
        v = std::ldexp(f, 1 - bias - fraction_bits);
    else
        v = std::ldexp(f + std::ldexp(1.0, fraction_bits), e - bias - fraction_bits);
    return sign ? -v : v;
}
/// The nearest (ties to even) value of a small format, found by trying neighbors: slow and plain. `v` is exact.
inline u64 encode_nearest(long double v, int exponent_bits, int fraction_bits) {
    const u64 sign = std::signbit(v) ? u64{1} << (exponent_bits + fraction_bits) : 0;
    const u64 infinity = ((u64{1} << exponent_bits) - 1) << fraction_bits;
    if (v != v) return 0x7fff;
    const long double m = std::fabs(v);
    u64 low = 0, high = infinity;  // decode(low) <= m < decode(high)
    const long double last =
        static_cast<long double>(decode_float(infinity - 1, exponent_bits, fraction_bits));
    const long double gap =
        last - static_cast<long double>(decode_float(infinity - 2, exponent_bits, fraction_bits));
    if (m >= last + gap / 2) return sign | infinity;
    while (high - low > 1) {
        const u64 middle = (low + high) / 2;
        if (static_cast<long double>(decode_float(middle, exponent_bits, fraction_bits)) <= m)
            low = middle;
        else
            high = middle;
    }
    if (high == infinity) return sign | low;  // below the midpoint to infinity
    const long double below = m - static_cast<long double>(decode_float(low, exponent_bits, fraction_bits));
    const long double above = static_cast<long double>(decode_float(high, exponent_bits, fraction_bits)) - m;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

/// f in a rounding mode of the host's, kept from being folded at compile time.
template <class F>
auto rounded(int mode, F f) {
    const int before = std::fegetround();
    std::fesetround(mode);
    volatile auto r = f();
    std::fesetround(before);
    return r;
}

inline std::vector<Case> integer_cases() {
    std::vector<Case> list;
    auto add = [&](std::string body, std::array<int, 3> in, int out, std::function<u64(u64, u64, u64)> want) {
        list.push_back({std::move(body), in, out, std::move(want), Inputs::integers});
    };
    const std::array<int, 3> h{16, 16, 16}, w{32, 32, 32}, x{64, 64, 64};
    auto three = [&](const std::string& op, const std::string& kind, auto f16, auto f32, auto f64) {
        add(op + "." + kind + "16 %d, %a, %b;", h, 16, f16);
        add(op + "." + kind + "32 %d, %a, %b;", w, 32, f32);
        add(op + "." + kind + "64 %d, %a, %b;", x, 64, f64);
    };
    for (const char* k : {"s", "u"}) {
        const std::string kind = k;
        auto plus = [](u64 a, u64 b, u64) { return a + b; };
        auto minus = [](u64 a, u64 b, u64) { return a - b; };
        auto times = [](u64 a, u64 b, u64) { return a * b; };
        three("add", kind, plus, plus, plus);
        three("sub", kind, minus, minus, minus);
        three("mul.lo", kind, times, times, times);
    }
    three(
        "min", "s", [](u64 a, u64 b, u64) { return s16(a) < s16(b) ? a : b; },
        [](u64 a, u64 b, u64) { return s32(a) < s32(b) ? a : b; },
        [](u64 a, u64 b, u64) { return s64(a) < s64(b) ? a : b; });
    three(
        "max", "s", [](u64 a, u64 b, u64) { return s16(a) > s16(b) ? a : b; },
        [](u64 a, u64 b, u64) { return s32(a) > s32(b) ? a : b; },
        [](u64 a, u64 b, u64) { return s64(a) > s64(b) ? a : b; });
    auto lesser = [](u64 a, u64 b, u64) { return a < b ? a : b; };
    auto greater = [](u64 a, u64 b, u64) { return a > b ? a : b; };
    three("min", "u", lesser, lesser, lesser);
    three("max", "u", greater, greater, greater);
    three(
        "and", "b", [](u64 a, u64 b, u64) { return a & b; }, [](u64 a, u64 b, u64) { return a & b; },
        [](u64 a, u64 b, u64) { return a & b; });
    three(
        "or", "b", [](u64 a, u64 b, u64) { return a | b; }, [](u64 a, u64 b, u64) { return a | b; },
        [](u64 a, u64 b, u64) { return a | b; });
    three(
        "xor", "b", [](u64 a, u64 b, u64) { return a ^ b; }, [](u64 a, u64 b, u64) { return a ^ b; },
        [](u64 a, u64 b, u64) { return a ^ b; });
    // Division: zero divisors are undefined and left out of the comparison by giving them a defined one.
    add("or.b32 %b, %b, 1; div.u32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return w32(a) / w32(b | 1); });
    add("or.b32 %b, %b, 1; rem.u32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return w32(a) % w32(b | 1); });
    add("or.b32 %b, %b, 1; div.s32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s32(a)} / s32(b | 1)); });
    add("or.b32 %b, %b, 1; rem.s32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s32(a)} % s32(b | 1)); });
    add("or.b16 %b, %b, 1; div.u16 %d, %a, %b;", h, 16, [](u64 a, u64 b, u64) { return a / (b | 1); });
    add("or.b16 %b, %b, 1; div.s16 %d, %a, %b;", h, 16,
        [](u64 a, u64 b, u64) { return static_cast<u64>(s16(a) / s16(b | 1)); });
    add("or.b64 %b, %b, 1; div.u64 %d, %a, %b;", x, 64, [](u64 a, u64 b, u64) { return a / (b | 1); });
    add("or.b64 %b, %b, 1; rem.u64 %d, %a, %b;", x, 64, [](u64 a, u64 b, u64) { return a % (b | 1); });
    add("or.b64 %b, %b, 1; div.s64 %d, %a, %b;", x, 64,
        [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<__int128>(s64(a)) / s64(b | 1)); });
    add("or.b64 %b, %b, 1; rem.s64 %d, %a, %b;", x, 64,
        [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<__int128>(s64(a)) % s64(b | 1)); });
    // High and wide products.
    add("mul.hi.u16 %d, %a, %b;", h, 16, [](u64 a, u64 b, u64) { return a * b >> 16; });
    add("mul.hi.s16 %d, %a, %b;", h, 16,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s16(a)} * s16(b) >> 16); });
    add("mul.hi.u32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) { return a * b >> 32; });
    add("mul.hi.s32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s32(a)} * s32(b) >> 32); });
    add("mul.hi.u64 %d, %a, %b;", x, 64,
        [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64); });
    add("mul.hi.s64 %d, %a, %b;", x, 64,
        [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<__int128>(s64(a)) * s64(b) >> 64); });
    add("mul.wide.u16 %d, %a, %b;", h, 32, [](u64 a, u64 b, u64) { return a * b; });
    add("mul.wide.s16 %d, %a, %b;", h, 32,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s16(a)} * s16(b)); });
    add("mul.wide.u32 %d, %a, %b;", w, 64, [](u64 a, u64 b, u64) { return a * b; });
    add("mul.wide.s32 %d, %a, %b;", w, 64,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s32(a)} * s32(b)); });
    add("mad.lo.s32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) { return a * b + c; });
    add("mad.lo.u64 %d, %a, %b, %c;", x, 64, [](u64 a, u64 b, u64 c) { return a * b + c; });
    add("mad.lo.s16 %d, %a, %b, %c;", h, 16, [](u64 a, u64 b, u64 c) { return a * b + c; });
    add("mad.hi.u32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) { return (a * b >> 32) + c; });
    add("mad.hi.s32 %d, %a, %b, %c;", w, 32,
        [](u64 a, u64 b, u64 c) { return static_cast<u64>(i64{s32(a)} * s32(b) >> 32) + c; });
    add("mad.wide.s32 %d, %a, %b, %c;", {32, 32, 64}, 64,
        [](u64 a, u64 b, u64 c) { return static_cast<u64>(i64{s32(a)} * s32(b)) + c; });
    add("mad.wide.u32 %d, %a, %b, %c;", {32, 32, 64}, 64, [](u64 a, u64 b, u64 c) { return a * b + c; });
    add("mad.wide.u16 %d, %a, %b, %c;", {16, 16, 32}, 32, [](u64 a, u64 b, u64 c) { return a * b + c; });
    add("mul24.lo.u32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) { return (a & 0xffffff) * (b & 0xffffff); });
    add("mul24.lo.s32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s32(a << 8) >> 8} * (s32(b << 8) >> 8)); });
    add("mad24.lo.s32 %d, %a, %b, %c;", w, 32,
        [](u64 a, u64 b, u64 c) { return static_cast<u64>(i64{s32(a << 8) >> 8} * (s32(b << 8) >> 8)) + c; });
    add("sad.u32 %d, %a, %b, %c;", w, 32,
        [](u64 a, u64 b, u64 c) { return c + (w32(a) < w32(b) ? b - a : a - b); });
    add("sad.s32 %d, %a, %b, %c;", w, 32,
        [](u64 a, u64 b, u64 c) { return c + static_cast<u64>(std::abs(i64{s32(a)} - s32(b))); });
    add("add.sat.s32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) {
        const i64 s = i64{s32(a)} + s32(b);
        return static_cast<u64>(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
    });
    add("sub.sat.s32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) {
        const i64 s = i64{s32(a)} - s32(b);
        return static_cast<u64>(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
    });
    add("neg.s32 %d, %a;", w, 32, [](u64 a, u64, u64) { return 0 - a; });
    add("neg.s64 %d, %a;", x, 64, [](u64 a, u64, u64) { return 0 - a; });
    add("neg.s16 %d, %a;", h, 16, [](u64 a, u64, u64) { return 0 - a; });
    add("abs.s32 %d, %a;", w, 32, [](u64 a, u64, u64) { return s32(a) < 0 ? 0 - a : a; });
    add("abs.s64 %d, %a;", x, 64, [](u64 a, u64, u64) { return s64(a) < 0 ? 0 - a : a; });
    add("not.b16 %d, %a;", h, 16, [](u64 a, u64, u64) { return ~a; });
    add("not.b32 %d, %a;", w, 32, [](u64 a, u64, u64) { return ~a; });
    add("not.b64 %d, %a;", x, 64, [](u64 a, u64, u64) { return ~a; });
    add("cnot.b32 %d, %a;", w, 32, [](u64 a, u64, u64) { return u64{a == 0}; });
    // Shifts clamp.
    add("shl.b16 %d, %a, %b;", {16, 32, 32}, 16, [](u64 a, u64 b, u64) { return b > 15 ? 0 : a << b; });
    add("shl.b32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) { return b > 31 ? 0 : a << b; });
    add("shl.b64 %d, %a, %b;", {64, 32, 32}, 64, [](u64 a, u64 b, u64) { return b > 63 ? 0 : a << b; });
    add("shr.u16 %d, %a, %b;", {16, 32, 32}, 16, [](u64 a, u64 b, u64) { return b > 15 ? 0 : a >> b; });
    add("shr.u32 %d, %a, %b;", w, 32, [](u64 a, u64 b, u64) { return b > 31 ? 0 : a >> b; });
    add("shr.u64 %d, %a, %b;", {64, 32, 32}, 64, [](u64 a, u64 b, u64) { return b > 63 ? 0 : a >> b; });
    add("shr.s16 %d, %a, %b;", {16, 32, 32}, 16,
        [](u64 a, u64 b, u64) { return static_cast<u64>(s16(a) >> (b > 15 ? 15 : b)); });
    add("shr.s32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return static_cast<u64>(i64{s32(a)} >> (b > 31 ? 31 : b)); });
    add("shr.s64 %d, %a, %b;", {64, 32, 32}, 64,
        [](u64 a, u64 b, u64) { return static_cast<u64>(s64(a) >> (b > 63 ? 63 : b)); });
    add("shf.l.wrap.b32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        const u32 n = c & 31;
        return n == 0 ? b : b << n | a >> (32 - n);
    });
    add("shf.r.wrap.b32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        const u32 n = c & 31;
        return n == 0 ? a : b << (32 - n) | a >> n;
    });
    add("shf.l.clamp.b32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        const u64 n = c > 32 ? 32 : c;
        return n == 32 ? a : n == 0 ? b : b << n | a >> (32 - n);
    });
    add("shf.r.clamp.b32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        const u64 n = c > 32 ? 32 : c;
        return n == 32 ? b : n == 0 ? a : b << (32 - n) | a >> n;
    });
    // Bits, counted one by one.
    auto bit_loop = [](u64 a, int n) {
        u64 c = 0;
        for (int k = 0; k < n; ++k) c += a >> k & 1;
        return c;
    };
    add("popc.b32 %d, %a;", w, 32, [=](u64 a, u64, u64) { return bit_loop(a, 32); });
    add("popc.b64 %d, %a;", {64, 32, 32}, 32, [=](u64 a, u64, u64) { return bit_loop(a, 64); });
    auto leading = [](u64 a, int n) {
        u64 c = 0;
        for (int k = n - 1; k >= 0 && (a >> k & 1) == 0; --k) ++c;
        return c;
    };
    add("clz.b32 %d, %a;", w, 32, [=](u64 a, u64, u64) { return leading(a, 32); });
    add("clz.b64 %d, %a;", {64, 32, 32}, 32, [=](u64 a, u64, u64) { return leading(a, 64); });
    add("bfind.u32 %d, %a;", w, 32, [=](u64 a, u64, u64) { return 31 - leading(a, 32); });
    add("bfind.s32 %d, %a;", w, 32,
        [=](u64 a, u64, u64) { return 31 - leading(s32(a) < 0 ? w32(~a) : a, 32); });
    add("bfind.u64 %d, %a;", {64, 32, 32}, 32, [=](u64 a, u64, u64) { return 63 - leading(a, 64); });
    add("bfind.shiftamt.u32 %d, %a;", w, 32,
        [=](u64 a, u64, u64) { return a == 0 ? ~u64{0} : leading(a, 32); });
    add("bfind.shiftamt.s64 %d, %a;", {64, 32, 32}, 32, [=](u64 a, u64, u64) {
        const u64 v = s64(a) < 0 ? ~a : a;
        return v == 0 ? ~u64{0} : leading(v, 64);
    });
    auto reverse = [](u64 a, int n) {
        u64 r = 0;
        for (int k = 0; k < n; ++k) r |= (a >> k & 1) << (n - 1 - k);
        return r;
    };
    add("brev.b32 %d, %a;", w, 32, [=](u64 a, u64, u64) { return reverse(a, 32); });
    add("brev.b64 %d, %a;", x, 64, [=](u64 a, u64, u64) { return reverse(a, 64); });
    // bfe, bfi: the manual's pseudo-code.
    auto extract = [](u64 a, u64 b, u64 c, int n, bool sign) {
        const int msb = n - 1, pos = static_cast<int>(b & 0xff), len = static_cast<int>(c & 0xff);
        u64 fill = 0, d = 0;
        if (sign && len != 0) fill = a >> std::min(pos + len - 1, msb) & 1;
        for (int i = 0; i <= msb; ++i) d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : fill) << i;
        return d;
    };
    add("bfe.u32 %d, %a, %b, %c;", w, 32, [=](u64 a, u64 b, u64 c) { return extract(a, b, c, 32, false); });
    add("bfe.s32 %d, %a, %b, %c;", w, 32, [=](u64 a, u64 b, u64 c) { return extract(a, b, c, 32, true); });
    add("bfe.u64 %d, %a, %b, %c;", {64, 32, 32}, 64,
        [=](u64 a, u64 b, u64 c) { return extract(a, b, c, 64, false); });
    add("bfe.s64 %d, %a, %b, %c;", {64, 32, 32}, 64,
        [=](u64 a, u64 b, u64 c) { return extract(a, b, c, 64, true); });
    auto insert = [](u64 a, u64 b, int pos, int len, int n) {
        for (int i = 0; i < len && pos + i < n; ++i)
            b = (b & ~(u64{1} << (pos + i))) | (a >> i & 1) << (pos + i);
        return b;
    };
    for (int pos : {0, 5, 31, 200})
        for (int len : {0, 1, 9, 32, 255}) {
            const std::string at = std::to_string(pos) + ", " + std::to_string(len) + ";";
            add("bfi.b32 %d, %a, %b, " + at, w, 32,
                [=](u64 a, u64 b, u64) { return insert(a, b, pos, len, 32); });
            add("bfi.b64 %d, %a, %b, " + at, x, 64,
                [=](u64 a, u64 b, u64) { return insert(a, b, pos, len, 64); });
        }
    add("bmsk.clamp.b32 %d, %a, %b;", w, 32, [=](u64 a, u64 b, u64) {
        u64 d = 0;
        for (u64 i = 0; i < std::min<u64>(b, 32); ++i)
            if (a + i < 32) d |= u64{1} << (a + i);
        return d;
    });
    add("bmsk.wrap.b32 %d, %a, %b;", w, 32, [=](u64 a, u64 b, u64) {
        u64 d = 0;
        for (u64 i = 0; i < (b & 31); ++i)
            if ((a & 31) + i < 32) d |= u64{1} << ((a & 31) + i);
        return d;
    });
    add("szext.clamp.s32 %d, %a, %b;", w, 32, [=](u64 a, u64 b, u64) {
        const u64 n = std::min<u64>(b, 32);
        return extract(a, 0, n, 32, true);
    });
    add("szext.wrap.u32 %d, %a, %b;", w, 32,
        [=](u64 a, u64 b, u64) { return extract(a, 0, b & 31, 32, false); });
    for (int lut : {0x00, 0xff, 0xe8, 0x96, 0x1b, 0xca})
        add("lop3.b32 %d, %a, %b, %c, " + std::to_string(lut) + ";", w, 32, [=](u64 a, u64 b, u64 c) {
            u64 d = 0;
            for (int k = 0; k < 32; ++k)
                d |= static_cast<u64>(lut >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1)) & 1) << k;
            return d;
        });
    add("prmt.b32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        u64 d = 0;
        for (int k = 0; k < 4; ++k) {
            const u64 s = c >> (4 * k) & 15, byte = (b << 32 | a) >> (8 * (s & 7)) & 0xff;
            d |= ((s & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xff : 0) << (8 * k);
        }
        return d;
    });
    // Extended precision: 64-bit sums from 32-bit halves.
    add("add.cc.u32 %d, %a, %b; addc.u32 %d, %c, 0;", w, 32,
        [](u64 a, u64 b, u64 c) { return c + ((a + b) >> 32); });
    add("sub.cc.u32 %d, %a, %b; subc.u32 %d, %c, 5;", w, 32,
        [](u64 a, u64 b, u64 c) { return c - 5 - (a < b); });
    add("mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, 7;", w, 32,
        [](u64 a, u64 b, u64 c) { return (a * b >> 32) + 7 + ((w32(a * b) + c) >> 32); });
    add("add.cc.u32 %d, %a, %b; addc.cc.u32 %d, %a, %c; addc.u32 %d, 0, 0;", w, 32,
        [](u64 a, u64 b, u64 c) { return (a + c + ((a + b) >> 32)) >> 32; });
    // Selection and comparison.
    add("setp.lt.s32 %p, %a, %b; selp.b32 %d, %a, %c, %p;", w, 32,
        [](u64 a, u64 b, u64 c) { return s32(a) < s32(b) ? a : c; });
    add("setp.ge.u64 %p, %a, %b; selp.b64 %d, %a, %c, %p;", x, 64,
        [](u64 a, u64 b, u64 c) { return a >= b ? a : c; });
    add("setp.gt.s16 %p, %a, %b; selp.b16 %d, %a, %c, %p;", h, 16,
        [](u64 a, u64 b, u64 c) { return s16(a) > s16(b) ? a : c; });
    add("setp.ne.and.u32 %p|%q, %a, %b, 1; selp.b32 %d, 10, 20, %p; @%q add.u32 %d, %d, 5;", w, 32,
        [](u64 a, u64 b, u64) { return a != b ? 10 : 25; });
    add("setp.hi.u32 %q, %a, %c; setp.lo.or.u32 %p, %a, %b, !%q; selp.b32 %d, 1, 0, %p;", w, 32,
        [](u64 a, u64 b, u64 c) { return u64{a < b || !(a > c)}; });
    add("set.le.u32.s32 %d, %a, %b;", w, 32,
        [](u64 a, u64 b, u64) { return s32(a) <= s32(b) ? 0xffffffffu : 0; });
    add("slct.u32.s32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) { return s32(c) >= 0 ? a : b; });
    add("mov.b64 {%a, %b}, %c; mov.b32 %d, %b;", {32, 32, 64}, 32, [](u64, u64, u64 c) { return c >> 32; });
    add("mov.b64 %d, {%a, %b};", w, 64, [](u64 a, u64 b, u64) { return b << 32 | a; });
    add("mov.b32 %d, {%a, %b};", h, 32, [](u64 a, u64 b, u64) { return b << 16 | a; });
    add("dp4a.s32.u32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        i64 s = s32(c);
        for (int k = 0; k < 32; k += 8) s += i64{static_cast<i8>(a >> k)} * static_cast<u8>(b >> k);
        return static_cast<u64>(s);
    });
    add("dp2a.hi.s32.s32 %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        return static_cast<u64>(i64{s32(c)} + i64{s16(a)} * static_cast<i8>(b >> 16) +
                                i64{s16(a >> 16)} * static_cast<i8>(b >> 24));
    });
    add("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", w, 32, [](u64 a, u64 b, u64 c) {
        for (int k = 0; k < 32; k += 8) {
            const int p = static_cast<u8>(a >> k), q = static_cast<u8>(b >> k);
            c += static_cast<u64>(std::abs(p - q));
        }
        return c;
    });
    add("fns.b32 %d, %a, 7, 2;", w, 32, [](u64 a, u64, u64) -> u64 {
        int n = 0;
        for (u64 k = 7; k < 32; ++k)
            if ((a >> k & 1) != 0 && ++n == 2) return k;
        return 0xffffffff;
    });
    // Integer conversions.
    add("cvt.s64.s32 %d, %a;", w, 64, [](u64 a, u64, u64) { return static_cast<u64>(i64{s32(a)}); });
    add("cvt.u64.u32 %d, %a;", w, 64, [](u64 a, u64, u64) { return a; });
    add("cvt.u32.u64 %d, %a;", {64, 32, 32}, 32, [](u64 a, u64, u64) { return a; });
    add("cvt.s32.s8 %d, %a;", w, 32, [](u64 a, u64, u64) { return static_cast<u64>(static_cast<i8>(a)); });
    add("cvt.s16.s8 %d, %a;", h, 16, [](u64 a, u64, u64) { return static_cast<u64>(static_cast<i8>(a)); });
    add("cvt.s32.s16 %d, %a;", h, 32, [](u64 a, u64, u64) { return static_cast<u64>(i64{s16(a)}); });
    add("cvt.s8.s32 %d, %a;", w, 32, [](u64 a, u64, u64) { return static_cast<u64>(static_cast<i8>(a)); });
    add("cvt.u16.u32 %d, %a;", {32, 32, 32}, 16, [](u64 a, u64, u64) { return a; });
    add("cvt.sat.u8.s32 %d, %a;", w, 32, [](u64 a, u64, u64) {
        return static_cast<u64>(s32(a) < 0 ? 0 : s32(a) > 255 ? 255 : s32(a));
    });
    add("cvt.sat.s16.s64 %d, %a;", {64, 32, 32}, 16, [](u64 a, u64, u64) {
        return static_cast<u64>(s64(a) < -32768 ? -32768 : s64(a) > 32767 ? 32767 : s64(a));
    });
    add("cvt.sat.u32.s32 %d, %a;", w, 32, [](u64 a, u64, u64) { return s32(a) < 0 ? 0 : a; });
    return list;
}

}  // namespace heddle::ptx::test
