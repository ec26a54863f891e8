// SBWAS: in each bank either the oldest row hit, or the request of the warp with the fewest left, weighted by `alpha`.
// Source: Lakshminarayana et al., IEEE CAL 2012; the weighing is a reconstruction, the paper's function is not public:
// the short warp goes iff alpha / (3 n_short) > (1 - alpha) / n_hit. Reads and writes are not separated.

#include "dram/scheduler/age_cap.h"
#include "dram/scheduler/command_queues.h"

namespace heddle::dram {

namespace {

struct SbwasSettings : CommandQueueSettings {
    u32 alpha = 500'000;
    u64 age_cap = 0;
    static const config::Schema<SbwasSettings>& schema();
};

const config::Schema<SbwasSettings>& SbwasSettings::schema() {
    static const auto s =
        age_cap_key(command_queue_key(config::Schema<SbwasSettings>(
                        "sbwas", "warp-aware scheduling, shortest warp or row hit")))
            .key("alpha", &SbwasSettings::alpha,
                 {.unit = config::Unit::ratio,
                  .def = "0.5",
                  .min = "0",
                  .max = "1",
                  .about = "weight of the warp with the fewest requests left, against a row hit",
                  .source = "0.25, 0.5 or 0.75 by application; Lakshminarayana et al., CAL 2012"});
    return s;
}

class Sbwas final : public CommandQueues {
  public:
    using Settings = SbwasSettings;
    Sbwas(const Settings& settings, const SchedulerContext& context)
        : CommandQueues(settings, context),
          alpha_(settings.alpha),
          age_cap_(settings.age_cap),
          lists_(banks()) {
        mix_writes();
    }
    void report(std::vector<PolicyCounter>& to) const override {
        to.push_back({"short_warps_first", "requests", short_});
        to.push_back({"hits_first", "requests", hits_});
    }

  private:
    static constexpr u64 kOne = 1'000'000;

    bool arrived(Request* r, Cycle) override {
        if (warp_of(*r) != nullptr) ++*warp_of(*r);
        lists_[r->bank].push_back({r, 0, r->row});
        with_.set(r->bank);
        return true;
    }
    BankMask wanted(Cycle) override { return with_; }
    Request* take(u32 bank, Cycle now) override {
        EntryList& list = lists_[bank];
        QueueEntry* best = list.begin();
        if (age_cap_ == 0 || now - best->request->arrived <= age_cap_) best = choose(list, last_row(bank));
        Request* r = best->request;
        list.erase(best);
        if (list.empty()) with_.clear(bank);
        return r;
    }
    QueueEntry* choose(EntryList& list, u32 open) {
        QueueEntry *hit = nullptr, *shortest = nullptr, *write = nullptr;
        u32 least = 0;
        for (QueueEntry& e : list) {
            if (e.row == open && hit == nullptr) hit = &e;
            if (e.request->is_write()) {
                if (write == nullptr) write = &e;
                continue;
            }
            const u32 n = left_of(*e.request);
            if (shortest != nullptr && n >= least) continue;
            shortest = &e;
            least = n;
        }
        if (hit == nullptr) {
            if (shortest == nullptr || (write != nullptr && write < shortest)) return write;
            return shortest;
        }
        if (shortest == nullptr || shortest->row == open) return shortest != nullptr ? shortest : hit;
        const u64 n_hit = hit->request->is_write() ? 1 : left_of(*hit->request);
        const bool prefer = u64{alpha_} * n_hit > (kOne - alpha_) * 3 * least;
        ++(prefer ? short_ : hits_);
        return prefer ? shortest : hit;
    }
    bool read_wants(u32 bank, u32 row) const override { return lists_[bank].has_row(row); }
    void on_command(const Issued& issued) override {
        if (issued.last && warp_of(*issued.request) != nullptr) --*warp_of(*issued.request);
        CommandQueues::on_command(issued);
    }

    /// Requests of the warp in this channel; null for one that no warp made.
    u32* warp_of(const Request& r) {
        if (r.is_write() || !r.has_unit() || r.load == Request::kNoLoad) return nullptr;
        const std::size_t k = std::size_t{r.origin.unit} * 256 + r.origin.slot;
        if (r.origin.device >= left_.size()) left_.resize(r.origin.device + 1u);
        std::vector<u32>& left = left_[r.origin.device];
        if (k >= left.size()) left.resize(k + 1);
        return &left[k];
    }
    u32 left_of(const Request& r) {
        const u32* n = warp_of(r);
        return n == nullptr ? 1 : *n;
    }

    const u32 alpha_;
    const u64 age_cap_;
    std::vector<EntryList> lists_;  // by bank, in arrival order
    BankMask with_;
    std::vector<std::vector<u32>> left_;  // by device, then SM and warp
    u64 short_ = 0, hits_ = 0;
};

const bool registered = schedulers().add<Sbwas>(
    "sbwas", "a row hit, or the warp with the fewest requests left, by weight",
    "Lakshminarayana et al., IEEE CAL 2012 (reconstruction)",
    "age_cap + (Q + D + 2) R, with writes age_cap + (Q + D + 2) (B + 3) R; none while age_cap is 0");

}  // namespace

}  // namespace heddle::dram
