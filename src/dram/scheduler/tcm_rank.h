#pragma once
// TCM's clustering, niceness and shuffles. Source: Kim et al., MICRO 2010; insertion shuffle in the form of
// CMU-SAFARI/MemSchedSim.

#include <vector>

#include "sim/types.h"

namespace heddle::dram {

/// One thread's behaviour in a quantum; ratios as integers so that comparisons are exact.
struct ThreadProfile {
    u32 id = 0;
    u64 mpki = 0;       // requests per 1000 instructions, in millionths; kUnknownMpki: no instruction count
    u64 bandwidth = 0;  // bank-cycles
    u64 blp = 0;        // mean banks of the whole memory with queued requests, in millionths
    u64 rbl = 0;        // shadow row-buffer hits per access, in millionths
};
inline constexpr u64 kUnknownMpki = ~u64{0};

/// A mean over quanta in which each weighs `alpha` (ppm, below 10^6) times as much as the one after it.
class SmoothedMean {
  public:
    void add(u64 sample, u32 alpha) {
        sum_ = (sum_ * alpha + Wide{sample} * kUnit * (1'000'000 - alpha)) / 1'000'000;
        weight_ = (weight_ * alpha + kUnit * (1'000'000 - alpha)) / 1'000'000;
    }
    /// 0 without a sample.
    u64 value() const { return weight_ == 0 ? 0 : static_cast<u64>((sum_ + weight_ / 2) / weight_); }

  private:
    using Wide = unsigned __int128;
    static constexpr Wide kUnit = Wide{1} << 32;
    Wide sum_ = 0, weight_ = 0;
};

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

/// Whether threads differ enough for the insertion shuffle: max BLP difference > 0.1 banks of the whole memory, max RBL
/// difference > 0.1, with the share in ppm.
bool differ(const std::vector<ThreadProfile>& threads, u32 banks, u32 share);

}  // namespace heddle::dram
