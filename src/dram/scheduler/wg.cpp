// WG: the complete group with the smallest score goes next. Source: Chatterjee et al., SC 2014; the sum over a group's
// requests in a bank, aging and the last ties are choices.

#include "dram/scheduler/wg.h"

#include "dram/scheduler/bounds.h"

namespace heddle::dram {

const config::Schema<WgSettings>& WgSettings::schema() {
    static const auto s = wg_keys(config::Schema<WgSettings>("wg", "warp-group scheduling"));
    return s;
}

/// One pass over all waiting reads.
void Wg::estimate_all() {
    for (const u16 g : active()) estimates_[g] = Sum{};
    banks_with_reads().each([&](u32 bank) {
        const u32 queue = queue_score(bank), open = last_row(bank);
        for (const QueueEntry& e : reads(bank)) add(estimates_[group_of(e)], e, bank, queue, open);
    });
}

Wg::Estimate Wg::estimate_of(u16 g) const {
    Sum sum;
    banks_with_reads().each([&](u32 bank) {
        const u32 queue = queue_score(bank), open = last_row(bank);
        for (const QueueEntry& e : reads(bank))
            if (group_of(e) == g) add(sum, e, bank, queue, open);
    });
    return sum;
}

Wg::Estimate Wg::estimate(GroupKey key) const {
    const u16 g = find(key.packed());
    return g == kNone ? Estimate{} : estimate_of(g);
}

u16 Wg::coordinated_score(GroupKey key) const {
    const u16 g = find(key.packed());
    return g == kNone ? u16{0} : coordinated(group(g), estimate_of(g).score);
}

u16 Wg::select(Cycle now) {
    estimate_all();
    const bool units = units_first();
    u16 best = kNone;
    bool best_unit = false, best_aged = false;
    u32 best_score = 0, best_hits = 0;
    for (const u16 g : active()) {
        const Group& c = group(g);
        if (!c.complete) continue;
        const Estimate& e = estimates_[g];
        const bool aged = now - c.since > age_max_;
        const u32 score = aged ? 0 : coordinated(c, e.score);
        const bool unit = units && is_unit(c);
        bool better = best == kNone;
        if (!better) {
            if (unit != best_unit) {
                better = unit;
            } else if (score != best_score) {
                better = score < best_score;
            } else if (!unit && e.hits != best_hits) {
                better = e.hits > best_hits;
            } else {
                better = c.completed < group(best).completed;
            }
        }
        if (!better) continue;
        best = g;
        best_unit = unit;
        best_aged = aged;
        best_score = score;
        best_hits = e.hits;
    }
    selected_ = estimates_[best];
    aged_ += best_aged;
    units_ += best_unit;
    return best;
}

void Wg::report(std::vector<PolicyCounter>& to) const {
    WarpGroups::report(to);
    to.push_back({"aged", "groups", aged_});
}

namespace {

const bool registered =
    schedulers().add<Wg>("wg", "the load that the channel can finish soonest goes first, as a group",
                         "Chatterjee et al., SC 2014", kGroupBound);

}  // namespace

}  // namespace heddle::dram
