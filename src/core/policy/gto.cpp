// Greedy then oldest: the warp that issued last as long as it can, else the ready warp that was launched first.
// Source: Rogers et al., "Cache-Conscious Wavefront Scheduling", MICRO 2012, section 4.

#include "core/warp_scheduler.h"

namespace heddle {
namespace {

class GreedyThenOldest final : public WarpScheduler {
  public:
    explicit GreedyThenOldest(const WarpSchedulerContext& c) : age_(c.age) {}

    u32 pick(u64 ready, u64) override {
        if ((ready >> last_ & 1) != 0) return last_;
        return last_ = oldest(ready, age_);
    }

    /// The slot's former warp was the greedy one; the new one is not.
    void on_launch(u32 warp) override {
        if (warp == last_) last_ = 63;
    }

  private:
    std::span<const u64> age_;
    u32 last_ = 63;
};

const bool registered = warp_schedulers().add<GreedyThenOldest>(
    "gto", "the last warp while it can, else the oldest", "Rogers et al., MICRO 2012, section 4");

}  // namespace
}  // namespace heddle
