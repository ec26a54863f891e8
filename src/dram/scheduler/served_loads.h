#pragma once
// The loads of which a request has been served not long ago. One table a controller, and every load of the GPU passes through
// each: flat, and forgotten in place.

#include <algorithm>
#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle::dram {

class ServedLoads {
  public:
    /// `remembered`: clocks after which a load is forgotten.
    explicit ServedLoads(u64 remembered) : remembered_(remembered), slots_(kLeast) {}

    bool contains(u64 key, Cycle now) const {
        for (std::size_t k = home(key);; k = next(k)) {
            const Slot& s = slots_[k];
            if (s.key == kNever) return false;
            if (s.key == key) return !forgotten(s, now);
        }
    }
    /// False if it is known already.
    bool insert(u64 key, Cycle now) {
        if (2 * used_ >= slots_.size()) renew(now);
        Slot* place = nullptr;
        for (std::size_t k = home(key);; k = next(k)) {
            Slot& s = slots_[k];
            if (s.key == key) {
                if (!forgotten(s, now)) return false;
                s.at = now;
                return true;
            }
            if (s.key == kNever) {
                if (place == nullptr) {
                    place = &s;
                    ++used_;
                }
                break;
            }
            if (place == nullptr && forgotten(s, now)) place = &s;
        }
        *place = {key, now};
        return true;
    }

  private:
    static constexpr u64 kNever = ~u64{0};
    static constexpr std::size_t kLeast = 1024;
    struct Slot {
        u64 key = kNever;
        Cycle at;
    };
    std::size_t home(u64 key) const {
        return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ull >> 32) & (slots_.size() - 1);
    }
    std::size_t next(std::size_t k) const { return (k + 1) & (slots_.size() - 1); }
    bool forgotten(const Slot& s, Cycle now) const { return now - s.at > remembered_; }

    /// Only what is not forgotten, in a table that it fills to a quarter at most.
    void renew(Cycle now) {
        std::vector<Slot> old = std::move(slots_);
        std::size_t kept = 0;
        for (const Slot& s : old) kept += s.key != kNever && !forgotten(s, now);
        slots_.assign(std::max(kLeast, std::bit_ceil(4 * kept)), Slot{});
        used_ = kept;
        for (const Slot& s : old) {
            if (s.key == kNever || forgotten(s, now)) continue;
            std::size_t k = home(s.key);
            while (slots_[k].key != kNever) k = next(k);
            slots_[k] = s;
        }
    }

    const u64 remembered_;
    std::vector<Slot> slots_;
    std::size_t used_ = 0;  // slots that are not free, forgotten ones too
};

}  // namespace heddle::dram
