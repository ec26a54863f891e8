#pragma once
// The names of what a crossbar counts (sim/field.h).

#include "noc/crossbar.h"
#include "sim/field.h"

namespace heddle {

inline constexpr Field<Crossbar> kCrossbarCounters[] = {
    {"packets", "packets", counted<&Crossbar::packets>},
    {"flits", "flits", counted<&Crossbar::flits_moved>},
    {"blocked_cycles", "cycles", counted<&Crossbar::blocked_cycles>},
};

}  // namespace heddle
