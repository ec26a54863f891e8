#pragma once
// Requests of one bank in arrival order. Most leave from the front, which costs nothing; the room they leave is
// reclaimed when the list runs out of it.

#include <vector>

#include "mem/request.h"

namespace heddle::dram {

struct QueueEntry {
    Request* request = nullptr;
    u64 order = 0;  // smaller goes first; see QueueScheduler
    u32 row = 0;
    u8 tag = 0;             // the policy's own, 0 at arrival
    bool released = false;  // no longer counts against the queue's room
    u8 app = 0;
};

class EntryList {
  public:
    EntryList() : slots_(room_) {}
    bool empty() const { return first_ == last_; }
    QueueEntry* begin() { return slots_.data() + first_; }
    QueueEntry* end() { return slots_.data() + last_; }
    const QueueEntry* begin() const { return slots_.data() + first_; }
    const QueueEntry* end() const { return slots_.data() + last_; }
    const QueueEntry& front() const { return slots_[first_]; }
    const QueueEntry& back() const { return slots_[last_ - 1]; }

    /// Whether an entry waits for the row.
    bool has_row(u32 row) const {
        for (const QueueEntry& e : *this)
            if (e.row == row) return true;
        return false;
    }

    void push_back(const QueueEntry& entry) {
        if (last_ == room_) make_room();
        slots_[last_++] = entry;
    }
    void erase(QueueEntry* entry) {
        if (entry == begin()) {
            ++first_;
        } else {
            // By hand: few follow, and a call to memmove costs more than the move.
            for (--last_; entry != end(); ++entry) *entry = entry[1];
        }
        if (first_ == last_) first_ = last_ = 0;
    }

  private:
    void make_room() {
        if (first_ * 2 < slots_.size()) {
            slots_.resize(slots_.size() * 2);
            room_ = static_cast<u32>(slots_.size());
            if (first_ == 0) return;
        }
        for (u32 k = first_; k < last_; ++k) slots_[k - first_] = slots_[k];
        last_ -= first_;
        first_ = 0;
    }

    u32 first_ = 0, last_ = 0;
    u32 room_ = 32;  // of slots_: a vector has to divide to tell
    std::vector<QueueEntry> slots_;
};

}  // namespace heddle::dram
