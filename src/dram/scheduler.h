#pragma once
// What a DRAM scheduler is: the interface of every policy that orders requests or commands.
//
// A scheduler owns its queues. For each bank it puts at most one request on the board, with a key. The controller works
// out which command that request needs next (precharge, activate or column) and when timing allows it. Among the
// commands that can issue soonest it issues the one with the smallest key; where the device has two buses, one row
// command and one column command per clock. So:
//   - one level (FR-FCFS and its variants): the board holds each bank's best request, the key is the policy's
//     order; scheduler/queue_scheduler.h does everything but the order.
//   - two levels (transactions, then command queues): the board holds the head of each bank's command queue,
//     keys count from a round-robin pointer; scheduler/command_queues.h.
//   - anything else: put what you like on the board whenever you like.
// Idle time is skipped: a policy that must act by itself at a later time sets `board.alarm`.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "config/policy.h"
#include "dram/bank_mask.h"
#include "dram/channel.h"
#include "dram/device.h"
#include "dram/load_marks.h"
#include "mem/translation_pressure.h"
#include "sim/ring.h"

namespace heddle::dram {

/// What a scheduler offers to the controller.
struct Board {
    std::array<Request*, kMaxBanks> head{};
    std::array<u64, kMaxBanks> key{};  // smaller goes first; 0 and ~0 after the origin are the controller's
    BankMask held;                     // the request's row may be prepared, but its column commands wait
    std::array<u8, kMaxBanks> changed{};  // since the controller last looked: the first `changes` are listed
    std::array<bool, kMaxBanks> listed{};
    u32 changes = 0;
    u64 origin = 0;  // keys are compared as key - origin, wrapping: a round-robin moves this, not all keys
    bool rekeyed = false;  // set where a policy has written keys or the origin itself
    Cycle alarm = kNever;  // when `Scheduler::step` must be called
    /// Reads of an idealized policy that need no bank. Their bursts take the data bus in this order, before what banks
    /// offer, and obey only the rules of the whole rank. No command is counted or observed.
    Ring<Request*> bus_only;
    u64 room_events = 0;  // count here when a queue entry is freed

    void offer(u32 bank, Request* request, u64 order, bool hold = false) {
        head[bank] = request;
        key[bank] = order;
        if (hold) {
            held.set(bank);
        } else {
            held.clear(bank);
        }
        touch(bank);
    }
    void withdraw(u32 bank) {
        if (head[bank] == nullptr) return;
        head[bank] = nullptr;
        touch(bank);
    }
    void offer_bus(Request* request) {
        bus_only.push(request);
        rekeyed = true;
    }
    void touch(u32 bank) {
        if (listed[bank]) return;
        listed[bank] = true;
        changed[changes++] = static_cast<u8>(bank);
    }
};

/// A command that has just been issued.
struct Issued {
    CommandKind kind = CommandKind::activate;
    u32 bank = 0;
    Request* request = nullptr;  // the request served; null: refresh or page policy
    bool last = false;           // the request's last column command: it leaves the controller
    bool closes = false;         // the bank is closed now (precharge, auto-precharge)
    Cycle now;
};

/// Sends to the other controllers of the memory; the message arrives `latency` clocks later.
class Network {
  public:
    virtual ~Network() = default;
    virtual void send(const Message& message, Cycle now, u64 latency) = 0;
};

struct SchedulerContext {
    const MemorySettings& settings;
    const Resolved& resolved;
    const Device& device;
    Board& board;
    Network& network;
    u16 channel = 0;  // of settings.channels
    /// How applications suffer from translation; null where nothing reports it.
    const TranslationPressure* pressure = nullptr;
};

class Scheduler {
  public:
    virtual ~Scheduler() = default;

    /// How many applications run; called once before anything happens (never by `heddle dram`). InputError if the
    /// settings do not fit several.
    virtual void applications(u32 count) { (void)count; }
    virtual bool can_accept(const Request& request) const = 0;
    /// bank, row and bursts are set; can_accept was true.
    virtual void accept(Request* request, Cycle now) = 0;
    /// After each command, including those that no request asked for. With `last` the request is about to go.
    virtual void on_command(const Issued& issued) = 0;
    /// For a policy that acts by itself; called when board.alarm is due, which it must then move on.
    virtual void step(Cycle now) { (void)now; }
    /// Whether a waiting request other than `leaving` wants the row open in the bank (for page policies).
    virtual bool wants_row(u32 bank, const Request* leaving) const = 0;

    virtual bool wants_groups() const { return false; }
    virtual void group_complete(GroupKey group, u32 members, Cycle now) {
        (void)group, (void)members, (void)now;
    }
    virtual void on_message(const Message& message, Cycle now) { (void)message, (void)now; }
    /// Messages only affect later decisions: none needs a step of its own. Each still arrives before the first accept
    /// or step after it was due.
    virtual bool messages_wait() const { return false; }
    /// Cycles between calls of `signals`, 0 if the policy wants none: of the memory's clock, or of the cores'.
    virtual u64 epoch_cycles() const { return 0; }
    virtual bool epoch_in_core_cycles() const { return false; }
    /// What the policy has counted, for the run record; always the same names in the same order.
    virtual void report(std::vector<PolicyCounter>& to) const { (void)to; }
    /// The same for one application.
    virtual void report_app(u8 app, std::vector<PolicyCounter>& to) const { (void)app, (void)to; }
    /// By application, 0 goes first; empty if the policy ranks none. For reports and tests.
    virtual std::span<const u16> ranks() const { return {}; }
    virtual void signals(std::span<const AppSignals> apps, Cycle now) { (void)apps, (void)now; }
};

using SchedulerPoint = config::PolicyPoint<Scheduler, const SchedulerContext&>;
SchedulerPoint& schedulers();

/// The selected scheduler; an empty choice is fr-fcfs, and a choice without settings has the policy's defaults.
std::unique_ptr<Scheduler> make_scheduler(const config::Choice& choice, const SchedulerContext& context);
/// A choice made in code, with the policy's own settings. InputError if there is no such policy.
config::Choice scheduler_choice(std::string_view name);
template <class Settings>
config::Choice scheduler_choice(std::string_view name, const Settings& settings) {
    config::Choice choice;
    choice.choose(std::string(name));
    choice.keep(std::string(name), std::make_shared<Settings>(settings));
    return choice;
}

}  // namespace heddle::dram
