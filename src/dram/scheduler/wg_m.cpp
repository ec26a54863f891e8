// WG-M: WG, and controllers tell each other whom they serve. Source: Chatterjee et al., SC 2014. Choices: the latency, and
// that a score that was received caps the group's score for good.

#include "dram/scheduler/bounds.h"
#include "dram/scheduler/wg.h"

namespace heddle::dram {

const config::Schema<WgMSettings>& WgMSettings::schema() {
    static const auto s =
        wg_m_keys(config::Schema<WgMSettings>("wg-m", "warp groups, coordinated controllers"));
    return s;
}

void WgM::selected(u16 g, Cycle now) {
    if (!peers_ || group(g).key == kAlone) return;
    ++sent_;
    context_.network.send({0, 0, 0, group(g).key, selected_estimate().score}, now, latency_);
}

void WgM::on_message(const Message& message, Cycle) {
    const u16 cap = static_cast<u16>(message.value);
    bool known = false;
    each_of(message.key, [&](u16 g) {
        known = true;
        used_ += cap < std::min(estimate_of(g).score, group(g).cap);
        group(g).cap = std::min(group(g).cap, cap);
    });
    matched_ += known;
    if (!known && remember_) {
        unmatched_[next_unmatched_] = {message.key, cap};
        next_unmatched_ = (next_unmatched_ + 1) % kRemembered;
    }
}

void WgM::began(Group& fresh) {
    if (!remember_ || fresh.key == kAlone) return;
    for (Unmatched& u : unmatched_) {
        if (u.key != fresh.key) continue;
        ++matched_;
        ++used_;
        fresh.cap = std::min(fresh.cap, u.cap);
        u = {};
    }
}

void WgM::report(std::vector<PolicyCounter>& to) const {
    Wg::report(to);
    to.push_back({"messages_sent", "broadcasts", sent_});
    to.push_back({"messages_matched", "messages", matched_});
    to.push_back({"messages_used", "messages", used_});
}

namespace {

const bool registered =
    schedulers().add<WgM>("wg-m", "wg, and controllers tell each other which load they serve",
                          "Chatterjee et al., SC 2014", kGroupBound);

}  // namespace

}  // namespace heddle::dram
