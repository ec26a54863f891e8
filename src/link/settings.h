#pragma once
// What a machine file says of a link: a way from a GPU to a memory that is not its own.

#include <string>

#include "config/schema.h"

namespace heddle {

struct LinkSettings {
    std::string from, to;  // a GPU, a memory
    Cycle latency;         // of the GPU, in each direction
    u64 bytes_per_s = 0;   // in each direction; 0: no limit
    u32 header_bytes = 0;  // of each message, besides its data
    static const config::Schema<LinkSettings>& schema();
};

}  // namespace heddle
