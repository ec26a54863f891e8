#pragma once
// A whole machine as its file describes it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dram/settings.h"
#include "gpu/settings.h"
#include "link/settings.h"
#include "machine/host_copies.h"
#include "vm/migration_policy.h"
#include "vm/page_moves_settings.h"

namespace heddle {

/// What becomes of a run that uses more memory than there is, on a machine of one; several memories are always enforced.
enum class CapacityRule : u8 { noted, enforced };

struct MachineSettings {
    std::optional<std::string> about;
    std::map<std::string, GpuSettings> gpus;
    std::map<std::string, dram::MemorySettings> memories;
    std::map<std::string, LinkSettings> links;
    CapacityRule capacity = CapacityRule::noted;
    config::Choice placement, migration;  // of pages, with several memories
    PageMovesSettings page_moves;
    HostCopySettings host_copies;
    Cycle watchdog;  // core cycles without progress after which a run is aborted

    static const config::Schema<MachineSettings>& schema();
};

/// The memories that a machine's GPUs reach, in the order of their numbers: the first GPU's own, then by name those that
/// another GPU calls its own or a link leads to.
std::vector<std::string> reached_memories(const MachineSettings& machine);

/// The GPU that a run uses. InputError if the machine, which the user calls `name`, has none or several.
const GpuSettings& the_gpu(const MachineSettings& machine, const std::string& name);

}  // namespace heddle
