// What the stream shows of an operation: the instructions that an assembler for a recent GPU makes of it.
// Counts of multi-instruction sequences are those of the common path (cuobjdump -sass of small kernels, sm_75
// and sm_90).

#include <string_view>

#include "ptx/library.h"
#include "ptx/optimise.h"

namespace heddle::ptx {

namespace {

constexpr Cost integer(u32 n) {
    return {OpClass::int_add, static_cast<u8>(n), OpClass::int_add};
}
constexpr Cost free_of_charge{OpClass::int_add, 0, OpClass::int_add};

bool power_of_two_constant(const IrFunction& f, Ref r) {
    if (ref_kind(r) != RefKind::constant) return false;
    const u64 v = f.constants[ref_index(r)].value;
    return v != 0 && (v & (v - 1)) == 0;
}

Cost division(const IrFunction& f, const IrInst& i) {
    const bool wide = type_bytes(i.key.type) == 8;
    const bool is_constant = ref_kind(i.src[1]) == RefKind::constant;
    if (power_of_two_constant(f, i.src[1]))
        return integer((is_signed(i.key.type) ? 3u : 1u) * (wide ? 2 : 1));
    if (is_constant) return {OpClass::int_mul, static_cast<u8>(wide ? 12 : 4), OpClass::int_add};
    if (wide) return {OpClass::sfu, 70, OpClass::int_mad};
    return {OpClass::sfu, static_cast<u8>(is_signed(i.key.type) ? 22 : 16), OpClass::int_mad};
}

Cost conversion(const IrInst& i) {
    const Type d = i.key.type, s = i.key.from;
    if (is_float(d) || is_float(s)) {
        if (d == Type::f64 || s == Type::f64) return {OpClass::fp64, 1, OpClass::fp64};
        return {OpClass::fp32_add, 1, OpClass::fp32_add};
    }
    if (type_bytes(d) < type_bytes(s) && !i.key.sat) return free_of_charge;  // the low register
    if (type_bytes(d) == 8 && is_unsigned(s) && type_bytes(s) == 4)
        return free_of_charge;  // the zero register above
    return integer(1);
}

Cost floating(const IrInst& i) {
    const bool f64 = i.key.type == Type::f64;
    const Cost one64{OpClass::fp64, 1, OpClass::fp64};
    switch (i.key.op) {
        case Operation::mul_lo:
            return f64 ? one64 : Cost{OpClass::fp32_mul, 1, OpClass::fp32_mul};
        case Operation::fma:
            return f64 ? one64 : Cost{OpClass::fp32_mad, 1, OpClass::fp32_mad};
        case Operation::div:
            if (f64) return {OpClass::sfu, 11, OpClass::fp64};
            return {OpClass::sfu, static_cast<u8>(i.key.approx ? 2 : 9), OpClass::fp32_mad};
        case Operation::rcp:
            if (f64) return {OpClass::sfu, 8, OpClass::fp64};
            return {OpClass::sfu, static_cast<u8>(i.key.approx ? 1 : 5), OpClass::fp32_mad};
        case Operation::sqrt:
            if (f64) return {OpClass::sfu, 11, OpClass::fp64};
            return {OpClass::sfu, static_cast<u8>(i.key.approx ? 2 : 8), OpClass::fp32_mad};
        case Operation::rsqrt:
        case Operation::ex2:
        case Operation::lg2:
            return {OpClass::sfu, static_cast<u8>(i.key.ftz || f64 ? 1 : 3), OpClass::fp32_mul};
        case Operation::sin:
        case Operation::cos:
            return {OpClass::sfu, 2, OpClass::fp32_mul};
        case Operation::tanh:
            return {OpClass::sfu, 1, OpClass::sfu};
        default:
            return f64 ? one64 : Cost{OpClass::fp32_add, 1, OpClass::fp32_add};
    }
}

/// Instructions of library functions (sm_75 code of nvcc's mathematics, common path).
Cost library(const IrInst& i) {
    struct Row {
        std::string_view name;
        u8 single, twice;  // f32, f64
    };
    static constexpr Row kRows[]{
        {"fabs", 1, 1},         {"fmin", 1, 2},     {"fmax", 1, 2},     {"floor", 1, 1},
        {"ceil", 1, 1},         {"trunc", 1, 1},    {"rint", 1, 1},     {"nearbyint", 1, 1},
        {"copysign", 1, 2},     {"saturate", 1, 1}, {"fma", 1, 1},      {"round", 4, 6},
        {"rsqrt", 3, 11},       {"sqrt", 8, 11},    {"exp2", 4, 25},    {"exp", 7, 28},
        {"expm1", 16, 40},      {"log2", 12, 45},   {"log", 14, 40},    {"log10", 15, 42},
        {"sin", 22, 45},        {"cos", 22, 45},    {"tan", 28, 60},    {"pow", 50, 90},
        {"fast_exp", 3, 3},     {"fast_log", 4, 4}, {"fast_sin", 2, 2}, {"fast_cos", 2, 2},
        {"fast_fdivide", 3, 3},
    };
    std::string_view name = library_function(static_cast<int>(i.imm)).name;
    const bool twice = i.key.type == Type::f64;
    if (!twice && name.ends_with('f')) name.remove_suffix(1);
    u8 count = twice ? 40 : 20;
    for (const Row& row : kRows)
        if (row.name == name) count = twice ? row.twice : row.single;
    if (twice) return {OpClass::fp64, count, OpClass::fp64};
    return {count == 1 ? OpClass::fp32_add : OpClass::sfu, count, OpClass::fp32_mad};
}

Cost by_operation(const IrFunction& f, const IrInst& i) {
    const Type t = i.key.type;
    const bool wide = type_bytes(t) == 8;
    switch (i.key.op) {
        case Operation::cvt:
            return conversion(i);
        case Operation::library1:
        case Operation::library2:
        case Operation::library3:
            return library(i);
        case Operation::mov:
            return integer(1);
        case Operation::rcp_approx_ftz_high:
        case Operation::rsqrt_approx_ftz_high:
            return {OpClass::sfu, 1, OpClass::sfu};
        default:
            break;
    }
    if (is_float(t)) return floating(i);
    switch (i.key.op) {
        case Operation::mul_lo:
        case Operation::mul_hi:
            return {OpClass::int_mul, static_cast<u8>(wide ? 3 : 1), OpClass::int_mad};
        case Operation::mul_wide:
        case Operation::mul24_lo:
        case Operation::mul24_hi:
            return {OpClass::int_mul, 1, OpClass::int_mul};
        case Operation::mad_lo:
        case Operation::mad_hi:
            return {OpClass::int_mad, static_cast<u8>(wide ? 4 : 1), OpClass::int_mad};
        case Operation::mad_wide:
        case Operation::mad_hi_sat:
        case Operation::mad24_lo:
        case Operation::mad24_hi:
        case Operation::mad_lo_cc:
        case Operation::mad_hi_cc:
        case Operation::madc_lo:
        case Operation::madc_hi:
        case Operation::dp4a:
        case Operation::dp2a_lo:
        case Operation::dp2a_hi:
            return {OpClass::int_mad, 1, OpClass::int_mad};
        case Operation::div:
        case Operation::rem: {
            Cost c = division(f, i);
            if (i.key.op == Operation::rem && !power_of_two_constant(f, i.src[1])) ++c.count;
            return c;
        }
        case Operation::special:
            return integer(1);
        case Operation::pack:
        case Operation::unpack:
        case Operation::local_address:
        case Operation::pred_and:
        case Operation::pred_or:
        case Operation::pred_xor:
        case Operation::pred_not:
        case Operation::pred_mov:
            return free_of_charge;
        case Operation::prmt:
        case Operation::lop3:
            return integer(1);
        default:
            return integer(wide ? 2 : 1);
    }
}

}  // namespace

void assign_costs(IrFunction& f) {
    for (IrInst& i : f.insts) {
        if (i.control != Control::none || i.mem != MemOp::none || i.effect || i.cost.count == 0) continue;
        i.cost = by_operation(f, i);
    }
}

}  // namespace heddle::ptx
