// Surfaces (PTX ISA, "Surface Instructions"): where an element lies, and an ordinary load, store or reduction there.

#include <array>

#include "ptx/lower.h"

namespace heddle::ptx {

using namespace ast;

namespace {

struct SurfaceRow {
    std::string_view name;
    Geometry geometry;
    u32 coordinates;  // as written; 3-component vectors are padded to 4
};
constexpr std::array kSurfaces{SurfaceRow{"1d", Geometry::d1, 1}, SurfaceRow{"2d", Geometry::d2, 2},
                               SurfaceRow{"3d", Geometry::d3, 4}, SurfaceRow{"a1d", Geometry::a1d, 2},
                               SurfaceRow{"a2d", Geometry::a2d, 4}};

}  // namespace

/// The address of `bytes` bytes at the operand's coordinates: [surface, {x, y, ...}], x in bytes.
Ref Lowering::surface_address(const Operand& at, u32 bytes, bool write) {
    if (has("p")) not_supported("formatted surface accesses are not supported");
    const SurfaceRow* row = nullptr;
    for (const SurfaceRow& r : kSurfaces)
        if (has(r.name)) row = &r;
    if (row == nullptr) fail("'" + spelled() + "' does not name a geometry");
    if (at.kind != OperandKind::address || at.count != 2)
        fail("'" + spelled() + "' needs [surface, coordinates]");
    const Operand& handle = element(at, 0);
    const Operand& coordinates = element(at, 1);
    std::vector<Ref> refs;
    if (coordinates.kind == OperandKind::vector)
        for (u32 k = 0; k < coordinates.count && k < 3; ++k)
            refs.push_back(value(element(coordinates, k), Type::b32));
    else
        refs.push_back(value(coordinates, Type::b32));
    if (coordinates.kind == OperandKind::vector ? coordinates.count != row->coordinates
                                                : row->coordinates != 1)
        fail("'" + spelled() + "' needs " + std::to_string(row->coordinates) + " coordinates");
    refs.resize(3, constant(0, Width::w32));
    // Layers come first in PTX, last here.
    if (row->geometry == Geometry::a1d || row->geometry == Geometry::a2d) refs = {refs[1], refs[2], refs[0]};
    const Ref object = handle.kind == OperandKind::symbol ? kNoRef : value(handle, Type::b64);
    const Ref r = new_register(Width::w64);
    IrInst& inst = emit(Operation::surface_address, Type::b64, {r}, {object, refs[0], refs[1], refs[2]});
    inst.index = handle.kind == OperandKind::symbol ? handle.id : kNone;
    inst.sub = static_cast<u8>(has("zero")    ? SurfaceBounds::zero
                               : has("clamp") ? SurfaceBounds::clamp
                                              : SurfaceBounds::trap);
    inst.sub2 = write;
    inst.count = static_cast<u8>(bytes);
    inst.effect = true;
    inst.cost = {OpClass::int_add, 0, OpClass::int_add};  // part of the access
    require(inst.key);
    return r;
}

void Lowering::surface_access() {
    need_operands(2, 2);
    const bool load = inst_->opcode == "suld";
    const Type t = type();
    const std::vector<Ref> refs = vector_values(operand(load ? 0 : 1), t, !load, vec_);
    const Ref at = surface_address(operand(load ? 1 : 0), type_bytes(t) * vec_, !load);
    plain_access(load ? MemOp::load : MemOp::store, t, at, true, 0, MemSpace::global, refs.data(), vec_);
}

void Lowering::surface_reduction() {
    need_operands(2, 2);
    const Type t = type();
    const Atomic op = has("add")   ? Atomic::add
                      : has("min") ? Atomic::min
                      : has("max") ? Atomic::max
                      : has("and") ? Atomic::and_
                                   : Atomic::or_;
    const Ref b = value(1, t);
    const Ref at = surface_address(operand(0), type_bytes(t), true);
    change_memory(op, t, MemSpace::global, {.base = at}, b, kNoRef, kNoRef);
}

}  // namespace heddle::ptx
