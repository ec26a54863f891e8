// GDDR5 and GDDR6. Source: Ramulator 1 src/GDDR5.cpp (init_timing) and Ramulator 2.1
// python/ramulator/dram/gddr6.py, commit c5b1c3a.

#include "dram/standards/skeleton.h"
#include "dram/standards/tables.h"

namespace heddle::dram {
using namespace rows;

namespace {

constexpr auto kGddr5 = join(kBank, kGroup, kUnit<channel>, kRefreshBank<channel>,
                             std::to_array<Constraint>({
                                 {channel, ACT, ACT, AW32, 32},
                                 {channel, PRE | PREab, PRE | PREab, PPD},
                             }));

constexpr auto kGddr6 = join(kBank, kGroup, kUnit<channel>, kRefreshBank<channel>,
                             std::to_array<Constraint>({
                                 {channel, PRE | PREab, PRE | PREab, PPD},
                                 {channel, REFab, COLUMNS, RFC},
                                 {channel, RDA, REFpb, RTP + RP},
                                 {channel, WRA, REFpb, CWL + BL + WR_ + RP},
                             }));

}  // namespace

const Standard kStandardGddr5 = {.name = "gddr5",
                                 .source = "Ramulator 1 GDDR5.cpp; one-bank refresh as in GDDR6",
                                 .constraints = kGddr5,
                                 .read_to_write = CL + CCDS + 2 - CWL,
                                 .refreshes = REFab | REFpb};
const Standard kStandardGddr6 = {.name = "gddr6",
                                 .source = "Ramulator 2.1 gddr6.py",
                                 .constraints = kGddr6,
                                 .read_to_write = Latency(CL) + 1,
                                 .refreshes = REFab | REFpb};

}  // namespace heddle::dram
