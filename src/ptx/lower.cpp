// Operands, values and the walk over a function. What opcodes mean is in lower_*.cpp.

#include "ptx/lower.h"

#include <algorithm>
#include <bit>

#include "sim/error.h"

namespace heddle::ptx {

using namespace ast;

Lowering::Lowering(const Unit& unit, const Function& function, std::vector<Unsupported>& unsupported)
    : unit_(unit), f_(function), unsupported_(unsupported), kernel_(function.is_entry) {}

void Lowering::fail(const std::string& message) const {
    throw InputError(unit_.place(inst_->line) + message);
}

std::string Lowering::spelled() const {
    std::string s(inst_->opcode);
    for (u32 k = 0; k < inst_->modifier_count; ++k)
        s += "." + std::string(unit_.modifiers[inst_->modifiers + k]);
    return s;
}

IrFunction Lowering::run() {
    out_.name = std::string(f_.name);
    out_.ast = &f_;
    for (const Register& r : f_.registers) {
        const Width width = r.type == Type::pred      ? Width::pred
                            : type_bytes(r.type) == 8 ? Width::w64
                                                      : Width::w32;
        out_.registers.push_back({width, type_bytes(r.type) == 2});
    }
    declare_variables();
    std::vector<u32> first(f_.insts.size() + 1);
    for (std::size_t k = 0; k < f_.insts.size(); ++k) {
        first[k] = static_cast<u32>(out_.insts.size());
        inst_ = &f_.insts[k];
        try {
            instruction(*inst_);
        } catch (const NotExecuted& e) {
            out_.insts.resize(first[k]);
            unsupported_.push_back({spelled() + ": " + e.why, out_.name, inst_->line});
            IrInst& trap = emit_control(Control::unsupported);
            trap.index = static_cast<u32>(unsupported_.size() - 1);
        }
    }
    // Running off the end of a function returns.
    Inst end;
    end.line = f_.end_line;
    end.opcode = "ret";
    inst_ = &end;
    first.back() = static_cast<u32>(out_.insts.size());
    emit_control(kernel_ ? Control::exit : Control::ret).cost = {kernel_ ? OpClass::exit : OpClass::branch, 1,
                                                                 OpClass::other};
    auto place_of = [&](u32 label) { return first[f_.labels.at(label)]; };
    for (IrInst& inst : out_.insts)
        if (inst.control == Control::branch || inst.control == Control::jump) {
            if (inst.sub == kToEnd)
                inst.index = first.back();
            else if (inst.sub == kToLabel)
                inst.index = place_of(inst.index);
        }
    for (auto& table : out_.tables)
        for (u32& target : table) target = place_of(target);
    return std::move(out_);
}

void Lowering::declare_variables() {
    variable_offset_.resize(f_.variables.size());
    std::vector<u32> scope_end(f_.scope_parents.size(), kNone);
    u32 param_bytes = 0, outer = 0;
    // Kernel parameters have their own space; everything else of a thread lies in its local memory. Blocks
    // that only hold a call's parameters reuse each other's room.
    auto end_of = [&](u32 scope) {
        while (scope_end[scope] == kNone && scope != 0) scope = f_.scope_parents[scope];
        return scope_end[scope] == kNone ? outer : scope_end[scope];
    };
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t k = 0; k < f_.variables.size(); ++k) {
            const Variable& v = f_.variables[k];
            const bool nested = v.scope != 0 && v.space == Space::param;
            if (nested != (pass == 1)) continue;
            auto place = [&](u32& end) {
                const u64 at = ceil_div(end, v.align) * v.align;
                if (at + v.bytes > (u64{1} << 30))
                    throw InputError(unit_.place(v.line) + "variables are too large");
                end = static_cast<u32>(at + v.bytes);
                return static_cast<u32>(at);
            };
            if (v.space == Space::shared) {
                if (v.bytes == 0) continue;
                variable_offset_[k] = place(out_.shared_bytes);
                out_.shared_align = std::max(out_.shared_align, v.align);
            } else if (kernel_ && k < f_.params.size()) {
                variable_offset_[k] = place(param_bytes);
            } else if (nested) {
                u32 end = end_of(v.scope);
                variable_offset_[k] = place(end);
                scope_end[v.scope] = end;
                out_.local_bytes = std::max(out_.local_bytes, end);
            } else {
                variable_offset_[k] = place(outer);
                out_.local_bytes = std::max(out_.local_bytes, outer);
            }
        }
    }
    out_.local_bytes = static_cast<u32>(ceil_div(out_.local_bytes, 16) * 16);
    if (kernel_) return;
    std::size_t k = 0;
    auto slots = [&](const std::vector<Variable>& list, const std::vector<u32>& registers,
                     std::vector<IrCall::Value>& out) {
        for (std::size_t p = 0; p < list.size(); ++p) {
            IrCall::Value v;
            v.bytes = static_cast<u32>(list[p].bytes);
            if (registers[p] != kNone)
                v.ref = make_ref(RefKind::reg, registers[p]);
            else
                v.local_offset = variable_offset_[k++];
            out.push_back(v);
        }
    };
    slots(f_.returns, f_.return_registers, out_.returns);
    slots(f_.params, f_.param_registers, out_.params);
}

