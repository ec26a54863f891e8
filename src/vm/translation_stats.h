#pragma once
// What address translation counts.

#include <algorithm>
#include <array>
#include <vector>

#include "sim/histogram.h"
#include "sim/types.h"

namespace heddle {

/// Of one SM.
struct L1TlbStats {
    u64 accesses = 0;  // lines of memory instructions
    u64 hits = 0;
    u64 merges = 0;  // their page is in flight
    u64 misses = 0;  // asked for
    u64 fills = 0;
    u64 wait_cycles = 0;                                  // of misses, until the translation is there
    u64 stalled_warps = 0;                                // that waited for it, summed over misses
    u64 most_stalled_warps = 0;                           // for one page
    u64 stall_mshr_cycles = 0, stall_waiting_cycles = 0;  // in which the load/store unit stood still

    void merge(const L1TlbStats& o) {
        accesses += o.accesses;
        hits += o.hits;
        merges += o.merges;
        misses += o.misses;
        fills += o.fills;
        wait_cycles += o.wait_cycles;
        stalled_warps += o.stalled_warps;
        most_stalled_warps = std::max(most_stalled_warps, o.most_stalled_warps);
        stall_mshr_cycles += o.stall_mshr_cycles;
        stall_waiting_cycles += o.stall_waiting_cycles;
    }
};

/// What the reads of a walk at one level of the page table met.
struct WalkLevelStats {
    u64 reads = 0;       // sent to L2
    u64 cycles = 0;      // until they were answered
    u64 cache_hits = 0;  // lookups in the page-walk cache that needed no read
    u64 l2_hits = 0, l2_merges = 0, dram = 0;
};

/// Of one application, behind the L1 TLBs.
struct SharedTlbStats {
    u64 accesses = 0, hits = 0, bypass_hits = 0;  // of the L2 TLB; a hit in the bypass cache is a hit
    u64 merges = 0;                               // misses that joined a walk
    u64 walks = 0;
    u64 walk_cycles = 0;  // from the miss to the end of the walk
    u64 bypass_fills = 0;
    u64 reads = 0, reads_in_dram = 0;
    u64 most_walks = 0;  // at the same time, those that wait for the walker included

    void merge(const SharedTlbStats& o) {
        accesses += o.accesses;
        hits += o.hits;
        bypass_hits += o.bypass_hits;
        merges += o.merges;
        walks += o.walks;
        walk_cycles += o.walk_cycles;
        bypass_fills += o.bypass_fills;
        reads += o.reads;
        reads_in_dram += o.reads_in_dram;
        most_walks = std::max(most_walks, o.most_walks);
    }
};

/// Of the shared side as a whole.
struct TranslationStats {
    static constexpr u32 kLevels = 5;  // by level, 1 = root; 0 is not used
    std::array<WalkLevelStats, kLevels> level;
    Histogram walk_latency;
    u64 busy_cycles = 0;         // in which a walk was in progress or waited for the walker
    u64 walks_over_cycles = 0;   // their number, summed over these cycles
    u64 most_walking = 0;        // in progress
    u64 walker_wait_cycles = 0;  // until the walker took a walk
    u64 walk_cache_accesses = 0, walk_cache_hits = 0;
    u64 stall_mshr_cycles = 0;
    u64 restarts = 0;  // walks of pages that were taken back meanwhile
    u64 shootdowns = 0, pages_taken_back = 0;
};

/// What the nodes of a GPU count, each its own part.
struct TranslationCounts {
    TranslationStats all;
    std::vector<SharedTlbStats> apps;  // by application
};

}  // namespace heddle
