#pragma once
// Sums over all controllers of a memory: at the end of a quantum each sends its counts to the others, and when all have
// done so each has the same totals. With a single controller the totals are available at once.

#include <vector>

#include "dram/scheduler.h"

namespace heddle::dram {

class Exchange {
  public:
    /// `columns` numbers for each of 256 applications; the messages take `latency` clocks.
    Exchange(const SchedulerContext& context, u32 columns, u64 latency)
        : network_(&context.network),
          others_(context.settings.channels - 1),
          latency_(latency),
          totals_(256 * columns) {}

    /// This controller's counts, application by application; true if the totals are complete.
    bool report(const std::vector<u64>& counts, Cycle now) {
        for (u32 k = 0; k < counts.size(); ++k) {
            totals_[k] += counts[k];
            if (counts[k] != 0 && others_ != 0)
                network_->send({0, kCount, k, quantum_, counts[k]}, now, latency_);
        }
        if (others_ != 0) network_->send({0, kEnd, 0, quantum_, 0}, now, latency_);
        reported_ = true;
        return heard_ == others_;
    }
    /// A peer's message; true if it completed the totals.
    bool on_message(const Message& m) {
        if (m.kind == kCount) totals_[m.word] += m.value;
        if (m.kind == kEnd) ++heard_;
        return reported_ && heard_ == others_;
    }
    /// The totals; begins the next quantum.
    std::vector<u64> take() {
        std::vector<u64> totals(totals_.size());
        totals.swap(totals_);
        reported_ = false;
        heard_ = 0;
        ++quantum_;
        return totals;
    }

  private:
    static constexpr u16 kCount = 1, kEnd = 2;
    Network* network_;
    u32 others_;
    u64 latency_;
    std::vector<u64> totals_;
    bool reported_ = false;
    u32 heard_ = 0;
    u64 quantum_ = 0;
};

}  // namespace heddle::dram
