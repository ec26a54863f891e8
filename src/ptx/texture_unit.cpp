// tex and txq as a warp executes them.

#include <algorithm>
#include <cstring>

#include "ptx/execution.h"
#include "ptx/operation.h"

namespace heddle::ptx {

/// The texture that a lane's operation names.
const TextureDescriptor& Execution::Impl::texture_of(Warp& w, const Op& op, u32 lane) {
    u64 handle = 0;
    std::string name;
    if (op.target == ast::kNone) {
        std::memcpy(&handle, operand_pointer(w, op.a) + lane * 8, 8);
        if (const auto at = code.textures->names.find(handle); at != code.textures->names.end())
            name = at->second;
    } else {
        name = function_of(w).unit->names[op.target];
    }
    if (!name.empty()) {
        const auto bound = code.textures->bindings.find(name);
        handle = bound != code.textures->bindings.end() ? bound->second : 0;
    }
    const TextureDescriptor* t = context.textures().find(handle);
    if (t == nullptr)
        fault(DeviceFault::Kind::illegal_address, w, op.line, lane,
              name.empty() ? "no texture has the handle " + std::to_string(handle)
                           : "no texture is bound to '" + name + "'");
    return *t;
}

/// w.extra[op.ext ...]: four results, then the coordinates.
void Execution::Impl::fetch_texture(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return record_access(w, op.rec, 0, nullptr);
    const auto geometry = static_cast<Geometry>(op.sub);
    const u32* results = w.extra + op.ext;
    const u32* coordinates = results + 4;
    const bool layered =
        geometry == Geometry::a1d || geometry == Geometry::a2d || geometry == Geometry::acube;
    const u32 first = layered ? 1 : 0;
    const u32 used = geometry == Geometry::d1 || geometry == Geometry::a1d   ? 1
                     : geometry == Geometry::d2 || geometry == Geometry::a2d ? 2
                                                                             : 3;
    std::array<TexelFetch, kLanes> fetched;
    u32 most = 0;
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        const TextureDescriptor& t = texture_of(w, op, k);
        u32 layer = 0;
        if (layered) {
            const u32 wanted = operand_word(w, coordinates[0], k);
            const u32 layers = t.depth / (geometry == Geometry::acube ? 6 : 1);
            layer = std::min(wanted, std::max(layers, 1u) - 1);
        }
        if (op.sub2 != 0) {
            std::array<float, 3> c{};
            for (u32 j = 0; j < used; ++j)
                c[j] = std::bit_cast<float>(operand_word(w, coordinates[first + j], k));
            if (geometry == Geometry::cube || geometry == Geometry::acube) {
                const std::array<float, 3> direction = c;
                layer = layer * 6 + cube_face(direction, c);
            }
            // Behind the coordinates as they are written, padding included.
            const u32 behind = used == 3 || (used == 2 && layered) ? 4 : first + used;
            auto change = [&](u32 which) {
                std::array<float, 3> d{};
                for (u32 j = 0; j < used; ++j)
                    d[j] = std::bit_cast<float>(operand_word(w, coordinates[behind + which * used + j], k));
                return d;
            };
            if (op.count >= kFetchGather)
                fetched[k] = gather_texels(context.memory(), t, c, layer, op.count - kFetchGather);
            else if (op.count == kFetchLevel)
                fetched[k] = fetch_level(context.memory(), t, c, layer,
                                         std::bit_cast<float>(operand_word(w, coordinates[behind], k)));
            else if (op.count == kFetchGradient)
                fetched[k] =
                    fetch_level(context.memory(), t, c, layer, gradient_level(t, change(0), change(1)));
            else
                fetched[k] = fetch_level(context.memory(), t, c, layer, 0);
        } else {
            std::array<i32, 3> c{};
            for (u32 j = 0; j < used; ++j)
                c[j] = static_cast<i32>(operand_word(w, coordinates[first + j], k));
            fetched[k] = fetch_texel(context.memory(), t, c, layer);
        }
        if (!fetched[k].whole)
            fault(DeviceFault::Kind::illegal_address, w, op.line, k,
                  "the texture's memory has been freed: " +
                      context.memory().describe(fetched[k].address[fetched[k].addresses - 1]));
        most = std::max(most, fetched[k].addresses);
    }
    // The stream shows one load for each corner of the filter's cell.
    for (u32 j = 0; j < std::max(most, 1u); ++j) {
        std::array<u64, kLanes> address{};
        u32 lanes = 0;
        for (u32 m = mask; m != 0; m &= m - 1) {
            const u32 k = static_cast<u32>(__builtin_ctz(m));
            if (j >= fetched[k].addresses) continue;
            address[k] = fetched[k].address[j];
            lanes |= 1u << k;
        }
        record_access(w, op.rec, lanes, address.data());
    }
    for (u32 c = 0; c < 4; ++c) {
        if (results[c] == kNoOperand) continue;
        for (u32 m = mask; m != 0; m &= m - 1) {
            const u32 k = static_cast<u32>(__builtin_ctz(m));
            std::memcpy(operand_pointer(w, results[c]) + k * 4, &fetched[k].value[c], 4);
        }
    }
}

