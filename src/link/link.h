#pragma once
// A coherent link between a GPU and a memory with its L2 slices. It lies between the GPU's crossbar and these slices: what
// misses L1 travels it, request and answer, and so do the lines of pages that move. Each direction carries one message
// after the other in the order in which they are sent. Core clock.
//
//     crossbar ── out ──> L2 slices of the memory
//              <── back ──

#include <array>
#include <string>

#include "link/settings.h"
#include "mem/geometry.h"
#include "mem/request.h"
#include "sim/clock.h"

namespace heddle {

enum class LinkDirection : u8 { out, back, count_ };

class Link {
  public:
    struct Stats {
        u64 messages = 0, bytes = 0;
        u64 wait_cycles = 0;  // for the messages before, summed over messages
    };

    Link(std::string name, const LinkSettings& settings, const Clock& clock);

    const std::string& name() const { return name_; }
    Cycle latency() const { return settings_.latency; }
    /// A message with so many bytes of data that is ready at `now`, in the order of time for each direction; when all of it
    /// is at the other end, later than now.
    Cycle carry(LinkDirection direction, u32 data_bytes, Cycle now);
    const Stats& stats(LinkDirection direction) const { return ways_[static_cast<u32>(direction)].stats; }

  private:
    struct Way {
        Cycle free{0};  // the cycle in which the last message ends
        u64 part = 0;   // of that cycle that it takes, in units of 1/rate_
        Stats stats;
    };

    std::string name_;
    LinkSettings settings_;
    u64 byte_cost_ = 0, rate_ = 0;  // a byte takes byte_cost_/rate_ cycles; rate_ 0: none
    std::array<Way, static_cast<std::size_t>(LinkDirection::count_)> ways_;
};

/// Bytes of data that a request carries to its memory, and that its answer brings. Of an atomic that is an operand of 4 bytes a
/// lane each way, of a reduction one way.
inline u32 data_bytes(const Request& r, LinkDirection direction) {
    const bool out = direction == LinkDirection::out;
    switch (r.kind) {
        case RequestKind::read:
            return out ? 0 : sector_count(r.sectors) * kSectorBytes;
        case RequestKind::write:
            return out ? sector_count(r.sectors) * kSectorBytes : 0;
        case RequestKind::atomic:
            return 4u * r.lanes;
        case RequestKind::reduction:
            return out ? 4u * r.lanes : 0;
    }
    return 0;
}

}  // namespace heddle
