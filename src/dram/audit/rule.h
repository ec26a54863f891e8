#pragma once
// The constraints of each standard as data: one Rule is one row of a table.
//
// A rule says: after a `preceding` command to a node of `level`, a `following` command to the same node comes
// at least `formula` clocks later. Window k means the k-th most recent preceding command (tFAW is window 4);
// sibling means to the other nodes of the level instead (rank to rank). Formulas are sums and differences of
// timing names and numbers and count from the last clock of one command to the last clock of the other;
// commands that take more or less than one clock shift the distance of their first clocks accordingly.
//
// Sources: Ramulator 2.1 (python/ramulator/dram/*.py, commit c5b1c3a) for DDR3, DDR4, DDR5, GDDR6, HBM2, HBM3
// and LPDDR5; Ramulator 1 (src/GDDR5.cpp, commit 214f635), DRAMsim3 (src/timing.cc, commit 2981759) and
// DRAMSys (CheckerGDDR5.cpp, commit 2107966) for GDDR5. Rules that these leave out although every such device
// needs them stand in sets of their own, named `common`.

#include <array>
#include <span>
#include <string_view>

#include "dram/audit/device.h"
#include "dram/command.h"
#include "sim/types.h"

namespace heddle::dram::audit {

/// From the widest to the narrowest.
enum class Level : u8 { channel, pseudo, rank, group, bank, count_ };

struct Rule {
    Level level;
    std::string_view preceding;  ///< command names with spaces between
    std::string_view following;
    std::string_view formula;
    u8 window = 1;
    bool sibling = false;
    std::string_view unless = {};  ///< the rule is replaced by another one if this timing is given
};

struct RuleSet {
    std::string_view source;
    std::span<const Rule> rules;
};

inline constexpr std::size_t kKinds = static_cast<std::size_t>(CommandKind::count_);
using KindTable = std::array<u8, kKinds>;

/// One standard: its rules and what a table of rules can't say.
struct StandardRules {
    std::string_view name;
    std::span<const RuleSet> sets;
    Level all_bank;          ///< what PREab and REFab address: one rank, or one pseudo-channel
    bool split_bus;          ///< row and column commands have a bus each
    KindTable half_clocks;   ///< how long a command occupies its bus
    std::string_view burst;  ///< timing that is the length of a burst on the data bus
    bool has_pseudos;
    bool has_ranks;
    bool has_groups;
    /// Timings of refreshing all banks, the same bank of each group, one bank; a device without them lacks
    /// that command. The first of each is how long the refresh takes.
    std::span<const std::string_view> refresh_all;
    std::span<const std::string_view> refresh_same;
    std::span<const std::string_view> refresh_bank;
    /// Other timings whose rules exist only if they are given.
    std::span<const std::string_view> optional;
    /// Latencies count from the first clock of a command: how long it holds the bus is not looked at.
    bool from_first_clock = false;

    /// Those of the three that belong to the command or the mode.
    std::span<const std::string_view> refresh_timings(CommandKind kind) const;
    std::span<const std::string_view> refresh_timings(RefreshMode mode) const;
};

/// Null if there is no such standard.
const StandardRules* find_standard(std::string_view name);
/// "DDR3, DDR4, ..."
std::string_view standard_names();

/// "ACT", "PREpb", "PREab", "RD", "RDA", "WR", "WRA", "REFab", "REFsb", "REFpb".
std::string_view name_of(CommandKind kind);
/// CommandKind::count_ if there is no such command.
CommandKind find_kind(std::string_view name);
std::string_view name_of(Level level);

extern const StandardRules kDdr3, kDdr4, kDdr5, kGddr5, kGddr6, kHbm2, kHbm3, kLpddr5;

}  // namespace heddle::dram::audit
