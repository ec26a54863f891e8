#include "dram/scheduler/application_windows.h"

#include <algorithm>

#include "dram/geometry.h"
#include "sim/rates.h"

namespace heddle::dram {

namespace {

/// Sorts those that `moves`; the others stay where they are. Stable. Applications are few.
template <class Moves, class Before>
void sort_some(AppOrder& order, Moves moves, Before before) {
    for (std::size_t k = 1; k < order.size(); ++k) {
        if (!moves(order[k])) continue;
        std::size_t at = k;
        for (std::size_t to = k; to-- > 0;) {
            if (!moves(order[to])) continue;
            if (!before(order[at], order[to])) break;
            std::swap(order[at], order[to]);
            at = to;
        }
    }
}

}  // namespace

void order_by_mpki(AppOrder& order, std::span<const AppWindow> w) {
    sort_some(
        order, [&](u8 a) { return w[a].instructions != 0; },
        [&](u8 a, u8 b) {
            using Wide = unsigned __int128;
            return Wide{w[a].misses} * w[b].instructions < Wide{w[b].misses} * w[a].instructions;
        });
}

void order_by_bursts(AppOrder& order, std::span<const AppWindow> w) {
    sort_some(
        order, [](u8) { return true; }, [&](u8 a, u8 b) { return w[a].bursts < w[b].bursts; });
}

ApplicationWindows::ApplicationWindows(const WindowSettings& settings, const SchedulerContext& context,
                                       Rule rule)
    : ApplicationOrder(context, settings.age_cap),
      settings_(settings),
      burst_bytes_(context.resolved.geometry.access_bytes),
      rule_(rule) {}

void ApplicationWindows::on_command(const Issued& issued) {
    if (moves_data(issued)) ++bursts_[issued.request->app];
    QueueScheduler::on_command(issued);
}

void ApplicationWindows::remember(AppWindow& all, const AppWindow& window) const {
    switch (settings_.memory) {
        case WindowMemory::window:
            all = {};
            break;
        case WindowMemory::cumulative:
            break;
        case WindowMemory::halving:
            all = {all.instructions / 2, all.misses / 2, all.bursts / 2};
            break;
    }
    all.instructions += window.instructions;
    all.misses += window.misses;
    all.bursts += window.bursts;
}

void ApplicationWindows::signals(std::span<const AppSignals> apps, Cycle) {
    while (order_.size() < apps.size()) order_.push_back(static_cast<u8>(order_.size()));
    remembered_.resize(apps.size());
    seen_.resize(apps.size());
    for (std::size_t a = 0; a < apps.size(); ++a) {
        Seen& seen = seen_[a];
        const AppWindow w = {apps[a].instructions - seen.before.instructions,
                             apps[a].misses - seen.before.misses, bursts_[a]};
        remember(remembered_[a], w);
        seen.before = apps[a];
        seen.bursts += w.bursts;
        if (w.instructions != 0) {
            ++seen.estimates;
            seen.mpki_sum += mpki(w.misses, w.instructions).in(1'000'000);
        }
    }
    bursts_.fill(0);
    ++ended_;
    const AppOrder before = order_;
    rule_(order_, remembered_);
    if (!order_.empty()) ++seen_[order_.front()].first_windows;
    if (order_ == before) return;
    ++changes_;
    set_ranks(order_);
}

void ApplicationWindows::report(std::vector<PolicyCounter>& to) const {
    to.push_back({"windows", "windows", ended_});
    to.push_back({"rank_changes", "windows", changes_, CounterMeaning::rank_changes});
}

void ApplicationWindows::report_app(u8 app, std::vector<PolicyCounter>& to) const {
    using enum CounterMeaning;
    const Seen seen = app < seen_.size() ? seen_[app] : Seen{};
    to.push_back({"windows", "windows", ended_, windows});
    to.push_back({"first_windows", "windows", seen.first_windows, first_windows});
    to.push_back({"window_bytes", "bytes", seen.bursts * burst_bytes_, window_bytes});
    to.push_back({"mpki_windows", "windows", seen.estimates, mpki_windows});
    to.push_back({"mpki_sum", "misses/10^9 instructions", seen.mpki_sum, mpki_sum});
}

}  // namespace heddle::dram
