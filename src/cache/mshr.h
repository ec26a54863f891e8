#pragma once
// Miss-status holding registers: which lines are outstanding, which sectors of each, and who waits for them.
//
// The first waiter is inside the entry: most lines have one, and every further place to look at would be another miss
// in the host's caches.

#include <vector>

#include "sim/flat_table.h"
#include "sim/types.h"

namespace heddle {

/// Waiter: what is handed back when a request's last sector has come (a load number, a request).
template <class Waiter>
class Mshrs {
  public:
    static constexpr u32 kNone = ~u32{0};

    struct Entry {
        u32 key = kNone;  // line number
        u16 waiters = 0;
        u8 pending = 0;  // sectors in flight
        u8 need = 0;     // sectors that the first waiter still needs; 0: it has been served
        Waiter first{};
        u32 head = kNone, tail = kNone;  // those behind the first: nodes_
    };

    Mshrs(u32 entries, u32 merges) : limit_(entries), merges_(merges) {}

    Entry* find(u32 number) { return table_.find(number); }
    void prefetch(u32 number) const { table_.prefetch(number); }
    bool full() const { return table_.size() == limit_; }
    bool can_merge(const Entry& e) const { return e.waiters < merges_; }
    u32 used() const { return static_cast<u32>(table_.size()); }

    /// The line must have no entry. Entries move: a pointer holds until the next allocate or arrive.
    Entry* allocate(u32 number) { return table_.insert(number); }

    void wait(Entry& e, Waiter waiter, u8 need) {
        if (e.waiters++ == 0) {
            e.first = waiter;
            e.need = need;
            return;
        }
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
    }

    /// Sectors have come: calls done(waiter), oldest first, for each waiter whose last sector is among them.
    template <class Done>
    void arrive(Entry& e, u8 sectors, Done done) {
        e.pending &= static_cast<u8>(~sectors);
        if (e.need != 0) {
            e.need &= static_cast<u8>(~sectors);
            if (e.need == 0) {
                --e.waiters;
                done(e.first);
            }
        }
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
        if (e.pending == 0) table_.erase(&e);
    }

  private:
    struct Node {
        Waiter waiter{};
        u32 next = kNone;
        u8 need = 0;
    };

    u32 limit_, merges_;
    // Storage follows what is really outstanding, not the limit: small tables stay in the host's caches.
    FlatTable<Entry> table_;
    std::vector<Node> nodes_;
    u32 free_node_ = kNone;
};

}  // namespace heddle
