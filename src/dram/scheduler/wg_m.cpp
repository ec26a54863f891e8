// WG-M: WG, and controllers tell each other whom they serve. Source: Chatterjee et al., SC 2014. Choices: the latency, and
// that the score sent is the sender's own estimate.

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
    const u16 score = static_cast<u16>(message.value);
    bool known = false;
    each_of(message.key, [&](u16 g) {
        known = true;
        hear(g, score);
    });
    matched_ += known;
    if (!known && remember_) {
        unmatched_[next_unmatched_] = {message.key, score};
        next_unmatched_ = (next_unmatched_ + 1) % kRemembered;
    }
}

/// A peer serves the group's load, with this score there.
void WgM::hear(u16 g, u16 score) {
    Group& heard = group(g);
    const u16 own = coordinated(heard, estimate_of(g).score);
    used_ += score < own;
    if (peer_score_ == PeerScore::cap)
        heard.cap = std::min(heard.cap, score);
    else if (score < own)  // both are less than the estimate, so the sum is not more than it
        heard.subtrahend = static_cast<u16>(heard.subtrahend + (own - score));
}

void WgM::began(u16 g) {
    if (!remember_ || group(g).key == kAlone) return;
    for (Unmatched& u : unmatched_) {
        if (u.key != group(g).key) continue;
        ++matched_;
        hear(g, u.score);
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
