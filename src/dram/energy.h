#pragma once
// DRAM energy from supply currents: of each command, and of the time with and without open rows.
//
// Per device, with I in mA, V in volts, t in ns, hence pJ:
//     activate + precharge  V (IDD0 tRC - (IDD3N tRAS + IDD2N (tRC - tRAS)))
//     read / write burst    V (IDD4R - IDD3N) tBURST  /  V (IDD4W - IDD3N) tBURST
//     refresh               V (IDD5AB - IDD3N) tRFC;  one-bank refresh V (IDD5PB - IDD3N) tRFCpb if it is stated
//     background            V IDD3N while a row of the rank is open, V IDD2N otherwise
// times the devices in lockstep. Source of the method: Micron TN-41-01; currents: DRAMsim3 configs (2981759),
// whose HBM and GDDR values are estimates.

#include <span>
#include <string_view>
#include <vector>

#include "dram/geometry.h"
#include "dram/statistics.h"

namespace heddle::dram {

/// Microvolts and microamperes, so that all is integer.
struct Currents {
    std::string_view name, standard;
    u32 density_mbit, rate_mbps;
    u32 device_bits;  // data pins to which the currents belong
    u32 vdd_uv;
    u32 idd0, idd2n, idd3n, idd4w, idd4r, idd5ab;
    u32 idd5pb;  // 0: not stated
};
std::span<const Currents> currents();
/// The table's entry for a memory: of its standard, of its width if there is one, of the nearest density and rate.
/// Null if the standard has none (DDR5, HBM3, LPDDR5: the source states no currents).
const Currents* find_currents(const Resolved& resolved);

/// Picojoules of one channel.
struct Energy {
    u64 activate = 0;  // with the precharge that follows
    u64 read = 0, write = 0;
    u64 refresh = 0;
    u64 background = 0;
    Energy& operator+=(const Energy& o) {
        activate += o.activate, read += o.read, write += o.write;
        refresh += o.refresh, background += o.background;
        return *this;
    }
    u64 total() const { return activate + read + write + refresh + background; }
    /// Mean power in milliwatts over `cycles` of the command clock: pJ / ns.
    u64 average_mw(u64 cycles, u64 clock_hz) const;
};

/// Of all that a channel counted.
Energy energy_of(const Statistics& statistics, const Resolved& resolved, const Currents& currents);
/// What one application's commands took; refresh and background belong to nobody.
Energy energy_of(const AppCounts& counts, const Resolved& resolved, const Currents& currents);

}  // namespace heddle::dram
