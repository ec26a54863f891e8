#pragma once
// A whole machine as its file describes it.

#include <map>
#include <optional>
#include <string>

#include "cache/settings.h"
#include "core/settings.h"
#include "dram/settings.h"
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

struct Machine {
    std::optional<std::string> about;
    std::map<std::string, GpuSettings> gpus;
    std::map<std::string, dram::MemorySettings> memories;
    Cycle watchdog;  // core cycles without progress after which a run is aborted

    static const config::Schema<Machine>& schema();
};

/// The GPU that a run uses. InputError if the machine, which the user calls `name`, has none or several.
const GpuSettings& the_gpu(const Machine& machine, const std::string& name);

}  // namespace heddle
