#pragma once
// How often L2 answers data and each level of page walks, over all slices of a GPU and by epochs of core cycles; for
// policies that treat them differently (MASK). One object a GPU; slices report to it in any order within a cycle.

#include <algorithm>
#include <array>

#include "mem/request.h"

namespace heddle {

class L2HitRates {
  public:
    static constexpr u32 kDepths = 8;  // Request::level: 0 is data
    struct Count {
        u64 accesses = 0, hits = 0;
    };

    void access(u32 depth, bool hit, u64 epoch) {
        roll(epoch);
        ++present_[depth].accesses;
        present_[depth].hits += hit;
    }
    /// What was counted in the epoch before this one.
    const Count& before(u32 depth, u64 epoch) {
        roll(epoch);
        return last_[depth];
    }

  private:
    using Counts = std::array<Count, kDepths>;

    void roll(u64 epoch) {
        if (epoch == epoch_) return;
        last_ = epoch == epoch_ + 1 ? present_ : Counts{};
        present_ = {};
        epoch_ = epoch;
    }

    Counts present_{}, last_{};
    u64 epoch_ = 0;
};

}  // namespace heddle
