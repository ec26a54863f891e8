#pragma once
// TCM's clustering, niceness and shuffles. Source: Kim et al., MICRO 2010; insertion shuffle in the form of
// CMU-SAFARI/MemSchedSim.

#include <vector>

#include "sim/types.h"

namespace heddle::dram {

/// One thread's behaviour in a quantum; ratios as integers so that comparisons are exact.
struct ThreadProfile {
    u32 id = 0;
    u64 mpki = 0;       // misses per 1000 instructions x 1000; kUnknownMpki: no instruction count
    u64 bandwidth = 0;  // bank-cycles
    u64 blp = 0;        // mean banks with queued requests x 1000
    u64 rbl = 0;        // shadow row-buffer hits a 1000 accesses
};
inline constexpr u64 kUnknownMpki = ~u64{0};

/// Threads in ascending MPKI whose bandwidth adds up to at most `threshold` (ppm) of the total: the
/// latency-sensitive cluster, lower MPKI first. The first to exceed it and all after are the other cluster.
struct Clusters {
    std::vector<ThreadProfile> latency, bandwidth;
};
Clusters cluster(std::vector<ThreadProfile> threads, u32 threshold);

/// Thread ids of the bandwidth cluster by ascending niceness: position by ascending BLP less position by
/// ascending RBL, ties by id.
std::vector<u32> by_niceness(const std::vector<ThreadProfile>& threads);

/// Step `step` of the insertion shuffle on `order` (lowest rank first).
void insertion_shuffle(std::vector<u32>& order, u64 step);

/// Whether threads differ enough for the insertion shuffle: max BLP difference > 0.1 banks, max RBL difference
/// > 0.1, with the share in ppm.
bool differ(const std::vector<ThreadProfile>& threads, u32 banks, u32 share);

}  // namespace heddle::dram
