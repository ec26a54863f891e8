#include "study/run_spec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/machine_file.h"
#include "gpu/share.h"
#include "machine/design.h"
#include "machine/seeds.h"
#include "machine/settings.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/sha256.h"

namespace heddle::study {

namespace {

using nlohmann::json;

/// Names of files and arguments are bytes, and need not be UTF-8: each byte becomes the character of its number.
std::string characters(const std::string& bytes) {
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) out += static_cast<char>(0xc0 | byte >> 6);
        out += static_cast<char>(byte < 0x80 ? byte : 0x80 | (byte & 0x3f));
    }
    return out;
}
std::string bytes(const std::string& characters) {
    std::string out;
    for (std::size_t k = 0; k < characters.size(); ++k) {
        auto byte = static_cast<unsigned char>(characters[k]);
        if (byte >= 0x80 && k + 1 < characters.size())
            byte =
                static_cast<unsigned char>(byte << 6 | (static_cast<unsigned char>(characters[++k]) & 0x3f));
        out += static_cast<char>(byte);
    }
    return out;
}

json list(const std::vector<std::string>& texts) {
    json out = json::array();
    for (const std::string& text : texts) out.push_back(characters(text));
    return out;
}
std::vector<std::string> texts(const json& list) {
    std::vector<std::string> out;
    for (const json& text : list) out.push_back(bytes(text.get<std::string>()));
    return out;
}

}  // namespace

std::string spec_json(const RunSpec& run) {
    json applications = json::array();
    for (const AppSpec& app : run.workload.apps)
        applications.push_back({{"word", characters(app.word)}, {"arguments", list(app.arguments)}});
    json out{{"machine", characters(run.variant.machine)},
             {"sets", list(run.variant.sets)},
             {"plugins", list(run.common.plugins)},
             {"options", list(run.common.options)},
             {"applications", applications}};
    if (run.seed) out["seed"] = *run.seed;
    if (!run.workload.sms.empty()) out["sms"] = run.workload.sms;
    if (run.alone != 0) out["alone"] = run.alone;
    if (run.hash) out["hash"] = true;
    return out.dump(-1, ' ', true);
}

RunSpec parse_spec(const std::string& text) {
    try {
        const json in = json::parse(text);
        RunSpec run;
        run.variant.machine = bytes(in.at("machine").get<std::string>());
        run.variant.sets = texts(in.at("sets"));
        run.common = {texts(in.at("plugins")), texts(in.at("options"))};
        for (const json& app : in.at("applications"))
            run.workload.apps.push_back(
                {bytes(app.at("word").get<std::string>()), texts(app.at("arguments"))});
        if (in.contains("seed")) run.seed = in.at("seed").get<u64>();
        if (in.contains("sms")) run.workload.sms = in.at("sms").get<std::vector<u32>>();
        run.alone = in.value("alone", 0u);
        run.hash = in.value("hash", false);
        return run;
    } catch (const json::exception& error) {
        throw InputError(fmt::format("cannot read the specification of a run: {}", error.what()));
    }
}

const Keys::Resolved& Keys::resolved(const Variant& variant) {
    const std::string name = variant.machine + "\n" + join(variant.sets, "\n");
    const auto it = machines_.find(name);
    if (it != machines_.end()) return it->second;
    MachineSettings machine = config::load(
        MachineSettings::schema(), {.machine = variant.machine, .sets = variant.sets, .directories = {}});
    const u32 sms = the_gpu(machine, variant.machine).sms;
    apply_designs(machine);  // the policies of a design have settings too
    Resolved r;
    r.description = config::describe(MachineSettings::schema(), machine);
    r.seeded = !seed_keys(r.description).empty();
    machine.about.reset();
    r.digest = sha256(config::to_yaml(config::describe(MachineSettings::schema(), machine)));
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
