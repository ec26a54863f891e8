// Pages that begin in one memory, whichever they are, or in that of whoever uses them first.

#include "vm/placement_policy.h"

namespace heddle {

PlacementPoint& placement_policies() {
    static PlacementPoint point("page placement policy");
    return point;
}

namespace {

constexpr const char* kNuma = "Agarwal et al., HPCA 2015, sec. 3";

template <bool kHost>
class FixedPlacement final : public PlacementPolicy {
  public:
    explicit FixedPlacement(const PlacementContext& c) : memory_(c.first(kHost)) {}
    u32 memory_of(const NewPage&) override { return memory_; }

  private:
    u32 memory_;
};

class FirstTouch final : public PlacementPolicy {
  public:
    explicit FirstTouch(const PlacementContext& c) : gpu_(c.first(false)), host_(c.first(true)) {}
    u32 memory_of(const NewPage& page) override { return page.toucher == Toucher::host ? host_ : gpu_; }

  private:
    u32 gpu_, host_;
};

const bool fixed_placements_registered =
    placement_policies().add<FixedPlacement<false>>("device", "every page in the GPU's own memory", kNuma) &&
    placement_policies().add<FixedPlacement<true>>("host", "every page in the host's memory", kNuma) &&
    placement_policies().add<FirstTouch>(
        "first-touch", "a page in the memory of whoever uses it first: the GPU's, or the host's for a copy",
        kNuma);

}  // namespace
}  // namespace heddle
