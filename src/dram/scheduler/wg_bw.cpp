// WG-Bw: WG-M, and a row miss waits for row hits of its bank that would be lost. Source: Chatterjee et al., SC 2014.
// Choices: counters change when a request is sent to its command queue; two orphans at most go before one miss.

#include "dram/scheduler/wg.h"

namespace heddle::dram {

const config::Schema<WgBwSettings>& WgBwSettings::schema() {
    static const auto s =
        wg_bw_keys(config::Schema<WgBwSettings>("wg-bw", "warp groups, row misses admitted by bandwidth"));
    return s;
}

/// Banks with a tracked read or a request in their command queue.
u32 WgBw::busy_banks() const {
    u32 n = 0;
    for (u32 b = 0; b < banks(); ++b) n += queued(b) != 0 || !reads(b).empty();
    return n;
}

QueueEntry* WgBw::next_in(u32 bank) {
    QueueEntry* own = WarpGroups::next_in(bank);
    const u32 row = last_row(bank);
    if (own->row == row) return own;
    QueueEntry* hit = nullptr;
    u32 hits = 0;
    for (QueueEntry& e : reads(bank)) {
        if (e.row != row) continue;
        if (hits++ == 0) hit = &e;
    }
    if (hits == 0) return own;
    Bank& b = bank_[bank];
    if (b.hits < merb_(busy_banks())) {
        ++postponements_;
        return hit;
    }
    if (hits > kOrphans || b.orphans == kOrphans) {
        ++given_up_;
        return own;
    }
    ++b.orphans;
    ++orphans_;
    return hit;
}

void WgBw::sent(const Request& request, bool hit, Cycle) {
    Bank& b = bank_[request.bank];
    if (hit) {
        b.hits = std::min(kMost, b.hits + (bursts_per_request_ != 0 ? bursts_per_request_ : request.bursts));
    } else {
        b = {};
    }
}

void WgBw::report(std::vector<PolicyCounter>& to) const {
    WgM::report(to);
    to.push_back({"postponements", "requests", postponements_});
    to.push_back({"orphans", "requests", orphans_});
    to.push_back({"rows_given_up", "rows", given_up_});
}

namespace {

const bool registered =
    schedulers().add<WgBw>("wg-bw", "wg-m, and row misses wait for the row hits that keep the data bus busy",
                           "Chatterjee et al., SC 2014",
                           "once its load is complete, age_max + (2 Q (1 + 31 + 2) + D + 2) R, with writes "
                           "age_max + (2 Q (1 + 31 + 2) + D + 2) (B + 3) R");

}  // namespace

}  // namespace heddle::dram
