#pragma once
// The banks whose request needs a command of one bus next, densely packed for the one loop that decides.

#include "dram/bank_mask.h"

namespace heddle::dram {

class Candidates {
  public:
    /// The soonest time and, among equals, the smallest key.
    struct Best {
        u64 at = ~u64{0};
        u64 key = ~u64{0};
        u32 bank = kMaxBanks;  // kMaxBanks: none
    };

    Candidates() {
        place_.fill(kNone);
        bank_[kMaxBanks] = kMaxBanks;
    }

    bool has(u32 bank) const { return place_[bank] != kNone; }
    /// `own`: the bank's part of its earliest time; `group`, `rank`: where the parts stand that it shares.
    void put(u32 bank, u64 key, u64 own, u32 group, u32 rank) {
        u32 k = place_[bank];
        if (k == kNone) {
            k = count_++;
            place_[bank] = static_cast<u16>(k);
            bank_[k] = bank;
        }
        key_[k] = key;
        own_[k] = own;
        group_[k] = group;
        rank_[k] = rank;
    }
    void remove(u32 bank) {
        const u32 k = place_[bank];
        if (k == kNone) return;
        const u32 last = --count_;
        key_[k] = key_[last];
        own_[k] = own_[last];
        group_[k] = group_[last];
        rank_[k] = rank_[last];
        bank_[k] = bank_[last];
        place_[bank_[last]] = static_cast<u16>(k);
        place_[bank] = kNone;
    }

    /// All keys have changed.
    void rekey(const std::array<u64, kMaxBanks>& keys) {
        for (u32 k = 0; k < count_; ++k) key_[k] = keys[bank_[k]];
    }

    /// Not before `floor`; `times` is what the places of `put` refer to; keys count from `origin`. Times are rounded up
    /// to a multiple of `steps`.
    Best best(const u64* times, u64 floor, u64 origin, u32 steps) const {
        return steps > 1 ? least<true>(times, floor, origin, steps)
                         : least<false>(times, floor, origin, steps);
    }

  private:
    template <bool kAlign>
    Best least(const u64* times, u64 floor, u64 origin, u32 steps) const {
        const auto joined = [](u64 at, u64 key) { return static_cast<unsigned __int128>(at) << 64 | key; };
        Best b;
        u32 place = kMaxBanks;
        for (u32 k = 0; k < count_; ++k) {
            u64 at = std::max(std::max(own_[k], times[group_[k]]), std::max(times[rank_[k]], floor));
            if constexpr (kAlign) at = ceil_div(at, steps) * steps;
            const u64 key = key_[k] - origin;
            // Time and key as one number of two words: one comparison. No short cuts: which bank wins is as good as random,
            // and a wrong guess costs more than the rest.
            const bool better = joined(at, key) < joined(b.at, b.key);
            b.at = better ? at : b.at;
            b.key = better ? key : b.key;
            place = better ? k : place;
        }
        b.bank = bank_[place];
        return b;
    }

    static constexpr u16 kNone = 0xffff;
    u32 count_ = 0;
    std::array<u64, kMaxBanks> key_, own_;
    std::array<u32, kMaxBanks> group_, rank_;
    std::array<u32, kMaxBanks + 1> bank_;  // by place; behind the last place: no bank
    std::array<u16, kMaxBanks> place_;
};

}  // namespace heddle::dram
