#pragma once
// Policy point: what TLBs forget when a page-table entry that was valid is removed or changes (its frame, or what it
// permits). That an entry becomes valid changes nothing that a TLB can hold, and is not asked about. A policy is one
// file in src/vm/policy; machines choose it as `translation.shootdown`.

#include "config/policy.h"
#include "sim/types.h"

namespace heddle {

enum class EntryChange : u8 {
    removed,
    remapped,    // to another frame
    protection,  // the same frame, other rights
};

/// Valid entries of one application that have changed at once: those of the pages first <= page < end that were mapped.
struct TranslationChange {
    EntryChange kind = EntryChange::removed;
    u8 app = 0;
    u64 first = 0, end = 0;  // page numbers
};

/// What every TLB and the bypass cache forget.
enum class ShootdownScope : u8 {
    pages,          // the changed pages
    address_space,  // all of the application
    everything,     // all of all applications
};

class ShootdownPolicy {
  public:
    virtual ~ShootdownPolicy() = default;
    virtual ShootdownScope scope(const TranslationChange& change, Cycle now) = 0;
};

using ShootdownPoint = config::PolicyPoint<ShootdownPolicy>;
ShootdownPoint& shootdown_policies();

}  // namespace heddle
