#pragma once
// What a channel counts. Time-weighted figures are brought up to date by Channel::statistics(now).

#include <array>
#include <vector>

#include "dram/command.h"
#include "sim/histogram.h"
#include "sim/types.h"

namespace heddle::dram {

/// By request, at its first command.
enum class RowOutcome : u8 {
    hit,       // its row was open
    miss,      // the bank was closed
    conflict,  // another row was open
    count_
};

/// Where the clocks of a data bus went. The sum over causes is clocks x pseudo-channels.
enum class BusUse : u8 {
    data,
    turnaround,  // between reads and writes
    refresh,     // nothing to send while a rank was closed for refresh
    bank,        // requests waited for activates, precharges or column gaps
    idle,        // no request waited
    count_
};

struct AppCounts {
    u64 reads = 0, writes = 0;
    u64 read_bytes = 0, written_bytes = 0;
    u64 activates = 0;
    u64 latency_cycles = 0;  // of reads, accept to last beat
    std::array<u64, static_cast<std::size_t>(RowOutcome::count_)> rows{};

    void merge(const AppCounts& other);
};

/// Reads of page walks.
struct WalkCounts {
    u64 reads = 0, read_bytes = 0;
    u64 latency_cycles = 0;  // accept to last beat
};

struct Statistics {
    u64 cycles = 0;
    u64 reads = 0, writes = 0;              // requests whose column commands have all been issued
    u64 read_bytes = 0, written_bytes = 0;  // moved on the data bus
    u64 read_bursts = 0, write_bursts = 0;
    u64 forwarded_reads = 0;  // answered from a waiting write: no bus, no DRAM command
    std::array<u64, static_cast<std::size_t>(CommandKind::count_)> commands{};
    std::array<u64, static_cast<std::size_t>(RowOutcome::count_)> rows{};
    std::array<u64, static_cast<std::size_t>(BusUse::count_)> bus_cycles{};
    Histogram read_latency;          // accept to last beat on the bus
    Histogram refresh_read_latency;  // of those, the ones that waited for a refresh
    Histogram write_latency;         // accept to data written
    u64 occupancy_cycles = 0;        // waiting requests summed over cycles
    u64 open_cycles = 0;             // ranks with a row open summed over cycles
    u64 refreshes_due = 0;           // that fell due until now
    std::vector<AppCounts> apps;
    WalkCounts walks;  // part of reads and read_bytes

    u64 count(CommandKind k) const { return commands[static_cast<std::size_t>(k)]; }
    u64 count(RowOutcome r) const { return rows[static_cast<std::size_t>(r)]; }
    u64 count(BusUse u) const { return bus_cycles[static_cast<std::size_t>(u)]; }
    /// Adds another channel's figures; cycles become the longer ones.
    void merge(const Statistics& other);
};

}  // namespace heddle::dram
