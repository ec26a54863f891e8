#include "dram/scheduler/application_order.h"

#include <algorithm>

namespace heddle::dram {

ApplicationOrder::ApplicationOrder(const SchedulerContext& context, u64 age_cap, bool keep_selected)
    : QueueScheduler(context) {
    use_age_cap(age_cap);
    set_turn(0);
    use_application_order(ranks_.data(), keep_selected);
}

void ApplicationOrder::set_ranks(std::span<const u8> first) {
    ranks_.fill(static_cast<u16>(std::min<std::size_t>(first.size(), kApps - 1)));
    for (std::size_t k = 0; k < first.size(); ++k) ranks_[first[k]] = static_cast<u16>(k);
    reorder();
}

void ApplicationOrder::set_turn(u8 next) {
    for (u32 a = 0; a < kApps; ++a) ranks_[a] = static_cast<u8>(a - next);
    reorder();
}

}  // namespace heddle::dram
