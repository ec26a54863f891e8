#pragma once
// The inside of a channel: takes what the scheduler has put on the board, finds the next legal command of
// each bank, and issues.
//
// For each command bus there is a plan: the command that will be issued next on it, and when. A plan is made
// by looking at every bank once; until something changes that could delay its commands, a bank that changes
// is only compared with it. This is what makes idle cycles free and busy ones cheap.

#include "dram/candidates.h"
#include "dram/pending_writes.h"
#include "dram/refresh.h"
#include "dram/scheduler.h"
#include "dram/specification.h"
#include "dram/statistics.h"
#include "sim/ring.h"

namespace heddle::dram {

class Controller final : private Network {
  public:
    Controller(std::shared_ptr<const Specification> specification, u16 index,
               const TranslationPressure* pressure);

    void connect(PeerPort* peers) { peers_ = peers; }
    void observe(CommandObserver* observer) { observer_ = observer; }
    void trace(LifetimeObserver* lifetimes) { lifetimes_ = lifetimes; }
    bool can_accept(const Request& request) const { return scheduler_->can_accept(request); }
    Cycle accept(Request* request, Cycle now);
    Cycle group_complete(GroupKey group, u32 members, Cycle now) {
        scheduler_->group_complete(group, members, now);
        return std::min(next_step_, board_.alarm);
    }
    Cycle deliver(const Message& message, Cycle at);
    Cycle step(Cycle now);

    const Channel::Completion* completion() const {
        return completions_.empty() ? nullptr : &completions_.front();
    }
    void pop_completion() { completions_.pop(); }
    u64 room_events() const { return board_.room_events; }
    u64 waiting() const { return waiting_; }
    Scheduler& scheduler() { return *scheduler_; }
    const Scheduler& scheduler() const { return *scheduler_; }
    const Resolved& resolved() const { return resolved_; }
    const LocationMap& map() const { return map_; }
    const Statistics& statistics(Cycle now);
    /// What has been counted of an application so far; zeros if it has sent nothing.
    AppCounts counts(u8 id) const { return id < apps_ ? statistics_.apps[id] : AppCounts{}; }

  private:
    static constexpr u8 kNoSlot = 0xff, kNoBus = 2;
    /// Next command of one bus: of a bank's request, of one without a bank, of the refresh engine, or a close by page
    /// policy.
    struct Plan {
        enum class Maker : u8 { none, request, bus_only, refresh, page };
        Cycle at = kNever;
        u64 key = 0;
        u32 bank = 0;
        Maker maker = Maker::none;
        bool stale = true;

        // Member by member: see Ring::push_slot.
        void set(Cycle when, u64 order, u32 where, Maker who) {
            at = when;
            key = order;
            bank = where;
            maker = who;
            stale = false;
        }
    };
    struct DataBus {   // of a pseudo-channel
        Cycle end;     // of the last burst
        u64 idle = 0;  // idle_cycles_ then
        bool was_write = false;
        bool used = false;
    };

    u32 bus_of(Slot slot) const { return separate_ && (slot == Slot::read || slot == Slot::write) ? 1u : 0u; }
    void send(const Message& message, Cycle now, u64 latency) override;

    /// Messages that were due before `end`.
    void read_inbox(Cycle end) {
        while (!inbox_.empty() && inbox_.front().at < end) {
            const Inbox due = inbox_.pop();
            scheduler_->on_message(due.message, due.at);
        }
    }

    // Planning.
    void take_changes(Cycle now) {
        if (board_.changes != 0 || board_.rekeyed) look_at_changes(now);
    }
    void look_at_changes(Cycle now);
    u8 next_slot(u32 bank) const;
    [[gnu::always_inline]] void look_at(u32 bank, Cycle now);
    void update_close(u32 bank);
    Cycle floor_of(u32 bus, Cycle now) const;
    Cycle aligned(u32 bus, Cycle at) const;
    void scan(u32 bus, Cycle now);
    void start_refreshes(Cycle now);

    // Issuing.
    void issue(u32 bus, Cycle now);
    void issue_request(u32 bank, Cycle now);
    void issue_column(u32 bank, Request* request, Cycle now);
    void issue_bus_only(Cycle now);
    void issue_refresh(Cycle now);
    void issue_close(u32 bank, Cycle now);
    [[gnu::always_inline]] void finish(Request* request, Cycle now);
    CommandKind column_kind(u32 bank, const Request* request) const;
    [[gnu::always_inline]] void after(CommandKind kind, u32 bank, Cycle now);
    [[gnu::always_inline]] void account_bus(u32 pseudo, bool write, Cycle now);
    void account_gap(Statistics& to, const DataBus& bus, u32 pseudo, Cycle from, Cycle until,
                     u64 turnaround) const;
    void complete(Request* request, Cycle at) {
        Channel::Completion& last = completions_.push_slot();
        last.request = request;
        last.at = at;
        // Reads and writes of different pseudo-channels may end in another order than they began.
        completions_.settle_last();
    }
    void tell_observer(CommandKind kind, u32 bank, u32 row, const Request* request, Cycle now);
    void tell(const Request& r, RequestStep step, Cycle now) {
        if (r.traced) [[unlikely]]
            lifetimes_->step(r, step, now);
    }
    AppCounts& app(u8 id) {
        if (id >= apps_) [[unlikely]]
            statistics_.apps.resize(apps_ = id + 1u);
        return statistics_.apps[id];
    }

    const std::shared_ptr<const Specification> specification_;
    const MemorySettings& settings_;
    const Resolved& resolved_;
    const LocationMap& map_;
    Device device_;
    Board board_;
    RefreshEngine refresh_;
    std::unique_ptr<Scheduler> scheduler_;
    const u16 index_;
    const bool separate_;
    const bool auto_delays_refresh_;  // an auto-precharge of any bank delays a one-bank refresh (GDDR6)
    const u32 steps_;                 // column commands start at multiples of this
    const u32 read_latency_, write_latency_, burst_;
    std::array<u8, kMaxBanks> pseudo_of_;  // by bank: a division for each command would be felt

    std::array<u8, kMaxBanks> slot_;  // Slot that the bank's request needs next, and its bus
    std::array<u8, kMaxBanks> bus_;
    std::array<Candidates, 2> candidates_;
    std::array<Plan, 2> plan_;
    std::array<Cycle, 2> bus_free_{};
    RefreshEngine::Step refresh_step_;

    // Page policy.
    BankMask closing_;  // open banks that the page policy wants closed
    std::array<Cycle, kMaxBanks> close_from_{};
    std::array<u32, kMaxBanks> columns_done_{};

    PendingWrites pending_writes_;
    Ring<Channel::Completion> completions_;
    struct Inbox {
        Cycle at;
        Message message;
    };
    Ring<Inbox> inbox_;
    bool messages_wait_ = false;
    PeerPort* peers_ = nullptr;
    CommandObserver* observer_ = nullptr;
    LifetimeObserver* lifetimes_ = nullptr;

    u64 waiting_ = 0;
    Cycle next_step_ = kNever;  // what the last step returned
    Cycle idle_since_;          // if nothing waits
    u64 idle_cycles_ = 0;       // before that
    std::array<Cycle, kMaxBanks> refresh_end_{};
    std::vector<DataBus> data_;
    // The first has no sums over applications. Its occupancy is the sum of the clocks at which requests left less that
    // of those at which they came, and wraps.
    Statistics statistics_, report_;
    u32 apps_ = 0;  // of statistics_: a vector would have to divide to tell
};

}  // namespace heddle::dram
