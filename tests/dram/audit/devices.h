#pragma once
// Devices for tests, and commands in few words.

#include "dram/audit/auditor.h"

namespace heddle::dram::audit {

/// HBM2 at 2 Gb/s as Ramulator 2.1 ships it (HBM2_2000Mbps, 4 Gb): two pseudo-channels of 4 groups x 4 banks.
inline AuditDevice hbm2() {
    AuditDevice d;
    d.label = "hbm2 channel 0";
    d.standard = "HBM2";
    d.pseudos = 2;
    d.groups = d.banks = 4;
    d.rows = 32768;
    d.columns = 32;
    d.timing = {{"BL", 2},   {"CL", 14},  {"RCDRD", 14}, {"RCDWR", 12}, {"RP", 14},
                {"RAS", 34}, {"RC", 48},  {"WR", 16},    {"RTPL", 5},   {"CWL", 5},
                {"CCDS", 2}, {"CCDL", 4}, {"RRDS", 4},   {"RRDL", 4},   {"FAW", 15},
                {"WTRS", 6}, {"WTRL", 8}, {"RFC", 260},  {"REFI", 3900}};
    return d;
}

/// GDDR6 at 14 Gb/s (GDDR6_14000_1350mV_double), 16 bit.
inline AuditDevice gddr6() {
    AuditDevice d;
    d.standard = "GDDR6";
    d.groups = d.banks = 4;
    d.rows = 16384;
    d.columns = 64;
    d.timing = {{"BL", 2},      {"CL", 24},     {"RCDRD", 27}, {"RCDWR", 16}, {"RP", 27},   {"RAS", 53},
                {"RC", 79},     {"WR", 27},     {"RTP", 4},    {"CWL", 6},    {"CCDS", 2},  {"CCDL", 4},
                {"RRDS", 8},    {"RRDL", 8},    {"FAW", 29},   {"WTRS", 9},   {"WTRL", 11}, {"PPD", 1},
                {"RFCab", 211}, {"RFCpb", 106}, {"RREFD", 15}, {"REFI", 3333}};
    return d;
}

/// DDR4_2400R, two ranks.
inline AuditDevice ddr4() {
    AuditDevice d;
    d.standard = "DDR4";
    d.ranks = 2;
    d.groups = d.banks = 4;
    d.rows = 65536;
    d.columns = 128;
    d.timing = {{"BL", 4},   {"CL", 16},  {"RCD", 16}, {"RP", 16},   {"RAS", 39},   {"RC", 55},  {"WR", 18},
                {"RTP", 9},  {"CWL", 12}, {"CCDS", 4}, {"CCDL", 6},  {"WTRS", 3},   {"WTRL", 9}, {"CS", 2},
                {"RRDS", 4}, {"RRDL", 6}, {"FAW", 16}, {"RFC", 193}, {"REFI", 9364}};
    return d;
}

inline void set(AuditDevice& device, const std::string& name, u32 clocks) {
    for (auto& [known, value] : device.timing)
        if (known == name) {
            value = clocks;
            return;
        }
    device.timing.emplace_back(name, clocks);
}

struct Place {
    u8 pseudo = 0, rank = 0, group = 0, bank = 0;
    u32 row = 0, column = 0;
};

inline Command command(u64 at, CommandKind kind, Place p = {}) {
    return {Cycle(at), kind, p.pseudo, p.rank, p.group, p.bank, p.row, p.column};
}

using enum CommandKind;

/// The violation that the stream meets, none for a legal one.
inline std::optional<Violation> first_violation(const AuditDevice& device, const std::vector<Command>& stream,
                                                std::optional<u64> end = {}) {
    Auditor auditor(device);
    for (const Command& c : stream) auditor.observe(c);
    if (end) auditor.finish(Cycle(*end));
    return auditor.violation();
}

inline std::string rule_broken(const AuditDevice& device, const std::vector<Command>& stream,
                               std::optional<u64> end = {}) {
    const auto violation = first_violation(device, stream, end);
    return violation ? violation->rule : "none";
}

}  // namespace heddle::dram::audit
