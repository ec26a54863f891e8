#pragma once
// A hash table without indirection: what is outstanding in a cache, waits in a controller or is held by a TLB, by its
// key. Linear probing, no tombstones, at most half full, so that a lookup mostly touches one line of the host's cache.
// Nothing may ever go by the order of its slots.
//
//     struct Waiting { u64 key = ~u64{0}; u32 count = 0; };   // a default-made slot is a free one
//     FlatTable<Waiting> table;
//     if (Waiting* w = table.find(line)) ++w->count; else table.insert(line)->count = 1;
//
// Pointers hold until the next insert or erase.

#include <algorithm>
#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle {

/// Slot: has a member `key`, an unsigned integer; its default value marks a free slot and is never a key.
template <class Slot>
class FlatTable {
  public:
    using Key = decltype(Slot::key);
    static constexpr Key kFree = Slot{}.key;

    /// Room for `most` without growing.
    explicit FlatTable(u64 most = 16) { resize(std::bit_ceil(std::max<u64>(most, 1) * 2)); }

    u64 size() const { return used_; }
    Slot* find(Key key) {
        return find(key, [](const Slot&) { return true; });
    }
    const Slot* find(Key key) const { return const_cast<FlatTable*>(this)->find(key); }
    /// Of several slots of the key one for which wanted(slot).
    template <class Wanted>
    Slot* find(Key key, Wanted wanted) {
        for (std::size_t k = home(key); slots_[k].key != kFree; k = next(k))
            if (slots_[k].key == key && wanted(slots_[k])) return &slots_[k];
        return nullptr;
    }
    void prefetch(Key key) const { __builtin_prefetch(&slots_[home(key)]); }

    /// A new slot with this key and otherwise as made by default. A key may be there several times; whoever wants it
    /// once asks find() before.
    Slot* insert(Key key) {
        if (++used_ * 2 > slots_.size()) [[unlikely]]
            grow();
        Slot& slot = slots_[free_from(home(key))];
        slot = Slot{};
        slot.key = key;
        return &slot;
    }
    void erase(Slot* slot) {
        --used_;
        // Later slots of the run move back into the hole.
        std::size_t hole = static_cast<std::size_t>(slot - slots_.data());
        for (std::size_t k = next(hole); slots_[k].key != kFree; k = next(k)) {
            const std::size_t wanted = home(slots_[k].key);
            if (((k - wanted) & mask()) >= ((k - hole) & mask())) {
                slots_[hole] = slots_[k];
                hole = k;
            }
        }
        slots_[hole].key = kFree;
    }
    /// Visits every slot of the key.
    template <class Visit>
    void each(Key key, Visit visit) const {
        for (std::size_t k = home(key); slots_[k].key != kFree; k = next(k))
            if (slots_[k].key == key) visit(slots_[k]);
    }
    /// Erases every slot for which gone(slot), in one walk.
    template <class Gone>
    void erase_if(Gone gone) {
        std::vector<Slot> old(slots_.size());
        old.swap(slots_);
        used_ = 0;
        for (const Slot& slot : old) {
            if (slot.key == kFree || gone(slot)) continue;
            slots_[free_from(home(slot.key))] = slot;
            ++used_;
        }
    }

  private:
    std::size_t mask() const { return slots_.size() - 1; }
    std::size_t next(std::size_t k) const { return (k + 1) & mask(); }
    /// Every bit of the key counts in the upper bits of the product.
    std::size_t home(Key key) const {
        return static_cast<std::size_t>(u64{key} * 0x9e3779b97f4a7c15u >> shift_);
    }
    std::size_t free_from(std::size_t k) const {
        while (slots_[k].key != kFree) k = next(k);
        return k;
    }
    void resize(std::size_t slots) {
        slots_.assign(slots, Slot{});
        shift_ = 64 - static_cast<u32>(std::countr_zero(slots));
    }
    [[gnu::noinline]] void grow() {
        std::vector<Slot> old;
        old.swap(slots_);
        resize(old.size() * 2);
        for (const Slot& slot : old)
            if (slot.key != kFree) slots_[free_from(home(slot.key))] = slot;
    }

    std::vector<Slot> slots_;
    u64 used_ = 0;
    u32 shift_ = 0;
};

}  // namespace heddle
