// CTAs and warps: residency, barriers, fences, edges, the end.

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "core/sm.h"
#include "sim/error.h"
#include "vm/translation.h"

namespace heddle {

const char* name(WarpState state) {
    constexpr const char* names[] = {"issue",    "dependency",   "memory",   "shared_memory",
                                     "barrier",  "fence",        "cta_wait", "pipe_busy",
                                     "lsu_full", "not_selected", "drain"};
    return names[static_cast<std::size_t>(state)];
}

Sm::Sm(const SmSettings& settings, const L1Settings& l1, const SmWiring& wiring)
    : settings_(settings),
      l1_settings_(l1),
      wiring_(wiring),
      warps_(settings.warps),
      age_(64),
      free_warps_(settings.warps == 64 ? ~u64{0} : (u64{1} << settings.warps) - 1),
      ctas_(settings.ctas),
      scheduler_warps_(settings.schedulers),
      lines_left_(wiring.channels),
      group_counts_(wiring.channels),
      l1_(l1, wiring.index),
      tlb_(wiring.translation == nullptr ? nullptr : &wiring.translation->l1(wiring.index)) {
    for (std::size_t c = 0; c < ops_.size(); ++c) ops_[c] = settings.ops.of(static_cast<OpClass>(c));
    for (u32 k = settings.ctas; k-- > 0;) free_ctas_.push_back(k);
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

namespace {

u32 registers_of_cta(const SmSettings& s, const KernelInfo& k) {
    const u64 warp = ceil_div(u64{k.registers} * k.warp_lanes, s.register_granule) * s.register_granule;
    return static_cast<u32>(warp * k.warps_per_cta());
}

}  // namespace

u32 Sm::occupancy(const SmSettings& s, const KernelInfo& k, std::string* why) {
    u64 most = s.ctas;
    auto bound = [&](u64 have, u64 need, const char* what) {
        if (need == 0) return;
        if (have / need == 0 && most != 0 && why != nullptr)
            *why = fmt::format("a CTA of kernel {} needs {} {}, an SM has {}", k.name, need, what, have);
        most = std::min(most, have / need);
    };
    bound(s.threads, k.block.count(), "threads");
    bound(s.warps, k.warps_per_cta(), "warps");
    bound(s.registers, registers_of_cta(s, k), "registers");
    bound(s.shared_memory.size_bytes, k.shared_bytes, "bytes of shared memory");
    return static_cast<u32>(most);
}

bool Sm::fits(const KernelInfo& k) const {
    return !free_ctas_.empty() && threads_used_ + k.block.count() <= settings_.threads &&
           static_cast<u32>(std::popcount(free_warps_)) >= k.warps_per_cta() &&
           registers_used_ + registers_of_cta(settings_, k) <= settings_.registers &&
           shared_used_ + k.shared_bytes <= settings_.shared_memory.size_bytes;
}

void Sm::begin_kernel(const KernelRun& kernel, Cycle now) {
    // Other kernels' CTAs keep their lines and their share of the array.
    if (resident_ctas_ != 0 || !l1_.quiet()) return;
    u64 size = l1_settings_.size_bytes;
    if (settings_.unified_bytes != 0) {
        const u64 need = u64{occupancy(settings_, kernel.info())} * kernel.info().shared_bytes;
        u64 carve = settings_.carveouts.empty() ? need : settings_.carveouts.back();
        for (u64 c : settings_.carveouts)
            if (c >= need && c < carve) carve = c;
        size = settings_.unified_bytes - std::min(carve, settings_.unified_bytes);
        size = std::max(size, u64{l1_settings_.ways} * kLineBytes);  // one set at least
    }
    const bool same = size == l1_.settings().size_bytes;
    if (same && !l1_settings_.flush_at_kernel_start) return;
    l1_.flush([&](const Cache<u32>::Evicted& line) { write_back(line, now); });
    if (!same) l1_.resize(size);
}

CtaStream& Sm::next_cta(KernelRun& kernel) {
    if (spare_ == nullptr || spare_kernel_ != &kernel) {
        spare_ = kernel.stream->make_cta();
        spare_kernel_ = &kernel;
    }
    return *spare_;
}

void Sm::launch(KernelRun& kernel, Cycle now) {
    const KernelInfo& info = kernel.info();
    // A CTA that is read in pieces may still bring registers that none has used.
    const u32 used = spare_->chunked ? info.register_names : kernel.registers_in_use(ops_);
    const u32 lines = static_cast<u32>(ceil_div(std::max(used, 1u), 16));
    if (lines > register_lines_) {
        // More register names than in any kernel before: entries move, times stay.
        std::vector<RegisterLine> wider(std::size_t{settings_.warps} * lines);
        for (u32 w = 0; w < settings_.warps && register_lines_ != 0; ++w)
            std::copy_n(&registers_[std::size_t{w} * register_lines_], register_lines_,
                        &wider[std::size_t{w} * lines]);
        registers_ = std::move(wider);
        register_lines_ = lines;
    }
    const u32 id = free_ctas_.back();
    free_ctas_.pop_back();
    Cta& cta = ctas_[id];
    std::swap(cta.stream, spare_);
    spare_kernel_ = cta.kernel;  // the buffer that was here serves the kernel that it was made for
    cta.kernel = &kernel;
    cta.started = now;
    cta.warps = cta.live = cta.undrained = info.warps_per_cta();
    cta.slots = 0;
    cta.arrived.fill(0);
    cta.count.fill(0);
    cta.whole = 0;
    threads_used_ += cta.threads = static_cast<u32>(info.block.count());
    registers_used_ += cta.registers = registers_of_cta(settings_, info);
    shared_used_ += cta.shared = info.shared_bytes;
    ++resident_ctas_;
    ++stats_.ctas;
    for (u32 k = 0; k < cta.warps; ++k) {
        const u32 slot = static_cast<u32>(std::countr_zero(free_warps_));
        if (!copies_.empty()) copies_[slot] = Copies{};
        free_warps_ &= free_warps_ - 1;
        cta.slots |= u64{1} << slot;
        Warp& w = warps_[slot];
        const u8 scheduler = w.scheduler;
        w = Warp{};
        w.scheduler = scheduler;
        w.kernel = &kernel;
        w.cta = static_cast<u16>(id);
        w.active = true;
        w.since = now.v + 1;
        w.cursor = cta.stream->cursor(k, info);
        w.lanes = static_cast<u8>(std::popcount(w.cursor.full_mask()));
        age_[slot] = next_age_++;
        std::fill_n(registers_.begin() + static_cast<std::ptrdiff_t>(std::size_t{slot} * register_lines_),
                    lines, RegisterLine{});
        policies_[scheduler]->on_launch(slot);
        ++stats_.warps;
    }
    for (u64 slots = cta.slots; slots != 0; slots &= slots - 1)
        prepare(static_cast<u32>(std::countr_zero(slots)), now + 1, now, now);
}

/// True if the warp has to wait.
bool Sm::barrier(u32 warp, const StaticInst& inst, Cycle now) {
    Cta& cta = ctas_[warps_[warp].cta];
    const u32 id = inst.barrier_id & 15;
    ++stats_.barriers;
    ++cta.count[id];
    if (!inst.barrier_arrive_only) {
        warps_[warp].at_barrier = true;
        cta.arrived[id] |= u64{1} << warp;
    }
    const u32 expected = inst.barrier_warps != 0 ? inst.barrier_warps : cta.live;
    if (cta.count[id] >= expected)
        release_barrier(cta, id, now);
    else if (inst.barrier_warps == 0)
        cta.whole |= static_cast<u16>(1u << id);
    return !inst.barrier_arrive_only;
}

void Sm::release_barrier(Cta& cta, u32 id, Cycle now) {
    u64 warps = cta.arrived[id];
    cta.arrived[id] = 0;
    cta.count[id] = 0;
    cta.whole &= static_cast<u16>(~(1u << id));
    const Cycle from = now + ops_[static_cast<std::size_t>(OpClass::barrier)].latency.v;
    for (; warps != 0; warps &= warps - 1) {
        const u32 slot = static_cast<u32>(std::countr_zero(warps));
        Warp& w = warps_[slot];
        w.at_barrier = false;
        account(w, WarpState::barrier, now.v + 1);
        prepare(slot, from, now, now);
        if (!w.done) account(w, WarpState::barrier, from.v);
    }
}

/// Whether the warp's next instruction has to wait for what is in flight; it is then told to go on.
bool Sm::holds(u32 warp, const Decoded& inst) {
    Warp& w = warps_[warp];
    if (inst.op == OpClass::fence) return w.at_fence = w.writes != 0 || w.loads != 0;
    if (inst.async_role == AsyncRole::wait) {
        const u64 ready = copies_ready(warp, inst.async_keep);
        w.at_copies = ready == kPending;
        if (!w.at_copies) w.ready = std::max(w.ready, ready);
        return w.at_copies;
    }
    return false;
}

/// What the warp waited for has arrived; it may issue from the next cycle, if its operands permit.
void Sm::go_on(u32 warp, WarpState waited, Cycle now) {
    Warp& w = warps_[warp];
    account(w, waited, now.v + 1);
    w.ready = std::max(
        {w.ready == kPending ? 0 : w.ready, key(now + 1, kArithmetic), operands_ready(next_inst(w), warp)});
    if (w.ready == kPending)
        waiting_memory_ |= u64{1} << warp;
    else
        look_again(warp, Cycle(w.ready >> 2), now);
}

void Sm::try_fence(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    if (!w.at_fence || w.writes != 0 || w.loads != 0) return;
    w.at_fence = false;
    go_on(warp, WarpState::fence, now);
}

void Sm::edge_signalled(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    w.at_edge = false;
    if (holds(warp, next_inst(w)))
        account(w, WarpState::cta_wait, now.v + 1);
    else
        go_on(warp, WarpState::cta_wait, now);
}

Sm::Copies& Sm::copies(u32 warp) {
    if (copies_.empty()) copies_.resize(warps_.size());
    return copies_[warp];
}

void Sm::Copies::advance() {
    for (; first != open && pending[first % kGroups] == 0; ++first) {
        u64& at = arrived[first % kGroups];
        at = std::max(at, arrived[(first - 1) % kGroups]);
    }
}

/// Entry from which the warp may pass a wait that lets the `keep` youngest closed groups be unfinished.
u64 Sm::copies_ready(u32 warp, u32 keep) const {
    if (copies_.empty()) return 0;
    const Copies& c = copies_[warp];
    if (c.open - c.first > keep) return kPending;
    return key(Cycle(c.arrived[(c.open - keep - 1) % Copies::kGroups]), kMemory);
}

void Sm::commit_copies(u32 warp) {
    Copies& c = copies(warp);
    // With that many groups unfinished the youngest two are one to those that wait.
    if (c.open - c.first + 1 == Copies::kGroups) return;
    ++c.open;
    c.arrived[c.open % Copies::kGroups] = 0;
    c.advance();
}

void Sm::copy_arrived(u32 warp, u32 group, u64 at, Cycle now) {
    Copies& c = copies_[warp];
    --c.pending[group % Copies::kGroups];
    u64& arrived = c.arrived[group % Copies::kGroups];
    arrived = std::max(arrived, at);
    c.advance();
    Warp& w = warps_[warp];
    if (!w.at_copies) return;
    const u64 ready = copies_ready(warp, next_inst(w).async_keep);
    if (ready == kPending) return;
    w.at_copies = false;
    w.ready = std::max(w.ready == kPending ? 0 : w.ready, ready);
    go_on(warp, WarpState::memory, now);
}

void Sm::warp_ended(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    w.done = true;
    Cta& cta = ctas_[w.cta];
    --cta.live;
    // A barrier of the whole CTA does not wait for warps that have ended.
    for (u32 ids = cta.whole; ids != 0; ids &= ids - 1) {
        const u32 id = static_cast<u32>(std::countr_zero(ids));
        if (cta.count[id] >= cta.live) release_barrier(cta, id, now);
    }
    try_drain(warp, now);
}

void Sm::try_drain(u32 warp, Cycle now) {
    Warp& w = warps_[warp];
    if (!w.done || !w.active || w.loads != 0 || w.writes != 0) return;
    w.active = false;
    account(w, WarpState::drain, now.v + 1);
    Cta& cta = ctas_[w.cta];
    if (--cta.undrained != 0) return;
    free_warps_ |= cta.slots;
    threads_used_ -= cta.threads;
    registers_used_ -= cta.registers;
    shared_used_ -= cta.shared;
    --resident_ctas_;
    stats_.cta_cycles += now - cta.started;
    free_ctas_.push_back(w.cta);
    ++cta.kernel->ctas_done;
    wiring_.owner->cta_done(wiring_.index, *cta.kernel, now);
}

void Sm::settle(Cycle now) {
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
        else if (w.at_copies || w.ready == kPending)
            account(w, WarpState::memory, now.v);
        else
            cut_off(w, now);
    }
}

/// Of a warp that may issue from a known cycle on.
void Sm::cut_off(Warp& w, Cycle now) {
    const u64 ready = w.ready >> 2;
    // Time that a load was charged in advance and that did not come to pass.
    if ((w.ready & 3) == kMemory && w.waited != nullptr && ready > now.v)
        w.waited->wait_cycles -= ready - std::max(now.v, std::min(w.since, ready));
    account_wait(w, now.v);
    account(w, WarpState::not_selected, now.v);
}

bool Sm::quiet() const {
    return resident_ctas_ == 0 && drained();
}

bool Sm::drained() const {
    return memory_in_flight_ == 0 && lsu_.empty() && pieces_.empty() && misses_.empty() && l1_.quiet() &&
           (tlb_ == nullptr || translations_quiet());
}

std::string Sm::describe(Cycle now) const {
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
            why = fmt::format("asynchronous copies of {} groups", copies_[k].open - copies_[k].first);
        else if (w.at_fence || w.done)
            why = fmt::format("{} loads and {} writes in flight", w.loads, w.writes);
        else if (w.ready == kPending)
            why = fmt::format("data of {} loads", w.loads);
        else if (Cycle(w.ready >> 2) > now)
            why = fmt::format("cycle {}", w.ready >> 2);
        else
            why = "its turn to issue";
        text += fmt::format("  SM {} warp {} of kernel {} at {} waits for {}\n", wiring_.index, k,
                            w.kernel->info().name, where, why);
    }
    if (!lsu_.empty())
        text += fmt::format(
            "  SM {} load/store unit: {} instructions, {} lines; {} requests in flight, {} MSHRs in use\n",
            wiring_.index, lsu_.size(), pieces_.size(), memory_in_flight_, l1_.outstanding());
    if (waiting_count_ != 0)
        text += fmt::format("  SM {}: {} lines wait for translations, {} pages outstanding\n", wiring_.index,
                            waiting_count_, tlb_->outstanding());
    return text;
}

}  // namespace heddle
