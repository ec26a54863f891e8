#pragma once
// Lines with a write waiting in the controller, so that a younger read of such a line can be answered.

#include "sim/flat_table.h"

namespace heddle::dram {

class PendingWrites {
  public:
    explicit PendingWrites(u32 most) : writes_(u64{2} * most) {}

    void add(u64 line, u8 sectors) { writes_.insert(line)->sectors = sectors; }
    void remove(u64 line, u8 sectors) {
        writes_.erase(writes_.find(line, [=](const Write& w) { return w.sectors == sectors; }));
    }
    /// Whether waiting writes carry all of the sectors.
    bool covers(u64 line, u8 sectors) const {
        if (writes_.size() == 0) return false;
        u8 found = 0;
        writes_.each(line, [&](const Write& w) { found = static_cast<u8>(found | w.sectors); });
        return (sectors & ~found) == 0;
    }

  private:
    struct Write {
        u64 key = ~u64{0};  // a line may be written several times
        u8 sectors = 0;
    };
    FlatTable<Write> writes_;
};

}  // namespace heddle::dram
