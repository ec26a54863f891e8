// The table of __nv_* functions. Single-precision ones are computed in double and rounded once.

#include "ptx/library.h"

#include "ptx/lanes/scalar.h"
#include "ptx/mathematics.h"

namespace heddle::ptx {

namespace {

double as_is(double x) {
    return x;
}
double absolute(double x) {
    return __builtin_fabs(x);
}
double floor_(double x) {
    return __builtin_floor(x);
}
double ceil_(double x) {
    return __builtin_ceil(x);
}
double trunc_(double x) {
    return __builtin_trunc(x);
}
double rint_(double x) {
    return __builtin_rint(x);
}
double root(double x) {
    return __builtin_sqrt(x);
}
double reciprocal(double x) {
    return 1 / x;
}
double saturated(double x) {
    return x > 0 ? (x < 1 ? x : 1) : 0;
}
double smaller(double x, double y) {
    return x != x ? y : y != y ? x : y < x || (x == y && __builtin_signbit(y)) ? y : x;
}
double larger(double x, double y) {
    return x != x ? y : y != y ? x : x < y || (x == y && __builtin_signbit(x)) ? y : x;
}
double sign_of(double x, double y) {
    return __builtin_copysign(x, y);
}
double divide(double x, double y) {
    return x / y;
}
double multiply(double x, double y) {
    return x * y;
}
double plus(double x, double y) {
    return x + y;
}
double fused(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
double is_nan(double x) {
    return x != x;
}
double is_infinite(double x) {
    return __builtin_fabs(x) == __builtin_inf();
}
double is_finite(double x) {
    return __builtin_fabs(x) < __builtin_inf();
}
double sign_bit(double x) {
    return __builtin_signbit(x) != 0;
}
/// Conversions to integers clamp; NaN gives 0.
double to_int(double x) {
    return x != x ? 0 : x;
}

using F = LibraryFunction;
constexpr F one(std::string_view name, Type t, double (*f)(double)) {
    return {name, t, 1, t, f, nullptr, nullptr};
}
constexpr F two(std::string_view name, Type t, double (*f)(double, double)) {
    return {name, t, 2, t, nullptr, f, nullptr};
}
constexpr F three(std::string_view name, Type t, double (*f)(double, double, double)) {
    return {name, t, 3, t, nullptr, nullptr, f};
}
constexpr F test(std::string_view name, Type t, double (*f)(double)) {
    return {name, Type::s32, 1, t, f, nullptr, nullptr};
}

constexpr Type f = Type::f32, d = Type::f64;

const std::array kFunctions{
    one("sqrtf", f, root),
    one("sqrt", d, root),
    one("rsqrtf", f, math::rsqrt),
    one("rsqrt", d, math::rsqrt),
    one("cbrtf", f, math::cbrt),
    one("cbrt", d, math::cbrt),
    one("rcbrtf", f, math::rcbrt),
    one("rcbrt", d, math::rcbrt),
    one("expf", f, math::exp),
    one("exp", d, math::exp),
    one("exp2f", f, math::exp2),
    one("exp2", d, math::exp2),
    one("exp10f", f, math::exp10),
    one("exp10", d, math::exp10),
    one("expm1f", f, math::expm1),
    one("expm1", d, math::expm1),
    one("logf", f, math::log),
    one("log", d, math::log),
    one("log2f", f, math::log2),
    one("log2", d, math::log2),
    one("log10f", f, math::log10),
    one("log10", d, math::log10),
    one("log1pf", f, math::log1p),
    one("log1p", d, math::log1p),
    two("powf", f, math::pow),
    two("pow", d, math::pow),
    one("sinf", f, math::sin),
    one("sin", d, math::sin),
    one("cosf", f, math::cos),
    one("cos", d, math::cos),
    one("tanf", f, math::tan),
    one("tan", d, math::tan),
    one("sinpif", f, math::sinpi),
    one("sinpi", d, math::sinpi),
    one("cospif", f, math::cospi),
    one("cospi", d, math::cospi),
    one("asinf", f, math::asin),
    one("asin", d, math::asin),
    one("acosf", f, math::acos),
    one("acos", d, math::acos),
    one("atanf", f, math::atan),
    one("atan", d, math::atan),
    two("atan2f", f, math::atan2),
    two("atan2", d, math::atan2),
    one("sinhf", f, math::sinh),
    one("sinh", d, math::sinh),
    one("coshf", f, math::cosh),
    one("cosh", d, math::cosh),
    one("tanhf", f, math::tanh),
    one("tanh", d, math::tanh),
    one("asinhf", f, math::asinh),
    one("asinh", d, math::asinh),
    one("acoshf", f, math::acosh),
    one("acosh", d, math::acosh),
    one("atanhf", f, math::atanh),
    one("atanh", d, math::atanh),
    one("erff", f, math::erf),
    one("erf", d, math::erf),
    one("erfcf", f, math::erfc),
    one("erfc", d, math::erfc),
    one("erfcxf", f, math::erfcx),
    one("erfcx", d, math::erfcx),
    one("erfinvf", f, math::erfinv),
    one("erfinv", d, math::erfinv),
    one("erfcinvf", f, math::erfcinv),
    one("erfcinv", d, math::erfcinv),
    one("normcdff", f, math::normcdf),
    one("normcdf", d, math::normcdf),
    one("normcdfinvf", f, math::normcdfinv),
    one("normcdfinv", d, math::normcdfinv),
    one("tgammaf", f, math::tgamma),
    one("tgamma", d, math::tgamma),
    one("lgammaf", f, math::lgamma),
    one("lgamma", d, math::lgamma),
    two("hypotf", f, math::hypot),
    two("hypot", d, math::hypot),
    two("rhypotf", f, math::rhypot),
    two("rhypot", d, math::rhypot),
    three("norm3df", f, math::norm3d),
    three("norm3d", d, math::norm3d),
    three("rnorm3df", f, math::rnorm3d),
    three("rnorm3d", d, math::rnorm3d),
    one("j0f", f, math::j0),
    one("j0", d, math::j0),
    one("j1f", f, math::j1),
    one("j1", d, math::j1),
    one("y0f", f, math::y0),
    one("y0", d, math::y0),
    one("y1f", f, math::y1),
    one("y1", d, math::y1),
    two("heddle_jnf", f, math::jn),
    two("heddle_jn", d, math::jn),
    two("heddle_ynf", f, math::yn),
    two("heddle_yn", d, math::yn),
    one("cyl_bessel_i0f", f, math::cyl_bessel_i0),
    one("cyl_bessel_i0", d, math::cyl_bessel_i0),
    one("cyl_bessel_i1f", f, math::cyl_bessel_i1),
    one("cyl_bessel_i1", d, math::cyl_bessel_i1),
    one("fabsf", f, absolute),
    one("fabs", d, absolute),
    one("floorf", f, floor_),
    one("floor", d, floor_),
    one("ceilf", f, ceil_),
    one("ceil", d, ceil_),
    one("truncf", f, trunc_),
    one("trunc", d, trunc_),
    one("rintf", f, rint_),
    one("rint", d, rint_),
    one("nearbyintf", f, rint_),
    one("nearbyint", d, rint_),
    one("roundf", f, math::round),
    one("round", d, math::round),
    one("logbf", f, math::logb),
    one("logb", d, math::logb),
    two("fmodf", f, math::fmod),
    two("fmod", d, math::fmod),
    two("remainderf", f, math::remainder),
    two("remainder", d, math::remainder),
    two("fminf", f, smaller),
    two("fmin", d, smaller),
    two("fmaxf", f, larger),
    two("fmax", d, larger),
    two("fdimf", f, math::fdim),
    two("fdim", d, math::fdim),
    two("copysignf", f, sign_of),
    two("copysign", d, sign_of),
    two("nextafter", d, math::nextafter),
    three("fma", d, fused),
    two("fdividef", f, divide),
    two("fast_fdividef", f, divide),
    two("fdiv_rn", f, divide),
    two("ddiv_rn", d, divide),
    two("fmul_rn", f, multiply),
    two("dmul_rn", d, multiply),
    two("fadd_rn", f, plus),
    two("dadd_rn", d, plus),
    one("frcp_rn", f, reciprocal),
    one("drcp_rn", d, reciprocal),
    one("fsqrt_rn", f, root),
    one("dsqrt_rn", d, root),
    one("frsqrt_rn", f, math::rsqrt),
    one("saturatef", f, saturated),
    one("fast_expf", f, math::exp),
    one("fast_exp10f", f, math::exp10),
    one("fast_logf", f, math::log),
    one("fast_log2f", f, math::log2),
    one("fast_log10f", f, math::log10),
    one("fast_sinf", f, math::sin),
    one("fast_cosf", f, math::cos),
    one("fast_tanf", f, math::tan),
    two("fast_powf", f, math::pow),
    test("isnanf", f, is_nan),
    test("isnand", d, is_nan),
    test("isinff", f, is_infinite),
    test("isinfd", d, is_infinite),
    test("finitef", f, is_finite),
    test("isfinited", d, is_finite),
    test("signbitf", f, sign_bit),
    test("signbitd", d, sign_bit),
    test("float2int_rz", f, to_int),
    test("double2int_rz", d, to_int),
    F{"int2float_rn", f, 1, Type::s32, as_is, nullptr, nullptr},
    F{"int2double_rn", d, 1, Type::s32, as_is, nullptr, nullptr},
    F{"uint2float_rn", f, 1, Type::u32, as_is, nullptr, nullptr},
    F{"uint2double_rn", d, 1, Type::u32, as_is, nullptr, nullptr},
    F{"double2float_rn", f, 1, d, as_is, nullptr, nullptr},
};

double read(const Warp& w, u32 ref, u32 lane, Type t) {
    switch (t) {
        case Type::f32:
            return static_cast<double>(std::bit_cast<float>(word_at(w, ref, lane)));
        case Type::s32:
            return static_cast<i32>(word_at(w, ref, lane));
        case Type::u32:
            return word_at(w, ref, lane);
        default:
            return std::bit_cast<double>(wide_at(w, ref, lane));
    }
}

void call(Warp& w, const Op& op, u32 mask) {
    const LibraryFunction& fn = kFunctions[static_cast<std::size_t>(op.imm)];
    for_lanes(mask, [&](u32 k) {
        const double a = read(w, op.a, k, fn.argument);
        double r = 0;
        if (fn.arguments == 1)
            r = fn.f1(a);
        else if (fn.arguments == 2)
            r = fn.f2(a, read(w, op.b, k, fn.argument));
        else
            r = fn.f3(a, read(w, op.b, k, fn.argument), read(w, op.c, k, fn.argument));
        if (fn.result == Type::f64)
            set_wide(w, op.dst, k, std::bit_cast<u64>(canonical(r)));
        else if (fn.result == Type::f32)
            set_word(w, op.dst, k, std::bit_cast<u32>(canonical(static_cast<float>(r))));
        else
            set_word(w, op.dst, k,
                     static_cast<u32>(r >= 2147483647.0    ? INT32_MAX
                                      : r <= -2147483648.0 ? INT32_MIN
                                                           : static_cast<i32>(r)));
    });
}

/// f32 fused multiply-add must round once.
void fused_single(Warp& w, const Op& op, u32 mask) {
    for_lanes(mask, [&](u32 k) {
        auto at = [&](u32 ref) { return std::bit_cast<float>(word_at(w, ref, k)); };
        set_word(w, op.dst, k, std::bit_cast<u32>(canonical(__builtin_fmaf(at(op.a), at(op.b), at(op.c)))));
    });
}

constexpr int kFmaf = 10000;
constexpr LibraryFunction kFusedSingle{"fmaf", Type::f32, 3, Type::f32, nullptr, nullptr, nullptr};

}  // namespace

int find_library(std::string_view name) {
    if (name == kFusedSingle.name || name == "fmaf_rn") return kFmaf;
    for (std::size_t k = 0; k < kFunctions.size(); ++k)
        if (kFunctions[k].name == name) return static_cast<int>(k);
    return -1;
}

const LibraryFunction& library_function(int index) {
    return index == kFmaf ? kFusedSingle : kFunctions[static_cast<std::size_t>(index)];
}

Handler find_library(const HandlerKey& key) {
    switch (key.op) {
        case Operation::library1:
        case Operation::library2:
            return call;
        case Operation::library3:
            return key.sub == 1 ? fused_single : call;
        default:
            return nullptr;
    }
}

}  // namespace heddle::ptx
