// What a study's file says about machines, tried before anything runs.

#include <fmt/format.h>
#include <string_view>

#include "config/machine_file.h"
#include "gpu/share.h"
#include "machine/design.h"
#include "machine/settings.h"
#include "sim/error.h"
#include "study/study.h"

namespace heddle::study {
namespace {

/// The error about a variant's machine, at the setting that it refers to or at the machine.
[[noreturn]] void blame(const Study& study, std::size_t number, std::string_view error) {
    const Variant& variant = study.variants[number];
    const VariantPlaces& places = study.places[number];
    const std::string who =
        (study.boards.empty() ? "" : "board " + study.boards.front().name + ": ") + "variant " + variant.name;

    for (std::size_t k = 0; k < variant.sets.size(); ++k) {
        const std::string option = "--set " + variant.sets[k] + ": ";
        if (error.starts_with(option))
            config::fail(places.sets[k],
                         fmt::format("{}: {}: {}", who, variant.sets[k], error.substr(option.size())));
    }
    config::fail(places.machine, fmt::format("{}: {}", who, error));
}

u32 sms_of(const Study& study, std::size_t number) {
    const Variant& variant = study.variants[number];
    try {
        MachineSettings machine = config::load(
            MachineSettings::schema(), {.machine = variant.machine, .sets = variant.sets, .directories = {}});
        const u32 sms = the_gpu(machine, variant.machine).sms;
        apply_designs(machine);
        return sms;
    } catch (const InputError& error) {
        blame(study, number, error.what());
    }
}

}  // namespace

void check_machines(const Study& study) {
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
        const u32 sms = sms_of(study, v);
        for (const StudyWorkload& w : study.workloads) {
            if (w.division.search) continue;
            try {
                divide_sms(sms, static_cast<u32>(w.apps.size()), w.division.sms);
            } catch (const InputError& error) {
                std::string text = error.what();
                if (text.starts_with("--")) text.erase(0, 2);
                config::fail(w.division.sms.empty() ? w.origin : w.sms_origin,
                             fmt::format("workload {} on {}: {}", w.name, study.variants[v].name, text));
            }
        }
    }
}

}  // namespace heddle::study
