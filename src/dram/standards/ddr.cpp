// DDR3, DDR4, DDR5. Source: Ramulator 2.1 python/ramulator/dram/ddr{3,4,5}.py, commit c5b1c3a; same-bank
// refresh of DDR5: JESD79-5 (tRFCsb, tREFSBRD).

#include "dram/standards/skeleton.h"
#include "dram/standards/tables.h"

namespace heddle::dram {
using namespace rows;

namespace {

constexpr auto kDdr3 = join(kBank, kUnit<rank>, kRanks);
constexpr auto kDdr4 = join(kBank, kGroup, kUnit<rank>, kRanks);
constexpr auto kDdr5 = join(kBank, kGroup, kUnit<rank>, kRanks,
                            std::to_array<Constraint>({
                                {rank, PRE | PREab, PRE | PREab, PPD},
                                {bank, REFsb, ACT | REFsb, RFCsb},
                                {bank, ACT, REFsb, RC},
                                {bank, PRE, REFsb, RP},
                                {bank, RDA, REFsb, RTP + RP},
                                {bank, WRA, REFsb, CWL + BL + WR_ + RP},
                                {rank, PREab, REFsb, RP},
                                {rank, ACT, REFsb, RRDL},
                                {rank, REFsb, ACT, RREFD},
                                {rank, REFsb, REFsb, RFCsb},
                                {rank, REFsb, REFab, RFCsb},
                                {rank, REFab, REFsb, RFC},
                            }));

}  // namespace

const Standard kStandardDdr3 = {.name = "ddr3",
                                .source = "Ramulator 2.1 ddr3.py",
                                .constraints = kDdr3,
                                .read_to_write = CL + BL + 2 - CWL,
                                .refreshes = REFab};
const Standard kStandardDdr4 = {.name = "ddr4",
                                .source = "Ramulator 2.1 ddr4.py",
                                .constraints = kDdr4,
                                .read_to_write = CL + BL + 2 - CWL,
                                .refreshes = REFab};
const Standard kStandardDdr5 = {.name = "ddr5",
                                .source = "Ramulator 2.1 ddr5.py; JESD79-5 for same-bank refresh",
                                .constraints = kDdr5,
                                .read_to_write = CL + BL + 2 - CWL + 2,
                                .activate_steps = 2,
                                .column_steps = 2,
                                .refreshes = REFab | REFsb};

}  // namespace heddle::dram
