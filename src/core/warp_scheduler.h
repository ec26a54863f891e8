#pragma once
// Policy point: which of the warps that could issue does. One object per scheduler. A policy is one file in
// src/core/policy.

#include <bit>
#include <span>

#include "config/policy.h"
#include "sim/types.h"

namespace heddle {

class WarpScheduler {
  public:
    virtual ~WarpScheduler() = default;
    /// One of the warps in `ready` (bit: warp slot of the SM), which is not 0. `waiting`: this scheduler's warps that
    /// wait for memory. Called once for each instruction issued.
    virtual u32 pick(u64 ready, u64 waiting) = 0;
    /// A warp began in this slot.
    virtual void on_launch(u32 /*warp*/) {}
};

struct WarpSchedulerContext {
    u32 warps = 0;             // warp slots of the SM
    u64 mine = 0;              // those that this scheduler owns
    std::span<const u64> age;  // by slot: order number of the warp's launch, smaller is older
};

/// The warp in `warps`, which is not 0, that was launched first.
inline u32 oldest(u64 warps, std::span<const u64> age) {
    u32 best = static_cast<u32>(std::countr_zero(warps));
    for (u64 rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
        const u32 w = static_cast<u32>(std::countr_zero(rest));
        if (age[w] < age[best]) best = w;
    }
    return best;
}

using WarpSchedulerPoint = config::PolicyPoint<WarpScheduler, const WarpSchedulerContext&>;
WarpSchedulerPoint& warp_schedulers();

}  // namespace heddle
