#pragma once
// A hash table from 64-bit keys to small numbers, of a fixed capacity and without indirection: what finds an entry of
// a TLB or of its MSHRs. Nothing ever goes by its order.

#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle {

class PageMap {
  public:
    static constexpr u32 kNone = ~u32{0};

    explicit PageMap(u32 most)
        : slots_(std::bit_ceil(std::size_t{most} * 2 + 1)),
          shift_(64 - static_cast<u32>(std::countr_zero(slots_.size()))) {}

    u32 find(u64 key) const {
        for (u32 k = home(key); slots_[k].key != kFree; k = next(k))
            if (slots_[k].key == key) return slots_[k].value;
        return kNone;
    }
    /// The key must not be there, and fewer than `most` may.
    void insert(u64 key, u32 value) {
        u32 k = home(key);
        while (slots_[k].key != kFree) k = next(k);
        slots_[k] = {key, value};
    }
    /// The key must be there.
    void erase(u64 key) {
        u32 hole = home(key);
        while (slots_[hole].key != key) hole = next(hole);
        // No tombstones: later entries of the run move back into the hole.
        for (u32 k = next(hole); slots_[k].key != kFree; k = next(k)) {
            const u32 wanted = home(slots_[k].key);
            if (((k - wanted) & mask()) >= ((k - hole) & mask())) {
                slots_[hole] = slots_[k];
                hole = k;
            }
        }
        slots_[hole].key = kFree;
    }

  private:
    static constexpr u64 kFree = ~u64{0};
    struct Slot {
        u64 key = kFree;
        u32 value = 0;
    };
    u32 mask() const { return static_cast<u32>(slots_.size()) - 1; }
    u32 next(u32 k) const { return (k + 1) & mask(); }
    u32 home(u64 key) const { return static_cast<u32>(key * 0x9e3779b97f4a7c15u >> shift_); }

    std::vector<Slot> slots_;
    u32 shift_;
};

}  // namespace heddle
