// TCM: threads that need little bandwidth first; the others take turns at the top. Source: Kim et al.,
// MICRO 2010. Instruction counts come with Channel::signals; a thread without one is bandwidth-sensitive.
//
// A thread that sent nothing in the last quantum has an MPKI of 0: it goes first, whatever it did before. Those of the
// others, their bank-level parallelism (mean banks of the whole memory that hold their requests, over all samples of the
// quantum) and their row locality are smoothed over quanta; bandwidth is the last quantum's.
//
// What is measured and ranked is reads; in a unified queue writes too, which have their thread's rank. Bandwidth counts
// the writes of both forms of queue.

#include <algorithm>

#include "dram/scheduler/age_cap.h"
#include "dram/scheduler/bounds.h"
#include "dram/scheduler/exchange.h"
#include "dram/scheduler/queue_scheduler.h"
#include "dram/scheduler/service_meter.h"
#include "dram/scheduler/tcm_rank.h"
#include "sim/random.h"
#include "sim/rates.h"

namespace heddle::dram {

namespace {

struct TcmSettings {
    u64 quantum = 1'000'000;
    u32 cluster_threshold = 166'667;
    u64 shuffle_interval = 800;
    u32 shuffle_threshold = 100'000;
    u64 sample_interval = 1'000;
    u32 alpha = 875'000;
    u64 seed = 1;
    u64 age_cap = 0;
    static const config::Schema<TcmSettings>& schema();
};

constexpr const char* kLongest = "1000000000000000";

const config::Schema<TcmSettings>& TcmSettings::schema() {
    using config::Unit;
    static const auto s =
        age_cap_key(config::Schema<TcmSettings>("tcm", "thread cluster memory scheduling"))
            .key("quantum", &TcmSettings::quantum,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "1000000",
                  .min = "1000",
                  .max = kLongest,
                  .about = "time between clusterings",
                  .source = "Kim et al., MICRO 2010"})
            .key("cluster_threshold", &TcmSettings::cluster_threshold,
                 {.unit = Unit::ratio,
                  .def = "0.166667",
                  .min = "0",
                  .max = "1",
                  .about = "share of the bandwidth that the latency-sensitive cluster may use",
                  .source = "4/24, Kim et al., MICRO 2010"})
            .key("shuffle_interval", &TcmSettings::shuffle_interval,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "800",
                  .min = "1",
                  .max = kLongest,
                  .about = "time between shuffles",
                  .source = "Kim et al., MICRO 2010"})
            .key("shuffle_threshold", &TcmSettings::shuffle_threshold,
                 {.unit = Unit::ratio,
                  .def = "0.1",
                  .min = "0",
                  .max = "1",
                  .about = "spread of bank parallelism and row locality above which insertion shuffle is "
                           "used; random shuffle below",
                  .source = "Kim et al., MICRO 2010"})
            .key("sample_interval", &TcmSettings::sample_interval,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "1000",
                  .min = "1",
                  .max = kLongest,
                  .about = "sampling period of bank-level parallelism",
                  .source = "CMU-SAFARI/MemSchedSim"})
            .key("alpha", &TcmSettings::alpha,
                 {.unit = Unit::ratio,
                  .def = "0.875",
                  .min = "0",
                  .max = "0.999",
                  .about = "weight of past quanta in MPKI, bank-level parallelism and row locality; 0: only "
                           "the last quantum",
                  .source = "CMU-SAFARI/MemSchedSim; 0.5 in its sample for TCM"})
            .key("seed", &TcmSettings::seed, {.def = "1", .about = "seed of the random shuffle"});
    return s;
}

class Tcm final : public QueueScheduler {
  public:
    using Settings = TcmSettings;
    Tcm(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context),
          settings_(settings),
          meter_(context.resolved),
          exchange_(context, kColumns, 1),
          counts_(kApps * kColumns),
          instructions_(kApps),
          last_instructions_(kApps),
          history_(kApps),
          shadow_row_(kApps * banks(), kNoRow),
          rank_(kApps),
          quantum_end_(settings.quantum),
          shuffle_at_(kNever),
          sample_at_(settings.sample_interval) {
        use_age_cap(settings.age_cap);
        set_alarm();
    }

    /// While nothing waits there are no samples to take, and shuffles are made up for later.
    void accept(Request* request, Cycle now) override {
        if (waiting_reads() == 0) {
            if (now >= sample_at_)
                sample_at_ = Cycle((now.v / settings_.sample_interval + 1) * settings_.sample_interval);
            shuffle_until(now);
        }
        QueueScheduler::accept(request, now);
        set_alarm();
    }
    void on_command(const Issued& issued) override {
        meter_.on_command(issued);
        QueueScheduler::on_command(issued);
    }
    u64 epoch_cycles() const override { return settings_.quantum; }
    void signals(std::span<const AppSignals> apps, Cycle) override {
        for (std::size_t k = 0; k < apps.size() && k < kApps; ++k) instructions_[k] = apps[k].instructions;
    }
    void on_message(const Message& message, Cycle now) override {
        if (exchange_.on_message(message)) rank_anew(now);
    }
    std::span<const u16> ranks() const override { return rank_; }
    void step(Cycle now) override {
        QueueScheduler::step(now);
        if (waiting_reads() != 0 && now >= sample_at_) sample();
        if (now >= quantum_end_) {
            quantum_end_ += settings_.quantum;
            const std::vector<u64> service = meter_.take();
            for (u32 t = 0; t < kApps; ++t) counts_[t * kColumns + kService] = service[t];
            std::vector<u64> counts(counts_.size());
            counts.swap(counts_);
            if (exchange_.report(counts, now)) rank_anew(now);
        }
        if (waiting_reads() != 0) shuffle_until(now);
        set_alarm();
    }

