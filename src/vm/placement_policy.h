#pragma once
// Policy point: in which of a machine's memories a page begins. A policy is one file in src/vm/placement; machines select it
// as `placement`. Where its memory is full the page gets the next one that is not, in the order of the machine's memories.

#include <optional>
#include <string>
#include <vector>

#include "config/policy.h"
#include "trace/stream.h"
#include "vm/page.h"
#include "vm/page_profile.h"

namespace heddle {

/// A memory as the pages of processes may lie in it, in the order of physical addresses: the first is that of the GPU to
/// which programs launch.
struct PlaceOfPages {
    std::string name;
    bool host = false;    // no GPU calls it its own
    u64 bytes = 0;        // its capacity
    u64 bytes_per_s = 0;  // its peak
};

/// Who uses a page first.
enum class Toucher : u8 { gpu, host };

struct NewPage {
    PageKey page;
    AllocEvent::Kind kind = AllocEvent::Kind::device;  // of the allocation that it belongs to
    Toucher toucher = Toucher::gpu;
};

struct PlacementContext {
    std::vector<PlaceOfPages> memories;
    std::vector<PageAccesses> profile;  // of a run of the same program, if one was made
    /// The first one with such an owner, or the first of all.
    u32 first(bool host) const {
        for (u32 m = 0; m < memories.size(); ++m)
            if (memories[m].host == host) return m;
        return 0;
    }
};

class PlacementPolicy {
  public:
    virtual ~PlacementPolicy() = default;
    /// The number of the memory; called once for each page.
    virtual u32 memory_of(const NewPage& page) = 0;
};

/// It is the oracle, and no file says how often pages are accessed: a run must find out first.
bool needs_page_profile(const config::Choice& placement);
/// The file that it reads, if it does.
std::optional<std::string> page_profile_of(const config::Choice& placement);

using PlacementPoint = config::PolicyPoint<PlacementPolicy, const PlacementContext&>;
PlacementPoint& placement_policies();

}  // namespace heddle
