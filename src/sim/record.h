#pragma once
// The result of a run as plain data: what the simulation fills and what reports, the JSON record and the
// result store read. Nothing here formats anything; a figure has the name of its field wherever it is shown.
//
// What does not exist is absent (an empty optional, a missing list entry), never a zero.

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "sim/field.h"
#include "sim/types.h"

namespace heddle {

/// One counted thing of the machine. `name` is the dotted path of its owner and its own name
/// ("gpu.sm.l1.read_hits"); `unit` what one of it is ("requests", "bytes", "cycles").
struct CounterRecord {
    std::string name;
    std::string unit;
    u64 value = 0;
};

/// A share of a whole: `warp_cycles` out of all cycles that warps spent waiting.
struct StallRecord {
    std::string cause;  ///< "memory", "dependency", "barrier", ...
    u64 warp_cycles = 0;
};

/// What is kept of a histogram.
struct DistributionRecord {
    u64 count = 0;
    u64 sum = 0;  ///< mean = sum / count
    u64 p50 = 0, p90 = 0, p99 = 0;
    u64 max = 0;
};

/// A hit rate with its parts.
struct CacheRecord {
    std::string name;  ///< "l1", "l2", "l1_tlb"
    u64 accesses = 0;
    u64 hits = 0;
};

/// What a level between the SMs and the memory moved.
struct ThroughputRecord {
    std::string name;  ///< "l1", "l2", "crossbar"
    u64 bytes = 0;
    u64 peak_bytes = 0;  ///< what it could have moved until everything had drained
};

/// One static load, for "loads that warps waited for most".
struct HotLoadRecord {
    std::string kernel;
    u64 pc = 0;
    u64 executions = 0;      ///< warp instructions
    u64 requests = 0;        ///< after coalescing
    u64 wait_cycles = 0;     ///< summed over executions, from issue to the last lane's data
    std::string where = {};  ///< source line or instruction text; empty if the stream has none
};

/// What a kernel or an application did to the memory system. Only sums.
struct MemoryCounts {
    std::array<u64, 11> warp_cycles{};    ///< in the order of RunRecord::stalls
    u64 load_lines = 0, store_lines = 0;  ///< after coalescing; global and local
    u64 l1_read_sectors = 0, l1_read_sector_hits = 0;
    u64 l1_stall_cycles = 0;  ///< for which the load/store unit was held up by L1 or the crossbar
    u64 l2_reads = 0, l2_hits = 0, l2_misses = 0, l2_writes = 0;  ///< lines; atomics are reads
    u64 l2_read_sectors = 0, l2_read_sector_hits = 0, l2_write_sectors = 0;
    u64 dram_reads = 0, dram_writes = 0;  ///< requests, reads of page walks and forwarded reads included
    u64 dram_read_bytes = 0, dram_write_bytes = 0;
    u64 dram_activates = 0, dram_read_latency_clocks = 0;
    u64 row_hits = 0, row_misses = 0, row_conflicts = 0;

