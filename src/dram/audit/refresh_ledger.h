#pragma once
// Whether each bank is refreshed often enough, by whichever command.
//
// Every bank is due one refresh an interval: REFI, or (same-bank, per-bank) the time in which the mode's
// commands, one every REFIsb or REFIpb to each rank (stack level), come round to it again. It may owe
// `max_postponed` and be `max_pulled_in` ahead.

#include <vector>

#include "dram/audit/topology.h"

namespace heddle::dram::audit {

/// Refresh commands to one rank or pseudo-channel (whichever a REFab addresses) until the end of the run.
struct RefreshCount {
    u32 pseudo = 0;
    u32 rank = 0;
    u64 all_bank = 0;
    u64 same_bank = 0;
    u64 per_bank = 0;
    u64 due = 0;  ///< commands of the device's mode in the time of the run; 0 with refresh off
};

class RefreshLedger {
  public:
    RefreshLedger(const AuditDevice& device, const Topology& topology);

    bool on() const { return interval_ != 0; }
    /// The first clock at which some bank owes too many; kNever with refresh off.
    Cycle deadline() const { return deadline_; }
    /// The first of the banks that are furthest behind.
    u32 bank_at_deadline() const;
    /// Clocks that are left for the least refreshed bank that the command addresses; at `command.at`.
    i64 clocks_left(const Command& command) const;
    /// Clocks since the most refreshed of these banks was allowed one more; negative if the command is early.
    i64 clocks_since_allowed(const Command& command) const;
    bool may_be_early(const Command& command) const;
    void record(const Command& command);

    std::vector<RefreshCount> counts(Cycle end) const;

  private:
    u64 least(const Command& command) const;
    u64 most(const Command& command) const;
    void find_least();

    Topology topology_;
    RefreshMode mode_;
    u64 max_postponed_, max_pulled_in_;
    u64 interval_ = 0;               // in which each bank is due one refresh; 0: refresh is off
    u64 commands_per_interval_ = 1;  // to one rank
    u64 ranks_in_scope_ = 1;
    std::vector<u64> done_;  // for each bank
    std::vector<RefreshCount> counts_;
    u64 least_ = 0;           // of done_
    std::size_t behind_ = 0;  // banks that have done no more
    Cycle deadline_ = kNever;
};

}  // namespace heddle::dram::audit