void Lowering::instruction(const Inst& inst) {
    types_.clear();
    words_.clear();
    vec_ = 1;
    for (u32 k = 0; k < inst.modifier_count; ++k) {
        const std::string_view word = unit_.modifiers[inst.modifiers + k];
        if (const auto t = type_by_name(word))
            types_.push_back(*t);
        else if (word == "v2" || word == "v4" || word == "v8")
            vec_ = static_cast<u32>(word[1] - '0');
        else
            words_.push_back(word);
    }
    const OpcodeRow* row = find_opcode(inst.opcode);
    if (row == nullptr) not_supported("unknown opcode");
    check_modifiers(row->modifiers);
    (this->*row->lower)();
}

void Lowering::check_modifiers(std::string_view allowed) {
    if (allowed == "*") return;
    static constexpr std::string_view kSpaces = " global shared local const param ";
    for (std::string_view word : words_) {
        const std::string padded = " " + std::string(word) + " ";
        if (kSpaces.find(padded) != std::string_view::npos) continue;
        if ((" " + std::string(allowed) + " ").find(padded) == std::string::npos)
            not_supported("unknown modifier '." + std::string(word) + "'");
    }
}

bool Lowering::has(std::string_view word) const {
    return std::find(words_.begin(), words_.end(), word) != words_.end();
}

Type Lowering::type(std::size_t k) const {
    if (k >= types_.size()) fail("'" + spelled() + "' needs a type");
    return types_[k];
}

Round Lowering::rounding() const {
    if (has("rz") || has("rzi")) return Round::rz;
    if (has("rm") || has("rmi")) return Round::rm;
    if (has("rp") || has("rpi")) return Round::rp;
    if (has("rna")) return Round::rna;
    return Round::rn;
}

const Operand& Lowering::operand(std::size_t k) const {
    if (k >= inst_->operand_count) fail("'" + spelled() + "' needs more operands");
    return unit_.operands[inst_->operands + k];
}
const Operand& Lowering::element(const Operand& o, std::size_t k) const {
    return unit_.operands[o.first + k];
}

void Lowering::need_operands(std::size_t least, std::size_t most) {
    if (inst_->operand_count >= least && inst_->operand_count <= most) return;
    const std::string range =
        least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
    fail("'" + spelled() + "' needs " + range + " operands, not " + std::to_string(inst_->operand_count));
}

Width Lowering::width_of(Type t) {
    return t == Type::pred ? Width::pred : type_bytes(t) == 8 ? Width::w64 : Width::w32;
}
Width Lowering::width_of(Ref r) const {
    switch (ref_kind(r)) {
        case RefKind::reg:
            return out_.registers[ref_index(r)].width;
        case RefKind::constant:
            return out_.constants[ref_index(r)].width;
        default:
            return out_.launch_values[ref_index(r)].wide ? Width::w64 : Width::w32;
    }
}

Ref Lowering::new_register(Width width, bool half) {
    out_.registers.push_back({width, half});
    return make_ref(RefKind::reg, static_cast<u32>(out_.registers.size() - 1));
}

Ref Lowering::add_constant(const Constant& c) {
    const auto [at, added] =
        constants_.emplace(c, make_ref(RefKind::constant, static_cast<u32>(out_.constants.size())));
    if (added) out_.constants.push_back(c);
    return at->second;
}
Ref Lowering::constant(u64 v, Width width) {
    Constant c;
    c.width = width;
    c.value = width == Width::w64 ? v : width == Width::pred ? (v != 0 ? 0xffffffffu : 0) : v & 0xffffffff;
    return add_constant(c);
}
Ref Lowering::launch_value(const LaunchValue& v) {
    for (std::size_t k = 0; k < out_.launch_values.size(); ++k) {
        const LaunchValue& o = out_.launch_values[k];
        if (o.kind == v.kind && o.wide == v.wide && o.special == v.special && o.offset == v.offset &&
            o.type == v.type && o.half == v.half)
            return make_ref(RefKind::launch, static_cast<u32>(k));
    }
    out_.launch_values.push_back(v);
    return make_ref(RefKind::launch, static_cast<u32>(out_.launch_values.size() - 1));
}

