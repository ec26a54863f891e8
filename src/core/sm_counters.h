#pragma once
// The names of what an SM counts (sim/field.h).

#include "core/sm_stats.h"
#include "sim/field.h"

namespace heddle {

inline constexpr Field<SmStats> kSmCounters[] = {
    {"warp_instructions", "warp instructions", counted<&SmStats::warp_instructions>},
    {"thread_instructions", "thread instructions", counted<&SmStats::thread_instructions>},
    {"ctas", "CTAs", counted<&SmStats::ctas>},
    {"warps", "warps", counted<&SmStats::warps>},
    {"cta_cycles", "CTA cycles", counted<&SmStats::cta_cycles>},
    {"loads", "warp instructions", counted<&SmStats::loads>},
    {"load_requests", "lines", counted<&SmStats::load_requests>},
    {"load_sectors", "sectors", counted<&SmStats::load_sectors>},
    {"stores", "warp instructions", counted<&SmStats::stores>},
    {"store_requests", "lines", counted<&SmStats::store_requests>},
    {"store_sectors", "sectors", counted<&SmStats::store_sectors>},
    {"atomics", "warp instructions", counted<&SmStats::atomics>},
    {"reductions", "warp instructions", counted<&SmStats::reductions>},
    {"atomic_requests", "lines", counted<&SmStats::atomic_requests>},
    {"prefetches", "warp instructions", counted<&SmStats::prefetches>},
    {"constant_loads", "warp instructions", counted<&SmStats::constant_loads>},
    {"shared_accesses", "warp instructions", counted<&SmStats::shared_accesses>},
    {"shared_extra_passes", "passes", counted<&SmStats::shared_extra_passes>},
    {"null_page_accesses", "warp instructions", counted<&SmStats::null_page_accesses>},
    {"misaligned_accesses", "warp instructions", counted<&SmStats::misaligned_accesses>},
    {"barriers", "warp instructions", counted<&SmStats::barriers>},
    {"fences", "warp instructions", counted<&SmStats::fences>},
    {"edges_waited", "warp instructions", counted<&SmStats::edges_waited>},
    {"l1.reads", "lines", counted<&SmStats::l1_reads>},
    {"l1.read_hits", "lines", counted<&SmStats::l1_read_hits>},
    {"l1.read_merges", "lines", counted<&SmStats::l1_read_merges>},
    {"l1.read_misses", "lines", counted<&SmStats::l1_read_misses>},
    {"l1.read_sectors", "sectors", counted<&SmStats::l1_read_sectors>},
    {"l1.read_sector_hits", "sectors", counted<&SmStats::l1_read_sector_hits>},
    {"l1.writes", "lines", counted<&SmStats::l1_writes>},
    {"l1.write_hits", "lines", counted<&SmStats::l1_write_hits>},
    {"l1.write_backs", "lines", counted<&SmStats::l1_write_backs>},
    {"l1.bypassed", "lines", counted<&SmStats::l1_bypassed>},
    {"l1.stall_mshr_cycles", "cycles", counted<&SmStats::stall_mshr_cycles>},
    {"l1.stall_merge_cycles", "cycles", counted<&SmStats::stall_merge_cycles>},
    {"l1.stall_line_cycles", "cycles", counted<&SmStats::stall_line_cycles>},
    {"l1.stall_port_cycles", "cycles", counted<&SmStats::stall_port_cycles>},
};

/// Those that an application's own record has.
inline constexpr Field<SmStats> kSmAppCounters[] = {
    {"sm.loads", "warp instructions", counted<&SmStats::loads>},
    {"sm.load_requests", "lines", counted<&SmStats::load_requests>},
    {"sm.stores", "warp instructions", counted<&SmStats::stores>},
    {"sm.store_requests", "lines", counted<&SmStats::store_requests>},
    {"l1.read_sectors", "sectors", counted<&SmStats::l1_read_sectors>},
    {"l1.read_sector_hits", "sectors", counted<&SmStats::l1_read_sector_hits>},
    {"sm.wait_memory", "warp cycles", counted<&SmStats::warp_cycles, WarpState::memory>},
};

inline constexpr Field<DivergenceStats> kDivergenceCounters[] = {
    {"loads", "loads", counted<&DivergenceStats::loads>},
    {"requests", "requests", counted<&DivergenceStats::requests>},
    {"channels", "channels", counted<&DivergenceStats::channels>},
    {"banks", "banks", counted<&DivergenceStats::banks>},
    {"rows", "rows", counted<&DivergenceStats::rows>},
    {"multi_loads", "loads", counted<&DivergenceStats::multi_loads>},
    {"first_cycles", "cycles", counted<&DivergenceStats::first_cycles>},
    {"last_cycles", "cycles", counted<&DivergenceStats::last_cycles>},
    {"last_over_first", "thousandths", counted<&DivergenceStats::last_over_first>},
};

/// Those that are followed over time.
inline constexpr Field<SmStats> kSmSeries[] = {
    {"thread_instructions", "thread instructions", counted<&SmStats::thread_instructions>},
    {"warp_instructions", "warp instructions", counted<&SmStats::warp_instructions>},
    {"l1_read_sectors", "sectors", counted<&SmStats::l1_read_sectors>},
    {"l1_read_sector_hits", "sectors", counted<&SmStats::l1_read_sector_hits>},
};

/// Of SmStats::issued_by_class.
inline constexpr std::array<const char*, static_cast<std::size_t>(OpClass::count_)> kOpClassNames = {
    "int_add", "int_mul", "int_mad", "int_div", "fp32_add", "fp32_mul", "fp32_mad", "fp32_div", "fp64",
    "sfu",     "tensor",  "branch",  "texture", "memory",   "barrier",  "fence",    "exit",     "other"};

}  // namespace heddle
