#pragma once
// Told when a warp slot of an SM gets a new warp: for policies that keep state a warp, which names requests by
// (SM, warp slot), and whose state of the slot's last warp is worth nothing from then on.

#include "sim/types.h"

namespace heddle {

class WarpSlotObserver {
  public:
    virtual ~WarpSlotObserver() = default;
    /// A CTA of the application has got these slots (bit: warp slot) of the SM. None of its instructions has issued, and
    /// nothing that the slots' last warps waited for is in flight.
    virtual void new_warps(u16 sm, u64 slots, u8 app, Cycle now) = 0;
};

}  // namespace heddle
