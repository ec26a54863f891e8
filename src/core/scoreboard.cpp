#include "core/scoreboard.h"

namespace heddle {

/// Entries count from `now`; what lies before it is ready.
void Scoreboard::move_base(Cycle now) {
    const u64 past = (now.v - base_) << 2;
    for (Line& line : lines_)
        for (u32& entry : line.ready)
            if (entry != kPendingEntry) entry = entry <= past ? 0 : static_cast<u32>(entry - past);
    base_ = now.v;
}

u32 Scoreboard::make_room(u32 names) {
    const u32 lines = static_cast<u32>(ceil_div(std::max(names, 1u), 16));
    if (lines > lines_a_warp_) {
        // More register names than in any kernel before: entries move, times stay.
        std::vector<Line> wider(std::size_t{warps_} * lines);
        for (u32 w = 0; w < warps_ && lines_a_warp_ != 0; ++w)
            std::copy_n(&lines_[std::size_t{w} * lines_a_warp_], lines_a_warp_,
                        &wider[std::size_t{w} * lines]);
        lines_ = std::move(wider);
        lines_a_warp_ = lines;
    }
    return lines;
}

}  // namespace heddle