  private:
    static constexpr u32 kApps = 256;
    enum Column : u32 { kService, kRequests, kHits, kBanks, kColumns };
    struct History {
        SmoothedMean mpki, blp, rbl;
    };

    u64& count(u32 app, Column c) { return counts_[app * kColumns + c]; }
    void set_alarm() {
        board_.alarm =
            std::min(overdue_at(),
                     waiting_reads() != 0 ? std::min({quantum_end_, shuffle_at_, sample_at_}) : quantum_end_);
    }

    Rank rank(const Request& r, u8) const override { return {rank_[r.app], 0}; }
    /// Row locality as if the application had the bank to itself.
    void arrived(const Request& r, Cycle) override {
        if (!ranked(r)) return;
        ++count(r.app, kRequests);
        u32& row = shadow_row_[r.app * banks() + r.bank];
        if (row == r.row) ++count(r.app, kHits);
        row = r.row;
    }
    void sample() {
        sample_at_ += settings_.sample_interval;
        std::array<u32, kApps> with{};
        for (u32 bank = 0; bank < banks(); ++bank) {
            std::array<bool, kApps> here{};
            for (const Entry& e : reads(bank)) here[e.request->app] = true;
            for (u32 t = 0; t < kApps; ++t) with[t] += here[t];
        }
        for (u32 t = 0; t < kApps; ++t) count(t, kBanks) += with[t];
    }
    /// Of the quantum that has ended, those that sent a request in it.
    std::vector<ThreadProfile> profiles(const std::vector<u64>& total) {
        const u64 end = quantum_end_.v - settings_.quantum, interval = settings_.sample_interval;
        const u64 samples = end / interval - (end - settings_.quantum) / interval;
        std::vector<ThreadProfile> threads;
        for (u32 t = 0; t < kApps; ++t) {
            const u64* c = &total[t * kColumns];
            const u64 instructions = instructions_[t] - last_instructions_[t];
            last_instructions_[t] = instructions_[t];
            History& past = history_[t];
            if (instructions != 0)
                past.mpki.add(mpki(c[kRequests], instructions).in(1'000'000), settings_.alpha);
            if (c[kRequests] == 0) continue;
            if (samples != 0) past.blp.add(c[kBanks] * 1'000'000 / samples, settings_.alpha);
            past.rbl.add(c[kHits] * 1'000'000 / c[kRequests], settings_.alpha);
            threads.push_back({t, instructions == 0 ? kUnknownMpki : past.mpki.value(), c[kService],
                               past.blp.value(), past.rbl.value()});
        }
        return threads;
    }
    void rank_anew(Cycle now) {
        shuffle_until(now);
        const Clusters clusters = cluster(profiles(exchange_.take()), settings_.cluster_threshold);
        latency_.clear();
        for (const ThreadProfile& t : clusters.latency) latency_.push_back(t.id);
        order_ = by_niceness(clusters.bandwidth);
        insertion_ =
            differ(clusters.bandwidth, banks() * context_.settings.channels, settings_.shuffle_threshold);
        step_ = 0;
        shuffle_at_ = order_.size() > 1 ? now + settings_.shuffle_interval : kNever;
        assign();
        set_alarm();
    }
    /// Both shuffles depend on the time and the seed alone, so that the orders of all controllers agree.
    void shuffle_until(Cycle now) {
        if (now < shuffle_at_) return;
        const u64 steps = (now - shuffle_at_) / settings_.shuffle_interval + 1;
        shuffle_at_ += steps * settings_.shuffle_interval;
        if (insertion_) {
            // After 2n steps the order is what it was.
            for (u64 k = steps % (2 * order_.size()); k > 0; --k) insertion_shuffle(order_, step_++);
        } else {
            std::sort(order_.begin(), order_.end());
            // Of seed 1 the time alone.
            Random random(shuffle_at_.v ^ mix64(settings_.seed) ^ mix64(1), "tcm");
            for (std::size_t k = order_.size(); k > 1; --k)
                std::swap(order_[k - 1], order_[random.next() % k]);
        }
        assign();
    }
    /// Threads that sent nothing, latency-sensitive threads, then the others from the top of the order.
    void assign() {
        std::fill(rank_.begin(), rank_.end(), u16{0});
        u16 next = 1;
        for (u32 t : latency_) rank_[t] = next++;
        for (std::size_t k = order_.size(); k-- > 0;) rank_[order_[k]] = next++;
        rerank();
    }
    const Settings settings_;
    ServiceMeter meter_;
    Exchange exchange_;
    std::vector<u64> counts_, instructions_, last_instructions_;
    std::vector<History> history_;
    std::vector<u32> shadow_row_;
    std::vector<u16> rank_;
    std::vector<u32> latency_, order_;
    bool insertion_ = false;
    u64 step_ = 0;
    Cycle quantum_end_, shuffle_at_, sample_at_;
};

const bool registered =
    schedulers().add<Tcm>("tcm", "threads that need little bandwidth first; the others take turns",
                          "Kim et al., MICRO 2010", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
