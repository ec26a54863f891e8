// BLISS: an application that was served too often in a row is put last for a while.
// Source: Subramanian et al., ICCD 2014. The request after `threshold` in a row blacklists (choice).
//
// Only reads count, and a write neither adds to a streak nor ends one (choice). In a unified queue a blacklisted
// application's writes go last too.

#include <bitset>

#include "dram/scheduler/age_cap.h"
#include "dram/scheduler/bounds.h"
#include "dram/scheduler/queue_scheduler.h"

namespace heddle::dram {

namespace {

struct BlissSettings {
    u32 threshold = 4;
    u64 clearing_interval = 10'000;
    u64 age_cap = 0;
    static const config::Schema<BlissSettings>& schema();
};

const config::Schema<BlissSettings>& BlissSettings::schema() {
    static const auto s =
        age_cap_key(config::Schema<BlissSettings>("bliss", "blacklisting memory scheduler"))
            .key("threshold", &BlissSettings::threshold,
                 {.def = "4",
                  .min = "1",
                  .about = "consecutive requests of one application before it is blacklisted",
                  .source = "Subramanian et al., ICCD 2014"})
            .key("clearing_interval", &BlissSettings::clearing_interval,
                 {.unit = config::Unit::cycles,
                  .clock = "dram",
                  .def = "10000",
                  .min = "1",
                  .max = "1000000000000000",
                  .about = "time between two clearings of all blacklist bits",
                  .source = "Subramanian et al., ICCD 2014"});
    return s;
}

class Bliss final : public QueueScheduler {
  public:
    using Settings = BlissSettings;
    Bliss(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context), settings_(settings) {
        use_age_cap(settings.age_cap);
    }

    /// The interval's end. While nobody is blacklisted there is nothing to clear and no alarm.
    void step(Cycle now) override {
        QueueScheduler::step(now);
        if (blacklist_.none()) return;
        if (now < clear_at_) {
            board_.alarm = std::min(board_.alarm, clear_at_);
            return;
        }
        blacklist_.reset();
        rerank();
    }

  private:
    Rank rank(const Request& r, u8) const override { return {static_cast<u16>(blacklist_[r.app]), 0}; }
    void served(const Request& r, u8, Cycle now) override {
        if (r.is_write()) return;
        if (r.app != last_) count_ = 0;
        last_ = r.app;
        if (++count_ <= settings_.threshold) return;
        count_ = 0;
        if (blacklist_[r.app]) return;
        if (blacklist_.none()) {
            clear_at_ = Cycle((now.v / settings_.clearing_interval + 1) * settings_.clearing_interval);
            board_.alarm = std::min(overdue_at(), clear_at_);
        }
        blacklist_.set(r.app);
        rerank();
    }

    const Settings settings_;
    std::bitset<256> blacklist_;
    u32 last_ = ~u32{0};
    u32 count_ = 0;
    Cycle clear_at_;
};

const bool registered =
    schedulers().add<Bliss>("bliss", "FR-FCFS, but applications served too many times in a row go last",
                            "Subramanian et al., ICCD 2014", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
