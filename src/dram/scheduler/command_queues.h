#pragma once
// Two-level schedulers: a policy says which read goes next to the command queue of a bank; everything else is here.
// Source: Chatterjee et al., SC 2014, the GMC baseline.
//
// A read waits in the read queue, in the policy's own order; a write waits in the write queue, in row streams. One
// request per clock moves to the command queue of its bank, with banks in turn and bank groups alternating; then its
// queue entry is free. WriteDrain says whether reads or writes move. A command queue keeps its order; across banks,
// two-level round-robin finds the command that issues: bank groups first, then the banks of a group.
//
// Scores: a request that enters a command queue counts 1 if its row is that of the request before it, and 3 otherwise
// (the ratio of tRP + tRCD + tCAS to tCAS). A bank's queue score is the sum over the requests that have not left.
//
// With a unified queue, reads and writes share the entries; the drain still decides which of them move.

#include <vector>

#include "config/schema.h"
#include "dram/scheduler.h"
#include "dram/scheduler/queue_room.h"
#include "dram/scheduler/row_streams.h"
#include "dram/write_drain.h"

namespace heddle::dram {

struct CommandQueueSettings {
    u32 command_queue = 4;
    config::Duration age_threshold{4'000'000'000, false};
    u32 max_streak = 16;
    u32 sorter_rows = 8;
};
template <class S>
config::Schema<S> command_queue_key(config::Schema<S> schema) {
    return std::move(schema).key("command_queue", &S::command_queue,
                                 {.def = "4",
                                  .min = "1",
                                  .max = "64",
                                  .about = "requests in each bank's command queue",
                                  .source = "choice"});
}
/// Declares the keys that all two-level schedulers but SBWAS have.
template <class S>
config::Schema<S> command_queue_keys(config::Schema<S> schema) {
    return command_queue_key(std::move(schema))
        .key("age_threshold", &S::age_threshold,
             {.unit = config::Unit::cycles_or_time,
              .clock = "dram",
              .def = "4us",
              .about = "wait after which a bank's oldest request goes before row hits (gmc: reads and "
                       "writes, others: writes)",
              .source = "choice: the best of a sweep with gmc alone (docs/notes/warp-aware.md); Chatterjee "
                        "et al., SC 2014, give no value"})
        .key("max_streak", &S::max_streak,
             {.def = "16",
              .min = "1",
              .about = "requests to one row of a bank before another row gets its turn (gmc: reads and "
                       "writes, others: writes)",
              .source = "choice; Chatterjee et al., SC 2014, give no value"})
        .key("sorter_rows", &S::sorter_rows,
             {.def = "8",
              .min = "1",
              .about = "rows that the row sorter tracks per bank (gmc: reads and writes, others: writes)",
              .source = "Chatterjee et al., SC 2014 (128 entries, 8 per bank)"});
}

class CommandQueues : public Scheduler {
  public:
    CommandQueues(const CommandQueueSettings& settings, const SchedulerContext& context);

    bool can_accept(const Request& request) const final;
    void accept(Request* request, Cycle now) final;
    void on_command(const Issued& issued) override;
    void step(Cycle now) final;
    bool wants_row(u32 bank, const Request* leaving) const final;
    void report(std::vector<PolicyCounter>& to) const override;

    static constexpr u32 kHit = 1, kMiss = 3;
    /// Of the requests in the bank's command queue.
    u32 queue_score(u32 bank) const { return banks_[bank].score; }
    /// Of the last request sent to the bank; kNoRow if the bank has closed since.
    u32 last_row(u32 bank) const { return banks_[bank].last_row; }

  protected:
    /// A read waits from now on. Returns whether that may change what can be sent (true is always safe); `wanted` is
    /// asked anyway if it is the only read or fills the queue.
    virtual bool arrived(Request* read, Cycle now) = 0;
    /// Banks to which the policy would send a read now.
    virtual BankMask wanted(Cycle now) = 0;
    /// The read that goes to this bank now, taken out of the policy's queues.
    virtual Request* take(u32 bank, Cycle now) = 0;
    /// Whether a waiting read wants the row.
    virtual bool read_wants(u32 bank, u32 row) const = 0;
    /// Whether writes are sent while reads wait of which `wanted` names none.
    virtual bool writes_fill_gaps() const { return false; }
    /// A read or write has been sent to its command queue; `hit`: to the row of the one before it.
    virtual void sent(const Request& request, bool hit, Cycle now) { (void)request, (void)hit, (void)now; }

