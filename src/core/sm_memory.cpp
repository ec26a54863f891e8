// The load/store unit: coalescing, L1, shared memory, and loads and stores until they complete.

#include <algorithm>
#include <bit>

#include "core/sm.h"

namespace heddle {

namespace {
constexpr u64 kNullPageBytes = 4096;
}  // namespace

u32 Sm::take_load() {
    if (free_load_ == ~u32{0}) {
        loads_.emplace_back();
        const u32 id = static_cast<u32>(loads_.size() - 1);
        loads_[id].id = id;
        return id;
    }
    const u32 id = free_load_;
    free_load_ = loads_[id].next_free;
    const u32 named = loads_[id].id + (1u << kLoadBits);
    loads_[id] = Load{};
    loads_[id].id = named;
    return id;
}

/// Hands the instruction to the load/store unit; returns the scoreboard entry of its results.
u64 Sm::issue_memory(u32 slot, const StaticInst& inst, Cycle now) {
    Warp& w = warps_[slot];
    const u32 edge = w.inst.has_edge && w.inst.edge_kind() == EdgeKind::signal ? w.inst.edge_number() + 1 : 0;
    // A predicated-off access touches nothing and retires.
    if (w.inst.form == AddressForm::none && inst.space != MemSpace::constant) {
        if (edge != 0) wiring_.owner->signalled(*w.kernel, edge - 1, now);
        return key(now + 1, kArithmetic);
    }
    if (inst.space == MemSpace::constant || inst.space == MemSpace::texture) {
        ++stats_.constant_loads;
        return key(now + settings_.lsu.constant_latency.v, kSharedMemory);
    }
    LsuInst todo;
    todo.warp = static_cast<u8>(slot);
    todo.app = w.kernel->app;
    if (inst.space == MemSpace::shared) {
        const u32 passes = bank_passes(w.inst, inst.access_bytes, settings_.shared_memory.banks,
                                       inst.mem == MemOp::atomic || inst.mem == MemOp::reduction);
        ++stats_.shared_accesses;
        stats_.shared_extra_passes += passes - 1;
        todo.kind = LsuKind::shared;
        todo.pieces = passes;
        // Without a queue ahead, the time is known now; with one, when the unit gets to it.
        if (edge != 0) wiring_.owner->signalled(*w.kernel, edge - 1, now);
        todo.load = inst.dst[0] == StaticInst::kNoRegister ? Request::kNoLoad : take_load();
        if (todo.load != Request::kNoLoad) {
            Load& load = loads_[todo.load];
            load.kernel = w.kernel;
            load.issued = now.v;
            load.static_index = w.inst.static_index;
            load.warp = static_cast<u8>(slot);
            load.counts = false;
            load.pieces = 1;
            load.sent = true;
            ++w.loads;
        }
        lsu_.push(todo);
        return kPending;
    }

    const bool atomic = inst.mem == MemOp::atomic || inst.mem == MemOp::reduction;
    auto lines = coalescer_.coalesce(w.inst, inst.access_bytes, inst.mem == MemOp::store);
    if (atomic && wiring_.wants_busiest_words) coalescer_.find_busiest_words(w.inst);
    if (settings_.lsu.perfect_coalescing && inst.mem == MemOp::load) lines = lines.first(1);
    todo.pieces = static_cast<u32>(lines.size());
    todo.bypass = inst.bypass_l1 || atomic || !l1_settings_.enabled;
    for (const LineAccess& line : lines) pieces_.push(line);
    u64 sectors = 0;
    bool null_page = false;
    for (const LineAccess& line : lines) {
        sectors += sector_count(line.sectors);
        null_page |= line.line < kNullPageBytes / kLineBytes;
    }
    stats_.null_page_accesses += null_page;
    // Every form of addresses begins with the low word of the first lane's.
    stats_.misaligned_accesses += inst.access_bytes > 1 && w.inst.payload[0] % inst.access_bytes != 0;
    switch (inst.mem) {
        case MemOp::store:
            todo.kind = LsuKind::store;
            ++stats_.stores;
            stats_.store_requests += lines.size();
            stats_.store_sectors += sectors;
            break;
        case MemOp::reduction:
            todo.kind = LsuKind::reduction;
            ++stats_.reductions;
            stats_.atomic_requests += lines.size();
            break;
        case MemOp::atomic:
            todo.kind = LsuKind::atomic;
            ++stats_.atomics;
            stats_.atomic_requests += lines.size();
            break;
        case MemOp::prefetch:
            todo.kind = LsuKind::prefetch;
            ++stats_.prefetches;
            break;
        default:
            todo.kind = LsuKind::load;
            ++stats_.loads;
            stats_.load_requests += lines.size();
            stats_.load_sectors += sectors;
            break;
    }
    const bool reads =
        todo.kind == LsuKind::load || todo.kind == LsuKind::atomic || todo.kind == LsuKind::prefetch;
    todo.load = Request::kNoLoad;
    if (reads || edge != 0) {
        todo.load = take_load();
        Load& load = loads_[todo.load];
        load.kernel = w.kernel;
        load.issued = now.v;
        load.static_index = w.inst.static_index;
        load.requests = load.pieces = todo.pieces;
        load.edge = edge;
        load.warp = static_cast<u8>(slot);
        load.counts = todo.kind == LsuKind::load || todo.kind == LsuKind::atomic;
        if (inst.mem == MemOp::async_copy) {
            Copies& c = copies(slot);
            load.copies = true;
            load.group = c.open;
            ++c.pending[c.open % Copies::kGroups];
        }
        ++w.loads;
    }
    if (!reads) w.writes += todo.pieces;
    if (lifetimes_ != nullptr) [[unlikely]]
        todo.traced = traced(slot, inst, todo, now);
    lsu_.push(todo);
    return kPending;
}

/// Whether somebody wants to follow this instruction.
bool Sm::traced(u32 slot, const StaticInst& inst, LsuInst& todo, Cycle now) {
    constexpr const char* kNames[] = {"load", "store", "atomic", "reduction", "shared", "prefetch"};
    IssuedAccess access;
    access.sm = wiring_.index;
    access.warp = todo.warp;
    access.app = todo.app;
    access.what = inst.mem == MemOp::async_copy ? "copy" : kNames[static_cast<std::size_t>(todo.kind)];
    access.kernel = warps_[slot].kernel->info().name;
    access.pc = inst.pc;
    if (todo.load != Request::kNoLoad) access.load = loads_[todo.load].id;
    access.lines = todo.pieces;
    access.at = now;
    todo.trace = traced_;
    const bool chosen = lifetimes_->issued(access);
    traced_ += chosen;
    return chosen;
}

void Sm::load_store(Cycle now) {
    if (lsu_.empty() || lsu_free_ > now) return;
    lsu_stall_.end(now);
    for (u32 lines = 0; lines < settings_.lsu.lines_per_cycle && !lsu_.empty(); ++lines) {
        LsuInst& inst = lsu_.front();
        if (inst.kind == LsuKind::shared) {
            access_shared(inst, now);
            lsu_.pop();
            return;
        }
        const bool grouped =
            wiring_.wants_groups && inst.kind == LsuKind::load && inst.load != Request::kNoLoad;
        if (grouped && !inst.counted) count_lines(inst);
        const LineAccess& piece = pieces_.front();
        if (!miss_room()) {
            blocked(stats_.stall_port_cycles);
            lsu_stall_.begin(now);
            return;
        }
        const PhysAddr line = wiring_.memory->translate(inst.app, VirtAddr(piece.line << kLineShift));
        if (!send_piece(inst, piece, line, now)) {
            lsu_stall_.begin(now);
            return;
        }
        pieces_.pop();
        if (grouped) line_settled(inst, line_channels_[line_channels_.size() - inst.pieces], now);
        if (--inst.pieces != 0) continue;
        all_sent(inst.load, now);
        lsu_.pop();
    }
    lsu_free_ = now + 1;
}

void Sm::access_shared(const LsuInst& inst, Cycle now) {
    const u64 pass = settings_.shared_memory.cycles_per_pass.v;
    const u64 extra = (inst.pieces - 1) * pass;
    lsu_free_ = now + std::max<u64>(1, extra + 1);
    if (inst.load != Request::kNoLoad)
        piece_arrived(inst.load, now.v + settings_.shared_memory.latency.v + extra, now);
}

/// Every line of a load has its outcome in L1.
void Sm::all_sent(u32 load, Cycle now) {
    if (load == Request::kNoLoad) return;
    loads_[load].sent = true;
    if (loads_[load].pieces == 0) load_finished(load, now);
}

/// Before the first line of a load is looked up: where they all belong.
void Sm::count_lines(LsuInst& inst) {
    inst.counted = true;
    line_channels_.clear();
    for (u32 k = 0; k < inst.pieces; ++k) {
        const PhysAddr line = wiring_.memory->translate(inst.app, VirtAddr(pieces_[k].line << kLineShift));
        line_channels_.push_back(static_cast<u16>(wiring_.map->place(line).channel));
        ++lines_left_[line_channels_.back()];
    }
}

/// A line of a load that belongs to the channel has its outcome. At the last one, the channel learns how many
/// requests it gets.
void Sm::line_settled(const LsuInst& inst, u32 channel, Cycle now) {
    const u32 k = group_of(inst) + channel;
    if (--lines_left_[k] != 0 || group_counts_[k] == 0) return;
    wiring_.owner->load_complete(wiring_.index, loads_[inst.load].id, channel, group_counts_[k], now);
    group_counts_[k] = 0;
}

/// One line of a memory instruction, for which there is miss_room(). False if something else is full; then nothing
/// has changed.
bool Sm::send_piece(const LsuInst& inst, const LineAccess& piece, PhysAddr line, Cycle now) {
    const u32 number = line_number(line);
    Cache<u32>::Evicted evicted;
    switch (inst.kind) {
        case LsuKind::load:
        case LsuKind::prefetch: {
            if (inst.bypass) {
                ++stats_.l1_bypassed;
                send_request(inst, number, piece.sectors, 0, 0, RequestKind::read, true, now);
                break;
            }
            const Lookup found = l1_.read(number, number, piece.sectors, inst.load, evicted);
            if (found.stalled())
                return blocked(found.outcome == Outcome::stall_mshr    ? stats_.stall_mshr_cycles
                               : found.outcome == Outcome::stall_merge ? stats_.stall_merge_cycles
                                                                       : stats_.stall_line_cycles);
            const u64 sectors = sector_count(piece.sectors);
            ++stats_.l1_reads;
            stats_.l1_read_sectors += sectors;
            if (found.outcome == Outcome::hit) {
                ++stats_.l1_read_hits;
                stats_.l1_read_sector_hits += sectors;
                const Cycle done = now + l1_settings_.latency.v;
                if (inst.traced) [[unlikely]]
                    lifetimes_->line_taken(wiring_.index, inst.trace, line, L1Outcome::hit, nullptr, now,
                                           done);
                piece_arrived(inst.load, done.v, now);
                break;
            }
            stats_.l1_read_sector_hits +=
                sectors - sector_count(static_cast<u8>(piece.sectors & found.fetch));
            ++(found.outcome == Outcome::merged ? stats_.l1_read_merges : stats_.l1_read_misses);
            if (found.fetch != 0)
                send_request(inst, number, found.fetch, 0, 0, RequestKind::read, false, now);
            else if (inst.traced) [[unlikely]]
                lifetimes_->line_taken(wiring_.index, inst.trace, line, L1Outcome::merged, nullptr, now,
                                       kNever);
            break;
        }
        case LsuKind::store: {
            ++stats_.l1_writes;
            if (!inst.bypass) {
                const Lookup found =
                    l1_.write(number, number, piece.sectors, piece.partial, inst.app, 0, evicted);
                if (found.stalled()) {
                    --stats_.l1_writes;
                    return blocked(stats_.stall_line_cycles);
                }
                stats_.l1_write_hits += found.outcome == Outcome::hit;
                if (l1_settings_.write == WritePolicy::back &&
                    (found.outcome == Outcome::hit || l1_settings_.write_allocate)) {
                    if (inst.traced) [[unlikely]]
                        lifetimes_->line_taken(wiring_.index, inst.trace, line, L1Outcome::hit, nullptr, now,
                                               now + 1);
                    if (inst.load != Request::kNoLoad) piece_arrived(inst.load, now.v + 1, now);
                    write_performed(inst.warp, now);
                    break;
                }
            } else {
                l1_.invalidate(number, number, piece.sectors);
            }
            send_request(inst, number, piece.sectors, piece.partial, 0, RequestKind::write, true, now);
            break;
        }
        case LsuKind::atomic:
        case LsuKind::reduction:
            l1_.invalidate(number, number, piece.sectors);
            send_request(inst, number, piece.sectors, 0, piece.lanes,
                         inst.kind == LsuKind::atomic ? RequestKind::atomic : RequestKind::reduction, true,
                         now)
                ->set_busiest_word(piece.busiest_word, piece.busiest_lanes);
            break;
        case LsuKind::shared:
            break;
    }
    if (evicted.sectors != 0) write_back(evicted, now);
    return true;
}

/// A dirty line leaves a write-back L1. No warp waits for it.
void Sm::write_back(const Cache<u32>::Evicted& evicted, Cycle now) {
    ++stats_.l1_write_backs;
    LsuInst back;
    back.kind = LsuKind::store;
    back.warp = kNoWarp;
    back.load = Request::kNoLoad;
    back.app = evicted.app;
    send_request(back, evicted.number, evicted.sectors, evicted.partial, 0, RequestKind::write, true, now);
}

Request* Sm::send_request(const LsuInst& inst, u32 line, u8 sectors, u8 partial, u8 lanes, RequestKind kind,
                          bool bypass, Cycle now) {
    Request* r = wiring_.pool->take();
    r->line = line_address(line);
    const Place place = wiring_.map->place(r->line);
    r->local = place.local;
    r->channel = static_cast<u16>(place.channel);
    r->slice = static_cast<u8>(place.slice);
    r->sectors = sectors;
    r->partial = partial;
    r->lanes = lanes;
    r->kind = kind;
    r->bypass_l1 = bypass;
    r->sm = wiring_.index;
    r->warp = inst.warp;
    r->app = inst.app;
    r->load = inst.load == Request::kNoLoad ? Request::kNoLoad : loads_[inst.load].id;
    if (inst.kind == LsuKind::prefetch) r->cls = RequestClass::prefetch;
    if (wiring_.wants_groups && inst.kind == LsuKind::load) ++group_counts_[group_of(inst) + place.channel];
    if (inst.traced) [[unlikely]] {
        r->traced = true;
        lifetimes_->line_taken(wiring_.index, inst.trace, r->line,
                               bypass ? L1Outcome::bypassed : L1Outcome::missed, r, now, kNever);
    }
    ++memory_in_flight_;
    misses_.push({now + l1_settings_.miss_latency.v, r});
    return r;
}

void Sm::tell_returned(const Request& r, Cycle whole, Cycle usable) {
    lifetimes_->step(r, RequestStep::returned, whole);
    if (r.kind == RequestKind::read && !r.bypass_l1) return;  // L1 tells when each load has its data
    const bool data = r.kind == RequestKind::read || r.kind == RequestKind::atomic;
    lifetimes_->done(r, data || r.load != Request::kNoLoad ? usable : whole);
}

void Sm::receive(Cycle now) {
    Cycle whole;
    // A port gives at most one packet a cycle.
    if (Request* r = wiring_.responses->receive(wiring_.index, now, &whole)) {
        --memory_in_flight_;
        const u64 usable = (whole + l1_settings_.fill_latency.v).v;
        if (r->traced) [[unlikely]]
            tell_returned(*r, whole, Cycle(usable));
        switch (r->kind) {
            case RequestKind::read:
                if (settings_.lsu.divergence && r->cls == RequestClass::data && dram::served_by_dram(*r)) {
                    Load& load = loads_[index_of(r->load)];
                    load.touched = divergence_.add(load.touched, *r, usable);
                }
                if (r->bypass_l1) {
                    piece_arrived(index_of(r->load), usable, now);
                } else {
                    const u32 number = line_number(r->line);
                    Cache<u32>::Evicted evicted;
                    l1_.fill(number, number, r->sectors, 0, evicted, [&](u32 load) {
                        if (lifetimes_ != nullptr) [[unlikely]]
                            lifetimes_->line_arrived(wiring_.index, loads_[load].id, r->line, Cycle(usable));
                        piece_arrived(load, usable, now);
                    });
                    if (evicted.sectors != 0) write_back(evicted, now);
                }
                break;
            case RequestKind::atomic:
                piece_arrived(index_of(r->load), usable, now);
                break;
            case RequestKind::write:
            case RequestKind::reduction:
                if (r->load != Request::kNoLoad) piece_arrived(index_of(r->load), usable, now);
                write_performed(r->warp, now);
                break;
        }
        wiring_.pool->give(r);
    }
}

/// One line of a load has its data at cycle `at`.
void Sm::piece_arrived(u32 load, u64 at, Cycle now) {
    Load& l = loads_[load];
    l.last = std::max(l.last, at);
    if (--l.pieces == 0 && l.sent) load_finished(load, now);
}

/// The cycle in which a load's last data arrive is known.
void Sm::load_finished(u32 id, Cycle now) {
    Load& l = loads_[id];
    Warp& w = warps_[l.warp];
    const u64 cause = l.kernel->table()[l.static_index].space == MemSpace::shared ? kSharedMemory : kMemory;
    set_results(l.kernel->decoded(l.static_index, ops_), l.warp, key(Cycle(l.last), cause));
    --w.loads;
    LoadSiteStats* site = nullptr;
    if (l.counts) {
        wiring_.load_stats->latency.add(l.last - l.issued);
        wiring_.load_stats->requests_per_load.add(l.requests);
        wiring_.load_stats->multi_request_loads += l.requests > 1;
        site = &l.kernel->site(l.static_index);
        ++site->executions;
        site->requests += l.requests;
        site->latency_cycles += l.last - l.issued;
    }
    if (l.touched != DivergenceMeter::kNone)
        divergence_.finish(l.touched, l.issued, wiring_.load_stats->divergence);
    if (l.edge != 0) wiring_.owner->signalled(*l.kernel, l.edge - 1, now);
    if ((waiting_memory_ >> l.warp & 1) != 0) {
        const u64 ready = operands_ready(next_inst(w), l.warp);
        if (ready != kPending) {
            w.ready = std::max(ready, key(Cycle(w.since), kArithmetic));
            waiting_memory_ &= ~(u64{1} << l.warp);
            const Cycle at(w.ready >> 2);
            if (site != nullptr && at.v > w.since) {
                site->wait_cycles += at.v - w.since;
                w.waited = site;
            }
            if (at > now)
                look_again(l.warp, at, now);
            else
                make_ready(l.warp);
        }
    }
    const u32 warp = l.warp;
    const bool copied = l.copies;
    const u32 group = l.group;
    l.next_free = free_load_;
    free_load_ = id;
    if (copied) copy_arrived(warp, group, l.last, now);
    try_fence(warp, now);
    try_drain(warp, now);
}

void Sm::write_performed(u32 warp, Cycle now) {
    if (warp == kNoWarp) return;
    --warps_[warp].writes;
    try_fence(warp, now);
    try_drain(warp, now);
}

}  // namespace heddle
