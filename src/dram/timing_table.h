#pragma once
// A standard's constraints with their latencies filled in, ready to be applied.
//
// Every command that follows belongs to one of eight slots. For each node of the device a row of eight
// cycles says from when on a command of that slot may go there; a command raises entries of some rows.
// Constraints of levels above the rank are spread over the rank rows below, so that a bank's earliest time
// is the maximum of exactly three entries: its bank's, its group's and its rank's.

#include <vector>

#include "dram/geometry.h"

namespace heddle::dram {

enum class Slot : u8 {
    activate,
    precharge,
    precharge_all,
    read,
    write,
    refresh_all,
    refresh_same,
    refresh_bank
};
inline constexpr u32 kSlots = 8;

constexpr Slot slot_of(CommandKind kind) {
    switch (kind) {
        case CommandKind::activate:
            return Slot::activate;
        case CommandKind::precharge:
            return Slot::precharge;
        case CommandKind::precharge_all:
            return Slot::precharge_all;
        case CommandKind::read:
        case CommandKind::read_auto:
            return Slot::read;
        case CommandKind::write:
        case CommandKind::write_auto:
            return Slot::write;
        case CommandKind::refresh_all:
            return Slot::refresh_all;
        case CommandKind::refresh_same:
            return Slot::refresh_same;
        default:
            return Slot::refresh_bank;
    }
}

/// Raise the entry of `slot` to the command's time + latency.
struct Raise {
    u32 slot = 0;
    u32 latency = 0;
    friend bool operator==(const Raise&, const Raise&) = default;
};

/// At most one raise a slot, the longest.
struct RaiseList {
    u32 count = 0;
    std::array<Raise, kSlots> items{};
    void add(u32 slot, u32 latency);
    bool empty() const { return count == 0; }
    const Raise* begin() const { return items.data(); }
    const Raise* end() const { return items.data() + count; }
    friend bool operator==(const RaiseList&, const RaiseList&) = default;
};

/// What a command does to the rows, by whose rows they are.
struct Raises {
    RaiseList bank, group, rank;
    /// These three as one list: place 0 is the bank, 1 its group, 2 its rank.
    struct Near {
        u32 place = 0;
        Raise raise;
    };
    std::array<Near, 3 * kSlots> near{};
    u32 near_count = 0;
    RaiseList other_ranks;    // of the same pseudo-channel
    RaiseList other_pseudos;  // ranks of the other pseudo-channels
    bool in_window = false;   // some window counts it
    bool far = false;         // it reaches beyond its rank, or a window counts it
};

/// "After the k-th most recent": kept at `level` (channel, pseudo-channel or rank), raises rank rows.
struct WindowRule {
    Level level = Level::rank;
    Kinds preceding;
    u32 count = 4;
    RaiseList raises;
    friend bool operator==(const WindowRule&, const WindowRule&) = default;
};

struct TimingTable {
    /// Rows of refresh commands that the machine does not use are left out.
    explicit TimingTable(const Resolved& resolved);

    std::array<Raises, static_cast<std::size_t>(CommandKind::count_)> after;
    std::vector<WindowRule> windows;
    /// Bus (0 row, 1 column; always 0 if shared) whose candidates in other banks a command may delay. Commands
    /// to whole ranks are not looked at.
    std::array<std::array<bool, 2>, static_cast<std::size_t>(CommandKind::count_)> disturbs{};
};

}  // namespace heddle::dram
