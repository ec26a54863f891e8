#pragma once
// How much each application currently suffers from address translation, for policies that favor those that suffer most
// (MASK: ConPTW and WarpsStalled of thesis ch. 6, eq. 6.1). src/vm writes it; DRAM schedulers read it at any time.

#include <vector>

#include "sim/types.h"

namespace heddle {

struct TranslationPressure {
    static constexpr u8 kMost = 63;  // 6-bit counters saturate
    /// The maximum in the current epoch so far.
    struct App {
        u8 walks = 0;          // outstanding at the same time
        u8 stalled_warps = 0;  // waiting for one translation in one SM
    };
    std::vector<App> apps;  // by application
};

}  // namespace heddle
