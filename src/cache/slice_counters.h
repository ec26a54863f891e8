#pragma once
// The names of what an L2 slice counts (sim/field.h).

#include "cache/slice.h"
#include "sim/field.h"

namespace heddle {

inline constexpr Field<SliceStats> kSliceCounters[] = {
    {"reads", "lines", counted<&SliceStats::reads>},
    {"read_hits", "lines", counted<&SliceStats::read_hits>},
    {"read_merges", "lines", counted<&SliceStats::read_merges>},
    {"read_misses", "lines", counted<&SliceStats::read_misses>},
    {"read_sectors", "sectors", counted<&SliceStats::read_sectors>},
    {"read_sector_hits", "sectors", counted<&SliceStats::read_sector_hits>},
    {"writes", "lines", counted<&SliceStats::writes>},
    {"write_hits", "lines", counted<&SliceStats::write_hits>},
    {"write_sectors", "sectors", counted<&SliceStats::write_sectors>},
    {"atomics", "lines", counted<&SliceStats::atomics>},
    {"atomic_hits", "lines", counted<&SliceStats::atomic_hits>},
    {"atomic_lanes", "lane operations", counted<&SliceStats::atomic_lanes>},
    {"bypassed", "lines", counted<&SliceStats::bypassed>},
    {"fetches", "requests", counted<&SliceStats::fetches>},
    {"fetched_sectors", "sectors", counted<&SliceStats::fetched_sectors>},
    {"write_backs", "requests", counted<&SliceStats::write_backs>},
    {"written_back_sectors", "sectors", counted<&SliceStats::written_back_sectors>},
    {"queue_wait_cycles", "cycles", counted<&SliceStats::queue_wait_cycles>},
    {"stall_mshr_cycles", "cycles", counted<&SliceStats::stall_mshr_cycles>},
    {"stall_merge_cycles", "cycles", counted<&SliceStats::stall_merge_cycles>},
    {"stall_line_cycles", "cycles", counted<&SliceStats::stall_line_cycles>},
    {"stall_dram_queue_cycles", "cycles", counted<&SliceStats::stall_dram_queue_cycles>},
    {"stall_reply_queue_cycles", "cycles", counted<&SliceStats::stall_reply_queue_cycles>},
};

/// Of an application.
inline constexpr Field<SliceAppStats> kSliceAppCounters[] = {
    {"l2.reads", "lines", counted<&SliceAppStats::reads>},
    {"l2.hits", "lines", counted<&SliceAppStats::hits>},
    {"l2.misses", "lines", counted<&SliceAppStats::misses>},
    {"l2.writes", "lines", counted<&SliceAppStats::writes>},
};

/// Those that are followed over time.
inline constexpr Field<SliceStats> kSliceSeries[] = {
    {"l2_read_sectors", "sectors", counted<&SliceStats::read_sectors>},
    {"l2_read_sector_hits", "sectors", counted<&SliceStats::read_sector_hits>},
};

}  // namespace heddle
