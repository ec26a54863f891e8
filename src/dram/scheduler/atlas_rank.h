#pragma once
// ATLAS's arithmetic. Source: Kim et al., HPCA 2010.

#include <vector>

#include "sim/types.h"

namespace heddle::dram {

/// Total = alpha Total + (1 - alpha) service; alpha in parts per million, totals in 1/1024 bank-cycles.
inline u64 smoothed_service(u64 total, u64 service, u32 alpha) {
    return (total * alpha + (service << 10) * (1'000'000 - alpha)) / 1'000'000;
}

/// Rank of each application, 0 first: how many have a smaller total, so equal totals share a rank.
inline std::vector<u16> least_first(const std::vector<u64>& totals) {
    std::vector<u16> rank(totals.size());
    for (std::size_t a = 0; a < totals.size(); ++a)
        for (std::size_t b = 0; b < totals.size(); ++b)
            if (totals[b] < totals[a]) ++rank[a];
    return rank;
}

}  // namespace heddle::dram
