#pragma once
// Everything at one DRAM channel: the path from its clients into the controller and back, across their clocks and the
// memory's, and the completeness of loads at this channel.

#include <algorithm>
#include <vector>

#include "dram/channel.h"
#include "mem/lifetime_observer.h"
#include "mem/memory_client.h"
#include "mem/request_observer.h"

namespace heddle {

class Partition final : public GroupObserver, public MemoryPort {
  public:
    /// `memory`: the domain in which it is part `index`.
    Partition(dram::Channel channel, Domain& memory, u32 index)
        : channel_(std::move(channel)), clock_(memory.clock()), agenda_(memory.agenda()), index_(index) {}

    void attach(MemoryClient& client) override {
        client.attached(*this, static_cast<u8>(clients_.size()));
        clients_.push_back(&client);
        due_.push_back(kNotDue);
        refused_at_.push_back(~u64{0});
    }
    /// Steps the channel in its cycle `now`; returns the next cycle in which to do so.
    Cycle step(Cycle now);

    // -- completeness. A load sent `requests` requests here; each is settled in L2 or accepted by the controller. What is
    //    told at `now` is a message: it is known here in the memory's next cycle.
    void expect(Origin unit, u32 load, u32 requests, Tick now) override;
    void settled_in_l2(const Request& request, Tick now) override;

    /// Sees each request that the controller takes; null: none.
    void observe(RequestObserver* observer) { observer_ = observer; }
    /// The observer of traced requests, from here to the last beat.
    void trace(LifetimeObserver* lifetimes) {
        lifetimes_ = lifetimes;
        channel_.trace(lifetimes);
    }

    /// A message of another channel's controller that is due at `at`, later than now.
    void deliver(const dram::Message& message, Cycle at) {
        const Cycle wanted = channel_.deliver(message, at);
        if (wanted == kNever) return;
        channel_next_ = std::min(channel_next_, wanted);
        agenda_.wake(index_, wanted);
    }

    dram::Channel& channel() { return channel_; }
    u64 accepted_reads() const { return accepted_reads_; }
    u64 accepted_writes() const { return accepted_writes_; }
    u64 groups_completed() const { return groups_completed_; }
    bool quiet() const {
        return channel_.waiting() == 0 && channel_.completion() == nullptr && told_.empty() &&
               std::all_of(groups_.begin(), groups_.end(), [](const auto& list) { return list.empty(); });
    }

  private:
    struct Group {
        dram::GroupKey key;
        u32 expected = ~u32{0};
        u32 settled = 0;
        u32 members = 0;
    };

    /// What has been told of a load and is not known yet.
    struct Told {
        Tick at;
        dram::GroupKey key;
        u32 expected = 0;  // 0: a request was settled
    };

    static constexpr Tick kNotDue{~u64{0}};

    void announced(u32 client, Cycle due, Cycle now) override {
        look_at(client);
        const Clock& theirs = clients_[client]->clock();
        agenda_.wake(index_, std::max(clock_.at_or_after(theirs.tick(due)), clock_.after(theirs.tick(now))));
    }
    Cycle accept(Cycle now);
    void look_at(u32 client) {
        const auto& queue = clients_[client]->to_memory();
        due_[client] = queue.empty() ? kNotDue : clients_[client]->clock().tick(queue.front().at);
        first_due_ = *std::min_element(due_.begin(), due_.end());
    }
    std::vector<Group>& list_of(dram::GroupKey key) {
        return groups_[(key.load + key.sm * 8u) % groups_.size()];
    }
    Group& group(dram::GroupKey key);
    void check(Group& g, Cycle now);
    void tell(const Told& told) {
        told_.push(told);
        agenda_.wake(index_, clock_.after(told.at));
    }
    void take_told(Cycle now);

    dram::Channel channel_;
    Clock clock_;
    Agenda& agenda_;
    u32 index_;  // this channel in the memory's agenda
    std::vector<MemoryClient*> clients_;
    Tick first_due_ = kNotDue;
    std::vector<Tick> due_;  // when the head of each client's queue may be taken
    u32 next_client_ = 0;
    Cycle channel_next_{0};        // when the controller wants to be stepped
    std::vector<u64> refused_at_;  // room events of the channel when it refused a client's head
    // Loads in flight, spread over short lists: hundreds may wait for a busy channel.
    std::vector<std::vector<Group>> groups_ = std::vector<std::vector<Group>>(256);
    Ring<Told> told_;
    RequestObserver* observer_ = nullptr;
    LifetimeObserver* lifetimes_ = nullptr;
    u64 accepted_reads_ = 0, accepted_writes_ = 0, groups_completed_ = 0;
};

}  // namespace heddle
