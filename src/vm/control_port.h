#pragma once
// The one way by which the outside reaches cores beside the answers to what they asked: today shootdowns, later page
// faults and migration, which add `drain` (tell when nothing is in flight) and `replay` (a warp's instruction again)
// beside these two.

#include <vector>

#include "sim/types.h"
#include "vm/page_set.h"

namespace heddle {

/// What a core can be told. Calls come in a cycle's end, after the core's own step.
class CoreControl {
  public:
    virtual ~CoreControl() = default;
    /// Forgets the translations of these pages. Those on the way here still serve what waits for them.
    virtual void flush(const PageSet& pages) = 0;
    /// Nothing is looked up before `until`.
    virtual void stall(Cycle until) = 0;
};

/// Tells all cores of a GPU, in the order in which they were attached.
class ControlPort {
  public:
    void attach(CoreControl& core) { cores_.push_back(&core); }
    void flush(const PageSet& pages) const {
        for (CoreControl* c : cores_) c->flush(pages);
    }
    void stall(Cycle until) const {
        for (CoreControl* c : cores_) c->stall(until);
    }

  private:
    std::vector<CoreControl*> cores_;
};

}  // namespace heddle
