#include "dram/refresh.h"

namespace heddle::dram {

CommandKind refresh_command(RefreshMode mode) {
    if (mode == RefreshMode::same_bank) return CommandKind::refresh_same;
    return mode == RefreshMode::per_bank ? CommandKind::refresh_bank : CommandKind::refresh_all;
}

RefreshPace pace_of(RefreshMode mode, const Resolved& r) {
    const Geometry& g = r.geometry;
    switch (mode) {
        case RefreshMode::all_bank:
            return {r.time(Param::REFI), 1, g.ranks / g.ranks_per_unit};
        case RefreshMode::same_bank:
            return {r.time(Param::REFI) / (2 * g.banks_per_group), g.banks_per_group, g.ranks};
        case RefreshMode::per_bank:
            return {r.time(Param::REFIpb), g.banks_per_rank(), g.ranks};
        default:
            return {};
    }
}

RefreshEngine::RefreshEngine(const MemorySettings& s, const Resolved& r)
    : mode_(s.refresh), limit_(s.refresh_postpone), geometry_(r.geometry) {
    if (mode_ == RefreshMode::off) return;
    const RefreshPace pace = pace_of(mode_, r);
    interval_ = pace.interval;
    turns_ = pace.turns;
    duration_ = r.time(mode_ == RefreshMode::all_bank    ? Param::RFC
                       : mode_ == RefreshMode::same_bank ? Param::RFCsb
                                                         : Param::RFCpb);
    const u32 stagger = pace.units;
    units_.resize(geometry_.pseudo_channels * stagger);
    for (u32 k = 0; k < units_.size(); ++k) units_[k].due = Cycle(interval_ * (k % stagger + 1) / stagger);
    next_due_ = units_.front().due;
}

BankMask RefreshEngine::banks_of(u32 unit) const {
    BankMask banks;
    const u32 first = unit * geometry_.banks_per_rank();
    const u32 turn = units_[unit].turn;
    switch (mode_) {
        case RefreshMode::per_bank:
            banks.set(first + turn);
            break;
        case RefreshMode::same_bank:
            for (u32 g = 0; g < geometry_.groups; ++g)
                banks.set(first + g * geometry_.banks_per_group + turn);
            break;
        default:
            for (u32 b = 0; b < geometry_.banks_per_unit(); ++b)
                banks.set(unit * geometry_.banks_per_unit() + b);
    }
    return banks;
}

bool RefreshEngine::update(Cycle now, const Board& board) {
    if (now >= next_due_) {
        next_due_ = kNever;
        for (Unit& r : units_) {
            while (r.due <= now) {
                r.due += interval_;
                ++r.owed;
                ++owed_total_;
                ++due_count_;
            }
            next_due_ = std::min(next_due_, r.due);
        }
    }
    bool changed = false;
    for (u32 k = 0; k < units_.size(); ++k) {
        Unit& r = units_[k];
        if (r.owed == 0 || r.running) continue;
        const BankMask banks = banks_of(k);
        if (r.owed <= limit_) {
            bool wanted = false;
            banks.each([&](u32 b) { wanted = wanted || board.head[b] != nullptr; });
            if (wanted) continue;
        }
        r.running = true;
        r.started = now;
        ++running_;
        blocked_ = blocked_ | banks;
        changed = true;
    }
    return changed;
}

RefreshEngine::Step RefreshEngine::next(const Device& device) const {
    Step best;
    if (running_ == 0) return best;
    auto consider = [&best](CommandKind kind, u32 unit, u32 bank, Cycle ready) {
        if (ready < best.ready) best = {kind, unit, bank, ready};
    };
    for (u32 k = 0; k < units_.size(); ++k) {
        const Unit& r = units_[k];
        if (!r.running) continue;
        const u32 first = k * geometry_.banks_per_rank();
        if (mode_ == RefreshMode::all_bank) {
            const u32 bank = k * geometry_.banks_per_unit();
            if (device.any_open(k)) {
                consider(CommandKind::precharge_all, k, bank, device.earliest_whole(k, Slot::precharge_all));
            } else {
                consider(CommandKind::refresh_all, k, bank, device.earliest_whole(k, Slot::refresh_all));
            }
            continue;
        }
        const bool same = mode_ == RefreshMode::same_bank;
        bool open = false;
        Cycle ready{0};
        banks_of(k).each([&](u32 b) {
            if (device.is_open(b)) {
                open = true;
                consider(CommandKind::precharge, k, b, device.earliest(b, Slot::precharge));
            } else {
                ready = std::max(ready, device.earliest(b, same ? Slot::refresh_same : Slot::refresh_bank));
            }
        });
        if (!open)
            consider(same ? CommandKind::refresh_same : CommandKind::refresh_bank, k,
                     same ? r.turn : first + r.turn, ready);
    }
    return best;
}

Cycle RefreshEngine::done(const Step& step, Cycle now) {
    Unit& r = units_[step.unit];
    blocked_ = blocked_.without(banks_of(step.unit));
    r.running = false;
    --running_;
    --r.owed;
    --owed_total_;
    r.turn = r.turn + 1 < turns_ ? r.turn + 1 : 0;
    return now + duration_;
}

}  // namespace heddle::dram
