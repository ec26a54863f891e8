#pragma once
// When each burst occupies the data bus of its pseudo-channel, worked out from the bursts themselves.
//
// This repeats nothing of the constraint tables: they hold distances between commands, some of which let data
// collide (between ranks, a write after a read with CL > CWL + CS).

#include <algorithm>
#include <vector>

#include "dram/audit/topology.h"

namespace heddle::dram::audit {

enum class BusRule : u8 {
    overlap,     ///< two bursts at once
    turnaround,  ///< a write's burst right after a read's: one idle clock while the drivers change
    rank,        ///< bursts of different ranks: CS idle clocks
    count_
};

class DataBus {
  public:
    DataBus(const StandardRules& standard, const AuditDevice& device);

    /// Calls judge(rule, earlier command, slack in steps) for each earlier burst that may still matter;
    /// negative slack is a collision. Then remembers the command's own burst.
    template <class Judge>
    void place(const Command& command, Judge&& judge) {
        const Burst burst = burst_of(command);
        Bus& bus = buses_[command.pseudo];
        const std::size_t mask = bus.bursts.size() - 1;
        for (u64 back = 1; back <= std::min<u64>(bus.seen, bus.bursts.size()); ++back) {
            const Burst& old = bus.bursts[(bus.seen - back) & mask];
            const i64 gone = static_cast<i64>(old.command.at.v) + reach_;
            if (gone <= burst.start) break;  // and all before it end no later
            for (std::size_t r = 0; r < static_cast<std::size_t>(BusRule::count_); ++r) {
                const auto rule = static_cast<BusRule>(r);
                const bool reversed = burst.start < old.start;
                const i64 idle = reversed ? needed(rule, burst, old) : needed(rule, old, burst);
                if (idle < 0 || (reversed && burst.start + length_ + idle <= old.start)) continue;
                judge(rule, old.command, burst.start - (old.start + length_ + idle));
            }
        }
        bus.bursts[bus.seen & mask] = burst;
        ++bus.seen;
    }

  private:
    struct Burst {
        i64 start = 0;
        bool read = false;
        Command command;
    };
    struct Bus {
        std::vector<Burst> bursts;
        u64 seen = 0;
    };

    Burst burst_of(const Command& c) const;
    /// Idle clocks that the rule asks for between the two, -1 if it does not concern them.
    i64 needed(BusRule rule, const Burst& first, const Burst& second) const {
        const bool same_rank = first.command.rank == second.command.rank;
        switch (rule) {
            case BusRule::turnaround:
                return same_rank && first.read && !second.read ? turnaround_gap_ : -1;
            case BusRule::rank:
                return !same_rank ? rank_gap_ : -1;
            default:
                return 0;
        }
    }

    i64 read_delay_, write_delay_, length_;
    i64 turnaround_gap_;
    i64 rank_gap_;  // -1: ranks share nothing that needs a gap
    i64 reach_;     // after this many clocks a command's burst can't matter to a later command's
    std::vector<Bus> buses_;
};

}  // namespace heddle::dram::audit
