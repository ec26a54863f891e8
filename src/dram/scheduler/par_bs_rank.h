#pragma once
// PAR-BS's max-total rule. Source: Mutlu and Moscibroda, ISCA 2008, section 4.2.

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/types.h"

namespace heddle::dram {

/// Marked requests of one thread.
struct ThreadLoad {
    u32 max_bank = 0, total = 0;
    void add_bank(u32 requests) {
        max_bank = std::max(max_bank, requests);
        total += requests;
    }
};

/// Rank of each thread, 0 first: smaller maximum in any bank, then smaller total, then lower number.
inline std::vector<u8> max_total_ranks(const std::vector<ThreadLoad>& loads) {
    std::vector<u32> order(loads.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&loads](u32 a, u32 b) {
        return loads[a].max_bank != loads[b].max_bank ? loads[a].max_bank < loads[b].max_bank
                                                      : loads[a].total < loads[b].total;
    });
    std::vector<u8> rank(loads.size());
    for (u32 k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<u8>(std::min(k, 255u));
    return rank;
}

}  // namespace heddle::dram
