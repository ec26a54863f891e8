#pragma once
// What a machine file says about one DRAM memory: plain data, nothing derived.
//
// A number that is 0 or unset comes from the named part (organization) or speed bin (timing). `resolve` (geometry.h)
// merges them, and rejects numbers that contradict each other.

#include <optional>
#include <string>
#include <vector>

#include "config/schema.h"
#include "config/unit.h"
#include "sim/types.h"

namespace heddle::dram {

/// Timing parameters, in clocks of the command clock once resolved. The names are the data sheets' without the leading
/// t (or n); _S and _L mean different and same bank group.
enum class Param : u8 {
    BL,       // burst on the data bus
    CL,       // read command to first data
    CWL,      // write command to first data
    RCDRD,    // activate to read
    RCDWR,    // activate to write
    RP,       // precharge to activate
    RAS,      // activate to precharge
    RC,       // activate to activate, same bank
    RTP,      // read to precharge
    WR,       // end of write data to precharge
    CCDS,     // column to column, other bank group
    CCDL,     // column to column, same bank group
    CCDS_WR,  // the same from write to write, where the standard tells them apart
    CCDL_WR,
    CCDR,    // read to read, other stack level (HBM3)
    RRDS,    // activate to activate, other bank group
    RRDL,    // activate to activate, same bank group
    FAW,     // four activates
    AW32,    // thirty-two activates (GDDR5)
    WTRS,    // end of write data to read, other bank group
    WTRL,    // end of write data to read, same bank group
    RTW,     // read command to write command, where it is not derived from CL, BL and CWL
    CS,      // idle data bus between ranks
    PPD,     // precharge to precharge
    RFC,     // all-bank refresh
    RFCsb,   // same-bank refresh
    RFCpb,   // one-bank refresh
    REFI,    // mean time between all-bank refreshes
    REFIpb,  // mean time between one-bank refreshes of a rank
    RREFD,   // one-bank or same-bank refresh to activate or refresh of another bank
    PBR,     // one-bank refresh to the next in the rank, where longer than RREFD (LPDDR5)
    count_
};
inline constexpr std::size_t kParams = static_cast<std::size_t>(Param::count_);

enum class BankHash : u8 {
    none,
    xor_row,  // bank index (group lowest) XOR the row's lowest bits; a rotation by the row if not a power of
              // two
};
enum class QueueForm : u8 { separate, unified };
enum class PagePolicyKind : u8 {
    open,      // a row stays open until another is needed
    closed,    // a row closes (auto-precharge) with its last waiting request
    adaptive,  // open, but closes after `page_cap` column commands or `page_timeout` clocks without one
};
enum class RefreshMode : u8 { off, all_bank, same_bank, per_bank };
enum class CommandBuses : u8 { standard, shared, separate };

/// Overrides of the speed bin, in clocks or as a time that is rounded up to clocks. RCD, CCD, RRD and WTR stand for
/// both of their variants where the finer key is not given.
struct TimingSettings {
    using Time = std::optional<config::Duration>;
    Time BL, CL, CWL, RCD, RCDRD, RCDWR, RP, RAS, RC, RTP, WR, CCD, CCDS, CCDL, CCDS_WR, CCDL_WR, CCDR, RRD,
        RRDS, RRDL, FAW, AW32, WTR, WTRS, WTRL, RTW, CS, PPD, RFC, RFCsb, RFCpb, REFI, REFIpb, RREFD, PBR;

    static const config::Schema<TimingSettings>& schema();
};

struct MemorySettings {
    // The devices.
    std::string standard = "gddr5";
    std::string part = "gddr5_1gb_x32";  // organisation; see parts.cpp
    std::string speed = "gddr5_4000";    // timing; see parts.cpp
    u64 clock_hz = 0;                    // command clock; 0: that of the speed bin
    u32 channels = 1;

    // Organization of one channel; 0: the part's value.
    u32 width_bits = 0;           // data bus of one (pseudo-)channel; devices in lockstep fill it
    u32 burst_length = 0;         // transfers of one column command
    u32 transfers_per_clock = 0;  // of the command clock
    u32 pseudo_channels = 0;
    u32 ranks = 0;  // or stack levels
    u32 bank_groups = 0;
    u32 banks_per_group = 0;
    u32 rows = 0;
    u32 row_bytes = 0;        // of one bank over the whole bus width
    u32 activate_cycles = 0;  // clocks of the row bus that an activate takes; 0: the standard's
    CommandBuses command_buses = CommandBuses::standard;
    TimingSettings timing;

    // Address map within a channel, least significant field first: "PART:COUNT" with PART one of byte, column, group,
    // bank, rank, pseudo, row. A part may appear several times and collects its digits in that order; COUNT need not be
    // a power of two; the last field is "row". Empty: byte, columns of a line, pseudo-channels, bank groups, the other
    // columns, banks, ranks, row.
    std::vector<std::string> map;
    BankHash bank_hash = BankHash::none;
    u32 line_bytes = 128;  // largest request; must lie in one row

    // Controller.
    QueueForm queues = QueueForm::separate;
    u32 read_queue = 64;  // the whole queue if unified
    u32 write_queue = 64;
    u32 cpu_reserve = 0;     // of the read queue (the whole one if unified), entries that only CPUs may take
    bool cpu_split = false;  // and CPUs may take no others
    bool release_at_activate =
        false;                     // an entry is free again when the row is opened for its request, not when
                                   // its last column command issues
    bool drain_opens_rows = true;  // during a drain a bank without a write opens the row of its best read
    u32 write_high = 32;           // a forced drain starts above this
    u32 write_low = 16;            // and ends at or below this
    u32 write_budget = 1024;       // writes in a row while a read waits; then as many reads have their turn
    u64 write_age = 100'000;  // clocks after which a write below the watermark is served though reads wait
    /// A full write queue is above any high watermark.
    u32 drain_above() const { return write_high < write_queue ? write_high : write_queue - 1; }
    config::Choice drain;
    config::Choice scheduler;
    PagePolicyKind page_policy = PagePolicyKind::open;
    u32 page_cap = 0;      // column commands of one activation; 0: no cap
    u32 page_timeout = 0;  // clocks; 0: none
    RefreshMode refresh = RefreshMode::off;
    u32 refresh_postpone = 0;    // refreshes that may be put off while requests wait (JEDEC allows 8)
    bool forward_writes = true;  // a read that a waiting write covers is answered from the write queue

    static const config::Schema<MemorySettings>& schema();
};

}  // namespace heddle::dram
