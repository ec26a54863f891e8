#pragma once
// Whoever reads and writes a memory: an L2 slice, a CPU's last cache, a link. It stands in its own clock domain; the
// memory's channel takes what it sends when its time has come, and gives back reads with their data and writes that are
// done.

#include <utility>

#include "mem/request.h"
#include "sim/engine.h"
#include "sim/ring.h"

namespace heddle {

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

    /// In the order in which the channel may take them.
    Ring<Outgoing>& to_memory() { return to_memory_; }
    const Ring<Outgoing>& to_memory() const { return to_memory_; }
    /// When the first request that was added since the last call may be taken; kNever if none was.
    Cycle take_new_outgoing() { return std::exchange(new_outgoing_, kNever); }
    /// Something of the client waits for room in to_memory(), and wants to be woken when there is some.
    virtual bool waits_for_memory_room() const = 0;
    /// A read's data, or a write's completion, is at the client at cycle `at` of its clock.
    virtual void from_memory(Request* request, Cycle at) = 0;

  protected:
    ~MemoryClient() = default;
    void send_to_memory(Request* request, Cycle at) {
        if (new_outgoing_ == kNever) new_outgoing_ = at;
        to_memory_.push({at, request});
    }

  private:
    Domain& domain_;
    u32 part_;
    Ring<Outgoing> to_memory_;
    Cycle new_outgoing_ = kNever;
};

/// Told of what became of a load's requests before they reached the memory, where a DRAM scheduler wants to know.
class GroupObserver {
  public:
    virtual ~GroupObserver() = default;
    /// One request of the load was settled in L2 without a DRAM request of its own (hit or merge).
    virtual void settled_in_l2(const Request& request, Tick now) = 0;
};

}  // namespace heddle