IrInst& Lowering::emit_control(Control control) {
    IrInst& inst = out_.insts.emplace_back();
    inst.control = control;
    inst.line = inst_->line;
    inst.effect = true;
    if (inst_->guard != kNone) {
        inst.guard = make_ref(RefKind::reg, inst_->guard);
        inst.guard_negated = inst_->guard_negated;
    }
    return inst;
}

IrInst& Lowering::emit(Operation op, Type t, std::initializer_list<Ref> dst, std::initializer_list<Ref> src) {
    IrInst& inst = emit_control(Control::none);
    inst.effect = false;
    inst.key.op = op;
    inst.key.type = t;
    for (Ref r : dst) inst.dst[inst.dst_count++] = r;
    for (Ref r : src) inst.src[inst.src_count++] = r;
    return inst;
}

void Lowering::require(const HandlerKey& key) {
    if (find_handler(key) == nullptr) not_supported("no such operation on these types");
}

namespace {

bool agree(Type want, Type have) {
    if (want == Type::pred || have == Type::pred) return want == have;
    if (type_bytes(want) != type_bytes(have)) return false;
    return is_bits(want) || is_bits(have) || is_float(want) == is_float(have) || type_bytes(want) == 2;
}

u64 float_bits(const Operand& o, Type t) {
    double d = 0;
    if (o.kind == OperandKind::f64_bits)
        d = std::bit_cast<double>(o.value);
    else
        d = static_cast<double>(std::bit_cast<float>(static_cast<u32>(o.value)));
    return t == Type::f64 ? std::bit_cast<u64>(d) : std::bit_cast<u32>(static_cast<float>(d));
}

}  // namespace

Ref Lowering::value(const Operand& o, Type t, bool relaxed) {
    const Width width = width_of(t);
    switch (o.kind) {
        case OperandKind::reg: {
            const Register& r = f_.registers[o.id];
            if (o.negated) fail("'!' before register '" + std::string(r.name) + "' is not allowed here");
            const bool wider = type_bytes(r.type) >= type_bytes(t) && r.type != Type::pred && t != Type::pred;
            if (!agree(t, r.type) && !(relaxed && wider))
                fail("register '" + std::string(r.name) + "' is ." + std::string(type_name(r.type)) + "; '" +
                     spelled() + "' needs ." + std::string(type_name(t)));
            const Ref ref = make_ref(RefKind::reg, o.id);
            return width_of(ref) == width ? ref : resized(ref, t);
        }
        case OperandKind::integer:
            if (is_float(t) && type_bytes(t) >= 4 && t != Type::f16x2 && t != Type::bf16x2) {
                // 0 stands for zero in hand-written PTX.
                if (o.value != 0) fail("integer constant where ." + std::string(type_name(t)) + " is needed");
            }
            return constant(type_bytes(t) == 2   ? o.value & 0xffff
                            : type_bytes(t) == 1 ? o.value & 0xff
                                                 : o.value,
                            width);
        case OperandKind::f32_bits:
        case OperandKind::f64_bits:
            if (t == Type::f32 || t == Type::f64) return constant(float_bits(o, t), width);
            if (is_bits(t) || is_integer(t)) return constant(o.value, width);
            fail("floating constant where ." + std::string(type_name(t)) + " is needed");
        case OperandKind::symbol:
            return symbol(o, width);
        case OperandKind::special:
            return special(o, width);
        default:
            fail("'" + spelled() + "' has an operand of the wrong kind");
    }
}

/// The low bits of a wider register.
Ref Lowering::resized(Ref r, Type t) {
    const Ref narrow = new_register(width_of(t));
    IrInst& inst = emit(Operation::cvt, width_of(t) == Width::w64 ? Type::u64 : Type::u32, {narrow}, {r});
    inst.key.from = width_of(r) == Width::w64 ? Type::u64 : Type::u32;
    inst.cost.count = 0;
    return narrow;
}

Ref Lowering::destination(const Operand& o, Type t, bool relaxed) {
    if (o.kind == OperandKind::sink) return new_register(width_of(t));
    if (o.kind != OperandKind::reg || o.negated) fail("'" + spelled() + "' needs a register to write to");
    const Register& r = f_.registers[o.id];
    const bool wider = type_bytes(r.type) >= type_bytes(t) && r.type != Type::pred && t != Type::pred;
    if (!agree(t, r.type) && !(relaxed && wider))
        fail("register '" + std::string(r.name) + "' is ." + std::string(type_name(r.type)) + "; '" +
             spelled() + "' writes ." + std::string(type_name(t)));
    return make_ref(RefKind::reg, o.id);
}

Ref Lowering::predicate(const Operand& o, bool& negated) {
    negated = false;
    if (o.kind == OperandKind::integer) return constant(o.value, Width::pred);
    if (o.kind != OperandKind::reg || f_.registers[o.id].type != Type::pred)
        fail("'" + spelled() + "' needs a predicate register");
    negated = o.negated;
    return make_ref(RefKind::reg, o.id);
}

