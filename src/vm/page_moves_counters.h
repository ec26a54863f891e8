#pragma once
// The names of what is counted of pages that move (sim/field.h).

#include "sim/field.h"
#include "vm/page_moves.h"

namespace heddle {

inline constexpr Field<PageMoveStats> kPageMoveCounters[] = {
    {"candidates", "pages", counted<&PageMoveStats::candidates>},
    {"pages", "pages", counted<&PageMoveStats::moved>},
    {"shootdowns", "pages", counted<&PageMoveStats::shootdowns>},
    {"stall_cycles", "cycles", counted<&PageMoveStats::stall_cycles>},
    {"bytes", "bytes", counted<&PageMoveStats::bytes>},
    {"held_writes", "lines", counted<&PageMoveStats::held_writes>},
    {"freed", "pages", counted<&PageMoveStats::freed>},
    {"no_room", "pages", counted<&PageMoveStats::no_room>},
};

/// Over time.
inline constexpr Field<PageMoveStats> kPageMoveSeries[] = {
    {"migration.pages", "pages", counted<&PageMoveStats::moved>},
    {"migration.shootdowns", "pages", counted<&PageMoveStats::shootdowns>},
    {"migration.stall_cycles", "cycles", counted<&PageMoveStats::stall_cycles>},
};

}  // namespace heddle