    using All = std::array<u64, 32>;
    All all() const { return std::bit_cast<All>(*this); }
    static MemoryCounts from(const All& all) { return std::bit_cast<MemoryCounts>(all); }
};
static_assert(sizeof(MemoryCounts) == sizeof(MemoryCounts::All));

/// Their names in the record of a run. Cycles of warps have those of RunRecord::stalls.
inline constexpr Field<MemoryCounts> kMemoryCountNames[] = {
    {"load_lines", "lines", counted<&MemoryCounts::load_lines>},
    {"store_lines", "lines", counted<&MemoryCounts::store_lines>},
    {"l1_read_sectors", "sectors", counted<&MemoryCounts::l1_read_sectors>},
    {"l1_read_sector_hits", "sectors", counted<&MemoryCounts::l1_read_sector_hits>},
    {"l1_stall_cycles", "cycles", counted<&MemoryCounts::l1_stall_cycles>},
    {"l2_reads", "lines", counted<&MemoryCounts::l2_reads>},
    {"l2_hits", "lines", counted<&MemoryCounts::l2_hits>},
    {"l2_misses", "lines", counted<&MemoryCounts::l2_misses>},
    {"l2_writes", "lines", counted<&MemoryCounts::l2_writes>},
    {"l2_read_sectors", "sectors", counted<&MemoryCounts::l2_read_sectors>},
    {"l2_read_sector_hits", "sectors", counted<&MemoryCounts::l2_read_sector_hits>},
    {"l2_write_sectors", "sectors", counted<&MemoryCounts::l2_write_sectors>},
    {"dram_reads", "requests", counted<&MemoryCounts::dram_reads>},
    {"dram_writes", "requests", counted<&MemoryCounts::dram_writes>},
    {"dram_read_bytes", "bytes", counted<&MemoryCounts::dram_read_bytes>},
    {"dram_write_bytes", "bytes", counted<&MemoryCounts::dram_write_bytes>},
    {"dram_activates", "commands", counted<&MemoryCounts::dram_activates>},
    {"dram_read_latency_clocks", "clocks", counted<&MemoryCounts::dram_read_latency_clocks>},
    {"row_hits", "requests", counted<&MemoryCounts::row_hits>},
    {"row_misses", "requests", counted<&MemoryCounts::row_misses>},
    {"row_conflicts", "requests", counted<&MemoryCounts::row_conflicts>},
};

/// One kernel launch.
struct KernelRecord {
    std::string name;
    u64 index = 0;        ///< launch number in its application, from 1
    u64 start_cycle = 0;  ///< core cycle of the first CTA's start
    u64 cycles = 0;       ///< core cycles from that to the end
    u64 ctas = 0;
    u64 warp_instructions = 0;
    u64 thread_instructions = 0;
    u64 loads = 0;                ///< global loads and atomics with a result, warp instructions
    u64 load_latency_cycles = 0;  ///< of these, from issue to last data, summed
    MemoryCounts memory = {};     ///< see machine/kernel_account.h for what belongs to which kernel
    bool shared = false;          ///< `memory` includes its share of times in which others ran too
};

/// What a DRAM scheduler that measures applications in windows of time found out about one, over all channels.
struct SchedulerWindowsRecord {
    u64 windows = 0;
    u64 first_windows = 0;  ///< at whose end it came first
    u64 window_bytes = 0;
    u64 mpki_windows = 0;  ///< in which it issued instructions
    u64 mpki_sum = 0;      ///< of these windows' misses for 10^9 instructions
};

/// A mark or range of a program (NVTX), by the kernels that it launched meanwhile.
struct RangeRecord {
    std::string name, domain;
    u64 color = 0;         ///< ARGB; 0: none given
    bool is_mark = false;  ///< a moment: `start_cycle` is when the last kernel launched before it ended
    u64 kernels = 0;       ///< launched in it, of those that started
    u64 start_cycle = 0;   ///< core cycle of the first one's start
    u64 cycles = 0;        ///< from that to the end of the last
};

/// One application.
struct AppRecord {
    std::string name;
    u64 cycles = 0;  ///< core cycles from the start of the run to its end
    u64 warp_instructions = 0;
    u64 thread_instructions = 0;
    std::vector<KernelRecord> kernels;  ///< of its first run
    u64 launches = 1;           ///< with several applications: how often it was started until all had ended
    u64 first_sm = 0, sms = 0;  ///< where it ran
    std::vector<RangeRecord> ranges = {};      ///< in the order in which they began
    std::vector<CounterRecord> counters = {};  ///< its part of the machine's, until it first ended
    std::optional<SchedulerWindowsRecord> scheduler_windows = {};
};

/// One memory (all channels).
struct MemoryRecord {
    std::string name;
    std::string standard;  ///< "GDDR5"
    u64 channels = 0;
    u64 reads = 0, writes = 0;  ///< requests served; row outcomes are counted by request too
    u64 read_bytes = 0, write_bytes = 0;
    u64 row_hits = 0, row_misses = 0, row_conflicts = 0;
    u64 peak_bytes_per_s = 0;              ///< of all channels
    u64 peak_bytes = 0;                    ///< what the data bus could have moved in the run's time
    std::optional<u64> rank_changes = {};  ///< of a scheduler that orders applications, over all channels
};

/// The independent audit of the DRAM commands, which found no violation.
struct AuditRecord {
    u64 channels = 0;
    u64 commands = 0;
    std::string tightest_rule;  ///< empty if no rule was exercised
    u64 slack = 0;              ///< of that rule, the least memory clocks to spare
};

/// Counters over time: their values at some core cycles.
struct TimelineRecord {
    struct Series {
        std::string name;
        std::vector<u64> values;  ///< one for each of `cycles`, growing
    };
    u64 interval = 0;         ///< core cycles between samples, at least
    std::vector<u64> cycles;  ///< ascending
    std::vector<Series> series;
};

/// An opcode of the input that is in no table, timed as an ordinary operation.
struct UnknownOpcodeRecord {
    std::string opcode;
    u64 count = 0;  ///< warp instructions
};

/// A shared object whose policies were available.
struct PluginRecord {
    std::string file;
    std::string sha256;  ///< of its contents
};

/// What the simulation itself cost. Nothing else of a record may differ between two runs.
struct SimulationRecord {
    u64 cpu_microseconds = 0;  ///< user and system time since process start, children included
    u64 peak_memory_bytes = 0;
};

/// The whole result of a run.
struct RunRecord {
    std::string version;
    u64 seed = 0;
    std::string machine_name;
    std::string machine_yaml;  ///< complete resolved description
    std::vector<PluginRecord> plugins;
    bool partial = false;         ///< interrupted or cut off before the applications ended
    std::string partial_because;  ///< "interrupted", "instruction limit"
    u64 cycles = 0;               ///< core cycles of the run
    u64 core_hz = 0;
    std::vector<AppRecord> apps;
    std::vector<MemoryRecord> memories;         ///< by name
    std::vector<CacheRecord> caches;            ///< from the core outwards
    std::vector<ThroughputRecord> throughputs;  ///< from the core outwards
    std::vector<StallRecord> stalls;  ///< of resident warps' cycles, issuing included; sums to the whole
    std::optional<DistributionRecord> load_latency_cycles;  ///< global loads, issue to last data
    std::optional<DistributionRecord> requests_per_load;
    std::vector<HotLoadRecord> hot_loads;              ///< most waiting first
    std::vector<CounterRecord> counters;               ///< in the order of the machine
    std::vector<UnknownOpcodeRecord> unknown_opcodes;  ///< over all kernels, by name
    std::vector<std::string> warnings;       ///< what was not fully understood in the input, each once
    std::optional<TimelineRecord> timeline;  ///< only if requested
    std::optional<AuditRecord> audit;        ///< only if the run was audited
    SimulationRecord simulation;
};

}  // namespace heddle
