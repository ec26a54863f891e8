// Moves, addresses, loads, stores, atomics, fences.

#include <array>

#include "ptx/lower.h"
#include "ptx/memory.h"

namespace heddle::ptx {

using namespace ast;

void Lowering::mov() {
    need_operands(2, 2);
    const Type t = type();
    const Operand& d = operand(0);
    const Operand& s = operand(1);
    if (t == Type::b128) not_supported("128-bit registers");
    if (t == Type::pred) {
        bool negated = false;
        const Ref a = predicate(s, negated);
        IrInst& inst = emit(Operation::pred_mov, t, {destination(0, t)}, {a});
        inst.sub = negated;
        inst.cost.count = 0;
        return;
    }
    auto part_type = [&](u32 count) {
        const u32 bytes = type_bytes(t) / count;
        const Type part = bytes == 4 ? Type::b32 : bytes == 2 ? Type::b16 : Type::b8;
        if (count < 2 || bytes * count != type_bytes(t) || bytes == 0)
            fail("'" + spelled() + "': the elements don't fill the type");
        return part;
    };
    if (s.kind == OperandKind::vector) {
        const Type part = part_type(s.count);
        std::array<Ref, 4> parts{};
        for (u32 k = 0; k < s.count; ++k) parts[k] = value(element(s, k), part, part == Type::b8);
        IrInst& inst = emit(Operation::pack, t, {destination(0, t)}, {});
        for (u32 k = 0; k < s.count; ++k) inst.src[inst.src_count++] = parts[k];
        inst.key.from = part;
        inst.count = static_cast<u8>(s.count);
        inst.cost.count = 0;
        require(inst.key);
        return;
    }
    if (d.kind == OperandKind::vector) {
        const Type part = part_type(d.count);
        const Ref whole = value(1, t);
        std::array<Ref, 4> parts{kNoRef, kNoRef, kNoRef, kNoRef};
        for (u32 k = 0; k < d.count; ++k)
            if (element(d, k).kind != OperandKind::sink)
                parts[k] = destination(element(d, k), part, part == Type::b8);
        IrInst& inst = emit(Operation::unpack, t, {}, {whole});
        for (u32 k = 0; k < d.count; ++k) inst.dst[inst.dst_count++] = parts[k];
        inst.key.from = part;
        inst.count = static_cast<u8>(d.count);
        inst.cost.count = 0;
        require(inst.key);
        return;
    }
    // Sizes and special registers may be 32 bits wide in a 64-bit move, and the other way round.
    const Ref from = value(s, t, s.kind == OperandKind::special);
    emit(Operation::mov, t, {destination(0, t)}, {from});
}

/// A global or constant address is generic as it stands; the others are offsets in a window.
void Lowering::cvta() {
    need_operands(2, 2);
    const Type t = type();
    if (type_bytes(t) != 8) not_supported("32-bit generic addresses");
    u64 window = 0;
    if (has("shared") || has("shared::cta")) window = kSharedWindow;
    if (has("local")) window = kLocalWindow;
    if (has("param")) window = kParamWindow;
    const Ref to = destination(0, t), from = value(1, t);
    if (window == 0) {
        emit(Operation::mov, t, {to}, {from});
        return;
    }
    IrInst& inst = emit(has("to") ? Operation::sub : Operation::add, Type::u64, {to},
                        {from, constant(window, Width::w64)});
    inst.cost.count = 0;  // the window's base is a constant-bank operand of the access
}

void Lowering::isspacep() {
    need_operands(2, 2);
    IrInst& inst = emit(Operation::isspacep, Type::u64, {destination(0, Type::pred)}, {value(1, Type::b64)});
    if (has("shared") || has("shared::cta") || has("shared::cluster"))
        inst.imm = static_cast<i64>(kSharedWindow);
    else if (has("local"))
        inst.imm = static_cast<i64>(kLocalWindow);
    else if (has("param") || has("param::entry"))
        inst.imm = static_cast<i64>(kParamWindow);
    else
        inst.sub = has("const") ? 2 : 1;
    require(inst.key);
}

Lowering::Address Lowering::address(const Operand& o, Space& space) {
    if (o.kind != OperandKind::address || o.count != 1)
        fail("'" + spelled() + "' needs an address in brackets");
    const Operand& base = element(o, 0);
    Address a;
    a.offset = o.offset;
    switch (base.kind) {
        case OperandKind::reg: {
            a.base = make_ref(RefKind::reg, base.id);
            const Type t = f_.registers[base.id].type;
            if ((type_bytes(t) != 4 && type_bytes(t) != 8) || is_float(t))
                fail("register '" + std::string(f_.registers[base.id].name) + "' is ." +
                     std::string(type_name(t)) + "; an address has 32 or 64 bits");
            a.wide = type_bytes(t) == 8;
            if (space == Space::param && !kernel_) space = Space::local;
            return a;
        }
        case OperandKind::integer:
            a.base = constant(0, Width::w64);
            return a;
        case OperandKind::symbol:
            break;
        default:
            fail("'" + spelled() + "' has an address of the wrong kind");
    }
    Space own = Space::global;
    if (base.value != 0) {
        const u32 k = static_cast<u32>(base.value - 1);
        own = f_.variables[k].space;
        if (own == Space::param) {
            if (kernel_ && k < f_.params.size()) {
                a.param_offset = variable_offset_[k];
                if (space != Space::generic && space != Space::param)
                    fail("'" + std::string(name(base.id)) + "' is not in the state space of '" + spelled() +
                         "'");
                space = Space::param;
                return a;
            }
            own = Space::local;
            if (space == Space::param) space = Space::local;
        }
        if (own == Space::reg) fail("'" + std::string(name(base.id)) + "' is a register");
    } else if (const auto at = unit_.variable_ids.find(base.id); at != unit_.variable_ids.end()) {
        own = unit_.variables[at->second].space;
    }
    if (space == Space::generic) space = own;  // a name is in its own space
    const bool same = own == space || (own == Space::constant && space == Space::global);
    if (!same) fail("'" + std::string(name(base.id)) + "' is not in the state space of '" + spelled() + "'");
    Operand plain = base;
    plain.offset = 0;
    a.base = symbol(plain, Width::w64);
    a.wide = true;
    return a;
}

std::vector<Ref> Lowering::vector_values(const Operand& o, Type t, bool store, u32 count) {
    std::vector<Ref> refs;
    auto one = [&](const Operand& e) {
        if (store) {
            refs.push_back(value(e, t, true));
        } else {
            refs.push_back(e.kind == OperandKind::sink ? kNoRef : destination(e, t, true));
        }
    };
    if (o.kind == OperandKind::vector) {
        if (o.count != count)
            fail("'" + spelled() + "' needs " + std::to_string(count) + " elements, not " +
                 std::to_string(o.count));
        for (u32 k = 0; k < o.count; ++k) one(element(o, k));
    } else {
        if (count != 1) fail("'" + spelled() + "' needs a vector of " + std::to_string(count));
        one(o);
    }
    return refs;
}

void Lowering::set_memory(IrInst& inst, MemSpace space, MemOp mem, u32 bytes) {
    inst.key.space = space;
    inst.mem = mem;
    inst.access_bytes = static_cast<u8>(bytes);
    inst.effect = true;
    inst.variants = space == MemSpace::none;
    inst.cost = {OpClass::memory, 1, OpClass::memory};
}

/// Strong accesses are those that other CTAs may wait for; they don't trust L1.
bool Lowering::strong_access(bool& bypass) const {
    const bool ordered = has("relaxed") || has("acquire") || has("release") || has("acq_rel") || has("mmio");
    const bool wide_scope = !has("cta");
    const bool is_volatile = has("volatile") || has("cv");
    bypass = is_volatile || has("cg") || has("wt") || (ordered && wide_scope);
    return is_volatile || ordered || has("cg");
}

void Lowering::finish_ordering(IrInst& inst) {
    const bool wide_scope = has("gpu") || has("sys") || has("cluster");
    if (!wide_scope) return;
    inst.fence_before = has("release") || has("acq_rel");
    inst.fence_after = has("acquire") || has("acq_rel");
}

MemSpace memory_space(Space s) {
    switch (s) {
        case Space::global:
            return MemSpace::global;
        case Space::shared:
            return MemSpace::shared;
        case Space::local:
            return MemSpace::local;
        case Space::constant:
            return MemSpace::constant;
        case Space::param:
            return MemSpace::texture;  // the handler's sign for kernel parameters
        default:
            return MemSpace::none;
    }
}

void Lowering::load() {
    need_operands(2, 3);
    const Type t = type();
    if (t == Type::b128) not_supported("128-bit registers");
    Space space = has("global") || inst_->opcode == "ldu"                     ? Space::global
                  : has("shared") || has("shared::cta")                       ? Space::shared
                  : has("local")                                              ? Space::local
                  : has("const")                                              ? Space::constant
                  : has("param") || has("param::entry") || has("param::func") ? Space::param
                                                                              : Space::generic;
    const bool nc = has("nc");
    const auto refs = vector_values(operand(0), t, false, vec_);
    const Address a = address(operand(1), space);
    const u32 bytes = type_bytes(t) * vec_;
    if (a.param_offset != kNone) {  // a kernel parameter at a known place: an operand, not a load
        for (u32 k = 0; k < vec_; ++k) {
            if (refs[k] == kNoRef) continue;
            LaunchValue l;
            const i64 at = i64{a.param_offset} + a.offset + i64{k} * type_bytes(t);
            if (at < 0 || at > 65536) fail("parameter offset is out of range");
            l.offset = static_cast<u32>(at);
            l.type = t;
            l.wide = width_of(refs[k]) == Width::w64;
            l.half = out_.registers[ref_index(refs[k])].half;
            emit(Operation::mov, l.wide ? Type::b64 : Type::b32, {refs[k]}, {launch_value(l)});
        }
        return;
    }
    IrInst& inst = emit(Operation::load, t, {}, {a.base});
    for (Ref r : refs) inst.dst[inst.dst_count++] = r;
    inst.imm = a.offset;
    inst.sub2 = a.wide;
    inst.count = static_cast<u8>(vec_);
    set_memory(inst, memory_space(space), MemOp::load, bytes);
    Width width = Width::w32;
    for (Ref r : refs)
        if (r != kNoRef) width = width_of(r);
    inst.key.from = width == Width::w64 ? Type::b64 : Type::b32;
    for (Ref r : refs)
        if (r != kNoRef && width_of(r) != width) not_supported("elements of different widths");
    if (refs[0] != kNoRef && out_.registers[ref_index(refs[0])].half) inst.flags |= kHalfRegister;
    inst.strong = strong_access(inst.bypass_l1) && !nc;
    if (space == Space::param) inst.cost.count = 0;
    // A function's parameters travel in registers: the stream doesn't show them.
    if (space == Space::local && (has("param") || has("param::func"))) inst.cost.count = 0;
    finish_ordering(inst);
    require(inst.key);
}

void Lowering::store() {
    need_operands(2, 3);
    const Type t = type();
    if (t == Type::b128) not_supported("128-bit registers");
    Space space = has("global")                         ? Space::global
                  : has("shared") || has("shared::cta") ? Space::shared
                  : has("local")                        ? Space::local
                  : has("param") || has("param::func")  ? Space::param
                                                        : Space::generic;
    const bool parameter = space == Space::param;
    const Address a = address(operand(0), space);
    if (a.param_offset != kNone) fail("a kernel's parameters can't be written");
    if (space == Space::constant) fail("constant memory can't be written");
    auto refs = vector_values(operand(1), t, true, vec_);
    IrInst& inst = emit(Operation::store, t, {}, {a.base});
    for (Ref r : refs) inst.src[inst.src_count++] = r;
    inst.imm = a.offset;
    inst.sub2 = a.wide;
    inst.count = static_cast<u8>(vec_);
    set_memory(inst, memory_space(space), MemOp::store, type_bytes(t) * vec_);
    inst.key.from = type_bytes(t) == 8 ? Type::b64 : Type::b32;
    inst.strong = strong_access(inst.bypass_l1);
    if (parameter) inst.cost.count = 0;
    finish_ordering(inst);
    require(inst.key);
}

void Lowering::atomic() {
    const bool reduction = inst_->opcode == "red";
    static constexpr std::array<std::string_view, 10> kOperations{"add", "min",  "max", "and", "or",
                                                                  "xor", "exch", "cas", "inc", "dec"};
    Atomic op = Atomic::add;
    bool found = false;
    for (std::size_t k = 0; k < kOperations.size(); ++k)
        if (has(kOperations[k])) op = static_cast<Atomic>(k), found = true;
    if (!found) fail("'" + spelled() + "' does not name an operation");
    const Type t = type();
    const std::size_t first = reduction ? 0 : 1;
    need_operands(first + (op == Atomic::cas ? 3 : 2), first + (op == Atomic::cas ? 4 : 3));
    Space space = has("global")                         ? Space::global
                  : has("shared") || has("shared::cta") ? Space::shared
                                                        : Space::generic;
    const Address a = address(operand(first), space);
    std::vector<Ref> b(1, kNoRef), d(vec_, kNoRef);
    if (vec_ == 1)
        b[0] = value(first + 1, t);
    else
        b = vector_values(operand(first + 1), t, true, vec_);
    const Ref c = op == Atomic::cas ? value(first + 2, t) : kNoRef;
    if (!reduction && operand(0).kind != OperandKind::sink) {
        if (vec_ == 1)
            d[0] = destination(0, t);
        else
            d = vector_values(operand(0), t, false, vec_);
    }
    // Each element is an atomic operation of its own, as the manual has it.
    for (u32 k = 0; k < vec_; ++k) {
        Address at = a;
        at.offset += i64{k} * type_bytes(t);
        change_memory(op, t, memory_space(space), at, b[k], c, d[k]);
    }
}

/// An atomic operation with b and, if there is one, c. Without a place for the old value it is a reduction.
void Lowering::change_memory(Atomic op, Type t, MemSpace space, const Address& at, Ref b, Ref c, Ref old) {
    IrInst& inst = emit(Operation::atomic, t, {}, {at.base, b});
    if (c != kNoRef) inst.src[inst.src_count++] = c;
    if (old != kNoRef) inst.dst[inst.dst_count++] = old;
    inst.key.sub = inst.sub = static_cast<u8>(op);
    inst.imm = at.offset;
    inst.sub2 = at.wide;
    set_memory(inst, space, old == kNoRef ? MemOp::reduction : MemOp::atomic, type_bytes(t));
    inst.strong = true;
    inst.bypass_l1 = true;
    finish_ordering(inst);
    require(inst.key);
}

void Lowering::fence() {
    if (has("proxy") || has("mbarrier_init")) return nothing();
    IrInst& inst = emit(Operation::nothing, Type::none, {}, {});
    inst.effect = true;
    // Within a CTA order costs nothing; wider fences wait for the warp's stores.
    const bool wide =
        has("gl") || has("sys") || has("gpu") || has("cluster") || (inst_->opcode == "fence" && !has("cta"));
    inst.cost = {wide ? OpClass::fence : OpClass::other, 1, OpClass::other};
    inst.strong = true;
}

void Lowering::copy_async() {
    if (!has("async")) not_supported("only cp.async is supported");
    if (has("mbarrier")) return arrive_after_copies();
    if (has("commit_group") || has("wait_group") || has("wait_all")) {
        // The copy itself has happened when it was issued; the stream says which groups timing has to wait for.
        auto group = [&](AsyncRole role, u8 keep) {
            IrInst& inst = emit(Operation::nothing, Type::none, {}, {});
            inst.effect = true;
            inst.cost = {OpClass::other, 1, OpClass::other};
            inst.async_role = role;
            inst.async_keep = keep;
        };
        if (has("wait_group")) {
            need_operands(1, 1);
            const Operand& keep = operand(0);
            if (keep.kind != OperandKind::integer) fail("cp.async.wait_group takes a number");
            group(AsyncRole::wait, static_cast<u8>(std::min<u64>(static_cast<u64>(keep.value), 255)));
            return;
        }
        group(AsyncRole::commit, 0);
        if (has("wait_all")) group(AsyncRole::wait, 0);
        return;
    }
    need_operands(3, 4);
    Space to = Space::shared, from = Space::global;
    const Address d = address(operand(0), to), s = address(operand(1), from);
    const Operand& size = operand(2);
    if (size.kind != OperandKind::integer || (size.value != 4 && size.value != 8 && size.value != 16))
        fail("cp.async copies 4, 8 or 16 bytes");
    const Ref have = operand_count() == 4 ? value(3, Type::u32) : constant(size.value, Width::w32);
    IrInst& inst = emit(Operation::copy_async, Type::b64, {}, {s.base, d.base, have});
    inst.imm = s.offset;
    inst.index = static_cast<u32>(d.offset);
    inst.sub = static_cast<u8>(d.wide);
    inst.sub2 = static_cast<u8>(s.wide);
    inst.count = static_cast<u8>(size.value);
    set_memory(inst, MemSpace::global, MemOp::async_copy, static_cast<u32>(size.value));
    inst.bypass_l1 = has("cg");
    require(inst.key);
}

void Lowering::prefetch() {
    need_operands(1, 1);
    Space space = has("local") ? Space::local : Space::global;
    const Address a = address(operand(0), space);
    IrInst& inst = emit(Operation::prefetch, Type::b32, {}, {a.base});
    inst.imm = a.offset;
    inst.sub2 = a.wide;
    set_memory(inst, MemSpace::global, MemOp::prefetch, 1);
    inst.bypass_l1 = has("L2");
    require(inst.key);
}

void Lowering::nothing() {}
void Lowering::not_executed() {
    not_supported(inst_->opcode == "istypep" ? "type tests are not supported"
                                             : "matrix instructions are not supported");
}

}  // namespace heddle::ptx
