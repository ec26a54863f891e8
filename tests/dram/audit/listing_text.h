#pragma once
// The constraints of each standard as Ramulator 2.1 (commit c5b1c3a, python/ramulator/dram/*.py) has them,
// extracted by machine and independent of the auditor's own tables: level | preceding | following | latency |
// window | sibling. Left out: commands that Heddle does not have (RFMab, RFMpb, CAS_RD, CAS_WR). ACT1 is
// LPDDR5's activate, whose nRAS the listing counts from ACT2, a clock later. GDDR5, which Ramulator 2.1 lacks: Ramulator 1 src/GDDR5.cpp (commit 214f635) with the
// bank-group constraints of DRAMsim3 src/timing.cc and the per-bank refresh of DRAMSys CheckerGDDR5.cpp.

namespace heddle::dram::audit::listing {

inline constexpr const char* kDdr3 = R"(
Channel | RD RDA | RD RDA | nBL |  |
Channel | WR WRA | WR WRA | nBL |  |
Rank | RD RDA | RD RDA | nCCD |  |
Rank | WR WRA | WR WRA | nCCD |  |
Rank | RD RDA | WR WRA | nCL + nBL + 2 - nCWL |  |
Rank | WR WRA | RD RDA | nCWL + nBL + nWTR |  |
Rank | RD RDA | RD RDA WR WRA | nBL + nCS |  | yes
Rank | WR WRA | RD RDA | nCWL + nBL + nCS - nCL |  | yes
Rank | RD | PREab | nRTP |  |
Rank | WR | PREab | nCWL + nBL + nWR |  |
Rank | ACT | ACT | nRRD |  |
Rank | ACT | ACT | nFAW | 4 |
Rank | ACT | PREab | nRAS |  |
Rank | PREab | ACT | nRP |  |
Rank | ACT | REFab | nRC |  |
Rank | PREpb PREab | REFab | nRP |  |
Rank | RDA | REFab | nRP + nRTP |  |
Rank | WRA | REFab | nCWL + nBL + nWR + nRP |  |
Rank | REFab | ACT | nRFC |  |
Bank | ACT | ACT | nRC |  |
Bank | ACT | RD RDA WR WRA | nRCD |  |
Bank | ACT | PREpb | nRAS |  |
Bank | PREpb | ACT | nRP |  |
Bank | RD | PREpb | nRTP |  |
Bank | WR | PREpb | nCWL + nBL + nWR |  |
Bank | RDA | ACT | nRTP + nRP |  |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP |  |
)";

inline constexpr const char* kDdr4 = R"(
Channel | RD RDA | RD RDA | nBL |  |
Channel | WR WRA | WR WRA | nBL |  |
Rank | RD RDA | RD RDA | nCCDS |  |
Rank | WR WRA | WR WRA | nCCDS |  |
Rank | RD RDA | WR WRA | nCL + nBL + 2 - nCWL |  |
Rank | WR WRA | RD RDA | nCWL + nBL + nWTRS |  |
Rank | RD RDA | RD RDA WR WRA | nBL + nCS |  | yes
Rank | WR WRA | RD RDA | nCWL + nBL + nCS - nCL |  | yes
Rank | RD | PREab | nRTP |  |
Rank | WR | PREab | nCWL + nBL + nWR |  |
Rank | ACT | ACT | nRRDS |  |
Rank | ACT | ACT | nFAW | 4 |
Rank | ACT | PREab | nRAS |  |
Rank | PREab | ACT | nRP |  |
Rank | ACT | REFab | nRC |  |
Rank | PREpb PREab | REFab | nRP |  |
Rank | RDA | REFab | nRP + nRTP |  |
Rank | WRA | REFab | nCWL + nBL + nWR + nRP |  |
Rank | REFab | ACT PREab | nRFC |  |
BankGroup | RD RDA | RD RDA | nCCDL |  |
BankGroup | WR WRA | WR WRA | nCCDL |  |
BankGroup | WR WRA | RD RDA | nCWL + nBL + nWTRL |  |
BankGroup | ACT | ACT | nRRDL |  |
Bank | ACT | ACT | nRC |  |
Bank | ACT | RD RDA WR WRA | nRCD |  |
Bank | ACT | PREpb | nRAS |  |
Bank | PREpb | ACT | nRP |  |
Bank | RD | PREpb | nRTP |  |
Bank | WR | PREpb | nCWL + nBL + nWR |  |
Bank | RDA | ACT | nRTP + nRP |  |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP |  |
)";

