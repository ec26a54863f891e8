#pragma once
// What stands at one DRAM channel: the way from its L2 slices into the controller and back, across the two
// clocks, and the completeness of loads at this channel.

#include <algorithm>
#include <span>
#include <vector>

#include "cache/slice.h"
#include "dram/channel.h"
#include "mem/lifetime_observer.h"
#include "mem/request_observer.h"
#include "sim/clock.h"

namespace heddle {

class Partition final : public GroupObserver {
  public:
    Partition(dram::Channel channel, const Clock& core, const Clock& memory, Agenda& core_agenda,
              u32 first_slice_part, Agenda& memory_agenda, u32 index)
        : channel_(std::move(channel)),
          core_(core),
          memory_(memory),
          core_agenda_(core_agenda),
          first_slice_part_(first_slice_part),
          memory_agenda_(memory_agenda),
          index_(index) {}

    void attach(Slice* slice) {
        slices_.push_back(slice);
        due_.push_back(kNotDue);
        refused_at_.push_back(~u64{0});
    }
    /// The slice has sent something towards DRAM.
    void outgoing(u32 slice) { look_at(slice); }
    /// Steps the channel in its cycle `now`; the next cycle to do so.
    Cycle step(Cycle now);

    // -- completeness. A load sent `requests` requests here; each is settled in L2 or accepted by the controller.
    void expect(dram::GroupKey group, u32 requests, Cycle core_now);
    void settled_in_l2(const Request& request, Cycle core_now) override;

    /// Sees each request that the controller takes; null: nobody does.
    void observe(RequestObserver* observer) { observer_ = observer; }
    /// Who is told of traced requests, from here to the last beat.
    void trace(LifetimeObserver* lifetimes) {
        lifetimes_ = lifetimes;
        channel_.trace(lifetimes);
    }

    /// A message of another channel's controller that is due at `at`, later than now.
    void deliver(const dram::Message& message, Cycle at) {
        const Cycle wanted = channel_.deliver(message, at);
        if (wanted == kNever) return;
        channel_next_ = std::min(channel_next_, wanted);
        memory_agenda_.wake(index_, wanted);
    }
    /// An application's misses in this channel's slices.
    u64 misses(u8 app) const {
        u64 n = 0;
        for (const Slice* slice : slices_) n += slice->stats(app).misses;
        return n;
    }

    dram::Channel& channel() { return channel_; }
    u64 accepted_reads() const { return accepted_reads_; }
    u64 accepted_writes() const { return accepted_writes_; }
    u64 groups_completed() const { return groups_completed_; }
    bool quiet() const {
        return channel_.waiting() == 0 && channel_.completion() == nullptr &&
               std::all_of(groups_.begin(), groups_.end(), [](const auto& list) { return list.empty(); });
    }

  private:
    struct Group {
        dram::GroupKey key;
        u32 expected = ~u32{0};
        u32 settled = 0;
        u32 members = 0;
    };

    static constexpr Tick kNotDue{~u64{0}};

    Cycle accept(Cycle now);
    void look_at(u32 slice) {
        const auto& queue = slices_[slice]->to_dram();
        due_[slice] = queue.empty() ? kNotDue : core_.tick(queue.front().at);
        first_due_ = *std::min_element(due_.begin(), due_.end());
    }
    std::vector<Group>& list_of(dram::GroupKey key) {
        return groups_[(key.load + key.sm * 8u) % groups_.size()];
    }
    Group& group(dram::GroupKey key);
    void check(Group& g, Cycle now);
    /// The first memory cycle in which something done in this core cycle can have an effect.
    Cycle memory_cycle(Cycle core_now) const { return memory_.after(core_.tick(core_now)); }

    dram::Channel channel_;
    Clock core_, memory_;
    Agenda& core_agenda_;
    u32 first_slice_part_;
    Agenda& memory_agenda_;
    u32 index_;  // this channel in the memory's agenda
    bool stepping_ = false;
    std::vector<Slice*> slices_;
    Tick first_due_ = kNotDue;
    std::vector<Tick> due_;  // when the head of each slice's queue may be taken
    u32 next_slice_ = 0;
    Cycle channel_next_{0};        // when the controller wants to be stepped
    std::vector<u64> refused_at_;  // room events of the channel when it refused a slice's head
    // Loads on their way, spread over short lists: hundreds may wait for a busy channel.
    std::vector<std::vector<Group>> groups_ = std::vector<std::vector<Group>>(256);
    RequestObserver* observer_ = nullptr;
    LifetimeObserver* lifetimes_ = nullptr;
    u64 accepted_reads_ = 0, accepted_writes_ = 0, groups_completed_ = 0;
};

}  // namespace heddle
