#pragma once
// When refreshes fall due, and which command each needs next.
//
// all_bank: each unit of REFab (rank, or HBM's pseudo-channel) every REFI; its banks take no new command until it is done (but a row that was just
// opened for a request serves it): precharge all, refresh.
// per_bank: one bank of each rank every REFIpb, in turn; same_bank: one bank of each group every REFI / (2 banks
// per group), as JESD79-5 has it (in fine-granularity mode). Only those banks wait. The ranks of a pseudo-channel fall due one after
// the other, evenly spread; pseudo-channels together.
// Postponement: a due refresh starts at once if no more than `refresh_postpone` may be put off (0: never put
// off) or no request waits for its banks; else it stays owed, and all owed ones run back to back.

#include <vector>

#include "dram/device.h"
#include "dram/scheduler.h"

namespace heddle::dram {

/// How often refreshes of a kind fall due.
struct RefreshPace {
    u64 interval = 0;  // clocks of the channel, between those of one unit
    u32 turns = 1;     // of a unit, until the same bank has its turn again
    u32 units = 1;     // of a pseudo-channel: its ranks, or one for all of them
};
RefreshPace pace_of(RefreshMode mode, const Resolved& resolved);
/// The command of a mode that is not off.
CommandKind refresh_command(RefreshMode mode);

class RefreshEngine {
  public:
    RefreshEngine(const MemorySettings& settings, const Resolved& resolved);

    struct Step {
        CommandKind kind = CommandKind::refresh_all;
        u32 unit = 0;  // of all_bank; else the rank
        u32 bank = 0;  // flat; of refresh_same: place in its group
        Cycle ready = kNever;
    };

    Cycle next_due() const { return next_due_; }
    bool running() const { return running_ != 0; }
    bool owed() const { return owed_total_ != 0; }
    /// Banks that take no request's command now.
    const BankMask& blocked() const { return blocked_; }
    /// Notes what has fallen due, and starts what may start; true if `blocked` has changed.
    bool update(Cycle now, const Board& board);
    /// The soonest command of the running refreshes; ready is kNever if none runs.
    Step next(const Device& device) const;
    /// A refresh command was issued (the precharges before it need no call); when its banks are free again.
    Cycle done(const Step& step, Cycle now);
    u64 due_count() const { return due_count_; }
    /// Start of the running or last all-bank refresh of a unit, for the account of its data bus.
    Cycle started(u32 unit) const { return units_[unit].started; }

  private:
    struct Unit {
        Cycle due;
        u64 owed = 0;
        u32 turn = 0;  // next bank, or place in the group
        bool running = false;
        Cycle started;
    };
    BankMask banks_of(u32 unit) const;

    RefreshMode mode_;
    u64 limit_;
    u64 interval_ = 0, duration_ = 0;
    u32 turns_ = 1;
    Geometry geometry_;
    std::vector<Unit> units_;
    BankMask blocked_;
    Cycle next_due_ = kNever;
    u64 owed_total_ = 0, due_count_ = 0;
    u32 running_ = 0;
};

}  // namespace heddle::dram
