#pragma once
// What DRAM keeps in a request beside its count of column commands: what has been done for it, and what it reports to
// the SM that gets it back, for statistics on how a load's requests fared.

#include "mem/request.h"

namespace heddle::dram {

/// While a channel holds a request, the high bits of bursts_left say what has been done for it.
namespace request_flags {
inline constexpr u8 kActivated = 0x20;   // an activate was issued for it
inline constexpr u8 kPrecharged = 0x40;  // a precharge was issued for it
inline constexpr u8 kStarted = 0x80;     // its first column command was issued
inline constexpr u8 kBursts = 0x1f;      // the count itself
}  // namespace request_flags
/// In `bursts`: the read waited while writes were drained.
inline constexpr u8 kMetDrain = 0x40;

/// Column commands of a request, and those still to be issued.
inline u32 bursts_of(const Request& r) {
    return r.bursts & request_flags::kBursts;
}
inline u32 bursts_left(const Request& r) {
    return r.bursts_left & request_flags::kBursts;
}

/// A read that DRAM has served: bank and row are set. (One answered from a waiting write was not served by DRAM.)
inline bool served_by_dram(const Request& r) {
    return bursts_left(r) == 0;
}
inline bool met_drain(const Request& r) {
    return (r.bursts & kMetDrain) != 0;
}

}  // namespace heddle::dram
