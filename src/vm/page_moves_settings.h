#pragma once
// What a machine file says of how pages move.

#include "config/schema.h"

namespace heddle {

struct PageMovesSettings {
    u32 at_once = 0;
    Cycle stall, poll;
    static const config::Schema<PageMovesSettings>& schema();
};

}  // namespace heddle
