#include "ptx/matrix.h"

#include <array>
#include <charconv>
#include <tuple>

namespace heddle::ptx {

namespace {

struct ElementRow {
    std::string_view name;
    u32 bits;
};
// In the order of Element. tf32 is a float of which 19 bits count.
constexpr std::array<ElementRow, 11> kElements{{{"f16", 16},
                                                {"bf16", 16},
                                                {"tf32", 32},
                                                {"f32", 32},
                                                {"f64", 64},
                                                {"s8", 8},
                                                {"u8", 8},
                                                {"s4", 4},
                                                {"u4", 4},
                                                {"b1", 1},
                                                {"s32", 32}}};

}  // namespace

std::optional<Element> element_by_name(std::string_view name) {
    for (std::size_t e = 0; e < kElements.size(); ++e)
        if (kElements[e].name == name) return static_cast<Element>(e);
    return std::nullopt;
}
u32 element_bits(Element e) {
    return kElements[static_cast<std::size_t>(e)].bits;
}
u32 elements_per_register(Element e) {
    return e == Element::f64 ? 1 : 32 / element_bits(e);
}

u64 MatrixShape::packed() const {
    u64 v = 0;
    auto put = [&](u64 value, u32 bits) { v = v << bits | value; };
    put(m, 8);
    put(n, 8);
    put(k, 10);
    for (const Element e : {a, b, c, d}) put(static_cast<u64>(e), 4);
    for (const bool flag : {a_by_columns, b_by_rows, fixed_layout, saturate, and_bits}) put(flag, 1);
    return v;
}
MatrixShape MatrixShape::of(u64 v) {
    MatrixShape s;
    auto take = [&](u32 bits) {
        const u64 value = v & ((u64{1} << bits) - 1);
        v >>= bits;
        return static_cast<u32>(value);
    };
    for (bool* flag : {&s.and_bits, &s.saturate, &s.fixed_layout, &s.b_by_rows, &s.a_by_columns})
        *flag = take(1) != 0;
    for (Element* e : {&s.d, &s.c, &s.b, &s.a}) *e = static_cast<Element>(take(4));
    s.k = take(10);
    s.n = take(8);
    s.m = take(8);
    return s;
}

bool read_shape(std::string_view word, MatrixShape& shape) {
    const char* at = word.data();
    const char* const end = at + word.size();
    for (const auto& [letter, size, most] :
         {std::tuple<char, u32*, u32>{'m', &shape.m, 32}, {'n', &shape.n, 32}, {'k', &shape.k, 256}}) {
        if (at == end || *at != letter) return false;
        const auto [next, error] = std::from_chars(at + 1, end, *size);
        if (error != std::errc{} || *size == 0 || *size > most) return false;
        at = next;
    }
    return at == end;
}

MatrixPlace fragment_place(const MatrixShape& shape, Matrix x, Element e, u32 lane, u32 reg, u32 regs,
                           u32 part) {
    const u32 per = elements_per_register(e);
    if (!shape.fixed_layout) {
        const u32 rows = shape.rows(x), columns = shape.columns(x);
        const u32 at = (lane * regs * per + reg * per + part) % (rows * columns);
        if (shape.by_columns(x)) return {at % rows, at / rows};
        return {at / columns, at % columns};
    }
    // Eight groups of four lanes.
    const u32 group = lane / 4, in_group = lane % 4;
    if (x == Matrix::c) {
        const u32 at = reg * per + part;
        return {group + at / 2 * 8, in_group * 2 + at % 2};
    }
    const bool tall = x == Matrix::a && shape.m == 16;
    const u32 along_k = in_group * per + part + (tall ? reg / 2 : reg) * 4 * per;
    if (x == Matrix::b) return {along_k, group};
    return {group + (tall ? reg % 2 * 8 : 0), along_k};
}

}  // namespace heddle::ptx
