#pragma once
// What an SM's TLB keeps beside itself of walks that the fill policy kept out of the L2 TLB: any number of translations,
// each for a fixed time.

#include "sim/flat_table.h"
#include "sim/ring.h"
#include "vm/mapping.h"
#include "vm/page.h"

namespace heddle {

class KeptOut {
  public:
    /// `cycles` 0: nothing is kept.
    explicit KeptOut(Cycle cycles) : cycles_(cycles) {}

    void insert(PageKey page, Mapping mapping, Cycle now) {
        forget(now);
        Slot* slot = pages_.find(page.v);
        if (slot == nullptr) slot = pages_.insert(page.v);
        slot->mapping = mapping;
        slot->until = now + cycles_.v;
        ends_.push({slot->until, page});
    }
    /// None if it is not kept, or no longer.
    Mapping find(PageKey page, Cycle now) {
        if (ends_.empty()) return {};
        forget(now);
        const Slot* slot = pages_.find(page.v);
        return slot == nullptr ? Mapping() : slot->mapping;
    }
    template <class Gone>
    void remove_if(Gone gone) {
        for (u32 k = 0; k < ends_.size(); ++k)
            if (Slot* slot = pages_.find(ends_[k].page.v); slot != nullptr && gone(ends_[k].page))
                pages_.erase(slot);
    }

  private:
    struct Slot {
        u64 key = ~u64{0};
        Mapping mapping;
        Cycle until{0};
    };
    struct End {
        Cycle at;
        PageKey page;
    };
    /// What was kept again meanwhile has a later end.
    void forget(Cycle now) {
        while (!ends_.empty() && ends_.front().at <= now) {
            const End end = ends_.pop();
            if (Slot* slot = pages_.find(end.page.v); slot != nullptr && slot->until <= now)
                pages_.erase(slot);
        }
    }

    const Cycle cycles_;
    FlatTable<Slot> pages_;
    Ring<End> ends_;
};

}  // namespace heddle