inline constexpr const char* kDdr5 = R"(
Channel | RD RDA | RD RDA | nBL |  |
Channel | WR WRA | WR WRA | nBL |  |
Rank | RD RDA | RD RDA | nCCDS |  |
Rank | WR WRA | WR WRA | nCCDS_WR |  |
Rank | RD RDA | WR WRA | nCL + nBL + 2 - nCWL + 2 |  |
Rank | WR WRA | RD RDA | nCWL + nBL + nWTRS |  |
Rank | RD RDA | RD RDA WR WRA | nBL + nCS |  | yes
Rank | WR WRA | RD RDA | nCWL + nBL + nCS - nCL |  | yes
Rank | RD | PREab | nRTP |  |
Rank | WR | PREab | nCWL + nBL + nWR |  |
Rank | ACT | ACT | nRRDS |  |
Rank | ACT | ACT | nFAW | 4 |
Rank | ACT | PREab | nRAS |  |
Rank | PREab | ACT | nRP |  |
Rank | PREpb PREab | PREpb PREab | nPPD |  |
Rank | ACT | REFab | nRC |  |
Rank | PREpb PREab | REFab | nRP |  |
Rank | RDA | REFab | nRP + nRTP |  |
Rank | WRA | REFab | nCWL + nBL + nWR + nRP |  |
Rank | REFab | ACT PREab | nRFC |  |
BankGroup | RD RDA | RD RDA | nCCDL |  |
BankGroup | WR WRA | WR WRA | nCCDL_WR |  |
BankGroup | WR WRA | RD RDA | nCWL + nBL + nWTRL |  |
BankGroup | ACT | ACT | nRRDL |  |
Bank | ACT | ACT | nRC |  |
Bank | ACT | RD RDA WR WRA | nRCD |  |
Bank | ACT | PREpb | nRAS |  |
Bank | PREpb | ACT | nRP |  |
Bank | RD | PREpb | nRTP |  |
Bank | WR | PREpb | nCWL + nBL + nWR |  |
Bank | RDA | ACT | nRTP + nRP |  |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP |  |
)";

inline constexpr const char* kGddr6 = R"(
Channel | RD RDA | RD RDA | nBL |  |
Channel | WR WRA | WR WRA | nBL |  |
Channel | RD RDA | RD RDA | nCCDS |  |
Channel | WR WRA | WR WRA | nCCDS |  |
Channel | RD RDA | WR WRA | nCL + 1 |  |
Channel | WR WRA | RD RDA | nCWL + nBL + nWTRS |  |
Channel | RD | PREab | nRTP |  |
Channel | WR | PREab | nCWL + nBL + nWR |  |
Channel | ACT | ACT | nRRDS |  |
Channel | ACT | ACT REFpb | nFAW | 4 |
Channel | REFpb | ACT REFpb | nFAW | 4 |
Channel | ACT | PREab | nRAS |  |
Channel | PREab | ACT | nRP |  |
Channel | PREab PREpb | PREab PREpb | nPPD |  |
Channel | ACT | REFab | nRC |  |
Channel | PREab | REFab | nRP |  |
Channel | RDA | REFab | nRP + nRTP |  |
Channel | WRA | REFab | nCWL + nBL + nWR + nRP |  |
Channel | REFab | ACT PREab PREpb RD WR RDA WRA REFab REFpb | nRFCab |  |
Channel | ACT | REFpb | nRRDS |  |
Channel | PREab | REFpb | nRP |  |
Channel | RDA | REFpb | nRP + nRTP |  |
Channel | WRA | REFpb | nCWL + nBL + nWR + nRP |  |
Channel | REFpb | ACT | nRREFD |  |
Channel | REFpb | REFpb | nRREFD |  |
Channel | REFpb | REFab | nRFCpb |  |
BankGroup | RD RDA | RD RDA | nCCDL |  |
BankGroup | WR WRA | WR WRA | nCCDL |  |
BankGroup | WR WRA | RD RDA | nCWL + nBL + nWTRL |  |
BankGroup | ACT | ACT REFpb | nRRDL |  |
Bank | ACT | ACT | nRC |  |
Bank | ACT | RD RDA | nRCDRD |  |
Bank | ACT | WR WRA | nRCDWR |  |
Bank | ACT | PREpb | nRAS |  |
Bank | PREpb | ACT | nRP |  |
Bank | RD | PREpb | nRTP |  |
Bank | WR | PREpb | nCWL + nBL + nWR |  |
Bank | RDA | ACT | nRTP + nRP |  |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP |  |
Bank | ACT | REFpb | nRC |  |
Bank | PREpb | REFpb | nRP |  |
Bank | RDA | REFpb | nRP + nRTP |  |
Bank | WRA | REFpb | nCWL + nBL + nWR + nRP |  |
Bank | REFpb | ACT REFpb | nRFCpb |  |
)";

