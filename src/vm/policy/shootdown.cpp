// What TLBs forget when a valid page-table entry changes, by a fixed rule.

#include "vm/shootdown_policy.h"

namespace heddle {

ShootdownPoint& shootdown_policies() {
    static ShootdownPoint point("TLB shootdown policy");
    return point;
}

namespace {

template <ShootdownScope kScope>
class FixedShootdown final : public ShootdownPolicy {
  public:
    ShootdownScope scope(const TranslationChange&, Cycle) override { return kScope; }
};

const bool shootdowns_registered =
    shootdown_policies().add<FixedShootdown<ShootdownScope::everything>>(
        "full", "every TLB and the bypass cache forget everything", "Ausavarungnirun, CMU 2017, ch. 6") &&
    shootdown_policies().add<FixedShootdown<ShootdownScope::address_space>>(
        "address-space", "TLBs forget all pages of the application whose page tables changed", "choice") &&
    shootdown_policies().add<FixedShootdown<ShootdownScope::pages>>(
        "page", "TLBs forget only the changed pages", "choice");

}  // namespace
}  // namespace heddle
