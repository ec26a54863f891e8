// PAR-BS: batches of marked requests; inside a batch row hits first, then threads with the shortest job.
// Source: Mutlu and Moscibroda, ISCA 2008. Per controller; ties by thread number, not at random.
//
// Batches are made of reads. In a unified queue a write is not marked and comes after the reads of every thread, so that
// marked reads go before it. Reads that keep coming would hold it back for ever: one that was there when a batch was formed
// is marked with the next, as one of at most Marking-Cap writes of its thread in its bank (choice).

#include "config/schema.h"
#include "dram/scheduler/par_bs_rank.h"
#include "dram/scheduler/queue_scheduler.h"

namespace heddle::dram {

namespace {

struct ParBsSettings {
    u32 marking_cap = 5;
    static const config::Schema<ParBsSettings>& schema();
};

const config::Schema<ParBsSettings>& ParBsSettings::schema() {
    static const auto s = config::Schema<ParBsSettings>("par-bs", "parallelism-aware batch scheduling")
                              .key("marking_cap", &ParBsSettings::marking_cap,
                                   {.def = "5",
                                    .min = "1",
                                    .max = "1000",
                                    .about = "requests of a thread in a bank that one batch includes",
                                    .source = "Mutlu and Moscibroda, ISCA 2008"});
    return s;
}

class ParBs final : public QueueScheduler {
  public:
    using Settings = ParBsSettings;
    ParBs(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context), cap_(settings.marking_cap), rank_(kThreads) {}

  private:
    static constexpr u32 kThreads = 256;
    static constexpr u8 kMarked = 1, kPassedOver = 2;
    static constexpr u16 kAfterAllReads = kThreads;

    Rank rank(const Request& r, u8 tag) const override {
        const u16 below = r.is_write() ? kAfterAllReads : u16{rank_[r.app]};
        return {static_cast<u16>(tag == kMarked ? 0 : 1), below};
    }
    void arrived(const Request& r, Cycle) override {
        if (marked_ == 0 && !r.is_write()) form_batch();
    }
    void served(const Request&, u8 tag, Cycle) override {
        if (tag == kMarked && --marked_ == 0) form_batch();
    }

    /// Marks the oldest requests of each thread in each bank and ranks the threads by what is marked.
    void form_batch() {
        std::vector<ThreadLoad> loads(kThreads);
        for (u32 bank = 0; bank < banks(); ++bank) {
            std::array<u32, kThreads> here{}, old_writes{};
            for (Entry& e : reads(bank)) {
                const bool write = e.request->is_write();
                if (write && e.tag != kPassedOver) {
                    e.tag = kPassedOver;
                    continue;
                }
                u32& taken = (write ? old_writes : here)[e.request->app];
                if (taken == cap_) continue;
                e.tag = kMarked;
                ++marked_;
                ++taken;
            }
            for (u32 t = 0; t < kThreads; ++t) loads[t].add_bank(here[t]);
        }
        if (marked_ == 0) return;
        const std::vector<u8> ranks = max_total_ranks(loads);
        rank_.assign(ranks.begin(), ranks.end());
        rerank();
    }

    u32 cap_;
    u32 marked_ = 0;
    std::vector<u8> rank_;
};

const bool registered = schedulers().add<ParBs>(
    "par-bs", "batches; within a batch row hits first, then the shortest job",
    "Mutlu and Moscibroda, ISCA 2008",
    "((2 + Q / marking_cap) Q + 2) R, with writes ((2 + Q / marking_cap) Q + 2) (B + 3) R");

}  // namespace

}  // namespace heddle::dram
