#pragma once
// ATLAS's arithmetic. Source: Kim et al., HPCA 2010.

#include <algorithm>
#include <vector>

#include "sim/types.h"

namespace heddle::dram {

/// Total = alpha Total + (1 - alpha) service; alpha in parts per million, totals in 1/1024 bank-cycles. A total that 64
/// bits cannot hold (from 2^54 bank-cycles a quantum) stays at the greatest.
inline u64 smoothed_service(u64 total, u64 service, u32 alpha) {
    using Wide = unsigned __int128;
    const Wide sum = Wide{total} * alpha + (Wide{service} << 10) * (1'000'000 - alpha);
    return static_cast<u64>(std::min(sum / 1'000'000, Wide{~u64{0}}));
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
