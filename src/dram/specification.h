#pragma once
// What all channels of a memory have in common, worked out once: the settings and what follows from them. Shared also
// for the sake of the host's caches.

#include <array>

#include "dram/location_map.h"
#include "dram/settings.h"
#include "dram/timing_table.h"

namespace heddle::dram {

struct Specification {
    /// Throws InputError if the settings do not fit each other.
    explicit Specification(const MemorySettings& settings);

    const MemorySettings settings;
    const Resolved resolved;
    const LocationMap map;
    const TimingTable timing;
    const std::array<u8, 256> bursts;  // column commands by sector mask
};

}  // namespace heddle::dram
