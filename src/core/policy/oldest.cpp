// Oldest first: always the ready warp that was launched first, whichever issued last.

#include <bit>

#include "core/warp_scheduler.h"

namespace heddle {
namespace {

class OldestFirst final : public WarpScheduler {
  public:
    explicit OldestFirst(const WarpSchedulerContext& c) : age_(c.age) {}

    u32 pick(u64 ready, u64) override {
        u32 oldest = static_cast<u32>(std::countr_zero(ready));
        for (u64 rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
            const u32 w = static_cast<u32>(std::countr_zero(rest));
            if (age_[w] < age_[oldest]) oldest = w;
        }
        return oldest;
    }

  private:
    std::span<const u64> age_;
};

const bool registered = warp_schedulers().add<OldestFirst>("oldest", "the oldest ready warp", "");

}  // namespace
}  // namespace heddle