/// op.a: the surface; op.b, op.c, op.ext: x in bytes, y, slice or layer.
void Execution::Impl::surface_address(Warp& w, const Op& op, u32 mask) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        const TextureDescriptor& t = texture_of(w, op, k);
        const i64 room[3] = {i64{t.width} * t.texel_bytes() - op.count + 1, t.height, t.depth};
        i64 at[3] = {static_cast<i32>(operand_word(w, op.b, k)), static_cast<i32>(operand_word(w, op.c, k)),
                     static_cast<i32>(operand_word(w, op.ext, k))};
        bool inside = true;
        for (u32 j = 0; j < 3; ++j) inside &= at[j] >= 0 && at[j] < room[j];
        if (!inside && static_cast<SurfaceBounds>(op.sub) == SurfaceBounds::trap)
            fault(DeviceFault::Kind::illegal_address, w, op.line, k,
                  "byte " + std::to_string(at[0]) + " of row " + std::to_string(at[1]) + ", slice " +
                      std::to_string(at[2]) + ", is outside of the surface of " + std::to_string(t.width) +
                      " x " + std::to_string(t.height) + " x " + std::to_string(t.depth) + " elements");
        u64 address;
        if (!inside && static_cast<SurfaceBounds>(op.sub) == SurfaceBounds::zero) {
            address = op.sub2 != 0 ? context.surface_sink() : context.surface_zeros();
        } else {
            for (u32 j = 0; j < 3; ++j) at[j] = std::clamp<i64>(at[j], 0, std::max<i64>(room[j], 1) - 1);
            address = t.address + static_cast<u64>(at[2]) * t.slice_pitch +
                      static_cast<u64>(at[1]) * t.row_pitch + static_cast<u64>(at[0]);
        }
        std::memcpy(operand_pointer(w, op.dst) + k * 8, &address, 8);
    }
}

/// Answers in the encodings of CUDA's driver headers; the channel order is the number of channels.
void Execution::Impl::query_texture(Warp& w, const Op& op, u32 mask) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        const TextureDescriptor& t = texture_of(w, op, k);
        u32 v = 0;
        switch (op.sub) {
            case 0:
                v = t.width;
                break;
            case 1:
                v = t.height;
                break;
            case 2:
                v = t.depth;
                break;
            case 3:
                v = t.kind == ChannelKind::floating
                        ? (t.channel_bits == 16 ? 0x10 : 0x20)
                        : (t.kind == ChannelKind::unsigned_int ? 1u : 8u) + (t.channel_bits == 8    ? 0u
                                                                             : t.channel_bits == 16 ? 1u
                                                                                                    : 2u);
                break;
            case 4:
                v = t.channels;
                break;
            case 5:
                v = t.normalized_coordinates;
                break;
            case 6:
                v = static_cast<u32>(t.filter);
                break;
            default:
                v = static_cast<u32>(t.address_mode[op.sub - 7u]);
        }
        std::memcpy(operand_pointer(w, op.dst) + k * 4, &v, 4);
    }
}

}  // namespace heddle::ptx
