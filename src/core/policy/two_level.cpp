// Two-level: round-robin inside a small active set; a warp that waits for memory leaves the set and the oldest
// ready pending warp takes its place.
// Source: Gebhart et al., "Energy-efficient Mechanisms for Managing Thread Context in Throughput Processors",
// ISCA 2011, section 3.1.

#include <bit>

#include "config/schema.h"
#include "core/warp_scheduler.h"

namespace heddle {
namespace {

struct TwoLevelSettings {
    u32 active = 8;

    static const config::Schema<TwoLevelSettings>& schema() {
        static const auto s = config::Schema<TwoLevelSettings>("two_level", "two-level warp scheduler")
                                  .key("active", &TwoLevelSettings::active,
                                       {.def = "8",
                                        .min = "1",
                                        .max = "64",
                                        .about = "warps per scheduler in the active set",
                                        .source = "Gebhart et al., ISCA 2011"});
        return s;
    }
};

class TwoLevel final : public WarpScheduler {
  public:
    using Settings = TwoLevelSettings;
    TwoLevel(const TwoLevelSettings& s, const WarpSchedulerContext& c) : size_(s.active), age_(c.age) {}

    u32 pick(u64 ready, u64 waiting) override {
        active_ &= ~waiting;
        for (u64 pending = ready & ~active_;
             pending != 0 && static_cast<u32>(std::popcount(active_)) < size_;) {
            const u32 w = oldest(pending, age_);
            pending &= ~(u64{1} << w);
            active_ |= u64{1} << w;
        }
        // If no active warp is ready, the set gives a place to one that is, so that no issue slot is wasted.
        u64 candidates = ready & active_;
        if (candidates == 0) candidates = ready;
        const u64 after = last_ == 63 ? 0 : candidates & ~u64{0} << (last_ + 1);
        last_ = static_cast<u32>(std::countr_zero(after != 0 ? after : candidates));
        return last_;
    }

    void on_launch(u32 warp) override { active_ &= ~(u64{1} << warp); }

  private:
    u32 size_;
    std::span<const u64> age_;
    u64 active_ = 0;
    u32 last_ = 63;
};

const bool registered = warp_schedulers().add<TwoLevel>(
    "two_level", "round-robin in a small active set, refilled when a warp waits for memory",
    "Gebhart et al., ISCA 2011");

}  // namespace
}  // namespace heddle
