#include "core/load_table.h"

#include "core/front_end.h"

namespace heddle {

u32 LoadTable::take() {
    if (free_ == kNone) {
        loads_.emplace_back();
        const u32 index = static_cast<u32>(loads_.size() - 1);
        loads_[index].id = index;
        return index;
    }
    const u32 index = free_;
    free_ = loads_[index].next_free;
    const u32 named = loads_[index].id + (1u << kIndexBits);
    loads_[index] = Load{};
    loads_[index].id = named;
    return index;
}

/// The cycle in which a load's last data arrive is known.
void LoadTable::finish(u32 index, Cycle now) {
    Load& l = loads_[index];
    LoadSiteStats* site = nullptr;
    if (l.counts) {
        stats_.latency.add(l.last - l.issued);
        stats_.requests_per_load.add(l.requests);
        stats_.multi_request_loads += l.requests > 1;
        site = &l.kernel->site(l.static_index);
        ++site->executions;
        site->requests += l.requests;
        site->latency_cycles += l.last - l.issued;
    }
    if (l.touched != DivergenceMeter::kNone) divergence_.finish(l.touched, l.issued, stats_.divergence);
    warps_.load_done(l, site, now);
    l.next_free = free_;
    free_ = index;
}

}  // namespace heddle
