#include "ptx/numeric.h"

namespace heddle::ptx {

u64 round_to_format(const Format& f, bool sign, i32 exponent, u128 magnitude, bool sticky, Round mode) {
    const u64 sign_bits = sign ? f.sign_bit() : 0;
    const i32 smallest = 1 - f.bias() - f.fraction_bits;  // exponent of the least subnormal
    i32 unit = exponent + top_bit(magnitude) - f.fraction_bits;
    if (unit < smallest) unit = smallest;
    const i32 shift = unit - exponent;
    u128 kept;
    u32 rest;  // 0 exact, 1 below half, 2 half, 3 above half
    if (shift <= 0) {
        kept = magnitude << -shift;
        rest = sticky ? 1 : 0;
    } else if (shift > 127) {
        kept = 0;
        rest = shift == 128 && (magnitude >> 127) != 0 ? ((magnitude << 1) == 0 && !sticky ? 2 : 3) : 1;
    } else {
        kept = magnitude >> shift;
        const u128 lost = magnitude & ((u128{1} << shift) - 1), half = u128{1} << (shift - 1);
        rest = lost == 0 ? (sticky ? 1 : 0) : lost < half ? 1 : lost > half || sticky ? 3 : 2;
    }
    bool up = false;
    switch (mode) {
        case Round::rn:
            up = rest == 3 || (rest == 2 && (kept & 1) != 0);
            break;
        case Round::rna:
            up = rest >= 2;
            break;
        case Round::rz:
            break;
        case Round::rm:
            up = sign && rest != 0;
            break;
        case Round::rp:
            up = !sign && rest != 0;
            break;
    }
    const u64 fraction = static_cast<u64>(kept) + u64{up};
    if (fraction < u64{1} << f.fraction_bits) return sign_bits | fraction;
    // The hidden bit and a carry out of the fraction add into the exponent.
    const i64 biased = i64{unit} + f.fraction_bits + f.bias();
    const u64 infinity = f.infinity();
    if (biased < (i64{1} << f.exponent_bits)) {
        const u64 bits = (static_cast<u64>(biased - 1) << f.fraction_bits) + fraction;
        if (bits < infinity) return sign_bits | bits;
    }
    const bool to_infinity = mode == Round::rn || mode == Round::rna || (mode == Round::rm && sign) ||
                             (mode == Round::rp && !sign);
    return sign_bits | (to_infinity ? infinity : infinity - 1);
}

Unpacked unpack(const Format& f, u64 bits) {
    const u64 fraction = bits & ((u64{1} << f.fraction_bits) - 1);
    const i32 biased = static_cast<i32>(bits >> f.fraction_bits & ((u64{1} << f.exponent_bits) - 1));
    const bool sign = (bits & f.sign_bit()) != 0;
    if (biased == 0) return {sign, 1 - f.bias() - f.fraction_bits, fraction};
    return {sign, biased - f.bias() - f.fraction_bits, fraction | u64{1} << f.fraction_bits};
}

namespace {

struct Scaled {
    u128 magnitude;
    i32 exponent;
};

/// With the top bit at 125: sums don't overflow, and what a product needs lies well above the sticky bit.
Scaled normalise(u128 magnitude, i32 exponent) {
    const i32 up = 125 - top_bit(magnitude);
    return {magnitude << up, exponent - up};
}

u128 shift_right_sticky(u128 v, i32 by) {
    if (by == 0) return v;
    if (by > 127) return 1;
    const u128 lost = v & ((u128{1} << by) - 1);
    return v >> by | u128{lost != 0};
}

u64 zero_of(const Format& f, bool sign) {
    return sign ? f.sign_bit() : 0;
}

}  // namespace

u64 soft_fma(const Format& f, u64 nan, u64 a, u64 b, u64 c, Round mode) {
    const Special2 ka = classify(f, a), kb = classify(f, b), kc = classify(f, c);
    if (ka == Special2::nan || kb == Special2::nan || kc == Special2::nan) return nan;
    const Unpacked x = unpack(f, a), y = unpack(f, b), z = unpack(f, c);
    const bool product_sign = x.sign != y.sign;
    if (ka == Special2::infinity || kb == Special2::infinity) {
        const bool zero =
            (ka != Special2::infinity && x.magnitude == 0) || (kb != Special2::infinity && y.magnitude == 0);
        if (zero || (kc == Special2::infinity && z.sign != product_sign)) return nan;
        return zero_of(f, product_sign) | f.infinity();
    }
    if (kc == Special2::infinity) return c;
    const u128 product = u128{x.magnitude} * y.magnitude;
    if (product == 0 && z.magnitude == 0) return product_sign == z.sign ? c : zero_of(f, mode == Round::rm);
    if (product == 0) return round_to_format(f, z.sign, z.exponent, z.magnitude, false, mode);
    const i32 exponent = x.exponent + y.exponent;
    if (z.magnitude == 0) return round_to_format(f, product_sign, exponent, product, false, mode);
    Scaled p = normalise(product, exponent), q = normalise(z.magnitude, z.exponent);
    bool sign = product_sign, other = z.sign;
    if (p.exponent < q.exponent) {
        std::swap(p, q);
        std::swap(sign, other);
    }
    const u128 small = shift_right_sticky(q.magnitude, p.exponent - q.exponent);
    u128 sum;
    if (sign == other) {
        sum = p.magnitude + small;
    } else if (p.magnitude == small) {
        return zero_of(f, mode == Round::rm);
    } else if (p.magnitude > small) {
        sum = p.magnitude - small;
    } else {
        sum = small - p.magnitude;
        sign = other;
    }
    return round_to_format(f, sign, p.exponent, sum, false, mode);
}

u64 soft_add(const Format& f, u64 nan, u64 a, u64 b, Round mode) {
    const u64 one = static_cast<u64>(f.bias()) << f.fraction_bits;
    return soft_fma(f, nan, a, one, b, mode);
}

u64 soft_mul(const Format& f, u64 nan, u64 a, u64 b, Round mode) {
    const Special2 ka = classify(f, a), kb = classify(f, b);
    const bool sign = ((a ^ b) & f.sign_bit()) != 0;
    if (ka == Special2::finite && kb == Special2::finite) {
        const Unpacked x = unpack(f, a), y = unpack(f, b);
        const u128 product = u128{x.magnitude} * y.magnitude;
        return product == 0 ? zero_of(f, sign)
                            : round_to_format(f, sign, x.exponent + y.exponent, product, false, mode);
    }
    return soft_fma(f, nan, a, b, zero_of(f, sign), mode);
}

u64 soft_div(const Format& f, u64 nan, u64 a, u64 b, Round mode) {
    const Special2 ka = classify(f, a), kb = classify(f, b);
    const bool sign = ((a ^ b) & f.sign_bit()) != 0;
    if (ka == Special2::nan || kb == Special2::nan || (ka == Special2::infinity && kb == Special2::infinity))
        return nan;
    if (ka == Special2::infinity) return zero_of(f, sign) | f.infinity();
    if (kb == Special2::infinity) return zero_of(f, sign);
    const Unpacked x = unpack(f, a), y = unpack(f, b);
    if (y.magnitude == 0) return x.magnitude == 0 ? nan : zero_of(f, sign) | f.infinity();
    if (x.magnitude == 0) return zero_of(f, sign);
    const Scaled n = normalise(x.magnitude, x.exponent);
    const u128 quotient = n.magnitude / y.magnitude;  // at least 2^72
    const bool rest = n.magnitude % y.magnitude != 0;
    return round_to_format(f, sign, n.exponent - y.exponent, quotient, rest, mode);
}

u64 soft_sqrt(const Format& f, u64 nan, u64 a, Round mode) {
    const Special2 k = classify(f, a);
    if (k == Special2::nan) return nan;
    const bool sign = (a & f.sign_bit()) != 0;
    if ((a & (f.sign_bit() - 1)) == 0) return a;
    if (sign) return nan;
    if (k == Special2::infinity) return a;
    const Unpacked x = unpack(f, a);
    Scaled n = normalise(x.magnitude, x.exponent);
    if ((n.exponent & 1) != 0) n = {n.magnitude >> 1, n.exponent + 1};  // the low bits are zeros
    u128 root = 0;
    for (i32 bit = 63; bit >= 0; --bit) {
        const u128 tried = root | u128{1} << bit;
        if (tried * tried <= n.magnitude) root = tried;
    }
    return round_to_format(f, false, n.exponent / 2, root, root * root != n.magnitude, mode);
}

u64 soft_convert(const Format& to, const Format& from, u64 nan, u64 bits, Round mode) {
    const bool sign = (bits & from.sign_bit()) != 0;
    switch (classify(from, bits)) {
        case Special2::nan:
            // From double, sign and payload pass (as an H200 has it); from the others the canonical NaN comes.
            if (from.fraction_bits != kF64.fraction_bits) return nan;
            return zero_of(to, sign) | to.infinity() | u64{1} << (to.fraction_bits - 1) |
                   (bits & ((u64{1} << 51) - 1)) >> (from.fraction_bits - to.fraction_bits);
        case Special2::infinity:
            return zero_of(to, sign) | to.infinity();
        case Special2::finite:
            break;
    }
    const Unpacked x = unpack(from, bits);
    return x.magnitude == 0 ? zero_of(to, sign)
                            : round_to_format(to, sign, x.exponent, x.magnitude, false, mode);
}

}  // namespace heddle::ptx
