// DDR3, DDR4 and DDR5.

#include "dram/audit/rule.h"

namespace heddle::dram::audit {

namespace {

using enum Level;

constexpr std::string_view kOptional[] = {"RTW"};
constexpr std::string_view kAllBank[] = {"RFC"};

constexpr Rule kDdr3Listed[] = {
    {channel, "RD RDA", "RD RDA", "BL"},
    {channel, "WR WRA", "WR WRA", "BL"},
    {rank, "RD RDA", "RD RDA", "CCD"},
    {rank, "WR WRA", "WR WRA", "CCD"},
    {rank, "RD RDA", "WR WRA", "CL + BL + 2 - CWL", 1, false, "RTW"},
    {rank, "WR WRA", "RD RDA", "CWL + BL + WTR"},
    {rank, "RD RDA", "RD RDA WR WRA", "BL + CS", 1, true},
    {rank, "WR WRA", "RD RDA", "CWL + BL + CS - CL", 1, true},
    {rank, "RD", "PREab", "RTP"},
    {rank, "WR", "PREab", "CWL + BL + WR"},
    {rank, "ACT", "ACT", "RRD"},
    {rank, "ACT", "ACT", "FAW", 4},
    {rank, "ACT", "PREab", "RAS"},
    {rank, "PREab", "ACT", "RP"},
    {rank, "ACT", "REFab", "RC"},
    {rank, "PREpb PREab", "REFab", "RP"},
    {rank, "RDA", "REFab", "RP + RTP"},
    {rank, "WRA", "REFab", "CWL + BL + WR + RP"},
    {rank, "REFab", "ACT", "RFC"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA WR WRA", "RCD"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
};

constexpr Rule kDdr4Listed[] = {
    {channel, "RD RDA", "RD RDA", "BL"},
    {channel, "WR WRA", "WR WRA", "BL"},
    {rank, "RD RDA", "RD RDA", "CCDS"},
    {rank, "WR WRA", "WR WRA", "CCDS"},
    {rank, "RD RDA", "WR WRA", "CL + BL + 2 - CWL", 1, false, "RTW"},
    {rank, "WR WRA", "RD RDA", "CWL + BL + WTRS"},
    {rank, "RD RDA", "RD RDA WR WRA", "BL + CS", 1, true},
    {rank, "WR WRA", "RD RDA", "CWL + BL + CS - CL", 1, true},
    {rank, "RD", "PREab", "RTP"},
    {rank, "WR", "PREab", "CWL + BL + WR"},
    {rank, "ACT", "ACT", "RRDS"},
    {rank, "ACT", "ACT", "FAW", 4},
    {rank, "ACT", "PREab", "RAS"},
    {rank, "PREab", "ACT", "RP"},
    {rank, "ACT", "REFab", "RC"},
    {rank, "PREpb PREab", "REFab", "RP"},
    {rank, "RDA", "REFab", "RP + RTP"},
    {rank, "WRA", "REFab", "CWL + BL + WR + RP"},
    {rank, "REFab", "ACT PREab", "RFC"},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL"},
    {group, "WR WRA", "RD RDA", "CWL + BL + WTRL"},
    {group, "ACT", "ACT", "RRDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA WR WRA", "RCD"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
};

constexpr Rule kDdr5Listed[] = {
    {channel, "RD RDA", "RD RDA", "BL"},
    {channel, "WR WRA", "WR WRA", "BL"},
    {rank, "RD RDA", "RD RDA", "CCDS"},
    {rank, "WR WRA", "WR WRA", "CCDS_WR"},
    {rank, "RD RDA", "WR WRA", "CL + BL + 2 - CWL + 2", 1, false, "RTW"},
    {rank, "WR WRA", "RD RDA", "CWL + BL + WTRS"},
    {rank, "RD RDA", "RD RDA WR WRA", "BL + CS", 1, true},
    {rank, "WR WRA", "RD RDA", "CWL + BL + CS - CL", 1, true},
    {rank, "RD", "PREab", "RTP"},
    {rank, "WR", "PREab", "CWL + BL + WR"},
    {rank, "ACT", "ACT", "RRDS"},
    {rank, "ACT", "ACT", "FAW", 4},
    {rank, "ACT", "PREab", "RAS"},
    {rank, "PREab", "ACT", "RP"},
    {rank, "PREpb PREab", "PREpb PREab", "PPD"},
    {rank, "ACT", "REFab", "RC"},
    {rank, "PREpb PREab", "REFab", "RP"},
    {rank, "RDA", "REFab", "RP + RTP"},
    {rank, "WRA", "REFab", "CWL + BL + WR + RP"},
    {rank, "REFab", "ACT PREab", "RFC"},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL_WR"},
    {group, "WR WRA", "RD RDA", "CWL + BL + WTRL"},
    {group, "ACT", "ACT", "RRDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA WR WRA", "RCD"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
};

// Nothing but deselects during a refresh, and CS idle clocks whenever the data bus changes ranks. A read with
// auto-precharge may follow a write to its row long before the write's recovery is over; the bank
// is not free before that all the same.
constexpr Rule kCommon[] = {
    {rank, "RD RDA", "WR WRA", "RTW"},         {rank, "WR", "REFab", "CWL + BL + WR + RP"},
    {rank, "REFab", "PREpb REFab", "RFC"},     {rank, "WR WRA", "WR WRA", "BL + CS", 1, true},
    {bank, "WR", "ACT", "CWL + BL + WR + RP"},
};

constexpr Rule kDdr3Common[] = {{rank, "REFab", "PREab", "RFC"}};

constexpr std::string_view kSameBank[] = {"RFCsb", "REFSBRD"};

// One command refreshes the same bank of every bank group.
constexpr Rule kSameBankRefresh[] = {
    {rank, "PREab", "REFsb", "RP"},
    {rank, "REFab", "REFsb", "RFC"},
    {rank, "REFsb", "REFab", "RFCsb"},
    {rank, "REFsb", "REFsb", "RFCsb"},
    {rank, "REFsb", "ACT", "REFSBRD"},
    {bank, "REFsb", "ACT", "RFCsb"},
    {group, "ACT", "REFsb", "RRDL"},
    {bank, "ACT", "REFsb", "RC"},
    {bank, "PREpb", "REFsb", "RP"},
    {bank, "RDA", "REFsb", "RTP + RP"},
    {bank, "WRA", "REFsb", "CWL + BL + WR + RP"},
    {bank, "WR", "REFsb", "CWL + BL + WR + RP"},
};

constexpr RuleSet kDdr3Sets[] = {
    {"Ramulator 2.1 ddr3.py", kDdr3Listed}, {"common", kCommon}, {"common", kDdr3Common}};
constexpr RuleSet kDdr4Sets[] = {{"Ramulator 2.1 ddr4.py", kDdr4Listed}, {"common", kCommon}};
constexpr RuleSet kDdr5Sets[] = {{"Ramulator 2.1 ddr5.py", kDdr5Listed},
                                 {"common", kCommon},
                                 {"JESD79-5 same-bank refresh", kSameBankRefresh}};

//                               ACT PREpb PREab RD RDA WR WRA REFab REFsb REFpb
constexpr KindTable kOneClock = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
constexpr KindTable kDdr5Clocks = {4, 2, 2, 4, 4, 4, 4, 2, 2, 2};

}  // namespace

constinit const StandardRules kDdr3{.name = "DDR3",
                                    .sets = kDdr3Sets,
                                    .all_bank = rank,
                                    .split_bus = false,
                                    .half_clocks = kOneClock,
                                    .burst = "BL",
                                    .has_pseudos = false,
                                    .has_ranks = true,
                                    .has_groups = false,
                                    .refresh_all = kAllBank,
                                    .refresh_same = {},
                                    .refresh_bank = {},
                                    .optional = kOptional};
constinit const StandardRules kDdr4{.name = "DDR4",
                                    .sets = kDdr4Sets,
                                    .all_bank = rank,
                                    .split_bus = false,
                                    .half_clocks = kOneClock,
                                    .burst = "BL",
                                    .has_pseudos = false,
                                    .has_ranks = true,
                                    .has_groups = true,
                                    .refresh_all = kAllBank,
                                    .refresh_same = {},
                                    .refresh_bank = {},
                                    .optional = kOptional};
constinit const StandardRules kDdr5{.name = "DDR5",
                                    .sets = kDdr5Sets,
                                    .all_bank = rank,
                                    .split_bus = false,
                                    .half_clocks = kDdr5Clocks,
                                    .burst = "BL",
                                    .has_pseudos = false,
                                    .has_ranks = true,
                                    .has_groups = true,
                                    .refresh_all = kAllBank,
                                    .refresh_same = kSameBank,
                                    .refresh_bank = {},
                                    .optional = kOptional};

}  // namespace heddle::dram::audit
