// What others want to know of a slice, and what a host copy leaves in it.

#include "cache/slice.h"

namespace heddle {

u64 Slice::dirty_lines() const {
    const TagArray& tags = cache_.tags();
    u64 n = 0;
    for (u32 set = 0; set < tags.sets(); ++set)
        for (u32 way = 0; way < tags.ways(); ++way) n += tags.line(set, way).dirty != 0;
    return n;
}

void Slice::warm(PhysAddr line, u8 app) {
    const auto dropped =
        cache_.warm(lines_.slice_line(wiring_.router->route(line).local), line_number(line), app);
    if (dropped.left) insertion_->on_evict(line_address(dropped.number));
}

u32 Slice::waiting_in_banks() const {
    u32 n = walks_.size() + (at_port_ != nullptr);
    for (const Bank& bank : banks_) n += bank.queue.size() + bank.walks.size();
    return n;
}

bool Slice::waits_for_memory_room() const {
    if (at_port_ != nullptr || !walks_.empty() || !copies_.empty()) return true;
    for (const Bank& bank : banks_)
        if (bank.stall.running_for(stats_.stall_dram_queue_cycles)) return true;
    return false;
}

bool Slice::quiet() const {
    return cache_.quiet() && fills_.empty() && hits_.empty() && answers_.empty() && to_memory().empty() &&
           bypassed_waiting_ == 0 && copies_in_memory_ == 0 && copies_.empty() && coming_.empty() &&
           going_.empty() && waiting_in_banks() == 0 && wiring_.responses->idle(wiring_.index);
}

}  // namespace heddle
