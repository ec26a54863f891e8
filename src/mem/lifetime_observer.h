#pragma once
// Sees the lives of selected memory instructions and of their requests, station by station (machine/lifetimes.h keeps
// them). An SM asks once, when it issues an instruction, whether it is selected; its requests carry the answer in
// Request::traced, so a station pays one predictable branch, and without an observer nothing is ever traced.

#include <string_view>

#include "mem/request.h"

namespace heddle {

/// What a station reports about a traced request. The time is in the core's clock; in DRAM, in the memory's.
enum class RequestStep : u8 {
    sent,         // out of L1's pipeline, into the queue in front of the crossbar
    at_l2,        // whole at the slice
    l2_hit,       // looked up; what became of it
    l2_merged,    // its data are on their way already
    l2_missed,    // it goes on to DRAM
    l2_bypassed,  // so does this one, without a lookup
    l2_written,
    accepted,   // DRAM: in the controller's queue; bank and row are known from here
    precharge,  // DRAM: a command is issued for it
    activate,
    column,
    served,    // DRAM: last beat on the bus, or data written
    ready,     // its answer is known to L2
    answered,  // in the queue in front of the crossbar back
    returned,  // whole at the SM
};

/// What L1 held for a line of an instruction.
enum class L1Outcome : u8 { hit, merged, missed, bypassed };

/// A memory instruction that an SM hands to its load/store unit.
struct IssuedAccess {
    u16 sm = 0;
    u8 warp = 0;
    u8 app = 0;
    const char* what = "";    // load, store, ...
    std::string_view kernel;  // its name
    u64 pc = 0;
    u32 load =
        Request::kNoLoad;  // names it in the SM until its last line has arrived; stores have no such name
    u32 lines = 0;         // after coalescing
    Cycle at;
};

class LifetimeObserver {
  public:
    virtual ~LifetimeObserver() = default;
    /// Whether the instruction is traced.
    virtual bool issued(const IssuedAccess& access) = 0;
    /// L1 has taken a line of the SM's traced instruction number `instruction`, from 0 in the order of issue; its
    /// request, if it needs one; when it is done, if that is known (else kNever).
    virtual void line_taken(u16 sm, u32 instruction, PhysAddr line, L1Outcome outcome, const Request* request,
                            Cycle now, Cycle done) = 0;
    virtual void step(const Request& request, RequestStep step, Cycle at) = 0;
    /// L2 made `fetch` to bring what a traced atomic needs.
    virtual void fetched_for(const Request& request, const Request& fetch) = 0;
    /// The load has its data of this line, which came through L1. Called for every load, traced or not.
    virtual void line_arrived(u16 sm, u32 load, PhysAddr line, Cycle at) = 0;
    /// The request's end: its data can be used, or the write has been acknowledged.
    virtual void done(const Request& request, Cycle at) = 0;
};

}  // namespace heddle
