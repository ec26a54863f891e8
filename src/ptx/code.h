#pragma once
// Internal code: what execution runs. Made once from a module's text (lower.h, emit.h), shared by all
// launches.
//
// A register is 32 lanes, structure of arrays: a 32-bit register is u32[32], a 64-bit one u64[32] (two
// adjacent 32-bit registers), a predicate one u32 with a bit for each lane; 8- and 16-bit values stand
// zero-extended in 32-bit registers. A frame holds a function's registers, 32-bit and 64-bit ones apart
// (allocate.h says why); the stream numbers them otherwise.
//
// An operand reference is 2 bits of area and 30 bits of byte offset: the current frame, the program's pool of
// constants (each splat over 32 lanes), or the launch's parameters (splat too). So every handler reads its
// operands alike.

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ptx/ast.h"
#include "trace/instruction.h"

namespace heddle::ptx {

class Module;
struct Kernel;
struct Warp;
struct Op;

using Handler = void (*)(Warp& warp, const Op& op, u32 mask);

/// Bytes that start on a 64-byte boundary, as registers must.
class AlignedBytes {
  public:
    void resize(std::size_t bytes) { lines_.resize((bytes + 63) / 64); }
    /// All zeros, of this size.
    void clear(std::size_t bytes) { lines_.assign((bytes + 63) / 64, Line{}); }
    std::size_t size() const { return lines_.size() * 64; }
    std::byte* data() { return lines_.empty() ? nullptr : lines_.data()->bytes.data(); }
    const std::byte* data() const { return lines_.empty() ? nullptr : lines_.data()->bytes.data(); }

  private:
    struct alignas(64) Line {
        std::array<std::byte, 64> bytes{};
    };
    std::vector<Line> lines_;
};

inline constexpr u32 kLanes = 32;
inline constexpr u32 kRegisterBytes = kLanes * 4;
inline constexpr u32 kNoOperand = 0xffffffff;

enum class Area : u32 { frame = 0, constants = 1, launch = 2 };
constexpr u32 operand_ref(Area area, u32 offset) {
    return static_cast<u32>(area) << 30 | offset;
}

/// Barriers of a CTA: 0 to 15 are the programs' own; this one is for barrier.cluster.
inline constexpr u32 kClusterBarrier = 16;

/// In Op::sub of a barrier; from kPopc on they also reduce a predicate.
enum BarrierKind : u8 { kSync, kArrive, kCluster, kPopc, kAnd, kOr };

/// What the interpreter does itself; `none`: the handler does all.
enum class Control : u8 {
    none,
    reconverge,    // start of a post-dominator
    jump,          // unconditional
    branch,        // by guard: may diverge
    branch_index,  // brx.idx
    call,
    call_indirect,
    ret,  // of a function: its lanes are together again
    exit,
    barrier,       // bar/barrier
    warp_barrier,  // bar.warp.sync, and what waits for the lanes of a mask first
    trap,
    unsupported,
    sleep,  // nanosleep: ends the warp's turn
};

struct Op {
    Handler fn = nullptr;
    u32 dst = kNoOperand, a = kNoOperand, b = kNoOperand, c = kNoOperand;
    i64 imm = 0;
    u32 guard = kNoOperand;
    u32 ext = 0;  // first of further operands in FunctionCode::extra, or an index named by the op
    u32 rec = 0;  // first static instruction, counted from the function's first
    u32 line = 0;
    u32 target = 0;        // branch: op index in the function
    u32 rpc = kNoOperand;  // branch: where its lanes meet again
    u8 rec_count = 0;
    Control control = Control::none;
    bool guard_negated = false;
    bool memory = false;  // runs, and records itself, even with no active lane
    u8 count = 0;         // vector elements
    u8 flags = 0;
    u8 sub = 0, sub2 = 0;
};

enum OpFlags : u8 {
    kSpinBranch = 1,     // closes a loop that may wait for another warp
    kSpinLook = 2,       // a load or atomic in such a loop
    kStrong = 4,         // a store or atomic that others may wait for
    kAnyLoop = 8,        // closes a loop
    kHalfRegister = 16,  // a load into a 16-bit register: sign extension stops there
    kOneAddress = 32,    // a reduction that one lane does for all
    kWrites = 64,        // a store, atomic or reduction
};

/// A place of a value that passes between caller and callee.
struct ParamSlot {
    u32 bytes = 0;
    u32 local_offset = ast::kNone;  // in the function's local memory, or
    u32 reg = kNoOperand;           // an operand reference
};

struct CallSite {
    std::string callee;  // empty: indirect
    u32 line = 0;
    std::vector<ParamSlot> args, returns;
};

enum class Width : u8 { pred, w32, w64 };

/// A value known before a launch; names get their addresses when modules are linked.
struct Constant {
    enum class Kind : u8 {
        value,
        variable,  // a module's variable
        function,
        own_shared,  // an offset in the function's own shared variables
    } kind = Kind::value;
    Width width = Width::w32;
    u64 value = 0;          // or what is added to the address
    u32 name = ast::kNone;  // in Unit::names
    friend bool operator<(const Constant& a, const Constant& b) {
        return std::tie(a.kind, a.width, a.value, a.name) < std::tie(b.kind, b.width, b.value, b.name);
    }
};

/// A launch-time constant: kernel parameter bytes, a size of the launch, or where dynamic shared memory
/// begins.
struct LaunchValue {
    enum class Kind : u8 { param, special, dynamic_shared } kind = Kind::param;
    bool wide = false;  // splat as 64-bit
    ast::Special special{};
    u32 offset = 0;  // parameter bytes
    Type type = Type::none;
    u32 slot = 0;       // byte offset in the launch area
    bool half = false;  // in a 16-bit register
};

/// Constants and launch values take one slot each in their areas.
inline constexpr u32 kSlotBytes = kLanes * 8;

/// The same value for all lanes.
inline void splat(std::byte* slot, u64 value, bool wide) {
    const u32 low = static_cast<u32>(value);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        if (wide)
            std::memcpy(slot + lane * 8, &value, 8);
        else
            std::memcpy(slot + lane * 4, &low, 4);
    }
}

