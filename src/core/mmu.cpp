#include "core/mmu.h"

#include <algorithm>
#include <fmt/format.h>

#include "vm/page_moves.h"
#include "vm/translation.h"

namespace heddle {

namespace {

bool is_write(AccessKind kind) {
    return kind == AccessKind::store || kind == AccessKind::atomic || kind == AccessKind::reduction;
}

}  // namespace

Mmu::Mmu(const SmWiring& wiring, u32 lines_per_cycle)
    : translation_(wiring.translation),
      tlb_(translation_ == nullptr ? nullptr : &translation_->l1(wiring.index)),
      moves_(translation_ == nullptr ? nullptr : translation_->moves()),
      memory_(*wiring.memory),
      sm_(wiring.index),
      room_(tlb_ == nullptr ? 0 : static_cast<u32>(tlb_->settings().latency.v) * lines_per_cycle),
      blocking_(tlb_ != nullptr && tlb_->settings().blocking != TlbBlocking::no) {}

PhysAddr Mmu::walk(u8 app, VirtAddr address) {
    return translation_->processes().translate(app, address);
}

Cycle Mmu::blocked_until() const {
    return holds_lines() ? tlb_->blocked_until() : Cycle(0);
}

bool Mmu::hold(const MemoryAccess& inst, const LineAccess& access, Cycle now) {
    const VirtAddr address(access.line << kLineShift);
    const PageKey page = translation_->processes().key(inst.app, address);
    const Cycle known = now + tlb_->settings().latency.v;
    L1TlbStats& stats = tlb_->stats;
    tlb_->active |= u64{1} << inst.warp;
    const bool waits = moves_ != nullptr && has_to_wait(page, is_write(inst.kind));
    const Mapping mapping = waits ? Mapping() : tlb_->probe(page, now);
    if (mapping.any()) {
        if (moves_ != nullptr) [[unlikely]]
            moves_->translated(page, mapping, is_write(inst.kind), now);
        ++stats.accesses;
        ++stats.hits;
        found_.push({known, {mapping.physical(address), access, inst.flight}});
        return true;
    }
    const auto stands_still = [&](u64& counter) {
        stall_.because(counter);
        stall_.begin(now);
        return false;
    };
    L1Tlb::Mshr* m = tlb_->waiting_for(page);
    if (waiting_count_ == tlb_->settings().waiting) return stands_still(stats.stall_waiting_cycles);
    if (m == nullptr) {
        if (tlb_->full()) return stands_still(stats.stall_mshr_cycles);
        ++stats.misses;
        m = &tlb_->wait_for(page, now);
        const u64 in_page = address.v & ((u64{1} << page_shift(page.size())) - 1);
        translation_->miss(sm_, page, static_cast<u16>(in_page >> kLineShift), known);
        if (blocking_) stands_still(stats.stall_mshr_cycles);
    } else {
        ++stats.merges;
    }
    ++stats.accesses;
    const u32 k = take_waiting();
    waiting_[k] = {known, access, inst.flight, Mapping(), kNone, is_write(inst.kind)};
    (m->head == L1Tlb::kNone ? m->head : waiting_[m->tail].next) = k;
    m->tail = k;
    if (L1Tlb::add_warp(*m, inst.warp)) translation_->stalled(inst.app, m->stalled);
    return true;
}

/// A write of a page that moves waits; so does what comes behind it.
bool Mmu::has_to_wait(PageKey page, bool writes) {
    if (!moves_->closed(page)) return false;
    if (tlb_->waiting_for(page) != nullptr) return true;
    if (writes) moves_->held_write();
    return writes;
}

/// What waited for a translation that has arrived goes to L1.
void Mmu::take_answers(Cycle now) {
    if (blocking_ && tlb_->next_fill() <= now) stall_.end(now);
    while (tlb_->next_fill() <= now)
        tlb_->take_fill([this, now](const L1Tlb::Mshr& m, Mapping mapping) {
            if (moves_ != nullptr) [[unlikely]]
                for (u32 k = m.head; k != kNone; k = waiting_[k].next)
                    moves_->translated(m.page, mapping, waiting_[k].writes, now);
            u32 k = m.head, last = m.head;
            for (; k != kNone && waiting_[k].known <= now; k = waiting_[k].next) {
                waiting_[k].mapping = mapping;
                last = k;
            }
            waiting_[last].next = kNone;
            (replay_head_ == kNone ? replay_head_ : waiting_[replay_tail_].next) = m.head;
            replay_tail_ = last;
            while (k != kNone) k = found_in_lookup(k, mapping);
        });
}

/// A waiting line whose translation came before the end of its lookup; the next one that waits.
u32 Mmu::found_in_lookup(u32 k, Mapping mapping) {
    const WaitingLine& w = waiting_[k];
    const u32 next = w.next;
    found_.push_by_time(
        {w.known, {mapping.physical(VirtAddr(w.access.line << kLineShift)), w.access, w.flight}});
    free_waiting(k);
    return next;
}

Mmu::Line Mmu::first() const {
    if (replay_head_ == kNone) return found_.front().line;
    const WaitingLine& w = waiting_[replay_head_];
    return {w.mapping.physical(VirtAddr(w.access.line << kLineShift)), w.access, w.flight};
}

void Mmu::pop() {
    if (replay_head_ == kNone) {
        found_.pop();
        return;
    }
    const u32 k = replay_head_;
    replay_head_ = waiting_[k].next;
    free_waiting(k);
}

Cycle Mmu::next(bool l1_stalled, Cycle now) const {
    if (!holds_lines()) return kNever;
    Cycle next = tlb_->next_fill();
    if (l1_stalled) return next;
    if (replay_head_ != kNone) return now + 1;
    if (!found_.empty()) next = std::min(next, found_.front().at);
    return next;
}

u32 Mmu::take_waiting() {
    ++waiting_count_;
    if (free_waiting_ == kNone) {
        waiting_.emplace_back();
        return static_cast<u32>(waiting_.size() - 1);
    }
    const u32 k = free_waiting_;
    free_waiting_ = waiting_[k].next;
    return k;
}

void Mmu::free_waiting(u32 k) {
    waiting_[k].next = free_waiting_;
    free_waiting_ = k;
    --waiting_count_;
}

bool Mmu::quiet() const {
    return !holds_lines() || (tlb_->quiet() && waiting_count_ == 0 && found_.empty());
}

std::string Mmu::describe() const {
    if (waiting_count_ == 0) return {};
    return fmt::format("  SM {}: {} lines wait for translations, {} pages outstanding\n", sm_, waiting_count_,
                       tlb_->outstanding());
}

}  // namespace heddle
