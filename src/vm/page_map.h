#pragma once
// From 64-bit keys to small numbers: what finds an entry of a TLB or of its MSHRs.

#include "sim/flat_table.h"

namespace heddle {

class PageMap {
  public:
    static constexpr u32 kNone = ~u32{0};

    /// Room for `most` without growing.
    explicit PageMap(u32 most) : table_(u64{most} + 1) {}

    u32 find(u64 key) const {
        const Slot* slot = table_.find(key);
        return slot == nullptr ? kNone : slot->value;
    }
    /// The key must not be there.
    void insert(u64 key, u32 value) { table_.insert(key)->value = value; }
    /// The key must be there.
    void erase(u64 key) { table_.erase(table_.find(key)); }

  private:
    struct Slot {
        u64 key = ~u64{0};
        u32 value = 0;
    };
    FlatTable<Slot> table_;
};

}  // namespace heddle
