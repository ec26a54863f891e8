#include "machine/launcher.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

Launcher::Launcher(const std::vector<std::unique_ptr<Gpu>>& gpus, LauncherOwner& owner,
                   std::unique_ptr<CtaPlacement> placement)
    : gpus_(gpus), owner_(owner), placement_(std::move(placement)) {}

void Launcher::add(std::unique_ptr<Application> app) {
    apps_.push_back(std::move(app));
    ++running_apps_;
    home().dispatcher().wake(Cycle(1));
}

void Launcher::before_dispatch(u8 device, Cycle now) {
    if (device != kHome) return;
    // What an SM reported in this cycle takes effect in the next, whether or not there is anything else to do now.
    while (!ended_kernels_.empty() && ended_kernels_.front().first <= now)
        end_kernel(*ended_kernels_.pop().second, now);
    start_kernels(now);
}

void Launcher::start_kernels(Cycle now) {
    for (auto& app : apps_) {
        start_kernels_of(*app, now);
        if (!app->finished() || app->frozen() != nullptr) continue;
        if (const Cycle until = owner_.copies_until(*app); until > now) {
            home().dispatcher().wake(until);
            continue;
        }
        app->freeze(owner_.totals(*app));
        --running_apps_;
        ended_ = std::max(ended_, now);
    }
    // Those that have finished keep running beside the others until the last of them has.
    // One that only waits for its copies has not finished yet.
    for (auto& app : apps_)
        if (running_apps_ != 0 && app->finished() && app->frozen() != nullptr && app->launch_again())
            start_kernels_of(*app, now);
}

void Launcher::start_kernels_of(Application& app, Cycle now) {
    const GpuSettings& settings = home().settings();
    while (app.running() < settings.concurrent_kernels) {
        KernelRun* kernel = app.next_kernel(owner_);
        if (kernel == nullptr) break;
        check_fit(app, kernel->info());
        kernel->launched = std::max(now, owner_.copies_until(app)) + settings.launch_latency.v;
        kernel->first_sm = app.share().first_sm;
        kernel->sms = app.share().sms;
        place_next(*kernel);
        running_.push_back(kernel);
        for (const auto& gpu : gpus_) {
            const Clock &from = home().clock(), &to = gpu->clock();
            gpu->dispatcher().offer(*kernel, gpu == gpus_[kHome]
                                                 ? kernel->launched
                                                 : std::max(to.at_or_after(from.tick(kernel->launched)),
                                                            to.after(from.tick(now))));
        }
    }
}

/// Throws InputError if one of the kernel's CTAs, or all of them where they must run at once, have no room.
void Launcher::check_fit(const Application& app, const KernelInfo& info) const {
    u64 at_once = 0;
    const u64 sms = app.share().sms * gpus_.size();
    for (const auto& gpu : gpus_) {
        std::string why;
        const u64 fit = Sm::occupancy(gpu->settings().sm, info, &why);
        if (fit == 0) throw InputError(fmt::format("{}: {}", info.place, why));
        at_once += fit * app.share().sms;
    }
    if (info.cooperative && at_once < info.cta_count())
        throw InputError(fmt::format("{}: cooperative kernel {} has {} CTAs, but its {} SMs hold {} at once",
                                     info.place, info.name, info.cta_count(), sms, at_once));
}

void Launcher::place_next(KernelRun& kernel) {
    if (gpus_.size() == 1) return;
    const u32 gpu = placement_->gpu_of_next_cta(kernel, static_cast<u32>(gpus_.size()));
    if (gpu >= gpus_.size())
        throw InvariantError(fmt::format("a CTA is placed on GPU {} of {}", gpu, gpus_.size()));
    kernel.device = static_cast<u8>(gpu);
}

void Launcher::cta_starts(KernelRun& kernel, u8 device, Cycle now) {
    if (kernel.first_cta == kNever) {
        // It overlaps others of its application from here on.
        Application& app = *apps_[kernel.app];
        if (app.running() > 1) owner_.settle_kernels_of(app);
        kernel.first_cta = home().clock().at_or_after(gpus_[device]->clock().tick(now));
    }
    if (kernel.exhausted) return;
    place_next(kernel);
    if (kernel.device == device) return;
    Gpu& to = *gpus_[kernel.device];
    to.dispatcher().offer(kernel, to.clock().after(gpus_[device]->clock().tick(now)));
}

void Launcher::kernel_done(KernelRun& kernel, u8 device, Cycle now) {
    const Cycle known = home().clock().after(gpus_[device]->clock().tick(now));
    ended_kernels_.push({known, &kernel});
    home().dispatcher().wake(known);
}

void Launcher::end_kernel(KernelRun& kernel, Cycle now) {
    kernel.ended = now;
    owner_.settle_kernels_of(*apps_[kernel.app]);
    for (const auto& gpu : gpus_) gpu->dispatcher().withdraw(kernel);
    kernel.retire();
    running_.erase(std::find(running_.begin(), running_.end(), &kernel));
    apps_[kernel.app]->kernel_ended(kernel);
}

void Launcher::edge_signalled(const KernelRun::EdgeWaiter& waiter, u8 device, Cycle now) {
    Gpu& to = *gpus_[waiter.device];
    to.edge_signalled(waiter, to.clock().after(gpus_[device]->clock().tick(now)));
}

}  // namespace heddle
