#include "study/run_spec.h"

#include <fmt/format.h>

#include "config/machine_file.h"
#include "sim/build.h"
#include "sim/join.h"
#include "study/sha256.h"
#include "system/design.h"
#include "system/machine.h"
#include "system/seeds.h"
#include "system/share.h"

namespace heddle::study {

std::vector<std::string> arguments(const RunSpec& run) {
    std::vector<std::string> out{"run", "--json", "--machine=" + run.variant.machine};
    for (const std::string& set : run.variant.sets) out.push_back("--set=" + set);
    for (const std::string& plugin : run.common.plugins) out.push_back("--plugin=" + plugin);
    out.insert(out.end(), run.common.options.begin(), run.common.options.end());
    if (run.seed) out.push_back(fmt::format("--seed={}", *run.seed));
    if (!run.workload.sms.empty()) out.push_back("--sms=" + join(run.workload.sms, ","));
    if (run.alone != 0) out.push_back(fmt::format("--alone={}", run.alone));
    for (const AppSpec& app : run.workload.apps) {
        if (&app != &run.workload.apps.front()) out.push_back("+");
        out.push_back(app.word);
        out.insert(out.end(), app.arguments.begin(), app.arguments.end());
    }
    return out;
}

const Keys::Resolved& Keys::resolved(const Variant& variant) {
    const std::string name = variant.machine + "\n" + join(variant.sets, "\n");
    const auto it = machines_.find(name);
    if (it != machines_.end()) return it->second;
    Machine machine = config::load(Machine::schema(),
                                   {.machine = variant.machine, .sets = variant.sets, .directories = {}});
    const u32 sms = the_gpu(machine, variant.machine).sms;
    apply_designs(machine);  // the policies of a design have settings too
    Resolved r;
    r.description = config::describe(Machine::schema(), machine);
    r.seeded = !seed_keys(r.description).empty();
    machine.about.reset();
    r.digest = sha256(config::to_yaml(config::describe(Machine::schema(), machine)));
    r.sms = sms;
    return machines_.emplace(name, std::move(r)).first->second;
}

std::string Keys::key(const RunSpec& run) {
    const Resolved& machine = resolved(run.variant);
    std::string text = fmt::format("heddle {} {}\nmachine {}\n", heddle_version(), program_, machine.digest);
    for (const std::string& plugin : run.common.plugins)
        text += fmt::format("plugin {}\n", digest_(plugin, user_));
    for (const std::string& option : run.common.options) text += fmt::format("option {}\n", option);
    if (run.seed) text += fmt::format("option --seed={}\n", *run.seed);
    const auto& apps = run.workload.apps;
    const auto shares = divide_sms(machine.sms, static_cast<u32>(apps.size()), run.workload.sms);
    for (std::size_t k = 0; k < apps.size(); ++k) {
        if (run.alone != 0 && run.alone != k + 1) continue;
        text += fmt::format("application on {} SMs from {}, part {} of {}\n{}\n", shares[k].sms,
                            shares[k].first_sm, shares[k].part, shares[k].parts, apps[k].identity);
    }
    return sha256(text).substr(0, 32);
}

}  // namespace heddle::study
