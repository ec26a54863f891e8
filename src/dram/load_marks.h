#pragma once
// What a request that has been to DRAM tells the SM that gets it back: for figures on how a load's requests fared.

#include "mem/request.h"

namespace heddle::dram {

/// In `bursts`: the read waited while writes were drained.
inline constexpr u8 kMetDrain = 0x40;

/// A read that DRAM has served: bank and row are set. (One that was answered from a waiting write has not been there.)
inline bool served_by_dram(const Request& r) {
    return (r.bursts_left & 0x1f) == 0;
}
inline bool met_drain(const Request& r) {
    return (r.bursts & kMetDrain) != 0;
}

}  // namespace heddle::dram
