#include "dram/scheduler/tcm_rank.h"

#include <algorithm>
#include <numeric>

namespace heddle::dram {

Clusters cluster(std::vector<ThreadProfile> threads, u32 threshold) {
    std::stable_sort(threads.begin(), threads.end(),
                     [](const ThreadProfile& a, const ThreadProfile& b) { return a.mpki < b.mpki; });
    unsigned __int128 total = 0, sum = 0;
    for (const ThreadProfile& t : threads) total += t.bandwidth;
    Clusters c;
    for (const ThreadProfile& t : threads) {
        sum += t.bandwidth;
        const bool fits =
            c.bandwidth.empty() && t.mpki != kUnknownMpki && sum * 1'000'000 <= total * threshold;
        (fits ? c.latency : c.bandwidth).push_back(t);
    }
    return c;
}

std::vector<u32> by_niceness(const std::vector<ThreadProfile>& threads) {
    const std::size_t n = threads.size();
    auto positions = [&](u64 ThreadProfile::*value) {
        std::vector<std::size_t> order(n), position(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return threads[a].*value != threads[b].*value ? threads[a].*value < threads[b].*value
                                                          : threads[a].id < threads[b].id;
        });
        for (std::size_t k = 0; k < n; ++k) position[order[k]] = k;
        return position;
    };
    const auto blp = positions(&ThreadProfile::blp), rbl = positions(&ThreadProfile::rbl);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto niceness = [&](std::size_t k) { return static_cast<i64>(blp[k]) - static_cast<i64>(rbl[k]); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return niceness(a) != niceness(b) ? niceness(a) < niceness(b) : threads[a].id < threads[b].id;
    });
    std::vector<u32> ids;
    for (std::size_t k : order) ids.push_back(threads[k].id);
    return ids;
}

void insertion_shuffle(std::vector<u32>& order, u64 step) {
    const std::size_t n = order.size();
    if (n < 2) return;
    const std::size_t s = static_cast<std::size_t>(step % (2 * n));
    const auto at = [&order](std::size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
    if (s < n) {
        std::rotate(at(n - 1 - s), at(n - 1 - s) + 1, order.end());  // to the top; those above move down
    } else {
        std::rotate(at((s - 1) % n), order.end() - 1,
                    order.end());  // the top in there; those from there move up
    }
}

bool differ(const std::vector<ThreadProfile>& threads, u32 banks, u32 share) {
    if (threads.empty()) return false;
    auto spread = [&](u64 ThreadProfile::*value) {
        const auto [least, most] = std::minmax_element(
            threads.begin(), threads.end(),
            [value](const ThreadProfile& a, const ThreadProfile& b) { return a.*value < b.*value; });
        return (*most).*value - (*least).*value;
    };
    return spread(&ThreadProfile::blp) > u64{banks} * share && spread(&ThreadProfile::rbl) > share;
}

}  // namespace heddle::dram
