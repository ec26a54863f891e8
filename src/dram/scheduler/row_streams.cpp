#include "dram/scheduler/row_streams.h"

#include <algorithm>

namespace heddle::dram {

/// Finds or allocates the entry of the request's row; false if all are in use.
bool RowStreams::sort(u32 bank, QueueEntry& entry) {
    auto& streams = streams_[bank];
    for (Stream& s : streams) {
        if (s.row != entry.row) continue;
        ++s.requests;
        entry.tag = 1;
        return true;
    }
    if (streams.size() == rows_) return false;
    streams.push_back({entry.row, 1});
    entry.tag = 1;
    return true;
}

void RowStreams::add(Request* request) {
    const u32 bank = request->bank;
    QueueEntry entry{request, 0, request->row};
    sort(bank, entry);
    lists_[bank].push_back(entry);
    banks_.set(bank);
}

/// A sorted request has gone.
void RowStreams::leave(u32 bank, u32 row) {
    auto& streams = streams_[bank];
    std::size_t k = 0;
    while (streams[k].row != row) ++k;
    if (--streams[k].requests != 0) return;
    const bool was_full = streams.size() == rows_;
    streams[k] = streams.back();
    streams.pop_back();
    if (!was_full) return;
    for (QueueEntry& e : lists_[bank])
        if (e.tag == 0) sort(bank, e);
}

Request* RowStreams::take(u32 bank, Cycle now, u32 last_row, u32& streak) {
    EntryList& list = lists_[bank];
    QueueEntry* best = list.begin();
    if (now - best->request->arrived <= age_threshold_) {
        QueueEntry *same = nullptr, *other = nullptr;
        for (QueueEntry& e : list) {
            if (e.tag == 0) continue;
            QueueEntry*& first = e.row == last_row ? same : other;
            if (first == nullptr) first = &e;
        }
        if (same != nullptr && streak < max_streak_) {
            best = same;
        } else {
            best = other != nullptr ? other : same;
            streak = 0;
        }
    }
    Request* request = best->request;
    const bool sorted = best->tag != 0;
    list.erase(best);
    if (sorted) leave(bank, request->row);
    if (list.empty()) banks_.clear(bank);
    return request;
}

Cycle RowStreams::oldest() const {
    Cycle oldest = kNever;
    for (const EntryList& list : lists_)
        if (!list.empty()) oldest = std::min(oldest, list.front().request->arrived);
    return oldest;
}

bool RowStreams::wants(u32 bank, u32 row) const {
    return lists_[bank].has_row(row);
}

}  // namespace heddle::dram
