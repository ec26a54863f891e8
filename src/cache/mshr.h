#pragma once
// Miss-status holding registers: which lines are outstanding, which sectors of each, and who waits for them.

#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle {

/// Waiter: what is handed back when a request's last sector has come (a load number, a request).
template <class Waiter>
class Mshrs {
  public:
    struct Entry {
        u32 number = 0;  // line number
        u32 head = kNone, tail = kNone;
        u16 waiters = 0;
        u8 pending = 0;  // sectors on their way
    };
    static constexpr u32 kNone = ~u32{0};

    Mshrs(u32 entries, u32 merges) : limit_(entries), merges_(merges), mask_(31), table_(mask_ + 1, kNone) {}

    Entry* find(u32 number) {
        for (u32 k = home(number); table_[k] != kNone; k = (k + 1) & mask_)
            if (entries_[table_[k]].number == number) return &entries_[table_[k]];
        return nullptr;
    }
    bool full() const { return used() == limit_; }
    bool can_merge(const Entry& e) const { return e.waiters < merges_; }
    u32 used() const { return static_cast<u32>(entries_.size() - free_.size()); }

    Entry* allocate(u32 number) {
        u32 id;
        if (!free_.empty()) {
            id = free_.back();
            free_.pop_back();
        } else {
            id = static_cast<u32>(entries_.size());
            entries_.emplace_back();
            if (entries_.size() * 2 > table_.size()) rehash();
        }
        u32 k = home(number);
        while (table_[k] != kNone) k = (k + 1) & mask_;
        table_[k] = id;
        entries_[id] = Entry{number, kNone, kNone, 0, 0};
        return &entries_[id];
    }

    void wait(Entry& e, Waiter waiter, u8 need) {
        u32 n;
        if (free_node_ != kNone) {
            n = free_node_;
            free_node_ = nodes_[n].next;
        } else {
            n = static_cast<u32>(nodes_.size());
            nodes_.emplace_back();
        }
        nodes_[n] = Node{waiter, kNone, need};
        if (e.head == kNone)
            e.head = n;
        else
            nodes_[e.tail].next = n;
        e.tail = n;
        ++e.waiters;
    }

    /// Sectors have come: calls done(waiter), oldest first, for each waiter whose last sector is among them.
    template <class Done>
    void arrive(Entry& e, u8 sectors, Done done) {
        e.pending &= static_cast<u8>(~sectors);
        u32 previous = kNone;
        for (u32 n = e.head; n != kNone;) {
            const u32 next = nodes_[n].next;
            nodes_[n].need &= static_cast<u8>(~sectors);
            if (nodes_[n].need == 0) {
                const Waiter w = nodes_[n].waiter;
                (previous == kNone ? e.head : nodes_[previous].next) = next;
                if (e.tail == n) e.tail = previous;
                nodes_[n].next = free_node_;
                free_node_ = n;
                --e.waiters;
                done(w);
            } else {
                previous = n;
            }
            n = next;
        }
        if (e.pending == 0) release(e);
    }

  private:
    struct Node {
        Waiter waiter{};
        u32 next = kNone;
        u8 need = 0;
    };

    u32 home(u32 number) const { return static_cast<u32>(u64{number} * 0x9e3779b97f4a7c15u >> 32) & mask_; }

    /// Storage follows what is really outstanding, not the limit: small tables stay in the host's caches.
    void rehash() {
        std::vector<u32> old(table_.size() * 2, kNone);
        old.swap(table_);
        mask_ = static_cast<u32>(table_.size()) - 1;
        for (u32 id : old) {
            if (id == kNone) continue;
            u32 k = home(entries_[id].number);
            while (table_[k] != kNone) k = (k + 1) & mask_;
            table_[k] = id;
        }
    }

    void release(Entry& e) {
        const u32 id = static_cast<u32>(&e - entries_.data());
        u32 hole = home(e.number);
        while (table_[hole] != id) hole = (hole + 1) & mask_;
        // Linear probing without tombstones: pull later entries of the run back into the hole.
        for (u32 k = (hole + 1) & mask_; table_[k] != kNone; k = (k + 1) & mask_) {
            const u32 wanted = home(entries_[table_[k]].number);
            if (((k - wanted) & mask_) >= ((k - hole) & mask_)) {
                table_[hole] = table_[k];
                hole = k;
            }
        }
        table_[hole] = kNone;
        free_.push_back(id);
    }

    u32 limit_, merges_;
    std::vector<Entry> entries_;
    u32 mask_;
    std::vector<u32> table_;
    std::vector<u32> free_;
    std::vector<Node> nodes_;
    u32 free_node_ = kNone;
};

}  // namespace heddle
