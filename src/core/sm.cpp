#include "core/sm.h"

#include <algorithm>

#include "vm/translation.h"

namespace heddle {

const char* name(WarpState state) {
    constexpr const char* names[] = {"issue",    "dependency",   "memory",   "shared_memory",
                                     "barrier",  "fence",        "cta_wait", "pipe_busy",
                                     "lsu_full", "not_selected", "drain"};
    return names[static_cast<std::size_t>(state)];
}

Sm::Sm(const SmSettings& settings, const L1Settings& l1, const SmWiring& wiring)
    : l1_settings_(l1),
      unified_(settings.unified_bytes != 0),
      residency_(settings, wiring, stats_, front_),
      front_(settings, wiring, stats_, lsu_, residency_),
      loads_(*wiring.load_stats, front_),
      groups_(wiring),
      mmu_(wiring, settings.lsu.lines_per_cycle),
      l1_(l1, settings.lsu.divergence, wiring, stats_, loads_, groups_, front_),
      lsu_(settings, wiring, stats_, loads_, groups_, mmu_, l1_) {
    if (wiring.translation != nullptr) wiring.translation->attach(l1_);
}

Cycle Sm::step(Cycle now) {
    front_.keep_time(now);
    // The parts that have nothing to do are not worth a call.
    const bool answers = l1_.expects_answers();
    if (answers) l1_.receive(now);
    Cycle next = front_.step(now);
    auto earliest = [&](Cycle c) { next = std::min(next, std::max(c, now + 1)); };
    if (lsu_.busy()) earliest(lsu_.step(now));
    // Warps that found it full look again when there is room, also if nothing is left in it.
    if (front_.wants_lsu() && lsu_.has_room()) earliest(now + 1);
    if (l1_.sends()) earliest(l1_.send(now));
    if (answers) earliest(l1_.next_answer(now));
    return std::min(next, front_.next_look(now));
}

void Sm::begin_kernel(const KernelRun& kernel, Cycle now) {
    // Other kernels' CTAs keep their lines and their share of the array.
    if (residency_.ctas() != 0 || !l1_.quiet()) return;
    u64 bytes = l1_settings_.size_bytes;
    if (unified_)
        bytes = std::max(residency_.left_for_l1(kernel.info()), u64{l1_settings_.ways} * kLineBytes);
    l1_.begin_kernel(bytes, now);
}

void Sm::trace(LifetimeObserver* lifetimes) {
    lsu_.trace(lifetimes);
    l1_.trace(lifetimes);
}

std::string Sm::describe(Cycle now) const {
    return front_.describe(now) + lsu_.describe() + mmu_.describe();
}

}  // namespace heddle
