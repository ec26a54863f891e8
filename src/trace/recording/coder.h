#pragma once
// Numbers into byte streams and back: the length of each in one stream, its bytes by significance in eight
// others, so that a compressor meets bytes of one kind.

#include <bit>
#include <span>
#include <vector>

#include "trace/recording/model.h"

namespace heddle::recording {

/// Multiples of the access size are told in that unit: log2 of it.
inline u32 unit_of(const StaticInst& inst) {
    return std::has_single_bit(inst.access_bytes) ? static_cast<u32>(std::countr_zero(inst.access_bytes)) : 0;
}

inline constexpr u8 kUnscaled = 9;  // a "length": eight bytes, not in units
inline constexpr i64 kScalable = i64{1} << 61;

/// The number that tells a difference: zigzag, in units if it is a multiple.
inline u64 difference_code(i64 difference, u32 unit) {
    if (unit == 0) return zigzag(difference);
    const i64 rest = difference & ((i64{1} << unit) - 1);
    return rest == 0 ? zigzag(difference >> unit) << 1 : zigzag(difference) << 1 | 1;
}
inline u32 code_bytes(u64 code) {
    return (71 - static_cast<u32>(std::countl_zero(code | 1)) - (code == 0 ? 8 : 0)) / 8;
}

/// Bytes that a difference takes.
inline u32 difference_bytes(i64 difference, u32 unit) {
    if (unit != 0 && (difference >= kScalable || difference <= -kScalable)) return 8;
    return code_bytes(difference_code(difference, unit));
}

class NumberWriter {
  public:
    explicit NumberWriter(std::vector<Bytes>& streams) : streams_(streams) {}

    void put(Coder coder, u64 value) {
        put(coder, value, static_cast<u8>(code_bytes(value)), code_bytes(value));
    }
    void put_difference(Coder coder, i64 difference, u32 unit) {
        if (unit != 0 && (difference >= kScalable || difference <= -kScalable))
            put(coder, zigzag(difference), kUnscaled, 8);
        else
            put(coder, difference_code(difference, unit));
    }
    void byte(ByteStream stream, u8 value) { streams_[stream].push_back(value); }

  private:
    void put(Coder coder, u64 value, u8 length, u32 bytes) {
        Bytes* const own = &streams_[coder * kCoderStreams];
        own[0].push_back(length);
        for (u32 k = 0; k < bytes; ++k) own[1 + k].push_back(static_cast<u8>(value >> 8 * k));
    }

    std::vector<Bytes>& streams_;
};

class NumberReader {
  public:
    explicit NumberReader(const std::vector<Bytes>& streams) {
        for (const Bytes& s : streams) at_.push_back({s.data(), s.data() + s.size()});
    }

    u64 get(Coder coder) {
        const u8 length = next(coder * kCoderStreams);
        if (length > 8) ByteReader::damaged();
        return value(coder, length);
    }
    i64 get_difference(Coder coder, u32 unit) {
        const u8 length = next(coder * kCoderStreams);
        if (length == 0) return 0;
        if (length > kUnscaled) ByteReader::damaged();
        const u64 code = value(coder, length == kUnscaled ? 8 : length);
        if (unit == 0 || length == kUnscaled) return unzigzag(code);
        if ((code & 1) != 0) return unzigzag(code >> 1);
        return static_cast<i64>(static_cast<u64>(unzigzag(code >> 1)) << unit);
    }
    u8 byte(ByteStream stream) { return next(stream); }

  private:
    struct Span {
        const u8* p;
        const u8* end;
    };

    u8 next(std::size_t stream) {
        Span& s = at_[stream];
        if (s.p == s.end) ByteReader::damaged();
        return *s.p++;
    }
    u64 value(Coder coder, u32 bytes) {
        u64 v = 0;
        for (u32 k = 0; k < bytes; ++k) v |= u64{next(coder * kCoderStreams + 1 + k)} << 8 * k;
        return v;
    }

    std::vector<Span> at_;
};

}  // namespace heddle::recording
