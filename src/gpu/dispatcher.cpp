#include "gpu/dispatcher.h"

#include <algorithm>

namespace heddle {

Dispatcher::Dispatcher(const GpuSettings& settings, const std::vector<std::unique_ptr<Sm>>& sms,
                       KernelOwner& owner, Domain& gpu, u32 part, u8 device)
    : sms_(sms),
      owner_(owner),
      gpu_(gpu),
      part_(part),
      count_(settings.sms),
      device_(device),
      last_kernel_(settings.sms),
      may_take_(settings.sms, kNever) {}

void Dispatcher::offer(KernelRun& kernel, Cycle from) {
    const auto known =
        std::find_if(offers_.begin(), offers_.end(), [&](const Offer& o) { return o.kernel == &kernel; });
    if (known == offers_.end())
        offers_.push_back({&kernel, from});
    else
        known->from = from;
    std::fill(may_take_.begin(), may_take_.end(), gpu_.now());
    if (from > gpu_.now()) wake(from);
}

void Dispatcher::withdraw(const KernelRun& kernel) {
    std::erase_if(offers_, [&](const Offer& o) { return o.kernel == &kernel; });
}

/// Starts one CTA on the SM if a kernel has one that fits. False if none does.
bool Dispatcher::dispatch_to(u32 s, Cycle now) {
    Sm& sm = *sms_[s];
    for (const Offer& offer : offers_) {
        KernelRun& kernel = *offer.kernel;
        if (kernel.exhausted || kernel.device != device_ || offer.from > now || !kernel.may_run_on(s) ||
            !sm.fits(kernel.info()))
            continue;
        if (last_kernel_[s] != &kernel) {
            sm.begin_kernel(kernel, now);
            last_kernel_[s] = &kernel;
        }
        if (!kernel.stream->next_cta(sm.next_cta(kernel))) {
            // A filter has cut the kernel short, perhaps when all its CTAs had ended.
            kernel.exhausted = true;
            if (kernel.ctas_done == kernel.ctas_started) owner_.kernel_done(kernel, device_, now);
            continue;
        }
        kernel.exhausted = ++kernel.ctas_started == kernel.info().cta_count();
        owner_.cta_starts(kernel, device_, now);
        sm.launch(kernel, now);
        gpu_.agenda().wake(s, now + 1);
        return true;
    }
    return false;
}

void Dispatcher::step(Cycle now) {
    if (halted_) return;
    owner_.before_dispatch(device_, now);
    for (const Offer& offer : offers_)
        if (offer.from == now) std::fill(may_take_.begin(), may_take_.end(), now);
    // One CTA per SM and cycle, from the SM after the last one served.
    bool more = false;
    u32 s = next_sm_;
    for (u32 k = 0; k < count_; ++k, s = s + 1 == count_ ? 0 : s + 1) {
        if (may_take_[s] > now) continue;
        if (dispatch_to(s, now))
            more = true;
        else
            may_take_[s] = kNever;
    }
    next_sm_ = count_ == 1 ? 0 : (next_sm_ + 1) % count_;
    if (more) wake(now + 1);
}

void Dispatcher::cta_done(u16 sm, KernelRun& kernel, Cycle now) {
    may_take_[sm] = std::min(may_take_[sm], now + 1);
    if (kernel.exhausted && kernel.ctas_done == kernel.ctas_started) owner_.kernel_done(kernel, device_, now);
    wake(now + 1);
}

}  // namespace heddle
