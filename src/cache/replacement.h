#pragma once
// Policy points of a cache: which line to evict, where in the recency order a fill enters, what bypasses the cache. A
// policy is one file in src/cache/policy.

#include <memory>

#include "mem/request.h"
#include "sim/types.h"

namespace heddle {

/// Orders the ways of each set. One object per cache.
class ReplacementPolicy {
  public:
    virtual ~ReplacementPolicy() = default;
    virtual void on_hit(u32 set, u32 way) = 0;
    /// `position`: 0 enters as most recently used; larger values are closer to eviction (see InsertionPolicy).
    virtual void on_fill(u32 set, u32 way, u32 position) = 0;
    /// The way to evict, one of those in `evictable` (bit k: way k), which is not 0.
    virtual u32 victim(u32 set, u64 evictable) = 0;
    /// The line in the victim's way, clean or dirty, leaves for another.
    virtual void on_evict(u32 /*set*/, u32 /*way*/, PhysAddr /*line*/) {}
};

/// Where in the recency order the line of a request enters: 0 (most recent) to ways - 1.
class InsertionPolicy {
  public:
    virtual ~InsertionPolicy() = default;
    virtual u32 position(const Request& request) = 0;
    virtual void on_access(const Request&, bool /*hit*/) {}
    /// The line, clean or dirty, has left for another.
    virtual void on_evict(PhysAddr /*line*/) {}
};

/// Asked before the bank queue, once for each read of data or of a walk: true sends it around the cache.
class BypassPolicy {
  public:
    virtual ~BypassPolicy() = default;
    virtual bool bypass(const Request& request, Cycle now) = 0;
    virtual void on_access(const Request&, bool /*hit*/, Cycle /*now*/) {}
};

}  // namespace heddle
