// Every walk fills the L2 TLB: a shared TLB without fill control.

#include "vm/fill_policy.h"

namespace heddle {

namespace {

class FillAll final : public TlbFillPolicy {
  public:
    explicit FillAll(const FillContext&) {}
    bool fills(u8, std::span<const FillRequester>, Cycle) override { return true; }
};

const bool registered =
    tlb_fill_policies().add<FillAll>("all", "every walk fills the L2 TLB", "Power et al., HPCA 2014");

}  // namespace
}  // namespace heddle
