// Branches, calls, barriers, what a warp's lanes do together.

#include <algorithm>
#include <array>

#include "ptx/library.h"
#include "ptx/lower.h"

namespace heddle::ptx {

using namespace ast;

void Lowering::branch() {
    need_operands(1, 1);
    const Operand& o = operand(0);
    if (o.kind != OperandKind::symbol || !f_.labels.contains(o.id))
        fail("no label '" + (o.kind == OperandKind::symbol ? std::string(name(o.id)) : std::string("?")) +
             "' in function '" + out_.name + "'");
    IrInst& inst = emit_control(inst_->guard == kNone ? Control::jump : Control::branch);
    inst.index = o.id;
    inst.cost = {OpClass::branch, 1, OpClass::branch};
}

void Lowering::branch_index() {
    need_operands(2, 2);
    const Operand& o = operand(1);
    if (o.kind != OperandKind::symbol || !f_.targets.contains(o.id))
        fail("brx.idx needs the name of a .branchtargets list");
    const Ref index = value(0, Type::u32);
    IrInst& inst = emit_control(Control::branch_index);
    inst.src[inst.src_count++] = index;
    inst.index = static_cast<u32>(out_.tables.size());
    inst.cost = {OpClass::branch, 1, OpClass::branch};
    auto& table = out_.tables.emplace_back(f_.targets.at(o.id));
    for (u32 label : table)
        if (!f_.labels.contains(label))
            fail("no label '" + std::string(name(label)) + "' in function '" + out_.name + "'");
}

void Lowering::ret() {
    if (kernel_) return exit();
    IrInst& inst = emit_control(inst_->guard == kNone ? Control::jump : Control::branch);
    inst.sub = kToEnd;
    inst.cost.count = 0;
}

void Lowering::exit() {
    emit_control(Control::exit).cost = {OpClass::exit, 1, OpClass::exit};
}
void Lowering::trap() {
    emit_control(Control::trap).cost = {OpClass::exit, 1, OpClass::exit};
}

IrCall::Value Lowering::call_value(const Operand& o) {
    IrCall::Value v;
    if (o.kind == OperandKind::symbol && o.value != 0) {
        const Variable& p = f_.variables[o.value - 1];
        if (p.space != Space::param) fail("'" + std::string(p.name) + "' is not a .param variable");
        if (kernel_ && o.value - 1 < f_.params.size())
            not_supported("a kernel's parameter passed on to a function");
        v.local_offset = variable_offset_[o.value - 1];
        v.bytes = static_cast<u32>(p.bytes);
    } else if (o.kind == OperandKind::reg) {
        v.ref = make_ref(RefKind::reg, o.id);
        v.bytes = type_bytes(f_.registers[o.id].type);
    } else if (o.kind == OperandKind::integer) {
        v.ref = constant(o.value, Width::w32);
        v.bytes = 4;
    } else {
        fail("a call passes .param variables, registers and constants");
    }
    return v;
}

/// call{.uni} {(returns),} target {, (arguments)} {, prototype or list of targets};
void Lowering::call() {
    std::size_t at = 0;
    const Operand* returns = nullptr;
    const Operand* args = nullptr;
    if (operand(0).kind == OperandKind::list) returns = &operand(at++);
    const Operand& target = operand(at++);
    if (at < operand_count() &&
        (operand(at).kind == OperandKind::list || operand(at).kind == OperandKind::integer))
        args = &operand(at++);
    std::string_view callee;
    if (target.kind == OperandKind::symbol) {
        u32 id = target.id;
        if (unit_.aliases.contains(id)) id = unit_.aliases.at(id);
        const auto f = unit_.function_ids.find(id);
        if (f == unit_.function_ids.end() && name(id) != f_.name)
            fail("'" + std::string(name(id)) + "' is not a function");
        callee = name(id);
        const bool defined = name(id) == f_.name || unit_.functions[f->second].has_body;
        if (!defined && intrinsic(callee, returns, args)) return;
        if (callee.starts_with("cudaGraph"))
            not_supported("launches of graphs from the device are not supported");
    } else if (target.kind != OperandKind::reg) {
        fail("a call needs a function's name or a register");
    }
    if (inst_->guard != kNone) {  // the call happens in a branch of its own
        IrInst& skip = emit_control(Control::branch);
        skip.guard_negated = !skip.guard_negated;
        skip.sub = kToInstruction;
        skip.index = static_cast<u32>(out_.insts.size() + 1);
    }
    const std::size_t skip = out_.insts.size() - 1;
    IrCall call;
    call.line = inst_->line;
    if (args != nullptr && args->kind == OperandKind::integer) call.args.push_back(call_value(*args));
    if (args != nullptr && args->kind == OperandKind::list)
        for (u32 k = 0; k < args->count; ++k) call.args.push_back(call_value(element(*args, k)));
    if (returns != nullptr)
        for (u32 k = 0; k < returns->count; ++k) call.returns.push_back(call_value(element(*returns, k)));
    Ref pointer = kNoRef;
    if (callee.empty()) {
        pointer = value(target, Type::b64);
        out_.calls_indirect = true;
    } else {
        call.name = unit_.aliases.contains(target.id) ? unit_.aliases.at(target.id) : target.id;
    }
    IrInst& inst = emit_control(callee.empty() ? Control::call_indirect : Control::call);
    inst.guard = kNoRef;
    inst.cost = {OpClass::branch, 1, OpClass::branch};
    inst.index = static_cast<u32>(out_.calls.size());
    if (pointer != kNoRef) inst.src[inst.src_count++] = pointer;
    for (const auto& r : call.returns)
        if (is_reg(r.ref)) {
            if (inst.dst_count == inst.dst.size()) not_supported("this many register results");
            inst.dst[inst.dst_count++] = r.ref;
        }
    for (const auto& a : call.args)
        if (is_reg(a.ref)) inst.stream_sources.push_back(a.ref);
    out_.calls.push_back(std::move(call));
    if (inst_->guard != kNone) out_.insts[skip].index = static_cast<u32>(out_.insts.size());
}

Ref Lowering::argument(const Operand& list, std::size_t k, Type t) {
    const IrCall::Value v = call_value(element(list, k));
    if (v.ref != kNoRef) return v.ref;
    const Ref r = new_register(width_of(t));
    const Ref base = local_address(v.local_offset, Width::w32);
    IrInst& inst = emit(Operation::load, type_bytes(t) == 8 ? Type::b64 : Type::b32, {r}, {base});
    inst.key.space = MemSpace::local;
    inst.key.from = inst.key.type;
    inst.cost.count = 0;
    return r;
}

void Lowering::give_result(const Operand* list, Type t, Ref r) {
    if (list == nullptr || list->count == 0) return;
    const IrCall::Value v = call_value(element(*list, 0));
    if (v.ref != kNoRef) {
        emit(Operation::mov, type_bytes(t) == 8 ? Type::b64 : Type::b32, {v.ref}, {r});
        return;
    }
    const Ref base = local_address(v.local_offset, Width::w32);
    IrInst& inst = emit(Operation::store, type_bytes(t) == 8 ? Type::b64 : Type::b32, {}, {base, r});
    inst.key.space = MemSpace::local;
    inst.key.from = inst.key.type;
    inst.effect = true;
    inst.cost.count = 0;
}

/// What device_launch.h (src/ptx and src/cuda/include/heddle) says of launches in a kernel.
bool Lowering::device_call(std::string_view callee, const Operand* returns, const Operand* args) {
    struct Call {
        std::string_view name;
        Operation operation;
        Type result;
        bool takes_address;
    };
    constexpr std::array calls{
        Call{"__heddle_launch", Operation::device_launch, Type::b32, true},
        Call{"__heddle_wait", Operation::device_wait, Type::b32, false},
        Call{"__heddle_parameter_bytes", Operation::device_parameters, Type::b64, true}};
    const auto at = std::find_if(calls.begin(), calls.end(), [&](const Call& c) { return c.name == callee; });
    if (at == calls.end()) return false;
    if ((args == nullptr ? 0 : args->count) != (at->takes_address ? 1 : 0))
        fail("'" + std::string(callee) + "' takes " + (at->takes_address ? "an address" : "no arguments"));
    const Ref r = new_register(width_of(at->result));
    const Ref address = at->takes_address ? argument(*args, 0, Type::b64) : kNoRef;
    IrInst& inst = emit(at->operation, at->result, {r}, {});
    if (at->takes_address) inst.src[inst.src_count++] = address;
    inst.effect = true;
    inst.cost = {OpClass::branch, 1, OpClass::branch};
    require(inst.key);
    give_result(returns, at->result, r);
    return true;
}

bool Lowering::intrinsic(std::string_view callee, const Operand* returns, const Operand* args) {
    auto count = [&](u32 n) {
        if ((args == nullptr ? 0 : args->count) != n)
            fail("'" + std::string(callee) + "' takes " + std::to_string(n) + " arguments");
    };
    if (callee == "vprintf" || callee == "malloc" || callee == "free" || callee == "__assertfail") {
        const bool print = callee == "vprintf", allocate = callee == "malloc",
                   assertion = callee == "__assertfail";
        count(print ? 2 : assertion ? 5 : 1);
        const Type result = print ? Type::b32 : Type::b64;
        const Ref r = new_register(width_of(result));
        std::array<Ref, 4> a{kNoRef, kNoRef, kNoRef, kNoRef};
        for (u32 k = 0; k < (assertion ? 4 : args->count); ++k)
            a[k] = argument(*args, k, assertion && k == 2 ? Type::b32 : Type::b64);
        IrInst& inst = emit(print       ? Operation::vprintf
                            : allocate  ? Operation::malloc
                            : assertion ? Operation::assertfail
                                        : Operation::free,
                            result, {r}, {});
        for (Ref x : a)
            if (x != kNoRef) inst.src[inst.src_count++] = x;
        inst.effect = true;
        inst.cost = {OpClass::branch, 1, OpClass::branch};
        require(inst.key);
        if (print || allocate) give_result(returns, result, r);
        return true;
    }
    if (callee.starts_with("__heddle_")) return device_call(callee, returns, args);
    if (!callee.starts_with("__nv_")) return false;
    const int index = find_library(callee.substr(5));
    if (index < 0) not_supported("unknown library function");
    const LibraryFunction& f = library_function(index);
    count(f.arguments);
    std::array<Ref, 3> a{};
    for (u32 k = 0; k < f.arguments; ++k) a[k] = argument(*args, k, f.argument);
    const Ref r = new_register(width_of(f.result));
    IrInst& inst = emit(f.arguments == 1   ? Operation::library1
                        : f.arguments == 2 ? Operation::library2
                                           : Operation::library3,
                        f.argument, {r}, {});
    for (u32 k = 0; k < f.arguments; ++k) inst.src[inst.src_count++] = a[k];
    inst.key.from = f.result;
    inst.imm = index;
    inst.key.sub = f.f1 == nullptr && f.f2 == nullptr && f.f3 == nullptr;  // fmaf
    require(inst.key);
    give_result(returns, f.result, r);
    return true;
}

namespace {

constexpr u64 kMaxBarrier = 15;

}  // namespace

/// barrier.cluster: the CTA is alone in its cluster, so its threads meet where they wait, at a barrier that programs can't
/// name.
void Lowering::cluster_barrier() {
    need_operands(0, 0);
    if (!has("wait")) return nothing();
    IrInst& inst = emit_control(Control::barrier);
    inst.sub = kCluster;
    inst.cost = {OpClass::barrier, 1, OpClass::barrier};
}

void Lowering::barrier() {
    if (has("warp")) {  // bar.warp.sync mask
        need_operands(1, 1);
        warp_wide(Operation::nothing, Type::none, {}, value(0, Type::b32)).cost = {OpClass::other, 1,
                                                                                   OpClass::other};
        return;
    }
    if (has("cluster")) return cluster_barrier();
    std::size_t at = 0;
    const BarrierKind kind = has("arrive") ? kArrive
                             : !has("red") ? kSync
                             : has("popc") ? kPopc
                             : has("and")  ? kAnd
                                           : kOr;
    const bool reduce = kind >= kPopc;
    Ref d = kNoRef, c = kNoRef;
    bool negated = false;
    std::size_t last = operand_count();
    if (reduce) {
        if (last < 3) fail("'" + spelled() + "' needs more operands");
        d = destination(operand(at++), kind == kPopc ? Type::u32 : Type::pred);
        c = predicate(operand(--last), negated);
    }
    const Operand& id = operand(at);
    const Ref barrier = value(at++, Type::u32);
    const Ref threads = at < last ? value(at++, Type::u32) : kNoRef;
    if (at != last) fail("'" + spelled() + "' has too many operands");
    if (kind == kArrive && threads == kNoRef) fail("'" + spelled() + "' needs a number of threads");
    IrInst& inst = emit_control(Control::barrier);
    inst.src[0] = barrier;
    inst.src[1] = threads;
    inst.src[2] = c;
    inst.src_count = 3;
    if (d != kNoRef) inst.dst[inst.dst_count++] = d;
    inst.sub = kind;
    inst.sub2 = negated;
    inst.cost = {OpClass::barrier, 1, OpClass::barrier};
    inst.arrive_only = kind == kArrive;
    if (id.kind == OperandKind::integer) {
        if (id.value > kMaxBarrier) fail("barriers are numbered 0 to 15");
        inst.barrier_id = static_cast<u8>(id.value);
    }
    if (threads != kNoRef && ref_kind(threads) == RefKind::constant) {
        const u64 n = out_.constants[ref_index(threads)].value;
        if (n == 0 || n % 32 != 0 || n > 1024)
            fail("a barrier's number of threads is a multiple of 32 up to 1024");
        inst.barrier_warps = static_cast<u8>(n / 32);
    }
}

/// An operation of the lanes named by `members`, which meet first.
IrInst& Lowering::warp_wide(Operation op, Type t, std::initializer_list<Ref> src, Ref members) {
    IrInst& inst = emit(op, t, {}, src);
    inst.effect = true;
    if (members != kNoRef) {
        inst.control = Control::warp_barrier;
        inst.src[3] = members;
        inst.src_count = 4;
    }
    inst.cost = {OpClass::other, 1, OpClass::other};
    return inst;
}

void Lowering::warp_vote() {
    const bool sync = has("sync"), ballot = has("ballot");
    need_operands(sync ? 3 : 2, sync ? 3 : 2);
    const Operation op = ballot       ? Operation::vote_ballot
                         : has("all") ? Operation::vote_all
                         : has("any") ? Operation::vote_any
                                      : Operation::vote_uni;
    bool negated = false;
    const Ref a = predicate(operand(1), negated);
    const Ref members = sync ? value(2, Type::b32) : kNoRef;
    const Ref d = destination(0, ballot ? Type::b32 : Type::pred);
    IrInst& inst = warp_wide(op, Type::b32, {a}, members);
    inst.dst[inst.dst_count++] = d;
    inst.sub = negated;
    require(inst.key);
}

void Lowering::activemask() {
    need_operands(1, 1);
    const Ref d = destination(0, Type::b32);
    IrInst& inst = warp_wide(Operation::activemask, Type::b32, {}, kNoRef);
    inst.dst[inst.dst_count++] = d;
}

void Lowering::match() {
    need_operands(3, 3);
    const Type t = type();
    const Operand& d = operand(0);
    const Ref a = value(1, t), members = value(2, Type::b32);
    IrInst* inst = &warp_wide(has("all") ? Operation::match_all : Operation::match_any, t, {a}, members);
    inst->dst[inst->dst_count++] = destination(d.kind == OperandKind::pair ? element(d, 0) : d, Type::b32);
    if (d.kind == OperandKind::pair && element(d, 1).kind != OperandKind::sink)
        inst->dst[inst->dst_count++] = destination(element(d, 1), Type::pred);
    require(inst->key);
}

void Lowering::redux() {
    need_operands(3, 3);
    const Type t = type();
    const Ref d = destination(0, t), a = value(1, t), members = value(2, Type::b32);
    IrInst& inst = warp_wide(Operation::redux, t, {a}, members);
    inst.dst[inst.dst_count++] = d;
    inst.sub = inst.key.sub = static_cast<u8>(has("add")   ? Atomic::add
                                              : has("min") ? Atomic::min
                                              : has("max") ? Atomic::max
                                              : has("and") ? Atomic::and_
                                              : has("or")  ? Atomic::or_
                                                           : Atomic::xor_);
    require(inst.key);
}

void Lowering::shuffle() {
    const bool sync = has("sync");
    need_operands(sync ? 5 : 4, sync ? 5 : 4);
    const Operand& d = operand(0);
    const Ref a = value(1, Type::b32), b = value(2, Type::b32), c = value(3, Type::b32);
    const Ref members = sync ? value(4, Type::b32) : kNoRef;
    IrInst& inst = warp_wide(Operation::shfl, Type::b32, {a, b, c}, members);
    inst.dst[inst.dst_count++] = destination(d.kind == OperandKind::pair ? element(d, 0) : d, Type::b32);
    if (d.kind == OperandKind::pair && element(d, 1).kind != OperandKind::sink)
        inst.dst[inst.dst_count++] = destination(element(d, 1), Type::pred);
    inst.sub = static_cast<u8>(has("up")     ? Shuffle::up
                               : has("down") ? Shuffle::down
                               : has("bfly") ? Shuffle::bfly
                                             : Shuffle::idx);
    require(inst.key);
}

void Lowering::elect() {
    need_operands(2, 2);
    const Operand& d = operand(0);
    const Ref members = value(1, Type::b32);
    IrInst& inst = warp_wide(Operation::elect, Type::b32, {}, members);
    const bool pair = d.kind == OperandKind::pair;
    inst.dst[inst.dst_count++] = destination(pair ? element(d, 0) : d, Type::b32);
    if (pair) inst.dst[inst.dst_count++] = destination(element(d, 1), Type::pred);
    require(inst.key);
}

void Lowering::nanosleep() {
    need_operands(1, 1);
    const Ref t = value(0, Type::u32);
    IrInst& inst = emit_control(Control::sleep);
    inst.src[inst.src_count++] = t;
    inst.cost = {OpClass::other, 1, OpClass::other};
}
}  // namespace heddle::ptx
