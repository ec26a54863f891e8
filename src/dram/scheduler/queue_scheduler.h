#pragma once
// One-level schedulers: a policy is an order of requests; everything else is here.
//
// Requests wait in arrival order in one list per bank (one for reads and one for writes if the queues are separate;
// WriteDrain says which is served). A bank's best request is on the board. The order is
//     above, row hit, below, age          (smaller first; a hit before a miss)
// where `above` and `below` are small numbers that the policy gives each request in `rank`. With both 0 this is
// FR-FCFS. During a drain, banks without a write prepare the row of their best read; its column command waits. A
// policy whose numbers have changed calls `rerank`.
// Writes in a queue of their own are not ranked: among themselves they are FR-FCFS. In a unified queue a policy ranks
// them like reads, and its file states where a write ranks.
// A policy that ranks applications, and only requests that are not row hits, uses `use_application_order` instead.

#include <optional>
#include <vector>

#include "dram/scheduler.h"
#include "dram/scheduler/entry_list.h"
#include "dram/scheduler/queue_room.h"
#include "dram/write_drain.h"
#include "sim/error.h"

namespace heddle::dram {

class QueueScheduler : public Scheduler {
  public:
    explicit QueueScheduler(const SchedulerContext& context);

    bool can_accept(const Request& request) const override;
    void accept(Request* request, Cycle now) override;
    void on_command(const Issued& issued) override;
    /// Lets requests beyond the age cap go first, and sets the alarm for the next one. A policy that acts by itself
    /// calls this first and then moves the alarm forward.
    void step(Cycle now) override;
    bool wants_row(u32 bank, const Request* leaving) const override;

  protected:
    struct Rank {
        u16 above = 0;          // more important than a row hit; less than 2^15
        u16 below = 0;          // less important than a row hit, more than age; less than 2^9
        bool in_order = false;  // among equals of `above` in its bank: by age, also if it is a row hit
    };
    using Entry = QueueEntry;  // order: above 16 | miss 1 | below 9 | age 38

    /// A request arrives, before it is ranked and listed; the result is its tag.
    virtual u8 enlist(const Request& request, Cycle now) {
        (void)request, (void)now;
        return 0;
    }
    /// A request no longer counts against the queue's room: it has left, or a row was opened for it.
    virtual void released(const Request& request, u8 tag) { (void)request, (void)tag; }
    /// Whether the policy's order covers the request: a read, or any request of a unified queue.
    bool ranked(const Request& request) const { return list_of(request) == 0; }
    /// The policy: the rank of a request that is ranked. Called at arrival and at rerank.
    virtual Rank rank(const Request& request, u8 tag) const {
        (void)request, (void)tag;
        return {};
    }
    /// The rank of all writes in a queue of their own. It matters only beside reads whose row was opened before a
    /// drain.
    virtual Rank rank_of_drained() const { return {}; }
    /// A request has arrived (already ranked and listed).
    virtual void arrived(const Request& request, Cycle now) { (void)request, (void)now; }
    /// A request has left: its last column command was issued.
    virtual void served(const Request& request, u8 tag, Cycle now) { (void)request, (void)tag, (void)now; }
    /// Whether row hits of the bank count as hits now.
    virtual bool hits_first(u32 bank) const {
        (void)bank;
        return true;
    }

    /// For a policy that ranks nothing and overrides none of the above: a bank's first hit, or else its first request,
    /// is its best. `hits_always`: the policy does not override `hits_first` either.
    void use_plain_order(bool hits_always) {
        plain_ = true;
        hits_always_ = hits_always;
    }
    /// For a policy that only ranks applications (and overrides none of the above): row hits by age, whichever
    /// application they belong to; then requests of the application with the smallest of the 256 numbers `ranks` (each
    /// below 256); then age. The policy keeps the numbers and calls `reorder` when they have changed. `keep_selected`:
    /// a request for which a bank was precharged gets the bank, whatever changes.
    void use_application_order(const u16* ranks, bool keep_selected) {
        use_plain_order(true);
        app_ranks_ = ranks;
        keep_selected_ = keep_selected;
    }
    void reorder();
    /// In each bank, and among reads and writes separately, the oldest request goes first once it has waited longer
    /// than this; 0: never.
    void use_age_cap(u64 clocks) { age_cap_ = clocks; }
    /// When `step` must look for such requests.
    Cycle overdue_at() const { return overdue_at_; }
    /// For a policy with ranks whose `below` is 0: among row misses of equal `above`, unless in order, applications go
    /// by these 256 numbers, then age. `reorder` as above.
    void order_misses_by_application(const u16* ranks) { app_ranks_ = ranks; }
    /// Ranks every waiting request again.
    void rerank();
    /// Chooses the bank's best request again.
    void choose(u32 bank);

