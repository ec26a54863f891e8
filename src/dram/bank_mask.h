#pragma once
// A set of banks of one channel.

#include <array>
#include <bit>

#include "dram/geometry.h"

namespace heddle::dram {

struct BankMask {
    std::array<u64, kMaxBanks / 64> words{};

    void set(u32 bank) { words[bank / 64] |= u64{1} << bank % 64; }
    void clear(u32 bank) { words[bank / 64] &= ~(u64{1} << bank % 64); }
    bool test(u32 bank) const { return (words[bank / 64] >> bank % 64 & 1) != 0; }
    bool any() const { return (words[0] | words[1]) != 0; }
    u32 count() const { return static_cast<u32>(std::popcount(words[0]) + std::popcount(words[1])); }
    friend BankMask operator|(BankMask a, const BankMask& b) {
        for (std::size_t k = 0; k < a.words.size(); ++k) a.words[k] |= b.words[k];
        return a;
    }
    friend BankMask operator&(BankMask a, const BankMask& b) {
        for (std::size_t k = 0; k < a.words.size(); ++k) a.words[k] &= b.words[k];
        return a;
    }
    BankMask without(const BankMask& b) const {
        BankMask r = *this;
        for (std::size_t k = 0; k < words.size(); ++k) r.words[k] &= ~b.words[k];
        return r;
    }
    friend bool operator==(const BankMask&, const BankMask&) = default;

    /// Calls f(bank) in ascending order.
    template <class F>
    void each(F&& f) const {
        for (u32 k = 0; k < words.size(); ++k)
            for (u64 rest = words[k]; rest != 0; rest &= rest - 1)
                f(k * 64 + static_cast<u32>(std::countr_zero(rest)));
    }
};

}  // namespace heddle::dram
