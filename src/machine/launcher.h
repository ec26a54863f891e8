#pragma once
// The programs' side of a machine: reads each application's events as far as its kernels may start, starts and ends kernels,
// and offers them to the GPUs, whose dispatchers start the CTAs. It is stepped by the first GPU's dispatcher, before that
// one's own step, and keeps time in that GPU's cycles. To the others everything is a message: it comes at least a cycle
// later.

#include <memory>
#include <vector>

#include "gpu/gpu.h"
#include "machine/application.h"
#include "machine/cta_placement.h"
#include "sim/ring.h"

namespace heddle {

/// What the launcher needs of the machine.
class LauncherOwner : public HostActions {
  public:
    /// What has been counted of an application up to now.
    virtual AppTotals totals(const Application& app) const = 0;
    /// When the host's copies for an application have ended.
    virtual Cycle copies_until(const Application& app) const = 0;
    /// What has been counted since the last call belongs to the kernels that run now.
    virtual void settle_kernels_of(const Application& app) = 0;
};

class Launcher final : public KernelOwner {
  public:
    /// `gpus` are complete before the first application is added; the device of GPU k is k.
    Launcher(const std::vector<std::unique_ptr<Gpu>>& gpus, LauncherOwner& owner,
             std::unique_ptr<CtaPlacement> placement);

    /// `app` runs on the SMs of its share. Before the run.
    void add(std::unique_ptr<Application> app);

    const std::vector<std::unique_ptr<Application>>& applications() const { return apps_; }
    /// Kernels that have started and not ended, in launch order.
    const std::vector<KernelRun*>& running() const { return running_; }
    /// Every application has finished once.
    bool finished() const { return running_apps_ == 0; }
    /// The last of those ends; of the first GPU's clock.
    Cycle ended() const { return ended_; }

    void before_dispatch(u8 device, Cycle now) override;
    void cta_starts(KernelRun& kernel, u8 device, Cycle now) override;
    void kernel_done(KernelRun& kernel, u8 device, Cycle now) override;
    void edge_signalled(const KernelRun::EdgeWaiter& waiter, u8 device, Cycle now) override;

  private:
    static constexpr u8 kHome = 0;

    void start_kernels(Cycle now);
    void start_kernels_of(Application& app, Cycle now);
    void check_fit(const Application& app, const KernelInfo& info) const;
    void end_kernel(KernelRun& kernel, Cycle now);
    void place_next(KernelRun& kernel);
    Gpu& home() const { return *gpus_[kHome]; }

    const std::vector<std::unique_ptr<Gpu>>& gpus_;
    LauncherOwner& owner_;
    std::unique_ptr<CtaPlacement> placement_;
    std::vector<std::unique_ptr<Application>> apps_;
    u32 running_apps_ = 0;
    std::vector<KernelRun*> running_;
    Ring<std::pair<Cycle, KernelRun*>> ended_kernels_;  // from when it is known here
    Cycle ended_{0};
};

}  // namespace heddle
