#pragma once
// The warp sorter: the reads of one warp's load at this channel wait as a group, and groups are served one after the
// other, only when complete. Shared by the policies of Chatterjee et al., SC 2014, and FCFS by group.
//
// Members are class-data reads that belong to a load; any other read is a group of its own and complete at once. A
// group may be chosen once its completeness is reported (scheduler.h). What a controller does that holds incomplete groups
// only is a choice. By default it does not wait: it drains writes, and where there are none the oldest group counts as
// complete with its present members and is served. With `incomplete_wait` it waits, until no read was sent for so many
// clocks, no group was complete and every command queue was empty (the missing members may wait for room that only this
// group's data will free). If the read queue is full the oldest group goes in either case.

#include <optional>

#include "dram/scheduler/command_queues.h"

namespace heddle::dram {

struct WarpGroupSettings : CommandQueueSettings {
    u32 sorter_groups = 128;
    std::optional<u64> incomplete_wait;
};
template <class S>
config::Schema<S> warp_group_keys(config::Schema<S> schema) {
    return command_queue_keys(std::move(schema))
        .key("sorter_groups", &S::sorter_groups,
             {.def = "128",
              .min = "1",
              .max = "60000",
              .about = "groups that the warp sorter holds; reads of other groups wait in the read queue",
              .source = "Chatterjee et al., SC 2014"})
        .key("incomplete_wait", &S::incomplete_wait,
             {.unit = config::Unit::cycles,
              .clock = "dram",
              .min = "1",
              .max = "1000000000",
              .about =
                  "while no group is complete, idle time after which the oldest one is served; not given: "
                  "waiting writes are drained, and if there are none the oldest is served at once",
              .source = "choice; Chatterjee et al., SC 2014, do not say what a controller does then"});
}

class WarpGroups : public CommandQueues {
  public:
    WarpGroups(const WarpGroupSettings& settings, const SchedulerContext& context);

    bool wants_groups() const final { return true; }
    void group_complete(GroupKey group, u32 members, Cycle now) final;
    void report(std::vector<PolicyCounter>& to) const override;

  protected:
    static constexpr u16 kNone = 0xffff;
    static constexpr u64 kAlone = ~u64{0};  // key of a group without a load
    struct Group {
        u64 key = kAlone;
        u32 waiting = 0;  // members not yet sent
        u32 members = 0;  // that have ever joined
        bool complete = false;
        bool forced = false;  // complete without a report: takes no more members
        u16 place = 0;        // in active()
        u16 next = kNone;     // in the chain of its key
        u16 cap = 0xffff;     // wg-m: of its score
        u16 subtrahend = 0;   // wg-m: from its score
        Cycle since;          // arrival of the first member
        u64 order = 0;        // of arrival
        u64 completed = 0;    // order of completion
    };

    // -- the policy
    /// Among the complete groups (there is one), the one to be served now.
    virtual u16 select(Cycle now) = 0;
    /// A group has been chosen; its members still wait.
    virtual void selected(u16 group, Cycle now) { (void)group, (void)now; }
    /// A group has got its first member.
    virtual void began(u16 group) { (void)group; }
    /// Banks of the current group that may be served.
    virtual BankMask banks_to_serve() const { return current_banks_; }
    /// The read that goes to a bank in which the current group has one; a row hit first, then the oldest.
    virtual QueueEntry* next_in(u32 bank);

    const Group& group(u16 g) const { return groups_[g]; }
    Group& group(u16 g) { return groups_[g]; }
    /// Groups with a waiting member.
    const std::vector<u16>& active() const { return active_; }
    static u16 group_of(const QueueEntry& e) { return static_cast<u16>(e.order); }
    /// The group of a load that takes members.
    u16 find(u64 key) const;
    /// Calls f(group) for each group of the key, those that take no more members too.
    template <class F>
    void each_of(u64 key, F f) const {
        for (u16 g = chains_[chain_of(key)]; g != kNone; g = groups_[g].next)
            if (groups_[g].key == key) f(g);
    }
    u16 current() const { return current_; }
    const BankMask& current_banks() const { return current_banks_; }
    /// Reads of a bank in arrival order; order: number of arrival, then group; tag 1: the first of its group to its row.
    EntryList& reads(u32 bank) { return reads_[bank]; }
    const EntryList& reads(u32 bank) const { return reads_[bank]; }
    const BankMask& banks_with_reads() const { return with_reads_; }

  private:
    bool arrived(Request* read, Cycle now) final;
    BankMask wanted(Cycle now) final;
    Request* take(u32 bank, Cycle now) final;
    bool read_wants(u32 bank, u32 row) const final;
    bool writes_fill_gaps() const final { return !incomplete_wait_; }

    static u64 key_of(const Request& r) { return in_group(r) ? GroupKey(r).packed() : kAlone; }
    std::size_t chain_of(u64 key) const {
        return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ull >> 32) & (chains_.size() - 1);
    }
    bool sort(Request* read, bool told);
    void complete(u16 group);
    bool may_force(Cycle now);
    void force(u16 group);
    u16 oldest() const;
    void remove(u32 bank, QueueEntry* entry);
    void retire(u16 group);
    void enter_unsorted();
    void begin(u16 group);

    const u32 capacity_;
    const std::optional<u64> incomplete_wait_;
    std::vector<Group> groups_;
    std::vector<u16> chains_;  // groups of loads by key: first of each chain
    std::vector<u16> free_, active_;
    std::vector<EntryList> reads_;
    BankMask with_reads_;
    struct Unsorted {
        Request* request = nullptr;
        bool complete = false;
    };
    std::vector<Unsorted> unsorted_;
    u32 complete_count_ = 0;
    u64 arrivals_ = 0, groups_begun_ = 0, completions_ = 0;
    u16 current_ = kNone;
    BankMask current_banks_;
    std::array<u32, kMaxBanks> current_left_{};
    Cycle last_sent_{0};
    u64 selections_ = 0, forced_full_ = 0, forced_idle_ = 0;
};

}  // namespace heddle::dram
