// Warps from cycle to cycle: scheduling and issue. What they wait for: front_end_waits.cpp.

#include "core/front_end.h"

#include <algorithm>
#include <bit>

#include "core/load_store.h"
#include "core/residency.h"

namespace heddle {

FrontEnd::FrontEnd(const SmSettings& settings, const SmWiring& wiring, SmStats& stats, LoadStoreUnit& lsu,
                   Residency& residency)
    : constant_latency_(settings.lsu.constant_latency.v),
      sm_(wiring.index),
      device_(wiring.device),
      owner_(*wiring.owner),
      load_stats_(*wiring.load_stats),
      stats_(stats),
      lsu_(lsu),
      residency_(residency),
      warps_(settings.warps),
      age_(64),
      scoreboard_(settings.warps),
      copies_(settings.warps),
      issuing_(settings.schedulers),
      scheduler_warps_(settings.schedulers) {
    for (std::size_t c = 0; c < ops_.size(); ++c) ops_[c] = settings.ops.of(static_cast<OpClass>(c));
    for (u32 w = 0; w < settings.warps; ++w) {
        warps_[w].scheduler = static_cast<u8>(w % settings.schedulers);
        scheduler_warps_[w % settings.schedulers] |= u64{1} << w;
    }
    for (u32 s = 0; s < settings.schedulers; ++s) {
        policies_.push_back(warp_schedulers().make(
            settings.warp_scheduler, WarpSchedulerContext{settings.warps, scheduler_warps_[s], age_}));
        for (u32 p = 0; p < kPipes; ++p)
            pipe_[s][p] = &pipe_time_[settings.shared_pipes.of(static_cast<Pipe>(p)) ? 0 : s][p];
    }
}

u32 FrontEnd::register_lines(KernelRun& kernel, bool chunked) {
    return scoreboard_.make_room(chunked ? kernel.info().register_names : kernel.registers_in_use(ops_));
}

void FrontEnd::start(u32 warp, KernelRun& kernel, const WarpCursor& cursor, u32 register_lines, Cycle now) {
    copies_.reset(warp);
    Warp& w = warps_[warp];
    const u8 scheduler = w.scheduler;
    w = Warp{};
    w.scheduler = scheduler;
    w.kernel = &kernel;
    w.active = true;
    w.since = now.v + 1;
    w.cursor = cursor;
    w.lanes = static_cast<u8>(std::popcount(cursor.full_mask()));
    age_[warp] = next_age_++;
    scoreboard_.clear(warp, register_lines);
    policies_[scheduler]->on_launch(warp);
}

void FrontEnd::look_again(u32 warp, Cycle at, Cycle now) {
    const u32 slot = static_cast<u32>(std::min(at, now + (kWheel - 1)).v) % kWheel;
    wheel_[slot] |= u64{1} << warp;
    wheel_used_[slot / 64] |= u64{1} << (slot % 64);
}

Cycle FrontEnd::next_look(Cycle now) const {
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

void FrontEnd::wake_warps(Cycle now) {
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

void FrontEnd::make_ready(u32 warp) {
    Warp& w = warps_[warp];
    const u32 p = static_cast<u32>(w.pipe);
    const PipeTime& pipe = *pipe_[w.scheduler][p];
    w.held = pipe.held - (pipe.free > w.ready >> 2 ? pipe.free - (w.ready >> 2) : 0);
    ready_[w.scheduler][p] |= u64{1} << warp;
    ready_pipes_[w.scheduler] |= 1u << p;
}

/// Issues one instruction per scheduler; returns the next cycle in which a warp that is ready now may issue.
Cycle FrontEnd::schedule(Cycle now) {
    constexpr u32 kMemoryPipe = static_cast<u32>(Pipe::memory);
    u64 next = kNever.v;
    lsu_wanted_ = false;
    for (u32 s = 0; s < issuing_; ++s) {
        if (ready_pipes_[s] == 0) continue;
        u64 candidates = 0;
        for (u32 pipes = ready_pipes_[s]; pipes != 0; pipes &= pipes - 1) {
            const u32 p = static_cast<u32>(std::countr_zero(pipes));
            if (p == kMemoryPipe) {
                if (lsu_.has_room())
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
            else if (lsu_.has_room())
                next = now.v;
            else
                lsu_wanted_ = true;
        }
    }
    return next > now.v ? Cycle(next) : now + 1;
}

void FrontEnd::issue(u32 warp, Cycle now) {
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
    count_issue(w, inst);

    Cycle earliest = now + 1;
    if (inst.memory) {
        scoreboard_.set_results(inst, warp, issue_memory(warp, w.kernel->table()[w.inst.static_index], now));
    } else {
        pipe_[s][p]->free = now.v + inst.interval;
        pipe_[s][p]->held += inst.interval - 1;
        scoreboard_.set_results(inst, warp, Scoreboard::key(now + inst.latency, Scoreboard::kArithmetic));
        // What follows a branch is known only once it is resolved.
        if (inst.op == OpClass::branch)
            earliest = now + inst.latency;
        else if (inst.op == OpClass::fence)
            ++stats_.fences;
        else if (inst.async_role == AsyncRole::commit)
            copies_.commit(warp);
        else if (inst.op == OpClass::barrier && barrier(warp, now))
            return;
    }
    prepare(warp, earliest, now, now + 1);
}

inline void FrontEnd::count_issue(const Warp& w, const Decoded& inst) {
    const u64 lanes =
        w.inst.mask == w.cursor.full_mask() ? w.lanes : static_cast<u64>(std::popcount(w.inst.mask));
    ++stats_.warp_instructions;
    stats_.thread_instructions += lanes;
    load_stats_.thread_instructions += lanes;
    ++w.kernel->warp_instructions;
    w.kernel->thread_instructions += lanes;
    ++stats_.issued_by_class[static_cast<std::size_t>(inst.op)];
}

/// Hands the instruction to the load/store unit; returns the scoreboard entry of its results.
u64 FrontEnd::issue_memory(u32 slot, const StaticInst& inst, Cycle now) {
    Warp& w = warps_[slot];
    u32 edge = w.inst.has_edge && w.inst.edge_kind() == EdgeKind::signal ? w.inst.edge_number() + 1 : 0;
    // A predicated-off access touches nothing and retires.
    const bool off = w.inst.form == AddressForm::none && inst.space != MemSpace::constant;
    if (!off && (inst.space == MemSpace::constant || inst.space == MemSpace::texture)) {
        ++stats_.constant_loads;
        return Scoreboard::key(now + constant_latency_, Scoreboard::kSharedMemory);
    }
    // Nor has what goes to shared memory anything that other CTAs could wait for.
    if (edge != 0 && (off || inst.space == MemSpace::shared)) {
        owner_.signalled(*w.kernel, edge - 1, now);
        edge = 0;
    }
    if (off) return Scoreboard::key(now + 1, Scoreboard::kArithmetic);
    const bool copy = inst.mem == MemOp::async_copy && inst.space != MemSpace::shared;
    const auto started =
        lsu_.issue({slot, *w.kernel, w.inst, inst, edge, copy ? copies_.add(slot) : Load::kNoGroup}, now);
    w.loads += started.loads;
    w.writes += started.writes;
    return Scoreboard::kPending;
}

/// Decodes the warp's next instruction and finds out when it may issue, not before `earliest`. It enters the
/// ready set at once if that is by `ready_if_by`, which may lie after `now` if its scheduler has already issued
/// in this cycle.
void FrontEnd::prepare(u32 warp, Cycle earliest, Cycle now, Cycle ready_if_by) {
    Warp& w = warps_[warp];
    if (!w.cursor.next(w.inst)) {
        ended(warp, now);
        return;
    }
    const Decoded& inst = next_inst(w);
    w.pipe = inst.pipe;
    w.waited = kNone;
    w.ready =
        std::max(Scoreboard::key(earliest, Scoreboard::kArithmetic), scoreboard_.operands_ready(inst, warp));
    if (w.inst.has_edge && waits_at_edge(warp, earliest)) return;
    if (holds(warp, inst)) return;
    const Cycle at(w.ready >> 2);
    if (at <= ready_if_by)
        make_ready(warp);
    else if (w.ready == Scoreboard::kPending)
        waiting_memory_ |= u64{1} << warp;
    else
        look_again(warp, at, now);
}

}  // namespace heddle
