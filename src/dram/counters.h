#pragma once
// The names of what a memory's channels count (sim/field.h).

#include "dram/energy.h"
#include "dram/statistics.h"
#include "sim/field.h"

namespace heddle::dram {

inline constexpr Field<Statistics> kMemoryCounters[] = {
    {"reads", "requests", counted<&Statistics::reads>},
    {"writes", "requests", counted<&Statistics::writes>},
    {"read_bursts", "bursts", counted<&Statistics::read_bursts>},
    {"write_bursts", "bursts", counted<&Statistics::write_bursts>},
    {"forwarded_reads", "requests", counted<&Statistics::forwarded_reads>},
    {"row_hits", "requests", counted<&Statistics::rows, RowOutcome::hit>},
    {"row_misses", "requests", counted<&Statistics::rows, RowOutcome::miss>},
    {"row_conflicts", "requests", counted<&Statistics::rows, RowOutcome::conflict>},
    {"commands.activates", "commands", counted<&Statistics::commands, CommandKind::activate>},
    {"commands.precharges", "commands", counted<&Statistics::commands, CommandKind::precharge>},
    {"commands.precharges_all", "commands", counted<&Statistics::commands, CommandKind::precharge_all>},
    {"commands.reads", "commands", counted<&Statistics::commands, CommandKind::read>},
    {"commands.reads_auto_precharge", "commands", counted<&Statistics::commands, CommandKind::read_auto>},
    {"commands.writes", "commands", counted<&Statistics::commands, CommandKind::write>},
    {"commands.writes_auto_precharge", "commands", counted<&Statistics::commands, CommandKind::write_auto>},
    {"commands.refreshes_all_bank", "commands", counted<&Statistics::commands, CommandKind::refresh_all>},
    {"commands.refreshes_same_bank", "commands", counted<&Statistics::commands, CommandKind::refresh_same>},
    {"commands.refreshes_per_bank", "commands", counted<&Statistics::commands, CommandKind::refresh_bank>},
    {"bus_cycles.data", "clocks", counted<&Statistics::bus_cycles, BusUse::data>},
    {"bus_cycles.turnaround", "clocks", counted<&Statistics::bus_cycles, BusUse::turnaround>},
    {"bus_cycles.refresh", "clocks", counted<&Statistics::bus_cycles, BusUse::refresh>},
    {"bus_cycles.bank", "clocks", counted<&Statistics::bus_cycles, BusUse::bank>},
    {"bus_cycles.idle", "clocks", counted<&Statistics::bus_cycles, BusUse::idle>},
    {"occupancy_cycles", "request clocks", counted<&Statistics::occupancy_cycles>},
    {"read_latency_clocks", "clocks", counted<&Statistics::read_latency>},
    {"write_latency_clocks", "clocks", counted<&Statistics::write_latency>},
};

/// Of the reads of page walks.
inline constexpr Field<WalkCounts> kWalkCounters[] = {
    {"walks.reads", "requests", counted<&WalkCounts::reads>},
    {"walks.read_bytes", "bytes", counted<&WalkCounts::read_bytes>},
    {"walks.read_latency_clocks", "clocks", counted<&WalkCounts::latency_cycles>},
};

inline constexpr Field<Energy> kEnergyCounters[] = {
    {"energy.activates", "pJ", counted<&Energy::activate>},
    {"energy.reads", "pJ", counted<&Energy::read>},
    {"energy.writes", "pJ", counted<&Energy::write>},
    {"energy.refreshes", "pJ", counted<&Energy::refresh>},
    {"energy.background", "pJ", counted<&Energy::background>},
};

/// Of an application.
inline constexpr Field<AppCounts> kAppCounters[] = {
    {"dram.reads", "requests", counted<&AppCounts::reads>},
    {"dram.writes", "requests", counted<&AppCounts::writes>},
    {"dram.read_bytes", "bytes", counted<&AppCounts::read_bytes>},
    {"dram.write_bytes", "bytes", counted<&AppCounts::written_bytes>},
    {"dram.activates", "commands", counted<&AppCounts::activates>},
    {"dram.read_latency_clocks", "clocks", counted<&AppCounts::latency_cycles>},
    {"dram.row_hits", "requests", counted<&AppCounts::rows, RowOutcome::hit>},
    {"dram.row_misses", "requests", counted<&AppCounts::rows, RowOutcome::miss>},
    {"dram.row_conflicts", "requests", counted<&AppCounts::rows, RowOutcome::conflict>},
};

/// Those that are followed over time.
inline constexpr Field<Statistics> kMemorySeries[] = {
    {"read_bytes", "bytes", counted<&Statistics::read_bytes>},
    {"write_bytes", "bytes", counted<&Statistics::written_bytes>},
    {"row_hits", "requests", counted<&Statistics::rows, RowOutcome::hit>},
    {"row_misses", "requests", counted<&Statistics::rows, RowOutcome::miss>},
    {"row_conflicts", "requests", counted<&Statistics::rows, RowOutcome::conflict>},
};

}  // namespace heddle::dram
