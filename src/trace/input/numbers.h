#pragma once
// Numbers out of text, eight characters at a time in ordinary 64-bit registers (no vector instructions, so
// the same on every machine). The caller guarantees 24 readable bytes from `p` (LineReader::kPadding).
//
// Each parser returns the first character after the number, or null if there is none or it does not fit.

#include <bit>
#include <cstring>

#include "sim/types.h"

namespace heddle {

namespace swar {

inline u64 load(const char* p) {
    static_assert(std::endian::native == std::endian::little);
    u64 word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

constexpr u64 each(u8 byte) {
    return 0x0101010101010101u * byte;
}
constexpr u64 kHigh = each(0x80);
constexpr u64 kLow7 = each(0x7f);

/// High bit of each byte that is not '0'..'9'.
inline u64 not_decimal(u64 text) {
    const u64 x = text ^ each('0');
    return (((x & kLow7) + each(0x76)) | x) & kHigh;
}

/// High bit of each byte that is not a hexadecimal digit.
inline u64 not_hex(u64 text) {
    const u64 letters = text >> 6 & each(1);
    const u64 x = (text | letters << 5) ^ each(0x60);  // 'a'..'f' become 1..6
    const u64 not_letter = (((x & kLow7) + each(0x79)) | x | ~((x & kLow7) + kLow7)) & kHigh;
    return not_decimal(text) & not_letter;
}

/// Value of eight hexadecimal digits.
inline u32 hex_value(u64 text) {
    u64 x = (text & each(0x0f)) + (text >> 6 & each(1)) * 9;
    x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ff;
    x = (x << 8 | x >> 16) & 0x0000ffff0000ffff;
    return static_cast<u32>(x << 16 | x >> 32);
}

/// Value of eight decimal digits given as their numeric bytes.
inline u64 decimal_value(u64 x) {
    x = x * 10 + (x >> 8);
    return ((x & 0x000000ff000000ff) * 0x000f424000000064 +
            (x >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
           32;
}

}  // namespace swar

/// Exactly eight hexadecimal digits.
inline const char* parse_hex8(const char* p, u32& value) {
    const u64 text = swar::load(p);
    if (swar::not_hex(text) != 0) return nullptr;
    value = swar::hex_value(text);
    return p + 8;
}

/// Up to sixteen hexadecimal digits, with or without 0x.
inline const char* parse_hex(const char* p, u64& value) {
    if (p[0] == '0' && (p[1] | 0x20) == 'x') p += 2;
    const u64 first = swar::load(p);
    const u64 stop = swar::not_hex(first);
    if (stop != 0) {
        const int digits = std::countr_zero(stop) / 8;
        if (digits == 0) return nullptr;
        // Zero bytes in front count as digits 0.
        value = swar::hex_value(first << (8 - digits) * 8);
        return p + digits;
    }
    value = swar::hex_value(first);
    p += 8;
    const u64 second = swar::load(p);
    const u64 stop2 = swar::not_hex(second);
    const int digits = stop2 == 0 ? 8 : std::countr_zero(stop2) / 8;
    if (digits != 0) {
        value = value << digits * 4 | swar::hex_value(second << (8 - digits) * 8);
        p += digits;
    }
    if (digits == 8 && (swar::not_hex(swar::load(p)) & 0x80) == 0) return nullptr;
    return p;
}

/// A decimal number below 2^64.
inline const char* parse_decimal(const char* p, u64& value) {
    const u64 text = swar::load(p);
    const u64 stop = swar::not_decimal(text);
    if (stop != 0) {
        const int digits = std::countr_zero(stop) / 8;
        if (digits == 0) return nullptr;
        value = swar::decimal_value((text & swar::each(0x0f)) << (8 - digits) * 8);
        return p + digits;
    }
    u64 sum = swar::decimal_value(text & swar::each(0x0f));
    for (p += 8; *p >= '0' && *p <= '9'; ++p)
        if (__builtin_mul_overflow(sum, u64{10}, &sum) ||
            __builtin_add_overflow(sum, static_cast<u64>(*p - '0'), &sum))
            return nullptr;
    value = sum;
    return p;
}

/// A decimal number with an optional minus sign, in 64 bits.
inline const char* parse_signed(const char* p, i64& value) {
    const bool negative = *p == '-';
    u64 magnitude = 0;
    p = parse_decimal(p + (negative ? 1 : 0), magnitude);
    const u64 bound = (u64{1} << 63) - (negative ? 0 : 1);
    if (p == nullptr || magnitude > bound) return nullptr;
    value = static_cast<i64>(negative ? u64{0} - magnitude : magnitude);
    return p;
}

}  // namespace heddle
