#pragma once
// Policy point: which pages move from a host's memory to the GPU's, and how fast. A policy is one file in src/vm/migration;
// machines select it as `migration`. It hears of accesses and names candidates; the engine (vm/page_moves.h) keeps them in a
// queue and moves them.

#include <span>
#include <vector>

#include "config/policy.h"
#include "vm/placement_policy.h"

namespace heddle {

struct MigrationContext {
    PlacementContext places;
    u32 at_once = 0;  // pages that the engine moves at the same time at most
};

/// The pages of an allocation.
struct PageRange {
    u64 first = 0, end = 0;  // page numbers, of the machine's page size
};

class MigrationPolicy {
  public:
    virtual ~MigrationPolicy() = default;

    /// A page in the host's memory is translated for the GPU, which did not know it. True: it is a candidate.
    virtual bool on_translation(PageKey page) { return (void)page, false; }
    /// DRAM is accessed for such a page, the `touches`th time. True: it is a candidate.
    virtual bool on_touch(PageKey page, u64 touches) { return (void)page, (void)touches, false; }
    /// The candidate is neither in the GPU's memory nor in the queue. Appends the pages that enter the queue for it, itself
    /// among them, in their order; pages that are there already are left out by the engine.
    virtual void expand(u64 page, PageRange allocation, std::vector<u64>& to) {
        (void)allocation, to.push_back(page);
    }

    /// Cycles after which bandwidth() is called again; 0: never.
    virtual Cycle period() const { return Cycle(0); }
    /// Bytes that each memory's channels have moved in the last period, copies of pages among them.
    virtual void bandwidth(std::span<const u64> bytes) { (void)bytes; }
    /// Pages that may move at the same time from now on, up to the engine's number.
    virtual u32 allowed() const { return ~u32{0}; }
};

using MigrationPoint = config::PolicyPoint<MigrationPolicy, const MigrationContext&>;
MigrationPoint& migration_policies();

}  // namespace heddle
