#include "core/l1_cache.h"

#include "core/front_end.h"

namespace heddle {

L1Cache::L1Cache(const L1Settings& settings, bool divergence, const SmWiring& wiring, SmStats& stats,
                 LoadTable& loads, LoadGroups& groups, FrontEnd& warps)
    : settings_(settings),
      wiring_(wiring),
      room_(static_cast<u32>(settings.miss_latency.v) + wiring.miss_queue),
      divergence_(divergence),
      stats_(stats),
      loads_(loads),
      groups_(groups),
      warps_(warps),
      cache_(settings, wiring.index),
      bytes_(settings.size_bytes) {}

void L1Cache::begin_kernel(u64 bytes, Cycle now) {
    const bool same = bytes == bytes_;
    if (same && !settings_.flush_at_kernel_start) return;
    cache_.flush([&](const Evicted& line) { write_back(line, now); });
    if (same) return;
    cache_.resize(bytes);
    bytes_ = bytes;
}

bool L1Cache::access(const MemoryAccess& inst, const LineAccess& piece, PhysAddr line, Cycle now) {
    switch (inst.kind) {
        case AccessKind::load:
        case AccessKind::prefetch:
            return read(inst, piece, line, now);
        case AccessKind::store:
            return write(inst, piece, line, now);
        case AccessKind::atomic:
        case AccessKind::reduction: {
            const u32 number = line_number(line);
            cache_.invalidate(number, number, piece.sectors);
            const RequestKind kind =
                inst.kind == AccessKind::atomic ? RequestKind::atomic : RequestKind::reduction;
            Request* r = request(inst, {number, piece.sectors, 0, piece.lanes, kind, true}, now);
            r->busiest_word = piece.busiest_word;
            r->busiest_lanes = piece.busiest_lanes & 0x7f;
            return true;
        }
        case AccessKind::shared:
            break;
    }
    return true;
}

bool L1Cache::read(const MemoryAccess& inst, const LineAccess& piece, PhysAddr line, Cycle now) {
    const u32 number = line_number(line);
    if (inst.bypass) {
        ++stats_.l1_bypassed;
        request(inst, {number, piece.sectors, 0, 0, RequestKind::read, true}, now);
        return true;
    }
    Evicted evicted;
    const Lookup found = cache_.read(number, number, piece.sectors, inst.load, evicted);
    if (found.stalled())
        return blocked(found.outcome == Outcome::stall_mshr    ? stats_.stall_mshr_cycles
                       : found.outcome == Outcome::stall_merge ? stats_.stall_merge_cycles
                                                               : stats_.stall_line_cycles,
                       now);
    const u64 sectors = sector_count(piece.sectors);
    ++stats_.l1_reads;
    stats_.l1_read_sectors += sectors;
    if (found.outcome == Outcome::hit) {
        ++stats_.l1_read_hits;
        stats_.l1_read_sector_hits += sectors;
        const Cycle done = now + settings_.latency.v;
        if (inst.traced) [[unlikely]]
            lifetimes_->line_taken(wiring_.index, inst.trace, line, L1Outcome::hit, nullptr, now, done);
        loads_.piece_arrived(inst.load, done.v, now);
        return true;
    }
    stats_.l1_read_sector_hits += sectors - sector_count(static_cast<u8>(piece.sectors & found.fetch));
    ++(found.outcome == Outcome::merged ? stats_.l1_read_merges : stats_.l1_read_misses);
    if (found.fetch != 0)
        request(inst, {number, found.fetch, 0, 0, RequestKind::read, false}, now);
    else if (inst.traced) [[unlikely]]
        lifetimes_->line_taken(wiring_.index, inst.trace, line, L1Outcome::merged, nullptr, now, kNever);
    if (evicted.sectors != 0) write_back(evicted, now);
    return true;
}

bool L1Cache::write(const MemoryAccess& inst, const LineAccess& piece, PhysAddr line, Cycle now) {
    const u32 number = line_number(line);
    Evicted evicted;
    bool stays = false;
    if (inst.bypass) {
        cache_.invalidate(number, number, piece.sectors);
    } else {
        const Lookup found = cache_.write(number, number, piece.sectors, piece.partial, inst.app, 0, evicted);
        if (found.stalled()) return blocked(stats_.stall_line_cycles, now);
        stats_.l1_write_hits += found.outcome == Outcome::hit;
        stays = settings_.write == WritePolicy::back &&
                (found.outcome == Outcome::hit || settings_.write_allocate);
    }
    ++stats_.l1_writes;
    if (stays) {
        if (inst.traced) [[unlikely]]
            lifetimes_->line_taken(wiring_.index, inst.trace, line, L1Outcome::hit, nullptr, now, now + 1);
        if (inst.load != Request::kNoLoad) loads_.piece_arrived(inst.load, now.v + 1, now);
        write_done(inst.warp, now);
    } else {
        request(inst, {number, piece.sectors, piece.partial, 0, RequestKind::write, true}, now);
    }
    if (evicted.sectors != 0) write_back(evicted, now);
    return true;
}

/// A dirty line leaves a write-back L1. No warp waits for it.
void L1Cache::write_back(const Evicted& evicted, Cycle now) {
    ++stats_.l1_write_backs;
    MemoryAccess back;
    back.kind = AccessKind::store;
    back.warp = MemoryAccess::kNoWarp;
    back.app = evicted.app;
    request(back, {evicted.number, evicted.sectors, evicted.partial, 0, RequestKind::write, true}, now);
}

/// The only place that makes an SM's requests.
Request* L1Cache::request(const MemoryAccess& inst, const Ask& ask, Cycle now) {
    Request* r = wiring_.pool->take();
    wiring_.router->send_to(*r, line_address(ask.line));
    r->sectors = ask.sectors;
    r->partial = ask.partial & kAllSectors;
    r->lanes = ask.lanes;
    r->kind = ask.kind;
    r->bypass_l1 = ask.bypass;
    r->origin = {wiring_.index, inst.warp, wiring_.device};
    r->pc = inst.pc;
    r->app = inst.app;
    r->load = inst.load == Request::kNoLoad ? Request::kNoLoad : loads_[inst.load].id;
    if (inst.kind == AccessKind::prefetch) r->cls = RequestClass::prefetch;
    if (inst.counted) groups_.sent(inst.flight, r->channel);
    if (inst.traced) [[unlikely]] {
        r->traced = true;
        lifetimes_->line_taken(wiring_.index, inst.trace, r->line,
                               ask.bypass ? L1Outcome::bypassed : L1Outcome::missed, r, now, kNever);
    }
    ++in_flight_;
    misses_.push({now + settings_.miss_latency.v, r});
    return r;
}

/// Reads of walks join the misses; when the next one can, as far as known.
Cycle L1Cache::take_walks(Cycle now) {
    while (!walks_.empty() && misses_.size() < room_) {
        if (walks_.front().at > now) return walks_.front().at;
        misses_.push({now + settings_.miss_latency.v, walks_.pop().request});
    }
    return kNever;
}

Cycle L1Cache::send(Cycle now) {
    while (!misses_.empty() && misses_.front().first <= now && wiring_.requests->can_send(wiring_.index)) {
        Request* r = misses_.pop().second;
        if (r->traced) [[unlikely]]
            lifetimes_->step(*r, RequestStep::sent, now);
        wiring_.requests->send(wiring_.index, r->port, r);
    }
    Cycle next = wiring_.requests->pump(wiring_.index, now);
    if (!walks_.empty()) [[unlikely]]
        next = std::min(next, take_walks(now));
    if (!misses_.empty() && wiring_.requests->can_send(wiring_.index))
        next = std::min(next, misses_.front().first);
    if (stall_.running_for(stats_.stall_port_cycles) && has_room()) next = std::min(next, now + 1);
    return next;
}

void L1Cache::receive(Cycle now) {
    Cycle whole;
    Request* r = wiring_.responses->receive(wiring_.index, now, &whole);
    if (r == nullptr) return;
    --in_flight_;
    const u64 usable = (whole + settings_.fill_latency.v).v;
    if (r->traced) [[unlikely]]
        tell_returned(*r, whole, Cycle(usable));
    switch (r->kind) {
        case RequestKind::read:
            if (divergence_ && r->cls == RequestClass::data && dram::served_by_dram(*r))
                loads_.served(LoadTable::index_of(r->load), *r, usable);
            if (r->bypass_l1)
                loads_.piece_arrived(LoadTable::index_of(r->load), usable, now);
            else
                filled(*r, usable, now);
            break;
        case RequestKind::atomic:
            loads_.piece_arrived(LoadTable::index_of(r->load), usable, now);
            break;
        case RequestKind::write:
        case RequestKind::reduction:
            if (r->load != Request::kNoLoad) loads_.piece_arrived(LoadTable::index_of(r->load), usable, now);
            write_done(r->origin.slot, now);
            break;
    }
    wiring_.pool->give(r);
}

/// The answer brings sectors that L1 has asked for.
void L1Cache::filled(const Request& r, u64 usable, Cycle now) {
    const u32 number = line_number(r.line);
    Evicted evicted;
    cache_.fill(number, number, r.sectors, 0, evicted, [&](u32 load) {
        if (lifetimes_ != nullptr) [[unlikely]]
            lifetimes_->line_arrived(wiring_.index, loads_[load].id, r.line, Cycle(usable));
        loads_.piece_arrived(load, usable, now);
    });
    if (evicted.sectors != 0) write_back(evicted, now);
}

void L1Cache::write_done(u8 warp, Cycle now) {
    if (warp != MemoryAccess::kNoWarp) warps_.write_done(warp, now);
}

void L1Cache::tell_returned(const Request& r, Cycle whole, Cycle usable) {
    lifetimes_->step(r, RequestStep::returned, whole);
    if (r.kind == RequestKind::read && !r.bypass_l1) return;  // L1 tells when each load has its data
    const bool data = r.kind == RequestKind::read || r.kind == RequestKind::atomic;
    lifetimes_->done(r, data || r.load != Request::kNoLoad ? usable : whole);
}

}  // namespace heddle
