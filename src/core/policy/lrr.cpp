// Loose round-robin: the next ready warp after the one that issued last.

#include <bit>

#include "core/warp_scheduler.h"

namespace heddle {
namespace {

class LooseRoundRobin final : public WarpScheduler {
  public:
    explicit LooseRoundRobin(const WarpSchedulerContext&) {}

    u32 pick(u64 ready, u64) override {
        const u64 after = last_ == 63 ? 0 : ready & ~u64{0} << (last_ + 1);
        last_ = static_cast<u32>(std::countr_zero(after != 0 ? after : ready));
        return last_;
    }

  private:
    u32 last_ = 63;
};

const bool registered =
    warp_schedulers().add<LooseRoundRobin>("lrr", "loose round-robin over the ready warps", "");

}  // namespace
}  // namespace heddle
