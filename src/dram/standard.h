#pragma once
// A DRAM standard as a table: its buses and, row by row, which command must wait for which, at which level.
//
// Reading a row: after a command of `preceding` to a node of `level`, a command of `following` to the same
// node may issue `latency` clocks later or more. `window` k: after the k-th most recent `preceding`.
// `sibling`: the row holds for the other nodes of that level under the same parent.

#include <array>
#include <span>
#include <string_view>

#include "dram/command.h"
#include "dram/settings.h"

namespace heddle::dram {

enum class Level : u8 { channel, pseudo, rank, group, bank };

/// A set of command kinds.
struct Kinds {
    u16 bits = 0;
    constexpr Kinds() = default;
    constexpr Kinds(CommandKind k) : bits(static_cast<u16>(1u << static_cast<unsigned>(k))) {}
    constexpr bool has(CommandKind k) const { return (bits & Kinds(k).bits) != 0; }
    friend constexpr bool operator==(Kinds, Kinds) = default;
    friend constexpr Kinds operator-(Kinds a, Kinds b) {
        Kinds r;
        r.bits = static_cast<u16>(a.bits & ~b.bits);
        return r;
    }
    friend constexpr Kinds operator|(Kinds a, Kinds b) {
        Kinds r;
        r.bits = static_cast<u16>(a.bits | b.bits);
        return r;
    }
};
constexpr Kinds operator|(CommandKind a, CommandKind b) {
    return Kinds(a) | Kinds(b);
}

/// A sum of timing parameters and a constant, such as CWL + BL + WR.
struct Latency {
    std::array<i8, kParams> times{};
    i8 clocks = 0;
    constexpr Latency() = default;
    constexpr Latency(Param p) { times[static_cast<std::size_t>(p)] = 1; }
    constexpr Latency(int n) : clocks(static_cast<i8>(n)) {}
    friend constexpr Latency operator+(Latency a, const Latency& b) { return a.add(b, 1); }
    friend constexpr Latency operator-(Latency a, const Latency& b) { return a.add(b, -1); }

  private:
    constexpr Latency& add(const Latency& b, int sign) {
        for (std::size_t k = 0; k < kParams; ++k) times[k] = static_cast<i8>(times[k] + sign * b.times[k]);
        clocks = static_cast<i8>(clocks + sign * b.clocks);
        return *this;
    }
};
constexpr Latency operator+(Param a, Param b) {
    return Latency(a) + Latency(b);
}
constexpr Latency operator-(Param a, Param b) {
    return Latency(a) - Latency(b);
}

struct Constraint {
    Level level;
    Kinds preceding, following;
    Latency latency;
    u8 window = 1;
    bool sibling = false;
};

struct Standard {
    std::string_view name;
    std::string_view source;
    std::span<const Constraint> constraints;
    Latency read_to_write;  // RTW where neither the speed bin nor the machine gives it
    /// Steps of Heddle's command clock in a clock of the data sheet: 2 where commands use both edges.
    u8 steps = 1;
    /// Steps of its bus that a command takes.
    u8 activate_steps = 1, precharge_steps = 1, column_steps = 1, refresh_steps = 1;
    /// Whether latencies count from a command's last clock (and not from its first).
    bool from_last_step = true;
    Level whole =
        Level::rank;  // what PREab and REFab address: a rank, or a pseudo-channel with all its levels
    bool separate_buses = false;  // row commands and column commands each have a bus
    Kinds refreshes;              // the refresh commands that it has

    u32 command_steps(CommandKind kind) const;
};

std::span<const Standard> standards();
/// Null if there is none of this name.
const Standard* find_standard(std::string_view name);

std::string_view name_of(Param p);

}  // namespace heddle::dram
