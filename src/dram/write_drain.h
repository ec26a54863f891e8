#pragma once
// When a controller with separate queues serves writes instead of reads.

#include <memory>

#include "config/policy.h"
#include "dram/settings.h"

namespace heddle::dram {

class WriteDrain {
  public:
    virtual ~WriteDrain() = default;
    /// Called when a write came or went and when reads begin or cease to wait; whether writes are served from
    /// now on.
    virtual bool update(u32 reads, u32 writes) = 0;
};

using WriteDrainPoint = config::PolicyPoint<WriteDrain, const MemorySettings&>;
WriteDrainPoint& write_drains();

/// The chosen rule; an empty choice is watermark.
std::unique_ptr<WriteDrain> make_write_drain(const MemorySettings& settings);

}  // namespace heddle::dram
