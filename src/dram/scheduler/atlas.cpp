// ATLAS: applications with the least attained service first. Source: Kim et al., HPCA 2010.
//
// The order: requests that have waited longer than `starvation`, then the application's rank, then row hits, then age;
// rank decides among starving requests too. An application that was never served has a total of 0, the best rank. Service
// counts reads and writes. In a unified queue a write has its application's rank and starves like a read.

#include "config/schema.h"
#include "dram/scheduler/atlas_rank.h"
#include "dram/scheduler/exchange.h"
#include "dram/scheduler/queue_scheduler.h"
#include "dram/scheduler/service_meter.h"

namespace heddle::dram {

namespace {

struct AtlasSettings {
    u64 quantum = 10'000'000;
    u64 starvation = 100'000;
    u32 alpha = 875'000;
    static const config::Schema<AtlasSettings>& schema();
};

const config::Schema<AtlasSettings>& AtlasSettings::schema() {
    using config::Unit;
    static const auto s =
        config::Schema<AtlasSettings>("atlas", "adaptive per-thread least-attained-service scheduling")
            .key("quantum", &AtlasSettings::quantum,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "10000000",
                  .min = "1000",
                  .max = "1000000000000000",
                  .about = "time between rankings; for short runs, use a fiftieth of the run",
                  .source = "Kim et al., HPCA 2010"})
            .key("starvation", &AtlasSettings::starvation,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "100000",
                  .min = "1",
                  .max = "1000000000000000",
                  .about = "requests that wait longer go first, best rank first among them",
                  .source = "Kim et al., HPCA 2010"})
            .key("alpha", &AtlasSettings::alpha,
                 {.unit = Unit::ratio,
                  .def = "0.875",
                  .min = "0",
                  .max = "1",
                  .about = "weight of past quanta",
                  .source = "Kim et al., HPCA 2010"});
    return s;
}

class Atlas final : public QueueScheduler {
  public:
    using Settings = AtlasSettings;
    Atlas(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context),
          settings_(settings),
          meter_(context.resolved),
          exchange_(context, 1, 1),
          totals_(kApps),
          rank_(kApps),
          quantum_end_(settings.quantum) {
        board_.alarm = quantum_end_;
    }

    void on_command(const Issued& issued) override {
        meter_.on_command(issued);
        QueueScheduler::on_command(issued);
    }
    void on_message(const Message& message, Cycle) override {
        if (exchange_.on_message(message)) rank_anew();
    }
    std::span<const u16> ranks() const override { return rank_; }
    void step(Cycle now) override {
        if (now >= quantum_end_) {
            quantum_end_ += settings_.quantum;
            if (exchange_.report(meter_.take(), now)) rank_anew();
        }
        if (now >= starves_at_) find_starving(now);
        board_.alarm = std::min(quantum_end_, starves_at_);
    }

  private:
    static constexpr u32 kApps = 256;
    static constexpr u8 kStarving = 1;

    Rank rank(const Request& r, u8 tag) const override {
        return {static_cast<u16>((tag == kStarving ? 0 : kApps) + rank_[r.app]), 0};
    }
    /// Like a read of the best rank: while all are equal this is FR-FCFS, in drains too.
    Rank rank_of_drained() const override { return {kApps, 0}; }
    void arrived(const Request& r, Cycle) override {
        if (!ranked(r)) return;
        starves_at_ = std::min(starves_at_, r.arrived + settings_.starvation + 1);
        board_.alarm = std::min(board_.alarm, starves_at_);
    }
    void rank_anew() {
        const std::vector<u64> service = exchange_.take();
        for (u32 t = 0; t < totals_.size(); ++t)
            totals_[t] = smoothed_service(totals_[t], service[t], settings_.alpha);
        rank_ = least_first(totals_);
        rerank();
    }
    void find_starving(Cycle now) {
        starves_at_ = kNever;
        for (u32 bank = 0; bank < banks(); ++bank) {
            for (Entry& e : reads(bank)) {
                const Cycle at = e.request->arrived + settings_.starvation + 1;
                if (at <= now) {
                    e.tag = kStarving;
                } else {
                    starves_at_ = std::min(starves_at_, at);
                }
            }
        }
        rerank();
    }

    const Settings settings_;
    ServiceMeter meter_;
    Exchange exchange_;
    std::vector<u64> totals_;
    std::vector<u16> rank_;
    Cycle quantum_end_;
    Cycle starves_at_ = kNever;
};

const bool registered = schedulers().add<Atlas>(
    "atlas", "the application with the least attained service first", "Kim et al., HPCA 2010",
    "starvation + (Q + 2) R, with writes starvation + (Q + 2) (B + 3) R; starvation must be longer than "
    "that");

}  // namespace

}  // namespace heddle::dram
