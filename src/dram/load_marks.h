#pragma once
// What DRAM reports to the SM that gets a request back, for statistics on how a load's requests fared.

#include "mem/request.h"

namespace heddle::dram {

/// A read that DRAM has served: bank and row are set. (One answered from a waiting write was not served by DRAM.)
inline bool served_by_dram(const Request& r) {
    return r.bursts_left == 0;
}
inline bool met_drain(const Request& r) {
    return r.met_drain;
}

}  // namespace heddle::dram
