// HBM2 (also HBM2E) and HBM3. The commands of refresh management (RFMab, RFMpb) are not modeled.

#include "dram/audit/rule.h"

namespace heddle::dram::audit {

namespace {

using enum Level;

constexpr std::string_view kHbm2Optional[] = {"RTW"};
constexpr std::string_view kAllBank[] = {"RFC"};
constexpr std::string_view kPerBank[] = {"RFCpb", "RREFD"};

constexpr Rule kHbm2Listed[] = {
    {pseudo, "RD RDA", "RD RDA", "BL"},
    {pseudo, "WR WRA", "WR WRA", "BL"},
    {pseudo, "RD RDA", "RD RDA", "CCDS"},
    {pseudo, "WR WRA", "WR WRA", "CCDS"},
    {pseudo, "RD RDA", "WR WRA", "CL + BL + 2 - CWL", 1, false, "RTW"},
    {pseudo, "WR WRA", "RD RDA", "CWL + BL + WTRS"},
    {pseudo, "RD", "PREab", "RTPL"},
    {pseudo, "WR", "PREab", "CWL + BL + WR"},
    {pseudo, "ACT", "ACT", "RRDS"},
    {pseudo, "ACT", "ACT", "FAW", 4},
    {pseudo, "ACT", "PREab", "RAS"},
    {pseudo, "PREab", "ACT", "RP"},
    {pseudo, "ACT", "REFab", "RC"},
    {pseudo, "PREpb PREab", "REFab", "RP"},
    {pseudo, "RDA", "REFab", "RP + RTPL"},
    {pseudo, "WRA", "REFab", "CWL + BL + WR + RP"},
    {pseudo, "REFab", "ACT PREab", "RFC"},
    {pseudo, "REFpb", "ACT", "RREFD"},
    {pseudo, "ACT", "REFpb", "RRDS"},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL"},
    {group, "WR WRA", "RD RDA", "CWL + BL + WTRL"},
    {group, "ACT", "ACT", "RRDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA", "RCDRD"},
    {bank, "ACT", "WR WRA", "RCDWR"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTPL"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTPL + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
    {bank, "REFpb", "ACT", "RFCpb"},
    {bank, "ACT", "REFpb", "RC"},
    {bank, "PREpb", "REFpb", "RP"},
};

constexpr Rule kHbm2Common[] = {
    {pseudo, "RD RDA", "WR WRA", "RTW"},
    {pseudo, "WR", "REFab", "CWL + BL + WR + RP"},
    {pseudo, "PREab", "REFpb", "RP"},
    {pseudo, "REFab", "PREpb REFab REFpb", "RFC"},
    {pseudo, "ACT", "REFpb", "FAW", 4},
    {pseudo, "REFpb", "ACT REFpb", "FAW", 4},
    {group, "ACT", "REFpb", "RRDL"},
    {pseudo, "REFpb", "REFab", "RFCpb"},
    {pseudo, "REFpb", "REFpb", "RREFD"},
    {bank, "REFpb", "REFpb", "RFCpb"},
    {bank, "RDA", "REFpb", "RTPL + RP"},
    {bank, "WRA", "REFpb", "CWL + BL + WR + RP"},
    {bank, "WR", "REFpb", "CWL + BL + WR + RP"},
    {bank, "WR", "ACT", "CWL + BL + WR + RP"},
};

constexpr Rule kHbm3Listed[] = {
    {pseudo, "RD RDA", "RD RDA", "BL"},
    {pseudo, "WR WRA", "WR WRA", "BL"},
    {pseudo, "RD RDA", "WR WRA", "RTW"},
    {pseudo, "WR WRA", "RD RDA", "CWL + BL + WTRS"},
    {pseudo, "RD", "PREab", "RTP"},
    {pseudo, "WR", "PREab", "CWL + BL + WR"},
    {pseudo, "ACT", "ACT", "RRDS"},
    {pseudo, "ACT", "ACT", "FAW", 4},
    {pseudo, "ACT", "PREab", "RAS"},
    {pseudo, "PREab", "ACT", "RP"},
    {pseudo, "PREpb PREab", "PREpb PREab", "PPD"},
    {pseudo, "ACT", "REFab", "RC"},
    {pseudo, "PREpb PREab", "REFab", "RP"},
    {pseudo, "RDA", "REFab", "RP + RTP"},
    {pseudo, "WRA", "REFab", "CWL + BL + WR + RP"},
    {pseudo, "REFab", "ACT PREab", "RFC"},
    {pseudo, "REFpb", "REFpb", "RREFD"},
    {pseudo, "REFpb", "ACT", "RREFD"},
    {pseudo, "ACT", "REFpb", "RRDS"},
    {rank, "RD RDA", "RD RDA", "CCDS"},
    {rank, "WR WRA", "WR WRA", "CCDS"},
    {rank, "RD RDA", "RD RDA", "CCDR", 1, true},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL"},
    {group, "WR WRA", "RD RDA", "CWL + BL + WTRL"},
    {group, "ACT", "ACT", "RRDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA", "RCDRD"},
    {bank, "ACT", "WR WRA", "RCDWR"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
    {bank, "REFpb", "ACT", "RFCpb"},
    {bank, "ACT", "REFpb", "RC"},
    {bank, "PREpb", "REFpb", "RP"},
};

constexpr Rule kHbm3Common[] = {
    {pseudo, "WR", "REFab", "CWL + BL + WR + RP"},
    {pseudo, "PREab", "REFpb", "RP"},
    {pseudo, "REFab", "PREpb REFab REFpb", "RFC"},
    {pseudo, "ACT", "REFpb", "FAW", 4},
    {pseudo, "REFpb", "ACT REFpb", "FAW", 4},
    {group, "ACT", "REFpb", "RRDL"},
    {pseudo, "REFpb", "REFab", "RFCpb"},
    {bank, "REFpb", "REFpb", "RFCpb"},
    {bank, "RDA", "REFpb", "RTP + RP"},
    {bank, "WRA", "REFpb", "CWL + BL + WR + RP"},
    {bank, "WR", "REFpb", "CWL + BL + WR + RP"},
    {bank, "WR", "ACT", "CWL + BL + WR + RP"},
};

constexpr RuleSet kHbm2Sets[] = {{"Ramulator 2.1 hbm2.py", kHbm2Listed}, {"common", kHbm2Common}};
constexpr RuleSet kHbm3Sets[] = {{"Ramulator 2.1 hbm3.py", kHbm3Listed}, {"common", kHbm3Common}};

//                                ACT PREpb PREab RD RDA WR WRA REFab REFsb REFpb
constexpr KindTable kHbm2Clocks = {4, 2, 2, 2, 2, 2, 2, 2, 2, 2};
constexpr KindTable kHbm3Clocks = {3, 1, 1, 2, 2, 2, 2, 1, 1, 1};

}  // namespace

constinit const StandardRules kHbm2{.name = "HBM2",
                                    .sets = kHbm2Sets,
                                    .all_bank = pseudo,
                                    .split_bus = true,
                                    .half_clocks = kHbm2Clocks,
                                    .burst = "BL",
                                    .has_pseudos = true,
                                    .has_ranks = false,
                                    .has_groups = true,
                                    .refresh_all = kAllBank,
                                    .refresh_same = {},
                                    .refresh_bank = kPerBank,
                                    .optional = kHbm2Optional};
constinit const StandardRules kHbm3{.name = "HBM3",
                                    .sets = kHbm3Sets,
                                    .all_bank = pseudo,
                                    .split_bus = true,
                                    .half_clocks = kHbm3Clocks,
                                    .burst = "BL",
                                    .has_pseudos = true,
                                    .has_ranks = true,
                                    .has_groups = true,
                                    .refresh_all = kAllBank,
                                    .refresh_same = {},
                                    .refresh_bank = kPerBank,
                                    .optional = {}};

}  // namespace heddle::dram::audit
