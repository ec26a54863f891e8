#pragma once
// For one row of the listing and one pair of its commands, the shortest legal stream that ends in that pair.

#include "dram/audit/listing.h"

namespace heddle::dram::audit::listing {

struct Probe {
    Timings timings;
    std::vector<Command> commands;  // the last one stands exactly at the row's limit
};

/// All timings are 1 (CL and CWL 8) but one of the row's, which is so long that nothing else binds.
inline Timings probe_timings(const Standard& s, const Row& row) {
    Timings timings;
    for (const std::string& name : timing_names_in(s)) timings[name] = 1;
    timings["nCL"] = timings["nCWL"] = 8;
    std::string raised;
    for (const std::string& w : words(row.formula)) {
        const bool shared = w == "nRP" || w == "nCWL" || w == "nCL" || w == s.burst;
        if (w[0] == 'n' && !shared) raised = w;
    }
    // The first of the shared ones is positive in every formula.
    if (raised.empty()) raised = words(row.formula)[0];
    timings[raised] = row.window == 32 ? 600 : 300;
    // Between ranks, so that the latency counts which the row adds, and no row without it is as long.
    const std::string latency = words(row.formula)[0];
    if (row.sibling && (latency == "nCL" || latency == "nCWL")) ++timings[latency];
    return timings;
}

inline Command make(const std::string& kind, Command place, int at) {
    place.kind = kind_of(kind);
    place.at = Cycle(static_cast<u64>(at));
    if (kind == "PREab" || kind == "REFab") place.group = place.bank = 0;
    if (kind == "REFsb") place.group = 0;
    const bool names_row = kind == "ACT" || kind == "PREpb" || kind[0] == 'R' || kind[0] == 'W';
    place.row = names_row && kind.substr(0, 3) != "REF" ? 5 : 0;
    return place;
}

/// The bank that is `index` banks away from bank 0, first over the groups.
inline Command bank_at(const AuditDevice& d, int index) {
    Command place;
    place.group = static_cast<u8>(static_cast<u32>(index) % d.groups);
    place.bank = static_cast<u8>(static_cast<u32>(index) / d.groups);
    return place;
}

inline bool is_burst(const std::string& kind) {
    return kind[0] == 'W' || kind == "RD" || kind == "RDA";
}
inline bool is_refresh(const std::string& kind) {
    return kind.substr(0, 3) == "REF";
}

inline Probe make_probe(const Standard& s, const Row& row, const std::string& before,
                        const std::string& after) {
    constexpr int start = 20000;
    Probe probe;
    probe.timings = probe_timings(s, row);
    const AuditDevice device = device_with(s, probe.timings);
    const int needed = distance(s, before, after, value_of(row.formula, probe.timings));

    const Command first;
    Command second = row.window > 1 ? bank_at(device, row.window) : first;
    if (row.sibling) {
        second.rank = 1;
    } else if (row.level == "BankGroup") {
        second.bank = 1;
    } else if (row.level != "Bank" && row.window == 1) {
        second = bank_at(device, 1);
    }
    const bool same_bank = row.level == "Bank";

    std::vector<Command>& out = probe.commands;
    if (is_burst(before) || before == "PREpb") out.push_back(make("ACT", first, 1000));
    const bool second_must_be_open = is_burst(after) || (after == "PREpb" && !same_bank && before == "PREpb");
    if (second_must_be_open && !same_bank) out.push_back(make("ACT", second, 3000));
    for (int i = 0; i < row.window; ++i) out.push_back(make(before, bank_at(device, i), start + 10 * i));
    // The banks that the second command needs closed and the first leaves open.
    const bool needs_closed =
        is_refresh(after) ? (after == "REFab" || same_bank) : (after == "ACT" && same_bank);
    if (needs_closed && before == "ACT") out.push_back(make("PREpb", first, start + needed / 2));
    if (needs_closed && before == "WR") out.push_back(make("RDA", first, start + needed / 2));
    out.push_back(make(after, second, start + needed));
    // A precharge of a closed bank names no row.
    if (after == "PREpb" && !same_bank && before != "PREpb") out.back().row = 0;
    return probe;
}

}  // namespace heddle::dram::audit::listing
