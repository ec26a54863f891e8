// The TLB that all SMs of a GPU share, `ports` lookups a cycle, with the bypass cache beside it for what the fill policy
// does not admit. A hit is answered `latency` cycles after its lookup began; a miss is known then too.

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/ring.h"
#include "vm/fill_policy.h"
#include "vm/node.h"
#include "vm/settings.h"
#include "vm/tlb.h"
#include "vm/translation_stats.h"

namespace heddle {
namespace {

class L2Tlb final : public TranslationNode {
  public:
    explicit L2Tlb(const TranslationNodeContext& c)
        : TranslationNode(c),
          settings_(c.settings->l2_tlb),
          fill_(*c.fill),
          stats_(c.counts->apps),
          tlb_(settings_.entries, settings_.ways),
          bypass_(settings_.bypass_entries, 0) {}

    bool steps() const override { return true; }
    void step(Cycle now) override {
        while (!waiting_.empty() && waiting_.front().at <= now && port_free(now))
            look_up(waiting_.pop(), now);
        due_at(waiting_.empty() ? kNever : std::max({waiting_.front().at, lookups_from_, now + 1}));
    }

    Mapping probe(PageKey key) override {
        const Mapping m = tlb_.find(key);
        return m.any() ? m : bypass_.find(key);
    }
    void insert(PageKey key, Mapping mapping, Cycle now) override {
        const Tlb::Entry victim = tlb_.insert(key, mapping);
        if (victim.key.any()) next().evicted(victim.key, victim.mapping, now);
    }
    void remove(const PageSet& pages, Cycle now) override {
        auto gone = [&](PageKey key) { return pages.holds(key); };
        tlb_.remove_if(gone);
        bypass_.remove_if(gone);
        lookups_from_ = std::max(lookups_from_, now + settings_.invalidate.v);
    }

    std::string describe() const override { return fmt::format("{} lookups wait", waiting_.size()); }
    void check() const override {
        u64 accesses = 0;
        for (const SharedTlbStats& s : stats_) accesses += s.accesses;
        if (accesses != asked())
            throw InvariantError(
                fmt::format("conservation: L2 TLB accesses ({}) differ from translations asked for ({})",
                            accesses, asked()));
    }

  private:
    void miss(const PageMiss& m, Cycle now) override {
        if (waiting_.empty() && m.at <= now && port_free(now)) {
            look_up(m, now);
            return;
        }
        waiting_.push_by_time(m);
        wake(std::max({m.at, lookups_from_, now + 1}));
    }

    bool port_free(Cycle now) {
        if (now != ports_of_) {
            ports_of_ = now;
            ports_left_ = settings_.ports;
        }
        return ports_left_ != 0 && lookups_from_ <= now;
    }

    void look_up(const PageMiss& m, Cycle now) {
        --ports_left_;
        const Cycle known = now + settings_.latency.v;
        const u8 app = m.key.app();
        Mapping found = tlb_.probe(m.key);
        bool bypassed = false;
        if (!found.any() && bypass_used_) {
            found = bypass_.probe(m.key);
            bypassed = found.any();
        }
        SharedTlbStats& stats = stats_[app];
        ++stats.accesses;
        stats.hits += found.any();
        stats.bypass_hits += bypassed;
        fill_.on_access(app, found.any(), now);
        if (found.any())
            reply({m.key, found, known, {&m, 1}}, now);
        else
            next().ask({known, m.key, m.from, m.level}, now);
    }

    void answer(const PageAnswer& a, Cycle now) override {
        requesters_.clear();
        for (const PageMiss& m : a.to)
            requesters_.push_back({static_cast<u16>(m.from), asker().waiting_warps(m)});
        const u8 app = a.key.app();
        if (fill_.fills(app, requesters_, a.at)) {
            insert(a.key, a.mapping, now);
        } else {
            bypass_.insert(a.key, a.mapping);
            bypass_used_ = true;
            ++stats_[app].bypass_fills;
        }
        reply(a, now);
    }

    const L2TlbSettings settings_;
    TlbFillPolicy& fill_;
    std::vector<SharedTlbStats>& stats_;
    Tlb tlb_, bypass_;
    bool bypass_used_ = false;
    Ring<PageMiss> waiting_;  // for a port
    Cycle lookups_from_{0};   // none earlier
    Cycle ports_of_ = kNever;
    u32 ports_left_ = 0;
    std::vector<FillRequester> requesters_;
};

const bool l2_tlb_registered =
    translation_nodes().add<L2Tlb>("l2_tlb", "one TLB for all SMs", "Power et al., HPCA 2014");

}  // namespace
}  // namespace heddle
