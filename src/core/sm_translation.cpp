// The load/store unit of a machine with address translation: every line asks the SM's TLB, `latency` cycles before it
// comes to L1.
//
//     lsu_ ──> TLB ── hit ──────────────────────────> translated_ ──┐
//                └─ miss ──> waits with its page ──> replay list ───┴─> L1, replays first
//
// A line that misses waits and the unit goes on with the next one (hits under misses); lines of one page stay in the
// order of the program, for they wait in one list and replays go before new lines. Lines of different pages may pass
// each other, as they may behind L1 anyway. Whatever is full (L1, MSHRs, room for waiting lines) stops what is behind.

#include <algorithm>

#include "core/sm.h"
#include "vm/translation.h"

namespace heddle {

/// Does what can be done now; returns when there is more, or kNever if something else must move first.
Cycle Sm::translate_and_access(Cycle now) {
    take_translations(now);
    access_translated(now);
    look_up_lines(now);
    Cycle next = tlb_->next_fill();
    if (!lsu_stall_.running()) {
        if (replay_head_ != kNoFlight) return now + 1;
        if (!translated_.empty()) next = std::min(next, translated_.front().at);
    }
    // A line for which there is no room among the translated ones has its turn when L1 has taken one.
    if (!lsu_.empty() && !tlb_stall_.running() && translated_.size() < translated_room())
        next = std::min(next, std::max(lsu_free_, tlb_->blocked_until()));
    // Warps that found the unit full look again when there is room, also if nothing is left in it.
    if (lsu_wanted_ && lsu_room()) next = now + 1;
    return next;
}

/// Translations that have arrived: what waited for them goes to L1.
void Sm::take_translations(Cycle now) {
    while (tlb_->next_fill() <= now)
        tlb_->take_fill([this, now](const L1Tlb::Mshr& m, u32 frame) {
            u32 k = m.head, last = m.head;
            for (; k != kNoFlight && waiting_lines_[k].known <= now; k = waiting_lines_[k].next) {
                waiting_lines_[k].frame = frame;
                last = k;
            }
            waiting_lines_[last].next = kNoFlight;
            (replay_head_ == kNoFlight ? replay_head_ : waiting_lines_[replay_tail_].next) = m.head;
            replay_tail_ = last;
            while (k != kNoFlight) k = translated_in_lookup(k, frame);
        });
}

/// A waiting line whose translation came before the end of its lookup; the next one that waits.
u32 Sm::translated_in_lookup(u32 k, u32 frame) {
    const WaitingLine w = waiting_lines_[k];
    const PhysAddr line =
        in_frame(frame, VirtAddr(w.access.line << kLineShift), wiring_.translation->settings().page_size);
    translated_.push_by_time({w.known, line, w.access, w.flight});
    free_waiting_line(k);
    return w.next;
}

void Sm::free_waiting_line(u32 k) {
    waiting_lines_[k].next = free_waiting_;
    free_waiting_ = k;
    --waiting_count_;
}

void Sm::access_translated(Cycle now) {
    if (replay_head_ == kNoFlight && (translated_.empty() || translated_.front().at > now)) return;
    lsu_stall_.end(now);
    for (u32 lines = 0; lines < settings_.lsu.lines_per_cycle; ++lines) {
        if (replay_head_ != kNoFlight) {
            const u32 k = replay_head_;
            const WaitingLine& w = waiting_lines_[k];
            const PhysAddr line = in_frame(w.frame, VirtAddr(w.access.line << kLineShift),
                                           wiring_.translation->settings().page_size);
            if (!access_line(w.flight, w.access, line, now)) return;
            replay_head_ = w.next;
            free_waiting_line(k);
        } else if (!translated_.empty() && translated_.front().at <= now) {
            const TranslatedLine& t = translated_.front();
            if (!access_line(t.flight, t.access, t.line, now)) return;
            translated_.pop();
        } else {
            return;
        }
    }
}

/// The line comes to L1. False if it could not be taken.
bool Sm::access_line(u32 flight, const LineAccess& access, PhysAddr line, Cycle now) {
    const LsuInst inst = flights_[flight].inst;
    const bool taken = miss_room() ? send_piece(inst, access, line, now) : blocked(stats_.stall_port_cycles);
    if (!taken) {
        lsu_stall_.begin(now);
        return false;
    }
    if (inst.counted) line_settled(inst, wiring_.map->place(line).channel, now);
    if (--flights_[flight].lines != 0) return true;
    flights_[flight].next_free = free_flight_;
    free_flight_ = flight;
    all_sent(inst.load, now);
    return true;
}

/// The instructions in the unit's queue, line by line, to the TLB.
void Sm::look_up_lines(Cycle now) {
    if (lsu_.empty() || lsu_free_ > now || tlb_->blocked_until() > now) return;
    tlb_stall_.end(now);
    for (u32 lines = 0; lines < settings_.lsu.lines_per_cycle && !lsu_.empty(); ++lines) {
        LsuInst& inst = lsu_.front();
        if (inst.kind == LsuKind::shared) {
            access_shared(inst, now);
            lsu_.pop();
            return;
        }
        if (translated_.size() >= translated_room()) break;
        if (inst.flight == kNoFlight) begin_flight(inst);
        if (!look_up_line(inst, pieces_.front(), now)) {
            tlb_stall_.begin(now);
            return;
        }
        pieces_.pop();
        if (--inst.pieces == 0) lsu_.pop();
    }
    lsu_free_ = now + 1;
}

/// False if it has to wait at the TLB; then nothing has changed.
bool Sm::look_up_line(const LsuInst& inst, const LineAccess& access, Cycle now) {
    const VirtAddr address(access.line << kLineShift);
    PageTables& tables = wiring_.translation->tables();
    const PageKey page = tables.key(inst.app, address);
    const bool ideal = wiring_.translation->settings().design == TranslationDesign::ideal;
    const u32 frame = ideal ? 0 : tlb_->probe(page);
    L1TlbStats& stats = tlb_->stats;
    tlb_->active |= u64{1} << inst.warp;
    if (frame != L1Tlb::kMiss) {
        ++stats.accesses;
        ++stats.hits;
        const PhysAddr line =
            ideal ? tables.translate(inst.app, address) : in_frame(frame, address, tables.page_size());
        translated_.push({now + tlb_->settings().latency.v, line, access, inst.flight});
        return true;
    }
    L1Tlb::Mshr* m = tlb_->waiting_for(page);
    if (waiting_count_ == tlb_->settings().waiting) {
        tlb_stall_.because(stats.stall_waiting_cycles);
        return false;
    }
    if (m == nullptr) {
        if (tlb_->full()) {
            tlb_stall_.because(stats.stall_mshr_cycles);
            return false;
        }
        ++stats.misses;
        m = &tlb_->wait_for(page, now);
        wiring_.translation->miss(wiring_.index, page, now + tlb_->settings().latency.v);
    } else {
        ++stats.merges;
    }
    ++stats.accesses;
    const u32 k = take_waiting();
    waiting_lines_[k] = {now + tlb_->settings().latency.v, access, inst.flight, 0, kNoFlight};
    (m->head == L1Tlb::kNone ? m->head : waiting_lines_[m->tail].next) = k;
    m->tail = k;
    if (L1Tlb::add_warp(*m, inst.warp)) wiring_.translation->stalled(inst.app, m->stalled);
    return true;
}

void Sm::begin_flight(LsuInst& inst) {
    if (free_flight_ == kNoFlight) {
        free_flight_ = static_cast<u32>(flights_.size());
        flights_.emplace_back();
        if (wiring_.wants_groups) {
            lines_left_.resize(flights_.size() * wiring_.channels);
            group_counts_.resize(flights_.size() * wiring_.channels);
        }
    }
    inst.flight = free_flight_;
    free_flight_ = flights_[inst.flight].next_free;
    // Where the lines belong is known from the page tables, whenever their translations come.
    inst.counted = wiring_.wants_groups && inst.kind == LsuKind::load && inst.load != Request::kNoLoad;
    if (inst.counted)
        for (u32 k = 0; k < inst.pieces; ++k) {
            const PhysAddr line =
                wiring_.translation->tables().translate(inst.app, VirtAddr(pieces_[k].line << kLineShift));
            ++lines_left_[group_of(inst) + wiring_.map->place(line).channel];
        }
    flights_[inst.flight] = {inst, inst.pieces, kNoFlight};
}

u32 Sm::take_waiting() {
    ++waiting_count_;
    if (free_waiting_ == kNoFlight) {
        waiting_lines_.emplace_back();
        return static_cast<u32>(waiting_lines_.size() - 1);
    }
    const u32 k = free_waiting_;
    free_waiting_ = waiting_lines_[k].next;
    return k;
}

u32 Sm::translated_room() const {
    return static_cast<u32>(tlb_->settings().latency.v) * settings_.lsu.lines_per_cycle;
}

bool Sm::translations_quiet() const {
    return tlb_->quiet() && waiting_count_ == 0 && translated_.empty();
}

}  // namespace heddle
