#pragma once
// Tags and sector states of a set-associative cache. Up to 64 ways.
//
// Laid out for few cache misses of the simulator itself: a set's tags are 32-bit line numbers side by side
// (physical memory is limited to 2^32 - 1 lines, see vm/address_space.h), its free and reserved ways bit masks.

#include <bit>
#include <emmintrin.h>
#include <vector>

#include "sim/types.h"

namespace heddle {

class TagArray {
  public:
    struct Line {
        u8 valid = 0;    // sectors whose bytes are all here
        u8 dirty = 0;    // sectors to write back
        u8 partial = 0;  // dirty sectors of which only some bytes are here
        u8 app = 0;      // whose request wrote it
    };
    static constexpr u32 kFree = ~u32{0};
    static constexpr u32 kMiss = ~u32{0};

    TagArray(u32 sets, u32 ways) : ways_(ways), stride_((ways + 7) & ~7u) { resize(sets); }

    u32 sets() const { return sets_; }
    u32 ways() const { return ways_; }
    /// Any number of sets; a power of two costs no division.
    u32 set_of(u64 index) const {
        return static_cast<u32>(set_mask_ != 0 || sets_ == 1 ? index & set_mask_ : index % sets_);
    }

    u32 find(u32 set, u32 number) const {
        // Eight at a time with the baseline's SSE2; rows are padded to whole vectors with free tags.
        const u32* tags = &tags_[std::size_t{set} * stride_];
        const __m128i want = _mm_set1_epi32(static_cast<int>(number));
        auto equal = [&](u32 w) {
            return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tags + w)), want);
        };
        for (u32 w = 0; w < stride_; w += 8) {
            const __m128i eight = _mm_packs_epi32(equal(w), equal(w + 4));
            const int match = _mm_movemask_epi8(eight);
            if (match != 0) return w + static_cast<u32>(std::countr_zero(static_cast<u32>(match))) / 2;
        }
        return kMiss;
    }
    void prefetch(u32 set) const { __builtin_prefetch(&tags_[std::size_t{set} * stride_]); }
    u32 number(u32 set, u32 way) const { return tags_[std::size_t{set} * stride_ + way]; }
    Line& line(u32 set, u32 way) { return lines_[std::size_t{set} * ways_ + way]; }
    const Line& line(u32 set, u32 way) const { return lines_[std::size_t{set} * ways_ + way]; }

    /// First free way among `ways`, or kMiss.
    u32 free_way(u32 set, u64 ways = ~u64{0}) const {
        const u64 free = masks_[set].free & ways;
        return free == 0 ? kMiss : static_cast<u32>(std::countr_zero(free));
    }
    /// Ways whose lines are not reserved for a fill that is in flight.
    u64 evictable(u32 set) const { return all_ & ~masks_[set].reserved; }
    void reserve(u32 set, u32 way, bool reserved) {
        if (reserved)
            masks_[set].reserved |= u64{1} << way;
        else
            // A fill always finds a way. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
            masks_[set].reserved &= ~(u64{1} << way);
    }
    bool reserved(u32 set, u32 way) const { return (masks_[set].reserved >> way & 1) != 0; }

    /// Gives the way to a new line with nothing valid yet.
    void assign(u32 set, u32 way, u32 number) {
        tags_[std::size_t{set} * stride_ + way] = number;
        line(set, way) = Line{};
        masks_[set].free &= ~(u64{1} << way);
    }
    void release(u32 set, u32 way) {
        tags_[std::size_t{set} * stride_ + way] = kFree;
        line(set, way) = Line{};
        masks_[set].free |= u64{1} << way;
    }
    void clear() { resize(sets_); }
    /// Another number of sets; every line is freed.
    void resize(u32 sets);

  private:
    struct Masks {
        u64 free = 0, reserved = 0;
    };

    u32 sets_ = 0, ways_, stride_;
    u64 set_mask_ = 0;  // sets-1 if a power of two, else 0
    u64 all_ = 0;
    std::vector<u32> tags_;
    std::vector<Line> lines_;
    std::vector<Masks> masks_;
};

}  // namespace heddle
