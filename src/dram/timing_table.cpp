#include "dram/timing_table.h"

#include <algorithm>

namespace heddle::dram {

namespace {

/// Keeps the longest latency of each slot.
void add(std::vector<Raise>& list, u32 slot, u32 latency) {
    auto it = std::find_if(list.begin(), list.end(), [slot](const Raise& r) { return r.slot == slot; });
    if (it == list.end()) {
        list.push_back({slot, latency});
    } else {
        it->latency = std::max(it->latency, latency);
    }
}

bool is_column(u32 slot) {
    return slot == static_cast<u32>(Slot::read) || slot == static_cast<u32>(Slot::write);
}

}  // namespace

TimingTable::TimingTable(const Resolved& r) {
    const Geometry& g = r.geometry;
    for (const Constraint& row : r.standard->constraints) {
        i64 base = i64{row.latency.clocks} * r.standard->steps;
        for (std::size_t k = 0; k < kParams; ++k) base += i64{row.latency.times[k]} * r.clocks[k];
        // Absent windows and gaps (FAW 0) constrain nothing.
        if (base <= 0) continue;
        WindowRule window{row.level, row.preceding, row.window, {}};
        for (u32 p = 0; p < after.size(); ++p) {
            if (!row.preceding.has(static_cast<CommandKind>(p))) continue;
            for (u32 f = 0; f < after.size(); ++f) {
                if (!row.following.has(static_cast<CommandKind>(f))) continue;
                const i64 steps =
                    r.standard->from_last_step ? i64{r.bus_clocks[p]} - i64{r.bus_clocks[f]} : 0;
                if (base + steps <= 0) continue;
                const u32 latency = static_cast<u32>(base + steps);
                const u32 slot = static_cast<u32>(slot_of(static_cast<CommandKind>(f)));
                if (row.window > 1) {
                    add(window.raises, slot, latency);
                    continue;
                }
                Raises& to = after[p];
                switch (row.level) {
                    case Level::bank:
                        add(to.bank, slot, latency);
                        break;
                    case Level::group:
                        add(to.group, slot, latency);
                        break;
                    case Level::rank:
                        add(row.sibling ? to.other_ranks : to.rank, slot, latency);
                        break;
                    case Level::pseudo:
                        if (row.sibling) {
                            add(to.other_pseudos, slot, latency);
                        } else {
                            add(to.rank, slot, latency);
                            add(to.other_ranks, slot, latency);
                        }
                        break;
                    case Level::channel:
                        add(to.rank, slot, latency);
                        add(to.other_ranks, slot, latency);
                        add(to.other_pseudos, slot, latency);
                        break;
                }
            }
        }
        if (!window.raises.empty()) windows.push_back(std::move(window));
    }
    for (u32 p = 0; p < after.size(); ++p) {
        Raises& to = after[p];
        if (g.ranks == 1) to.other_ranks.clear();
        if (g.pseudo_channels == 1) to.other_pseudos.clear();
        auto mark = [&](const std::vector<Raise>& list) {
            for (const Raise& raise : list) disturbs[p][r.separate_buses && is_column(raise.slot)] = true;
        };
        mark(to.group);
        mark(to.rank);
        mark(to.other_ranks);
        mark(to.other_pseudos);
        for (const WindowRule& w : windows)
            if (w.preceding.has(static_cast<CommandKind>(p))) mark(w.raises);
    }
}

}  // namespace heddle::dram
