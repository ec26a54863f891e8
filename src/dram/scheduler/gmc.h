#pragma once
// GMC: the throughput-optimized controller of today's GPUs. A bank goes on with the row it has, for at most `max_streak`
// requests; then the row of its oldest other request gets its turn. Source: Chatterjee et al., SC 2014.

#include "dram/scheduler/command_queues.h"

namespace heddle::dram {

struct GmcSettings : CommandQueueSettings {
    static const config::Schema<GmcSettings>& schema();
};

class Gmc : public CommandQueues {
  public:
    using Settings = GmcSettings;
    Gmc(const CommandQueueSettings& settings, const SchedulerContext& context)
        : CommandQueues(settings, context),
          reads_(banks(), settings.sorter_rows, settings.age_threshold.cycles_at(context.resolved.clock_hz),
                 settings.max_streak) {}

  protected:
    bool arrived(Request* read, Cycle) override {
        reads_.add(read);
        return true;
    }
    BankMask wanted(Cycle) override { return reads_.banks(); }
    RowStreams& streams() { return reads_; }

  private:
    Request* take(u32 bank, Cycle now) final { return reads_.take(bank, now, last_row(bank), streak(bank)); }
    bool read_wants(u32 bank, u32 row) const final { return reads_.wants(bank, row); }

    RowStreams reads_;
};

}  // namespace heddle::dram
