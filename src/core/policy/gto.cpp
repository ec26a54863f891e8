// Greedy then oldest: the warp that issued last as long as it can, else the ready warp that was launched first.
// Source: Rogers et al., "Cache-Conscious Wavefront Scheduling", MICRO 2012, section 4.

#include "core/warp_scheduler.h"

namespace heddle {
namespace {

class GreedyThenOldest final : public WarpScheduler {
  public:
    explicit GreedyThenOldest(const WarpSchedulerContext& c) : age_(c.age) {}

    u32 pick(u64 ready, u64) override {
        if ((ready & greedy_) == 0) greedy_ = u64{1} << oldest(ready, age_);
        return static_cast<u32>(std::countr_zero(greedy_));
    }

    /// The slot's previous warp was the greedy one; the new one is not.
    void on_launch(u32 warp) override { greedy_ &= ~(u64{1} << warp); }

  private:
    std::span<const u64> age_;
    u64 greedy_ = 0;  // the bit of the warp that issued last, 0 if none
};

const bool registered = warp_schedulers().add<GreedyThenOldest>(
    "gto", "the last warp while it can issue, else the oldest", "Rogers et al., MICRO 2012, section 4");

}  // namespace
}  // namespace heddle
