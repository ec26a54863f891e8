#include "dram/audit/refresh_ledger.h"

#include <algorithm>

namespace heddle::dram::audit {

RefreshLedger::RefreshLedger(const AuditDevice& device, const Topology& topology)
    : topology_(topology),
      mode_(device.refresh),
      max_postponed_(device.max_postponed),
      max_pulled_in_(device.max_pulled_in),
      done_(topology.count(Level::bank)),
      counts_(topology.count(topology.all_bank())) {
    const bool by_rank = topology.all_bank() == Level::rank;
    for (u32 i = 0; i < counts_.size(); ++i) {
        counts_[i].pseudo = by_rank ? i / device.ranks : i;
        counts_[i].rank = by_rank ? i % device.ranks : 0;
    }
    if (device.refresh == RefreshMode::off) return;

    if (device.refresh == RefreshMode::same_bank) commands_per_interval_ = device.banks;
    if (device.refresh == RefreshMode::per_bank) commands_per_interval_ = device.groups * device.banks;
    ranks_in_scope_ = by_rank ? 1 : device.ranks;
    // REFIpb is REFI over a rank's banks, rounded; a mode that says it is held to it.
    const i64 own = device.clocks(own_interval_of(device.refresh));
    interval_ = own != AuditDevice::absent ? static_cast<u64>(own) * commands_per_interval_
                                           : static_cast<u64>(device.clocks("REFI"));
    interval_ *= device.steps_per_clock;
    find_least();
}

u64 RefreshLedger::least(const Command& command) const {
    const Nodes nodes = topology_.banks(command);
    u64 n = done_[nodes.first];
    for (u32 i = 0, b = nodes.first; i < nodes.count; ++i, b += nodes.step) n = std::min(n, done_[b]);
    return n;
}

u64 RefreshLedger::most(const Command& command) const {
    const Nodes nodes = topology_.banks(command);
    u64 n = 0;
    for (u32 i = 0, b = nodes.first; i < nodes.count; ++i, b += nodes.step) n = std::max(n, done_[b]);
    return n;
}

i64 RefreshLedger::clocks_left(const Command& command) const {
    const u64 deadline = (least(command) + max_postponed_ + 1) * interval_;
    return static_cast<i64>(deadline) - 1 - static_cast<i64>(command.at.v);
}

bool RefreshLedger::may_be_early(const Command& command) const {
    return most(command) >= max_pulled_in_;
}

i64 RefreshLedger::clocks_since_allowed(const Command& command) const {
    // With k refreshes done, the next makes k + 1; that is at most max_pulled_in ahead of what is due.
    const u64 allowed = (most(command) + 1 - max_pulled_in_) * interval_;
    return static_cast<i64>(command.at.v) - static_cast<i64>(allowed);
}

void RefreshLedger::record(const Command& command) {
    RefreshCount& count = counts_[topology_.node(topology_.all_bank(), command)];
    if (command.kind == CommandKind::refresh_all) ++count.all_bank;
    if (command.kind == CommandKind::refresh_same) ++count.same_bank;
    if (command.kind == CommandKind::refresh_bank) ++count.per_bank;
    const Nodes nodes = topology_.banks(command);
    for (u32 i = 0, b = nodes.first; i < nodes.count; ++i, b += nodes.step)
        if (done_[b]++ == least_ && on()) --behind_;
    if (behind_ == 0 && on()) find_least();
}

void RefreshLedger::find_least() {
    least_ = *std::ranges::min_element(done_);
    behind_ = static_cast<std::size_t>(std::ranges::count(done_, least_));
    deadline_ = Cycle((least_ + max_postponed_ + 1) * interval_);
}

u32 RefreshLedger::bank_at_deadline() const {
    return static_cast<u32>(std::ranges::min_element(done_) - done_.begin());
}

std::vector<RefreshCount> RefreshLedger::counts(Cycle end) const {
    std::vector<RefreshCount> counts = counts_;
    if (on())
        for (RefreshCount& c : counts)
            c.due = (end.v * commands_per_interval_ / interval_) *
                    (mode_ == RefreshMode::all_bank ? 1 : ranks_in_scope_);
    return counts;
}

}  // namespace heddle::dram::audit
