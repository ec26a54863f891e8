#pragma once
// Tags and sector states of a set-associative cache. Up to 64 ways, lines of up to eight 32-byte sectors.

#include <bit>
#include <vector>

#include "mem/request.h"
#include "sim/types.h"

namespace heddle {

class TagArray {
  public:
    struct Line {
        u64 number = kFree;   // line number (address / line bytes)
        u8 valid = 0;         // sectors whose bytes are all here
        u8 dirty = 0;         // sectors to write back
        u8 partial = 0;       // dirty sectors of which only some bytes are here
        bool reserved = false;  // a fill is on its way; can't be evicted
        u8 app = 0;             // whose request brought or wrote it
    };
    static constexpr u64 kFree = ~u64{0};
    static constexpr u32 kMiss = ~u32{0};

    TagArray(u32 sets, u32 ways);

    u32 sets() const { return sets_; }
    u32 ways() const { return ways_; }
    /// Any number of sets; a power of two costs no division.
    u32 set_of(u64 index) const {
        return static_cast<u32>(set_mask_ != 0 || sets_ == 1 ? index & set_mask_ : index % sets_);
    }

    u32 find(u32 set, u64 number) const {
        const u32* tags = &short_tags_[std::size_t{set} * ways_];
        const u32 want = static_cast<u32>(number);
        for (u32 w = 0; w < ways_; ++w)
            if (tags[w] == want && lines_[std::size_t{set} * ways_ + w].number == number) return w;
        return kMiss;
    }
    Line& line(u32 set, u32 way) { return lines_[std::size_t{set} * ways_ + way]; }
    const Line& line(u32 set, u32 way) const { return lines_[std::size_t{set} * ways_ + way]; }

    /// First free way, or kMiss.
    u32 free_way(u32 set) const;
    /// Ways that may be evicted.
    u64 evictable(u32 set) const;
    /// Gives the way to a new line with nothing valid yet.
    void assign(u32 set, u32 way, u64 number);
    void release(u32 set, u32 way);
    /// Frees all lines; the number of lines that were dirty.
    u64 clear();
    /// Another number of sets (everything is freed): a cache that shares its array with shared memory.
    void resize(u32 sets);

  private:
    u32 sets_, ways_;
    u64 set_mask_ = 0;  // sets-1 if a power of two, else 0
    std::vector<u32> short_tags_;  // low bits of the numbers, dense for the search
    std::vector<Line> lines_;
};

}  // namespace heddle