    /// Something may be sent that could not be sent before; called between steps.
    void wake(Cycle now) { wake_at(std::max(now, next_send_)); }
    /// From `wanted`: look again at that time.
    void wake_at(Cycle at) { board_.alarm = std::min(board_.alarm, at); }

    /// Reads and writes are one kind: `arrived`, `wanted` and `take` get both, and nothing is drained.
    void mix_writes() { mixed_ = true; }

    /// Idealized reads: one that waits (taken out of the policy's queues) needs no bank from now on;
    void need_no_bank(Request* read, Cycle now);
    /// and so do those in command queues for which `chosen` is true and no column command has been issued; their number.
    template <class Chosen>
    u32 queued_need_no_bank(Chosen chosen) {
        u32 all = 0;
        for (u32 bank = 0; bank < banks(); ++bank) {
            Bank& b = banks_[bank];
            const u32 n = b.count;
            for (u32 k = 0, kept = 0; k < n; ++k) {
                const Queued q = at(bank, k);
                if (q.request->bursts_left == q.request->bursts && chosen(*q.request)) {
                    board_.offer_bus(q.request);
                    b.score -= q.score;
                    --b.count;
                } else {
                    at(bank, kept++) = q;
                }
            }
            if (b.count == n) continue;
            left_out(bank, n - b.count);
            all += n - b.count;
        }
        return all;
    }

    /// Of the write queue.
    u32 waiting_writes() const { return waiting_[1]; }
    bool read_queue_full() const { return room_.full(0); }
    /// No request is in a command queue.
    bool queues_empty() const { return queued_ == 0; }
    u32 queued(u32 bank) const { return banks_[bank].count; }
    u32 banks() const { return static_cast<u32>(banks_.size()); }
    u32& streak(u32 bank) { return banks_[bank].streak; }

    const SchedulerContext context_;

  private:
    struct Queued {
        Request* request = nullptr;
        u32 score = 0;
    };
    struct Bank {
        u32 last_row = kNoRow;
        u32 streak = 0;
        u32 score = 0;
        u32 first = 0, count = 0;  // of the ring in queues_
    };

    u32 list_of(const Request& r) const { return static_cast<u32>(r.is_write()); }
    u32 room_of(const Request& r) const { return separate_ ? list_of(r) : 0; }
    void update_drain(Cycle now) {
        if (draining_) drained_until_ = now;
        if (mixed_) return;
        if (drain_.asks_oldest(waiting_[0], waiting_[1], now)) [[unlikely]]
            drain_.oldest_write(writes_.oldest());
        draining_ = drain_.update(waiting_[0], waiting_[1], now);
    }
    bool send(const BankMask& from, bool writes, Cycle now);
    void push(u32 bank, Request* request, Cycle now);
    void pop(u32 bank);
    /// Of the group's bank whose turn comes first; far enough from the next group's for `origin` to stand between.
    u64 group_key(u32 group) const { return u64{4} * banks_per_group_ * group; }
    void rotate(u32 bank);
    Queued& at(u32 bank, u32 k) {
        const Bank& b = banks_[bank];
        return queues_[bank * depth_ + (b.first + k) % depth_];
    }
    void left_out(u32 bank, u32 requests);

    Board& board_;
    const Device& device_;
    const bool separate_;
    const u32 depth_;
    const u32 groups_, banks_per_group_;
    QueueRoom room_;
    std::array<u32, 2> waiting_{};  // reads, writes
    DrainTurns drain_;
    bool draining_ = false, mixed_ = false;
    Cycle drained_until_{0};  // of the last drain, as far as is known
    u64 held_by_drain_ = 0;
    RowStreams writes_;
    BankMask open_;  // banks whose command queue has room
    std::vector<Bank> banks_;
    std::vector<Queued> queues_;  // depth_ a bank
    u32 queued_ = 0;
    std::vector<u32> turn_;  // banks in the order in which they take turns
    u32 next_turn_ = 0;
    Cycle next_send_{0};
};

}  // namespace heddle::dram
