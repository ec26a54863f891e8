#include "dram/refresh.h"

namespace heddle::dram {

RefreshEngine::RefreshEngine(const MemorySettings& s, const Resolved& r)
    : mode_(s.refresh), limit_(s.refresh_postpone), geometry_(r.geometry) {
    switch (mode_) {
        case RefreshMode::off:
            return;
        case RefreshMode::all_bank:
            interval_ = r.time(Param::REFI);
            duration_ = r.time(Param::RFC);
            break;
        case RefreshMode::same_bank:
            interval_ = r.time(Param::REFI) / geometry_.banks_per_group;
            duration_ = r.time(Param::RFCsb);
            break;
        case RefreshMode::per_bank:
            interval_ = r.time(Param::REFIpb);
            duration_ = r.time(Param::RFCpb);
            break;
    }
    if (interval_ <= duration_ && mode_ == RefreshMode::all_bank)
        throw InputError("memory: a refresh (RFC) takes longer than the time between two (REFI)");
    if (interval_ == 0) throw InputError("memory: the time between two refreshes is 0");
    ranks_.resize(geometry_.all_ranks());
    for (u32 k = 0; k < ranks_.size(); ++k)
        ranks_[k].due = Cycle(interval_ * (k % geometry_.ranks + 1) / geometry_.ranks);
    next_due_ = ranks_.front().due;
}

BankMask RefreshEngine::banks_of(u32 rank) const {
    BankMask banks;
    const u32 first = rank * geometry_.banks_per_rank();
    const u32 turn = ranks_[rank].turn;
    switch (mode_) {
        case RefreshMode::per_bank:
            banks.set(first + turn);
            break;
        case RefreshMode::same_bank:
            for (u32 g = 0; g < geometry_.groups; ++g)
                banks.set(first + g * geometry_.banks_per_group + turn);
            break;
        default:
            for (u32 b = 0; b < geometry_.banks_per_rank(); ++b) banks.set(first + b);
    }
    return banks;
}

bool RefreshEngine::update(Cycle now, const Board& board) {
    if (now >= next_due_) {
        next_due_ = kNever;
        for (Rank& r : ranks_) {
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
    for (u32 k = 0; k < ranks_.size(); ++k) {
        Rank& r = ranks_[k];
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
    auto consider = [&best](CommandKind kind, u32 rank, u32 bank, Cycle ready) {
        if (ready < best.ready) best = {kind, rank, bank, ready};
    };
    for (u32 k = 0; k < ranks_.size(); ++k) {
        const Rank& r = ranks_[k];
        if (!r.running) continue;
        const u32 first = k * geometry_.banks_per_rank();
        if (mode_ == RefreshMode::all_bank) {
            if (device.open_banks(k) != 0) {
                consider(CommandKind::precharge_all, k, first, device.earliest_rank(k, Slot::precharge_all));
            } else {
                consider(CommandKind::refresh_all, k, first, device.earliest_rank(k, Slot::refresh_all));
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
    Rank& r = ranks_[step.rank];
    blocked_ = blocked_.without(banks_of(step.rank));
    r.running = false;
    --running_;
    --r.owed;
    --owed_total_;
    const u32 turns = mode_ == RefreshMode::per_bank ? geometry_.banks_per_rank() : geometry_.banks_per_group;
    r.turn = r.turn + 1 < turns ? r.turn + 1 : 0;
    return now + duration_;
}

}  // namespace heddle::dram
