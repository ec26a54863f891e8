#pragma once
// Which kernel did what to the memory system.
//
// Counters are kept by SM, slice and channel, and by application where a request knows its own, so kernels cost nothing
// there. The growth of an application's counters is settled when one of its kernels ends, and when one starts beside
// another:
//
//   - Of kernels that follow each other, each gets what was counted until its end. What is still in flight then
//     (writes) goes to the kernel that ends next, and after the last one to the last.
//   - Kernels of one application that overlap share what was counted while they did, in proportion to the warp
//     instructions that each issued in that time. Their records say so.
//   - Applications are told apart by the requests themselves.
//
// So an application's kernels always add up to what was counted of it.

#include <span>

#include "core/kernel_run.h"

namespace heddle {

class KernelAccount {
  public:
    /// `total`: all that has been counted of the application. What was added since the last call belongs to the
    /// kernels that `ran`; if none did, to the one that ended last.
    void settle(const MemoryCounts& total, std::span<KernelRun* const> ran);
    const MemoryCounts& settled() const { return settled_; }

  private:
    MemoryCounts settled_;
    KernelRun* last_ = nullptr;
};

}  // namespace heddle
