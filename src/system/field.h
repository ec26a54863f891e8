#pragma once
// A counter of a part's statistics and the name that it has in the run record.

#include "sim/types.h"

namespace heddle {

template <class Stats>
struct Field {
    const char* name;
    const char* unit;
    u64 Stats::*member;
};

}  // namespace heddle
