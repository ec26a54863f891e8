#pragma once
// A memory request in flight: created by an SM (or a walker, a migration engine, a CPU core), carried through crossbar,
// L2 and DRAM controller, and returned. 64 bytes, pooled, never copied.
//
// Each field has one meaning and, at any time, one owner, who alone writes it; everybody may read what has been set.
//
//     fields                          owner, from when to when
//     line, local, channel, port      the router (mem/router.h), before the maker sends it
//     origin, app, load, pc,          its maker, before it sends it. L2 narrows `sectors` of a read that it fetches to
//     kind, cls, level, sectors, ...  what it fetches, and restores them when that has come
//     arrived, next                   the station that holds it: free to use from entry to departure
//     wanted, goes_around, fetch,     L2's slice, from the lookup to the answer, also while DRAM has the request
//     merged
//     client                          the memory client that sends it to a memory's channel
//     bank, row, bursts, ... started  DRAM's controller, from acceptance to completion. bank, row, bursts_left and
//                                     met_drain then tell the SM how it fared (dram/load_marks.h)

#include "sim/types.h"

namespace heddle {

/// An atomic returns the old value; a reduction does not.
enum class RequestKind : u8 { read, write, atomic, reduction };

/// Who created it and why; statistics and policies distinguish the classes.
enum class RequestClass : u8 { data, page_walk, write_back, migration, prefetch, count_ };

/// Who made a request.
struct Origin {
    static constexpr u16 kNoUnit = 0xffff;

    // Of the device: an SM, a core; kNoUnit: what is one for the whole device, as L2 or the walker.
    u16 unit = 0;
    u8 slot = 0;    // of the unit: a warp slot, a walk
    u8 device = 0;  // a GPU or a CPU, in the order in which the machine has them

    /// The unit among all of the machine.
    u32 flat_unit() const { return u32{device} << 16 | unit; }
    friend bool operator==(const Origin&, const Origin&) = default;
};

struct alignas(64) Request {  // one cache line of the host
    static constexpr u32 kNoLoad = 0xffffffff;
    static constexpr u32 kMostBursts = 31;

    PhysAddr line;            // first byte of the line; one line never spans two channels
    PhysAddr local;           // byte address inside the channel
    Cycle arrived;            // at the station that holds it, of its clock
    Request* next = nullptr;  // list of the station
    u32 load = kNoLoad;       // load instance in the SM's pool; a load is named by (origin's unit, load)
    u32 pc = 0;               // of the instruction, its low 32 bits; 0: made by none
    u32 row = 0;              // of the bank
    Origin origin;
    u16 channel = 0;  // destination: flat over the memories that its device reaches
    u16 port = 0;     // and the port there of the device's network, which is the number of the L2 slice
    u8 bank = 0;      // flat over pseudo-channel, rank, bank group, bank
    u8 client = 0;    // who gets it back from the channel
    u8 app = 0;
    u8 sectors = 0;      // 32-byte sectors wanted or carried, bit k: bytes 32k..32k+31 of the line
    u8 partial : 4 = 0;  // of a write: those that it does not cover completely
    u8 wanted : 4 = 0;   // of a read that fetches for itself: the sectors that it will be answered with
    u8 lanes = 0;        // lane operations of an atomic
    // Of an atomic, where L2 wants to know: the 4-byte word of the line on which most lanes act, and how many do.
    u8 busiest_word = 0;
    u8 busiest_lanes : 7 = 0;
    bool goes_around : 1 = false;  // a read that goes around this L2
    RequestKind kind : 2 = RequestKind::read;
    RequestClass cls : 3 = RequestClass::data;
    u8 level : 3 = 0;   // of a page walk's read: that of the page table, 1 = root (7 also stands for deeper)
    u8 bursts : 5 = 1;  // column commands that it takes
    bool cpu : 1 = false;         // a CPU core made it, not a GPU
    bool bypass_l1 : 1 = false;   // the answer goes to the load, not into L1
    bool traced : 1 = false;      // a LifetimeObserver wants to know its steps
    u8 bursts_left : 5 = 1;       // of those, still to be issued
    bool fetch : 1 = false;       // made by L2 to bring data; a read that misses goes to DRAM itself
    bool merged : 1 = false;      // of a page walk: it waits in L2 for what another request brings
    bool met_drain : 1 = false;   // a read that waited while writes were drained
    bool activated : 1 = false;   // an activate was issued for it
    bool precharged : 1 = false;  // a precharge was issued for it
    bool started : 1 = false;     // its first column command was issued

    bool is_write() const { return kind == RequestKind::write; }
    bool is_atomic() const { return kind == RequestKind::atomic || kind == RequestKind::reduction; }
    /// Its maker is no unit of a device.
    bool has_unit() const { return origin.unit != Origin::kNoUnit; }
};
static_assert(sizeof(Request) == 64);

}  // namespace heddle
