// FR-FCFS: row hits first, then the oldest; fr-fcfs-cap: at most `cap` hits in a row while a conflict waits.
// Source: Rixner et al., ISCA 2000; cap: CMU-SAFARI/MemSchedSim.

#include "dram/scheduler/age_cap.h"
#include "dram/scheduler/bounds.h"
#include "dram/scheduler/queue_scheduler.h"

namespace heddle::dram {

namespace {

struct FrFcfsSettings {
    u64 age_cap = 0;
    static const config::Schema<FrFcfsSettings>& schema();
};

const config::Schema<FrFcfsSettings>& FrFcfsSettings::schema() {
    static const auto s =
        age_cap_key(config::Schema<FrFcfsSettings>("fr-fcfs", "first ready, first come, first served"));
    return s;
}

class FrFcfs final : public QueueScheduler {
  public:
    using Settings = FrFcfsSettings;
    FrFcfs(const Settings& settings, const SchedulerContext& context) : QueueScheduler(context) {
        use_plain_order(true);
        use_age_cap(settings.age_cap);
    }
};

struct FrFcfsCapSettings {
    u32 cap = 4;
    static const config::Schema<FrFcfsCapSettings>& schema();
};

const config::Schema<FrFcfsCapSettings>& FrFcfsCapSettings::schema() {
    static const auto s = config::Schema<FrFcfsCapSettings>("fr-fcfs-cap", "FR-FCFS with a cap on row hits")
                              .key("cap", &FrFcfsCapSettings::cap,
                                   {.def = "4",
                                    .min = "1",
                                    .about = "requests per activation after which hits lose their priority",
                                    .source = "CMU-SAFARI/MemSchedSim"});
    return s;
}

/// Counts, for each bank, the requests served since its row opened, the opener included.
class FrFcfsCap final : public QueueScheduler {
  public:
    using Settings = FrFcfsCapSettings;
    FrFcfsCap(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context), cap_(settings.cap), streak_(banks()) {
        use_plain_order(false);
    }

    void on_command(const Issued& issued) override {
        if (issued.kind == CommandKind::activate || issued.closes) streak_[issued.bank] = 0;
        if (issued.last) ++streak_[issued.bank];
        QueueScheduler::on_command(issued);
    }

  private:
    bool hits_first(u32 bank) const override { return streak_[bank] < cap_; }

    u32 cap_;
    std::vector<u32> streak_;
};

const bool registered =
    schedulers().add<FrFcfs>("fr-fcfs", "row hits first, then the oldest request", "Rixner et al., ISCA 2000",
                             kAgeCapBound) &&
    schedulers().add<FrFcfsCap>("fr-fcfs-cap", "FR-FCFS with at most `cap` requests per activation",
                                "CMU-SAFARI/MemSchedSim", "(cap Q + 2) R, with writes (cap Q + 2) (B + 3) R");

}  // namespace

}  // namespace heddle::dram
