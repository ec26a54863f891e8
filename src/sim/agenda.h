#pragma once
// Which parts of a clock domain have something to do in which cycle.
//
// A part that can do nothing is on no page of the agenda and costs nothing. Waking is idempotent: a part woken
// twice for a cycle is stepped once, in the order of part numbers; a step with nothing to do must be harmless.

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <vector>

#include "sim/types.h"

namespace heddle {

class Agenda {
  public:
    explicit Agenda(u32 parts) : words_((parts + 63) / 64), slots_(std::size_t{kHorizon} * words_) {}

    /// `at` must not lie in the past; during a step of cycle `now`, at > now.
    void wake(u32 part, Cycle at) {
        if (at.v - base_.v < kHorizon) {
            slots_[slot(at) * words_ + part / 64] |= u64{1} << (part % 64);
            used_[slot(at) / 64] |= u64{1} << (slot(at) % 64);
        } else if (at != kNever) {
            wake_far(part, at);
        }
    }

    /// The earliest cycle with a part to step, or kNever.
    Cycle next() const {
        const u32 start = slot(base_);
        for (u32 k = 0; k <= kHorizon / 64; ++k) {
            const u32 w = (start / 64 + k) % (kHorizon / 64);
            u64 bits = used_[w];
            if (k == 0) bits &= ~u64{0} << (start % 64);
            if (k == kHorizon / 64) bits &= ~(~u64{0} << (start % 64));
            if (bits != 0) {
                const u32 s = w * 64 + static_cast<u32>(std::countr_zero(bits));
                return base_ + ((s - start) & (kHorizon - 1));
            }
        }
        return far_.empty() ? kNever : Cycle(far_.top().first);
    }

    /// Moves to cycle `now` (= next()) and steps its parts in ascending order.
    template <class Step>
    void run(Cycle now, Step step) {
        base_ = now;
        while (!far_.empty() && far_.top().first - base_.v < kHorizon) {
            const auto [at, part] = far_.top();
            far_.pop();
            wake(part, Cycle(at));
        }
        const u32 s = slot(now);
        u64* words = &slots_[std::size_t{s} * words_];
        for (u32 w = 0; w < words_; ++w) {
            u64 bits = words[w];
            words[w] = 0;
            for (; bits != 0; bits &= bits - 1) step(w * 64 + static_cast<u32>(std::countr_zero(bits)));
        }
        used_[s / 64] &= ~(u64{1} << (s % 64));
    }

  private:
    static constexpr u32 kHorizon = 512;
    // Rare, and out of line so that `wake` stays small enough to be inlined.
    [[gnu::noinline]] void wake_far(u32 part, Cycle at) { far_.emplace(at.v, part); }
    static u32 slot(Cycle c) { return static_cast<u32>(c.v) & (kHorizon - 1); }

    using Far = std::pair<u64, u32>;
    u32 words_;
    Cycle base_{0};
    std::vector<u64> slots_;
    u64 used_[kHorizon / 64] = {};
    std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
};

}  // namespace heddle
