#include "dram/timing_table.h"

#include <algorithm>

#include "dram/refresh.h"

namespace heddle::dram {

namespace {

Kinds unused_refreshes(RefreshMode mode) {
    const Kinds all = CommandKind::refresh_all | CommandKind::refresh_same | CommandKind::refresh_bank;
    return mode == RefreshMode::off ? all : all - refresh_command(mode);
}

bool is_column(u32 slot) {
    return slot == static_cast<u32>(Slot::read) || slot == static_cast<u32>(Slot::write);
}

bool is_whole(u32 slot) {
    return slot == static_cast<u32>(Slot::precharge_all) || slot == static_cast<u32>(Slot::refresh_all);
}

}  // namespace

void RaiseList::add(u32 slot, u32 latency) {
    Raise* it =
        std::find_if(items.data(), items.data() + count, [slot](const Raise& r) { return r.slot == slot; });
    if (it == items.data() + count) {
        items[count++] = {slot, latency};
    } else {
        it->latency = std::max(it->latency, latency);
    }
}

TimingTable::TimingTable(const Resolved& r) {
    const Geometry& g = r.geometry;
    const Kinds unused = unused_refreshes(r.refresh);
    for (const Constraint& row : r.standard->constraints) {
        i64 base = i64{row.latency.clocks} * r.standard->steps;
        for (std::size_t k = 0; k < kParams; ++k) base += i64{row.latency.times[k]} * r.clocks[k];
        // Absent windows and gaps (FAW 0) constrain nothing.
        if (base <= 0) continue;
        WindowRule window{row.level, row.preceding - unused, row.window, {}};
        for (u32 p = 0; p < after.size(); ++p) {
            if (!window.preceding.has(static_cast<CommandKind>(p))) continue;
            for (u32 f = 0; f < after.size(); ++f) {
                if (!(row.following - unused).has(static_cast<CommandKind>(f))) continue;
                const i64 steps =
                    r.standard->from_last_step ? i64{r.bus_clocks[p]} - i64{r.bus_clocks[f]} : 0;
                if (base + steps <= 0) continue;
                const u32 latency = static_cast<u32>(base + steps);
                const u32 slot = static_cast<u32>(slot_of(static_cast<CommandKind>(f)));
                if (row.window > 1) {
                    window.raises.add(slot, latency);
                    continue;
                }
                Raises& to = after[p];
                switch (row.level) {
                    case Level::bank:
                        to.bank.add(slot, latency);
                        break;
                    case Level::group:
                        to.group.add(slot, latency);
                        break;
                    case Level::rank:
                        (row.sibling ? to.other_ranks : to.rank).add(slot, latency);
                        break;
                    case Level::pseudo:
                        if (row.sibling) {
                            to.other_pseudos.add(slot, latency);
                        } else {
                            to.rank.add(slot, latency);
                            to.other_ranks.add(slot, latency);
                        }
                        break;
                    case Level::channel:
                        to.rank.add(slot, latency);
                        to.other_ranks.add(slot, latency);
                        to.other_pseudos.add(slot, latency);
                        break;
                }
            }
        }
        if (!window.raises.empty() && std::find(windows.begin(), windows.end(), window) == windows.end())
            windows.push_back(window);
    }
    for (u32 p = 0; p < after.size(); ++p) {
        Raises& to = after[p];
        if (g.ranks == 1) to.other_ranks = {};
        if (g.pseudo_channels == 1) to.other_pseudos = {};
        auto mark = [&](const RaiseList& list) {
            for (const Raise& raise : list)
                if (!is_whole(raise.slot)) disturbs[p][r.separate_buses && is_column(raise.slot)] = true;
        };
        mark(to.group);
        mark(to.rank);
        mark(to.other_ranks);
        mark(to.other_pseudos);
        for (const WindowRule& w : windows)
            if (w.preceding.has(static_cast<CommandKind>(p))) {
                mark(w.raises);
                to.in_window = true;
            }
        u32 place = 0;
        for (const RaiseList* list : {&to.bank, &to.group, &to.rank}) {
            for (const Raise& raise : *list) to.near[to.near_count++] = {place, raise};
            ++place;
        }
        to.far = to.in_window || !to.other_ranks.empty() || !to.other_pseudos.empty();
    }
}

}  // namespace heddle::dram
