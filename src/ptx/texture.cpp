// Fetches (CUDA C++ Programming Guide, "Texture Fetching").

#include "ptx/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ptx/numeric.h"

namespace heddle::ptx {

namespace {

/// A texel's number along one axis after the address mode; -1: the border.
i64 wrap_index(i64 i, u32 size, AddressMode mode) {
    const i64 n = size;
    if (i >= 0 && i < n) return i;
    switch (mode) {
        case AddressMode::clamp:
            return i < 0 ? 0 : n - 1;
        case AddressMode::border:
            return -1;
        case AddressMode::wrap:
            return ((i % n) + n) % n;
        case AddressMode::mirror: {
            const i64 m = ((i % (2 * n)) + 2 * n) % (2 * n);
            return m < n ? m : 2 * n - 1 - m;
        }
    }
    return 0;
}

u64 texel_address(const TextureDescriptor& t, i64 x, i64 y, i64 z) {
    return t.address + static_cast<u64>(z) * t.slice_pitch + static_cast<u64>(y) * t.row_pitch +
           static_cast<u64>(x) * t.texel_bytes();
}

/// One stored channel as the bits that a fetch returns.
u32 channel(const TextureDescriptor& t, u64 address, u32 c) {
    const u32 bytes = t.channel_bits / 8u;
    u32 raw = 0;
    std::memcpy(&raw, reinterpret_cast<const std::byte*>(address + u64{c} * bytes), bytes);
    const bool normalise = t.read_normalized && t.channel_bits < 32;
    switch (t.kind) {
        case ChannelKind::floating:
            return t.channel_bits == 16 ? std::bit_cast<u32>(half_to_float(Half{static_cast<u16>(raw)}))
                                        : raw;
        case ChannelKind::unsigned_int: {
            if (!normalise) return raw;
            const float most = static_cast<float>((1u << t.channel_bits) - 1);
            return std::bit_cast<u32>(static_cast<float>(raw) / most);
        }
        case ChannelKind::signed_int: {
            const i32 v = t.channel_bits == 8    ? static_cast<i8>(raw)
                          : t.channel_bits == 16 ? static_cast<i16>(raw)
                                                 : static_cast<i32>(raw);
            if (!normalise) return static_cast<u32>(v);
            const float most = static_cast<float>((1 << (t.channel_bits - 1)) - 1),
                        f = static_cast<float>(v) / most;
            return std::bit_cast<u32>(f < -1 ? -1.0f : f);
        }
    }
    return raw;
}

std::array<u32, 4> texel(const DeviceMemory& memory, const TextureDescriptor& t, const std::array<i64, 3>& at,
                         TexelFetch& out) {
    std::array<u32, 4> v{};
    if (!out.whole) return v;
    if (at[0] < 0 || at[1] < 0 || at[2] < 0) {
        for (u32 c = 0; c < 4; ++c) v[c] = std::bit_cast<u32>(t.border[c]);
        return v;
    }
    const u64 address = texel_address(t, at[0], at[1], at[2]);
    out.address[out.addresses++] = address;
    out.whole = memory.accessible(address, t.texel_bytes());
    if (!out.whole) return v;
    for (u32 c = 0; c < t.channels; ++c) v[c] = channel(t, address, c);
    return v;
}

u32 size_of(const TextureDescriptor& t, u32 axis) {
    return axis == 0 ? t.width : axis == 1 ? t.height : t.depth;
}

}  // namespace

u32 cube_face(const std::array<float, 3>& d, std::array<float, 3>& coordinates) {
    const float ax = std::fabs(d[0]), ay = std::fabs(d[1]), az = std::fabs(d[2]);
    u32 face;
    float s, t, m;
    if (ax >= ay && ax >= az) {
        face = d[0] >= 0 ? 0 : 1;
        m = ax;
        s = d[0] >= 0 ? -d[2] : d[2];
        t = -d[1];
    } else if (ay >= az) {
        face = d[1] >= 0 ? 2 : 3;
        m = ay;
        s = d[0];
        t = d[1] >= 0 ? d[2] : -d[2];
    } else {
        face = d[2] >= 0 ? 4 : 5;
        m = az;
        s = d[2] >= 0 ? d[0] : -d[0];
        t = -d[1];
    }
    coordinates = {(s / m + 1) * 0.5f, (t / m + 1) * 0.5f, 0};
    return face;
}

TexelFetch fetch_texel(const DeviceMemory& memory, const TextureDescriptor& t, const std::array<i32, 3>& c,
                       u32 layer) {
    TexelFetch out;
    std::array<i64, 3> at{0, 0, layer};
    for (u32 k = 0; k < t.dimensions; ++k) {
        if (c[k] < 0 || static_cast<u32>(c[k]) >= size_of(t, k)) return out;
        at[k] = c[k];
    }
    out.value = texel(memory, t, at, out);
    return out;
}

TexelFetch fetch_texel(const DeviceMemory& memory, const TextureDescriptor& t, const std::array<float, 3>& c,
                       u32 layer) {
    TexelFetch out;
    std::array<i64, 3> low{0, 0, layer};
    std::array<float, 3> weight{};
    const bool filtered = t.filter == FilterMode::linear;
    for (u32 k = 0; k < t.dimensions; ++k) {
        const u32 n = size_of(t, k);
        float x = c[k] == c[k] ? c[k] : 0;
        if (t.normalized_coordinates) {
            // Folding the coordinate before it is scaled keeps its low bits.
            if (t.address_mode[k] == AddressMode::wrap) x -= std::floor(x);
            x *= static_cast<float>(n);
        }
        if (filtered) x -= 0.5f;
        const float limit = 1e9f, clamped = x < -limit ? -limit : x > limit ? limit : x;
        const float whole = std::floor(clamped);
        low[k] = static_cast<i64>(whole);
        weight[k] = std::floor((clamped - whole) * 256 + 0.5f) / 256;
    }
    auto mode = [&](u32 k) {  // wrap and mirror need normalised coordinates
        const AddressMode m = t.address_mode[k];
        return !t.normalized_coordinates && (m == AddressMode::wrap || m == AddressMode::mirror)
                   ? AddressMode::clamp
                   : m;
    };
    auto at = [&](u32 corner) {
        std::array<i64, 3> p = low;
        for (u32 k = 0; k < t.dimensions; ++k)
            p[k] = wrap_index(low[k] + (corner >> k & 1), size_of(t, k), mode(k));
        return p;
    };
    if (!filtered) {
        out.value = texel(memory, t, at(0), out);
        return out;
    }
    std::array<float, 4> sum{};
    for (u32 corner = 0; corner < 1u << t.dimensions; ++corner) {
        float w = 1;
        for (u32 k = 0; k < t.dimensions; ++k) w *= (corner >> k & 1) != 0 ? weight[k] : 1 - weight[k];
        const auto v = texel(memory, t, at(corner), out);
        for (u32 k = 0; k < 4; ++k) sum[k] += w * std::bit_cast<float>(v[k]);
    }
    for (u32 k = 0; k < 4; ++k) out.value[k] = std::bit_cast<u32>(canonical(sum[k]));
    return out;
}

namespace {

TextureDescriptor at_level(const TextureDescriptor& t, std::size_t k) {
    TextureDescriptor one = t;
    const TextureLevel& level = t.levels[k];
    one.levels.clear();
    one.address = level.address;
    one.width = level.width;
    one.height = level.height;
    one.depth = level.depth;
    one.row_pitch = level.row_pitch;
    one.slice_pitch = level.slice_pitch;
    return one;
}

}  // namespace

TexelFetch fetch_level(const DeviceMemory& memory, const TextureDescriptor& t, const std::array<float, 3>& c,
                       u32 layer, float level) {
    if (t.levels.empty()) return fetch_texel(memory, t, c, layer);
    const float last = static_cast<float>(t.levels.size() - 1);
    float at = level == level ? level + t.level_bias : 0;
    at = std::min(std::max(at, t.least_level), t.most_level);
    at = std::min(std::max(at, 0.0f), last);
    if (t.level_filter == FilterMode::point)
        return fetch_texel(memory, at_level(t, static_cast<std::size_t>(std::floor(at + 0.5f))), c, layer);
    const float whole = std::floor(at), weight = std::floor((at - whole) * 256 + 0.5f) / 256;
    const std::size_t low = static_cast<std::size_t>(whole);
    TexelFetch out = fetch_texel(memory, at_level(t, low), c, layer);
    if (weight == 0 || low + 1 >= t.levels.size() || !out.whole) return out;
    const TexelFetch above = fetch_texel(memory, at_level(t, low + 1), c, layer);
    for (u32 k = 0; k < above.addresses; ++k) out.address[out.addresses++] = above.address[k];
    out.whole = above.whole;
    for (u32 k = 0; k < 4; ++k)
        out.value[k] = std::bit_cast<u32>(std::bit_cast<float>(out.value[k]) * (1 - weight) +
                                          std::bit_cast<float>(above.value[k]) * weight);
    return out;
}

float gradient_level(const TextureDescriptor& t, const std::array<float, 3>& dx,
                     const std::array<float, 3>& dy) {
    auto texels = [&](const std::array<float, 3>& d) {
        float sum = 0;
        for (u32 k = 0; k < t.dimensions; ++k) {
            const float scaled = d[k] * (t.normalized_coordinates ? static_cast<float>(size_of(t, k)) : 1.0f);
            sum += scaled * scaled;
        }
        return std::sqrt(sum);
    };
    return std::log2(std::max(std::max(texels(dx), texels(dy)), 1e-30f));
}

TexelFetch gather_texels(const DeviceMemory& memory, const TextureDescriptor& t,
                         const std::array<float, 3>& c, u32 layer, u32 component) {
    TexelFetch out;
    TextureDescriptor point = t;
    point.filter = FilterMode::point;
    const float step[2] = {t.normalized_coordinates ? 1 / static_cast<float>(t.width) : 1.0f,
                           t.normalized_coordinates ? 1 / static_cast<float>(t.height) : 1.0f};
    constexpr float kCorners[4][2] = {{-0.5f, 0.5f}, {0.5f, 0.5f}, {0.5f, -0.5f}, {-0.5f, -0.5f}};
    for (u32 k = 0; k < 4; ++k) {
        const TexelFetch one = fetch_texel(
            memory, point,
            std::array<float, 3>{c[0] + kCorners[k][0] * step[0], c[1] + kCorners[k][1] * step[1], c[2]},
            layer);
        out.value[k] = one.value[component];
        for (u32 a = 0; a < one.addresses; ++a) out.address[out.addresses++] = one.address[a];
        out.whole = out.whole && one.whole;
        if (!out.whole) break;
    }
    return out;
}

}  // namespace heddle::ptx
