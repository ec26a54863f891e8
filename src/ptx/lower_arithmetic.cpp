// Arithmetic and logic.

#include <algorithm>
#include <array>

#include "ptx/lower.h"

namespace heddle::ptx {

using namespace ast;

void Lowering::integer_binary() {  // sad
    need_operands(4, 4);
    const Type t = type();
    emit(Operation::sad, t, {destination(0, t)}, {value(1, t), value(2, t), value(3, t)});
    require(out_.insts.back().key);
}

void Lowering::add_sub() {
    need_operands(3, 3);
    const Type t = type();
    const bool subtract = inst_->opcode == "sub";
    if (has("cc")) return extended();
    Operation op = subtract ? Operation::sub : Operation::add;
    if (has("sat") && t == Type::s32) op = subtract ? Operation::sub_sat : Operation::add_sat;
    IrInst& inst = emit(op, t, {destination(0, t)}, {value(1, t), value(2, t)});
    inst.key.round = rounding();
    inst.key.ftz = has("ftz");
    inst.key.sat = has("sat");
    if (is_bits(t)) not_supported("no such operation on these types");
    require(inst.key);
}

void Lowering::mul() {
    need_operands(3, 3);
    const Type t = type();
    const bool low24 = inst_->opcode == "mul24";
    Operation op = Operation::mul_lo;
    if (!is_float(t)) {
        if (!has("lo") && !has("hi") && !has("wide")) fail("'" + spelled() + "' needs .lo, .hi or .wide");
        op = low24         ? (has("hi") ? Operation::mul24_hi : Operation::mul24_lo)
             : has("hi")   ? Operation::mul_hi
             : has("wide") ? Operation::mul_wide
                           : Operation::mul_lo;
    }
    Type d = t;
    if (op == Operation::mul_wide)
        d = t == Type::u16 ? Type::u32 : t == Type::s16 ? Type::s32 : t == Type::u32 ? Type::u64 : Type::s64;
    IrInst& inst = emit(op, t, {destination(0, d)}, {value(1, t), value(2, t)});
    inst.key.round = rounding();
    inst.key.ftz = has("ftz");
    inst.key.sat = has("sat");
    require(inst.key);
}

void Lowering::mad() {
    need_operands(4, 4);
    const Type t = type();
    if (has("cc")) return extended();
    if (is_float(t)) return fma();
    const bool low24 = inst_->opcode == "mad24";
    const bool wide = has("wide"), high = has("hi");
    if (!wide && !high && !has("lo")) fail("'" + spelled() + "' needs .lo, .hi or .wide");
    const Operation op = low24  ? (high ? Operation::mad24_hi : Operation::mad24_lo)
                         : wide ? Operation::mad_wide
                         : high ? (has("sat") ? Operation::mad_hi_sat : Operation::mad_hi)
                                : Operation::mad_lo;
    Type d = t;
    if (wide)
        d = t == Type::u16 ? Type::u32 : t == Type::s16 ? Type::s32 : t == Type::u32 ? Type::u64 : Type::s64;
    emit(op, t, {destination(0, d)}, {value(1, t), value(2, t), value(3, d)});
    require(out_.insts.back().key);
}

void Lowering::fma() {
    need_operands(4, 4);
    const Type t = type();
    IrInst& inst = emit(Operation::fma, t, {destination(0, t)}, {value(1, t), value(2, t), value(3, t)});
    inst.key.round = rounding();
    inst.key.ftz = has("ftz");
    inst.key.sat = has("sat");
    inst.key.relu = has("relu");
    require(inst.key);
}

void Lowering::div_rem() {
    need_operands(3, 3);
    const Type t = type();
    const bool rem = inst_->opcode == "rem";
    if (rem && is_float(t)) not_supported("no such operation on these types");
    IrInst& inst =
        emit(rem ? Operation::rem : Operation::div, t, {destination(0, t)}, {value(1, t), value(2, t)});
    inst.key.round = rounding();
    inst.key.ftz = has("ftz");
    inst.key.approx = has("approx") || has("full");
    inst.key.sub = has("approx");
    require(inst.key);
}

void Lowering::min_max() {
    const Type t = type();
    const bool max = inst_->opcode == "max";
    Operation op = max ? Operation::max : Operation::min;
    if (has("xorsign"))
        op = max ? Operation::max_xorsign : Operation::min_xorsign;
    else if (has("NaN"))
        op = max ? Operation::max_nan : Operation::min_nan;
    need_operands(3, 3);
    if (has("relu")) not_supported(".relu");
    IrInst& inst = emit(op, t, {destination(0, t)}, {value(1, t), value(2, t)});
    inst.key.ftz = has("ftz");
    require(inst.key);
}

void Lowering::abs_neg() {
    need_operands(2, 2);
    const Type t = type();
    IrInst& inst =
        emit(inst_->opcode == "abs" ? Operation::abs : Operation::neg, t, {destination(0, t)}, {value(1, t)});
    inst.key.ftz = has("ftz");
    require(inst.key);
}

void Lowering::unary() {
    need_operands(2, 2);
    const Type t = type();
    if (t == Type::pred) {
        emit(Operation::pred_not, t, {destination(0, t)}, {positive_predicate(operand(1))}).cost.count = 0;
        return;
    }
    emit(inst_->opcode == "not" ? Operation::not_ : Operation::cnot, t, {destination(0, t)}, {value(1, t)});
    require(out_.insts.back().key);
}

void Lowering::bits_binary() {
    need_operands(3, 3);
    const Type t = type();
    const bool conjunction = inst_->opcode == "and", either = inst_->opcode == "or";
    if (t == Type::pred) {
        bool na = false, nb = false;
        const Ref a = predicate(operand(1), na), b = predicate(operand(2), nb);
        IrInst& inst = emit(conjunction ? Operation::pred_and
                            : either    ? Operation::pred_or
                                        : Operation::pred_xor,
                            t, {destination(0, t)}, {a, b});
        inst.sub = static_cast<u8>(u32{na} | u32{nb} << 1);
        inst.cost.count = 0;  // a comparison takes a predicate to combine with
        return;
    }
    if (!is_bits(t)) not_supported("no such operation on these types");
    emit(conjunction ? Operation::and_
         : either    ? Operation::or_
                     : Operation::xor_,
         t, {destination(0, t)}, {value(1, t), value(2, t)});
    require(out_.insts.back().key);
}

void Lowering::shift() {
    need_operands(3, 3);
    const Type t = type();
    emit(inst_->opcode == "shl" ? Operation::shl : Operation::shr, t, {destination(0, t)},
         {value(1, t), value(2, Type::u32)});
    require(out_.insts.back().key);
}

void Lowering::funnel_shift() {
    need_operands(4, 4);
    const bool left = has("l"), wrap = has("wrap");
    if (left == has("r")) fail("'" + spelled() + "' needs .l or .r");
    const Operation op = left ? (wrap ? Operation::shf_l_wrap : Operation::shf_l_clamp)
                              : (wrap ? Operation::shf_r_wrap : Operation::shf_r_clamp);
    const Type t = type();
    emit(op, t, {destination(0, t)}, {value(1, t), value(2, t), value(3, Type::u32)});
    require(out_.insts.back().key);
}

void Lowering::count_bits() {
    need_operands(2, 2);
    const Type t = type();
    const std::string_view o = inst_->opcode;
    const Operation op = o == "popc"       ? Operation::popc
                         : o == "clz"      ? Operation::clz
                         : o == "brev"     ? Operation::brev
                         : has("shiftamt") ? Operation::bfind_shift
                                           : Operation::bfind;
    emit(op, t, {destination(operand(0), op == Operation::brev ? t : Type::u32)}, {value(1, t)});
    require(out_.insts.back().key);
}

void Lowering::bit_field() {
    const std::string_view o = inst_->opcode;
    const Type t = type();
    if (o == "bfe") {
        need_operands(4, 4);
        emit(Operation::bfe, t, {destination(0, t)}, {value(1, t), value(2, Type::u32), value(3, Type::u32)});
    } else if (o == "bfi") {
        need_operands(5, 5);
        emit(Operation::bfi, t, {destination(0, t)},
             {value(1, t), value(2, t), value(3, Type::u32), value(4, Type::u32)});
    } else if (o == "fns") {
        need_operands(4, 4);
        emit(Operation::fns, t, {destination(0, t)},
             {value(1, Type::b32), value(2, Type::b32), value(3, Type::s32)});
    } else if (o == "bmsk") {
        need_operands(3, 3);
        emit(has("wrap") ? Operation::bmsk_wrap : Operation::bmsk_clamp, t, {destination(0, t)},
             {value(1, Type::u32), value(2, Type::u32)});
    } else {
        need_operands(3, 3);
        emit(has("wrap") ? Operation::szext_wrap : Operation::szext_clamp, t, {destination(0, t)},
             {value(1, t), value(2, Type::u32)});
    }
    require(out_.insts.back().key);
}

void Lowering::lop3() {
    need_operands(5, 5);
    const Operand& lut = operand(4);
    if (lut.kind != OperandKind::integer || lut.value > 255) fail("lop3's table is a constant from 0 to 255");
    IrInst& inst = emit(Operation::lop3, Type::b32, {destination(0, Type::b32)},
                        {value(1, Type::b32), value(2, Type::b32), value(3, Type::b32)});
    inst.imm = static_cast<i64>(lut.value);
    require(inst.key);
}

void Lowering::prmt() {
    need_operands(4, 4);
    IrInst& inst = emit(Operation::prmt, Type::b32, {destination(0, Type::b32)},
                        {value(1, Type::b32), value(2, Type::b32), value(3, Type::b32)});
    static constexpr std::array<std::string_view, 6> kModes{"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    for (std::size_t m = 0; m < kModes.size(); ++m)
        if (has(kModes[m])) inst.imm = static_cast<i64>(m + 1);
    require(inst.key);
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc: the carry flag is one predicate a function.
void Lowering::extended() {
    if (carry_ == kNoRef) carry_ = new_register(Width::pred);
    const Type t = type();
    const std::string_view o = inst_->opcode;
    const bool in = o == "addc" || o == "subc" || o == "madc";
    const bool multiply = o == "mad" || o == "madc";
    if (multiply) {
        need_operands(4, 4);
        const Operation op = in ? (has("hi") ? Operation::madc_hi : Operation::madc_lo)
                                : (has("hi") ? Operation::mad_hi_cc : Operation::mad_lo_cc);
        emit(op, t, {destination(0, t)}, {value(1, t), value(2, t), value(3, t)});
    } else {
        need_operands(3, 3);
        const bool subtract = o == "sub" || o == "subc";
        const Operation op = subtract ? (in ? Operation::subc : Operation::sub_cc)
                                      : (in ? Operation::addc : Operation::add_cc);
        emit(op, t, {destination(0, t)}, {value(1, t), value(2, t)});
    }
    IrInst& inst = out_.insts.back();
    require(inst.key);
    inst.src[3] = carry_;  // in (and out) in the fourth place, whatever stands before it
    inst.src_count = 4;
    if (has("cc")) {
        inst.dst[inst.dst_count++] = carry_;
        inst.sub = 1;
    }
}

void Lowering::dot_product() {
    need_operands(4, 4);
    const Type a = type(0), b = type(1);
    const Operation op = inst_->opcode == "dp4a" ? Operation::dp4a
                         : has("hi")             ? Operation::dp2a_hi
                                                 : Operation::dp2a_lo;
    IrInst& inst = emit(op, a, {destination(0, Type::b32)}, {value(1, a), value(2, b), value(3, Type::b32)});
    inst.key.from = b;
    require(inst.key);
}

/// vadd2, vadd4 and their kin: NAME2.dtype.atype.btype; comparisons are NAME2.atype.btype.cmp.
void Lowering::video() {
    need_operands(4, 4);
    constexpr std::array names{"vadd", "vsub", "vabsdiff", "vavrg", "vmin", "vmax", "vset"};
    constexpr std::array comparisons{"eq", "ne", "lt", "le", "gt", "ge"};
    const std::string_view opcode = inst_->opcode, name = opcode.substr(0, opcode.size() - 1);
    const bool quads = opcode.back() == '4', set = name == "vset";
    const Type of = type(set ? 0 : 1);
    if (type_count() != (set ? 2 : 3) || type(set ? 1 : 2) != of)
        not_supported("operands of different types");
    const Type part = of == Type::s32 ? (quads ? Type::s8 : Type::s16) : (quads ? Type::u8 : Type::u16);
    IrInst& inst = emit(Operation::video, part, {destination(0, Type::b32)},
                        {value(1, Type::b32), value(2, Type::b32), value(3, Type::b32)});
    inst.sub = static_cast<u8>(std::find(names.begin(), names.end(), name) - names.begin());
    for (std::size_t k = 0; set && k < comparisons.size(); ++k)
        if (has(comparisons[k])) inst.sub |= static_cast<u8>(k << 4);
    inst.sub2 = static_cast<u8>((has("add") ? kVideoSum : 0) | (has("sat") ? kVideoSaturated : 0) |
                                (!set && type(0) == Type::s32 ? kVideoSigned : 0));
    require(inst.key);
}

void Lowering::special_function() {
    need_operands(2, 2);
    const Type t = type();
    const std::string_view o = inst_->opcode;
    Operation op = o == "rcp"     ? Operation::rcp
                   : o == "sqrt"  ? Operation::sqrt
                   : o == "rsqrt" ? Operation::rsqrt
                   : o == "sin"   ? Operation::sin
                   : o == "cos"   ? Operation::cos
                   : o == "lg2"   ? Operation::lg2
                   : o == "ex2"   ? Operation::ex2
                                  : Operation::tanh;
    if (t == Type::f64 && has("approx") && has("ftz"))
        op = op == Operation::rcp     ? Operation::rcp_approx_ftz_high
             : op == Operation::rsqrt ? Operation::rsqrt_approx_ftz_high
                                      : Operation::count_;
    IrInst& inst = emit(op, t, {destination(0, t)}, {value(1, t)});
    inst.key.round = rounding();
    inst.key.ftz = has("ftz");
    inst.key.approx = has("approx");
    require(inst.key);
}

void Lowering::copysign() {
    need_operands(3, 3);
    const Type t = type();
    emit(Operation::copysign, t, {destination(0, t)}, {value(1, t), value(2, t)});
    require(out_.insts.back().key);
}

void Lowering::testp() {
    need_operands(2, 2);
    const Type t = type();
    IrInst& inst = emit(Operation::testp, t, {destination(0, Type::pred)}, {value(1, t)});
    static constexpr std::array<std::string_view, 6> kProperties{"finite",     "infinite", "number",
                                                                 "notanumber", "normal",   "subnormal"};
    for (std::size_t p = 0; p < kProperties.size(); ++p)
        if (has(kProperties[p])) inst.sub = static_cast<u8>(p);
    require(inst.key);
}

}  // namespace heddle::ptx
