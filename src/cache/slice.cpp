#include "cache/slice.h"

#include <algorithm>
#include <bit>

namespace heddle {

namespace {
bool is_walk(const Request& r) {
    return r.cls == RequestClass::page_walk;
}
bool is_copy(const Request& r) {
    return r.cls == RequestClass::migration;
}
}  // namespace

Slice::Slice(const L2Settings& settings, const SliceWiring& wiring, Domain& gpu, u32 part)
    : MemoryClient(gpu, part),
      settings_(settings),
      wiring_(wiring),
      lines_(wiring.router->map_of(wiring.index)),
      cache_(settings, wiring.index, wiring.granule_sectors),
      insertion_(insertion_policies().make(settings.insertion,
                                           CacheContext{cache_.tags().sets(), settings.ways, wiring.index})),
      bypass_(bypass_policies().make(settings.bypass, CacheContext{cache_.tags().sets(), settings.ways,
                                                                   wiring.index, wiring.hit_rates})),
      banks_(settings.banks),
      queue_limit_(settings.bank_queue + static_cast<u32>(settings.front_latency.v)),
      extras_(wiring.link != nullptr || wiring.copier != nullptr),
      link_room_(wiring.link == nullptr ? 0
                                        : static_cast<u32>(wiring.link->latency().v) + settings.reply_queue),
      to_memory_limit_(settings.dram_queue + static_cast<u32>(wiring.memory_latency.v)),
      reply_limit_(settings.reply_queue + static_cast<u32>(settings.hit_latency.v)) {
    for (Bank& bank : banks_) bank.port_free.resize(settings.bank_ports);
}

Cycle Slice::step(Cycle now) {
    // Most steps do one of these; the others are not worth a call.
    if (!fills_.empty() && fills_.front().at <= now) take_fills(now);
    if (!walks_.empty() && walks_.front().at <= now) take_walks(now);
    if (extras_) [[unlikely]]
        take_copies(now);
    if (banks_at_ <= now || blocked_) access_banks(now);
    if (at_port_ != nullptr || wiring_.requests->expects(wiring_.index) || (extras_ && !coming_.empty()))
        receive(now);
    if (!answers_.empty() || !hits_.empty() || (extras_ && !going_.empty())) answer(now);
    return next(
        now, wiring_.responses->idle(wiring_.index) ? kNever : wiring_.responses->pump(wiring_.index, now));
}

void Slice::take_fills(Cycle now) {
    while (!fills_.empty() && fills_.front().at <= now) {
        Request* r = fills_.pop().request;
        if (!fills_.empty()) __builtin_prefetch(fills_.front().request);
        if (r->is_write()) {
            if (is_copy(*r)) [[unlikely]]
                copied(r, now);
            else
                wiring_.pool->give(r);
        } else if (r->goes_around && is_copy(*r)) [[unlikely]] {
            copied(r, now);
        } else if (r->goes_around) {
            --bypassed_waiting_;
            tell(*r, RequestStep::ready, now);
            if (is_walk(*r)) [[unlikely]] {
                answered_walks_.push_back(r);
            } else {
                see_performed(*r, now);
                answers_.push(r);
            }
        } else {
            if (wiring_.home != nullptr) [[unlikely]]
                wiring_.home->filled(*r, now);
            Cache<Request*>::Evicted evicted;
            cache_.fill(
                set_index(*r), number(*r), r->sectors, insertion_->position(*r), evicted,
                [&](Request* waiter) {
                    if (is_walk(*waiter)) [[unlikely]] {
                        answered_walks_.push_back(waiter);
                        return;
                    }
                    performed(waiter, now);
                    tell(*waiter, RequestStep::ready, now);
                    answers_.push(waiter);
                },
                r->app);
            if (evicted.left) leave(evicted, now);
            if (r->fetch)
                wiring_.pool->give(r);
            else
                r->sectors = r->wanted;  // it waits, or is in answers_
        }
    }
    if (!answered_walks_.empty()) [[unlikely]]
        answer_walks(now);
}

/// What DRAM has brought is known to the walker in the next cycle.
void Slice::answer_walks(Cycle now) {
    for (Request* r : answered_walks_)
        wiring_.walker->walk_read(r, r->merged ? WalkSource::l2_merge : WalkSource::dram, now + 1, now);
    answered_walks_.clear();
}

/// An atomic whose data are here changes them.
void Slice::performed(Request* r, Cycle now) {
    see_performed(*r, now);
    if (r->kind == RequestKind::read) return;
    if (settings_.write == WritePolicy::back)
        cache_.mark_dirty(set_index(*r), number(*r), r->sectors, r->app);
    else
        forward_write(*r, now);
}

void Slice::answer(Cycle now) {
    if (wiring_.link != nullptr) [[unlikely]]
        return answer_over_link(now);
    while (wiring_.responses->can_send(wiring_.index)) {
        Request* r;
        if (!answers_.empty())
            r = answers_.pop();
        else if (!hits_.empty() && hits_.front().at <= now)
            r = hits_.pop().request;
        else
            break;
        tell(*r, RequestStep::answered, now);
        wiring_.responses->send(wiring_.index, r->origin.unit, r);
    }
}

Cycle Slice::pace_atomic(Bank& bank, PhysAddr word, u64 lanes, Cycle held, Cycle now) const {
    Bank::ActiveWord& active = bank.active_words[word.v / 4 % bank.active_words.size()];
    const bool waits = active.word == word && active.until > now;
    const u64 each = settings_.same_word_interval.v;
    active = {word, (waits ? active.until : now) + lanes * each};
    // The port is free again once the last lane's operation has begun.
    return std::max(held, Cycle(active.until - now - each + 1));
}

void Slice::access_banks(Cycle now) {
    const u32 n = settings_.banks;
    bool any = false;
    for (u32 k = 0; k < n; ++k) {
        Bank& bank = banks_[first_bank_ + k < n ? first_bank_ + k : first_bank_ + k - n];
        for (Cycle& port : bank.port_free) {
            Ring<Timed>& queue = bank.next(wiring_.walks_first);
            if (queue.empty() || queue.front().at > now) break;
            if (port > now) continue;
            bank.stall.end(now);
            Cycle held;
            const Timed head = queue.front();
            const bool paced = settings_.same_word_interval.v != 0 && head.request->is_atomic();
            // Noted here: the request may be gone after its access.
            const PhysAddr word(paced ? head.request->line.v + u64{head.request->busiest_word} * 4 : 0);
            const u64 lanes = paced ? head.request->busiest_lanes : 0;
            if (!access(head.request, now, held)) {
                bank.stall.because(*stalled_on_);
                bank.stall.begin(now);
                break;
            }
            stats_.queue_wait_cycles += now - head.at;
            queue.pop();
            any = true;
            if (paced) [[unlikely]]
                held = pace_atomic(bank, word, lanes, held, now);
            port = now + held.v;
            // The next request arrived long ago and has left the host's caches.
            if (!queue.empty()) __builtin_prefetch(queue.front().request);
        }
    }
    // Only after a lookup: a wake for nothing changes nothing.
    if (any) first_bank_ = first_bank_ + 1 == n ? 0 : first_bank_ + 1;
    banks_at_ = kNever;
    blocked_ = false;
    for (Bank& bank : banks_) {
        if (bank.queue.empty() && bank.walks.empty()) continue;
        if (bank.stall.running()) {
            blocked_ = true;
            continue;
        }
        Cycle port = bank.port_free[0];
        for (Cycle p : bank.port_free) port = std::min(port, p);
        const Cycle at = bank.next(wiring_.walks_first).front().at;
        banks_at_ = std::min(banks_at_, std::max(port, at));
    }
}

/// Reads of page walks that have arrived join their banks' queues, or bypass L2.
void Slice::take_walks(Cycle now) {
    while (!walks_.empty() && walks_.front().at <= now) {
        Request* r = walks_.front().request;
        // A policy is asked once a request, however long a full queue makes the request wait.
        if (!walk_goes_around_) {
            r->arrived = now;
            walk_goes_around_ = bypass_->bypass(*r, now);
        }
        if (*walk_goes_around_ && !settings_.bypass_probes) {
            if (outgoing(now) + 2 > to_memory_limit_) return;
            bypass_counted(r, now);
        } else {
            r->goes_around = *walk_goes_around_;
            bank_of(*r).walks.push({now, r});
            banks_at_ = std::min(banks_at_, now);
        }
        walk_goes_around_.reset();
        walks_.pop();
    }
}

void Slice::receive(Cycle now) {
    if (wiring_.link != nullptr) [[unlikely]]
        take_over_link(now);
    for (bool granted = false;;) {
        if (at_port_ == nullptr) {
            if (granted) return;  // a port gives at most one packet a cycle
            granted = true;
            Cycle whole;
            Request* r = wiring_.link == nullptr ? wiring_.requests->receive(wiring_.index, now, &whole)
                                                 : from_link(now, &whole);
            if (r == nullptr) return;
            r->arrived = whole;
            if (observer_ != nullptr) observer_->passed(*r, now);
            tell(*r, RequestStep::at_l2, whole);
            at_port_ = r;
            goes_around_ = r->kind == RequestKind::read && bypass_->bypass(*r, now);
        }
        Request* r = at_port_;
        if (goes_around_ && !settings_.bypass_probes) {
            if (outgoing(now) + 2 > to_memory_limit_) return;
            bypass_counted(r, std::max(r->arrived, now));
        } else {
            Bank& bank = bank_of(*r);
            if (bank.queue.size() >= queue_limit_) return;
            const u64 front = goes_around_ ? 1 : std::max<u64>(settings_.front_latency.v, 1);
            const Cycle at = std::max(r->arrived, now) + front;
            r->goes_around = goes_around_;
            bank.queue.push({at, r});
            if (goes_around_) bank.queue.settle_last();
            banks_at_ = std::min(banks_at_, at);
        }
        at_port_ = nullptr;
    }
}

void Slice::bypass_counted(Request* r, Cycle at) {
    if (is_walk(*r)) {
        ++walk_stats_[r->level].bypassed;
    } else {
        ++stats_.bypassed;
        ++app_stats_[r->app].reads;
        ++app_stats_[r->app].misses;
    }
    bypass(r, at);
}

/// Whether a read would hit.
bool Slice::would_hit(const Request& r) const {
    const TagArray& tags = cache_.tags();
    const u32 set = tags.set_of(set_index(r)), way = tags.find(set, number(r));
    const u8 wanted = settings_.sectored ? r.sectors : kAllSectors;
    return way != TagArray::kMiss && (wanted & ~tags.line(set, way).valid) == 0;
}

/// A read that was to go around L2 but looks up first has missed and goes on.
bool Slice::passed_by(Request* r, Cycle now) {
    if (would_hit(*r)) {
        r->goes_around = false;
        return false;
    }
    bypass_->on_access(*r, false, now);
    bypass_counted(r, now);
    return true;
}

/// A read goes around L2.
void Slice::bypass(Request* r, Cycle at) {
    ++stats_.fetches;
    stats_.fetched_sectors += sector_count(r->sectors);
    ++bypassed_waiting_;
    r->goes_around = true;
    tell(*r, RequestStep::l2_bypassed, at);
    send_down(r, at);
}

Cycle Slice::next(Cycle now, Cycle pumped) const {
    Cycle at = pumped;
    if (!walks_.empty() && walks_.front().at > now) at = std::min(at, walks_.front().at);
    if (!fills_.empty()) at = std::min(at, fills_.front().at);
    if ((!answers_.empty() || !hits_.empty()) && wiring_.responses->can_send(wiring_.index)) {
        if (!answers_.empty()) return now + 1;
        at = std::min(at, hits_.front().at);
    }
    at = std::min(at, banks_at_);
    // The memory took something at this instant, before this step, and does not wake whoever was not waiting then.
    if (room_known() > now && waits_for_memory_room()) at = std::min(at, room_known());
    // A blocked bank is tried again whenever something else moves: a fill, or room towards DRAM. Responses leave
    // after the banks have had their turn.
    if (blocked_ && reply_room())
        for (const Bank& bank : banks_)
            if (bank.stall.running_for(stats_.stall_reply_queue_cycles)) return now + 1;
    if (extras_) [[unlikely]]
        return std::max(next_of_extras(at, now), now + 1);
    if (at_port_ == nullptr && wiring_.requests->expects(wiring_.index))
        at = std::min(at, wiring_.requests->next_arrival(wiring_.index, now));
    return std::max(at, now + 1);
}

bool Slice::access(Request* r, Cycle now, Cycle& held) {
    const bool walk = is_walk(*r);
    if (!walk && !reply_room()) return stall(stats_.stall_reply_queue_cycles);
    if (outgoing(now) + 2 > to_memory_limit_) return stall(stats_.stall_dram_queue_cycles);
    const u32 sectors = sector_count(r->sectors);
    u64 cycles = ceil_div(u64{sectors} * kSectorBytes, settings_.port_bytes);
    if (r->is_atomic()) cycles = std::max(cycles, r->lanes * settings_.atomic_interval.v);
    held = Cycle(std::max(cycles, settings_.bank_occupancy.v));
    if (r->goes_around && passed_by(r, now)) [[unlikely]]
        return true;
    if (walk) [[unlikely]]
        return read_for_walk(r, now);
    return r->is_write() ? write(r, now) : read(r, now);
}

/// What L2 holds of a read. The outcome may be that the read has to wait; then nothing has changed.
Lookup Slice::look_up(Request* r, Cycle now) {
    Cache<Request*>::Evicted evicted;
    const Lookup found =
        cache_.read(set_index(*r), number(*r), r->sectors, r, evicted, insertion_->position(*r), r->app);
    if (found.stalled()) {
        stall(found.outcome == Outcome::stall_mshr    ? stats_.stall_mshr_cycles
              : found.outcome == Outcome::stall_merge ? stats_.stall_merge_cycles
                                                      : stats_.stall_line_cycles);
        return found;
    }
    const bool hit = found.outcome == Outcome::hit;
    insertion_->on_access(*r, hit);
    bypass_->on_access(*r, hit, now);
    if (evicted.left) leave(evicted, now);
    return found;
}

bool Slice::read_for_walk(Request* r, Cycle now) {
    const Lookup found = look_up(r, now);
    if (found.stalled()) return false;
    const bool hit = found.outcome == Outcome::hit;
    WalkReadStats& stats = walk_stats_[r->level];
    ++stats.reads;
    stats.hits += hit;
    stats.merges += found.outcome == Outcome::merged;
    stats.misses += found.fetch != 0;
    if (found.fetch != 0)
        fetch(r, found.fetch, now);
    else if (hit)
        wiring_.walker->walk_read(r, WalkSource::l2_hit, now + settings_.hit_latency.v, now);
    else
        r->merged = true;
    return true;
}

bool Slice::read(Request* r, Cycle now) {
    const Lookup found = look_up(r, now);
    if (found.stalled()) return false;
    const bool hit = found.outcome == Outcome::hit;
    SliceAppStats& app = app_stats_[r->app];
    ++app.reads;
    app.hits += hit;
    app.misses += found.fetch != 0;
    if (r->kind == RequestKind::read) {
        const u64 sectors = sector_count(r->sectors);
        ++stats_.reads;
        stats_.read_sectors += sectors;
        if (hit)
            ++stats_.read_hits;
        else if (found.outcome == Outcome::merged)
            ++stats_.read_merges;
        else
            ++stats_.read_misses;
        const u64 sector_hits =
            found.fetch == 0 ? sectors : sectors - sector_count(static_cast<u8>(r->sectors & found.fetch));
        stats_.read_sector_hits += sector_hits;
        app.read_sectors += sectors;
        app.read_sector_hits += sector_hits;
    } else {
        ++stats_.atomics;
        stats_.atomic_lanes += r->lanes;
        stats_.atomic_hits += hit;
    }
    if (hit) {
        performed(r, now);
        hits_.push({now + settings_.hit_latency.v, r});
    }
    if (r->traced) [[unlikely]]
        tell_read(*r, found, now);
    if (found.fetch != 0)
        fetch(r, found.fetch, now);
    else if (wiring_.groups != nullptr && r->kind == RequestKind::read)
        wiring_.groups->settled_in_l2(*r, clock().tick(now));
    return true;
}

void Slice::tell_read(const Request& r, const Lookup& found, Cycle now) {
    if (found.outcome == Outcome::hit) {
        lifetimes_->step(r, RequestStep::l2_hit, now);
        lifetimes_->step(r, RequestStep::ready, now + settings_.hit_latency.v);
    } else {
        lifetimes_->step(r, found.fetch == 0 ? RequestStep::l2_merged : RequestStep::l2_missed, now);
    }
}

bool Slice::write(Request* r, Cycle now) {
    Cache<Request*>::Evicted evicted;
    const Lookup found = cache_.write(set_index(*r), number(*r), r->sectors, r->partial, r->app,
                                      insertion_->position(*r), evicted);
    if (found.stalled())
        return stall(found.outcome == Outcome::stall_mshr ? stats_.stall_mshr_cycles
                                                          : stats_.stall_line_cycles);
    ++stats_.writes;
    const u64 sectors = sector_count(r->sectors);
    SliceAppStats& app = app_stats_[r->app];
    ++app.writes;
    app.misses += found.fetch != 0;
    app.write_sectors += sectors;
    stats_.write_sectors += sectors;
    stats_.write_hits += found.outcome == Outcome::hit;
    if (evicted.left) leave(evicted, now);
    const bool kept =
        settings_.write == WritePolicy::back && (found.outcome == Outcome::hit || settings_.write_allocate);
    see_performed(*r, now);
    if (!kept) forward_write(*r, now);
    if (found.fetch != 0) fetch(r, found.fetch, now);
    tell(*r, RequestStep::l2_written, now);
    tell(*r, RequestStep::ready, now + settings_.hit_latency.v);
    hits_.push({now + settings_.hit_latency.v, r});
    return true;
}

void Slice::fetch(Request* r, u8 sectors, Cycle now) {
    Request* f = r;
    if (r->kind == RequestKind::read) {
        // It waits here for the data that it fetches itself, so it cannot be answered before they return.
        f->wanted = r->sectors & kAllSectors;
    } else {
        f = wiring_.pool->take();
        *f = *r;
        f->kind = RequestKind::read;
        f->load = Request::kNoLoad;  // the data of an atomic or a write are no load's
        f->partial = 0;
        if (r->is_write()) f->traced = false;  // nobody waits for it: it is not part of the store's life
        f->fetch = true;
        if (f->traced) [[unlikely]]
            lifetimes_->fetched_for(*r, *f);
    }
    f->sectors = sectors;
    ++stats_.fetches;
    stats_.fetched_sectors += sector_count(sectors);
    send_down(f, now);
}

void Slice::forward_write(const Request& r, Cycle now) {
    Request* w = wiring_.pool->take();
    *w = r;
    w->kind = RequestKind::write;
    w->cls = RequestClass::write_back;
    w->goes_around = w->fetch = w->merged = false;
    w->traced = false;  // nobody waits for it: it is not part of the store's life
    ++stats_.write_backs;
    stats_.written_back_sectors += sector_count(w->sectors);
    send_down(w, now);
}

/// A line makes room for another.
void Slice::leave(const Cache<Request*>::Evicted& evicted, Cycle now) {
    insertion_->on_evict(line_address(evicted.number));
    if (evicted.sectors == 0) return;
    Request w;
    wiring_.router->send_to(w, line_address(evicted.number));
    w.sectors = evicted.sectors;
    w.partial = evicted.partial & kAllSectors;
    w.app = evicted.app;
    w.origin = {Origin::kNoUnit, 0, wiring_.device};
    forward_write(w, now);
}

}  // namespace heddle
