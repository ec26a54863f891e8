// Comparison, selection, conversion.

#include <array>

#include "ptx/lower.h"

namespace heddle::ptx {

using namespace ast;

namespace {

struct CompareRow {
    std::string_view name;
    Compare compare;
};
constexpr std::array kCompares{
    CompareRow{"eq", Compare::eq},   CompareRow{"ne", Compare::ne},   CompareRow{"lt", Compare::lt},
    CompareRow{"le", Compare::le},   CompareRow{"gt", Compare::gt},   CompareRow{"ge", Compare::ge},
    CompareRow{"lo", Compare::lt},   CompareRow{"ls", Compare::le},   CompareRow{"hi", Compare::gt},
    CompareRow{"hs", Compare::ge},   CompareRow{"equ", Compare::equ}, CompareRow{"neu", Compare::neu},
    CompareRow{"ltu", Compare::ltu}, CompareRow{"leu", Compare::leu}, CompareRow{"gtu", Compare::gtu},
    CompareRow{"geu", Compare::geu}, CompareRow{"num", Compare::num}, CompareRow{"nan", Compare::nan},
};

bool is_packed(Type t) {
    return t == Type::f16x2 || t == Type::bf16x2;
}
Type element_of(Type packed) {
    return packed == Type::f16x2 ? Type::f16 : Type::bf16;
}

}  // namespace

/// Comparisons of the lower and the upper halves of a and b, each combined with c.
std::array<Ref, 2> Lowering::packed_compare(Compare how, Type t, Ref a, Ref b, Ref c, bool negated) {
    std::array<Ref, 2> out{};
    for (u32 half = 0; half < 2; ++half) {
        auto of = [&](Ref r) {
            return half == 0 ? computed(Operation::and_, r, constant(0xffff, Width::w32))
                             : computed(Operation::shr, r, constant(16, Width::w32));
        };
        const Ref x = of(a), y = of(b), p = new_register(Width::pred);
        compare_into(p, how, element_of(t), x, y);
        out[half] = new_register(Width::pred);
        combine_into(out[half], p, false, c, negated);
    }
    return out;
}

/// p or its inverse, combined with c, if there is one, by .and, .or or .xor.
void Lowering::combine_into(Ref to, Ref p, bool inverse, Ref c, bool negated) {
    if (c == kNoRef) {
        IrInst& inst = emit(Operation::pred_mov, Type::pred, {to}, {p});
        inst.sub = inverse;
        inst.cost.count = 0;
        return;
    }
    if (!has("and") && !has("or") && !has("xor")) fail("'" + spelled() + "' needs .and, .or or .xor");
    IrInst& inst = emit(has("or")    ? Operation::pred_or
                        : has("xor") ? Operation::pred_xor
                                     : Operation::pred_and,
                        Type::pred, {to}, {p, c});
    inst.sub = static_cast<u8>(u32{inverse} | u32{negated} << 1);
    inst.cost.count = 0;
}

void Lowering::compare_into(Ref dst, Compare c, Type t, Ref a, Ref b) {
    IrInst& inst = emit(Operation::setp, t, {dst}, {a, b});
    inst.key.sub = static_cast<u8>(c);
    inst.key.ftz = has("ftz");
    require(inst.key);
}

/// setp.CMP{.BOOL}{.ftz}.type p{|q}, a, b{, {!}c};
void Lowering::setp() {
    need_operands(3, 4);
    const Type t = type();
    const CompareRow* row = nullptr;
    for (const CompareRow& r : kCompares)
        if (!words_.empty() && words_[0] == r.name) row = &r;
    if (row == nullptr) fail("'" + spelled() + "' does not name a comparison");
    // .lo, .ls, .hi, .hs compare as unsigned, whatever the type.
    const bool by_bits = row->name == "lo" || row->name == "ls" || row->name == "hi" || row->name == "hs";
    const Type compared = by_bits ? (type_bytes(t) == 8   ? Type::u64
                                     : type_bytes(t) == 2 ? Type::u16
                                                          : Type::u32)
                                  : t;
    const Operand& d = operand(0);
    const Operand& p = d.kind == OperandKind::pair ? element(d, 0) : d;
    const Ref a = value(1, t), b = value(2, t);
    const bool combine = operand_count() == 4;
    if (!combine && d.kind != OperandKind::pair && !is_packed(t))
        return compare_into(destination(p, Type::pred), row->compare, compared, a, b);
    bool negated = false;
    const Ref c = combine ? predicate(operand(3), negated) : kNoRef;
    if (is_packed(t)) {  // of the halves, where others give a predicate and its opposite
        const std::array<Ref, 2> both = packed_compare(row->compare, t, a, b, c, negated);
        for (u32 half = 0; half < 2; ++half) {
            const Operand& to = d.kind == OperandKind::pair ? element(d, half) : d;
            if (to.kind == OperandKind::sink || (half == 1 && d.kind != OperandKind::pair)) continue;
            emit(Operation::pred_mov, Type::pred, {destination(to, Type::pred)}, {both[half]}).cost.count = 0;
        }
        return;
    }
    const Ref result = new_register(Width::pred);
    compare_into(result, row->compare, compared, a, b);
    // q is written first: c may be p.
    const Ref pt = destination(p, Type::pred);
    const Ref kept = new_register(Width::pred);
    combine_into(kept, result, false, c, negated);
    if (d.kind == OperandKind::pair && element(d, 1).kind != OperandKind::sink)
        combine_into(destination(element(d, 1), Type::pred), result, true, c, negated);
    emit(Operation::pred_mov, Type::pred, {pt}, {kept}).cost.count = 0;
}

/// set.CMP{.BOOL}.dtype.stype: all ones or 1.0 where true.
void Lowering::set() {
    need_operands(3, 4);
    const Type d = type(0), s = type(1);
    const CompareRow* row = nullptr;
    for (const CompareRow& r : kCompares)
        if (!words_.empty() && words_[0] == r.name) row = &r;
    if (row == nullptr) fail("'" + spelled() + "' does not name a comparison");
    bool negated = false;
    const Ref c = operand_count() == 4 ? predicate(operand(3), negated) : kNoRef;
    const Ref no = constant(0, Width::w32);
    const u32 one = d == Type::f32                         ? 0x3f800000
                    : d == Type::f16 || d == Type::f16x2   ? 0x3c00
                    : d == Type::bf16 || d == Type::bf16x2 ? 0x3f80
                    : type_bytes(d) == 2                   ? 0xffff
                                                           : 0xffffffff;
    if (is_packed(s)) {
        if (type_bytes(d) != 4 || d == Type::f32) not_supported("packed comparison");
        const auto p = packed_compare(row->compare, s, value(1, s), value(2, s), c, negated);
        std::array<Ref, 2> parts{};
        for (u32 half = 0; half < 2; ++half) {
            parts[half] = new_register(Width::w32);
            emit(Operation::select, Type::b32, {parts[half]},
                 {constant((one & 0xffff) << (16 * half), Width::w32), no, p[half]});
            require(out_.insts.back().key);
        }
        emit(Operation::or_, Type::b32, {destination(0, d)}, {parts[0], parts[1]});
        return require(out_.insts.back().key);
    }
    if (type_bytes(d) > 4 || is_packed(d)) not_supported("comparison into this type");
    Ref p = new_register(Width::pred);
    compare_into(p, row->compare, s, value(1, s), value(2, s));
    if (c != kNoRef) {
        const Ref q = new_register(Width::pred);
        combine_into(q, p, false, c, negated);
        p = q;
    }
    emit(Operation::select, type_bytes(d) == 2 ? Type::b16 : d, {destination(0, d)},
         {constant(one, Width::w32), no, p});
}

void Lowering::selp() {
    need_operands(4, 4);
    const Type t = type();
    bool negated = false;
    const Ref a = value(1, t), b = value(2, t), p = predicate(operand(3), negated);
    IrInst& inst = emit(Operation::select, t, {destination(0, t)}, {a, b, p});
    inst.sub = negated;
}

void Lowering::slct() {
    need_operands(4, 4);
    const Type d = type(0), c = type(1);
    const Ref p = new_register(Width::pred);
    compare_into(p, Compare::ge, c, value(3, c), constant(0, Width::w32));
    emit(Operation::select, d, {destination(0, d)}, {value(1, d), value(2, d), p});
}

void Lowering::cvt() {
    const Type d = type(0), s = type(1);
    if (has("satfinite")) not_supported(".satfinite");
    if (d == Type::f16x2 || d == Type::bf16x2) {
        need_operands(3, 3);
        IrInst& inst = emit(Operation::cvt, d, {destination(0, Type::b32)}, {value(1, s), value(2, s)});
        inst.key.from = s;
        inst.key.round = rounding();
        inst.key.relu = has("relu");
        require(inst.key);
        return;
    }
    need_operands(2, 2);
    const Ref to = destination(operand(0), d, true);
    const Ref from = value(operand(1), s, true);
    HandlerKey key;
    key.op = Operation::cvt;
    key.type = d;
    key.from = s;
    key.round = rounding();
    key.ftz = has("ftz");
    key.sat = has("sat");
    key.relu = has("relu");
    key.to_integer = has("rni") || has("rzi") || has("rmi") || has("rpi");
    if (is_float(d) && d == s && (has("rn") || has("rz"))) key.to_integer = false;
    if (!is_float(d) && is_float(s) && !key.to_integer)
        fail("'" + spelled() + "' needs .rni, .rzi, .rmi or .rpi");
    auto bits = [](Type t) -> Type {  // bit types convert as unsigned
        switch (t) {
            case Type::b8:
                return Type::u8;
            case Type::b16:
                return Type::u16;
            case Type::b32:
                return Type::u32;
            case Type::b64:
                return Type::u64;
            default:
                return t;
        }
    };
    key.type = bits(d);
    key.from = bits(s);
    require(key);
    // A register wider than the type holds the value extended by its sign.
    const Width held = width_of(to);
    const bool half = is_reg(to) && out_.registers[ref_index(to)].half;
    const u32 held_bytes = held == Width::w64 ? 8 : half ? 2 : 4;
    if (held_bytes > type_bytes(d) && !is_float(d)) {
        const Ref narrow = new_register(Width::w32);
        IrInst& inst = emit(Operation::cvt, key.type, {narrow}, {from});
        inst.key = key;
        const bool sign = is_signed(d);
        const Type full = held_bytes == 8   ? (sign ? Type::s64 : Type::u64)
                          : held_bytes == 2 ? (sign ? Type::s16 : Type::u16)
                                            : (sign ? Type::s32 : Type::u32);
        IrInst& extend = emit(Operation::cvt, full, {to}, {narrow});
        extend.key.from = key.type;
        extend.cost.count = 0;
        return;
    }
    IrInst& inst = emit(Operation::cvt, key.type, {to}, {from});
    inst.key = key;
}

}  // namespace heddle::ptx