inline constexpr const char* kHbm2 = R"(
PseudoChannel | RD RDA | RD RDA | nBL |  |
PseudoChannel | WR WRA | WR WRA | nBL |  |
PseudoChannel | RD RDA | RD RDA | nCCDS |  |
PseudoChannel | WR WRA | WR WRA | nCCDS |  |
PseudoChannel | RD RDA | WR WRA | nCL + nBL + 2 - nCWL |  |
PseudoChannel | WR WRA | RD RDA | nCWL + nBL + nWTRS |  |
PseudoChannel | RD | PREab | nRTPL |  |
PseudoChannel | WR | PREab | nCWL + nBL + nWR |  |
PseudoChannel | ACT | ACT | nRRDS |  |
PseudoChannel | ACT | ACT | nFAW | 4 |
PseudoChannel | ACT | PREab | nRAS |  |
PseudoChannel | PREab | ACT | nRP |  |
PseudoChannel | ACT | REFab | nRC |  |
PseudoChannel | PREpb PREab | REFab | nRP |  |
PseudoChannel | RDA | REFab | nRP + nRTPL |  |
PseudoChannel | WRA | REFab | nCWL + nBL + nWR + nRP |  |
PseudoChannel | REFab | ACT PREab | nRFC |  |
PseudoChannel | REFpb | ACT | nRREFD |  |
PseudoChannel | ACT | REFpb | nRRDS |  |
BankGroup | RD RDA | RD RDA | nCCDL |  |
BankGroup | WR WRA | WR WRA | nCCDL |  |
BankGroup | WR WRA | RD RDA | nCWL + nBL + nWTRL |  |
BankGroup | ACT | ACT | nRRDL |  |
Bank | ACT | ACT | nRC |  |
Bank | ACT | RD RDA | nRCDRD |  |
Bank | ACT | WR WRA | nRCDWR |  |
Bank | ACT | PREpb | nRAS |  |
Bank | PREpb | ACT | nRP |  |
Bank | RD | PREpb | nRTPL |  |
Bank | WR | PREpb | nCWL + nBL + nWR |  |
Bank | RDA | ACT | nRTPL + nRP |  |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP |  |
Bank | REFpb | ACT | nRFCpb |  |
Bank | ACT | REFpb | nRC |  |
Bank | PREpb | REFpb | nRP |  |
)";

inline constexpr const char* kHbm3 = R"(
PseudoChannel | RD RDA | RD RDA | nBL |  |
PseudoChannel | WR WRA | WR WRA | nBL |  |
PseudoChannel | RD RDA | WR WRA | nRTW |  |
PseudoChannel | WR WRA | RD RDA | nCWL + nBL + nWTRS |  |
PseudoChannel | RD | PREab | nRTP |  |
PseudoChannel | WR | PREab | nCWL + nBL + nWR |  |
PseudoChannel | ACT | ACT | nRRDS |  |
PseudoChannel | ACT | ACT | nFAW | 4 |
PseudoChannel | ACT | PREab | nRAS |  |
PseudoChannel | PREab | ACT | nRP |  |
PseudoChannel | PREpb PREab | PREpb PREab | nPPD |  |
PseudoChannel | ACT | REFab | nRC |  |
PseudoChannel | PREpb PREab | REFab | nRP |  |
PseudoChannel | RDA | REFab | nRP + nRTP |  |
PseudoChannel | WRA | REFab | nCWL + nBL + nWR + nRP |  |
PseudoChannel | REFab | ACT PREab | nRFC |  |
PseudoChannel | REFpb | REFpb | nRREFD |  |
PseudoChannel | REFpb | ACT | nRREFD |  |
PseudoChannel | ACT | REFpb | nRRDS |  |
Sid | RD RDA | RD RDA | nCCDS |  |
Sid | WR WRA | WR WRA | nCCDS |  |
Sid | RD RDA | RD RDA | nCCDR |  | yes
BankGroup | RD RDA | RD RDA | nCCDL |  |
BankGroup | WR WRA | WR WRA | nCCDL |  |
BankGroup | WR WRA | RD RDA | nCWL + nBL + nWTRL |  |
BankGroup | ACT | ACT | nRRDL |  |
Bank | ACT | ACT | nRC |  |
Bank | ACT | RD RDA | nRCDRD |  |
Bank | ACT | WR WRA | nRCDWR |  |
Bank | ACT | PREpb | nRAS |  |
Bank | PREpb | ACT | nRP |  |
Bank | RD | PREpb | nRTP |  |
Bank | WR | PREpb | nCWL + nBL + nWR |  |
Bank | RDA | ACT | nRTP + nRP |  |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP |  |
Bank | REFpb | ACT | nRFCpb |  |
Bank | ACT | REFpb | nRC |  |
Bank | PREpb | REFpb | nRP |  |
)";

