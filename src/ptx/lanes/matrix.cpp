// Multiplication of matrices whose elements are spread over a warp (ptx/matrix.h). Sums are exact, or in double precision,
// and rounded once to the result's type: hardware keeps fewer bits and cuts some off.

#include "ptx/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ptx/lanes/scalar.h"
#include "ptx/numeric.h"

namespace heddle::ptx {

namespace {

constexpr u32 kMost = 32 * 256;  // elements of a matrix

/// Bits of an element, from the register that holds it.
u64 raw(Warp& w, u32 ref, Element e, u32 lane, u32 part) {
    if (e == Element::f64) return wide_at(w, ref, lane);
    const u32 bits = element_bits(e);
    const u32 word = word_at(w, ref, lane);
    return bits == 32 ? word : word >> (part * bits) & ((1u << bits) - 1);
}

double real(Element e, u64 bits) {
    const u32 low = static_cast<u32>(bits);
    switch (e) {
        case Element::f16:
            return static_cast<double>(half_to_float(Half{static_cast<u16>(low)}));
        case Element::bf16:
            return static_cast<double>(bfloat_to_float(Bfloat{static_cast<u16>(low)}));
        case Element::tf32:
            return static_cast<double>(std::bit_cast<float>(low & ~0x1fffu));
        case Element::f64:
            return std::bit_cast<double>(bits);
        default:
            return static_cast<double>(std::bit_cast<float>(low));
    }
}
i64 whole(Element e, u64 bits) {
    const u32 low = static_cast<u32>(bits);
    switch (e) {
        case Element::s8:
            return static_cast<i8>(low);
        case Element::s4:
            return static_cast<i32>(low << 28) >> 28;
        case Element::s32:
            return static_cast<i32>(low);
        default:
            return low;
    }
}
u64 real_bits(Element e, double v) {
    switch (e) {
        case Element::f16:
            return float_to_half(narrow_to_odd(v)).bits;
        case Element::f64:
            return std::bit_cast<u64>(v);
        default: {
            const float f = static_cast<float>(v);
            return f == f ? std::bit_cast<u32>(f) : 0x7fffffffu;
        }
    }
}

bool is_real(Element e) {
    return e == Element::f16 || e == Element::bf16 || e == Element::tf32 || e == Element::f32 ||
           e == Element::f64;
}

/// One of the operands as an array: its fragments' operands start at w.extra[first].
template <class T, class Convert>
void gather(Warp& w, const MatrixShape& s, Matrix x, Element e, u32 first, u32 regs, T* out,
            Convert convert) {
    const u32 columns = s.columns(x), per = elements_per_register(e);
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 r = 0; r < regs; ++r)
            for (u32 p = 0; p < per; ++p) {
                const MatrixPlace at = fragment_place(s, x, e, lane, r, regs, p);
                out[at.row * columns + at.column] = convert(e, raw(w, w.extra[first + r], e, lane, p));
            }
}

template <class T, class Sum, class Finish>
void multiply(const MatrixShape& s, const T* a, const T* b, T* c, Sum sum, Finish finish) {
    for (u32 i = 0; i < s.m; ++i)
        for (u32 j = 0; j < s.n; ++j) {
            T v = c[i * s.n + j];
            for (u32 k = 0; k < s.k; ++k) v = sum(v, a[i * s.k + k], b[k * s.n + j]);
            c[i * s.n + j] = finish(v);
        }
}

/// w.extra[op.ext ...]: D's registers, A's, B's, C's. op.target, sub, sub2, count: how many of each.
void multiply_accumulate(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return;
    const MatrixShape s = MatrixShape::of(static_cast<u64>(op.imm));
    const u32 d_regs = op.target, a_regs = op.sub, b_regs = op.sub2, c_regs = op.count;
    const u32 a_at = op.ext + d_regs, b_at = a_at + a_regs, c_at = b_at + b_regs;
    static thread_local std::array<double, kMost> ra, rb, rc;
    static thread_local std::array<i64, kMost> ia, ib, ic;
    const bool reals = is_real(s.a);
    if (reals) {
        gather(w, s, Matrix::a, s.a, a_at, a_regs, ra.data(), real);
        gather(w, s, Matrix::b, s.b, b_at, b_regs, rb.data(), real);
        gather(w, s, Matrix::c, s.c, c_at, c_regs, rc.data(), real);
        if (s.a == Element::f64)
            multiply(
                s, ra.data(), rb.data(), rc.data(),
                [](double v, double x, double y) { return std::fma(x, y, v); }, [](double v) { return v; });
        else
            multiply(
                s, ra.data(), rb.data(), rc.data(), [](double v, double x, double y) { return v + x * y; },
                [](double v) { return v; });
    } else {
        gather(w, s, Matrix::a, s.a, a_at, a_regs, ia.data(), whole);
        gather(w, s, Matrix::b, s.b, b_at, b_regs, ib.data(), whole);
        gather(w, s, Matrix::c, s.c, c_at, c_regs, ic.data(), whole);
        const bool bits = s.a == Element::b1;
        multiply(
            s, ia.data(), ib.data(), ic.data(),
            [&](i64 v, i64 x, i64 y) { return v + (bits ? (s.and_bits ? x & y : x ^ y) : x * y); },
            [&](i64 v) {
                if (!s.saturate) return v;
                return std::clamp<i64>(v, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max());
            });
    }
    const u32 per = elements_per_register(s.d), bits = element_bits(s.d);
    for (u32 r = 0; r < d_regs; ++r)
        for_lanes(mask, [&](u32 lane) {
            u64 word = 0;
            for (u32 p = 0; p < per; ++p) {
                const MatrixPlace at = fragment_place(s, Matrix::c, s.d, lane, r, d_regs, p);
                const u32 k = at.row * s.n + at.column;
                const u64 v = reals ? real_bits(s.d, rc[k]) : static_cast<u32>(ic[k]);
                word |= v << (p * bits % 64);
            }
            if (w.extra[op.ext + r] == kNoOperand) return;
            if (s.d == Element::f64)
                set_wide(w, w.extra[op.ext + r], lane, word);
            else
                set_word(w, w.extra[op.ext + r], lane, static_cast<u32>(word));
        });
}

}  // namespace

Handler find_matrix(const HandlerKey& key) {
    return key.op == Operation::matrix ? multiply_accumulate : nullptr;
}

}  // namespace heddle::ptx
