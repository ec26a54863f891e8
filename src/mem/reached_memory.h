#pragma once
// A memory as a device reaches it: directly, or through a link, which is a port to those before it and a client of the
// port behind it.

#include <vector>

#include "mem/geometry.h"
#include "mem/memory_client.h"

namespace heddle {

/// A memory's channel, as a device reaches it: the channel itself or a link to it.
struct ReachedChannel {
    MemoryPort* port = nullptr;
    GroupObserver* groups = nullptr;  // null: its scheduler does not want to know which loads are complete
};
struct ReachedMemory {
    std::vector<ReachedChannel> channels;
    u32 access_bytes = kSectorBytes;  // that one access of DRAM brings
};

}  // namespace heddle