Ref Lowering::positive_predicate(const Operand& o) {
    bool negated = false;
    const Ref p = predicate(o, negated);
    if (!negated) return p;
    const Ref q = new_register(Width::pred);
    emit(Operation::pred_not, Type::pred, {q}, {p}).cost.count = 0;
    return q;
}

Ref Lowering::local_address(u32 offset, Width width) {
    if (kernel_) return constant(offset, width);
    const Ref r = new_register(width);
    IrInst& inst = emit(Operation::local_address, width == Width::w64 ? Type::b64 : Type::b32, {r}, {});
    inst.imm = offset;
    inst.cost.count = 0;
    return r;
}

/// A name's address in its own space.
Ref Lowering::symbol(const Operand& o, Width width) {
    Constant c;
    c.width = width;
    c.value = static_cast<u64>(o.offset);
    const Variable* v = nullptr;
    if (o.value != 0) {
        const u32 k = static_cast<u32>(o.value - 1);
        v = &f_.variables[k];
        const u32 offset = variable_offset_[k];
        if (v->space != Space::shared) {
            if (kernel_ && k < f_.params.size()) return constant(offset + c.value, width);
            return local_address(offset + static_cast<u32>(o.offset), width);
        }
        if (v->bytes != 0) {
            c.kind = Constant::Kind::own_shared;
            c.value += offset;
            return add_constant(c);
        }
    } else if (const auto at = unit_.variable_ids.find(o.id); at != unit_.variable_ids.end()) {
        v = &unit_.variables[at->second];
        // A .texref's "address" is what tex takes in its place (clang writes it so).
        if (v->type == Type::samplerref || v->type == Type::surfref)
            not_supported("the address of a ." + std::string(type_name(v->type)));
    } else if (unit_.function_ids.contains(o.id) || unit_.aliases.contains(o.id)) {
        c.kind = Constant::Kind::function;
        c.name = unit_.aliases.contains(o.id) ? unit_.aliases.at(o.id) : o.id;
        return add_constant(c);
    } else {
        fail("'" + std::string(name(o.id)) + "' is not a variable or function");
    }
    if (v->space == Space::shared && v->bytes == 0) {
        LaunchValue l;
        l.kind = LaunchValue::Kind::dynamic_shared;
        l.wide = width == Width::w64;
        out_.uses_dynamic_shared = true;
        const Ref base = launch_value(l);
        if (o.offset == 0) return base;
        const Ref r = new_register(width);
        emit(Operation::add, width == Width::w64 ? Type::u64 : Type::u32, {r},
             {base, constant(c.value, width)})
            .cost.count = 0;
        return r;
    }
    c.kind = Constant::Kind::variable;
    c.name = o.id;
    return add_constant(c);
}

Ref Lowering::special(const Operand& o, Width width) {
    const Special s = static_cast<Special>(o.id);
    switch (s) {
        case Special::ntid_x:
        case Special::ntid_y:
        case Special::ntid_z:
        case Special::nctaid_x:
        case Special::nctaid_y:
        case Special::nctaid_z:
        case Special::nwarpid:
        case Special::nsmid:
        case Special::gridid:
        case Special::total_smem_size:
        case Special::aggr_smem_size:
        case Special::dynamic_smem_size:
        case Special::envreg: {
            LaunchValue l;
            l.offset = static_cast<u32>(o.value);
            l.kind = LaunchValue::Kind::special;
            l.special = s;
            l.wide = width == Width::w64;
            return launch_value(l);
        }
        // Without clusters a CTA is a cluster of its own.
        case Special::is_explicit_cluster:
        case Special::cluster_ctaid_x:
        case Special::cluster_ctaid_y:
        case Special::cluster_ctaid_z:
        case Special::cluster_ctarank:
        case Special::reserved_smem_offset:
            return constant(0, width);
        case Special::cluster_nctaid_x:
        case Special::cluster_nctaid_y:
        case Special::cluster_nctaid_z:
        case Special::cluster_nctarank:
            return constant(1, width);
        default:
            break;
    }
    const Ref r = new_register(width);
    IrInst& inst = emit(Operation::special, width == Width::w64 ? Type::b64 : Type::b32, {r}, {});
    inst.sub = static_cast<u8>(s);
    inst.sub2 = width == Width::w64;
    if (s == Special::clock || s == Special::clock_hi || s == Special::clock64 || s == Special::globaltimer ||
        s == Special::globaltimer_lo || s == Special::globaltimer_hi)
        inst.effect = true;
    return r;
}

}  // namespace heddle::ptx
