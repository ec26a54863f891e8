#pragma once
// What every client of a memory keeps to, whoever it is (an L2 slice, a CPU's cache, a link), checked by one suite:
//
//   back-pressure   while the memory takes nothing, no more than a bounded number waits towards it, and whoever waits
//                   for room says so and goes on when there is some
//   order           what it sends may be taken in the order in which it sent it
//   conservation    each request comes back once, and each piece of work from above is done once
//   drain           without new work, all work is done and the client has nothing left, nor anything to wake for
//   cut off         the same from any cycle on in which the work stops, and it may be dropped in any cycle
//   wakes           a wake for nothing changes nothing
//
// broken() returns the first rule that a client breaks, or nothing. A client comes in a rig that makes its work.

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mem/memory_client.h"
#include "sim/random.h"

namespace heddle::test {

class ClientRig {
  public:
    virtual ~ClientRig() = default;
    virtual Domain& domain() = 0;
    virtual MemoryClient& client() = 0;
    /// There is no new work from now on.
    virtual void stop() = 0;
    /// Pieces of work that the client has got, and those that are done.
    virtual u64 begun() const = 0;
    virtual u64 done() const = 0;
    /// Requests that wait in to_memory() at most.
    virtual u32 most_outgoing() const = 0;
    /// The client has nothing left.
    virtual bool quiet() const = 0;
    /// What the rig itself has seen go wrong; empty: nothing.
    virtual std::string wrong() const { return {}; }
};
using MakeRig = std::function<std::unique_ptr<ClientRig>(const Clock& clock, u32 seed)>;

/// A channel that takes what is due at random times and answers after random ones, later requests before earlier ones
/// too. Closed, it takes nothing.
class ScriptedMemory final : public Domain, private MemoryPort {
  public:
    struct Taken {
        u64 at = 0;  // cycle of the memory's clock
        u64 line = 0;
        RequestKind kind = RequestKind::read;
        u8 sectors = 0;
        friend bool operator==(const Taken&, const Taken&) = default;
    };

    ScriptedMemory(const Clock& clock, MemoryClient& client, u32 seed)
        : Domain(clock, 1), client_(client), random_(seed) {
        attach(client);
    }
    void attach(MemoryClient& client) override { client.attached(*this, kIndex); }
    void close(bool closed) {
        closed_ = closed;
        agenda().wake(0, now() + 1);
    }
    const std::vector<Taken>& taken() const { return taken_; }
    std::size_t open() const { return in_flight_.size(); }
    const std::string& wrong() const { return wrong_; }

  private:
    static constexpr u8 kIndex = 3;
    struct InFlight {
        Cycle known;
        Request* request = nullptr;
    };

    void run(Cycle now) override {
        agenda().run(now, [&](u32) { step(now); });
    }
    void announced(u32 client, Cycle due, Cycle now) override {
        if (client != kIndex) complain("it announces what it sends as another client");
        const Clock& theirs = client_.clock();
        agenda().wake(0, std::max(clock().at_or_after(theirs.tick(due)), clock().after(theirs.tick(now))));
    }
    void step(Cycle now) {
        const auto& queue = client_.to_memory();
        const Tick tick = clock().tick(now);
        while (!closed_ && !queue.empty() && client_.clock().tick(queue.front().at) <= tick) {
            // What the memory does at a time depends on that time alone, not on how often it is stepped.
            if (mix64(now.v * 16 + taken_this_cycle(now)) % 3 == 0) break;
            if (queue.front().at < last_sent_) complain("it sends out of order");
            last_sent_ = queue.front().at;
            const Cycle known = client_.clock().after(tick);
            if (client_.waits_for_memory_room()) client_.wake(known);
            const u32 before = client_.outgoing(known - 1);
            Request* r = client_.take(known);
            if (client_.outgoing(known - 1) != before) complain("it knows of room at once");
            if (r->client != kIndex) complain("a request does not say whose it is");
            if (!there_.insert(r).second) complain("it sends a request that the memory still has");
            taken_.push_back({now.v, r->line.v, r->kind, r->sectors});
            in_flight_.push_back({now + 1 + random_.below(60), r});
        }
        for (std::size_t k = 0; k < in_flight_.size();) {
            if (in_flight_[k].known > now) {
                ++k;
                continue;
            }
            Request* r = in_flight_[k].request;
            in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(k));
            there_.erase(r);
            // The last beat may be on the bus later than it is known.
            const Cycle at = client_.clock().after(clock().tick(now + mix64(taken_.size() + k) % 20));
            client_.from_memory(r, at);
            client_.wake(at);
        }
        for (const InFlight& f : in_flight_) agenda().wake(0, f.known);
        if (!closed_ && !queue.empty())
            agenda().wake(0, std::max(now + 1, clock().at_or_after(client_.clock().tick(queue.front().at))));
    }
    u64 taken_this_cycle(Cycle now) const {
        u64 n = 0;
        for (auto t = taken_.rbegin(); t != taken_.rend() && t->at == now.v; ++t) ++n;
        return n;
    }
    void complain(const char* what) {
        if (wrong_.empty()) wrong_ = what;
    }

