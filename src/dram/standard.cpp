#include "dram/standard.h"

#include <algorithm>
#include <string>

#include "dram/standards/tables.h"

namespace heddle::dram {

u32 Standard::command_steps(CommandKind kind) const {
    switch (kind) {
        case CommandKind::activate:
            return activate_steps;
        case CommandKind::precharge:
        case CommandKind::precharge_all:
            return precharge_steps;
        case CommandKind::read:
        case CommandKind::read_auto:
        case CommandKind::write:
        case CommandKind::write_auto:
            return column_steps;
        default:
            return refresh_steps;
    }
}

std::span<const Standard> standards() {
    static const std::array all = {kStandardDdr3,  kStandardDdr4,  kStandardDdr5,
                                   kStandardGddr5, kStandardGddr6, kStandardHbm2,
                                   kStandardHbm2e, kStandardHbm3,  kStandardLpddr5};
    return all;
}

const Standard* find_standard(std::string_view name) {
    for (const Standard& s : standards())
        if (s.name == name) return &s;
    return nullptr;
}

std::string_view name_of(Param p) {
    static constexpr std::array<std::string_view, kParams> names = {
        "BL",   "CL",      "CWL",     "RCDRD", "RCDWR", "RP",   "RAS",    "RC",    "RTP",  "WR",   "CCDS",
        "CCDL", "CCDS_WR", "CCDL_WR", "CCDR",  "RRDS",  "RRDL", "FAW",    "AW32",  "WTRS", "WTRL", "RTW",
        "CS",   "PPD",     "RFC",     "RFCsb", "RFCpb", "REFI", "REFIpb", "RREFD", "PBR"};
    return names[static_cast<std::size_t>(p)];
}

}  // namespace heddle::dram
