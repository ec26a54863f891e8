// tex and txq (PTX ISA, "Texture Instructions"), unified mode: a texture is a handle in a register or a .texref.

#include <array>

#include "ptx/lower.h"

namespace heddle::ptx {

using namespace ast;

namespace {

struct GeometryRow {
    std::string_view name;
    Geometry geometry;
    u32 coordinates;  // 3-component vectors are padded to 4
};
constexpr std::array kGeometries{
    GeometryRow{"1d", Geometry::d1, 1},       GeometryRow{"2d", Geometry::d2, 2},
    GeometryRow{"3d", Geometry::d3, 4},       GeometryRow{"a1d", Geometry::a1d, 2},
    GeometryRow{"a2d", Geometry::a2d, 4},     GeometryRow{"cube", Geometry::cube, 4},
    GeometryRow{"acube", Geometry::acube, 4},
};
constexpr std::array<std::string_view, 10> kQueries{
    "width",       "height",      "depth",       "channel_data_type", "channel_order", "normalized_coords",
    "filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"};

}  // namespace

/// The texture's handle: a register, or kNoRef and its name in IrInst::index.
void Lowering::texture() {
    const GeometryRow* row = nullptr;
    for (const GeometryRow& g : kGeometries)
        if (has(g.name)) row = &g;
    if (row == nullptr) fail("'" + spelled() + "' does not name a geometry");
    if (vec_ != 4) not_supported("only four-component fetches are supported");
    const Type d = type(0), c = type(1);
    if (type_bytes(d) != 4 || (c != Type::s32 && c != Type::f32)) not_supported("texture types");
    const bool gather = inst_->opcode == "tld4", level = has("level"), gradient = has("grad");
    need_operands(gradient ? 4 : level ? 3 : 2, gradient ? 5 : level ? 4 : 5);
    if (gather && c != Type::f32) fail("'" + spelled() + "' needs coordinates of .f32");
    const Operand& at = operand(1);
    if (at.kind != OperandKind::address || at.count != 2)
        not_supported("separate samplers are not supported");
    const auto results = vector_values(operand(0), d, false, 4);
    const Operand& coordinates = element(at, 1);
    std::vector<Ref> refs;
    if (coordinates.kind == OperandKind::vector)
        for (u32 k = 0; k < coordinates.count; ++k) {
            const bool layer = k == 0 && (row->geometry == Geometry::a1d || row->geometry == Geometry::a2d ||
                                          row->geometry == Geometry::acube);
            refs.push_back(value(element(coordinates, k), layer ? Type::b32 : c));
        }
    else
        refs.push_back(value(coordinates, c));
    if (refs.size() != row->coordinates)
        fail("'" + spelled() + "' needs " + std::to_string(row->coordinates) + " coordinates");
    u8 how = kFetchPlain;
    if (gather)
        how = static_cast<u8>(kFetchGather + (has("g") ? 1 : has("b") ? 2 : has("a") ? 3 : 0));
    else if (level && c == Type::f32) {
        how = kFetchLevel;
        refs.push_back(value(2, Type::f32));
    } else if (gradient) {
        how = kFetchGradient;
        for (std::size_t k = 2; k < 4; ++k) {
            const Operand& change = operand(k);
            if (change.kind != OperandKind::vector) {
                refs.push_back(value(change, Type::f32));
                continue;
            }
            for (u32 j = 0; j < change.count && j < 3; ++j)
                refs.push_back(value(element(change, j), Type::f32));
        }
    }
    const Operand& handle = element(at, 0);
    const Ref object = handle.kind == OperandKind::symbol ? kNoRef : value(handle, Type::b64);
    IrInst& inst = emit(Operation::texture, d, {}, {object});
    for (Ref r : results) inst.dst[inst.dst_count++] = r;
    for (Ref r : refs) inst.src[inst.src_count++] = r;
    inst.index = handle.kind == OperandKind::symbol ? handle.id : kNone;
    inst.sub = static_cast<u8>(row->geometry);
    inst.sub2 = c == Type::f32;
    inst.count = how;
    set_memory(inst, MemSpace::texture, MemOp::load, 4);
    require(inst.key);
}

void Lowering::texture_query() {
    need_operands(2, 2);
    const Operand& at = operand(1);
    if (at.kind != OperandKind::address || at.count != 1) fail("txq needs a texture in brackets");
    const Operand& handle = element(at, 0);
    const Ref object = handle.kind == OperandKind::symbol ? kNoRef : value(handle, Type::b64);
    IrInst& inst = emit(Operation::texture_query, Type::b32, {destination(0, Type::b32)}, {object});
    inst.index = handle.kind == OperandKind::symbol ? handle.id : kNone;
    for (std::size_t q = 0; q < kQueries.size(); ++q)
        if (has(kQueries[q])) inst.sub = static_cast<u8>(q);
    require(inst.key);
}

}  // namespace heddle::ptx
