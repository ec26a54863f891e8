#pragma once
// Hands the CTAs of the kernels that a GPU is offered to those of its SMs that have room, one a cycle to each. One part of
// the GPU's domain. Which kernels there are, and which GPU runs a kernel's next CTA, its owner knows.

#include <memory>
#include <vector>

#include "core/sm.h"
#include "gpu/settings.h"
#include "sim/engine.h"

namespace heddle {

/// Who has the kernels that GPUs run. `device` and `now` are those of the GPU that calls, in its step.
class KernelOwner {
  public:
    virtual ~KernelOwner() = default;
    /// Its dispatcher is about to hand out CTAs: kernels may be offered and withdrawn.
    virtual void before_dispatch(u8 device, Cycle now) = 0;
    /// A CTA, which has been counted, starts there. The next one may be another GPU's: KernelRun::device.
    virtual void cta_starts(KernelRun& kernel, u8 device, Cycle now) = 0;
    /// The last of the kernel's CTAs has ended there.
    virtual void kernel_done(KernelRun& kernel, u8 device, Cycle now) = 0;
    /// An edge has been signalled there for which a warp of another GPU waits.
    virtual void edge_signalled(const KernelRun::EdgeWaiter& waiter, u8 device, Cycle now) = 0;
};

class Dispatcher {
  public:
    /// Part `part` of the GPU's domain.
    Dispatcher(const GpuSettings& settings, const std::vector<std::unique_ptr<Sm>>& sms, KernelOwner& owner,
               Domain& gpu, u32 part, u8 device);

    /// The kernel's CTAs may start here from cycle `from` on, as far as it is this GPU's turn. Of a kernel that has been
    /// offered already, the next one.
    void offer(KernelRun& kernel, Cycle from);
    /// It has no CTA left.
    void withdraw(const KernelRun& kernel);
    void step(Cycle now);
    void wake(Cycle at) { gpu_.agenda().wake(part_, at); }
    /// Nothing new is started.
    void halt() { halted_ = true; }
    bool halted() const { return halted_; }

    /// An SM, in its step: a CTA has ended there.
    void cta_done(u16 sm, KernelRun& kernel, Cycle now);

  private:
    struct Offer {
        KernelRun* kernel = nullptr;
        Cycle from;
    };

    bool dispatch_to(u32 sm, Cycle now);

    const std::vector<std::unique_ptr<Sm>>& sms_;  // SM s is part s of the domain
    KernelOwner& owner_;
    Domain& gpu_;
    const u32 part_, count_;
    const u8 device_;
    std::vector<Offer> offers_;                  // in the order of the kernels' launches
    std::vector<const KernelRun*> last_kernel_;  // by SM
    std::vector<Cycle> may_take_;                // when an SM may have room for a CTA
    u32 next_sm_ = 0;
    bool halted_ = false;
};

}  // namespace heddle