    MemoryClient& client_;
    Random random_;
    bool closed_ = false;
    Cycle last_sent_{0};
    std::vector<Taken> taken_;
    std::vector<InFlight> in_flight_;
    std::set<const Request*> there_;
    std::string wrong_;
};

/// A rig and a memory in one engine.
class ContractRun {
  public:
    ContractRun(const MakeRig& make, u64 client_period, u64 memory_period, u32 seed)
        : rig_(make(Clock(1'000'000'000, client_period), seed)),
          memory_(Clock(1'000'000'000, memory_period), rig_->client(), seed) {
        engine_.add(memory_);
        engine_.add(rig_->domain());
        rig_->client().wake(Cycle(1));
    }
    /// Until the client's cycle `end`; `restless`: the client is woken in each cycle in which anything happens.
    void run_to(u64 end, bool restless = false) {
        const Tick limit = rig_->domain().clock().tick(Cycle(end));
        for (;;) {
            const Engine::Due due = engine_.next();
            if (due.at >= limit) return;
            due.domain->run_next();
            if (due.domain == &rig_->domain()) {
                most_ = std::max(most_, rig_->client().to_memory().size());
                if (restless) rig_->client().wake(rig_->domain().now() + 1);
            }
        }
    }
    /// No new work, and time for what there is.
    std::string drain() {
        rig_->stop();
        run_to(rig_->domain().now().v + 200'000);
        return wrong();
    }
    std::string wrong() const {
        if (!memory_.wrong().empty()) return memory_.wrong();
        if (!rig_->wrong().empty()) return rig_->wrong();
        if (!overflow().empty()) return overflow();
        if (engine_.next().domain != nullptr) return "it does not come to rest";
        if (!rig_->client().to_memory().empty() || memory_.open() != 0) return "requests are left over";
        if (rig_->begun() != rig_->done())
            return fmt::format("of {} pieces of work {} were done", rig_->begun(), rig_->done());
        if (!rig_->quiet()) return "it says that it is not quiet";
        return {};
    }

    std::string overflow() const {
        if (most_ <= rig_->most_outgoing()) return {};
        return fmt::format("{} requests wait towards the memory, but {} may", most_, rig_->most_outgoing());
    }

    ClientRig& rig() { return *rig_; }
    ScriptedMemory& memory() { return memory_; }

  private:
    std::unique_ptr<ClientRig> rig_;
    ScriptedMemory memory_;
    Engine engine_;
    u32 most_ = 0;
};

/// The first rule that the client breaks; empty: none.
inline std::string broken(const MakeRig& make) {
    constexpr u64 kLong = 3'000;
    constexpr std::pair<u64, u64> kClocks[] = {{1, 1}, {3, 2}, {2, 7}};
    for (u32 seed = 1; seed <= 3; ++seed) {
        const u64 client = kClocks[seed - 1].first, memory = kClocks[seed - 1].second;
        const auto in = [&](const char* when, const std::string& what) {
            return fmt::format("{}, clocks {}:{}: {}", when, client, memory, what);
        };
        // Conservation, drain, wakes.
        std::vector<ScriptedMemory::Taken> logs[2];
        for (const bool restless : {false, true}) {
            ContractRun run(make, client, memory, seed);
            run.run_to(kLong, restless);
            if (run.rig().done() == 0) return in("at work", "nothing gets done");
            logs[restless] = run.memory().taken();
            if (const std::string wrong = run.drain(); !wrong.empty()) return in("at work", wrong);
        }
        if (logs[0] != logs[1]) return in("woken for nothing", "it sends something else");
        // Back-pressure.
        {
            ContractRun run(make, client, memory, seed);
            run.memory().close(true);
            run.run_to(kLong);
            if (!run.overflow().empty()) return in("in front of a closed memory", run.overflow());
            if (!run.rig().client().waits_for_memory_room())
                return in("in front of a closed memory", "it does not say that it waits");
            const u64 done = run.rig().done();
            run.run_to(2 * kLong);
            if (run.rig().done() > done + 1) return in("in front of a closed memory", "work gets done");
            run.memory().close(false);
            run.run_to(3 * kLong);
            if (run.rig().done() <= done + 1) return in("after a closed memory", "it does not go on");
            if (const std::string wrong = run.drain(); !wrong.empty())
                return in("after a closed memory", wrong);
        }
        // Cut off, and dropped.
        for (u64 cut = 1; cut < kLong; cut += 1 + cut / 7) {
            ContractRun run(make, client, memory, seed);
            run.run_to(cut);
            if (const std::string wrong = run.drain(); !wrong.empty())
                return in(fmt::format("cut off in cycle {}", cut).c_str(), wrong);
            ContractRun dropped(make, client, memory, seed);
            dropped.run_to(cut);
        }
    }
    return {};
}

}  // namespace heddle::test
