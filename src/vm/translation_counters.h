#pragma once
// The names of what address translation counts (sim/field.h).

#include "sim/field.h"
#include "vm/translation_stats.h"

namespace heddle {

inline constexpr Field<L1TlbStats> kL1TlbCounters[] = {
    {"l1_tlb.accesses", "lines", counted<&L1TlbStats::accesses>},
    {"l1_tlb.hits", "lines", counted<&L1TlbStats::hits>},
    {"l1_tlb.merges", "lines", counted<&L1TlbStats::merges>},
    {"l1_tlb.misses", "pages", counted<&L1TlbStats::misses>},
    {"l1_tlb.wait_cycles", "cycles", counted<&L1TlbStats::wait_cycles>},
    {"l1_tlb.stalled_warps", "warps", counted<&L1TlbStats::stalled_warps>},
    {"l1_tlb.most_stalled_warps", "warps", counted<&L1TlbStats::most_stalled_warps>},
    {"l1_tlb.stall_mshr_cycles", "cycles", counted<&L1TlbStats::stall_mshr_cycles>},
    {"l1_tlb.stall_waiting_cycles", "cycles", counted<&L1TlbStats::stall_waiting_cycles>},
};

inline constexpr Field<SharedTlbStats> kSharedTlbCounters[] = {
    {"l2_tlb.accesses", "pages", counted<&SharedTlbStats::accesses>},
    {"l2_tlb.hits", "pages", counted<&SharedTlbStats::hits>},
    {"walks.merges", "pages", counted<&SharedTlbStats::merges>},
    {"walks.count", "walks", counted<&SharedTlbStats::walks>},
    {"walks.cycles", "cycles", counted<&SharedTlbStats::walk_cycles>},
    {"walks.reads", "requests", counted<&SharedTlbStats::reads>},
    {"walks.reads_in_dram", "requests", counted<&SharedTlbStats::reads_in_dram>},
};

/// Where not every walk fills the L2 TLB.
inline constexpr Field<SharedTlbStats> kTlbBypassCounters[] = {
    {"l2_tlb.bypass_hits", "pages", counted<&SharedTlbStats::bypass_hits>},
    {"l2_tlb.bypass_fills", "pages", counted<&SharedTlbStats::bypass_fills>},
};

inline constexpr Field<WalkLevelStats> kWalkLevelCounters[] = {
    {"reads", "requests", counted<&WalkLevelStats::reads>},
    {"cycles", "cycles", counted<&WalkLevelStats::cycles>},
    {"cache_hits", "lookups", counted<&WalkLevelStats::cache_hits>},
    {"l2_hits", "requests", counted<&WalkLevelStats::l2_hits>},
    {"l2_merges", "requests", counted<&WalkLevelStats::l2_merges>},
    {"dram", "requests", counted<&WalkLevelStats::dram>},
};

inline constexpr Field<TranslationStats> kTranslationCounters[] = {
    {"walks.busy_cycles", "cycles", counted<&TranslationStats::busy_cycles>},
    {"walks.over_cycles", "walk cycles", counted<&TranslationStats::walks_over_cycles>},
    {"walks.most_walking", "walks", counted<&TranslationStats::most_walking>},
    {"walks.wait_cycles", "cycles", counted<&TranslationStats::walker_wait_cycles>},
    {"walks.restarts", "walks", counted<&TranslationStats::restarts>},
    {"walks.stall_mshr_cycles", "cycles", counted<&TranslationStats::stall_mshr_cycles>},
    {"walk_cache.accesses", "lookups", counted<&TranslationStats::walk_cache_accesses>},
    {"walk_cache.hits", "lookups", counted<&TranslationStats::walk_cache_hits>},
    {"shootdowns", "times", counted<&TranslationStats::shootdowns>},
    {"pages_taken_back", "pages", counted<&TranslationStats::pages_taken_back>},
};

/// Those that are followed over time.
inline constexpr Field<L1TlbStats> kL1TlbSeries[] = {
    {"l1_tlb_accesses", "lines", counted<&L1TlbStats::accesses>},
    {"l1_tlb_hits", "lines", counted<&L1TlbStats::hits>},
};
inline constexpr Field<SharedTlbStats> kSharedTlbSeries[] = {
    {"l2_tlb_accesses", "pages", counted<&SharedTlbStats::accesses>},
    {"l2_tlb_hits", "pages", counted<&SharedTlbStats::hits>},
};

}  // namespace heddle
