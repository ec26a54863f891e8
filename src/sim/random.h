#pragma once
// Random numbers: one seeded generator for each use, the same on every machine.
//
// xoshiro256** (Blackman and Vigna, 2018), seeded through splitmix64. Two uses with the same seed differ in
// their `use` text, so that adding one never changes the numbers that another gets.

#include <array>
#include <bit>
#include <string_view>

#include "sim/types.h"

namespace heddle {

/// One step of splitmix64: a well-mixed 64-bit value of `x`.
constexpr u64 mix64(u64 x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

class Random {
  public:
    explicit constexpr Random(u64 seed, std::string_view use = {}) {
        for (const char c : use) seed = mix64(seed ^ static_cast<unsigned char>(c));
        for (u64& word : state_) word = seed = mix64(seed);
    }

    constexpr u64 next() {
        const u64 result = std::rotl(state_[1] * 5, 7) * 9;
        const u64 t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// 0 to n-1; n > 0. The bias, n / 2^64, is below what any simulation can see.
    constexpr u64 below(u64 n) { return static_cast<u64>(static_cast<unsigned __int128>(next()) * n >> 64); }

    /// True in `parts` of `whole` cases.
    constexpr bool chance(u64 parts, u64 whole) { return below(whole) < parts; }

  private:
    std::array<u64, 4> state_{};
};

}  // namespace heddle
