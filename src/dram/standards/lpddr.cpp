// LPDDR5 with a 16n burst in bank-group mode. Source: Ramulator 2.1 python/ramulator/dram/lpddr5.py, commit
// c5b1c3a. An activate is two commands (ACT-1, ACT-2) and a column command has a CAS before it: both are
// one command here that takes two clocks of the bus, and latencies count from the first. tRAS runs from ACT-2, so that a precharge waits a clock longer;
// tRCD does too, but a column command begins with its CAS. Between ranks the source has
// CL and CWL the wrong way round after a write and no row after a read: both are added as DDR has them.

#include "dram/standards/skeleton.h"
#include "dram/standards/tables.h"

namespace heddle::dram {
using namespace rows;

namespace {

constexpr auto kLpddr5 = join(kBank, kGroup, kUnit<rank>, kRefreshBank<rank>,
                              std::to_array<Constraint>({
                                  {bank, ACT, PRE, Latency(RAS) + 1},  // from ACT-2
                                  {rank, ACT, PREab, Latency(RAS) + 1},
                                  {channel, READS, READS, BL},
                                  {channel, WRITES, WRITES, BL},
                                  {group, WRITES, READS, CWL + BL + BL + WTRL},  // BL_max = 2 BL_min
                                  {rank, READS, COLUMNS, BL + CS, 1, kSibling},
                                  {rank, WRITES, WRITES, BL + CS, 1, kSibling},
                                  {rank, WRITES, READS, CL + BL + CS - CWL, 1, kSibling},
                                  {rank, READS, WRITES, CL + BL + CS - CWL, 1, kSibling},
                                  {rank, WRITES, READS, CWL + BL + CS - CL, 1, kSibling},
                                  {rank, PRE | PREab, PRE | PREab, PPD},
                                  {rank, PREab, ACT | REFab | REFpb, Latency(RP) + 2},  // RPab = RP + 2
                                  {rank, REFpb, REFpb, PBR},
                              }));

}  // namespace

const Standard kStandardLpddr5 = {.name = "lpddr5",
                                  .source = "Ramulator 2.1 lpddr5.py",
                                  .constraints = kLpddr5,
                                  .read_to_write = CL + BL + 2 - CWL,
                                  .activate_steps = 2,
                                  .column_steps = 2,
                                  .from_last_step = false,
                                  .refreshes = REFab | REFpb};

}  // namespace heddle::dram
