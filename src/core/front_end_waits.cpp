// What warps wait for, besides their turn: fences, copies, edges, barriers, data; and where their cycles go.

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "core/front_end.h"
#include "core/residency.h"

namespace heddle {

bool FrontEnd::waits_at_edge(u32 warp, Cycle earliest) {
    Warp& w = warps_[warp];
    if (w.inst.edge_kind() != EdgeKind::wait || w.kernel->is_signalled(w.inst.edge_number())) return false;
    w.at_edge = true;
    w.ready = Scoreboard::key(earliest, Scoreboard::kArithmetic);
    ++stats_.edges_waited;
    w.kernel->edge_waiters.push_back({w.inst.edge_number(), sm_, static_cast<u8>(warp), device_});
    return true;
}

/// Whether the warp's next instruction has to wait for what is in flight; it is then told to go on.
bool FrontEnd::holds(u32 warp, const Decoded& inst) {
    Warp& w = warps_[warp];
    if (inst.op == OpClass::fence) return w.at_fence = w.writes != 0 || w.loads != 0;
    if (inst.async_role == AsyncRole::wait) {
        const u64 ready = copies_.ready(warp, inst.async_keep);
        w.at_copies = ready == Scoreboard::kPending;
        if (!w.at_copies) w.ready = std::max(w.ready, ready);
        return w.at_copies;
    }
    return false;
}

/// What the warp waited for has arrived; it may issue from the next cycle, if its operands permit.
void FrontEnd::go_on(u32 warp, WarpState waited, Cycle now) {
    Warp& w = warps_[warp];
    account(w, waited, now.v + 1);
    w.ready = std::max({w.ready == Scoreboard::kPending ? 0 : w.ready,
                        Scoreboard::key(now + 1, Scoreboard::kArithmetic),
                        scoreboard_.operands_ready(next_inst(w), warp)});
    if (w.ready == Scoreboard::kPending)
        waiting_memory_ |= u64{1} << warp;
    else
        look_again(warp, Cycle(w.ready >> 2), now);
}

/// True if the warp has to wait.
bool FrontEnd::barrier(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    const StaticInst& inst = w.kernel->table()[w.inst.static_index];
    const bool waits = !inst.barrier_arrive_only;
    ++stats_.barriers;
    w.at_barrier = waits;
    residency_.arrive(warp, inst, now);
    return waits;
}

void FrontEnd::pass_barrier(u32 warp, Cycle from, Cycle now) {
    Warp& w = warps_[warp];
    w.at_barrier = false;
    account(w, WarpState::barrier, now.v + 1);
    prepare(warp, from, now, now);
    if (!w.done) account(w, WarpState::barrier, from.v);
}

void FrontEnd::edge_signalled(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    w.at_edge = false;
    if (holds(warp, next_inst(w)))
        account(w, WarpState::cta_wait, now.v + 1);
    else
        go_on(warp, WarpState::cta_wait, now);
}

void FrontEnd::load_done(const Load& load, LoadSiteStats* site, Cycle now) {
    const bool shared = load.kernel->table()[load.static_index].space == MemSpace::shared;
    scoreboard_.set_results(
        load.kernel->decoded(load.static_index, ops_), load.warp,
        Scoreboard::key(Cycle(load.last), shared ? Scoreboard::kSharedMemory : Scoreboard::kMemory));
    --warps_[load.warp].loads;
    if (load.edge != 0) owner_.signalled(*load.kernel, load.edge - 1, now);
    if ((waiting_memory_ >> load.warp & 1) != 0) wake_waiting(load, site, now);
    if (load.group != Load::kNoGroup) copy_arrived(load.warp, load.group, load.last, now);
    try_fence(load.warp, now);
    try_drain(load.warp, now);
}

/// The load's warp waits for data; perhaps for these.
void FrontEnd::wake_waiting(const Load& load, LoadSiteStats* site, Cycle now) {
    Warp& w = warps_[load.warp];
    const u64 ready = scoreboard_.operands_ready(next_inst(w), load.warp);
    if (ready == Scoreboard::kPending) return;
    w.ready = std::max(ready, Scoreboard::key(Cycle(w.since), Scoreboard::kArithmetic));
    waiting_memory_ &= ~(u64{1} << load.warp);
    const Cycle at(w.ready >> 2);
    if (site != nullptr && at.v > w.since) {
        site->wait_cycles += at.v - w.since;
        w.waited = load.static_index;
    }
    if (at > now)
        look_again(load.warp, at, now);
    else
        make_ready(load.warp);
}

void FrontEnd::copy_arrived(u32 warp, u32 group, u64 at, Cycle now) {
    copies_.arrived(warp, group, at);
    Warp& w = warps_[warp];
    if (!w.at_copies) return;
    const u64 ready = copies_.ready(warp, next_inst(w).async_keep);
    if (ready == Scoreboard::kPending) return;
    w.at_copies = false;
    w.ready = std::max(w.ready == Scoreboard::kPending ? 0 : w.ready, ready);
    go_on(warp, WarpState::memory, now);
}

void FrontEnd::write_done(u32 warp, Cycle now) {
    --warps_[warp].writes;
    try_fence(warp, now);
    try_drain(warp, now);
}

void FrontEnd::try_fence(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    if (!w.at_fence || w.writes != 0 || w.loads != 0) return;
    w.at_fence = false;
    go_on(warp, WarpState::fence, now);
}

void FrontEnd::ended(u32 warp, Cycle now) {
    warps_[warp].done = true;
    residency_.warp_ended(warp, now);
    try_drain(warp, now);
}

void FrontEnd::try_drain(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    if (!w.done || !w.active || w.loads != 0 || w.writes != 0) return;
    w.active = false;
    account(w, WarpState::drain, now.v + 1);
    residency_.warp_drained(warp, now);
}

void FrontEnd::account_wait(Warp& w, u64 until) {
    constexpr WarpState cause[] = {WarpState::dependency, WarpState::shared_memory, WarpState::memory,
                                   WarpState::memory};
    account(w, cause[w.ready & 3], std::min(w.ready >> 2, until));
}

void FrontEnd::settle(Cycle now) {
    for (Warp& w : warps_) {
        if (!w.active) continue;
        if (w.done)
            account(w, WarpState::drain, now.v);
        else if (w.at_barrier)
            account(w, WarpState::barrier, now.v);
        else if (w.at_fence)
            account(w, WarpState::fence, now.v);
        else if (w.at_edge)
            account(w, WarpState::cta_wait, now.v);
        else if (w.at_copies || w.ready == Scoreboard::kPending)
            account(w, WarpState::memory, now.v);
        else
            cut_off(w, now);
    }
}

/// Of a warp that may issue from a known cycle on.
void FrontEnd::cut_off(Warp& w, Cycle now) {
    const u64 ready = w.ready >> 2;
    // Time that a load was charged in advance and that did not come to pass.
    if ((w.ready & 3) == Scoreboard::kMemory && w.waited != kNone && ready > now.v)
        w.kernel->site(w.waited).wait_cycles -= ready - std::max(now.v, std::min(w.since, ready));
    account_wait(w, now.v);
    account(w, WarpState::not_selected, now.v);
}

std::string FrontEnd::describe(Cycle now) const {
    std::string text;
    for (u32 k = 0; k < warps_.size(); ++k) {
        const Warp& w = warps_[k];
        if (!w.active) continue;
        const auto& table = w.kernel->table();
        const std::string where = w.done ? "its end" : fmt::format("pc {:#x}", table[w.inst.static_index].pc);
        std::string why;
        if (w.at_barrier)
            why = "a barrier of its CTA";
        else if (w.at_edge)
            why = fmt::format("a store of another CTA (edge {})", w.inst.edge_number());
        else if (w.at_copies)
            why = fmt::format("asynchronous copies of {} groups", copies_.unfinished(k));
        else if (w.at_fence || w.done)
            why = fmt::format("{} loads and {} writes in flight", w.loads, w.writes);
        else if (w.ready == Scoreboard::kPending)
            why = fmt::format("data of {} loads", w.loads);
        else if (Cycle(w.ready >> 2) > now)
            why = fmt::format("cycle {}", w.ready >> 2);
        else
            why = "its turn to issue";
        text += fmt::format("  SM {} warp {} of kernel {} at {} waits for {}\n", sm_, k,
                            w.kernel->info().name, where, why);
    }
    return text;
}

}  // namespace heddle
