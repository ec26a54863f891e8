// GMC: the throughput-optimised controller of today's GPUs. A bank goes on with the row it has, for at most `max_streak`
// requests; then the row of its oldest other request gets its turn. Source: Chatterjee et al., SC 2014.

#include "dram/scheduler/command_queues.h"

namespace heddle::dram {

namespace {

struct GmcSettings : CommandQueueSettings {
    static const config::Schema<GmcSettings>& schema();
};

const config::Schema<GmcSettings>& GmcSettings::schema() {
    static const auto s =
        command_queue_keys(config::Schema<GmcSettings>("gmc", "throughput-optimised controller"));
    return s;
}

class Gmc final : public CommandQueues {
  public:
    using Settings = GmcSettings;
    Gmc(const Settings& settings, const SchedulerContext& context)
        : CommandQueues(settings, context),
          reads_(banks(), settings.sorter_rows, settings.age_threshold.cycles_at(context.resolved.clock_hz),
                 settings.max_streak) {}

  private:
    void arrived(Request* read, Cycle) override { reads_.add(read); }
    BankMask wanted(Cycle) override { return reads_.banks(); }
    Request* take(u32 bank, Cycle now) override {
        return reads_.take(bank, now, last_row(bank), streak(bank));
    }
    bool read_wants(u32 bank, u32 row) const override { return reads_.wants(bank, row); }

    RowStreams reads_;
};

const bool registered = schedulers().add<Gmc>(
    "gmc", "row streams of limited length to command queues of the banks, writes drained",
    "Chatterjee et al., SC 2014");

}  // namespace

}  // namespace heddle::dram
