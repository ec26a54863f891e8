#pragma once
// The names of what a link counts in each direction (sim/field.h).

#include "link/link.h"
#include "sim/field.h"

namespace heddle {

inline constexpr Field<Link::Stats> kLinkCounters[] = {
    {"messages", "messages", counted<&Link::Stats::messages>},
    {"bytes", "bytes", counted<&Link::Stats::bytes>},
    {"wait_cycles", "cycles", counted<&Link::Stats::wait_cycles>},
};

}  // namespace heddle
