#pragma once
// Loads and atomics with a result (and stores that signal), from issue to their last data.

#include <algorithm>
#include <vector>

#include "core/kernel_run.h"
#include "core/sm_stats.h"

namespace heddle {

class FrontEnd;

struct Load {
    static constexpr u32 kNoGroup = ~u32{0};

    KernelRun* kernel = nullptr;
    u32 id = 0;  // its index, and above it how often the slot has been used: names it outside the SM
    u64 issued = 0;
    u64 last = 0;    // latest known arrival
    u32 pieces = 0;  // lines not yet arrived
    u32 static_index = 0;
    u32 requests = 0;  // lines after coalescing
    u32 edge = 0;      // edge+1 to signal when performed; 0: none
    u8 warp = 0;
    bool sent = false;     // the load/store unit has finished with it
    bool counts = true;    // enters the latency statistics (not prefetches, not stores that signal)
    u32 group = kNoGroup;  // of an asynchronous copy, among its warp's
    u32 touched = DivergenceMeter::kNone;  // its requests that DRAM has served
    u32 next_free = 0;
};

class LoadTable {
  public:
    LoadTable(LoadStats& stats, FrontEnd& warps) : stats_(stats), warps_(warps) {}

    /// The index of a new one, to be filled in.
    u32 take();
    Load& operator[](u32 index) { return loads_[index]; }
    const Load& operator[](u32 index) const { return loads_[index]; }
    static u32 index_of(u32 id) { return id & ((1u << kIndexBits) - 1); }

    /// One line has its data at cycle `at`.
    void piece_arrived(u32 index, u64 at, Cycle now) {
        Load& l = loads_[index];
        l.last = std::max(l.last, at);
        if (--l.pieces == 0 && l.sent) finish(index, now);
    }
    /// Every line has its outcome in L1.
    void all_sent(u32 index, Cycle now) {
        loads_[index].sent = true;
        if (loads_[index].pieces == 0) finish(index, now);
    }
    /// DRAM has served one of its requests, with data at cycle `at`.
    void served(u32 index, const Request& request, u64 at) {
        loads_[index].touched = divergence_.add(loads_[index].touched, request, at);
    }

  private:
    static constexpr u32 kIndexBits = 20;
    static constexpr u32 kNone = ~u32{0};

    void finish(u32 index, Cycle now);

    LoadStats& stats_;
    FrontEnd& warps_;
    std::vector<Load> loads_;
    u32 free_ = kNone;
    DivergenceMeter divergence_;
};

}  // namespace heddle
