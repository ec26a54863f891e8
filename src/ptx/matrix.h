#pragma once
// Matrix instructions (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions"): shapes, element types, and which
// element of a matrix each lane's register holds.
//
// The fragments of mma have the layout that the manual states. Those of wmma are open; here lane l with S elements holds
// elements l * S to l * S + S - 1 of the matrix in the order in which its layout stores it, from the start again where the
// fragments together are larger than the matrix.

#include <optional>
#include <string_view>

#include "sim/types.h"

namespace heddle::ptx {

enum class Element : u8 { f16, bf16, tf32, f32, f64, s8, u8, s4, u4, b1, s32 };

std::optional<Element> element_by_name(std::string_view name);
u32 element_bits(Element e);
/// How many fit a register of a fragment (64 bits for f64, 32 for all others).
u32 elements_per_register(Element e);

enum class Matrix : u8 { a, b, c };

/// D = A * B + C of M x N x K elements; D's fragment is laid out as C's.
struct MatrixShape {
    u32 m = 0, n = 0, k = 0;
    Element a{}, b{}, c{}, d{};
    bool a_by_columns = false, b_by_rows = false;  // wmma
    bool fixed_layout = false;                     // mma
    bool saturate = false;                         // integers: to 32 bits
    bool and_bits = false;                         // b1: and instead of xor

    u64 packed() const;
    static MatrixShape of(u64 packed);

    u32 rows(Matrix x) const { return x == Matrix::b ? k : m; }
    u32 columns(Matrix x) const { return x == Matrix::a ? k : n; }
    /// Whether wmma's fragment follows columns.
    bool by_columns(Matrix x) const { return x == Matrix::a ? a_by_columns : x == Matrix::b && !b_by_rows; }
};

/// "m16n8k16".
bool read_shape(std::string_view word, MatrixShape& shape);

struct MatrixPlace {
    u32 row = 0, column = 0;
};
/// What the lane's register `reg` (of `regs`) holds as its `part`-th element.
MatrixPlace fragment_place(const MatrixShape& shape, Matrix x, Element e, u32 lane, u32 reg, u32 regs,
                           u32 part);

}  // namespace heddle::ptx
