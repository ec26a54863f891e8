#pragma once
// Where an SM takes reads of page walks that go its way to L2 (walker.path: sm).

#include "mem/request.h"

namespace heddle {

class WalkPort {
  public:
    virtual ~WalkPort() = default;
    /// The read enters the queue of L1's misses at `at`, later than now, or when there is room. The answer does not come
    /// this way.
    virtual void walk(Request* request, Cycle at) = 0;
};

}  // namespace heddle
