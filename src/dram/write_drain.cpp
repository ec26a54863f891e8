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
    "watermark", "drains from the high watermark down to the low one, and while no read waits",
    "Chatterjee et al., SC 2014 (GMC)");

}  // namespace

WriteDrainPoint& write_drains() {
    static WriteDrainPoint point("write drain rule");
    return point;
}

DrainTurns::DrainTurns(const MemorySettings& settings, u64 row_clocks)
    : rule_(make_write_drain(settings)),
      budget_(settings.write_budget),
      age_(settings.write_age),
      row_clocks_(row_clocks) {}

bool DrainTurns::update(u32 reads, u32 writes, Cycle now) {
    drains_ = rule_->update(reads, writes);
    if (writes == 0) due_ = kNever;
    if (reads == 0 || writes == 0) {
        give_up();
        return drains_;
    }
    if (turn_ != Turn::rule && left_ == 0 && now >= until_) {
        if (turn_ == Turn::writes)
            begin(Turn::reads, spent_, now);
        else
            give_up();
    }
    if (turn_ == Turn::rule) {
        if (!drains_) {
            spent_ = 0;
            if (now > due_) begin(Turn::writes, std::min(writes, budget_), now);
        } else if (spent_ >= budget_) {
            begin(Turn::reads, budget_, now);
        }
    }
    if (turn_ != Turn::rule) drains_ = turn_ == Turn::writes;
    return drains_;
}

std::unique_ptr<WriteDrain> make_write_drain(const MemorySettings& settings) {
    (void)registered;
    config::Choice choice = settings.drain;
    if (choice.name().empty()) choice.choose("watermark");
    return write_drains().make(choice, settings);
}

}  // namespace heddle::dram
