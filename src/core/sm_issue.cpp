// Warp scheduling, scoreboard and issue.

#include <algorithm>
#include <bit>

#include "core/sm.h"

namespace heddle {

Cycle Sm::step(Cycle now) {
    receive(now);
    wake_warps(now);
    schedule(now);
    load_store(now);
    while (!misses_.empty() && misses_.front().first <= now && wiring_.requests->can_send(wiring_.index)) {
        Request* r = misses_.pop().second;
        r->issued = now;
        wiring_.requests->send(wiring_.index, u32{r->channel} * wiring_.slices_per_channel + r->slice, r);
    }
    Cycle next = wiring_.requests->pump(wiring_.index, now);
    auto earliest = [&](Cycle c) { next = std::min(next, std::max(c, now + 1)); };
    if (!misses_.empty() && wiring_.requests->can_send(wiring_.index)) earliest(misses_.front().first);
    // A blocked line is tried again whenever an answer or a free port steps this SM.
    if (!lsu_.empty() && lsu_blocked_since_ == kNever) earliest(lsu_free_);
    earliest(wiring_.responses->next_arrival(wiring_.index, now));
    next = std::min(next, next_look(now));
    for (u32 s = 0; s < settings_.schedulers; ++s)
        for (u32 pipes = ready_pipes_[s]; pipes != 0; pipes &= pipes - 1) {
            const u32 p = static_cast<u32>(std::countr_zero(pipes));
            if (p != static_cast<u32>(Pipe::memory)) earliest(Cycle(pipe_free_[pipe_owner_[s][p]][p]));
            else if (lsu_room()) earliest(now + 1);
        }
    return next;
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
        if (ready > now) look_again(w, ready, now);
        else make_ready(w, now);
    }
}

void Sm::make_ready(u32 warp, Cycle) {
    const Warp& w = warps_[warp];
    const u32 p = static_cast<u32>(w.pipe);
    ready_[w.scheduler][p] |= u64{1} << warp;
    ready_pipes_[w.scheduler] |= 1u << p;
}

void Sm::schedule(Cycle now) {
    constexpr u32 kMemoryPipe = static_cast<u32>(Pipe::memory);
    for (u32 s = 0; s < settings_.schedulers; ++s) {
        u64 candidates = 0;
        for (u32 pipes = ready_pipes_[s]; pipes != 0; pipes &= pipes - 1) {
            const u32 p = static_cast<u32>(std::countr_zero(pipes));
            if (p == kMemoryPipe) {
                if (lsu_room()) candidates |= ready_[s][p];
                else lsu_full_until_ = now.v + 1;
            } else if (pipe_free_[pipe_owner_[s][p]][p] <= now.v) {
                candidates |= ready_[s][p];
            }
        }
        if (candidates != 0) issue(policies_[s]->pick(candidates, waiting_memory_ & scheduler_warps_[s]), now);
    }
}

u64 Sm::operands_ready(const StaticInst& inst, u32 warp) const {
    const u64* registers = &registers_[std::size_t{warp} * names_];
    u64 ready = 0;
    for (u16 r : inst.src) {
        if (r == StaticInst::kNoRegister) break;
        ready = std::max(ready, registers[r]);
    }
    for (u16 r : inst.dst) {
        if (r == StaticInst::kNoRegister) break;
        for (u32 k = 0; k < inst.dst_width; ++k) ready = std::max(ready, registers[r + k]);
    }
    return ready;
}

void Sm::set_results(const StaticInst& inst, u32 warp, u64 ready) {
    u64* registers = &registers_[std::size_t{warp} * names_];
    for (u16 r : inst.dst) {
        if (r == StaticInst::kNoRegister) break;
        for (u32 k = 0; k < inst.dst_width; ++k) registers[r + k] = ready;
    }
}

/// Decodes the warp's next instruction and finds out when it may issue, not before `earliest`.
void Sm::prepare(u32 warp, Cycle earliest, Cycle now) {
    Warp& w = warps_[warp];
    if (!w.cursor.next(w.inst)) {
        warp_ended(warp, now);
        return;
    }
    const StaticInst& inst = w.kernel->table()[w.inst.static_index];
    w.pipe = inst.is_memory() ? Pipe::memory : ops_[static_cast<std::size_t>(inst.op)].pipe;
    w.ready = std::max(key(earliest, kArithmetic), operands_ready(inst, warp));
    if (w.inst.has_edge && w.inst.edge_kind() == EdgeKind::wait && !w.kernel->is_signalled(w.inst.edge_number())) {
        w.at_edge = true;
        ++stats_.edges_waited;
        w.kernel->edge_waiters.push_back({w.inst.edge_number(), wiring_.index, static_cast<u8>(warp)});
        return;
    }
    if (inst.op == OpClass::fence && (w.writes != 0 || w.loads != 0)) {
        w.at_fence = true;
        return;
    }
    if (w.ready == kPending) waiting_memory_ |= u64{1} << warp;
    else if (const Cycle at(w.ready >> 2); at > now) look_again(warp, at, now);
    else make_ready(warp, now);
}

void Sm::account_wait(Warp& w) {
    constexpr WarpState cause[] = {WarpState::dependency, WarpState::shared_memory, WarpState::memory, WarpState::memory};
    account(w, cause[w.ready & 3], w.ready >> 2);
}

void Sm::issue(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    const StaticInst inst = w.kernel->table()[w.inst.static_index];
    const u32 p = static_cast<u32>(w.pipe), s = w.scheduler;
    u64& mask = ready_[s][p];
    mask &= ~(u64{1} << warp);
    if (mask == 0) ready_pipes_[s] &= ~(1u << p);

    account_wait(w);
    u64& pipe_free = pipe_free_[pipe_owner_[s][p]][p];
    if (inst.is_memory()) account(w, WarpState::lsu_full, std::min(lsu_full_until_, now.v));
    else account(w, WarpState::pipe_busy, std::min(pipe_free, now.v));
    account(w, WarpState::not_selected, now.v);
    account(w, WarpState::issue, now.v + 1);

    const u64 lanes = static_cast<u64>(std::popcount(w.inst.mask));
    ++stats_.warp_instructions;
    stats_.thread_instructions += lanes;
    wiring_.load_stats->thread_instructions += lanes;
    ++w.kernel->warp_instructions;
    w.kernel->thread_instructions += lanes;
    ++stats_.issued_by_class[static_cast<std::size_t>(inst.op)];

    Cycle earliest = now + 1;
    if (inst.is_memory()) {
        set_results(inst, warp, issue_memory(warp, inst, now));
    } else {
        const OpSettings& op = ops_[static_cast<std::size_t>(inst.op)];
        pipe_free = now.v + op.interval.v;
        set_results(inst, warp, key(now + op.latency.v, kArithmetic));
        // What follows a branch is known only when it is resolved.
        if (inst.op == OpClass::branch) earliest = now + op.latency.v;
        if (inst.op == OpClass::fence) ++stats_.fences;
        if (inst.op == OpClass::barrier && barrier(warp, inst, now)) return;
    }
    prepare(warp, earliest, now);
}

}  // namespace heddle
