#pragma once
// Bytes out and in: fixed and variable-length numbers, strings. Reading past the end is an InputError, so a
// damaged block can't be misread.

#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"
#include "sim/types.h"

namespace heddle::recording {

using Bytes = std::vector<u8>;

constexpr u64 zigzag(i64 value) {
    return static_cast<u64>(value) << 1 ^ static_cast<u64>(value >> 63);
}
constexpr i64 unzigzag(u64 value) {
    return static_cast<i64>(value >> 1 ^ (u64{0} - (value & 1)));
}

inline void put_fixed(Bytes& out, u64 value, u32 bytes) {
    for (u32 k = 0; k < bytes; ++k) out.push_back(static_cast<u8>(value >> 8 * k));
}

inline void put_varint(Bytes& out, u64 value) {
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<u8>(value | 0x80));
    out.push_back(static_cast<u8>(value));
}

inline void put_string(Bytes& out, std::string_view text) {
    put_varint(out, text.size());
    out.insert(out.end(), text.begin(), text.end());
}

class ByteReader {
  public:
    ByteReader(const u8* begin, const u8* end) : p_(begin), end_(end) {}
    explicit ByteReader(const Bytes& bytes) : ByteReader(bytes.data(), bytes.data() + bytes.size()) {}

    u64 fixed(u32 bytes) {
        need(bytes);
        u64 value = 0;
        for (u32 k = 0; k < bytes; ++k) value |= u64{*p_++} << 8 * k;
        return value;
    }
    u64 varint() {
        u64 value = 0;
        for (u32 shift = 0; shift < 64; shift += 7) {
            const u8 byte = static_cast<u8>(fixed(1));
            value |= u64{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
        damaged();
    }
    /// A varint that must not exceed `limit`.
    u64 bounded(u64 limit) {
        const u64 value = varint();
        if (value > limit) damaged();
        return value;
    }
    u32 varint32() { return static_cast<u32>(bounded(0xffffffff)); }
    std::string string() {
        const u64 size = bounded(left());
        std::string text(reinterpret_cast<const char*>(p_), size);
        p_ += size;
        return text;
    }
    const u8* take(u64 bytes) {
        need(bytes);
        const u8* const at = p_;
        p_ += bytes;
        return at;
    }
    u64 left() const { return static_cast<u64>(end_ - p_); }

    [[noreturn]] static void damaged() { throw InputError("its content is damaged"); }

  private:
    void need(u64 bytes) const {
        if (left() < bytes) damaged();
    }

    const u8* p_;
    const u8* end_;
};

}  // namespace heddle::recording
