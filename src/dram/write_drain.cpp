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

DrainTurns::DrainTurns(const MemorySettings& settings)
    : rule_(make_write_drain(settings)), budget_(settings.write_budget), age_(settings.write_age) {}

void DrainTurns::went(bool write) {
    if (write && (drains_ || turn_ == Turn::writes)) ++spent_;
    if (turn_ == Turn::rule || write != (turn_ == Turn::writes) || --left_ != 0) return;
    if (write) {
        turn_ = Turn::reads;
        left_ = spent_;
    } else {
        turn_ = Turn::rule;
    }
    spent_ = 0;
}

bool DrainTurns::update(u32 reads, u32 writes, Cycle now) {
    drains_ = rule_->update(reads, writes);
    if (writes == 0) due_ = kNever;
    if (reads == 0 || writes == 0) {
        turn_ = Turn::rule;
        spent_ = 0;
        return drains_;
    }
    if (turn_ == Turn::rule && !drains_) {
        spent_ = 0;
        if (now > due_) {
            turn_ = Turn::writes;
            left_ = std::min(writes, budget_);
        }
    } else if (turn_ == Turn::rule && spent_ >= budget_) {
        turn_ = Turn::reads;
        left_ = budget_;
        spent_ = 0;
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
