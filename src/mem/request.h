#pragma once
// A memory request in flight: created by an SM (or a walker, a migration engine, a CPU core), carried through crossbar,
// L2 and DRAM controller, and returned. 64 bytes, pooled, never copied.

#include "sim/types.h"

namespace heddle {

/// An atomic returns the old value; a reduction does not.
enum class RequestKind : u8 { read, write, atomic, reduction };

/// Who created it and why; statistics and policies distinguish the classes.
enum class RequestClass : u8 { data, page_walk, write_back, migration, prefetch, count_ };

struct alignas(64) Request {  // one cache line of the host
    static constexpr u32 kNoLoad = 0xffffffff;

    PhysAddr line;            // first byte of the line; one line never spans two channels
    PhysAddr local;           // byte address inside the channel, set by the address map
    Cycle issued;             // clock of the maker: cycle at which it left the SM
    Cycle arrived;            // clock of the present station: cycle at which it entered it
    Request* next = nullptr;  // intrusive list of the present station
    u32 load = kNoLoad;       // load instance in the SM's pool; groups are named by (sm, load)
    u32 row = 0;   // DRAM coordinates, set by the controller on acceptance; of an atomic before: words
    u16 bank = 0;  // flat over pseudo-channel, rank, bank group, bank
    u16 sm = 0;    // flat over the GPU; kNoSm if no SM created it
    u16 channel = 0;
    u8 sectors = 0;  // 32-byte sectors wanted or carried, bit k: bytes 32k..32k+31 of the line
    u8 warp = 0;
    u8 app = 0;
    RequestKind kind : 2 = RequestKind::read;
    RequestClass cls : 3 = RequestClass::data;
    bool cpu : 1 = false;        // a CPU core made it, not a GPU
    bool bypass_l1 : 1 = false;  // the answer goes to the load, not into L1
    bool traced : 1 = false;     // a LifetimeObserver wants to know its steps
    u8 bursts = 1;               // column commands that it takes
    u8 bursts_left = 1;
    u8 slice = 0;  // L2 slice within the channel
    /// For a write, the sectors that it does not cover completely; for a read in DRAM, those that were requested from
    /// L2.
    u8 partial = 0;
    u8 lanes = 0;  // lane operations of an atomic; of a page walk's read its level, 1 = root
    u8 flags = 0;  // bits owned by the station that holds the request

    bool is_write() const { return kind == RequestKind::write; }
    bool is_atomic() const { return kind == RequestKind::atomic || kind == RequestKind::reduction; }
    /// Of an atomic until DRAM's controller has it: the 4-byte word of the line on which most lanes act, and how many.
    void set_busiest_word(u8 word, u8 on_it) { row = u32{on_it} << 8 | word; }
    u8 busiest_word() const { return static_cast<u8>(row); }
    u8 busiest_lanes() const { return static_cast<u8>(row >> 8); }
    /// 0: data; 1 to 7: the level of the page table that a walk reads, where 1 is the root (7 also stands for deeper
    /// levels).
    u8 walk_level() const { return cls == RequestClass::page_walk ? lanes : u8{0}; }
};
static_assert(sizeof(Request) == 64);

inline constexpr u16 kNoSm = 0xffff;

}  // namespace heddle
