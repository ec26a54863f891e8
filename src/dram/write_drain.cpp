// watermark: a forced drain from above write_high down to write_low; an opportunistic one while no read
// waits. Source: Chatterjee et al., SC 2014, section on the GMC baseline; end of the opportunistic drain:
// choice.

#include "dram/write_drain.h"

#include <algorithm>

namespace heddle::dram {

namespace {

class Watermark final : public WriteDrain {
  public:
    explicit Watermark(const MemorySettings& s)
        : high_(s.drain_above()), low_(std::min(s.write_low, high_)) {}

    bool update(u32 reads, u32 writes) override {
        if (writes > high_) forced_ = true;
        if (writes <= low_) forced_ = false;
        return forced_ || (reads == 0 && writes > 0);
    }

  private:
    u32 high_, low_;
    bool forced_ = false;
};

const bool registered = write_drains().add<Watermark>(
    "watermark", "drains above the high watermark down to the low one, and while no read waits",
    "Chatterjee et al., SC 2014 (GMC)");

}  // namespace

WriteDrainPoint& write_drains() {
    static WriteDrainPoint point("write drain rule");
    return point;
}

std::unique_ptr<WriteDrain> make_write_drain(const MemorySettings& settings) {
    (void)registered;
    config::Choice choice = settings.drain;
    if (choice.name().empty()) choice.choose("watermark");
    return write_drains().make(choice, settings);
}

}  // namespace heddle::dram
