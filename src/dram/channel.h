#pragma once
// One DRAM channel: controller and devices, command by command.
//
// The owner hands requests in, calls `step` when told, and drains completions. All times are cycles of the channel's
// command clock. Nothing needs a call in a cycle in which no command can issue: `step` returns the next cycle in which
// one may, and calling it more often changes nothing.
//
//     if (channel.can_accept(*request)) next = channel.accept(request, now);
//     if (next <= now) next = channel.step(now);
//     while (const Completion* done = channel.completion()) // oldest first
//         if (done->at > now) break; else { ...done->request...; channel.pop_completion(); }

#include <memory>
#include <span>
#include <vector>

#include "dram/command.h"
#include "dram/settings.h"
#include "mem/lifetime_observer.h"
#include "mem/request.h"
#include "sim/types.h"

namespace heddle {
struct TranslationPressure;
}

namespace heddle::dram {

class Controller;
class Scheduler;
struct Geometry;
struct Specification;
struct AppCounts;
struct Statistics;

/// Names a warp's load: the requests of one group are those with this (SM, load).
struct GroupKey {
    u32 sm = Origin::kNoUnit;  // Origin::flat_unit
    u32 load = Request::kNoLoad;

    GroupKey() = default;
    GroupKey(u32 sm, u32 load) : sm(sm), load(load) {}
    explicit GroupKey(const Request& r) : sm(r.origin.flat_unit()), load(r.load) {}
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
    /// As one number, never ~0.
    u64 packed() const { return u64{sm} << 32 | load; }
};
/// Whether a request belongs to such a group: for whoever reports that groups are complete, and for those who are told.
inline bool in_group(const Request& r) {
    return r.load != Request::kNoLoad && r.cls == RequestClass::data;
}

/// What a policy's counter means to the rest of the machine, whatever its name.
enum class CounterMeaning : u8 {
    own,                  // nothing: it is shown as it is
    rank_changes,         // how often the order of applications changed
    reads_held_by_drain,  // the controller marks reads that waited while writes were drained
    // Of one application, measured in windows of time:
    windows,
    first_windows,  // at whose end it came first
    window_bytes,
    mpki_windows,  // in which it issued instructions
    mpki_sum,      // of their misses for 10^9 instructions
};

/// A counter that only one policy has.
struct PolicyCounter {
    const char* name = "";
    const char* unit = "";
    u64 value = 0;
    CounterMeaning meaning = CounterMeaning::own;
};
/// The counter of this meaning; null if the policy has none.
const PolicyCounter* find(std::span<const PolicyCounter> counters, CounterMeaning meaning);
/// Adds one channel's counters to those of others, which have the same policy.
void add_counters(std::vector<PolicyCounter>& sum, const std::vector<PolicyCounter>& more);

/// A message between controllers; the policy that sends it defines what the words mean.
struct Message {
    u16 source = 0;  // channel
    u16 kind = 0;
    u32 word = 0;
    u64 key = 0;
    u64 value = 0;
};

/// The network between the controllers of one memory, made by the owner. A message that is sent must reach
/// `Channel::deliver` of every other channel.
class PeerPort {
  public:
    virtual ~PeerPort() = default;
    virtual void broadcast(const Message& message, Cycle at) = 0;
};

/// Cumulative counters of one application at an epoch's end, as the rest of the machine sees them.
struct AppSignals {
    u64 instructions = 0;  // committed, thread instructions
    u64 misses = 0;        // lines that missed in this channel's L2 slices
};

/// Sees every command in the order of issue (auditor, command trace).
class CommandObserver {
  public:
    virtual ~CommandObserver() = default;
    virtual void on_command(const Command& command) = 0;
};

class Channel {
  public:
    struct Completion {
        Request* request = nullptr;
        Cycle at;  // read: last beat on the bus; write: data written
    };

    /// `pressure`: how applications suffer from translation, for schedulers that want to know; null where nothing
    /// reports it. Throws InputError if the settings do not fit each other.
    Channel(const MemorySettings& settings, u16 index, const TranslationPressure* pressure = nullptr);
    /// The same for several channels of one memory, which share what follows from its settings.
    Channel(std::shared_ptr<const Specification> specification, u16 index,
            const TranslationPressure* pressure = nullptr);
    ~Channel();
    Channel(Channel&&) noexcept;
    Channel& operator=(Channel&&) noexcept;

    void connect(PeerPort* peers);
    void observe(CommandObserver* observer);
    /// The observer of the commands issued for traced requests.
    void trace(LifetimeObserver* lifetimes);

    /// How many applications will send requests. Throws InputError if the policy's settings do not fit them.
    void applications(u32 count);

    /// Whether the policy has room for a request of this kind now. It uses kind, class, app and warp type.
    bool can_accept(const Request& request) const;
    /// Takes a request: `local` is the byte address of its line in this channel, `sectors` the 32-byte sectors
    /// requested. Sets arrived, bank, row, bursts. Returns the next cycle in which step must be called: now, or what
    /// the last step returned if the request only joins a queue.
    Cycle accept(Request* request, Cycle now);
    /// All `members` requests of a load to this channel have been accepted, or never will be. Ignored unless
    /// wants_groups(). Returns when step must be called for it, as accept does.
    Cycle group_complete(GroupKey group, u32 members, Cycle now);
    bool wants_groups() const;
    /// A peer's message that is due at `at`, later than now. Returns when step must be called for it: then, or kNever
    /// if the policy need not see it before its next action.
    Cycle deliver(const Message& message, Cycle at);
    /// Cycles between calls of `signals`, of this memory or of the cores; 0 if the policy wants none.
    u64 epoch_cycles() const;
    bool epoch_in_core_cycles() const;
    void signals(std::span<const AppSignals> apps, Cycle now);

    /// Issues what can be issued at `now`, at most one command per command bus. Returns the next cycle at
    /// which it must be called (> now), kNever if asleep until an accept.
    Cycle step(Cycle now);

    /// Oldest completion not yet taken, even if its time is in the future; null if none.
    const Completion* completion() const;
    void pop_completion();
    /// Grows whenever queue room has appeared; compare with the value seen last.
    u64 room_events() const;
    /// Requests accepted and not yet in `completion()`.
    u64 waiting() const;

    /// How the policy ranks applications now, 0 first; empty if it does not rank them.
    std::span<const u16> ranks() const;

    /// What the policy has counted.
    std::vector<PolicyCounter> policy_counters() const;
    std::vector<PolicyCounter> policy_counters(u8 app) const;

    const Geometry& geometry() const;
    u64 clock_hz() const;
    /// Brings time-weighted figures up to `now`.
    const Statistics& statistics(Cycle now);
    /// An application's part of it, at less cost: nothing is brought up to date. Zeros if it has sent nothing.
    AppCounts counts(u8 app) const;

  private:
    std::unique_ptr<Controller> controller_;
};

}  // namespace heddle::dram
