#include "dram/scheduler/queue_scheduler.h"

#include <algorithm>

namespace heddle::dram {

QueueScheduler::QueueScheduler(const SchedulerContext& context)
    : context_(context),
      board_(context.board),
      device_(context.device),
      separate_(context.settings.queues == QueueForm::separate),
      early_release_(context.settings.release_at_activate),
      opens_rows_(context.settings.drain_opens_rows),
      banks_(context.device.geometry().banks()),
      room_(context.settings) {
    if (separate_) drain_.emplace(context.settings, context.resolved.two_row_clocks());
    for (auto& list : lists_) list.resize(banks_);
}

bool QueueScheduler::can_accept(const Request& request) const {
    return room_.has(request, list_of(request));
}

void QueueScheduler::accept(Request* request, Cycle now) {
    const u32 l = list_of(*request);
    const u32 bank = request->bank;
    ++waiting_[l];
    room_.enter(*request, l);
    if (age_cap_ != 0) {
        overdue_at_ = std::min(overdue_at_, now + age_cap_ + 1);
        board_.alarm = std::min(board_.alarm, overdue_at_);
    }
    const u8 tag = plain_ ? u8{0} : enlist(*request, now);
    lists_[l][bank].push_back(
        {request, order_of(*request, tag, ++arrivals_), request->row, tag, false, request->app});
    if (!plain_) arrived(*request, now);
    if (separate_) drain_->came(l == 1, waiting_[1], now);
    if (separate_ && (l == 1 || waiting_[0] == 1 || drain_->reads_matter(now)) && drain_turns(now)) {
        changed();
        return;
    }
    // Of a plain order, what goes as a row hit, or before those, stays before whatever comes later.
    if (plain_ && board_.head[bank] != nullptr && (board_.key[bank] & (kMiss | kAhead)) == 0 &&
        l == u32{draining_})
        return;
    if ((separate_ && under_way(bank)) || selected(bank)) return;
    const bool other = l != u32{draining_};
    if (other && (!draining_ || !opens_rows_ || !lists_[1][bank].empty())) return;
    const u32 open = device_.open_row(bank);
    const Entry& entry = lists_[l][bank].back();  // the policy may have ranked it again
    u64 key = key_of(entry, entry.row == open && hits_count(bank));
    if (other) key |= kAhead;
    if (board_.head[bank] == nullptr || key < board_.key[bank]) board_.offer(bank, request, key, other);
}

QueueScheduler::Best QueueScheduler::best_of(const EntryList& entries, u32 bank) const {
    const u32 open = hits_count(bank) ? device_.open_row(bank) : kNoRow;
    Best best;
    if (entries.empty()) return best;
    if (const u64 age = entries.front().order & kAge; age <= first_until_)
        return {entries.front().request, age};
    if (plain_) {
        for (const Entry& e : entries)
            if (e.row == open) return {e.request, e.order};
        const Entry& first = app_ranks_ == nullptr ? entries.front() : first_by_application(entries);
        return {first.request, key_of(first, false)};
    }
    for (const Entry& e : entries) {
        const u64 key = key_of(e, e.row == open);
        if (key < best.key) best = {e.request, key};
    }
    return best;
}

/// The oldest request of the application that goes first; there is one.
const QueueScheduler::Entry& QueueScheduler::first_by_application(const EntryList& entries) const {
    const Entry* first = entries.begin();
    for (const Entry& e : entries)
        if (app_ranks_[e.app] < app_ranks_[first->app]) first = &e;
    return *first;
}

void QueueScheduler::choose(u32 bank) {
    if ((separate_ && under_way(bank)) || selected(bank)) return;
    Best best = best_of(lists_[draining_][bank], bank);
    const bool ahead = best.request == nullptr && draining_ && opens_rows_;
    if (ahead) {
        best = best_of(lists_[0][bank], bank);
        best.key |= kAhead;
    }
    if (best.request == nullptr) {
        board_.withdraw(bank);
    } else if (board_.head[bank] != best.request || board_.key[bank] != best.key) {
        board_.offer(bank, best.request, best.key, ahead);
    }
}

Cycle QueueScheduler::oldest_write() const {
    Cycle oldest = kNever;
    for (const EntryList& writes : lists_[1])
        if (!writes.empty()) oldest = std::min(oldest, writes.front().request->arrived);
    return oldest;
}

/// Reads and writes change places.
void QueueScheduler::changed() {
    draining_ = !draining_;
    for (u32 bank = 0; bank < banks_; ++bank)
        if (!lists_[0][bank].empty() || !lists_[1][bank].empty()) choose(bank);
}

void QueueScheduler::release(Entry& entry) {
    if (entry.released) return;
    entry.released = true;
    room_.leave(*entry.request, list_of(*entry.request));
    if (!plain_) released(*entry.request, entry.tag);
    ++board_.room_events;
}

void QueueScheduler::on_command(const Issued& issued) {
    if (issued.last) {
        const u32 l = list_of(*issued.request);
        EntryList& list = lists_[l][issued.bank];
        Entry* entry = entry_of(list, issued.request);
        release(*entry);
        const u8 tag = entry->tag;
        list.erase(entry);
        board_.head[issued.bank] = nullptr;  // the controller looks at the bank after each command anyway
        --waiting_[l];
        if (!plain_) served(*issued.request, tag, issued.now);
        if (separate_) drain_->went(l == 1);
        if (separate_ && (l == 1 || waiting_[0] == 0 || drain_->reads_matter(issued.now)) &&
            drain_turns(issued.now)) {
            changed();
            if (!lists_[0][issued.bank].empty() || !lists_[1][issued.bank].empty()) return;
        }
        // Most often the next in a plain order is a row hit too: what `choose` would find, without a search.
        if (plain_ && l == u32{draining_} && !list.empty() &&
            list.front().row == device_.open_row(issued.bank) && hits_count(issued.bank)) {
            board_.offer(issued.bank, list.front().request, list.front().order);
            return;
        }
    } else if (issued.request != nullptr) {
        // The row opens for the best of requests that all missed, or closes for the best of those that miss: no
        // other takes its place. Otherwise there are more bursts of the same request.
        if (issued.kind != CommandKind::activate) return;
        if (early_release_) release(*entry_of(lists_[list_of(*issued.request)][issued.bank], issued.request));
        if (app_ranks_ == nullptr) {
            if (hits_count(issued.bank)) board_.key[issued.bank] &= ~kMiss;
            return;
        }
        // Another application's request may be older, and is a row hit now.
        board_.key[issued.bank] &= kAhead | kAge;
    }
    choose(issued.bank);
}

bool QueueScheduler::wants_row(u32 bank, const Request* leaving) const {
    const u32 row = device_.open_row(bank);
    for (const Entry& e : lists_[draining_][bank])
        if (e.row == row && e.request != leaving) return true;
    return false;
}

void QueueScheduler::step(Cycle now) {
    board_.alarm = kNever;
    if (age_cap_ == 0) return;
    if (now >= overdue_at_) {
        overdue_at_ = kNever;
        u64 until = first_until_;
        for (const auto& list : lists_) {
            for (const EntryList& entries : list) {
                for (const Entry& e : entries) {
                    const Cycle at = e.request->arrived + age_cap_ + 1;
                    if (at > now) {
                        overdue_at_ = std::min(overdue_at_, at);
                        break;  // those behind it came later
                    }
                    until = std::max(until, e.order & kAge);
                }
            }
        }
        if (until != first_until_) {
            first_until_ = until;
            for (u32 bank = 0; bank < banks_; ++bank) choose(bank);
        }
    }
    board_.alarm = overdue_at_;
}

void QueueScheduler::rerank() {
    for (auto& list : lists_)
        for (auto& entries : list)
            for (Entry& e : entries) e.order = order_of(*e.request, e.tag, e.order & kAge);
    for (u32 bank = 0; bank < banks_; ++bank) choose(bank);
}

void QueueScheduler::reorder() {
    for (u32 bank = 0; bank < banks_; ++bank)
        if (board_.head[bank] != nullptr && (board_.key[bank] & kMiss) != 0) choose(bank);
}

}  // namespace heddle::dram
