#pragma once
// Short names for the tables of constraints; only the files of this folder include it.

#include "dram/standard.h"

namespace heddle::dram::rows {

// The write-recovery time stands as WR_, beside WR the command.
using P = Param;
inline constexpr Param WR_ = P::WR;
inline constexpr Param BL = P::BL, CL = P::CL, CWL = P::CWL, RCDRD = P::RCDRD, RCDWR = P::RCDWR, RP = P::RP,
                       RAS = P::RAS, RC = P::RC, RTP = P::RTP, CCDS = P::CCDS, CCDL = P::CCDL,
                       CCDS_WR = P::CCDS_WR, CCDL_WR = P::CCDL_WR, CCDR = P::CCDR, RRDS = P::RRDS,
                       RRDL = P::RRDL, FAW = P::FAW, AW32 = P::AW32, WTRS = P::WTRS, WTRL = P::WTRL,
                       RTW = P::RTW, CS = P::CS, PPD = P::PPD, RFC = P::RFC, RFCsb = P::RFCsb,
                       RFCpb = P::RFCpb, RREFD = P::RREFD, PBR = P::PBR;
using enum Level;
inline constexpr Kinds ACT = CommandKind::activate;
inline constexpr Kinds PRE = CommandKind::precharge;
inline constexpr Kinds PREab = CommandKind::precharge_all;
inline constexpr Kinds RD = CommandKind::read;
inline constexpr Kinds RDA = CommandKind::read_auto;
inline constexpr Kinds WR = CommandKind::write;
inline constexpr Kinds WRA = CommandKind::write_auto;
inline constexpr Kinds REFab = CommandKind::refresh_all;
inline constexpr Kinds REFsb = CommandKind::refresh_same;
inline constexpr Kinds REFpb = CommandKind::refresh_bank;
inline constexpr Kinds READS = RD | RDA;
inline constexpr Kinds WRITES = WR | WRA;
inline constexpr Kinds COLUMNS = READS | WRITES;
inline constexpr bool kSibling = true;

}  // namespace heddle::dram::rows
