#pragma once
// What the parser makes of PTX text: declarations, and instructions with resolved operands but undecoded
// modifiers.

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/types.h"

namespace heddle::ptx::ast {

inline constexpr u32 kNone = 0xffffffff;

/// %tid.x and friends. Vector registers are listed by component.
enum class Special : u8 {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    clock,
    clock_hi,
    clock64,
    globaltimer,
    globaltimer_lo,
    globaltimer_hi,
    envreg,
    total_smem_size,
    aggr_smem_size,
    dynamic_smem_size,
    is_explicit_cluster,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    cluster_ctarank,
    cluster_nctarank,
    reserved_smem_offset,
};

enum class OperandKind : u8 {
    reg,       // id
    special,   // id: Special
    integer,   // value
    f32_bits,  // value: 0fXXXXXXXX
    f64_bits,  // value: 0dX..., and decimal floating constants
    symbol,    // id: Unit::names; offset. Variable, function, label or prototype
    address,   // [element 0 + offset]; more elements: a texture's operands
    vector,    // {elements}
    list,      // (elements)
    pair,      // a|b
    sink,      // _
};

struct Operand {
    OperandKind kind = OperandKind::sink;
    bool negated = false;  // !%p
    u32 id = kNone;
    i64 offset = 0;
    u64 value = 0;
    u32 first = 0, count = 0;  // in Unit::operands: elements
};

struct Inst {
    u32 line = 0;
    std::string_view opcode;
    u32 modifiers = 0, modifier_count = 0;  // in Unit::modifiers, without dots
    u32 operands = 0, operand_count = 0;    // in Unit::operands
    u32 guard = kNone;                      // register
    bool guard_negated = false;
};

struct Register {
    std::string_view name;
    Type type = Type::none;
};

/// A name's address inside initial data.
struct Relocation {
    u64 at = 0;        // byte
    u32 name = kNone;  // Unit::names
    i64 addend = 0;
    u8 bytes = 8, shift = 0;  // generic(name) >> shift, truncated: mask() operators
    bool generic = false;     // a generic address, not one in the name's own space
};

struct Variable {
    std::string_view name;
    u32 line = 0;
    Space space = Space::global;
    Type type = Type::none;
    u32 align = 1;
    u64 bytes = 0;  // 0: unsized (extern shared)
    u32 scope = 0;  // in a function: Function::scope_parents; 0 is the outermost
    bool is_extern = false, is_weak = false, is_static = false, managed = false, initialised = false;
    std::vector<u8> data;  // empty: zeros
    std::vector<Relocation> relocations;
};

struct Function {
    std::string_view name;
    u32 line = 0;
    bool is_entry = false, has_body = false, is_weak = false, is_static = false;
    std::vector<Variable> returns, params;
    std::vector<Register> registers;
    /// A register-space parameter or return stands for this register; kNone: in .param space.
    std::vector<u32> return_registers, param_registers;
    std::vector<Variable> variables;  // local, shared, param
    std::vector<Inst> insts;
    std::unordered_map<u32, u32> labels;                   // name -> index of the instruction after it
    std::unordered_map<u32, u32> local_names;              // name -> variables
    std::unordered_map<u32, std::vector<u32>> targets;     // .branchtargets/.calltargets: name -> names
    std::unordered_map<u32, u32> prototypes;               // .callprototype: name -> Unit::prototypes
    std::vector<u32> scope_parents{0};                     // of each block
    u32 max_threads = 0, min_ctas = 0, max_registers = 0;  // performance directives; 0: not given
    u32 end_line = 0;
};

struct Unit {
    std::string name, text;
    std::string_view version, target;
    u32 address_size = 64;
    std::deque<Function> functions;
    std::deque<Variable> variables;
    std::deque<Function> prototypes;
    std::vector<std::string_view> names;
    std::unordered_map<std::string_view, u32> name_ids;
    std::unordered_map<u32, u32> function_ids;  // name -> functions
    std::unordered_map<u32, u32> variable_ids;  // name -> variables
    std::unordered_map<u32, u32> aliases;       // name -> name
    std::vector<std::string_view> modifiers;
    std::vector<Operand> operands;

    /// "FILE:LINE: ".
    std::string place(u32 line) const { return name + ":" + std::to_string(line) + ": "; }

    /// .file and .loc: which line of a source what follows in the text comes from; line 0: none.
    struct Location {
        u32 from = 0, file = 0, line = 0;
    };
    std::unordered_map<u32, std::string> files;
    std::vector<Location> locations;  // in the order of the text
    /// "FILE:LINE" of the source that a line of the text comes from; empty if the text does not say.
    std::string source(u32 line) const;
};

}  // namespace heddle::ptx::ast
