#pragma once
// What a machine file says about an SM.

#include <array>
#include <vector>

#include "config/schema.h"
#include "core/warp_scheduler.h"
#include "trace/instruction.h"

namespace heddle {

/// Execution pipes. A scheduler can start one instruction per initiation interval in each.
enum class Pipe : u8 { alu, integer, fp32, fp64, sfu, tensor, branch, memory, count_ };
inline constexpr u32 kPipes = static_cast<u32>(Pipe::count_);

/// How an operation class executes.
struct OpSettings {
    Pipe pipe = Pipe::alu;
    Cycle latency;   // from issue to issue of an instruction that uses the result
    Cycle interval;  // cycles for which the pipe accepts nothing else

    static const config::Schema<OpSettings>& schema();
};

struct OpsSettings {
    OpSettings int_add, int_mul, int_mad, int_div, fp32_add, fp32_mul, fp32_mad, fp32_div, fp64, sfu, tensor,
        branch, texture, other;

    const OpSettings& of(OpClass op) const;
    static const config::Schema<OpsSettings>& schema();
};

/// True: one pipe for the whole SM; false: one for each scheduler.
struct SharedPipes {
    bool alu, integer, fp32, fp64, sfu, tensor, branch;

    bool of(Pipe pipe) const;
    static const config::Schema<SharedPipes>& schema();
};

struct SharedMemorySettings {
    u64 size_bytes = 0;     // of an SM
    Cycle latency;          // conflict-free, issue to use
    Cycle cycles_per_pass;  // each further pass of a bank conflict
    u32 banks = 32;         // 4 bytes wide

    static const config::Schema<SharedMemorySettings>& schema();
};

struct LsuSettings {
    u32 queue = 8;  // memory instructions waiting or in progress
    u32 lines_per_cycle = 1;
    Cycle constant_latency;  // loads from constant memory: always a hit
    bool perfect_coalescing = false;
    bool divergence = false;

    static const config::Schema<LsuSettings>& schema();
};

struct SmSettings {
    u32 threads = 0, warps = 0, ctas = 0, registers = 0;
    u32 register_granule = 0;  // registers of a warp are allocated in multiples of this
    u32 schedulers = 0;
    config::Choice warp_scheduler;
    /// The one array that L1 and shared memory share; 0: they are separate.
    u64 unified_bytes = 0;
    std::vector<u64> carveouts;  // sizes that shared memory can take of it
    OpsSettings ops;
    SharedPipes shared_pipes;
    SharedMemorySettings shared_memory;
    LsuSettings lsu;

    static const config::Schema<SmSettings>& schema();
};

}  // namespace heddle
