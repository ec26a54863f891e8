// The TLB that all SMs of a GPU share, `ports` lookups a cycle, with the bypass cache beside it for what the fill policy
// does not admit. A hit is answered `latency` cycles after its lookup began; a miss is known then too. What is beside L1
// (`beside_l1`) answers in the lookups of the L1 TLBs, at once and to all of them.

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

    bool beside_l1() const override { return settings_.beside_l1 != BesideL1::none; }
    Mapping look(PageKey key, Cycle now) override {
        if (lookups_from_ > now) return {};
        bool bypassed = false;
        const Mapping found = find(key, settings_.beside_l1 == BesideL1::all, true, bypassed);
        if (!found.any()) return found;
        ++found_beside_;
        count(key.app(), true, bypassed, now);
        return found;
    }
    bool l1_keeps() const override { return settings_.hit_fills_l1; }

    std::string describe() const override { return fmt::format("{} lookups wait", waiting_.size()); }
    void check() const override {
        u64 accesses = 0;
        for (const SharedTlbStats& s : stats_) accesses += s.accesses;
        if (accesses != asked() + found_beside_)
            throw InvariantError(
                fmt::format("conservation: L2 TLB accesses ({}) differ from translations asked for ({}) or "
                            "found beside L1 ({})",
                            accesses, asked(), found_beside_));
    }

  private:
    void miss(const PageMiss& m, Cycle now) override {
        if (settings_.beside_l1 == BesideL1::all) {
            look_up_again(m, now);
            return;
        }
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
        bool bypassed = false;
        const Mapping found = find(m.key, true, settings_.beside_l1 == BesideL1::none, bypassed);
        count(m.key.app(), found.any(), bypassed, now);
        pass_on(m, found, known, now);
    }

    /// Its lookup was beside L1 and missed. Meanwhile it may have come.
    void look_up_again(const PageMiss& m, Cycle now) {
        bool bypassed = false;
        const Mapping found = lookups_from_ > now ? Mapping() : find(m.key, true, true, bypassed);
        count(m.key.app(), found.any(), bypassed, now);
        pass_on(m, found, std::max(m.at, now + 1), now);
    }

    Mapping find(PageKey key, bool in_tlb, bool in_bypass, bool& bypassed) {
        Mapping found = in_tlb ? tlb_.probe(key) : Mapping();
        if (!found.any() && in_bypass && bypass_used_) {
            found = bypass_.probe(key);
            bypassed = found.any();
        }
        return found;
    }

    void count(u8 app, bool hit, bool bypassed, Cycle now) {
        SharedTlbStats& stats = stats_[app];
        ++stats.accesses;
        stats.hits += hit;
        stats.bypass_hits += bypassed;
        fill_.on_access(app, hit, now);
    }

    void pass_on(const PageMiss& m, Mapping found, Cycle known, Cycle now) {
        if (found.any())
            reply({m.key, found, known, {&m, 1}, settings_.hit_fills_l1 ? L1Keep::yes : L1Keep::no}, now);
        else
            next().ask(m.starting(known), now);
    }

    void answer(const PageAnswer& a, Cycle now) override {
        requesters_.clear();
        for (const PageMiss& m : a.to)
            requesters_.push_back({static_cast<u16>(m.from), asker().waiting_warps(m)});
        const u8 app = a.key.app();
        PageAnswer to = a;
        if (fill_.fills(app, requesters_, a.at)) {
            insert(a.key, a.mapping, now);
        } else {
            bypass_.insert(a.key, a.mapping);
            bypass_used_ = true;
            ++stats_[app].bypass_fills;
            to.l1 = L1Keep::aside;
        }
        reply(to, now);
    }

    const L2TlbSettings settings_;
    TlbFillPolicy& fill_;
    std::vector<SharedTlbStats>& stats_;
    Tlb tlb_, bypass_;
    bool bypass_used_ = false;
    u64 found_beside_ = 0;    // in lookups of L1 TLBs
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