/// A register that is live where a loop begins again.
struct LiveRegister {
    u32 ref;    // operand reference
    u32 bytes;  // 4 (also predicates) or 8 for each lane; 0: a predicate
};

/// A function as its module compiles it. Immutable.
struct FunctionCode {
    std::string name;
    const ast::Unit* unit = nullptr;
    bool is_entry = false;
    u32 line = 0;
    std::vector<Op> ops;
    std::vector<u32> extra;
    std::vector<CallSite> calls;
    std::vector<std::vector<u32>> tables;  // brx.idx: op indices
    std::vector<std::string> messages;     // of unsupported instructions
    std::vector<StaticInst> static_insts;  // pc: counted from the function's start
    std::vector<Constant> constants;
    std::vector<LaunchValue> launch_values;
    std::vector<std::vector<LiveRegister>> live_at;  // by Op::ext of loop branches
    std::vector<ParamSlot> params, returns;
    std::vector<u32> textures;  // names of .texref variables, by index in tex operations
    u32 frame_bytes = 0;
    u32 registers = 0, predicates = 0;
    u32 local_bytes = 0;  // depot and parameters
    u32 shared_bytes = 0, shared_align = 1;
    bool uses_dynamic_shared = false, calls_indirect = false;
    bool interacts = false;  // has a strong access to global memory: needs fine interleaving
    bool spins = false;      // has a loop that may wait for another warp
};

/// A function in a linked program.
struct LinkedFunction {
    const FunctionCode* code = nullptr;
    AlignedBytes constants;    // kSlotBytes each, splat
    std::vector<u32> callees;  // by call site: functions; kNone: indirect
    std::vector<u32> reach;    // itself and every function it may come to call
    u32 own_shared = 0;        // where its shared variables begin (kernels and functions)
};

/// Addresses of .texrefs count from here; no handle of a texture object is as large.
inline constexpr u64 kTextureReference = u64{1} << 62;

struct TextureReferences {
    std::map<std::string, u64, std::less<>> bindings;  // .texref -> handle
    std::map<u64, std::string> names;                  // what a .texref's address gives -> .texref
};

struct Code {
    std::vector<std::shared_ptr<const Module>> modules;
    std::vector<LinkedFunction> functions;
    std::shared_ptr<TextureReferences> textures = std::make_shared<TextureReferences>();
    std::map<u32, const Kernel*> kernels;  // of the program, by function
    // Functions that are not as their modules compiled them.
    std::vector<std::shared_ptr<const FunctionCode>> own;
    /// Kernels compiled for fewer registers (fit.h), by function and number of registers.
    std::map<std::pair<u32, u32>, std::shared_ptr<const Kernel>> fitted;
};

/// The address of function f, as a pointer to it holds it.
inline constexpr u64 kFunctionWindow = 0x0f00'0000'0000;
constexpr u64 function_address(u32 f) {
    return kFunctionWindow + u64{f} * 16;
}

}  // namespace heddle::ptx
