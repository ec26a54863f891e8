#pragma once
// What the auditor is told about a DRAM device: the standard, how many of everything, the timings in clocks.
//
// Whoever knows the device fills an AuditDevice; nothing else passes between a controller and its auditor but
// the commands themselves. Names of timings are the standards' own without the leading t or n ("CL", "RCDRD",
// "FAW", "32AW"); timing_names() lists those that a standard takes. A timing that the standard does not use
// is an error, and so is a missing one that it needs; 0 switches a constraint off, visibly.
//
// Machines that differ from the standard in how commands take their buses (models of GPUs often let an HBM2 activate
// take one clock) say so in `activate_clocks` and `command_buses`; they are then held to that.
//
// HBM3: `ranks` counts the stack IDs of a pseudo-channel, and Command::rank is the stack ID.
// Without bank groups (groups = 1) the constraints inside a bank group do not exist and their timings are not
// needed; without ranks the same holds for those between ranks.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/types.h"

namespace heddle::dram::audit {

enum class RefreshMode : u8 { off, all_bank, same_bank, per_bank };

/// How commands reach the device: as the standard has it, all on one bus, or row and column commands apart.
enum class CommandBuses : u8 { standard, shared, separate };

struct AuditDevice {
    std::string label;        ///< free text for messages, one line: which memory, which channel
    std::string standard;     ///< "DDR3" "DDR4" "DDR5" "GDDR5" "GDDR6" "HBM2" "HBM2E" "HBM3" "LPDDR5"
    u32 pseudos = 1;          ///< pseudo-channels
    u32 ranks = 1;            ///< in a pseudo-channel
    u32 groups = 1;           ///< bank groups in a rank
    u32 banks = 1;            ///< banks in a bank group
    u32 rows = 1;             ///< in a bank
    u32 columns = 1;          ///< bursts in a row
    u32 steps_per_clock = 1;  ///< Command::at counts clocks (1) or half clocks (2)
    u32 activate_clocks = 0;  ///< clocks that an activate takes on its bus; 0: as many as the standard says
    CommandBuses command_buses = CommandBuses::standard;
    std::vector<std::pair<std::string, u32>> timing;  ///< name, clocks (whatever a step is)

    /// The mode decides which refresh is due when. `off` means that none is due; a refresh command that comes
    /// all the same is still held to its constraints.
    RefreshMode refresh = RefreshMode::off;
    u32 max_postponed = 8;  ///< refreshes that a bank may owe
    u32 max_pulled_in = 8;  ///< refreshes that a bank may be ahead

    /// The timing's value, or `absent` if it is not given.
    static constexpr i64 absent = -1;
    i64 clocks(std::string_view name) const;
};

/// What is wrong with the description: the key of a command trace that says so ("ranks", "timing RFC"), and one line
/// without the place. Both are empty if it can be audited.
struct Problem {
    std::string key, text;
};
Problem problem(const AuditDevice& device);

struct TimingName {
    std::string_view name;
    bool needed;  ///< for this device; false: a constraint that exists only if the timing is given
};

/// The timings that the device's standard takes. InputError for an unknown standard.
std::vector<TimingName> timing_names(const AuditDevice& device);

std::string_view name_of(RefreshMode mode);
std::string_view name_of(CommandBuses buses);
/// The timing between two refresh commands of the mode, where it has its own: "REFIsb" (JESD79-5: REFI over twice the
/// banks in a group), "REFIpb" (of one rank or stack level; without it
/// REFI over its banks), or "".
std::string_view own_interval_of(RefreshMode mode);

}  // namespace heddle::dram::audit
