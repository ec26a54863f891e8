#pragma once
// Memories of published machines, as settings: what their machine files say.

#include "dram/settings.h"

namespace heddle::dram {

inline config::Duration clocks(u64 n) {
    return {n, true};
}
inline config::Duration ns10(u64 tenths) {
    return {tenths * 100'000, false};
}  // tenths of a nanosecond

/// GPGPU-Sim's GTX480: 6 channels of two x32 GDDR5 devices, no activate window, no refresh.
inline MemorySettings gtx480() {
    MemorySettings s;
    s.standard = "gddr5";
    s.part = "gddr5_1gb_x32";
    s.speed = "";
    s.clock_hz = 924'000'000;
    s.transfers_per_clock = 4;
    s.width_bits = 64;
    s.channels = 6;
    TimingSettings& t = s.timing;
    t.CCDS = clocks(2), t.CCDL = clocks(3), t.RRD = clocks(6), t.RCD = clocks(12), t.RAS = clocks(28);
    t.RP = clocks(12), t.RC = clocks(40), t.CL = clocks(12), t.CWL = clocks(4), t.WTR = clocks(5);
    t.WR = clocks(12), t.RTP = clocks(2);
    s.refresh = RefreshMode::off;
    return s;
}

/// GPGPU-Sim's QV100: 32 channels of 128 bit, burst 2, separate command buses.
inline MemorySettings qv100() {
    MemorySettings s;
    s.standard = "hbm2";
    s.part = "";
    s.speed = "";
    s.clock_hz = 850'000'000;
    s.width_bits = 128;
    s.burst_length = 2;
    s.transfers_per_clock = 2;
    s.pseudo_channels = s.ranks = 1;
    s.bank_groups = s.banks_per_group = 4;
    s.rows = 16384;
    s.row_bytes = 2048;
    s.activate_cycles = 1;
    s.channels = 32;
    TimingSettings& t = s.timing;
    t.CCDS = clocks(1), t.CCDL = clocks(2), t.RRD = clocks(3), t.RCD = clocks(12), t.RAS = clocks(28);
    t.RP = clocks(12), t.RC = clocks(40), t.CL = clocks(12), t.CWL = clocks(2), t.WTR = clocks(3);
    t.WR = clocks(10), t.RTP = clocks(3), t.RFC = ns10(2600), t.REFI = ns10(39000);
    s.refresh = RefreshMode::all_bank;
    return s;
}

/// Chatterjee et al., SC 2014: 6 channels of two x32 GDDR5 devices at 6 Gb/s.
inline MemorySettings gtx480_wg() {
    MemorySettings s;
    s.standard = "gddr5";
    s.part = "gddr5_1gb_x32";
    s.speed = "gddr5_6000";
    s.width_bits = 64;
    s.channels = 6;
    TimingSettings& t = s.timing;
    t.RC = ns10(400), t.RCD = ns10(120), t.RP = ns10(120), t.CL = ns10(120), t.RAS = ns10(280),
    t.RRD = ns10(55);
    t.WTR = ns10(50), t.FAW = ns10(230), t.RTP = ns10(20), t.WR = ns10(120);
    t.CWL = clocks(4), t.CCDL = clocks(3), t.CCDS = clocks(2), t.AW32 = clocks(0);
    s.map = {"byte:64", "column:4", "group:4", "bank:4", "column:16", "row"};
    s.bank_hash = BankHash::xor_row;
    s.read_queue = s.write_queue = 64;
    s.write_high = 32;
    s.write_low = 16;
    s.refresh = RefreshMode::off;
    return s;
}

}  // namespace heddle::dram
