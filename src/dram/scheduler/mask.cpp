// MASK-DRAM: page walks first, then data of the application whose turn it is, then other data.
// Source: Ausavarungnirun, PhD thesis, CMU 2017, ch. 6 (Ausavarungnirun et al., ASPLOS 2018), address-space-aware DRAM
// scheduler.
//
// Three queues. Golden: all reads of page walks; in its bank none overtakes another, nor does a row hit of other queues.
// Silver: data of the application whose turn it is (silver_turns.h), until it is full. Normal: all other data. Silver
// goes before normal, each is FR-FCFS in itself. Priority holds among requests of one bank, and among commands that can
// issue in the same clock: a bank without golden requests is not held up by those of others (choice). A request that
// finds its queue full is not accepted.
//
// Writes, also write-backs, are data of their application. With `queues: unified` they take entries of silver and normal
// like reads. With `queues: separate` they wait in the write queue, know no class, use up no quota and are drained as
// under any other scheduler: a drain delays golden requests too.

#include "config/schema.h"
#include "dram/scheduler/application_windows.h"
#include "dram/scheduler/bounds.h"
#include "dram/scheduler/queue_scheduler.h"
#include "dram/scheduler/silver_turns.h"
#include "dram/setting_error.h"

namespace heddle::dram {

namespace {

enum class InnerOrder : u8 { fr_fcfs, weis };

struct MaskSettings {
    u32 golden = 16, silver = 64, normal = 192;
    u32 thresh_max = 500;
    u64 idle_turn = 10'000;
    InnerOrder order = InnerOrder::fr_fcfs;
    u64 window = 1024;
    u64 age_cap = 0;
    static const config::Schema<MaskSettings>& schema();
};

constexpr const char* kThesis = "Ausavarungnirun, PhD thesis, CMU 2017, ch. 6";

const config::Schema<MaskSettings>& MaskSettings::schema() {
    using S = MaskSettings;
    static const auto s = window_keys(
        config::Schema<S>("mask", "MASK: address-space-aware DRAM scheduler")
            .key("golden", &S::golden,
                 {.def = "16",
                  .min = "1",
                  .max = "65536",
                  .about = "entries of the page-walk queue, which is first in, first out in each bank",
                  .source = kThesis})
            .key("silver", &S::silver,
                 {.def = "64",
                  .min = "1",
                  .max = "65536",
                  .about = "entries for data of the application whose turn it is",
                  .source = kThesis})
            .key("normal", &S::normal,
                 {.def = "192",
                  .min = "1",
                  .max = "65536",
                  .about = "entries for all other data; with silver they replace read_queue",
                  .source = kThesis})
            .key("thresh_max", &S::thresh_max,
                 {.def = "500",
                  .min = "1",
                  .max = "1000000000",
                  .about = "silver requests divided among applications per round of turns, by walks x "
                           "stalled warps",
                  .source = kThesis})
            .key("idle_turn", &S::idle_turn,
                 {.unit = config::Unit::cycles,
                  .clock = "dram",
                  .def = "10000",
                  .min = "1",
                  .max = "1000000000",
                  .about = "an application that puts nothing into silver for this long loses its turn",
                  .source = "choice: the source does not say what an idle owner does"})
            .one_of(
                "order", &S::order,
                {{"fr-fcfs", InnerOrder::fr_fcfs, "row hits, then the oldest"},
                 {"weis", InnerOrder::weis,
                  "row hits by age, then the application that moved the fewest bursts in the last window"}},
                {.def = "fr-fcfs",
                 .about = "order within silver and within normal; weis measures over `window`",
                 .source = kThesis}));
    return s;
}

class Mask final : public QueueScheduler {
  public:
    using Settings = MaskSettings;

    Mask(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context),
          settings_(settings),
          writes_apart_(context.settings.queues == QueueForm::separate),
          room_{settings.golden, settings.silver, settings.normal},
          turns_(settings.thresh_max, settings.idle_turn, context.pressure) {
        if (context.settings.cpu_reserve != 0)
            throw SettingError({"cpu_reserve", "scheduler"},
                               "the queues of scheduler mask reserve no entries for CPUs");
        order_misses_by_application(ranks_.data());
        use_age_cap(settings.age_cap);
    }

