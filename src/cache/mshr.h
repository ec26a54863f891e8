#pragma once
// Miss-status holding registers: which lines are outstanding, which sectors of each, and who waits for them.
//
// A hash table of entries without indirection, the first waiter inside the entry: most lines have one, and every
// further place to look at would be another miss in the host's caches.

#include <vector>

#include "sim/types.h"

namespace heddle {

/// Waiter: what is handed back when a request's last sector has come (a load number, a request).
template <class Waiter>
class Mshrs {
  public:
    static constexpr u32 kNone = ~u32{0};

    struct Entry {
        u32 number = kNone;  // line number; kNone: no entry
        u16 waiters = 0;
        u8 pending = 0;  // sectors in flight
        u8 need = 0;     // sectors that the first waiter still needs; 0: it has been served
        Waiter first{};
        u32 head = kNone, tail = kNone;  // those behind the first: nodes_
    };

    Mshrs(u32 entries, u32 merges) : limit_(entries), merges_(merges), table_(32) {}

    Entry* find(u32 number) {
        for (u32 k = home(number); table_[k].number != kNone; k = (k + 1) & mask())
            if (table_[k].number == number) return &table_[k];
        return nullptr;
    }
    void prefetch(u32 number) const { __builtin_prefetch(&table_[home(number)]); }
    bool full() const { return used_ == limit_; }
    bool can_merge(const Entry& e) const { return e.waiters < merges_; }
    u32 used() const { return used_; }

    /// The line must have no entry. Entries move: a pointer holds until the next allocate or arrive.
    Entry* allocate(u32 number) {
        // Storage follows what is really outstanding, not the limit: small tables stay in the host's caches.
        if (++used_ * 2 > table_.size()) grow();
        u32 k = home(number);
        while (table_[k].number != kNone) k = (k + 1) & mask();
        table_[k] = Entry{};
        table_[k].number = number;
        return &table_[k];
    }

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
        if (e.pending == 0) release(static_cast<u32>(&e - table_.data()));
    }

  private:
    struct Node {
        Waiter waiter{};
        u32 next = kNone;
        u8 need = 0;
    };

    u32 mask() const { return static_cast<u32>(table_.size()) - 1; }
    u32 home(u32 number) const { return static_cast<u32>(u64{number} * 0x9e3779b97f4a7c15u >> 32) & mask(); }

    void grow() {
        std::vector<Entry> old(table_.size() * 2);
        old.swap(table_);
        for (const Entry& e : old) {
            if (e.number == kNone) continue;
            u32 k = home(e.number);
            while (table_[k].number != kNone) k = (k + 1) & mask();
            table_[k] = e;
        }
    }

    void release(u32 hole) {
        --used_;
        // Linear probing without tombstones: pull later entries of the run back into the hole.
        for (u32 k = (hole + 1) & mask(); table_[k].number != kNone; k = (k + 1) & mask()) {
            const u32 wanted = home(table_[k].number);
            if (((k - wanted) & mask()) >= ((k - hole) & mask())) {
                table_[hole] = table_[k];
                hole = k;
            }
        }
        table_[hole].number = kNone;
    }

    u32 limit_, merges_;
    u32 used_ = 0;
    std::vector<Entry> table_;
    std::vector<Node> nodes_;
    u32 free_node_ = kNone;
};

}  // namespace heddle
