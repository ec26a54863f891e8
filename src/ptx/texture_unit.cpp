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
            fetched[k] = fetch_texel(context.memory(), t, c, layer);
        } else {
            std::array<i32, 3> c{};
            for (u32 j = 0; j < used; ++j)
                c[j] = static_cast<i32>(operand_word(w, coordinates[first + j], k));
            fetched[k] = fetch_texel(context.memory(), t, c, layer);
        }
        if (!fetched[k].whole)
            fault(DeviceFault::Kind::illegal_address, w, op.line, k,
                  "a texture's memory is gone: " +
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
