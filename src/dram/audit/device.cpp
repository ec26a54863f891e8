#include "dram/audit/device.h"

#include <algorithm>

#include "config/manual.h"
#include "dram/audit/binding.h"
#include "dram/audit/formula.h"
#include "dram/audit/rule.h"
#include "sim/error.h"

namespace heddle::dram::audit {

namespace {

// Longest timing that is believed; a longer one is a wrong unit.
constexpr u32 kMaxClocks = 10'000'000;

bool contains(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool fits_device(const Rule& rule, const AuditDevice& device) {
    if (rule.level == Level::group && device.groups == 1) return false;
    if (rule.sibling && device.ranks == 1) return false;
    return rule.unless.empty() || device.clocks(rule.unless) == AuditDevice::absent;
}

bool lacks_optional_timing(const StandardRules& standard, const Rule& rule, const AuditDevice& device) {
    return std::ranges::any_of(terms_of(rule.formula), [&](const Term& t) {
        const bool optional = contains(standard.optional, t.name) || contains(standard.refresh_all, t.name) ||
                              contains(standard.refresh_same, t.name) ||
                              contains(standard.refresh_bank, t.name);
        return optional && device.clocks(t.name) == AuditDevice::absent;
    });
}

void note(std::vector<TimingName>& names, std::string_view name, bool needed) {
    const auto known = std::ranges::find(names, name, &TimingName::name);
    if (known == names.end())
        names.push_back({name, needed});
    else
        known->needed |= needed;
}

std::vector<TimingName> timing_names_of(const StandardRules& standard, const AuditDevice& device) {
    std::vector<TimingName> names;
    for (const std::string_view always : {standard.burst, std::string_view("CL"), std::string_view("CWL")})
        note(names, always, true);
    for (const RuleSet& set : standard.sets) {
        for (const Rule& rule : set.rules) {
            const bool exists = fits_device(rule, device) && !lacks_optional_timing(standard, rule, device);
            for (const Term& t : terms_of(rule.formula))
                if (!t.name.empty()) note(names, t.name, exists);
        }
    }
    for (const std::string_view name : standard.optional) note(names, name, false);
    // A device has all timings of a kind of refresh or none.
    for (const auto timings : {standard.refresh_all, standard.refresh_same, standard.refresh_bank}) {
        const bool has = std::ranges::any_of(
            timings, [&](std::string_view n) { return device.clocks(n) != AuditDevice::absent; });
        for (const std::string_view name : timings) note(names, name, has);
    }
    for (const std::string_view name : standard.refresh_timings(device.refresh)) note(names, name, true);
    // Same-bank refresh exists at twice the normal rate only, so REFI says nothing of it.
    const bool same_bank = device.refresh == RefreshMode::same_bank;
    const bool has_own =
        device.refresh == RefreshMode::per_bank && device.clocks("REFIpb") != AuditDevice::absent;
    note(names, "REFI", device.refresh != RefreshMode::off && !same_bank && !has_own);
    if (!standard.refresh_same.empty()) note(names, "REFIsb", same_bank);
    if (!standard.refresh_bank.empty()) note(names, "REFIpb", false);
    return names;
}

Problem wrong_count(std::string_view what, u32 value, u32 max) {
    if (value >= 1 && value <= max) return {};
    return {std::string(what),
            std::string(what) + " = " + std::to_string(value) + ", possible 1 to " + std::to_string(max)};
}

Problem wrong_organisation(const StandardRules& standard, const AuditDevice& d) {
    const std::string no = std::string(standard.name) + " has ";
    if (!standard.has_pseudos && d.pseudos != 1)
        return {"pseudo-channels", no + "no pseudo-channels, they must be 1"};
    if (!standard.has_ranks && d.ranks != 1) return {"ranks", no + "one rank in a channel, ranks must be 1"};
    if (!standard.has_groups && d.groups != 1) return {"groups", no + "no bank groups, groups must be 1"};
    struct Count {
        std::string_view key;
        u32 value, max;
    };
    // A command holds the first four coordinates in one byte each, rows and columns in four.
    const Count counts[] = {{"pseudo-channels", d.pseudos, 256},
                            {"ranks", d.ranks, 256},
                            {"groups", d.groups, 256},
                            {"banks", d.banks, 256},
                            {"rows", d.rows, 1u << 31},
                            {"columns", d.columns, 1u << 31},
                            {"steps-per-clock", d.steps_per_clock, 2}};
    for (const Count& c : counts)
        if (Problem w = wrong_count(c.key, c.value, c.max); !w.text.empty()) return w;
    if (d.activate_clocks != 0 && standard.from_first_clock)
        return {"activate-clocks", no +
                                       "latencies that count from an activate's first clock, activate-clocks "
                                       "must be left out"};
    if (Problem w = wrong_count("activate-clocks", std::max(d.activate_clocks, 1u), 16); !w.text.empty())
        return w;
    if (u64{d.pseudos} * d.ranks * d.groups * d.banks > 65536)
        return {"banks", "more than 65536 banks in a channel"};
    if (d.refresh != RefreshMode::off && standard.refresh_timings(d.refresh).empty())
        return {"refresh", no + "no " + std::string(name_of(d.refresh)) + " refresh"};
    return {};
}

Problem wrong_timing(const StandardRules& standard, const AuditDevice& d) {
    const std::vector<TimingName> names = timing_names_of(standard, d);
    const auto wrong = [](std::string_view name, const std::string& what) {
        const std::string key = "timing " + std::string(name);
        return Problem{key, key + what};
    };
    for (std::size_t i = 0; i < d.timing.size(); ++i) {
        const auto& [name, clocks] = d.timing[i];
        if (std::ranges::find(names, name, &TimingName::name) == names.end()) {
            std::vector<std::string_view> possible;
            for (const TimingName& n : names) possible.push_back(n.name);
            return {"timing " + name, "unknown timing '" + name + "' for " + std::string(standard.name) +
                                          config::suggestion(name, possible)};
        }
        if (clocks > kMaxClocks)
            return wrong(name,
                         " = " + std::to_string(clocks) + " clocks, at most " + std::to_string(kMaxClocks));
        for (std::size_t j = 0; j < i; ++j)
            if (d.timing[j].first == name) return wrong(name, " is given twice");
    }
    for (const TimingName& n : names)
        if (n.needed && d.clocks(n.name) == AuditDevice::absent)
            return wrong(n.name, " of " + std::string(standard.name) + " is missing");
    if (d.clocks(standard.burst) == 0) return wrong(standard.burst, " must be at least 1");
    for (const std::string_view interval : {"REFI", "REFIpb", "REFIsb"})
        if (d.clocks(interval) == 0)
            return wrong(interval, " must be at least 1; to switch refresh off, write 'refresh off'");
    return {};
}

}  // namespace

i64 AuditDevice::clocks(std::string_view name) const {
    for (const auto& [given, value] : timing)
        if (given == name) return value;
    return absent;
}

Problem problem(const AuditDevice& device) {
    const StandardRules* standard = find_standard(device.standard);
    if (standard == nullptr) {
        const std::string what = device.standard.empty() ? "the standard is missing"
                                                         : "unknown standard '" + device.standard + "'";
        return {"standard", what + ", possible: " + std::string(standard_names())};
    }
    if (Problem wrong = wrong_organisation(*standard, device); !wrong.text.empty()) return wrong;
    return wrong_timing(*standard, device);
}

std::vector<TimingName> timing_names(const AuditDevice& device) {
    const StandardRules* standard = find_standard(device.standard);
    if (standard == nullptr)
        throw InputError("unknown standard '" + device.standard +
                         "', possible: " + std::string(standard_names()));
    return timing_names_of(*standard, device);
}

std::string_view own_interval_of(RefreshMode mode) {
    if (mode == RefreshMode::same_bank) return "REFIsb";
    if (mode == RefreshMode::per_bank) return "REFIpb";
    return {};
}

std::string_view name_of(RefreshMode mode) {
    switch (mode) {
        case RefreshMode::off:
            return "off";
        case RefreshMode::all_bank:
            return "all-bank";
        case RefreshMode::same_bank:
            return "same-bank";
        case RefreshMode::per_bank:
            return "per-bank";
    }
    return "?";
}

std::string_view name_of(CommandBuses buses) {
    switch (buses) {
        case CommandBuses::standard:
            return "standard";
        case CommandBuses::shared:
            return "shared";
        case CommandBuses::separate:
            return "separate";
    }
    return "?";
}

KindTable half_clocks_of(const StandardRules& standard, const AuditDevice& device) {
    KindTable table = standard.half_clocks;
    if (device.activate_clocks != 0)
        table[static_cast<std::size_t>(CommandKind::activate)] = static_cast<u8>(2 * device.activate_clocks);
    return table;
}

bool has_split_bus(const StandardRules& standard, const AuditDevice& device) {
    return device.command_buses == CommandBuses::standard ? standard.split_bus
                                                          : device.command_buses == CommandBuses::separate;
}

std::vector<BoundRule> rules_of(const StandardRules& standard, const AuditDevice& device) {
    std::vector<BoundRule> bound;
    for (const RuleSet& set : standard.sets) {
        for (const Rule& rule : set.rules) {
            if (!fits_device(rule, device) || lacks_optional_timing(standard, rule, device)) continue;
            i64 clocks = 0;
            for (const Term& t : terms_of(rule.formula))
                clocks += t.name.empty() ? t.factor : t.factor * device.clocks(t.name);
            bound.push_back({&rule, set.source, clocks});
        }
    }
    return bound;
}

}  // namespace heddle::dram::audit
