#pragma once
// Sees what happens to data at their home, the L2 slice in front of the memory that holds them: what is read and written
// there, and what the slice exchanges with its memory. A slice without one pays a predictable branch.

#include "mem/request.h"

namespace heddle {

class HomeObserver {
  public:
    virtual ~HomeObserver() = default;
    /// An SM's read has its data, or its write or atomic has changed them. Writes of a slice that writes through follow
    /// as sent_down().
    virtual void performed(const Request& request, Cycle now) = 0;
    /// A read or a write goes to DRAM, in order with all others of this slice.
    virtual void sent_down(const Request& request, Cycle now) = 0;
    /// DRAM has brought what the slice keeps.
    virtual void filled(const Request& request, Cycle now) = 0;
};

}  // namespace heddle
