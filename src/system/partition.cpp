#include "system/partition.h"

#include <algorithm>

namespace heddle {

Cycle Partition::step(Cycle now) {
    now_ = now;
    accept(now);
    Cycle next = channel_.step(now);
    // A command that just went out may have made room for a request that was due.
    if (accept(now)) next = std::min(next, now + 1);
    while (const auto* done = channel_.completion()) {
        const Cycle at = core_.after(memory_.tick(done->at));
        const u32 slice = done->request->slice;
        slices_[slice]->from_dram(done->request, at);
        core_agenda_.wake(first_slice_part_ + slice, at);
        channel_.pop_completion();
    }
    const Tick tick = memory_.tick(now);
    for (Tick due : due_)
        if (due > tick && due != kNotDue) next = std::min(next, memory_.at_or_after(due));
    return next;
}

/// Moves requests that are due into the controller, round-robin over the slices. True if one went in.
bool Partition::accept(Cycle now) {
    const Tick tick = memory_.tick(now);
    bool any = false;
    const u64 room = channel_.room_events();
    for (u32 idle = 0; idle < slices_.size();) {
        const u32 s = next_slice_;
        next_slice_ = next_slice_ + 1 == slices_.size() ? 0 : next_slice_ + 1;
        // A head that was refused need not ask again before something has left the controller's queues.
        if (due_[s] > tick || refused_at_[s] == room) {
            ++idle;
            continue;
        }
        Slice& slice = *slices_[s];
        auto& queue = slice.to_dram();
        if (!channel_.can_accept(*queue.front().request)) {
            ++idle;
            refused_at_[s] = room;
            continue;
        }
        idle = 0;
        any = true;
        if (slice.waits_for_dram_room()) core_agenda_.wake(first_slice_part_ + s, core_.after(tick));
        Request* r = queue.pop().request;
        look_at(s);
        ++(r->is_write() ? accepted_writes_ : accepted_reads_);
        channel_.accept(r, now);
        if (channel_.wants_groups() && r->load != Request::kNoLoad && r->cls == RequestClass::data) {
            Group& g = group({r->sm, r->load});
            ++g.members;
            check(g);
        }
    }
    return any;
}

Partition::Group& Partition::group(dram::GroupKey key) {
    for (std::size_t k = groups_.size(); k-- > 0;)
        if (groups_[k].key == key) return groups_[k];
    groups_.push_back({key});
    return groups_.back();
}

void Partition::check(Group& g) {
    if (g.settled + g.members != g.expected) return;
    ++groups_completed_;
    if (g.members != 0) channel_.group_complete(g.key, g.members, now_);
    g = groups_.back();
    groups_.pop_back();
}

void Partition::expect(dram::GroupKey key, u32 requests, Cycle core_now) {
    now_ = std::max(now_, memory_.at_or_after(core_.tick(core_now)));
    Group& g = group(key);
    g.expected = requests;
    check(g);
}

void Partition::settled_in_l2(const Request& r) {
    if (r.load == Request::kNoLoad) return;
    Group& g = group({r.sm, r.load});
    ++g.settled;
    check(g);
}

}  // namespace heddle
