// Oldest first: always the ready warp that was launched first, whichever issued last.

#include "core/warp_scheduler.h"

namespace heddle {
namespace {

class OldestFirst final : public WarpScheduler {
  public:
    explicit OldestFirst(const WarpSchedulerContext& c) : age_(c.age) {}

    u32 pick(u64 ready, u64) override { return oldest(ready, age_); }

  private:
    std::span<const u64> age_;
};

const bool registered = warp_schedulers().add<OldestFirst>("oldest", "the oldest ready warp", "");

}  // namespace
}  // namespace heddle
