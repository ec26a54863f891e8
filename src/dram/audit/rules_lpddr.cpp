// LPDDR5. `activate` stands for the pair ACT1, ACT2 at the clock of ACT1; the CAS command before a burst is
// not on the audited stream.

#include "dram/audit/rule.h"

namespace heddle::dram::audit {

namespace {

using enum Level;

constexpr std::string_view kOptional[] = {"RTW"};
constexpr std::string_view kAllBank[] = {"RFC"};
constexpr std::string_view kPerBank[] = {"RFCpb", "PBR2PBR", "PBR2ACT"};

constexpr Rule kListed[] = {
    {channel, "RD RDA", "RD RDA", "BL_min"},
    {channel, "WR WRA", "WR WRA", "BL_min"},
    {rank, "RD RDA", "RD RDA", "CCDS"},
    {rank, "WR WRA", "WR WRA", "CCDS_WR"},
    {rank, "RD RDA", "WR WRA", "CL + BL_min + 2 - CWL", 1, false, "RTW"},
    {rank, "WR WRA", "RD RDA", "CWL + BL_min + WTRS"},
    {rank, "RD RDA", "RD RDA WR WRA", "BL_min + CS", 1, true},
    {rank, "WR WRA", "RD RDA", "CL + BL_min + CS - CWL", 1, true},
    {rank, "RD", "PREab", "RTP"},
    {rank, "WR", "PREab", "CWL + BL_min + WR"},
    {rank, "ACT", "ACT", "RRDS"},
    {rank, "ACT", "ACT", "FAW", 4},
    {rank, "PREab", "ACT", "RPab"},
    {rank, "PREpb PREab", "PREpb PREab", "PPD"},
    {rank, "ACT", "REFab", "RC"},
    {rank, "PREpb PREab", "REFab", "RP"},
    {rank, "RDA", "REFab", "RP + RTP"},
    {rank, "WRA", "REFab", "CWL + BL_min + WR + RP"},
    {rank, "REFab", "ACT PREab REFpb REFab", "RFC"},
    {rank, "REFpb", "REFpb", "PBR2PBR"},
    {rank, "REFpb", "REFab", "RFCpb"},
    {rank, "REFpb", "ACT", "PBR2ACT"},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL_WR"},
    {group, "WR WRA", "RD RDA", "CWL + BL_max + WTRL"},
    {group, "ACT", "ACT", "RRDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA WR WRA", "RCD"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL_min + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL_min + WR + RP"},
    {bank, "REFpb", "ACT", "RFCpb"},
    {bank, "ACT", "REFpb", "RC"},
    {bank, "PREpb", "REFpb", "RP"},
};

constexpr Rule kCommon[] = {
    {rank, "RD RDA", "WR WRA", "RTW"},
    {rank, "RD RDA", "WR WRA", "CL + BL_min + CS - CWL", 1, true},  // the read's data leave the bus first
    {rank, "WR", "REFab", "CWL + BL_min + WR + RP"},
    {rank, "PREab", "REFpb", "RPab"},
    {rank, "ACT", "REFpb", "RRDS"},
    {rank, "ACT", "REFpb", "FAW", 4},
    {rank, "REFpb", "ACT REFpb", "FAW", 4},
    {group, "ACT", "REFpb", "RRDL"},
    {rank, "REFab", "PREpb", "RFC"},
    {rank, "WR WRA", "WR WRA", "BL_min + CS", 1, true},
    {rank, "ACT", "PREab", "RAS + 1"},  // from ACT-2
    {bank, "ACT", "PREpb", "RAS + 1"},
    {bank, "REFpb", "REFpb", "RFCpb"},
    {bank, "RDA", "REFpb", "RTP + RP"},
    {bank, "WRA", "REFpb", "CWL + BL_min + WR + RP"},
    {bank, "WR", "REFpb", "CWL + BL_min + WR + RP"},
    {bank, "WR", "ACT", "CWL + BL_min + WR + RP"},
};

constexpr RuleSet kSets[] = {{"Ramulator 2.1 lpddr5.py", kListed}, {"common", kCommon}};

constexpr KindTable kOneClock = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

}  // namespace

constinit const StandardRules kLpddr5{.name = "LPDDR5",
                                      .sets = kSets,
                                      .all_bank = rank,
                                      .split_bus = false,
                                      .half_clocks = kOneClock,
                                      .burst = "BL_min",
                                      .has_pseudos = false,
                                      .has_ranks = true,
                                      .has_groups = true,
                                      .refresh_all = kAllBank,
                                      .refresh_same = {},
                                      .refresh_bank = kPerBank,
                                      .optional = kOptional,
                                      .from_first_clock = true};

}  // namespace heddle::dram::audit
