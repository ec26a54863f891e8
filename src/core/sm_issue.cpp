// Warp scheduling, scoreboard and issue.

#include <algorithm>
#include <bit>

#include "core/sm.h"

namespace heddle {

/// Entries count from `now`; what lies before it is ready.
void Sm::move_base(Cycle now) {
    const u64 past = (now.v - base_) << 2;
    for (RegisterLine& line : registers_)
        for (u32& entry : line.ready)
            if (entry != kPendingEntry) entry = entry <= past ? 0 : static_cast<u32>(entry - past);
    base_ = now.v;
}

Cycle Sm::step(Cycle now) {
    if (now.v - base_ > kBaseSpan) [[unlikely]]
        move_base(now);
    // The parts that have nothing to do are not worth a call.
    const bool answers = wiring_.responses->expects(wiring_.index);
    if (answers) receive(now);
    wake_warps(now);
    Cycle next = schedule(now);
    auto earliest = [&](Cycle c) { next = std::min(next, std::max(c, now + 1)); };
    if (tlb_ != nullptr) {
        earliest(translate_and_access(now));
    } else if (!lsu_.empty()) {
        load_store(now);
        // A blocked line is tried again whenever a response or a free port steps this SM.
        if (!lsu_.empty() && !lsu_stall_.running()) earliest(lsu_free_);
        // Warps that found it full look again when there is room, also if nothing is left in it.
        if (lsu_wanted_ && lsu_room()) earliest(now + 1);
    }
    if (!misses_.empty() || !wiring_.requests->idle(wiring_.index)) {
        while (!misses_.empty() && misses_.front().first <= now &&
               wiring_.requests->can_send(wiring_.index)) {
            Request* r = misses_.pop().second;
            r->issued = now;
            if (r->traced) [[unlikely]]
                lifetimes_->step(*r, RequestStep::sent, now);
            wiring_.requests->send(wiring_.index, u32{r->channel} * wiring_.slices_per_channel + r->slice, r);
        }
        earliest(wiring_.requests->pump(wiring_.index, now));
        if (!misses_.empty() && wiring_.requests->can_send(wiring_.index)) earliest(misses_.front().first);
        if (lsu_stall_.running_for(stats_.stall_port_cycles) && miss_room()) earliest(now + 1);
    }
    if (answers) earliest(wiring_.responses->next_arrival(wiring_.index, now));
    return std::min(next, next_look(now));
}

void Sm::look_again(u32 warp, Cycle at, Cycle now) {
    const u32 slot = static_cast<u32>(std::min(at, now + (kWheel - 1)).v) % kWheel;
    wheel_[slot] |= u64{1} << warp;
    wheel_used_[slot / 64] |= u64{1} << (slot % 64);
}

Cycle Sm::next_look(Cycle now) const {
    const u32 start = static_cast<u32>((now.v + 1) % kWheel);
    for (u32 k = 0; k <= kWheel / 64; ++k) {
        const u32 w = (start / 64 + k) % (kWheel / 64);
        u64 bits = wheel_used_[w];
        if (k == 0) bits &= ~u64{0} << (start % 64);
        if (bits != 0) {
            const u32 slot = w * 64 + static_cast<u32>(std::countr_zero(bits));
            return now + 1 + (slot - start) % kWheel;
        }
    }
    return kNever;
}

void Sm::wake_warps(Cycle now) {
    const u32 slot = static_cast<u32>(now.v % kWheel);
    u64 warps = wheel_[slot];
    if (warps == 0) return;
    wheel_[slot] = 0;
    wheel_used_[slot / 64] &= ~(u64{1} << (slot % 64));
    for (; warps != 0; warps &= warps - 1) {
        const u32 w = static_cast<u32>(std::countr_zero(warps));
        const Cycle ready(warps_[w].ready >> 2);
        if (ready > now)
            look_again(w, ready, now);
        else
            make_ready(w);
    }
}

void Sm::make_ready(u32 warp) {
    Warp& w = warps_[warp];
    const u32 p = static_cast<u32>(w.pipe);
    const PipeTime& pipe = *pipe_[w.scheduler][p];
    w.held = pipe.held - (pipe.free > w.ready >> 2 ? pipe.free - (w.ready >> 2) : 0);
    ready_[w.scheduler][p] |= u64{1} << warp;
    ready_pipes_[w.scheduler] |= 1u << p;
}

/// Issues one instruction per scheduler; returns the next cycle in which a warp that is ready now may issue.
Cycle Sm::schedule(Cycle now) {
    constexpr u32 kMemoryPipe = static_cast<u32>(Pipe::memory);
    u64 next = kNever.v;
    lsu_wanted_ = false;
    for (u32 s = 0; s < settings_.schedulers; ++s) {
        if (ready_pipes_[s] == 0) continue;
        u64 candidates = 0;
        for (u32 pipes = ready_pipes_[s]; pipes != 0; pipes &= pipes - 1) {
            const u32 p = static_cast<u32>(std::countr_zero(pipes));
            if (p == kMemoryPipe) {
                if (lsu_room())
                    candidates |= ready_[s][p];
                else
                    lsu_full_until_ = now.v + 1;
            } else if (pipe_[s][p]->free <= now.v) {
                candidates |= ready_[s][p];
            }
        }
        if (candidates != 0)
            issue(policies_[s]->pick(candidates, waiting_memory_ & scheduler_warps_[s]), now);
        // When room appears in the load/store unit it steps this SM itself.
        for (u32 pipes = ready_pipes_[s]; pipes != 0; pipes &= pipes - 1) {
            const u32 p = static_cast<u32>(std::countr_zero(pipes));
            if (p != kMemoryPipe)
                next = std::min(next, pipe_[s][p]->free);
            else if (lsu_room())
                next = now.v;
            else
                lsu_wanted_ = true;
        }
    }
    return next > now.v ? Cycle(next) : now + 1;
}

/// Decodes the warp's next instruction and finds out when it may issue, not before `earliest`. It enters the
/// ready set at once if that is by `ready_if_by`, which may lie after `now` if its scheduler has already issued
/// in this cycle.
void Sm::prepare(u32 warp, Cycle earliest, Cycle now, Cycle ready_if_by) {
    Warp& w = warps_[warp];
    if (!w.cursor.next(w.inst)) {
        warp_ended(warp, now);
        return;
    }
    const Decoded& inst = next_inst(w);
    w.pipe = inst.pipe;
    w.waited = nullptr;
    w.ready = std::max(key(earliest, kArithmetic), operands_ready(inst, warp));
    if (w.inst.has_edge && w.inst.edge_kind() == EdgeKind::wait &&
        !w.kernel->is_signalled(w.inst.edge_number())) {
        w.at_edge = true;
        w.ready = key(earliest, kArithmetic);
        ++stats_.edges_waited;
        w.kernel->edge_waiters.push_back({w.inst.edge_number(), wiring_.index, static_cast<u8>(warp)});
        return;
    }
    if (holds(warp, inst)) return;
    const Cycle at(w.ready >> 2);
    if (at <= ready_if_by)
        make_ready(warp);
    else if (w.ready == kPending)
        waiting_memory_ |= u64{1} << warp;
    else
        look_again(warp, at, now);
}

void Sm::account_wait(Warp& w, u64 until) {
    constexpr WarpState cause[] = {WarpState::dependency, WarpState::shared_memory, WarpState::memory,
                                   WarpState::memory};
    account(w, cause[w.ready & 3], std::min(w.ready >> 2, until));
}

void Sm::issue(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    const Decoded& inst = next_inst(w);
    const u32 p = static_cast<u32>(inst.pipe), s = w.scheduler;
    u64& mask = ready_[s][p];
    mask &= ~(u64{1} << warp);
    if (mask == 0) ready_pipes_[s] &= ~(1u << p);

    if (w.since < now.v) {
        account_wait(w, now.v);
        if (inst.memory)
            account(w, WarpState::lsu_full, std::min(lsu_full_until_, now.v));
        else
            account(w, WarpState::pipe_busy, std::min(w.since + (pipe_[s][p]->held - w.held), now.v));
        account(w, WarpState::not_selected, now.v);
    }
    ++stats_.warp_cycles[static_cast<std::size_t>(WarpState::issue)];
    w.since = now.v + 1;

    const u64 lanes =
        w.inst.mask == w.cursor.full_mask() ? w.lanes : static_cast<u64>(std::popcount(w.inst.mask));
    ++stats_.warp_instructions;
    stats_.thread_instructions += lanes;
    wiring_.load_stats->thread_instructions += lanes;
    ++w.kernel->warp_instructions;
    w.kernel->thread_instructions += lanes;
    ++stats_.issued_by_class[static_cast<std::size_t>(inst.op)];

    Cycle earliest = now + 1;
    if (inst.memory) {
        set_results(inst, warp, issue_memory(warp, w.kernel->table()[w.inst.static_index], now));
    } else {
        pipe_[s][p]->free = now.v + inst.interval;
        pipe_[s][p]->held += inst.interval - 1;
        set_results(inst, warp, key(now + inst.latency, kArithmetic));
        // What follows a branch is known only once it is resolved.
        if (inst.op == OpClass::branch)
            earliest = now + inst.latency;
        else if (inst.op == OpClass::fence)
            ++stats_.fences;
        else if (inst.async_role == AsyncRole::commit)
            commit_copies(warp);
        else if (inst.op == OpClass::barrier && barrier(warp, w.kernel->table()[w.inst.static_index], now))
            return;
    }
    prepare(warp, earliest, now, now + 1);
}

}  // namespace heddle
