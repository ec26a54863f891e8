#include "dram/scheduler/application_order.h"

#include <algorithm>

namespace heddle::dram {

ApplicationOrder::ApplicationOrder(const SchedulerContext& context, u64 age_cap, bool keep_selected)
    : QueueScheduler(context), age_cap_(age_cap) {
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

void ApplicationOrder::accept(Request* request, Cycle now) {
    QueueScheduler::accept(request, now);
    if (age_cap_ != 0) board_.alarm = std::min(board_.alarm, now + age_cap_ + 1);
}

/// Looks for requests that have waited too long, and when the next one will have.
void ApplicationOrder::step(Cycle now) {
    board_.alarm = kNever;
    if (age_cap_ == 0) return;
    u64 until = 0;
    auto look = [&](const EntryList& entries) {
        for (const Entry& e : entries) {
            const Cycle at = e.request->arrived + age_cap_ + 1;
            if (at > now) {
                board_.alarm = std::min(board_.alarm, at);
                break;  // those behind it came later
            }
            until = std::max(until, e.order);
        }
    };
    for (u32 bank = 0; bank < banks(); ++bank) {
        look(reads(bank));
        look(writes(bank));
    }
    if (until != 0) go_first_until(until);
}

}  // namespace heddle::dram
