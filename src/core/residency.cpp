#include "core/residency.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "core/front_end.h"

namespace heddle {

namespace {

u32 registers_of_cta(const SmSettings& s, const KernelInfo& k) {
    const u64 warp = ceil_div(u64{k.registers} * k.warp_lanes, s.register_granule) * s.register_granule;
    return static_cast<u32>(warp * k.warps_per_cta());
}

}  // namespace

Residency::Residency(const SmSettings& settings, const SmWiring& wiring, SmStats& stats, FrontEnd& warps)
    : settings_(settings),
      sm_(wiring.index),
      owner_(*wiring.owner),
      stats_(stats),
      warps_(warps),
      barrier_latency_(settings.ops.of(OpClass::barrier).latency),
      ctas_(settings.ctas),
      cta_of_(settings.warps),
      free_warps_(settings.warps == 64 ? ~u64{0} : (u64{1} << settings.warps) - 1) {
    for (u32 k = settings.ctas; k-- > 0;) free_ctas_.push_back(k);
}

u32 Residency::occupancy(const SmSettings& s, const KernelInfo& k, std::string* why) {
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

bool Residency::fits(const KernelInfo& k) const {
    return !free_ctas_.empty() && threads_used_ + k.block.count() <= settings_.threads &&
           static_cast<u32>(std::popcount(free_warps_)) >= k.warps_per_cta() &&
           registers_used_ + registers_of_cta(settings_, k) <= settings_.registers &&
           shared_used_ + k.shared_bytes <= settings_.shared_memory.size_bytes;
}

u64 Residency::left_for_l1(const KernelInfo& kernel) const {
    const u64 need = u64{occupancy(settings_, kernel)} * kernel.shared_bytes;
    u64 carve = settings_.carveouts.empty() ? need : settings_.carveouts.back();
    for (u64 c : settings_.carveouts)
        if (c >= need && c < carve) carve = c;
    return settings_.unified_bytes - std::min(carve, settings_.unified_bytes);
}

CtaStream& Residency::next_cta(KernelRun& kernel) {
    if (spare_ == nullptr || spare_kernel_ != &kernel) {
        spare_ = kernel.stream->make_cta();
        spare_kernel_ = &kernel;
    }
    return *spare_;
}

u32 Residency::take_cta(KernelRun& kernel, Cycle now) {
    const KernelInfo& info = kernel.info();
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
    ++resident_;
    ++stats_.ctas;
    return id;
}

void Residency::launch(KernelRun& kernel, Cycle now) {
    const u32 register_lines = warps_.register_lines(kernel, spare_->chunked);
    const u32 id = take_cta(kernel, now);
    Cta& cta = ctas_[id];
    for (u32 k = 0; k < cta.warps; ++k) {
        const u32 slot = static_cast<u32>(std::countr_zero(free_warps_));
        free_warps_ &= free_warps_ - 1;
        cta.slots |= u64{1} << slot;
        cta_of_[slot] = static_cast<u16>(id);
        warps_.start(slot, kernel, cta.stream->cursor(k, kernel.info()), register_lines, now);
        ++stats_.warps;
    }
    for (WarpSlotObserver* o : observers_) o->new_warps(sm_, cta.slots, kernel.app, now);
    for (u64 slots = cta.slots; slots != 0; slots &= slots - 1)
        warps_.go(static_cast<u32>(std::countr_zero(slots)), now + 1, now);
}

void Residency::arrive(u32 warp, const StaticInst& inst, Cycle now) {
    Cta& cta = ctas_[cta_of_[warp]];
    const u32 id = inst.barrier_id & 15;
    ++cta.count[id];
    if (!inst.barrier_arrive_only) cta.arrived[id] |= u64{1} << warp;
    const u32 expected = inst.barrier_warps != 0 ? inst.barrier_warps : cta.live;
    if (cta.count[id] >= expected)
        release(cta, id, now);
    else if (inst.barrier_warps == 0)
        cta.whole |= static_cast<u16>(1u << id);
}

void Residency::release(Cta& cta, u32 id, Cycle now) {
    u64 waiting = cta.arrived[id];
    cta.arrived[id] = 0;
    cta.count[id] = 0;
    cta.whole &= static_cast<u16>(~(1u << id));
    for (; waiting != 0; waiting &= waiting - 1)
        warps_.pass_barrier(static_cast<u32>(std::countr_zero(waiting)), now + barrier_latency_.v, now);
}

void Residency::warp_ended(u32 warp, Cycle now) {
    Cta& cta = ctas_[cta_of_[warp]];
    --cta.live;
    // A barrier of the whole CTA does not wait for warps that have ended.
    for (u32 ids = cta.whole; ids != 0; ids &= ids - 1) {
        const u32 id = static_cast<u32>(std::countr_zero(ids));
        if (cta.count[id] >= cta.live) release(cta, id, now);
    }
}

void Residency::warp_drained(u32 warp, Cycle now) {
    const u32 id = cta_of_[warp];
    Cta& cta = ctas_[id];
    if (--cta.undrained != 0) return;
    free_warps_ |= cta.slots;
    threads_used_ -= cta.threads;
    registers_used_ -= cta.registers;
    shared_used_ -= cta.shared;
    --resident_;
    stats_.cta_cycles += now - cta.started;
    free_ctas_.push_back(id);
    ++cta.kernel->ctas_done;
    owner_.cta_done(sm_, *cta.kernel, now);
}

}  // namespace heddle
