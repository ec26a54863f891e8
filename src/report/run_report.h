#pragma once
// The result of one run, for people (one screen of text) and for programs (a JSON record).

#include <optional>
#include <string>

#include "config/node.h"
#include "sim/record.h"

namespace heddle::report {

struct RunReportOptions {
    /// Counters whose names start with this, at their beginning or after a dot, are shown: "gpu.l2" and "l2.reads"
    /// both name gpu.l2.reads. None in text and all in JSON if not given.
    std::optional<std::string> counters = {};
    /// The screen has a table of kernels by name.
    bool per_kernel = false;
};

/// One screen: what ran, how fast, where warps waited, what the caches, the memories and the loads did, what the
/// simulation cost. A figure that does not exist has no line.
std::string run_text(const RunRecord& record, const RunReportOptions& options = {});

/// The JSON record, ending in a newline. `machine` is the resolved description of the machine
/// (config::describe). Two runs of the same input differ in `simulation` only. Shapes and units:
///
///   version, seed, partial, partial_because (if partial), cycles (core cycles), core_hz
///   machine       {name, description}
///   plugins       [{file, sha256}] that --plugin loaded
///   apps          [{name, cycles, warp_instructions, thread_instructions, ipc, warp_ipc, first_sm, sms, launches,
///                 counters, kernels}], both IPCs per core cycle of the whole GPU, ipc in thread instructions;
///                 counters as below, its own part until its first end; launches: how often it was started
///                 kernels [{name, index, start_cycle, cycles, ctas, warp_instructions, thread_instructions, ipc,
///                 warp_ipc, memory}]
///                 memory {shared, COUNT..., l1_hit_rate, l2_hit_rate, row_hit_rate, mean_load_latency (core cycles),
///                 dram_bytes_per_s, warp_cycles {CAUSE: n}}: what the kernel did to the memory system; counts that
///                 are 0 are left out. Those of an application's kernels add up to its own, and those of a single
///                 application to the machine's. shared: others of its application ran beside it, and what was
///                 counted then is divided by the warp instructions that each issued
///   memories      {NAME: {standard, channels, reads, writes, read_bytes, write_bytes, row_hits, row_misses,
///                 row_conflicts, peak_bytes_per_s, peak_bytes, utilization}}, utilization = bytes / peak_bytes
///   caches        {NAME: {accesses, hits, hit_rate}}
///   throughput    {l1, l2, crossbar: {bytes, peak_bytes, bytes_per_s, utilization}}, utilization = bytes / peak_bytes
///   stalls        {CAUSE: {warp_cycles, percent}}, the percentages sum to exactly 100.0
///   load_latency_cycles, requests_per_load   {count, mean, p50, p90, p99, max}
///   hot_loads     [{kernel, pc, where, executions, requests, wait_cycles}], most waiting first
///   counters      {NAME: {value, unit}}
///   unknown_opcodes {OPCODE: count}, warnings [...]
///   timeline      {interval, cycle [...], COUNTER [...]}: what counters had reached at those core cycles
///   audit         {channels, commands, tightest_rule, tightest_slack, clean}, slack in memory clocks
///   simulation    {cpu_seconds, warp_instructions_per_cpu_second, peak_memory_bytes}
///
/// What does not exist is left out. Rates have a fixed number of decimals.
std::string run_json(const RunRecord& record, const config::Node& machine,
                     const RunReportOptions& options = {});

/// The list under `plugins`.
config::Node plugins_node(const std::vector<PluginRecord>& plugins);

/// What to tell a user whose `prefix` shows no counter, with the nearest name; empty if it shows one.
std::string unmatched_counters(const RunRecord& record, const std::string& prefix);

}  // namespace heddle::report
