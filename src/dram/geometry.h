#pragma once
// What a memory's settings resolve to: the structure of one channel and its timing in clocks, checked.

#include <array>
#include <string>

#include "dram/settings.h"
#include "dram/standard.h"

namespace heddle::dram {

/// Structure of one channel. A flat bank number counts pseudo-channel, rank, bank group, bank, with the last changing
/// fastest.
struct Geometry {
    u32 pseudo_channels = 1, ranks = 1, groups = 1, banks_per_group = 1;
    u32 rows = 0;
    u32 row_bytes = 0;
    u32 access_bytes = 0;  // moved by one column command
    u32 columns = 0;       // accesses in a row
    u32 width_bits = 0;    // of one (pseudo-)channel
    u32 burst_length = 0;
    u32 transfers_per_clock = 0;
    u32 ranks_per_unit = 1;  // ranks that PREab and REFab address at once
    u32 devices = 1;         // in lockstep, of one rank and pseudo-channel

    u32 banks() const { return pseudo_channels * ranks * groups * banks_per_group; }
    u32 banks_per_rank() const { return groups * banks_per_group; }
    u32 all_groups() const { return pseudo_channels * ranks * groups; }
    u32 all_ranks() const { return pseudo_channels * ranks; }
    u32 group_of(u32 bank) const { return bank / banks_per_group; }
    u32 rank_of(u32 bank) const { return bank / banks_per_rank(); }
    u32 pseudo_of(u32 bank) const { return bank / (banks_per_rank() * ranks); }
    /// Units of PREab and REFab; their banks are contiguous in the flat numbering.
    u32 units() const { return all_ranks() / ranks_per_unit; }
    u32 banks_per_unit() const { return banks_per_rank() * ranks_per_unit; }
    u64 capacity() const { return u64{banks()} * rows * row_bytes; }
};

/// Banks that one channel may have; policies use masks of this many bits.
inline constexpr u32 kMaxBanks = 128;

struct Resolved {
    const Standard* standard = nullptr;
    Geometry geometry;
    std::array<u32, kParams> clocks{};  // of the command clock in which the channel counts
    u64 clock_hz = 0;                   // of that clock
    u32 density_mbit = 0;
    bool separate_buses = false;
    RefreshMode refresh = RefreshMode::off;
    bool read_to_write_given =
        false;  // RTW is the machine's or the speed bin's, not from the standard's formula
    std::array<u32, static_cast<std::size_t>(CommandKind::count_)> bus_clocks{};  // that a command takes

    u32 time(Param p) const { return clocks[static_cast<std::size_t>(p)]; }
    /// From a column command to the end of its data.
    u32 read_latency() const;
    u32 write_latency() const;
    /// The time in which a bank is sure to finish a write, and then to serve a request to one row and one to another.
    u64 two_row_clocks() const { return u64{write_latency()} + time(Param::WR) + 2 * u64{time(Param::RC)}; }
    /// Bytes per second of the whole channel's data bus.
    u64 peak_bytes_per_s() const;
};

/// Merges part, speed bin and overrides. InputError if a name is unknown, a time that a constraint needs is missing, or
/// numbers contradict each other (density and organization, rate and burst and clock).
Resolved resolve(const MemorySettings& settings);

/// "hbm2: 8 channels of 2 x 64 bit, 32 bytes per column command, 32 banks, peak 256.0 GB/s": what a user wants to see
/// first.
std::string describe(const Resolved& resolved, u32 channels);

}  // namespace heddle::dram
