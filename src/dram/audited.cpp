#include "dram/audited.h"

#include <algorithm>
#include <cctype>

#include "dram/audit/text.h"
#include "sim/error.h"

namespace heddle::dram {

namespace {

/// Names that standards have for what is one parameter here.
struct Alias {
    std::string_view name;
    Param param;
    u32 times = 1, plus = 0;  // value x times + plus
};
constexpr Alias kAliases[] = {
    {"RCD", Param::RCDRD},     {"CCD", Param::CCDS},      {"RRD", Param::RRDS},    {"WTR", Param::WTRS},
    {"32AW", Param::AW32},     {"RTPL", Param::RTP},      {"RFCab", Param::RFC},   {"BL_min", Param::BL},
    {"BL_max", Param::BL, 2},  {"RPab", Param::RP, 1, 2}, {"PBR2PBR", Param::PBR}, {"PBR2ACT", Param::RREFD},
    {"REFSBRD", Param::RREFD},
};

bool find(std::string_view name, const Resolved& r, u32& value) {
    const u32 steps = r.standard->steps;
    for (const Alias& a : kAliases) {
        if (a.name != name) continue;
        value = r.time(a.param) / steps * a.times + a.plus;
        return true;
    }
    for (std::size_t k = 0; k < kParams; ++k) {
        if (name_of(static_cast<Param>(k)) != name) continue;
        value = r.clocks[k] / steps;
        return true;
    }
    return false;
}

}  // namespace

audit::AuditDevice audit_device(const MemorySettings& settings, std::string label) {
    const Resolved r = resolve(settings);
    const Geometry& g = r.geometry;
    audit::AuditDevice d;
    d.label = std::move(label);
    d.standard = std::string(r.standard->name);
    for (char& c : d.standard) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    d.pseudos = g.pseudo_channels;
    d.ranks = g.ranks;
    d.groups = g.groups;
    d.banks = g.banks_per_group;
    d.rows = g.rows;
    d.columns = g.columns;
    d.steps_per_clock = r.standard->steps;
    const u32 activate = r.bus_clocks[static_cast<std::size_t>(CommandKind::activate)];
    if (r.standard->from_last_step && activate != r.standard->command_steps(CommandKind::activate))
        d.activate_clocks = activate / r.standard->steps;
    if (r.separate_buses != r.standard->separate_buses)
        d.command_buses = r.separate_buses ? audit::CommandBuses::separate : audit::CommandBuses::shared;
    d.refresh = r.refresh == RefreshMode::all_bank    ? audit::RefreshMode::all_bank
                : r.refresh == RefreshMode::same_bank ? audit::RefreshMode::same_bank
                : r.refresh == RefreshMode::per_bank  ? audit::RefreshMode::per_bank
                                                      : audit::RefreshMode::off;
    // One more than may be put off: a refresh that is due is under way for a while.
    d.max_postponed = settings.refresh_postpone + 1;
    d.max_pulled_in = 1;
    for (const audit::TimingName& t : audit::timing_names(d)) {
        u32 value = 0;
        // The auditor has formulas of its own for what nobody gave.
        if (t.name == "RTW" && !t.needed && !r.read_to_write_given) continue;
        if (t.name == "REFIsb") {
            d.timing.emplace_back(t.name, r.time(Param::REFI) / r.standard->steps / (2 * g.banks_per_group));
        } else if (find(t.name, r, value)) {
            // Without refresh its interval is not known here, and not looked at there.
            if (value == 0 && t.name == "REFI") value = 1;
            if (value != 0 || t.needed) d.timing.emplace_back(t.name, value);
        }
    }
    return d;
}

void Audit::finish(Cycle end) {
    auditor_.finish(end);
    if (auditor_.violation()) throw InvariantError("DRAM audit: " + audit::describe(*auditor_.violation()));
}

void Audit::finish(Cycle end, AuditRecord& verdict) {
    finish(end);
    ++verdict.channels;
    verdict.commands += auditor_.commands();
    for (const audit::SlackRow& row : auditor_.slack()) {
        const auto slack = static_cast<u64>(row.slack);  // not negative: nothing was violated
        if (row.exercised == 0 || (!verdict.tightest_rule.empty() && slack >= verdict.slack)) continue;
        verdict.tightest_rule = row.rule;
        verdict.slack = slack;
    }
}

}  // namespace heddle::dram
