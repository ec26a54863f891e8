#include "memory/partition.h"

#include <algorithm>

namespace heddle {

Cycle Partition::step(Cycle now) {
    if (!told_.empty()) take_told(now);
    // An accept tells whether the controller has anything to do about it yet.
    const Cycle wanted = accept(now);
    channel_next_ = std::min(channel_next_, wanted);
    if (channel_next_ <= now) {
        channel_next_ = channel_.step(now);
        // A command that just went out may have made room for a request that was due.
        const Cycle again = accept(now);
        channel_next_ = std::max(std::min(channel_next_, again), now + 1);
    }
    while (const auto* done = channel_.completion()) {
        MemoryClient& client = *clients_[done->request->client];
        const Cycle at = client.clock().after(clock_.tick(done->at));
        if (done->request->traced) [[unlikely]]
            lifetimes_->step(*done->request, RequestStep::served, done->at);
        client.from_memory(done->request, at);
        client.wake(at);
        channel_.pop_completion();
    }
    Cycle next = channel_next_;
    const Tick tick = clock_.tick(now);
    for (Tick due : due_)
        if (due > tick && due != kNotDue) next = std::min(next, clock_.at_or_after(due));
    return next;
}

/// Moves requests that are due into the controller, round-robin over the clients; when it must be stepped for them.
Cycle Partition::accept(Cycle now) {
    const Tick tick = clock_.tick(now);
    Cycle next = kNever;
    if (first_due_ > tick) return next;
    const u32 n = static_cast<u32>(clients_.size());
    for (u32 idle = 0; idle < n; ++idle) {
        const u32 s = next_client_;
        next_client_ = s + 1 == n ? 0 : s + 1;
        // A head that was refused need not try again before something has left the controller's queues.
        if (due_[s] > tick || refused_at_[s] == channel_.room_events()) continue;
        const auto& queue = clients_[s]->to_memory();
        if (!channel_.can_accept(*queue.front().request)) {
            refused_at_[s] = channel_.room_events();
            continue;
        }
        idle = ~u32{0};  // all clients get another look
        const Cycle known = clients_[s]->clock().after(tick);
        if (clients_[s]->waits_for_memory_room()) clients_[s]->wake(known);
        Request* r = clients_[s]->take(known);
        if (!queue.empty()) __builtin_prefetch(queue.front().request);
        look_at(s);
        ++(r->is_write() ? accepted_writes_ : accepted_reads_);
        if (observer_ != nullptr) observer_->passed(*r, now);
        next = std::min(next, channel_.accept(r, now));
        if (r->traced) [[unlikely]]
            lifetimes_->step(*r, RequestStep::accepted, now);
        if (channel_.wants_groups() && dram::in_group(*r)) {
            Group& g = group(dram::GroupKey(*r));
            ++g.members;
            check(g, now);
        }
    }
    return next;
}

Partition::Group& Partition::group(dram::GroupKey key) {
    auto& list = list_of(key);
    for (Group& g : list)
        if (g.key == key) return g;
    list.push_back({key});
    return list.back();
}

/// Tells the controller when nothing more of the load can come; `now` is a memory cycle.
void Partition::check(Group& g, Cycle now) {
    if (g.settled + g.members != g.expected) return;
    ++groups_completed_;
    if (g.members != 0) {
        const Cycle wanted = channel_.group_complete(g.key, g.members, now);
        channel_next_ = std::min(channel_next_, wanted);
    }
    auto& list = list_of(g.key);
    g = list.back();
    list.pop_back();
}

void Partition::expect(Origin unit, u32 load, u32 requests, Tick now) {
    tell({now, {unit.flat_unit(), load}, requests});
}

void Partition::settled_in_l2(const Request& r, Tick now) {
    if (dram::in_group(r)) tell({now, dram::GroupKey(r)});
}

void Partition::take_told(Cycle now) {
    for (const Tick tick = clock_.tick(now); !told_.empty() && told_.front().at < tick;) {
        const Told told = told_.pop();
        Group& g = group(told.key);
        if (told.expected != 0)
            g.expected = told.expected;
        else
            ++g.settled;
        check(g, now);
    }
}

}  // namespace heddle
