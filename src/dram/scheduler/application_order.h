#pragma once
// Schedulers of "Anatomy of GPU memory system for multi-application execution" (Jog et al., MEMSYS 2015). All serve row
// hits first, oldest first, whichever application they belong to. Where a bank has none, the request that opens its
// next row is the oldest of the application that goes first; a policy says which one that is (`set_ranks`).
//
// The source bounds no wait. `age_cap`, if given, does: a request that has waited longer goes before row hits.

#include <array>
#include <span>
#include <vector>

#include "dram/scheduler/age_cap.h"
#include "dram/scheduler/queue_scheduler.h"

namespace heddle::dram {

/// Application ids; the first goes first.
using AppOrder = std::vector<u8>;

class ApplicationOrder : public QueueScheduler {
  public:
    std::span<const u16> ranks() const override { return ranks_; }

  protected:
    static constexpr u32 kApps = 256;

    /// Applications go in the order of their ids. `age_cap` in clocks, 0: none. `keep_selected`: see QueueScheduler.
    ApplicationOrder(const SchedulerContext& context, u64 age_cap, bool keep_selected = false);

    /// Those in `first` in this order; all others after them, as equals.
    void set_ranks(std::span<const u8> first);
    /// From application `next` on, wrapping around after the last.
    void set_turn(u8 next);

  private:
    std::array<u16, kApps> ranks_{};
};

}  // namespace heddle::dram
