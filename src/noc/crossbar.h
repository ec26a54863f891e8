#pragma once
// One direction of the crossbar: SMs to slices (requests) or slices to SMs (responses).
//
// A source port injects one flit a cycle, in order; a destination port grants one flit a cycle, round-robin over
// the sources that wait for it. A source may have `credits` packets in flight to or waiting at one destination;
// a credit returns `latency` cycles after the packet left the destination's buffer. A head without a credit
// blocks its port (head-of-line). Unloaded, a packet of f flits sent at t is delivered at t + latency + f - 1.

#include <array>
#include <vector>

#include "mem/geometry.h"
#include "mem/request.h"
#include "noc/settings.h"
#include "sim/agenda.h"
#include "sim/ring.h"

namespace heddle {

class Crossbar {
  public:
    enum class Carries : u8 { requests, responses };

    /// Sources and destinations are parts source_part.., destination_part.. of `agenda`.
    Crossbar(const CrossbarSettings& settings, Carries carries, u32 sources, u32 destinations, Agenda& agenda,
             u32 source_part, u32 destination_part);

    // -- at the source
    /// Room in the queue in front of the port?
    bool can_send(u32 source) const { return out_[source].size() < settings_.output_queue; }
    void send(u32 source, u32 destination, Request* packet) { out_[source].push({packet, destination}); }
    /// Injects what the port can inject at `now`; the cycle to call again (kNever: nothing to send, or a credit
    /// will wake the source).
    Cycle pump(u32 source, Cycle now);
    bool idle(u32 source) const { return out_[source].empty(); }

    // -- at the destination
    /// Anything on the way here, or waiting?
    bool expects(u32 destination) const {
        return ports_[destination].waiting != 0 || !flying_[destination].empty();
    }
    /// The packet that is granted at `now`, or null. It is whole at `*whole`.
    Request* receive(u32 destination, Cycle now, Cycle* whole);
    /// When receive can next give something, as far as known.
    Cycle next_arrival(u32 destination, Cycle now) const;

    u32 flits(const Request& r) const;
    u64 packets() const { return packets_; }
    u64 flits_moved() const { return flits_moved_; }
    u64 blocked_cycles() const { return blocked_cycles_; }
    bool empty() const { return delivered_ == packets_; }

  private:
    struct Out {
        Request* packet = nullptr;
        u32 destination = 0;
    };
    struct Arrival {
        Cycle at;
        Request* packet = nullptr;
        u32 source = 0;
    };
    struct Credit {
        Cycle at;
        u32 destination = 0;
    };
    struct Queue {
        Request* head = nullptr;
        Request* tail = nullptr;
    };
    struct Port {
        Cycle free{0};
        u32 last = 0;     // source granted last
        u32 waiting = 0;  // packets in the queues
    };

    u32 flits_of(u32 data_bytes) const;
    u32 grant(u32 destination);
    Request* granted(u32 destination, u32 source, Request* packet, Cycle now, Cycle* whole);

    CrossbarSettings settings_;
    Carries carries_;
    u32 sources_, destinations_, words_;
    std::array<u32, kSectors + 1> flits_by_sectors_{};
    Agenda& agenda_;
    u32 source_part_, destination_part_;

    std::vector<Ring<Out>> out_;
    std::vector<Cycle> source_free_;
    std::vector<Cycle> blocked_since_;  // kNever: not blocked
    std::vector<Ring<Credit>> returning_;
    std::vector<u16> credits_;  // [source][destination]

    std::vector<Ring<Arrival>> flying_;  // by destination, in time order
    std::vector<Queue> queues_;          // [destination][source]
    std::vector<u64> nonempty_;          // [destination][word]
    std::vector<Port> ports_;

    u64 packets_ = 0, delivered_ = 0, flits_moved_ = 0, blocked_cycles_ = 0;
};

}  // namespace heddle
