#pragma once
// When each warp's registers are ready.
//
// An entry is a key whose cycle counts from base_, which follows the time. Half the bytes of a whole cycle number, so
// that the registers that a small kernel uses share one cache line: with many warps in turn, that line is what issue
// waits for.

#include <algorithm>
#include <array>
#include <vector>

#include "core/decoded.h"

namespace heddle {

class Scoreboard {
  public:
    explicit Scoreboard(u32 warps) : warps_(warps) {}

    /// Ready times are cycle << 2 | cause of the wait, so that the latest decides both.
    enum : u64 { kArithmetic = 0, kSharedMemory = 1, kMemory = 2 };
    static constexpr u64 kPending = ~u64{0};  // data on the way, time not known yet
    static constexpr u64 key(Cycle at, u64 cause) { return at.v << 2 | cause; }

    /// Before anything else in a cycle.
    void keep_time(Cycle now) {
        if (now.v - base_ > kBaseSpan) [[unlikely]]
            move_base(now);
    }
    /// Makes room for register numbers below `names`; returns the lines that a warp of that many uses.
    u32 make_room(u32 names);
    /// A new warp of so many lines: everything is ready.
    void clear(u32 warp, u32 lines) {
        std::fill_n(lines_.begin() + static_cast<std::ptrdiff_t>(std::size_t{warp} * lines_a_warp_), lines,
                    Line{});
    }
    void set_results(const Decoded& inst, u32 warp, u64 ready) {
        const u32 entry = ready == kPending ? kPendingEntry : static_cast<u32>(ready - (base_ << 2));
        u32* entries = lines_[std::size_t{warp} * lines_a_warp_].ready.data();
        for (u32 k = 0; k < inst.results; ++k) entries[inst.registers[k]] = entry;
    }
    u64 operands_ready(const Decoded& inst, u32 warp) const {
        const u32* entries = lines_[std::size_t{warp} * lines_a_warp_].ready.data();
        u32 ready = 0;
        for (u32 k = 0; k < inst.checks; ++k) ready = std::max(ready, entries[inst.registers[k]]);
        return ready == kPendingEntry ? kPending : u64{ready} + (base_ << 2);
    }

  private:
    struct alignas(64) Line {
        std::array<u32, 16> ready{};
    };
    static constexpr u32 kPendingEntry = ~u32{0};
    static constexpr u64 kBaseSpan = u64{1} << 28;  // base_ is at most this far behind

    void move_base(Cycle now);

    u32 warps_;
    u64 base_ = 0;
    u32 lines_a_warp_ = 0;
    std::vector<Line> lines_;
};

}  // namespace heddle