inline constexpr const char* kLpddr5 = R"(
Channel | RD RDA | RD RDA | nBL_min |  |
Channel | WR WRA | WR WRA | nBL_min |  |
Rank | RD RDA | RD RDA | nCCDS |  |
Rank | WR WRA | WR WRA | nCCDS_WR |  |
Rank | RD RDA | WR WRA | nCL + nBL_min + 2 - nCWL |  |
Rank | WR WRA | RD RDA | nCWL + nBL_min + nWTRS |  |
Rank | RD RDA | RD RDA WR WRA | nBL_min + nCS |  | yes
Rank | WR WRA | RD RDA | nCL + nBL_min + nCS - nCWL |  | yes
Rank | RD | PREab | nRTP |  |
Rank | WR | PREab | nCWL + nBL_min + nWR |  |
Rank | ACT1 | ACT1 | nRRDS |  |
Rank | ACT1 | ACT1 | nFAW | 4 |
Rank | ACT1 | PREab | nRAS + 1 |  |
Rank | PREab | ACT1 | nRPab |  |
Rank | PREpb PREab | PREpb PREab | nPPD |  |
Rank | ACT1 | REFab | nRC |  |
Rank | PREpb PREab | REFab | nRP |  |
Rank | RDA | REFab | nRP + nRTP |  |
Rank | WRA | REFab | nCWL + nBL_min + nWR + nRP |  |
Rank | REFab | ACT1 PREab REFpb REFab | nRFC |  |
Rank | REFpb | REFpb | nPBR2PBR |  |
Rank | REFpb | REFab | nRFCpb |  |
Rank | REFpb | ACT1 | nPBR2ACT |  |
BankGroup | RD RDA | RD RDA | nCCDL |  |
BankGroup | WR WRA | WR WRA | nCCDL_WR |  |
BankGroup | WR WRA | RD RDA | nCWL + nBL_max + nWTRL |  |
BankGroup | ACT1 | ACT1 | nRRDL |  |
Bank | ACT1 | ACT1 | nRC |  |
Bank | ACT1 | RD RDA WR WRA | nRCD |  |
Bank | ACT1 | PREpb | nRAS + 1 |  |
Bank | PREpb | ACT1 | nRP |  |
Bank | RD | PREpb | nRTP |  |
Bank | WR | PREpb | nCWL + nBL_min + nWR |  |
Bank | RDA | ACT1 | nRTP + nRP |  |
Bank | WRA | ACT1 | nCWL + nBL_min + nWR + nRP |  |
Bank | REFpb | ACT1 | nRFCpb |  |
Bank | ACT1 | REFpb | nRC |  |
Bank | PREpb | REFpb | nRP |  |
)";

inline constexpr const char* kGddr5 = R"(
Channel | RD RDA | RD RDA | nBL | |
Channel | WR WRA | WR WRA | nBL | |
Rank | RD RDA | RD RDA | nCCDS | |
Rank | WR WRA | WR WRA | nCCDS | |
Rank | RD RDA | WR WRA | nCL + nCCDS + 2 - nCWL | |
Rank | WR WRA | RD RDA | nCWL + nBL + nWTRS | |
Rank | RD | PREab | nRTP | |
Rank | WR | PREab | nCWL + nBL + nWR | |
Rank | ACT | ACT | nRRDS | |
Rank | ACT | ACT | nFAW | 4 |
Rank | ACT | ACT | n32AW | 32 |
Rank | ACT | PREab | nRAS | |
Rank | PREab | ACT | nRP | |
Rank | PREpb PREab | PREpb PREab | nPPD | |
Rank | PREpb PREab | REFab | nRP | |
Rank | REFab | ACT REFab | nRFC | |
BankGroup | RD RDA | RD RDA | nCCDL | |
BankGroup | WR WRA | WR WRA | nCCDL | |
BankGroup | WR WRA | RD RDA | nCWL + nBL + nWTRL | |
BankGroup | ACT | ACT | nRRDL | |
Bank | ACT | ACT | nRC | |
Bank | ACT | RD RDA | nRCDRD | |
Bank | ACT | WR WRA | nRCDWR | |
Bank | ACT | PREpb | nRAS | |
Bank | PREpb | ACT | nRP | |
Bank | RD | PREpb | nRTP | |
Bank | WR | PREpb | nCWL + nBL + nWR | |
Bank | RDA | ACT | nRTP + nRP | |
Bank | WRA | ACT | nCWL + nBL + nWR + nRP | |
Rank | REFpb | ACT REFpb | nRREFD | |
Rank | ACT | REFpb | nRRDS | |
Bank | REFpb | ACT REFpb | nRFCpb | |
Bank | ACT | REFpb | nRC | |
Bank | PREpb | REFpb | nRP | |
)";

