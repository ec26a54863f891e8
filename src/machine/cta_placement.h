#pragma once
// Which GPU of a machine runs a kernel's next CTA. CTAs start in the order of their numbers, so a GPU without room holds
// back those behind.

#include "core/kernel_run.h"

namespace heddle {

class CtaPlacement {
  public:
    virtual ~CtaPlacement() = default;
    /// Of `gpus` (at least two), for the CTA after the first kernel.ctas_started. Asked once for each CTA.
    virtual u32 gpu_of_next_cta(const KernelRun& kernel, u32 gpus) = 0;
};

/// All on the first GPU.
class AllOnFirst final : public CtaPlacement {
  public:
    u32 gpu_of_next_cta(const KernelRun&, u32) override { return 0; }
};

}  // namespace heddle
