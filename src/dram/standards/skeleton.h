#pragma once
// The constraints that all standards share. UNIT is the level at which a standard's data bus and activate
// window sit: the rank of DDR and LPDDR, the pseudo-channel of HBM, the channel of GDDR.
// Source: the rows common to all tables of Ramulator 2.1 (python/ramulator/dram/*.py, commit c5b1c3a).

#include <cstddef>

#include "dram/standards/rows.h"

namespace heddle::dram::rows {

template <std::size_t... N>
constexpr auto join(const std::array<Constraint, N>&... parts) {
    std::array<Constraint, (N + ...)> all{};
    std::size_t at = 0;
    (
        (void)[&] {
            for (const Constraint& c : parts) all[at++] = c;
        }(),
        ...);
    return all;
}

inline constexpr auto kBank = std::to_array<Constraint>({
    {bank, ACT, ACT, RC},
    {bank, ACT, READS, RCDRD},
    {bank, ACT, WRITES, RCDWR},
    {bank, ACT, PRE, RAS},
    {bank, PRE, ACT, RP},
    {bank, RD, PRE, RTP},
    {bank, WR, PRE, CWL + BL + WR_},
    {bank, RDA, ACT, RTP + RP},
    {bank, WRA, ACT, CWL + BL + WR_ + RP},
});

inline constexpr auto kGroup = std::to_array<Constraint>({
    {group, READS, READS, CCDL},
    {group, WRITES, WRITES, CCDL_WR},
    {group, WRITES, READS, CWL + BL + WTRL},
    {group, ACT, ACT, RRDL},
});

template <Level UNIT>
inline constexpr auto kUnit = std::to_array<Constraint>({
    {UNIT, READS, READS, BL},
    {UNIT, WRITES, WRITES, BL},
    {UNIT, READS, READS, CCDS},
    {UNIT, WRITES, WRITES, CCDS_WR},
    {UNIT, READS, WRITES, RTW},
    {UNIT, WRITES, READS, CWL + BL + WTRS},
    {UNIT, RD, PREab, RTP},
    {UNIT, WR, PREab, CWL + BL + WR_},
    {UNIT, ACT, ACT, RRDS},
    {UNIT, ACT, ACT, FAW, 4},
    {UNIT, ACT, PREab, RAS},
    {UNIT, PREab, ACT, RP},
    {UNIT, ACT, REFab, RC},
    {UNIT, PRE | PREab, REFab, RP},
    {UNIT, RDA, REFab, RTP + RP},
    {UNIT, WRA, REFab, CWL + BL + WR_ + RP},
    {UNIT, REFab, ACT | PRE | PREab | REFab, RFC},
});

/// One-bank refresh. To the rest of its bank group it is an activate (tRRD_L), as the source has it for GDDR6 and
/// HBM4, and DRAMSys (CheckerHBM2.cpp) for HBM2; it counts as one in the four-activate window, and waits for it, as both have it. RDA, WRA and PREab before it are JEDEC's rule (a bank must be closed for tRP) where the
/// source's table has no row.
template <Level UNIT>
inline constexpr auto kRefreshBank = std::to_array<Constraint>({
    {bank, REFpb, ACT | REFpb, RFCpb},
    {bank, ACT, REFpb, RC},
    {bank, PRE, REFpb, RP},
    {bank, RDA, REFpb, RTP + RP},
    {bank, WRA, REFpb, CWL + BL + WR_ + RP},
    {UNIT, PREab, REFpb, RP},
    {UNIT, REFpb, ACT | REFpb, RREFD},
    {UNIT, ACT, REFpb, RRDS},
    {group, ACT, REFpb, RRDL},
    {UNIT, ACT | REFpb, ACT | REFpb, FAW, 4},
    {UNIT, REFpb, REFab, RFCpb},
    {UNIT, REFab, REFpb, RFC},
});

/// Ranks share a data bus: no overlap, and CS idle clocks whenever the rank changes. Between two writes the controller
/// keeps driving, but strobe preamble and termination change with the rank: tRTRS is system dependent, and the sources'
/// burst without a gap is its lower end.
inline constexpr auto kRanks = std::to_array<Constraint>({
    {channel, READS, READS, BL},
    {channel, WRITES, WRITES, BL},
    {rank, READS, COLUMNS, BL + CS, 1, kSibling},
    {rank, WRITES, WRITES, BL + CS, 1, kSibling},
    {rank, READS, WRITES, CL + BL + CS - CWL, 1, kSibling},  // DRAMsim3 timing.cc: a late driver still drives
    {rank, WRITES, READS, CWL + BL + CS - CL, 1, kSibling},
});

}  // namespace heddle::dram::rows
