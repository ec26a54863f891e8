// HBM2, HBM2E and HBM3: row and column commands have a bus each, and pseudo-channels a data bus each; PREab and
// REFab address a pseudo-channel. Source:
// Ramulator 2.1 python/ramulator/dram/hbm{2,3}.py, commit c5b1c3a. HBM2E has HBM2's rules at higher rates.

#include "dram/standards/skeleton.h"
#include "dram/standards/tables.h"

namespace heddle::dram {
using namespace rows;

namespace {

constexpr auto kHbm2 = join(kBank, kGroup, kUnit<pseudo>, kRefreshBank<pseudo>);

// The rank of the tables is HBM3's stack level (SID).
constexpr auto kHbm3 = join(kBank, kGroup, kUnit<pseudo>, kRefreshBank<pseudo>,
                            std::to_array<Constraint>({
                                {pseudo, PRE | PREab, PRE | PREab, PPD},
                                {rank, READS, READS, CCDR, 1, kSibling},
                            }));

}  // namespace

const Standard kStandardHbm2 = {.name = "hbm2",
                                .source = "Ramulator 2.1 hbm2.py",
                                .constraints = kHbm2,
                                .read_to_write = CL + BL + 2 - CWL,
                                .activate_steps = 2,
                                .whole = Level::pseudo,
                                .separate_buses = true,
                                .refreshes = REFab | REFpb};
const Standard kStandardHbm2e = {.name = "hbm2e",
                                 .source = "HBM2's table",
                                 .constraints = kHbm2,
                                 .read_to_write = CL + BL + 2 - CWL,
                                 .activate_steps = 2,
                                 .whole = Level::pseudo,
                                 .separate_buses = true,
                                 .refreshes = REFab | REFpb};
// Row commands go at both clock edges: one takes half a clock, an activate one and a half.
const Standard kStandardHbm3 = {.name = "hbm3",
                                .source = "Ramulator 2.1 hbm3.py",
                                .constraints = kHbm3,
                                .read_to_write = CL + BL + 2 - CWL,
                                .steps = 2,
                                .activate_steps = 3,
                                .precharge_steps = 1,
                                .column_steps = 2,
                                .refresh_steps = 1,
                                .whole = Level::pseudo,
                                .separate_buses = true,
                                .refreshes = REFab | REFpb};

}  // namespace heddle::dram
