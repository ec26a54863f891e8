#pragma once
// Gives a GPU's SMs their CTAs: reads each application's program as far as its kernels may start, starts and ends kernels,
// and hands a CTA a cycle to each SM that has room. One part of the GPU's domain.

#include <memory>
#include <vector>

#include "core/sm.h"
#include "machine/application.h"
#include "machine/settings.h"
#include "sim/engine.h"
#include "sim/ring.h"

namespace heddle {

/// What the dispatcher needs of the machine. Calls come during its step().
class DispatchOwner : public HostActions {
  public:
    /// What has been counted of an application up to now.
    virtual AppTotals totals(const Application& app) const = 0;
    /// What has been counted since the last call belongs to the kernels that are dispatched now.
    virtual void settle_kernels_of(const Application& app) = 0;
};

class Dispatcher {
  public:
    Dispatcher(const GpuSettings& settings, std::vector<std::unique_ptr<Sm>>& sms, DispatchOwner& owner,
               Domain& gpu, u32 part);

    /// `app` runs on the SMs of its share. Before the run.
    void add(std::unique_ptr<Application> app);
    void step(Cycle now);
    /// Nothing new is started.
    void halt() { halted_ = true; }
    bool halted() const { return halted_; }

    /// An SM, in its step: a CTA has ended there.
    void cta_done(u16 sm, KernelRun& kernel, Cycle now);

    const std::vector<std::unique_ptr<Application>>& applications() const { return apps_; }
    /// Kernels that have started and not ended, in launch order.
    const std::vector<KernelRun*>& running() const { return running_; }
    /// Every application has finished once.
    bool finished() const { return running_apps_ == 0; }
    /// The last of those ends; of the GPU's clock.
    Cycle ended() const { return ended_; }

  private:
    void start_kernels(Cycle now);
    void start_kernels_of(Application& app, Cycle now);
    bool dispatch_to(u32 sm, Cycle now);
    void kernel_done(KernelRun& kernel, Cycle now);
    void end_kernel(KernelRun& kernel, Cycle now);
    void wake(Cycle at) { gpu_.agenda().wake(part_, at); }

    GpuSettings settings_;
    std::vector<std::unique_ptr<Sm>>& sms_;  // SM s is part s of the domain
    DispatchOwner& owner_;
    Domain& gpu_;
    u32 part_;
    std::vector<std::unique_ptr<Application>> apps_;
    u32 running_apps_ = 0;
    std::vector<KernelRun*> running_;
    std::vector<const KernelRun*> last_kernel_;         // by SM
    std::vector<Cycle> may_take_;                       // when an SM may have room for a CTA
    Ring<std::pair<Cycle, KernelRun*>> ended_kernels_;  // from when the dispatcher knows
    u32 next_sm_ = 0;
    bool halted_ = false;
    Cycle ended_{0};
};

}  // namespace heddle
