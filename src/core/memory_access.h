#pragma once
// A memory instruction in the load/store unit, as L1 and the MMU see it.

#include "mem/request.h"

namespace heddle {

enum class AccessKind : u8 { load, store, atomic, reduction, shared, prefetch };

struct MemoryAccess {
    static constexpr u8 kNoWarp = 0xff;  // of a write-back

    u32 pc = 0;  // its low bits
    AccessKind kind = AccessKind::load;
    u8 warp = 0;
    u8 app = 0;
    bool bypass = false;   // of L1
    bool fresh = false;    // something is to be done before its first line
    bool counted = false;  // its lines, by channel
    bool traced = false;
    u32 load = Request::kNoLoad;
    u32 lines = 0;   // not yet sent from the queue; of shared memory, passes
    u32 trace = 0;   // its number among the SM's traced instructions
    u32 flight = 0;  // of an MMU that holds lines; else 0
};

}  // namespace heddle
