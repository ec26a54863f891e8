#include "gpu/dispatcher.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

Dispatcher::Dispatcher(const GpuSettings& settings, std::vector<std::unique_ptr<Sm>>& sms,
                       DispatchOwner& owner, Domain& gpu, u32 part)
    : settings_(settings),
      sms_(sms),
      owner_(owner),
      gpu_(gpu),
      part_(part),
      last_kernel_(settings.sms),
      may_take_(settings.sms, kNever) {}

void Dispatcher::add(std::unique_ptr<Application> app) {
    apps_.push_back(std::move(app));
    ++running_apps_;
    wake(Cycle(1));
}

void Dispatcher::start_kernels(Cycle now) {
    for (auto& app : apps_) {
        start_kernels_of(*app, now);
        if (!app->finished() || app->frozen() != nullptr) continue;
        app->freeze(owner_.totals(*app));
        --running_apps_;
        ended_ = std::max(ended_, now);
    }
    // Those that have finished keep running beside the others until the last of them has.
    for (auto& app : apps_)
        if (running_apps_ != 0 && app->finished() && app->launch_again()) start_kernels_of(*app, now);
}

void Dispatcher::start_kernels_of(Application& app, Cycle now) {
    while (app.running() < settings_.concurrent_kernels) {
        KernelRun* kernel = app.next_kernel(owner_);
        if (kernel == nullptr) break;
        const KernelInfo& info = kernel->info();
        std::string why;
        const u64 fit = Sm::occupancy(settings_.sm, info, &why);
        if (fit == 0) throw InputError(fmt::format("{}: {}", info.place, why));
        if (info.cooperative && fit * app.share().sms < info.cta_count())
            throw InputError(
                fmt::format("{}: cooperative kernel {} has {} CTAs, but its {} SMs hold {} at once",
                            info.place, info.name, info.cta_count(), app.share().sms, fit * app.share().sms));
        kernel->launched = now + settings_.launch_latency.v;
        running_.push_back(kernel);
        std::fill(may_take_.begin(), may_take_.end(), now);
        if (kernel->launched > now) wake(kernel->launched);
    }
}

/// Starts one CTA on the SM if a kernel has one that fits. False if none does.
bool Dispatcher::dispatch_to(u32 s, Cycle now) {
    Sm& sm = *sms_[s];
    for (KernelRun* kernel : running_) {
        if (kernel->exhausted || kernel->launched > now || !apps_[kernel->app]->owns(s) ||
            !sm.fits(kernel->info()))
            continue;
        if (last_kernel_[s] != kernel) {
            sm.begin_kernel(*kernel, now);
            last_kernel_[s] = kernel;
        }
        if (!kernel->stream->next_cta(sm.next_cta(*kernel))) {
            // A filter has cut the kernel short, perhaps when all its CTAs had ended.
            kernel->exhausted = true;
            if (kernel->ctas_done == kernel->ctas_started) kernel_done(*kernel, now);
            continue;
        }
        if (kernel->ctas_started++ == 0) {
            // It overlaps others of its application from here on.
            if (apps_[kernel->app]->running() > 1) owner_.settle_kernels_of(*apps_[kernel->app]);
            kernel->first_cta = now;
        }
        if (kernel->ctas_started == kernel->info().cta_count()) kernel->exhausted = true;
        sm.launch(*kernel, now);
        gpu_.agenda().wake(s, now + 1);
        return true;
    }
    return false;
}

void Dispatcher::step(Cycle now) {
    if (halted_) return;
    // What an SM reported in this cycle takes effect in the next, whether or not there is anything else to do now.
    while (!ended_kernels_.empty() && ended_kernels_.front().first <= now)
        end_kernel(*ended_kernels_.pop().second, now);
    start_kernels(now);
    for (const KernelRun* k : running_)
        if (k->launched == now) std::fill(may_take_.begin(), may_take_.end(), now);
    // One CTA per SM and cycle, from the SM after the last one served.
    bool more = false;
    const u32 n = settings_.sms;
    u32 s = next_sm_;
    for (u32 k = 0; k < n; ++k, s = s + 1 == n ? 0 : s + 1) {
        if (may_take_[s] > now) continue;
        if (dispatch_to(s, now))
            more = true;
        else
            may_take_[s] = kNever;
    }
    next_sm_ = n == 1 ? 0 : (next_sm_ + 1) % n;
    if (more) wake(now + 1);
}

void Dispatcher::cta_done(u16 sm, KernelRun& kernel, Cycle now) {
    may_take_[sm] = std::min(may_take_[sm], now + 1);
    if (kernel.exhausted && kernel.ctas_done == kernel.ctas_started) kernel_done(kernel, now);
    wake(now + 1);
}

void Dispatcher::kernel_done(KernelRun& kernel, Cycle now) {
    ended_kernels_.push({now + 1, &kernel});
    wake(now + 1);
}

void Dispatcher::end_kernel(KernelRun& kernel, Cycle now) {
    kernel.ended = now;
    owner_.settle_kernels_of(*apps_[kernel.app]);
    kernel.retire();
    running_.erase(std::find(running_.begin(), running_.end(), &kernel));
    apps_[kernel.app]->kernel_ended(kernel);
}

}  // namespace heddle
