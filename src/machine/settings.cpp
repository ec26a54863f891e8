#include "machine/settings.h"

#include <algorithm>
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

std::vector<std::string> reached_memories(const MachineSettings& machine) {
    const std::string& home = machine.gpus.begin()->second.memory;
    std::vector<std::string> names{home};
    for (const auto& memory : machine.memories) {
        const std::string& name = memory.first;
        const bool own = std::any_of(machine.gpus.begin(), machine.gpus.end(),
                                     [&](const auto& gpu) { return gpu.second.memory == name; });
        const bool linked = std::any_of(machine.links.begin(), machine.links.end(),
                                        [&](const auto& link) { return link.second.to == name; });
        if (name != home && (own || linked)) names.push_back(name);
    }
    return names;
}

namespace {

/// Several memories, and pages that move, need parts that others do not.
config::Complaint pages_fit(const MachineSettings& m) {
    for (const auto& [name, link] : m.links) {
        const std::string key = "links." + name;
        if (const auto gpu = m.gpus.find(link.from); gpu != m.gpus.end() && gpu->second.memory == link.to)
            return {{key + ".to"},
                    fmt::format("{} is {}'s own memory, which needs no link", link.to, link.from)};
        for (const auto& [other, same] : m.links)
            if (other < name && same.from == link.from && same.to == link.to)
                return {{key + ".to"}, fmt::format("{} joins {} and {} already", other, link.from, link.to)};
    }
    if (m.gpus.empty()) return {};
    const auto& [gpu, settings] = *m.gpus.begin();
    const bool several = reached_memories(m).size() > 1;
    if (several && m.gpus.size() == 1 && !settings.translation.on())
        return {{"gpus." + gpu + ".translation.design", "links"},
                "a machine of several memories needs translation (ideal: without its cost)"};
    if (!several && m.placement.name() != "device")
        return {{"placement"},
                fmt::format("'{}' needs a second memory, at the end of a link", m.placement.name())};
    if (m.migration.name() == "none") return {};
    if (!several)
        return {{"migration"},
                fmt::format("'{}' needs a second memory, at the end of a link", m.migration.name())};
    if (m.gpus.size() > 1) return {{"migration"}, "pages move on machines of one GPU only"};
    if (settings.translation.l1_tlb.blocking == TlbBlocking::gpu)
        return {{"migration", "gpus." + gpu + ".translation.l1_tlb.blocking"},
                "pages cannot move where L1 TLBs wait for one another (l1_tlb.blocking: gpu)"};
    if (settings.l1.write != WritePolicy::through)
        return {{"migration", "gpus." + gpu + ".l1.write"}, "pages can move only where L1 writes through"};
    return {};
}

}  // namespace

const Schema<MachineSettings>& MachineSettings::schema() {
    using S = MachineSettings;
    static const auto s =
        Schema<S>("machine", "a simulated machine")
            .key("about", &S::about, {.about = "description for readers"})
            .map("gpus", &S::gpus, GpuSettings::schema(), {.alias = "gpu"})
            .map("memories", &S::memories, dram::MemorySettings::schema(), {.alias = "dram"})
            .map("links", &S::links, LinkSettings::schema())
            .one_of("capacity", &S::capacity,
                    {{"noted", CapacityRule::noted, "a run that uses more ends with a note"},
                     {"enforced", CapacityRule::enforced, "a run that uses more ends with an error"}},
                    {.def = "noted",
                     .about = "of a machine with one memory; where a GPU reaches several, each is enforced"})
            .choice("placement", &S::placement, placement_policies(),
                    {.def = "device", .about = "in which memory a page begins, where a GPU reaches several"})
            .choice("migration", &S::migration, migration_policies(),
                    {.def = "none", .about = "which pages move from the host's memory to the GPU's"})
            .section("page_moves", &S::page_moves, PageMovesSettings::schema())
            .section("host_copies", &S::host_copies, HostCopySettings::schema())
            .key("watchdog", &S::watchdog,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "10000000",
                  .min = "1000",
                  .about = "cycles without progress after which a run is aborted as a livelock"})
            .check_all(pages_fit);
    return s;
}

}  // namespace heddle
