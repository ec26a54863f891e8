#include "machine/ranges.h"

#include <algorithm>

namespace heddle {

std::vector<RangeRecord> ranges_in_time(const Application& app, Cycle now) {
    const std::vector<ProgramRange> ranges = app.ranges();
    if (ranges.empty()) return {};
    struct Span {
        u64 id, start, end;
        u64 latest;  // end of this one and all before it
    };
    std::vector<Span> kernels;
    for (const auto& k : app.kernels())
        if (k->first_cta != kNever)
            kernels.push_back({k->info().id, k->first_cta.v, (k->ended == kNever ? now : k->ended).v, 0});
    std::sort(kernels.begin(), kernels.end(), [](const Span& a, const Span& b) { return a.id < b.id; });
    u64 latest = 0;
    for (Span& k : kernels) k.latest = latest = std::max(latest, k.end);

    // The first kernel whose launch comes after `id` others.
    const auto after = [&](u64 id) {
        return std::upper_bound(kernels.begin(), kernels.end(), id,
                                [](u64 value, const Span& k) { return value < k.id; });
    };
    std::vector<RangeRecord> out;
    for (const ProgramRange& range : ranges) {
        RangeRecord r{range.name, range.domain, range.color, range.is_mark};
        const auto first = after(range.first_launch), last = after(range.first_launch + range.launches);
        r.start_cycle = first == kernels.begin() ? 0 : std::prev(first)->latest;
        if (first != last) {
            r.kernels = static_cast<u64>(last - first);
            u64 end = 0;
            r.start_cycle = first->start;
            for (auto k = first; k != last; ++k) {
                r.start_cycle = std::min(r.start_cycle, k->start);
                end = std::max(end, k->end);
            }
            r.cycles = end - r.start_cycle;
        }
        out.push_back(std::move(r));
    }
    return out;
}

}  // namespace heddle
