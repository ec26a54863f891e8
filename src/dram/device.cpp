#include "dram/device.h"

namespace heddle::dram {

namespace {

u32 latency_of(const RaiseList& list, Slot slot) {
    for (const Raise& r : list)
        if (r.slot == static_cast<u32>(slot)) return r.latency;
    return 0;
}
const RaiseList& bank_raises(const TimingTable& t, CommandKind kind) {
    return t.after[static_cast<std::size_t>(kind)].bank;
}

}  // namespace

Device::Device(const Resolved& r, const TimingTable& table) : geometry_(r.geometry), table_(table) {
    const Geometry& g = geometry_;
    rp_act_ = latency_of(bank_raises(table_, CommandKind::precharge), Slot::activate);
    rtp_ = latency_of(bank_raises(table_, CommandKind::read), Slot::precharge);
    wtp_ = latency_of(bank_raises(table_, CommandKind::write), Slot::precharge);
    // What a rank-wide or one-bank refresh must wait for after an implicit precharge.
    rp_ref_ = r.time(Param::RP);
    group_rows_ = g.banks() * kSlots;
    rank_rows_ = group_rows_ + g.all_groups() * kSlots;
    next_.assign(rank_rows_ + g.all_ranks() * kSlots, 0);
    place_.resize(g.banks());
    for (u32 b = 0; b < g.banks(); ++b)
        place_[b] = {{b * kSlots, group_rows_ + g.group_of(b) * kSlots, rank_rows_ + g.rank_of(b) * kSlots},
                     g.rank_of(b)};
    open_row_.assign(g.banks(), kNoRow);
    open_count_.assign(g.all_ranks(), 0);
    open_since_.assign(g.all_ranks(), 0);
    open_total_.assign(g.all_ranks(), 0);
    for (const WindowRule& rule : table_.windows) {
        const u32 nodes = rule.level == Level::channel  ? 1
                          : rule.level == Level::pseudo ? g.pseudo_channels
                                                        : g.all_ranks();
        windows_.push_back({rule, std::vector<u64>(nodes * rule.count), std::vector<u32>(nodes)});
    }
}

void Device::count_windows(u32 rank, CommandKind kind, u64 now) {
    const u32 ranks = geometry_.ranks;
    for (Window& w : windows_) {
        if (!w.rule.preceding.has(kind)) continue;
        u32 node = rank, from = rank, nodes = 1;
        if (w.rule.level == Level::channel) {
            node = from = 0;
            nodes = geometry_.all_ranks();
        } else if (w.rule.level == Level::pseudo) {
            node = rank / ranks;
            from = node * ranks;
            nodes = ranks;
        }
        const u32 count = w.rule.count;
        u64* times = &w.times[node * count];
        const u32 seen = w.seen[node]++;
        const u32 place = seen % count;
        times[place] = now;
        if (seen + 1 < count) continue;
        const u64 oldest = times[place + 1 == count ? 0 : place + 1];
        for (u32 k = from; k < from + nodes; ++k) raise(rank_rows_ + k * kSlots, w.rule.raises, oldest);
    }
}

/// What reaches beyond the rank, and windows.
void Device::apply_far(u32 rank, CommandKind kind, u64 now) {
    const Raises& to = table_.after[static_cast<std::size_t>(kind)];
    if (!to.other_ranks.empty() || !to.other_pseudos.empty()) {
        const u32 first = rank / geometry_.ranks * geometry_.ranks;
        for (u32 k = 0; k < geometry_.all_ranks(); ++k) {
            if (k == rank) continue;
            const bool near = k >= first && k < first + geometry_.ranks;
            raise(rank_rows_ + k * kSlots, near ? to.other_ranks : to.other_pseudos, now);
        }
    }
    if (to.in_window) count_windows(rank, kind, now);
}

void Device::apply_rank(u32 rank, CommandKind kind, u64 now) {
    const Raises& to = table_.after[static_cast<std::size_t>(kind)];
    raise(rank_rows_ + rank * kSlots, to.rank, now);
    if (to.far) apply_far(rank, kind, now);
}

void Device::open_changed(u32 rank, bool opened, u64 now) {
    if (opened) {
        if (open_count_[rank]++ == 0) open_since_[rank] = now;
    } else if (--open_count_[rank] == 0) {
        open_total_[rank] += now - open_since_[rank];
    }
}

void Device::close(u32 bank, u64 now) {
    open_row_[bank] = kNoRow;
    open_changed(place_[bank].rank, false, now);
}

void Device::activate(u32 bank, u32 row, Cycle now) {
    open_row_[bank] = row;
    open_changed(place_[bank].rank, true, now.v);
    apply(bank, CommandKind::activate, now.v);
}

void Device::precharge(u32 bank, Cycle now) {
    close(bank, now.v);
    apply(bank, CommandKind::precharge, now.v);
}

void Device::precharge_unit(u32 unit, Cycle now) {
    const u32 n = geometry_.banks_per_unit();
    for (u32 b = unit * n; b < (unit + 1) * n; ++b)
        if (is_open(b)) close(b, now.v);
    apply_rank(unit * geometry_.ranks_per_unit, CommandKind::precharge_all, now.v);
}

void Device::column(u32 bank, CommandKind kind, Cycle now) {
    const bool reads = kind == CommandKind::read || kind == CommandKind::read_auto;
    if (kind == CommandKind::read_auto || kind == CommandKind::write_auto) {
        // The device precharges by itself as soon as every rule allows, also that of an earlier write.
        u64* row = &next_[bank * kSlots];
        const u64 at = std::max(row[static_cast<u32>(Slot::precharge)], now.v + (reads ? rtp_ : wtp_));
        apply(bank, kind, now.v);
        for (auto [slot, wait] : {std::pair{Slot::activate, rp_act_}, std::pair{Slot::refresh_same, rp_ref_},
                                  std::pair{Slot::refresh_bank, rp_ref_}}) {
            u64& entry = row[static_cast<u32>(slot)];
            entry = std::max(entry, at + wait);
        }
        const u32 first = place_[bank].rank / geometry_.ranks_per_unit * geometry_.ranks_per_unit;
        for (u32 rank = first; rank < first + geometry_.ranks_per_unit; ++rank) {
            u64& all = next_[rank_rows_ + rank * kSlots + static_cast<u32>(Slot::refresh_all)];
            all = std::max(all, at + rp_ref_);
        }
        close(bank, at);
    } else {
        apply(bank, kind, now.v);
    }
}

void Device::refresh_unit(u32 unit, Cycle now) {
    apply_rank(unit * geometry_.ranks_per_unit, CommandKind::refresh_all, now.v);
}

void Device::refresh_bank(u32 bank, Cycle now) {
    apply(bank, CommandKind::refresh_bank, now.v);
}

void Device::refresh_same(u32 rank, u32 bank_in_group, Cycle now) {
    const Geometry& g = geometry_;
    const RaiseList& list = bank_raises(table_, CommandKind::refresh_same);
    for (u32 k = 0; k < g.groups; ++k)
        raise(((rank * g.groups + k) * g.banks_per_group + bank_in_group) * kSlots, list, now.v);
    apply_rank(rank, CommandKind::refresh_same, now.v);
}

bool Device::auto_delays_refresh() const {
    const Raises& reads = table_.after[static_cast<std::size_t>(CommandKind::read_auto)];
    return latency_of(reads.rank, Slot::refresh_bank) != 0 ||
           latency_of(reads.group, Slot::refresh_bank) != 0;
}

u64 Device::open_cycles(u32 rank, Cycle now) const {
    return open_total_[rank] +
           (open_count_[rank] != 0 && now.v > open_since_[rank] ? now.v - open_since_[rank] : 0);
}

}  // namespace heddle::dram
