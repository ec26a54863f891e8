#pragma once
// A whole machine as its file describes it.

#include <map>
#include <optional>
#include <string>

#include "dram/settings.h"
#include "gpu/settings.h"

namespace heddle {

struct MachineSettings {
    std::optional<std::string> about;
    std::map<std::string, GpuSettings> gpus;
    std::map<std::string, dram::MemorySettings> memories;
    Cycle watchdog;  // core cycles without progress after which a run is aborted

    static const config::Schema<MachineSettings>& schema();
};

/// The GPU that a run uses. InputError if the machine, which the user calls `name`, has none or several.
const GpuSettings& the_gpu(const MachineSettings& machine, const std::string& name);

}  // namespace heddle
