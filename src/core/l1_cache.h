#pragma once
// L1 with what leaves and enters it: the pipeline of its misses up to the crossbar port, the requests in flight, their
// answers.

#include "cache/cache.h"
#include "core/coalescer.h"
#include "core/load_groups.h"
#include "core/load_table.h"
#include "core/memory_access.h"
#include "mem/lifetime_observer.h"
#include "sim/stall_clock.h"
#include "vm/walk_port.h"

namespace heddle {

class FrontEnd;

class L1Cache final : public WalkPort {
  public:
    /// `divergence`: count what loads touch in DRAM.
    L1Cache(const L1Settings& settings, bool divergence, const SmWiring& wiring, SmStats& stats,
            LoadTable& loads, LoadGroups& groups, FrontEnd& warps);

    /// Bypassed by every load.
    bool off() const { return !settings_.enabled; }
    /// Before the first CTA of a kernel: L1 has `bytes` from now on, and is flushed if it shall be at a kernel's start or
    /// its size changes. It must be quiet.
    void begin_kernel(u64 bytes, Cycle now);

    // -- from the load/store unit
    /// Whether a line can come now. If not, the cycles until the next try count as a standstill.
    bool accepts(Cycle now) {
        stall_.end(now);
        return has_room() || blocked(stats_.stall_port_cycles, now);
    }
    /// One line of an instruction, right after accepts(). False if something is full: then nothing has changed, and the
    /// cycles until the next try count as a standstill.
    bool access(const MemoryAccess& inst, const LineAccess& piece, PhysAddr line, Cycle now);
    /// The last line that came was not taken.
    bool stalled() const { return stall_.running(); }

    // -- crossbar ports
    bool expects_answers() const { return wiring_.responses->expects(wiring_.index); }
    /// Takes the answer that is here, if any: a port gives at most one a cycle.
    void receive(Cycle now);
    Cycle next_answer(Cycle now) const { return wiring_.responses->next_arrival(wiring_.index, now); }
    /// Something waits to leave.
    bool sends() const {
        return !misses_.empty() || !walks_.empty() || !wiring_.requests->idle(wiring_.index);
    }
    void walk(Request* request, Cycle at) override { walks_.push_by_time({at, request}); }
    /// Sends what can leave; the next cycle with something to do.
    Cycle send(Cycle now);

    /// Tells the observer of traced lines from now on; null: none.
    void trace(LifetimeObserver* lifetimes) { lifetimes_ = lifetimes; }
    bool quiet() const { return cache_.quiet(); }
    bool drained() const { return in_flight_ == 0 && misses_.empty() && walks_.empty() && quiet(); }
    u64 in_flight() const { return in_flight_; }
    u32 outstanding() const { return cache_.outstanding(); }

  private:
    using Evicted = Cache<u32>::Evicted;
    /// What a request asks for.
    struct Ask {
        u32 line = 0;
        u8 sectors = 0, partial = 0, lanes = 0;
        RequestKind kind = RequestKind::read;
        bool bypass = false;
    };

    /// A page walk's read that waits for room among the misses.
    struct WalkRead {
        Cycle at;
        Request* request = nullptr;
    };

    /// A line makes at most one request, and one more if it evicts a dirty one.
    bool has_room() const { return misses_.size() + 2 <= room_; }
    bool blocked(u64& counter, Cycle now) {
        stall_.because(counter);
        stall_.begin(now);
        return false;
    }
    bool read(const MemoryAccess& inst, const LineAccess& piece, PhysAddr line, Cycle now);
    bool write(const MemoryAccess& inst, const LineAccess& piece, PhysAddr line, Cycle now);
    Request* request(const MemoryAccess& inst, const Ask& ask, Cycle now);
    void write_back(const Evicted& evicted, Cycle now);
    void filled(const Request& request, u64 usable, Cycle now);
    void write_done(u8 warp, Cycle now);
    Cycle take_walks(Cycle now);
    void tell_returned(const Request& request, Cycle whole, Cycle usable);

    const L1Settings settings_;
    const SmWiring wiring_;
    const u32 room_;  // requests in the pipeline and in front of the port
    const bool divergence_;
    SmStats& stats_;
    LoadTable& loads_;
    LoadGroups& groups_;
    FrontEnd& warps_;

    Cache<u32> cache_;
    u64 bytes_;                                // that it has at present
    Ring<std::pair<Cycle, Request*>> misses_;  // on the way to the crossbar port
    Ring<WalkRead> walks_;
    u64 in_flight_ = 0;  // requests made and not answered; not those of walks
    StallClock stall_;
    LifetimeObserver* lifetimes_ = nullptr;
};

}  // namespace heddle
