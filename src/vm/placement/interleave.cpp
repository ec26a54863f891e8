// Pages spread over all memories in proportion to their peak bandwidths: each page goes to the memory that is furthest behind
// its share.

#include "vm/placement_policy.h"

namespace heddle {
namespace {

class InterleavedPlacement final : public PlacementPolicy {
  public:
    explicit InterleavedPlacement(const PlacementContext& c)
        : memories_(c.memories), pages_(c.memories.size()) {}

    u32 memory_of(const NewPage&) override {
        // pages / bandwidth is least there; of equals the first.
        __extension__ using Wide = unsigned __int128;
        u32 best = 0;
        for (u32 m = 1; m < memories_.size(); ++m)
            if (Wide{pages_[m] + 1} * memories_[best].bytes_per_s <
                Wide{pages_[best] + 1} * memories_[m].bytes_per_s)
                best = m;
        ++pages_[best];
        return best;
    }

  private:
    std::vector<PlaceOfPages> memories_;
    std::vector<u64> pages_;  // by memory
};

const bool interleaved_placement_registered = placement_policies().add<InterleavedPlacement>(
    "interleave", "pages over all memories in proportion to their bandwidths", "choice");

}  // namespace
}  // namespace heddle
