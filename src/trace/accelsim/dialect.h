#pragma once
// What a kernel trace's header decides about the reading of its lines.

#include "sim/types.h"
#include "trace/accelsim/opcodes.h"

namespace heddle::accelsim {

struct Dialect {
    u32 tracer_version = 0;  // 0 to 5
    bool line_info = false;
    u32 binary_version = 0;
    Generation generation = Generation::kepler;
    u64 shared_base = 0, local_base = 0;  // windows of generic addresses; 0: unknown

    bool place_prefix() const { return tracer_version < 3; }
    bool immediate() const { return tracer_version >= 5; }
};

/// Generic windows are 16 MiB (the hardware keeps the upper address bits of each in a register).
inline constexpr u64 kWindowBytes = u64{16} << 20;

inline bool in_window(u64 address, u64 base) {
    return base != 0 && address - base < kWindowBytes;
}

}  // namespace heddle::accelsim
