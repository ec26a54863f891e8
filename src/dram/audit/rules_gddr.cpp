// GDDR5 and GDDR6.

#include "dram/audit/rule.h"

namespace heddle::dram::audit {

namespace {

using enum Level;

constexpr std::string_view kGddr5Optional[] = {"RTW", "32AW"};
constexpr std::string_view kGddr5AllBank[] = {"RFC"};
constexpr std::string_view kPerBank[] = {"RFCpb", "RREFD"};

constexpr Rule kGddr5Listed[] = {
    {channel, "RD RDA", "RD RDA", "BL"},
    {channel, "WR WRA", "WR WRA", "BL"},
    {rank, "RD RDA", "RD RDA", "CCDS"},
    {rank, "WR WRA", "WR WRA", "CCDS"},
    {rank, "RD RDA", "WR WRA", "CL + CCDS + 2 - CWL", 1, false, "RTW"},
    {rank, "WR WRA", "RD RDA", "CWL + BL + WTRS"},
    {rank, "RD", "PREab", "RTP"},
    {rank, "WR", "PREab", "CWL + BL + WR"},
    {rank, "ACT", "ACT", "RRDS"},
    {rank, "ACT", "ACT", "FAW", 4},
    {rank, "ACT", "ACT", "32AW", 32},
    {rank, "ACT", "PREab", "RAS"},
    {rank, "PREab", "ACT", "RP"},
    {rank, "PREpb PREab", "PREpb PREab", "PPD"},
    {rank, "PREpb PREab", "REFab", "RP"},
    {rank, "REFab", "ACT REFab", "RFC"},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA", "RCDRD"},
    {bank, "ACT", "WR WRA", "RCDWR"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
};

constexpr Rule kGddr5Groups[] = {
    {group, "WR WRA", "RD RDA", "CWL + BL + WTRL"},
    {group, "ACT", "ACT", "RRDL"},
};

constexpr Rule kGddr5PerBank[] = {
    {rank, "REFpb", "ACT REFpb", "RREFD"}, {rank, "ACT", "REFpb", "RRDS"},
    {bank, "REFpb", "ACT REFpb", "RFCpb"}, {bank, "ACT", "REFpb", "RC"},
    {bank, "PREpb", "REFpb", "RP"},        {group, "ACT", "REFpb", "RRDL"},
    {rank, "ACT", "REFpb", "FAW", 4},      {rank, "REFpb", "ACT REFpb", "FAW", 4},
};

constexpr Rule kGddr5Common[] = {
    {rank, "RD RDA", "WR WRA", "RTW"},           {rank, "ACT", "REFab", "RC"},
    {rank, "RDA", "REFab", "RTP + RP"},          {rank, "WRA", "REFab", "CWL + BL + WR + RP"},
    {rank, "WR", "REFab", "CWL + BL + WR + RP"}, {rank, "PREab", "REFpb", "RP"},
    {rank, "REFab", "PREpb PREab REFpb", "RFC"}, {rank, "REFpb", "REFab", "RFCpb"},
    {bank, "RDA", "REFpb", "RTP + RP"},          {bank, "WRA", "REFpb", "CWL + BL + WR + RP"},
    {bank, "WR", "REFpb", "CWL + BL + WR + RP"}, {bank, "WR", "ACT", "CWL + BL + WR + RP"},
};

constexpr std::string_view kGddr6Optional[] = {"RTW"};
constexpr std::string_view kGddr6AllBank[] = {"RFCab"};

constexpr Rule kGddr6Listed[] = {
    {channel, "RD RDA", "RD RDA", "BL"},
    {channel, "WR WRA", "WR WRA", "BL"},
    {channel, "RD RDA", "RD RDA", "CCDS"},
    {channel, "WR WRA", "WR WRA", "CCDS"},
    {channel, "RD RDA", "WR WRA", "CL + 1", 1, false, "RTW"},
    {channel, "WR WRA", "RD RDA", "CWL + BL + WTRS"},
    {channel, "RD", "PREab", "RTP"},
    {channel, "WR", "PREab", "CWL + BL + WR"},
    {channel, "ACT", "ACT", "RRDS"},
    {channel, "ACT", "ACT REFpb", "FAW", 4},
    {channel, "REFpb", "ACT REFpb", "FAW", 4},
    {channel, "ACT", "PREab", "RAS"},
    {channel, "PREab", "ACT", "RP"},
    {channel, "PREab PREpb", "PREab PREpb", "PPD"},
    {channel, "ACT", "REFab", "RC"},
    {channel, "PREab", "REFab", "RP"},
    {channel, "RDA", "REFab", "RP + RTP"},
    {channel, "WRA", "REFab", "CWL + BL + WR + RP"},
    {channel, "REFab", "ACT PREab PREpb RD WR RDA WRA REFab REFpb", "RFCab"},
    {channel, "ACT", "REFpb", "RRDS"},
    {channel, "PREab", "REFpb", "RP"},
    {channel, "RDA", "REFpb", "RP + RTP"},
    {channel, "WRA", "REFpb", "CWL + BL + WR + RP"},
    {channel, "REFpb", "ACT", "RREFD"},
    {channel, "REFpb", "REFpb", "RREFD"},
    {channel, "REFpb", "REFab", "RFCpb"},
    {group, "RD RDA", "RD RDA", "CCDL"},
    {group, "WR WRA", "WR WRA", "CCDL"},
    {group, "WR WRA", "RD RDA", "CWL + BL + WTRL"},
    {group, "ACT", "ACT REFpb", "RRDL"},
    {bank, "ACT", "ACT", "RC"},
    {bank, "ACT", "RD RDA", "RCDRD"},
    {bank, "ACT", "WR WRA", "RCDWR"},
    {bank, "ACT", "PREpb", "RAS"},
    {bank, "PREpb", "ACT", "RP"},
    {bank, "RD", "PREpb", "RTP"},
    {bank, "WR", "PREpb", "CWL + BL + WR"},
    {bank, "RDA", "ACT", "RTP + RP"},
    {bank, "WRA", "ACT", "CWL + BL + WR + RP"},
    {bank, "ACT", "REFpb", "RC"},
    {bank, "PREpb", "REFpb", "RP"},
    {bank, "RDA", "REFpb", "RP + RTP"},
    {bank, "WRA", "REFpb", "CWL + BL + WR + RP"},
    {bank, "REFpb", "ACT REFpb", "RFCpb"},
};

constexpr Rule kGddr6Common[] = {
    {channel, "RD RDA", "WR WRA", "RTW"},           {channel, "PREpb", "REFab", "RP"},
    {channel, "WR", "REFab", "CWL + BL + WR + RP"}, {bank, "WR", "REFpb", "CWL + BL + WR + RP"},
    {bank, "WR", "ACT", "CWL + BL + WR + RP"},
};

constexpr RuleSet kGddr5Sets[] = {{"Ramulator 1 GDDR5.cpp", kGddr5Listed},
                                  {"DRAMsim3 timing.cc, bank groups", kGddr5Groups},
                                  {"DRAMSys CheckerGDDR5.cpp, per-bank refresh", kGddr5PerBank},
                                  {"common", kGddr5Common}};
constexpr RuleSet kGddr6Sets[] = {{"Ramulator 2.1 gddr6.py", kGddr6Listed}, {"common", kGddr6Common}};

constexpr KindTable kOneClock = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

}  // namespace

constinit const StandardRules kGddr5{.name = "GDDR5",
                                     .sets = kGddr5Sets,
                                     .all_bank = rank,
                                     .split_bus = false,
                                     .half_clocks = kOneClock,
                                     .burst = "BL",
                                     .has_pseudos = false,
                                     .has_ranks = false,
                                     .has_groups = true,
                                     .refresh_all = kGddr5AllBank,
                                     .refresh_same = {},
                                     .refresh_bank = kPerBank,
                                     .optional = kGddr5Optional};
constinit const StandardRules kGddr6{.name = "GDDR6",
                                     .sets = kGddr6Sets,
                                     .all_bank = pseudo,
                                     .split_bus = false,
                                     .half_clocks = kOneClock,
                                     .burst = "BL",
                                     .has_pseudos = false,
                                     .has_ranks = false,
                                     .has_groups = true,
                                     .refresh_all = kGddr6AllBank,
                                     .refresh_same = {},
                                     .refresh_bank = kPerBank,
                                     .optional = kGddr6Optional};

}  // namespace heddle::dram::audit
