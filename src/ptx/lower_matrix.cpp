// Matrix instructions (ptx/matrix.h). Loads and stores of fragments become what an assembler makes of them: each lane's
// address, and ordinary loads and stores of up to 16 bytes.

#include <array>
#include <bit>
#include <tuple>

#include "ptx/lower.h"
#include "ptx/matrix.h"

namespace heddle::ptx {

using namespace ast;

namespace {

/// What a fragment's register is in PTX.
Type register_type(Element e) {
    return e == Element::f64 ? Type::b64 : Type::b32;
}

}  // namespace

/// The shape, layouts and element types that the instruction's words state; `elements` in their order.
MatrixShape Lowering::matrix_shape(std::vector<Element>& elements) const {
    MatrixShape shape;
    bool named = false, first_layout = true;
    for (u32 k = 0; k < inst_->modifier_count; ++k) {
        const std::string_view word = unit_.modifiers[inst_->modifiers + k];
        if (const auto e = element_by_name(word)) elements.push_back(*e);
        if (!named) named = read_shape(word, shape);
        if (word == "row" || word == "col") {
            (first_layout ? shape.a_by_columns : shape.b_by_rows) =
                first_layout ? word == "col" : word == "row";
            first_layout = false;
        }
    }
    if (!named || elements.empty()) not_supported("a matrix instruction without shape or types");
    shape.saturate = has("satfinite");
    shape.and_bits = has("and");
    return shape;
}

/// A calculation on 32 bits.
Ref Lowering::computed(Operation op, Ref a, Ref b) {
    const Ref r = new_register(Width::w32);
    IrInst& inst = emit(op, Type::u32, {r}, {a, b});
    require(inst.key);
    return r;
}
Ref Lowering::lane_number() {
    const Ref r = new_register(Width::w32);
    IrInst& inst = emit(Operation::special, Type::b32, {r}, {});
    inst.sub = static_cast<u8>(Special::laneid);
    return r;
}

IrInst& Lowering::plain_access(MemOp mem, Type t, Ref base, bool wide, i64 offset, MemSpace space,
                               const Ref* registers, u32 count) {
    const bool load = mem == MemOp::load;
    IrInst& inst = emit(load ? Operation::load : Operation::store, t, {}, {base});
    for (u32 k = 0; k < count; ++k)
        if (load)
            inst.dst[inst.dst_count++] = registers[k];
        else
            inst.src[inst.src_count++] = registers[k];
    inst.imm = offset;
    inst.sub2 = wide;
    inst.count = static_cast<u8>(count);
    set_memory(inst, space, mem, type_bytes(t) * count);
    inst.key.from = type_bytes(t) == 8 ? Type::b64 : Type::b32;
    require(inst.key);
    return inst;
}

void Lowering::wmma() {
    if (has("mma")) return matrix_multiply();
    if (has("load"))
        matrix_access(MemOp::load);
    else if (has("store"))
        matrix_access(MemOp::store);
    else
        not_supported("unknown matrix instruction");
}

void Lowering::matrix_access(MemOp mem) {
    const bool load = mem == MemOp::load;
    need_operands(2, 3);
    std::vector<Element> elements;
    MatrixShape shape = matrix_shape(elements);
    const Element e = elements[0];
    const Matrix x = has("a") ? Matrix::a : has("b") ? Matrix::b : Matrix::c;
    const bool memory_by_columns = has("col");
    shape.a_by_columns = memory_by_columns;
    shape.b_by_rows = !memory_by_columns;
    const u32 rows = shape.rows(x), columns = shape.columns(x), bits = element_bits(e);
    const bool by_columns = shape.by_columns(x);
    const u32 line = by_columns ? rows : columns;  // elements that the fragment takes one after the other

    Space space = has("global")                         ? Space::global
                  : has("shared") || has("shared::cta") ? Space::shared
                                                        : Space::generic;
    const Operand& list = operand(load ? 0 : 1);
    const Type t = register_type(e);
    const u32 regs = list.kind == OperandKind::vector ? list.count : 1;
    const u32 mine = regs * elements_per_register(e);  // elements a lane
    if (mine == 0 || line < elements_per_register(e) || rows * columns % mine != 0 ||
        !std::has_single_bit(rows * columns))
        not_supported("a fragment of this size");
    const std::vector<Ref> refs = vector_values(list, t, !load, regs);
    const Address a = address(operand(load ? 1 : 0), space);
    if (space == Space::param) fail("'" + spelled() + "' takes no address of a parameter");
    const u32 memory_line = memory_by_columns ? rows : columns;
    const Ref stride = operand_count() == 3 ? value(2, Type::b32) : constant(memory_line, Width::w32);
    const MemSpace where = memory_space(space);
    auto number = [&](u32 v) { return constant(v, Width::w32); };

    const Ref lane = lane_number();
    const Ref first = computed(Operation::and_, computed(Operation::mul_lo, lane, number(mine)),
                               number(rows * columns - 1));
    // The address of the element that stands `ahead` of the lane's first.
    auto address_of = [&](u32 ahead) {
        const Ref at = ahead == 0 ? first
                                  : computed(Operation::and_, computed(Operation::add, first, number(ahead)),
                                             number(rows * columns - 1));
        const u32 shift = static_cast<u32>(std::countr_zero(line));
        Ref major = computed(Operation::shr, at, number(shift)),
            minor = computed(Operation::and_, at, number(line - 1));
        if (by_columns != memory_by_columns) std::swap(major, minor);
        Ref offset = computed(Operation::add, computed(Operation::mul_lo, major, stride), minor);
        if (bits < 8)
            offset = computed(Operation::shr, offset, number(static_cast<u32>(std::countr_zero(8 / bits))));
        const Ref bytes = number(std::max(bits / 8, 1u));
        const Ref r = new_register(a.wide ? Width::w64 : Width::w32);
        IrInst& inst = a.wide ? emit(Operation::mad_wide, Type::u32, {r}, {offset, bytes, a.base})
                              : emit(Operation::mad_lo, Type::u32, {r}, {offset, bytes, a.base});
        require(inst.key);
        return r;
    };

    if (by_columns == memory_by_columns) {
        const u32 run = std::min(mine, line);  // elements that lie side by side
        const u32 run_regs = run / elements_per_register(e), most = 16 / type_bytes(t);
        for (u32 r = 0; r < regs; r += run_regs) {
            const Ref at = address_of(r * elements_per_register(e));
            for (u32 k = 0; k < run_regs; k += most)
                plain_access(mem, t, at, a.wide, a.offset + i64{k} * type_bytes(t), where, &refs[r + k],
                             std::min(most, run_regs - k));
        }
        return;
    }
    // C and D in the other order: element by element.
    for (u32 r = 0; r < regs; ++r) {
        if (bits >= 32) {
            plain_access(mem, t, address_of(r), a.wide, a.offset, where, &refs[r], 1);
            continue;
        }
        std::array<Ref, 2> halves{new_register(Width::w32, true), new_register(Width::w32, true)};
        if (!load) {
            IrInst& inst = emit(Operation::unpack, Type::b32, {halves[0], halves[1]}, {refs[r]});
            inst.key.from = Type::b16;
            inst.count = 2;
            require(inst.key);
        }
        for (u32 h = 0; h < 2; ++h)
            plain_access(mem, Type::b16, address_of(2 * r + h), a.wide, a.offset, where, &halves[h], 1);
        if (load) {
            IrInst& inst = emit(Operation::pack, Type::b32, {refs[r]}, {halves[0], halves[1]});
            inst.key.from = Type::b16;
            inst.count = 2;
            require(inst.key);
        }
    }
}

/// wmma.mma and mma: D, A, B, C.
void Lowering::matrix_multiply() {
    need_operands(4, 4);
    std::vector<Element> elements;
    MatrixShape shape = matrix_shape(elements);
    if (has("sp") || has("block_scale") ||
        (shape.m == 8 && shape.n == 8 && shape.k == 4 && elements.back() != Element::f64))
        not_supported("this matrix instruction is not supported");
    shape.fixed_layout = inst_->opcode == "mma";
    if (shape.fixed_layout && (shape.n != 8 || (shape.m != 8 && shape.m != 16)))
        not_supported("this matrix instruction is not supported");
    // wmma on f16 states D and C; all others D, A, B, C.
    if (elements.size() == 2) elements = {elements[0], Element::f16, Element::f16, elements[1]};
    if (elements.size() != 4) fail("'" + spelled() + "' needs the types of four matrices");
    shape.d = elements[0];
    shape.a = elements[1];
    shape.b = elements[2];
    shape.c = elements[3];

    struct Fragment {
        Matrix x;
        Element e;
        std::vector<Ref> refs;
    };
    std::array<Fragment, 4> fragments{{{Matrix::c, shape.d, {}},
                                       {Matrix::a, shape.a, {}},
                                       {Matrix::b, shape.b, {}},
                                       {Matrix::c, shape.c, {}}}};
    constexpr std::size_t most = std::tuple_size_v<decltype(IrInst::dst)>;
    for (std::size_t k = 0; k < 4; ++k) {
        Fragment& f = fragments[k];
        const Operand& o = operand(k);
        const u32 regs = o.kind == OperandKind::vector ? o.count : 1;
        const u32 held = regs * elements_per_register(f.e) * kLanes,
                  size = shape.rows(f.x) * shape.columns(f.x);
        // No fragment has more registers than an instruction has room for.
        if (regs == 0 || regs > most || (shape.fixed_layout ? held != size : held % size != 0))
            fail("'" + spelled() + "': " + std::to_string(regs) + " registers do not hold the matrix");
        const Type t = f.e == Element::f32 ? Type::f32 : f.e == Element::f64 ? Type::f64 : Type::b32;
        f.refs = vector_values(o, t, k != 0, regs);
    }
    IrInst& inst = emit(Operation::matrix, shape.a == Element::f64 ? Type::b64 : Type::b32, {}, {});
    for (const Ref r : fragments[0].refs) inst.dst[inst.dst_count++] = r;
    for (std::size_t k = 1; k < 4; ++k)
        for (const Ref r : fragments[k].refs) inst.src[inst.src_count++] = r;
    inst.imm = static_cast<i64>(shape.packed());
    inst.index = static_cast<u32>(fragments[0].refs.size());
    inst.sub = static_cast<u8>(fragments[1].refs.size());
    inst.sub2 = static_cast<u8>(fragments[2].refs.size());
    inst.count = static_cast<u8>(fragments[3].refs.size());
    inst.effect = true;  // of the whole warp
    // As many as sm_80 has: m16n8k16 of 16-bit numbers, m16n8k8 of tf32, m16n8k32 of bytes, m8n8k4 of f64 are one.
    const u32 bits = element_bits(shape.a), work = shape.m * shape.n * shape.k;
    const u32 one = shape.a == Element::f64    ? 8 * 8 * 4
                    : shape.a == Element::tf32 ? 16 * 8 * 8
                                               : 16 * 8 * 256 / bits;
    const u8 count = static_cast<u8>(std::max(work / one, 1u));
    inst.cost = {OpClass::tensor, count, OpClass::tensor};
    require(inst.key);
}

/// An offset in shared memory, which fits 32 bits.
Ref Lowering::shared_offset(const Address& a) {
    if (!a.wide) return a.base;
    const Ref narrow = new_register(Width::w32);
    IrInst& inst = emit(Operation::cvt, Type::u32, {narrow}, {a.base});
    inst.key.from = Type::u64;
    require(inst.key);
    return narrow;
}

/// The address that another lane gives.
Ref Lowering::matrix_row(Ref row_address, Ref source_lane) {
    const Ref r = new_register(Width::w32);
    IrInst& inst = warp_wide(Operation::shfl, Type::b32, {row_address, source_lane, constant(31, Width::w32)},
                             constant(~0u, Width::w32));
    inst.dst[inst.dst_count++] = r;
    inst.sub = static_cast<u8>(Shuffle::idx);
    require(inst.key);
    return r;
}

/// ldmatrix and stmatrix: lanes 8 i to 8 i + 7 give the rows of the i-th matrix of 8 x 8 elements of 16 bits; each lane has
/// two elements of each matrix.
void Lowering::ldmatrix() {
    const bool load = inst_->opcode == "ldmatrix";
    need_operands(2, 2);
    if (!has("m8n8") || (!has("b16") && type() != Type::b16))
        not_supported("this matrix instruction is not supported");
    Space space = Space::shared;
    const u32 count = has("x4") ? 4 : has("x2") ? 2 : 1;
    const std::vector<Ref> refs = vector_values(operand(load ? 0 : 1), Type::b32, !load, count);
    const Address a = address(operand(load ? 1 : 0), space);
    const Ref rows = shared_offset(a), lane = lane_number();
    auto number = [&](u32 v) { return constant(v, Width::w32); };
    const Ref group = computed(Operation::shr, lane, number(2)),
              in_group = computed(Operation::and_, lane, number(3));
    const MemOp mem = load ? MemOp::load : MemOp::store;
    for (u32 m = 0; m < count; ++m) {
        if (!has("trans")) {
            const Ref row = matrix_row(rows, computed(Operation::add, group, number(8 * m)));
            const Ref at = computed(Operation::add, row, computed(Operation::shl, in_group, number(2)));
            plain_access(mem, Type::b32, at, false, a.offset, MemSpace::shared, &refs[m], 1);
            continue;
        }
        std::array<Ref, 2> halves{new_register(Width::w32, true), new_register(Width::w32, true)};
        if (!load) split_halves(refs[m], halves);
        for (u32 h = 0; h < 2; ++h) {
            const Ref row = matrix_row(
                rows,
                computed(Operation::add, computed(Operation::shl, in_group, number(1)), number(8 * m + h)));
            const Ref at = computed(Operation::add, row, computed(Operation::shl, group, number(1)));
            plain_access(mem, Type::b16, at, false, a.offset, MemSpace::shared, &halves[h], 1);
        }
        if (!load) continue;
        IrInst& inst = emit(Operation::pack, Type::b32, {refs[m]}, {halves[0], halves[1]});
        inst.key.from = Type::b16;
        inst.count = 2;
        require(inst.key);
    }
}

void Lowering::split_halves(Ref whole, const std::array<Ref, 2>& halves) {
    IrInst& inst = emit(Operation::unpack, Type::b32, {halves[0], halves[1]}, {whole});
    inst.key.from = Type::b16;
    inst.count = 2;
    inst.cost.count = 0;
    require(inst.key);
}

/// movmatrix: the transposed matrix. Lane i gets elements 2 (i mod 4) and the next of column i / 4, each from the lane that
/// has it in one of its halves.
void Lowering::movmatrix() {
    need_operands(2, 2);
    const Ref a = value(1, Type::b32), to = destination(0, Type::b32), lane = lane_number();
    auto number = [&](u32 v) { return constant(v, Width::w32); };
    const Ref from = computed(Operation::add,
                              computed(Operation::shl, computed(Operation::and_, lane, number(3)), number(3)),
                              computed(Operation::shr, lane, number(3)));
    const Ref half = computed(Operation::shl, computed(Operation::and_, lane, number(4)), number(2));
    std::array<Ref, 2> parts{};
    for (u32 k = 0; k < 2; ++k)
        parts[k] = computed(
            Operation::and_,
            computed(Operation::shr, matrix_row(a, computed(Operation::add, from, number(4 * k))), half),
            number(0xffff));
    emit(Operation::or_, Type::b32, {to}, {parts[0], computed(Operation::shl, parts[1], number(16))});
    require(out_.insts.back().key);
}

}  // namespace heddle::ptx