    bool draining() const { return draining_; }
    u32 waiting_reads() const { return waiting_[0]; }
    u32 waiting_writes() const { return waiting_[1]; }
    u32 banks() const { return banks_; }
    /// Reads of a bank in arrival order (all requests if the queue is unified).
    EntryList& reads(u32 bank) { return lists_[0][bank]; }
    const EntryList& writes(u32 bank) const { return lists_[1][bank]; }
    const EntryList& reads(u32 bank) const { return lists_[0][bank]; }

    const SchedulerContext context_;
    Board& board_;
    const Device& device_;

  private:
    static constexpr u64 kMiss = u64{1} << 47;
    static constexpr u32 kRankShift = 38;
    static constexpr u64 kAge = (u64{1} << kRankShift) - 1;
    static constexpr u16 kMostAbove = 1 << 15, kMostBelow = 1 << 9;
    static constexpr u64 kAhead = u64{1} << 63;  // of the kind that is not served now
    struct Best {
        Request* request = nullptr;
        u64 key = ~u64{0};
    };
    Best best_of(const EntryList& entries, u32 bank) const;
    bool hits_count(u32 bank) const { return hits_always_ || hits_first(bank); }
    /// A row that was activated for a request of the kind served before is used before it is given up.
    bool under_way(u32 bank) const {
        const Request* head = board_.head[bank];
        return head != nullptr && list_of(*head) != u32{draining_} && !board_.held.test(bank) &&
               head->activated && device_.open_row(bank) == head->row;
    }
    u32 list_of(const Request& r) const { return static_cast<u32>(r.is_write()) & u32{separate_}; }
    u64 order_of(const Request& r, u8 tag, u64 age) const {
        if (plain_) return age;
        const Rank k = ranked(r) ? rank(r, tag) : rank_of_drained();
        if (k.above >= kMostAbove || k.below >= kMostBelow) [[unlikely]]
            throw InvariantError(
                "a DRAM scheduler ranks a request by `above` 2^15 or more, or `below` 2^9 or more");
        return u64{k.above} << 48 | (k.in_order ? kMiss : 0) | u64{k.below} << kRankShift | age;
    }
    u64 key_of(const Entry& e, bool hit) const {
        if (hit || (e.order & kMiss) != 0) return e.order;
        return e.order | kMiss | (app_ranks_ == nullptr ? 0 : u64{app_ranks_[e.app]} << kRankShift);
    }
    const Entry& first_by_application(const EntryList& entries) const;
    /// A row was closed for the bank's request, which is going to get the bank.
    bool selected(u32 bank) const {
        const Request* head = board_.head[bank];
        return keep_selected_ && head != nullptr && list_of(*head) == u32{draining_} && head->precharged &&
               device_.open_row(bank) == kNoRow;
    }
    void changed();
    void release(Entry& entry);
    Entry* entry_of(EntryList& list, const Request* request) const {
        Entry* entry = list.begin();
        while (entry->request != request) ++entry;
        return entry;
    }
    /// Whether reads and writes change places now. Ask when a write arrives or leaves, and when reads begin or cease to
    /// wait.
    bool drain_turns(Cycle now) {
        if (drain_->asks_oldest(waiting_[0], waiting_[1], now)) [[unlikely]]
            drain_->oldest_write(oldest_write());
        return drain_->update(waiting_[0], waiting_[1], now) != draining_;
    }
    /// Time of arrival; a write waits.
    Cycle oldest_write() const;

    const bool separate_, early_release_, opens_rows_;
    const u32 banks_;
    QueueRoom room_;
    std::array<u32, 2> waiting_{};
    std::optional<DrainTurns> drain_;  // of separate queues
    bool draining_ = false;
    bool plain_ = false, hits_always_ = false;
    const u16* app_ranks_ = nullptr;  // null: applications are not ranked
    bool keep_selected_ = false;
    u64 age_cap_ = 0;
    Cycle overdue_at_ = kNever;
    u64 first_until_ = 0;  // the request that arrived as this one, or before, goes first in its bank
    u64 arrivals_ = 0;
    std::array<std::vector<EntryList>, 2> lists_;
};

}  // namespace heddle::dram
