#pragma once
// What a machine file says about the crossbar between SMs and L2 slices.

#include "sim/types.h"

namespace heddle {

struct CrossbarSettings {
    u32 latency = 8;         // cycles from a source port to a destination port, each way
    u32 flit_bytes = 32;     // a port moves one flit a cycle
    u32 request_header = 8;  // bytes of a packet besides its data
    u32 response_header = 8;
    u32 credits = 8;       // packets that one source may have on the way to, or waiting at, one destination
    u32 output_queue = 8;  // packets waiting in front of a source port
};

}  // namespace heddle