// What the sources leave out: a refresh waits for precharges of every kind (Ramulator PR 57) and for other
// refreshes of its banks, and a write is recovered from also when a read closes its row. `all` is the level
// of PREab.
inline constexpr const char* kWriteRecovery = R"(
all | WR | REFab | nCWL + nBL + nWR + nRP | |
Bank | WR | ACT | nCWL + nBL + nWR + nRP | |
)";
// Only deselects may follow within nRFC; the data bus idles for nCS clocks whenever the rank changes.
inline constexpr const char* kRefreshTwice = R"(
all | REFab | PREpb REFab | nRFC | |
Rank | WR WRA | WR WRA | nBL + nCS | | yes
)";
inline constexpr const char* kDdr3Rest = R"(
Rank | REFab | PREab | nRFC | |
)";
inline constexpr const char* kPerBankRefresh = R"(
Bank | WR | REFpb | nCWL + nBL + nWR + nRP | |
)";
inline constexpr const char* kPerBankAfterBursts = R"(
Bank | RDA | REFpb | nRTP + nRP | |
Bank | WRA | REFpb | nCWL + nBL + nWR + nRP | |
BankGroup | ACT | REFpb | nRRDL | |
all | ACT | REFpb | nFAW | 4 |
all | REFpb | ACT REFpb | nFAW | 4 |
)";
inline constexpr const char* kGddr5Rest = R"(
all | ACT | REFab | nRC | |
all | RDA | REFab | nRTP + nRP | |
all | WRA | REFab | nCWL + nBL + nWR + nRP | |
all | PREab | REFpb | nRP | |
all | REFab | PREpb PREab REFpb | nRFC | |
all | REFpb | REFab | nRFCpb | |
)";
inline constexpr const char* kGddr6Rest = R"(
Channel | PREpb | REFab | nRP | |
)";
inline constexpr const char* kHbmRest = R"(
all | PREab | REFpb | nRP | |
all | REFab | PREpb REFab REFpb | nRFC | |
all | REFpb | REFab | nRFCpb | |
Bank | REFpb | REFpb | nRFCpb | |
)";
inline constexpr const char* kHbm2Rest = R"(
all | REFpb | REFpb | nRREFD | |
)";
// LPDDR5's ranks share the data bus: after a read's last beat CS idle clocks, then the other rank's write.
inline constexpr const char* kLpddr5Rest = R"(
Rank | RD RDA | WR WRA | nCL + nBL_min + nCS - nCWL | | yes
all | PREab | REFpb | nRPab | |
all | ACT | REFpb | nRRDS | |
all | REFab | PREpb | nRFC | |
Rank | WR WRA | WR WRA | nBL_min + nCS | | yes
Bank | REFpb | REFpb | nRFCpb | |
)";
// JESD79-5 table 280, refresh command scheduling separation.
inline constexpr const char* kDdr5Rest = R"(
Rank | PREab | REFsb | nRP | |
Rank | REFab | REFsb | nRFC | |
Rank | REFsb | REFab | nRFCsb | |
Rank | REFsb | REFsb | nRFCsb | |
Rank | REFsb | ACT | nREFSBRD | |
Bank | REFsb | ACT | nRFCsb | |
BankGroup | ACT | REFsb | nRRDL | |
Bank | ACT | REFsb | nRC | |
Bank | PREpb | REFsb | nRP | |
Bank | RDA | REFsb | nRTP + nRP | |
Bank | WRA | REFsb | nCWL + nBL + nWR + nRP | |
Bank | WR | REFsb | nCWL + nBL + nWR + nRP | |
)";

}  // namespace heddle::dram::audit::listing
