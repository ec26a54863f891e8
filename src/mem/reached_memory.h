#pragma once
// A memory as a device reaches it: its channels, and the link that lies between the device's network and the L2 slices in
// front of them.

#include <vector>

#include "mem/geometry.h"
#include "mem/memory_client.h"

namespace heddle {

/// A memory's channel, as a device reaches it.
struct ReachedChannel {
    MemoryPort* port = nullptr;
    GroupObserver* groups = nullptr;  // null: its scheduler does not want to know which loads are complete
};
class Link;

struct ReachedMemory {
    Link* link = nullptr;  // null: there is none
    std::vector<ReachedChannel> channels;
    u32 access_bytes = kSectorBytes;  // that one access of DRAM brings
};

}  // namespace heddle
