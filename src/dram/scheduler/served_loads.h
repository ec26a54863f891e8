#pragma once
// The loads of which a request has been served not long ago. One table a controller, and every load of the GPU passes through
// each: flat, and what is forgotten goes when the table is full.

#include <algorithm>

#include "sim/flat_table.h"

namespace heddle::dram {

class ServedLoads {
  public:
    /// `remembered`: clocks after which a load is forgotten.
    explicit ServedLoads(u64 remembered) : remembered_(remembered), loads_(kLeast) {}

    bool contains(u64 key, Cycle now) const {
        const Load* load = loads_.find(key);
        return load != nullptr && !forgotten(*load, now);
    }
    /// False if it is known already.
    bool insert(u64 key, Cycle now) {
        Load* load = loads_.find(key);
        if (load != nullptr && !forgotten(*load, now)) return false;
        if (load == nullptr) {
            if (loads_.size() >= most_) renew(now);
            load = loads_.insert(key);
        }
        load->at = now;
        return true;
    }

  private:
    static constexpr u64 kLeast = 512;
    struct Load {
        u64 key = ~u64{0};
        Cycle at;
    };
    bool forgotten(const Load& load, Cycle now) const { return now - load.at > remembered_; }

    /// Only what is not forgotten stays; the table may then double before the next time.
    void renew(Cycle now) {
        loads_.erase_if([&](const Load& load) { return forgotten(load, now); });
        most_ = std::max(kLeast, 2 * loads_.size());
    }

    const u64 remembered_;
    FlatTable<Load> loads_;
    u64 most_ = kLeast;  // at which it is renewed
};

}  // namespace heddle::dram
