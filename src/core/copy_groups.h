#pragma once
// The warps' asynchronous copies, in groups: a group is closed by a commit, and a wait holds its warp until few enough
// closed groups are unfinished. Groups are done in order, as a wait counts them.

#include <algorithm>
#include <array>
#include <vector>

#include "core/scoreboard.h"

namespace heddle {

class CopyGroups {
  public:
    explicit CopyGroups(u32 warps) : warps_(warps) {}

    /// A new warp has the slot.
    void reset(u32 warp) {
        if (!of_.empty()) of_[warp] = Groups{};
    }
    /// A copy joins the open group, whose number is returned.
    u32 add(u32 warp) {
        Groups& g = of(warp);
        ++g.pending[g.open % kGroups];
        return g.open;
    }
    void commit(u32 warp) {
        Groups& g = of(warp);
        // With that many groups unfinished the youngest two are one to those that wait.
        if (g.open - g.first + 1 == kGroups) return;
        ++g.open;
        g.arrived[g.open % kGroups] = 0;
        g.advance();
    }
    /// A copy's data are here from cycle `at`.
    void arrived(u32 warp, u32 group, u64 at) {
        Groups& g = of_[warp];
        --g.pending[group % kGroups];
        u64& last = g.arrived[group % kGroups];
        last = std::max(last, at);
        g.advance();
    }
    /// When the warp may pass a wait that lets the `keep` youngest closed groups be unfinished: a key of the scoreboard.
    u64 ready(u32 warp, u32 keep) const {
        if (of_.empty()) return 0;
        const Groups& g = of_[warp];
        if (g.open - g.first > keep) return Scoreboard::kPending;
        return Scoreboard::key(Cycle(g.arrived[(g.open - keep - 1) % kGroups]), Scoreboard::kMemory);
    }
    /// Closed groups.
    u32 unfinished(u32 warp) const { return of_.empty() ? 0 : of_[warp].open - of_[warp].first; }

  private:
    // A wait names at most 255 groups, and the one before them must not share its place with the open one.
    static constexpr u32 kGroups = 512;
    /// Of one warp: `first` is the oldest unfinished one, new copies join `open`.
    struct Groups {
        u32 first = 0, open = 0;
        std::array<u32, kGroups> pending{};  // copies of the group in flight
        std::array<u64, kGroups> arrived{};  // last arrival; of a finished group, that of all up to it

        void advance() {
            for (; first != open && pending[first % kGroups] == 0; ++first) {
                u64& at = arrived[first % kGroups];
                at = std::max(at, arrived[(first - 1) % kGroups]);
            }
        }
    };
    Groups& of(u32 warp) {
        if (of_.empty()) of_.resize(warps_);
        return of_[warp];
    }

    u32 warps_;
    std::vector<Groups> of_;  // by warp, once there are any
};

}  // namespace heddle
