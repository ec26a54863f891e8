#include "machine/settings.h"

#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

using config::Schema;
using config::Unit;

const GpuSettings& the_gpu(const MachineSettings& machine, const std::string& name) {
    if (machine.gpus.size() == 1) return machine.gpus.begin()->second;
    if (machine.gpus.empty())
        throw InputError(fmt::format(
            "machine '{}' has no GPU, but a run needs one: gpus: {{NAME: {{...}}}}{}", name,
            machine.memories.empty() ? ", or extends: gtx480" : "; heddle dram runs its memory on its own"));
    throw InputError(
        fmt::format("machine '{}' has {} GPUs; a run supports exactly one", name, machine.gpus.size()));
}

const Schema<MachineSettings>& MachineSettings::schema() {
    using S = MachineSettings;
    static const auto s =
        Schema<S>("machine", "a simulated machine")
            .key("about", &S::about, {.about = "description for readers"})
            .map("gpus", &S::gpus, GpuSettings::schema(), {.alias = "gpu"})
            .map("memories", &S::memories, dram::MemorySettings::schema(), {.alias = "dram"})
            .key("watchdog", &S::watchdog,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "10000000",
                  .min = "1000",
                  .about = "cycles without progress after which a run is aborted as a livelock"});
    return s;
}

}  // namespace heddle
