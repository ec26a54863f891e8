#pragma once
// A static instruction prepared for issue on one machine: flat, without what issue does not need.

#include <array>
#include <vector>

#include "core/settings.h"
#include "trace/instruction.h"

namespace heddle {

struct Decoded {
    static constexpr u32 kMost = StaticInst::kMaxDests * 8 + StaticInst::kMaxSources;

    std::array<u16, kMost> registers;  // results first, each register of a wide one; then sources
    u8 results = 0;                    // the first so many
    u8 checks = 0;                     // all of them must be ready
    Pipe pipe = Pipe::alu;
    OpClass op = OpClass::other;
    u32 latency = 0, interval = 0;
    bool memory = false;
    AsyncRole async_role = AsyncRole::none;
    u8 async_keep = 0;
};

using OpTable = std::array<OpSettings, static_cast<std::size_t>(OpClass::count_)>;

Decoded decode(const StaticInst& inst, const OpTable& ops);

}  // namespace heddle
