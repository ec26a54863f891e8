#pragma once
// The devices of one channel: which row each bank has open and from when each command may be issued.
// It obeys; what to issue is the controller's and the policies' choice.

#include <algorithm>
#include <array>
#include <vector>

#include "dram/timing_table.h"

namespace heddle::dram {

inline constexpr u32 kNoRow = ~u32{0};

class Device {
  public:
    Device(const Resolved& resolved, const TimingTable& table);

    const Geometry& geometry() const { return geometry_; }
    u32 open_row(u32 bank) const { return open_row_[bank]; }
    bool is_open(u32 bank) const { return open_row_[bank] != kNoRow; }
    /// Whether a bank of the unit (of PREab and REFab) has a row open.
    bool any_open(u32 unit) const {
        for (u32 k = 0; k < geometry_.ranks_per_unit; ++k)
            if (open_count_[unit * geometry_.ranks_per_unit + k] != 0) return true;
        return false;
    }

    /// First cycle at which a command of `slot` may go to the bank, by timing alone.
    Cycle earliest(u32 bank, Slot slot) const {
        return Cycle(
            std::max({own(bank, slot), next_[group_entry(bank, slot)], next_[rank_entry(bank, slot)]}));
    }
    /// The three parts of `earliest`, for a controller that looks at many banks: the bank's own entry changes
    /// only by commands to the bank, the others by those to its neighbors.
    u64 own(u32 bank, Slot slot) const { return next_[bank * kSlots + static_cast<u32>(slot)]; }
    u32 group_entry(u32 bank, Slot slot) const { return place_[bank].row[1] + static_cast<u32>(slot); }
    u32 rank_entry(u32 bank, Slot slot) const { return place_[bank].row[2] + static_cast<u32>(slot); }
    const u64* times() const { return next_.data(); }
    /// By the rules of the whole rank only, for a burst that needs no bank (an idealized read).
    Cycle earliest_on_bus(u32 bank, Slot slot) const { return Cycle(next_[rank_entry(bank, slot)]); }
    /// The same for PREab and REFab. All ranks of a unit have the same entry.
    Cycle earliest_whole(u32 unit, Slot slot) const {
        return Cycle(next_[rank_rows_ + unit * geometry_.ranks_per_unit * kSlots + static_cast<u32>(slot)]);
    }

    /// Issue; the caller has checked `earliest` and the bank's state.
    void activate(u32 bank, u32 row, Cycle now);
    void precharge(u32 bank, Cycle now);
    void precharge_unit(u32 unit, Cycle now);
    /// read, read_auto, write or write_auto.
    void column(u32 bank, CommandKind kind, Cycle now);
    void burst_on_bus(u32 bank, CommandKind kind, Cycle now) { apply_rank(place_[bank].rank, kind, now.v); }
    void refresh_unit(u32 unit, Cycle now);
    /// One bank, or one bank of each group (`same`) given by the bank's place in its group.
    void refresh_bank(u32 bank, Cycle now);
    void refresh_same(u32 rank, u32 bank_in_group, Cycle now);

    bool disturbs(CommandKind kind, u32 bus) const {
        return table_.disturbs[static_cast<std::size_t>(kind)][bus];
    }
    /// Whether a column command with auto-precharge delays one-bank refreshes of other banks.
    bool auto_delays_refresh() const;
    /// Cycles during which a rank had at least one row open.
    u64 open_cycles(u32 rank, Cycle now) const;

  private:
    struct Place {
        std::array<u32, 3> row{};  // offsets of rows in next_: of the bank, its group, its rank
        u32 rank = 0;              // index
    };
    struct Window {
        WindowRule rule;
        std::vector<u64> times;  // `count` a node
        std::vector<u32> seen;   // commands a node
    };

    void raise(u32 offset, const RaiseList& list, u64 now) {
        for (const Raise& r : list) {
            u64& entry = next_[offset + r.slot];
            entry = std::max(entry, now + r.latency);
        }
    }
    void apply_far(u32 rank, CommandKind kind, u64 now);
    void count_windows(u32 rank, CommandKind kind, u64 now);
    void apply_rank(u32 rank, CommandKind kind, u64 now);
    void apply(u32 bank, CommandKind kind, u64 now) {
        const Raises& to = table_.after[static_cast<std::size_t>(kind)];
        const Place& p = place_[bank];
        for (u32 k = 0; k < to.near_count; ++k) {
            const Raises::Near& near = to.near[k];
            u64& entry = next_[p.row[near.place] + near.raise.slot];
            entry = std::max(entry, now + near.raise.latency);
        }
        if (to.far) [[unlikely]]
            apply_far(p.rank, kind, now);
    }
    void close(u32 bank, u64 now);
    void open_changed(u32 rank, bool opened, u64 now);

    Geometry geometry_;
    const TimingTable& table_;
    u32 rp_act_, rp_ref_;  // precharge to activate, and to refresh, in the bank
    u32 rtp_, wtp_;
    u32 group_rows_, rank_rows_;  // offsets in next_
    std::vector<u64> next_;       // kSlots a bank, then a group, then a rank
    std::vector<Place> place_;
    std::vector<u32> open_row_;
    std::vector<u32> open_count_;
    std::vector<u64> open_since_, open_total_;
    std::vector<Window> windows_;
};

}  // namespace heddle::dram
