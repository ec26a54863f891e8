#pragma once
// Counts the cycles for which something stands still, into the counter of the reason.

#include "sim/types.h"

namespace heddle {

class StallClock {
  public:
    /// The reason of the standstill that begins next.
    void because(u64& counter) { counter_ = &counter; }
    void begin(Cycle now) { since_ = now; }
    /// Harmless if nothing stands still.
    void end(Cycle now) {
        if (since_ == kNever) return;
        *counter_ += now - since_;
        since_ = kNever;
    }
    bool running() const { return since_ != kNever; }
    bool running_for(const u64& counter) const { return running() && counter_ == &counter; }

  private:
    Cycle since_ = kNever;
    u64* counter_ = nullptr;
};

}  // namespace heddle