    void applications(u32 count) override { turns_.applications(count); }
    bool can_accept(const Request& r) const override {
        if (apart(r)) return QueueScheduler::can_accept(r);
        if (r.cls == RequestClass::page_walk) return has_room(kGolden);
        return (turns_.owns(r.app) && has_room(kSilver)) || has_room(kNormal);
    }
    void on_command(const Issued& issued) override {
        if (settings_.order == InnerOrder::weis && moves_data(issued)) ++bursts_[issued.request->app];
        QueueScheduler::on_command(issued);
    }

    u64 epoch_cycles() const override { return settings_.order == InnerOrder::weis ? settings_.window : 0; }
    bool epoch_in_core_cycles() const override { return true; }
    void signals(std::span<const AppSignals> apps, Cycle) override {
        while (order_.size() < apps.size()) order_.push_back(static_cast<u8>(order_.size()));
        windows_.resize(apps.size());
        for (std::size_t a = 0; a < apps.size(); ++a) windows_[a].bursts = bursts_[a];
        bursts_.fill(0);
        order_by_bursts(order_, windows_);
        for (std::size_t k = 0; k < order_.size(); ++k) ranks_[order_[k]] = static_cast<u16>(k);
        reorder();
    }

    void report(std::vector<PolicyCounter>& to) const override {
        to.push_back({"golden_requests", "requests", served_[kGolden].requests});
        to.push_back({"silver_requests", "requests", served_[kSilver].requests});
        to.push_back({"normal_requests", "requests", served_[kNormal].requests});
        to.push_back({"golden_wait_cycles", "cycles", served_[kGolden].wait_cycles});
        to.push_back({"silver_wait_cycles", "cycles", served_[kSilver].wait_cycles});
        to.push_back({"normal_wait_cycles", "cycles", served_[kNormal].wait_cycles});
        to.push_back({"silver_full", "requests", silver_full_});
        to.push_back({"turns", "turns", turns_.begun()});
        to.push_back({"idle_turns", "turns", turns_.lost()});
    }
    void report_app(u8 app, std::vector<PolicyCounter>& to) const override {
        const SilverTurns::Share share = turns_.share(app);
        to.push_back({"silver_requests", "requests", silver_of_app_[app]});
        to.push_back({"normal_requests", "requests", normal_of_app_[app]});
        to.push_back({"turns", "turns", share.turns});
        to.push_back({"quotas", "requests", share.quotas});
    }

  private:
    enum Class : u8 { kGolden, kSilver, kNormal, kWrite };
    struct Served {
        u64 requests = 0, wait_cycles = 0;  // to the last column command
    };

    bool apart(const Request& r) const { return writes_apart_ && r.is_write(); }
    bool has_room(Class c) const { return occupied_[c] < room_[c]; }

    u8 enlist(const Request& r, Cycle now) override {
        if (apart(r)) return kWrite;
        const Class c = r.cls == RequestClass::page_walk ? kGolden : class_of_data(r, now);
        ++occupied_[c];
        return c;
    }
    Class class_of_data(const Request& r, Cycle now) {
        const u64 turns = turns_.begun();
        turns_.arrives(r.app, now);
        const bool owner = turns_.owns(r.app), silver = owner && has_room(kSilver);
        if (silver)
            turns_.insert(now);
        else if (owner)
            ++silver_full_;
        ++(silver ? silver_of_app_ : normal_of_app_)[r.app];
        // What a full normal queue has refused may now be silver.
        if (turns_.begun() != turns) ++board_.room_events;
        return silver ? kSilver : kNormal;
    }
    Rank rank(const Request&, u8 tag) const override { return {tag, 0, tag == kGolden}; }
    void released(const Request&, u8 tag) override {
        if (tag != kWrite) --occupied_[tag];
    }
    void served(const Request& r, u8 tag, Cycle now) override {
        if (tag == kWrite) return;
        ++served_[tag].requests;
        served_[tag].wait_cycles += now - r.arrived;
    }

    const Settings settings_;
    const bool writes_apart_;
    const std::array<u32, 3> room_;
    std::array<u32, 3> occupied_{};
    SilverTurns turns_;

    AppOrder order_;  // of weis
    std::vector<AppWindow> windows_;
    std::array<u16, 256> ranks_{};
    std::array<u64, 256> bursts_{};

    std::array<Served, 3> served_{};
    std::array<u64, 256> silver_of_app_{}, normal_of_app_{};
    u64 silver_full_ = 0;
};

const bool registered = schedulers().add<Mask>(
    "mask", "page walks, then data of the application whose turn it is, then other data",
    "Ausavarungnirun, PhD thesis, CMU 2017, ch. 6", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
