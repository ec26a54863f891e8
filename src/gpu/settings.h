#pragma once
// What a machine file says of one GPU.

#include <string>

#include "cache/settings.h"
#include "core/settings.h"
#include "mem/address_map.h"
#include "noc/settings.h"
#include "vm/settings.h"

namespace heddle {

struct GpuSettings {
    u64 clock_hz = 0;
    u32 sms = 0;
    SmSettings sm;
    L1Settings l1;
    CrossbarSettings crossbar;
    L2Settings l2;
    AddressMapSettings address_map;
    TranslationSettings translation;
    bool split_l2_ways = false, split_channels = false;  // among applications; see Share
    std::string memory;                                  // the machine's memory behind its L2 slices
    Cycle memory_latency;                                // fixed path between a slice and its DRAM controller
    Cycle launch_latency;                                // before the first CTA of a launch starts
    u32 concurrent_kernels = 0;                          // of one application

    static const config::Schema<GpuSettings>& schema();
};

}  // namespace heddle
