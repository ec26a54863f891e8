#pragma once
// How the requests of one load fared in DRAM: how widely they were spread, and how far apart the first and the last
// came back. Source of the statistics: Chatterjee et al., SC 2014.

#include <algorithm>
#include <vector>

#include "dram/load_marks.h"

namespace heddle {

/// Sums over loads with at least one request that DRAM served; `multi` over those with two or more.
struct DivergenceStats {
    u64 loads = 0, requests = 0;
    u64 channels = 0, banks = 0, rows = 0;  // different ones that a load touched
    u64 multi_loads = 0;
    u64 first_cycles = 0, last_cycles = 0;  // multi: from issue to the first and the last data from DRAM
    u64 last_over_first = 0;                // multi: their ratio, in thousandths, rounded down
    u64 drained_loads = 0;                  // of which a request waited while writes were drained
};

/// The requests of the loads in flight, one list a load.
class DivergenceMeter {
  public:
    static constexpr u32 kNone = ~u32{0};

    /// Adds a request that has returned with data at `at`; returns the list's new head.
    u32 add(u32 head, const Request& r, u64 at) {
        u32 k = free_;
        if (k == kNone) {
            k = static_cast<u32>(touches_.size());
            touches_.emplace_back();
        } else {
            free_ = touches_[k].next;
        }
        touches_[k] = {u64{r.channel} << 48 | u64{r.bank} << 32 | r.row, at, head, dram::met_drain(r)};
        return k;
    }
    /// The load that was issued at `issued` is complete.
    void finish(u32 head, u64 issued, DivergenceStats& to) {
        place_.clear();
        u64 first = ~u64{0}, last = 0;
        bool drained = false;
        for (u32 k = head; k != kNone;) {
            Touch& t = touches_[k];
            place_.push_back(t.place);
            first = std::min(first, t.at);
            last = std::max(last, t.at);
            drained |= t.drained;
            const u32 next = t.next;
            t.next = free_;
            free_ = k;
            k = next;
        }
        std::sort(place_.begin(), place_.end());
        ++to.loads;
        to.requests += place_.size();
        to.channels += different(48);
        to.banks += different(32);
        to.rows += different(0);
        to.drained_loads += drained;
        if (place_.size() < 2) return;
        ++to.multi_loads;
        to.first_cycles += first - issued;
        to.last_cycles += last - issued;
        to.last_over_first += (last - issued) * 1000 / std::max<u64>(1, first - issued);
    }

  private:
    struct Touch {
        u64 place = 0, at = 0;
        u32 next = kNone;
        bool drained = false;
    };
    u64 different(u32 shift) const {
        u64 n = 1;
        for (std::size_t k = 1; k < place_.size(); ++k) n += place_[k] >> shift != place_[k - 1] >> shift;
        return n;
    }

    std::vector<Touch> touches_;
    u32 free_ = kNone;
    std::vector<u64> place_;
};

}  // namespace heddle
