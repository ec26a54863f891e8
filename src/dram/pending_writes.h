#pragma once
// Lines with a write waiting in the controller, so that a younger read of such a line can be answered.

#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle::dram {

class PendingWrites {
  public:
    explicit PendingWrites(u32 most) : slots_(std::bit_ceil(u64{most} * 4 + 16)), mask_(slots_.size() - 1) {}

    void add(u64 line, u8 sectors) {
        std::size_t k = home(line);
        while (slots_[k].sectors != 0) k = (k + 1) & mask_;
        slots_[k] = {line, sectors};
        ++count_;
        if (count_ * 2 > slots_.size()) grow();
    }
    void remove(u64 line, u8 sectors) {
        std::size_t k = home(line);
        while (slots_[k].line != line || slots_[k].sectors != sectors) k = (k + 1) & mask_;
        --count_;
        // Close the gap: an entry further on may only stay where no hole lies between its home and itself.
        for (std::size_t next = (k + 1) & mask_; slots_[next].sectors != 0; next = (next + 1) & mask_) {
            if (((next - home(slots_[next].line)) & mask_) < ((next - k) & mask_)) continue;
            slots_[k] = slots_[next];
            k = next;
        }
        slots_[k].sectors = 0;
    }
    /// Whether waiting writes carry all of the sectors.
    bool covers(u64 line, u8 sectors) const {
        if (count_ == 0) return false;
        u8 found = 0;
        for (std::size_t k = home(line); slots_[k].sectors != 0; k = (k + 1) & mask_)
            if (slots_[k].line == line) found = static_cast<u8>(found | slots_[k].sectors);
        return (sectors & ~found) == 0;
    }

  private:
    struct Slot {
        u64 line = 0;
        u8 sectors = 0;  // 0: free
    };
    std::size_t home(u64 line) const {
        return static_cast<std::size_t>((line >> 5) * 0x9e3779b97f4a7c15ull >> 32) & mask_;
    }
    void grow() {
        std::vector<Slot> old = std::move(slots_);
        slots_.assign(old.size() * 2, {});
        mask_ = slots_.size() - 1;
        count_ = 0;
        for (const Slot& s : old)
            if (s.sectors != 0) add(s.line, s.sectors);
    }

    std::vector<Slot> slots_;
    std::size_t mask_;
    u64 count_ = 0;
};

}  // namespace heddle::dram
