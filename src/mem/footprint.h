#pragma once
// Device memory that a run has used, in pages of 2 MiB: the granularity of physical allocation in CUDA
// (cuMemGetAllocationGranularity).

#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle {

class Footprint {
  public:
    static constexpr u32 kPageShift = 21;

    void touch(PhysAddr address) {
        const u64 page = address.v >> kPageShift;
        if (page == last_) return;
        last_ = page;
        const u64 word = page >> 6, bit = u64{1} << (page & 63);
        if (word >= used_.size()) used_.resize(word + 1);
        pages_ += (used_[word] & bit) == 0;
        used_[word] |= bit;
    }
    /// Adds what the other has touched.
    void merge(const Footprint& other) {
        if (used_.size() < other.used_.size()) used_.resize(other.used_.size());
        pages_ = 0;
        for (std::size_t k = 0; k < used_.size(); ++k) {
            if (k < other.used_.size()) used_[k] |= other.used_[k];
            pages_ += static_cast<u64>(std::popcount(used_[k]));
        }
    }
    u64 bytes() const { return pages_ << kPageShift; }

  private:
    std::vector<u64> used_;  // a bit a page
    u64 pages_ = 0, last_ = ~u64{0};
};

}  // namespace heddle
