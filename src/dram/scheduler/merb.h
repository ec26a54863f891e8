#pragma once
// MERB, minimum efficient row burst: row hits of a bank that keep the data bus busy while another bank closes one row
// and opens the next, by the number of banks with work. Source: Chatterjee et al., SC 2014.

#include "dram/geometry.h"

namespace heddle::dram {

class Merb {
  public:
    /// ceil(max((tRTP + tRP + tRCD) / ((b - 1) tBURST), max(tRRD, tFAW / 4) / tBURST)), at most 31; 31 for one bank. In
    /// clocks: times are those that the device keeps.
    explicit Merb(const Resolved& r) {
        const u64 burst = r.time(Param::BL);
        const u64 row = r.time(Param::RTP) + r.time(Param::RP) + r.time(Param::RCDRD);
        const u64 activate4 = std::max<u64>(u64{4} * r.time(Param::RRDS), r.time(Param::FAW));
        banks_ = r.geometry.banks();
        table_.fill(kMost);
        for (u64 b = 2; b <= banks_; ++b)
            table_[b] = static_cast<u8>(std::min<u64>(
                kMost, std::max(ceil_div(row, (b - 1) * burst), ceil_div(activate4, 4 * burst))));
    }
    /// With `banks` banks that have pending work, at least 1.
    u32 operator()(u32 banks) const { return table_[std::min(banks, banks_)]; }

  private:
    static constexpr u8 kMost = 31;  // of a 5-bit counter
    u32 banks_ = 0;
    std::array<u8, kMaxBanks + 1> table_{};
};

}  // namespace heddle::dram
