#pragma once
// A function between PTX and internal code: instructions on virtual registers (made by lower.h, improved by
// optimise.h, turned into FunctionCode by emit.h).

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "ptx/operation.h"

namespace heddle::ptx {

/// A value: a virtual register, a constant or a launch value; 2 bits of kind, 30 of index.
using Ref = u32;
inline constexpr Ref kNoRef = 0xffffffff;
enum class RefKind : u32 { reg = 0, constant = 1, launch = 2 };
constexpr Ref make_ref(RefKind kind, u32 index) {
    return static_cast<u32>(kind) << 30 | index;
}
constexpr RefKind ref_kind(Ref r) {
    return static_cast<RefKind>(r >> 30);
}
constexpr u32 ref_index(Ref r) {
    return r & 0x3fffffff;
}
constexpr bool is_reg(Ref r) {
    return r != kNoRef && ref_kind(r) == RefKind::reg;
}

struct VirtualRegister {
    Width width = Width::w32;
    bool half = false;  // 16 bits in a 32-bit register
};

/// What the stream shows of an instruction: `count` warp instructions of a class; 0: nothing.
struct Cost {
    OpClass op = OpClass::int_add;
    u8 count = 1;
    OpClass rest = OpClass::int_add;  // of all but the first
};

/// What a branch's index names while a function is being lowered (IrInst::sub).
enum BranchTarget : u8 { kToLabel = 0, kToInstruction = 1, kToEnd = 2 };

template <std::size_t n>
constexpr std::array<Ref, n> no_refs() {
    std::array<Ref, n> refs{};
    refs.fill(kNoRef);
    return refs;
}

struct IrInst {
    HandlerKey key;
    Control control = Control::none;
    std::array<Ref, 8> dst = no_refs<8>();  // a fragment of a matrix has up to 8 registers
    std::array<Ref, 24> src = no_refs<24>();
    u8 dst_count = 0, src_count = 0;
    Ref guard = kNoRef;
    bool guard_negated = false;
    bool dead = false;
    bool effect = false;  // may not be removed: memory, control, cross-lane
    i64 imm = 0;
    u32 line = 0;
    u32 index = 0;  // branch: target label's instruction; call: call site; brx: table
    u8 flags = 0, sub = 0, sub2 = 0, count = 1;
    Cost cost;
    // Memory instructions.
    MemOp mem = MemOp::none;
    u8 access_bytes = 0;
    bool bypass_l1 = false, strong = false;
    bool variants = false;     // generic addresses: three static instructions
    bool one_address = false;  // a reduction that one lane does for all (uniform.h)
    bool fence_before = false, fence_after = false;
    // Barriers.
    u8 barrier_id = 0, barrier_warps = 0;
    bool arrive_only = false;
    // Groups of asynchronous copies.
    AsyncRole async_role = AsyncRole::none;
    u8 async_keep = 0;
    // More values the instruction depends on, through ones the stream leaves out.
    std::vector<Ref> stream_sources;
};

struct IrCall {
    u32 line = 0;
    u32 name = ast::kNone;  // callee, in Unit::names; kNone: indirect
    u32 target_index = 0;
    struct Value {
        Ref ref = kNoRef;  // a register or constant, or
        u32 local_offset = ast::kNone;
        u32 bytes = 0;
    };
    std::vector<Value> args, returns;
};

struct IrFunction {
    std::string name;
    const ast::Function* ast = nullptr;
    std::vector<VirtualRegister> registers;
    std::vector<IrInst> insts;
    std::vector<Constant> constants;
    std::vector<LaunchValue> launch_values;
    std::vector<IrCall> calls;
    std::vector<std::vector<u32>> tables;  // instruction indices
    std::vector<u32> label_uses;
    std::vector<IrCall::Value> params, returns;
    u32 local_bytes = 0;
    u32 shared_bytes = 0, shared_align = 1;
    bool uses_dynamic_shared = false, calls_indirect = false;
};

}  // namespace heddle::ptx
