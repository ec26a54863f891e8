#include "vm/page_moves.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "sim/error.h"
#include "vm/translation.h"

namespace heddle {

PageMoves::PageMoves(const PageMovesSettings& settings, const config::Choice& policy,
                     const PlacementContext& places, const PageMovesWiring& wiring)
    : settings_(settings),
      places_(places),
      wiring_(wiring),
      policy_(migration_policies().make(policy, MigrationContext{places, settings.at_once})),
      device_memory_(places.first(false)),
      bytes_before_(places.memories.size()) {}

void PageMoves::start(Processes& processes) {
    processes_ = &processes;
    size_ = wiring_.translation->settings().page_size;
    if (policy_->period().v == 0) return;
    measured_at_ = policy_->period();
    wake(measured_at_);
}

// -- what is known of pages

PageMoves::State& PageMoves::state_of(u32 frame) {
    const u32 block = frame / 512;
    if (block >= states_.size()) states_.resize(block + 1);
    if (states_[block] == nullptr) states_[block] = std::make_unique<std::array<State, 512>>();
    return (*states_[block])[frame % 512];
}

PageMoves::State& PageMoves::state_of(PageKey page, Mapping mapping) {
    State& state = state_of(mapping.frame());
    if (state.page != page || state.freed) {
        const u32 writes = state.writes;  // of whoever had the frame before
        state = State();
        state.page = page;
        state.writes = writes;
        state.host = places_.memories[processes_->memory_of(mapping)].host;
    }
    return state;
}

PageMoves::State& PageMoves::state_of(PhysAddr line) {
    const u32 frame = static_cast<u32>(line.v >> kFrameShift);
    return state_of(frame & ~(frames_of(size_) - 1));
}

std::vector<PageAccesses> PageMoves::profile() const {
    // A page that has moved has a state for each of its frames.
    std::unordered_map<u64, PageAccesses> pages;
    for (const auto& block : states_)
        if (block != nullptr)
            for (const State& s : *block) {
                if (s.touches == 0) continue;
                PageAccesses& p = pages[s.page.v];
                p.app = s.page.app();
                p.page = s.page.address().v >> kFrameShift;
                p.accesses += s.touches;
            }
    std::vector<PageAccesses> all;
    for (const auto& [key, p] : pages) all.push_back(p);
    sort_by_accesses(all);
    return all;
}

// -- from MMUs and slices

void PageMoves::translated(PageKey page, Mapping mapping, bool writes, Cycle now) {
    State& state = state_of(page, mapping);
    state.writes += writes;
    if (state.known) return;
    state.known = true;
    if (state.host && policy_->on_translation(page)) trigger(page, now);
}

void PageMoves::performed(const Request& r, Cycle now) {
    if (r.kind == RequestKind::read) return;
    State& state = state_of(r.line);
    if (--state.writes == 0 && closed(state.page)) wake(now + 1);
}

void PageMoves::sent_down(const Request& r, Cycle now) {
    // Reads, and what L2 writes back.
    if (r.cls != (r.is_write() ? RequestClass::write_back : RequestClass::data)) return;
    State& state = state_of(r.line);
    if (!state.page.any()) return;
    ++state.touches;
    if (state.host && policy_->on_touch(state.page, state.touches)) trigger(state.page, now);
}

// -- the queue

PageRange PageMoves::range_of(PageKey page) const {
    const u32 shift = page_shift(page.size());
    const auto range = processes_->allocations().find(page.app(), page.address());
    // Of memory that no allocation is known of, as in traces, a page of 2 MiB is one.
    if (!range) {
        const u64 block = page.address().v >> kBlockShift << kBlockShift;
        return {block >> shift, (block + (u64{1} << kBlockShift)) >> shift};
    }
    if (range->kind == AllocEvent::Kind::host) return {};
    return {range->begin.v >> shift, ((range->end.v - 1) >> shift) + 1};
}

void PageMoves::trigger(PageKey page, Cycle now) {
    if (halted_ || chosen_.contains(page.v)) return;
    const PageRange range = range_of(page);
    if (range.end == range.first) return;
    std::vector<u64> order;
    policy_->expand(page.page(), range, order);
    for (const u64 number : order)
        if (number >= range.first && number < range.end)
            choose({page.app(), VirtAddr(number << page_shift(page.size())), page.size()}, now);
}

/// The page enters the queue, unless it is there, or in the GPU's memory, or wanted in the host's.
void PageMoves::choose(PageKey page, Cycle now) {
    const Mapping mapping = processes_->process(page.app()).table.find(page.address());
    if (mapping.any() && !places_.memories[processes_->memory_of(mapping)].host) return;
    if (processes_->allocations().prefers_host(page.app(), page.address()) == true) return;
    if (!chosen_.insert(page.v).second) return;
    ++stats_.candidates;
    queue_.push_back({page, now + std::max<u64>(settings_.poll.v, 1)});
    wake(std::max(queue_.front().at, now + 1));
}

void PageMoves::hinted(u8 app, const PageHintEvent& hint, Cycle now) {
    if (hint.kind == PageHintEvent::Kind::no_wish || hint.to_host || halted_) return;
    const u32 shift = page_shift(size_);
    // No more than the GPU's memory holds can come.
    const u64 most = places_.memories[device_memory_].bytes >> shift, first = hint.address >> shift;
    const u64 last = std::min((hint.address + hint.bytes - 1) >> shift, first + most);
    for (u64 page = first; page <= last; ++page) {
        const PageKey key(app, VirtAddr(page << shift), size_);
        // A page that is only preferred there, and does not exist yet, begins there.
        if (hint.kind == PageHintEvent::Kind::prefetch ||
            processes_->process(app).table.find(key.address()).any())
            choose(key, now);
    }
}

void PageMoves::freed(u8 app, VirtAddr first, u64 bytes) {
    const auto gone = [&](PageKey page) {
        return page.app() == app && page.address() >= first && page.address().v - first.v < bytes;
    };
    std::erase_if(queue_, [&](const Candidate& c) { return gone(c.page); });
    std::erase_if(chosen_, [&](u64 key) {
        PageKey page;
        page.v = key;
        return gone(page);
    });
    for (const auto& block : states_)
        if (block != nullptr)
            for (State& s : *block) s.freed = s.freed || (s.page.any() && gone(s.page));
    for (Move& m : moves_) m.freed = m.freed || gone(m.page);
}

u32 PageMoves::free_places() const {
    const u32 most = std::min(settings_.at_once, policy_->allowed());
    return most > moves_.size() ? most - static_cast<u32>(moves_.size()) : 0;
}

/// The first candidate begins to move, if it still can.
void PageMoves::start_next(Cycle now) {
    const PageKey page = queue_.front().page;
    queue_.pop_front();
    u32 to = 0;
    Mapping mapping;
    try {
        // A neighbor that nobody has used yet begins where the host's data do.
        mapping = processes_->mapping(page.app(), page.address(), Toucher::host);
    } catch (const OutOfFrames&) {
        ++stats_.no_room;
        return;
    }
    if (!places_.memories[processes_->memory_of(mapping)].host) return;
    // A page that was freed while it was copied may have left its address, or its frame, to this one.
    if (std::any_of(moves_.begin(), moves_.end(),
                    [&](const Move& m) { return m.page == page || m.from == mapping.frame(); })) {
        queue_.push_back({page, now + 1});
        return;
    }
    try {
        to = processes_->take_in(device_memory_, page);
    } catch (const OutOfFrames&) {
        ++stats_.no_room;
        return;
    }
    start_move(page, mapping, to, now);
}

// -- a page's way

void PageMoves::start_move(PageKey page, Mapping mapping, u32 to, Cycle now) {
    Move& move = moves_.emplace_back();
    move.page = page;
    move.from = mapping.frame();
    move.to = to;
    move.ready = now;
    closed_.insert(page.v);
    if (state_of(page, mapping).known) shoot_down(move, now);
    wake(std::max(move.ready, now + 1));
}

/// Stalls of several pages follow one another.
void PageMoves::shoot_down(Move& move, Cycle now) {
    stalled_until_ = std::max(stalled_until_, now) + settings_.stall.v;
    wiring_.translation->stall(stalled_until_);
    wiring_.translation->forget(move.page, now);
    state_of(move.from).known = false;
    move.ready = stalled_until_;
    move.paid = true;
    ++stats_.shootdowns;
    stats_.stall_cycles += settings_.stall.v;
}

/// Nobody can write to where the page is any more.
bool PageMoves::begins(const Move& move, Cycle now) {
    return !move.copying && move.ready <= now && state_of(move.from).writes == 0 &&
           wiring_.translation->settled(move.page);
}

void PageMoves::copy(Move& move, Cycle now) {
    move.copying = true;
    for (u32 line = 0; line < lines_of_page(); ++line) {
        Request* r = wiring_.pool->take();
        r->sectors = kAllSectors;
        r->app = move.page.app();
        r->cls = RequestClass::migration;
        r->origin = {Origin::kNoUnit, 0, wiring_.device};
        r->load = Request::kNoLoad;
        send(r, move.from, line, LinkDirection::out, now);
    }
}

/// To the slice of a page's line; `direction` is how the line's data travel to or from a memory behind a link.
void PageMoves::send(Request* r, u32 frame, u32 line, LinkDirection direction, Cycle now) {
    const u32 from = processes_->memory_of(Mapping(frame, size_));
    Link* link = wiring_.links[from];
    Cycle at = now + 1;
    if (link != nullptr) at = link->carry(direction, data_bytes(*r, direction), now);
    wiring_.router->send_to(*r, PhysAddr((u64{frame} << kFrameShift) + u64{line} * kLineBytes));
    slices_[r->port]->copy(r, at);
    wiring_.agenda->wake(wiring_.first_slice_part + r->port, at);
}

PageMoves::Move& PageMoves::move_of(const Request& r) {
    const u32 frame = static_cast<u32>(r.line.v >> kFrameShift) & ~(frames_of(size_) - 1);
    return *std::find_if(moves_.begin(), moves_.end(),
                         [&](const Move& m) { return (r.is_write() ? m.to : m.from) == frame; });
}

void PageMoves::copied(Request* r, Cycle now) {
    Move& move = move_of(*r);
    if (r->is_write()) {
        wiring_.pool->give(r);
        stats_.bytes += kLineBytes;
        if (++move.lines == lines_of_page()) wake(now + 1);
        return;
    }
    const u32 line = static_cast<u32>((r->line.v - (u64{move.from} << kFrameShift)) / kLineBytes);
    // What the read brought crosses the old memory's link, then the new memory's.
    Cycle there = now;
    if (Link* link = wiring_.links[processes_->memory_of(Mapping(move.from, size_))])
        there = link->carry(LinkDirection::back, kLineBytes, now);
    r->kind = RequestKind::write;
    send(r, move.to, line, LinkDirection::out, there);
}

/// The page-table entry changes, and who waited goes on.
void PageMoves::finish(Move& move, Cycle now) {
    closed_.erase(move.page.v);
    if (move.freed) {
        processes_->give_back(move.page, move.to);
        ++stats_.freed;
    } else {
        if (!move.paid && state_of(move.from).known) shoot_down(move, now);
        processes_->remap(move.page, move.to);
        ++stats_.moved;
    }
    wiring_.translation->forget(move.page, now);
    wiring_.translation->opened(move.page, now);
}

void PageMoves::measure(Cycle now) {
    std::vector<u64> bytes(bytes_before_.size());
    for (u32 m = 0; m < bytes.size(); ++m) {
        const u64 all = wiring_.traffic->bytes(m);
        bytes[m] = all - bytes_before_[m];
        bytes_before_[m] = all;
    }
    policy_->bandwidth(bytes);
    while (measured_at_ <= now) measured_at_ += policy_->period().v;
}

Cycle PageMoves::step(Cycle now) {
    if (now >= measured_at_) measure(now);
    for (std::size_t k = 0; k < moves_.size();) {
        Move& move = moves_[k];
        if (move.lines == lines_of_page()) {
            finish(move, now);
            moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(k));
            continue;
        }
        if (begins(move, now)) copy(move, now);
        ++k;
    }
    while (!queue_.empty() && queue_.front().at <= now && free_places() != 0) start_next(now);
    Cycle next = measured_at_;
    for (const Move& m : moves_)
        if (!m.copying && m.ready > now) next = std::min(next, m.ready);
    if (!queue_.empty() && free_places() != 0) next = std::min(next, std::max(queue_.front().at, now + 1));
    // What is on its way to the SMs, and a page that nobody writes, tell nothing.
    for (const Move& m : moves_)
        if (!m.copying && m.ready <= now && state_of(m.from).writes == 0) next = now + 1;
    return next;
}

void PageMoves::check_conservation() const {
    for (const auto& block : states_)
        if (block != nullptr)
            for (const State& state : *block)
                if (state.writes != 0)
                    throw InvariantError(
                        fmt::format("conservation: {} writes of the page at {:#x} were not performed",
                                    state.writes, state.page.address().v));
    const u64 bytes = (stats_.moved + stats_.freed) * page_bytes();
    if (stats_.bytes != bytes)
        throw InvariantError(
            fmt::format("conservation: bytes copied ({}) differ from those of pages that moved ({})",
                        stats_.bytes, bytes));
}

std::string PageMoves::describe() const {
    if (quiet()) return {};
    return fmt::format("  {} pages move, {} candidates wait\n", moves_.size(), queue_.size());
}

}  // namespace heddle
