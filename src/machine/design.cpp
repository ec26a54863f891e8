#include "machine/design.h"

#include <fmt/format.h>

#include "cache/settings.h"
#include "dram/scheduler.h"
#include "sim/error.h"
#include "vm/settings.h"

namespace heddle {

namespace {

/// The design sets `wanted` where the plain machine has `plain`.
template <class Point>
void choose(config::Choice& choice, const Point& point, std::string_view wanted, std::string_view plain,
            const std::string& key, TranslationDesign design) {
    if (choice.name() == wanted) return;
    if (choice.name() != plain)
        throw InputError(
            fmt::format("translation.design {} sets {}: {}, but it has been set to {}; {} with {}: {} is the "
                        "design without it",
                        name(design), key, wanted, choice.name(), name(TranslationDesign::shared_tlb), key,
                        choice.name()));
    const auto own = point.choose(wanted).shared(wanted);
    choice.choose(std::string(wanted));
    // Parameters that the machine gives for the policy stay.
    if (choice.find(wanted) == nullptr && own != nullptr) choice.keep(std::string(wanted), own);
}

}  // namespace

void apply_designs(MachineSettings& machine) {
    using D = TranslationDesign;
    for (auto& [gpu_name, gpu] : machine.gpus) {
        const D design = gpu.translation.design;
        const bool all = design == D::mask;
        if (design == D::fixed) gpu.split_l2_ways = gpu.split_channels = true;
        if (all || design == D::mask_tlb)
            choose(gpu.translation.fill, tlb_fill_policies(), "tokens", "all", gpu_name + ".translation.fill",
                   design);
        if (all || design == D::mask_cache)
            choose(gpu.l2.bypass, bypass_policies(), "mask", "none", gpu_name + ".l2.bypass", design);
        if (all || design == D::mask_dram)
            choose(machine.memories.at(gpu.memory).scheduler, dram::schedulers(), "mask", "fr-fcfs",
                   gpu.memory + ".scheduler", design);
    }
}

}  // namespace heddle
