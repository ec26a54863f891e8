#pragma once
// A warp instruction as timing sees it: what kind of work, which registers, which memory.

#include <array>

#include "sim/types.h"

namespace heddle {

/// Operation classes. A machine gives each a latency and an initiation interval (docs: `heddle explain
/// units`).
enum class OpClass : u8 {
    int_add,  // add, logic, shift, compare, move, select, conversion between integers
    int_mul,
    int_mad,
    int_div,
    fp32_add,  // add, compare, min/max, conversion
    fp32_mul,
    fp32_mad,
    fp32_div,
    fp64,
    sfu,  // reciprocal, root, sine, exponential, logarithm
    tensor,
    branch,
    texture,
    memory,   // see MemOp
    barrier,  // CTA barrier; see StaticInst::barrier_*
    fence,    // memory fence: waits until the warp's earlier stores and atomics are performed
    exit,     // the lanes in the mask end
    other,    // no-ops and everything unknown: as int_add
    count_
};

enum class MemOp : u8 {
    none,
    load,
    store,
    atomic,      // read-modify-write that returns the old value
    reduction,   // read-modify-write without a result
    async_copy,  // global to shared, counted on its global side (LDGSTS)
    prefetch,
};

/// Groups of asynchronous copies (LDGDEPBAR, cp.async.commit_group and .wait_group): a `commit` closes the
/// warp's group of the copies issued since the last one; a `wait` holds the warp until at most `async_keep`
/// closed groups are unfinished.
enum class AsyncRole : u8 { none, commit, wait };

enum class MemSpace : u8 { none, global, local, shared, constant, texture };

/// The part of an instruction that is the same each time it executes. 32 bytes.
struct StaticInst {
    static constexpr int kMaxSources = 4;
    static constexpr int kMaxDests = 2;
    /// Register numbers are below KernelInfo::register_names; the zero register is never listed.
    static constexpr u16 kNoRegister = 0xffff;

    u64 pc = 0;
    std::array<u16, kMaxDests> dst{kNoRegister, kNoRegister};  // filled from the front
    std::array<u16, kMaxSources> src{kNoRegister, kNoRegister, kNoRegister, kNoRegister};
    OpClass op = OpClass::other;
    MemOp mem = MemOp::none;
    MemSpace space = MemSpace::none;
    u8 access_bytes = 0;     // for each lane: 1, 2, 4, 8, 16, 32 (memory operations)
    bool bypass_l1 = false;  // .STRONG.GPU/.SYS, volatile, ld.cg
    u8 barrier_id = 0;
    /// Warps that take part in the barrier; 0: all warps of the CTA that have not ended.
    u8 barrier_warps = 0;
    bool barrier_arrive_only = false;  // bar.arrive: does not wait
    /// Vector registers behind each dst/src entry (64- and 128-bit values): entry r stands for r ..
    /// r+width-1.
    u8 dst_width = 1;
    AsyncRole async_role = AsyncRole::none;
    u8 async_keep = 0;
    u8 reserved = 0;

    bool is_memory() const { return op == OpClass::memory; }
    friend bool operator==(const StaticInst&, const StaticInst&) = default;
};
static_assert(sizeof(StaticInst) == 32);

}  // namespace heddle
