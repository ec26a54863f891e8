#pragma once
// Where the entries of one process's page table lie if not in the nodes of a tree: each level's entries one after the
// other, in the order in which they are first needed. A level adds `level_bits` bits to the address below the level above.
// Source: public simulator of MASK and Mosaic, whose tables are packed, with 5 bits a level; there all applications share
// a level's sequence.

#include <array>
#include <vector>

#include "sim/flat_table.h"
#include "vm/entry_key.h"
#include "vm/frames.h"

namespace heddle {

class EntryPlaces {
  public:
    static constexpr u32 kLevels = 4;

    /// `layout`: not radix.
    EntryPlaces(Frames& frames, u8 owner, TableLayout layout, u32 level_bits)
        : frames_(frames), owner_(owner), layout_(layout), level_bits_(level_bits) {}

    TableLayout layout() const { return layout_; }
    static u32 levels(PageSize size) { return size == PageSize::large ? kLevels - 1 : kLevels; }

    /// The entries of every level that lead to this page.
    void place(VirtAddr address, PageSize size) {
        for (u32 level = 1; level <= levels(size); ++level) {
            Level& l = levels_[level - 1];
            const u64 key = key_of(address, size, level);
            if (l.number.find(key) == nullptr) l.number.insert(key)->number = next(l);
        }
    }
    /// Of an entry that has its place.
    PhysAddr entry(VirtAddr address, PageSize size, u32 level) const {
        const Level& l = levels_[level - 1];
        const u32 number = l.number.find(key_of(address, size, level))->number;
        return PhysAddr((u64{l.frames[number / per_frame()]} << kFrameShift) +
                        number % per_frame() * stride());
    }
    u64 frames() const {
        u64 n = 0;
        for (const Level& l : levels_) n += l.frames.size();
        return n;
    }

  private:
    struct Slot {
        u64 key = ~u64{0};
        u32 number = 0;
    };
    struct Level {
        FlatTable<Slot> number;  // by the address bits of an entry
        u32 used = 0;
        std::vector<u32> frames;
    };

    u32 per_frame() const { return layout_ == TableLayout::packed ? 64 : (1u << kFrameShift) / kLineBytes; }
    u32 stride() const { return layout_ == TableLayout::packed ? 1 : kLineBytes; }
    u64 key_of(VirtAddr address, PageSize size, u32 level) const {
        const u32 last = levels(size);
        // Above the last level, a page of 64 KiB is as its pages of 4 KiB.
        const u32 low =
            size == PageSize::medium && level < last ? page_shift(PageSize::small) : page_shift(size);
        return address.v >> (low + level_bits_ * (last - level));
    }
    u32 next(Level& l) {
        if (l.used % per_frame() == 0) {
            l.frames.push_back(frames_.take(owner_, PageSize::small));
            frames_.own(owner_, l.frames.back(), 1);
        }
        return l.used++;
    }

    Frames& frames_;
    u8 owner_;
    TableLayout layout_;
    u32 level_bits_;
    std::array<Level, kLevels> levels_;
};

}  // namespace heddle
