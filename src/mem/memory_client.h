#pragma once
// Whoever reads and writes a memory: an L2 slice, a CPU's last cache, a link. It stands in its own clock domain; the
// memory's channel takes what it sends when its time has come, and gives back reads with their data and writes that are
// done.
//
// What a client may rely on, and what it must keep to, is checked by one suite: tests/memory/client_contract.h.

#include <utility>

#include "mem/request.h"
#include "sim/engine.h"
#include "sim/ring.h"

namespace heddle {

class MemoryClient;

/// A memory's channel, as its clients see it, or what leads to one.
class MemoryPort {
  public:
    /// Before the first request, at most 256 clients.
    virtual void attach(MemoryClient& client) = 0;
    /// A client has sent something that may be taken from `due` on; it was stepped at `now` of its clock.
    virtual void announced(u32 client, Cycle due, Cycle now) = 0;

  protected:
    ~MemoryPort() = default;
};

class MemoryClient {
  public:
    struct Outgoing {
        Cycle at;  // of the client's clock: from then on the channel may take it
        Request* request = nullptr;
    };

    /// Part `part` of the domain is stepped when the client is woken.
    MemoryClient(Domain& domain, u32 part) : domain_(domain), part_(part) {}
    MemoryClient(const MemoryClient&) = delete;
    MemoryClient& operator=(const MemoryClient&) = delete;

    const Clock& clock() const { return domain_.clock(); }
    void wake(Cycle at) { domain_.agenda().wake(part_, at); }

    // -- for the channel
    /// Before the first request: it is the channel's client number `index`.
    void attached(MemoryPort& channel, u8 index) {
        channel_ = &channel;
        index_ = index;
    }
    /// In the order in which the channel may take them.
    const Ring<Outgoing>& to_memory() const { return to_memory_; }
    /// The channel takes the first of them; the client knows of the room from `known` of its clock on, a later cycle.
    Request* take(Cycle known) {
        if (known != room_known_) {
            room_known_ = known;
            taken_ = 0;
        }
        ++taken_;
        return to_memory_.pop().request;
    }
    /// Something of the client waits for room in to_memory(), and wants to be woken when there is some.
    virtual bool waits_for_memory_room() const = 0;
    /// A read's data, or a write's completion, is at the client at cycle `at` of its clock.
    virtual void from_memory(Request* request, Cycle at) = 0;

    /// Requests in to_memory() as far as the client knows at `now`.
    u32 outgoing(Cycle now) const { return to_memory_.size() + (room_known_ > now ? taken_ : 0); }

    // -- for the client's owner
    /// After each step of the client.
    void announce(Cycle now) {
        if (new_outgoing_ == kNever) return;
        channel_->announced(index_, std::exchange(new_outgoing_, kNever), now);
    }

  protected:
    ~MemoryClient() = default;
    /// When the client learns of the room that there is already; not later than now: there is none.
    Cycle room_known() const { return room_known_; }
    void send_to_memory(Request* request, Cycle at) {
        if (new_outgoing_ == kNever) new_outgoing_ = at;
        request->client = index_;
        to_memory_.push({at, request});
    }

  private:
    Domain& domain_;
    MemoryPort* channel_ = nullptr;
    u32 part_;
    u8 index_ = 0;
    Ring<Outgoing> to_memory_;
    Cycle room_known_{0};  // of the `taken_` requests that the channel took last
    u32 taken_ = 0;
    Cycle new_outgoing_ = kNever;  // the first that has been added since the last announce()
};

/// Told of what became of a load's requests before they reached the memory's channel, where a DRAM scheduler wants to know.
class GroupObserver {
  public:
    virtual ~GroupObserver() = default;
    /// A load of the unit sends so many requests here: not 0, and no more will come.
    virtual void expect(Origin unit, u32 load, u32 requests, Tick now) = 0;
    /// One request of the load was settled in L2 without a DRAM request of its own (hit or merge).
    virtual void settled_in_l2(const Request& request, Tick now) = 0;
};

}  // namespace heddle
