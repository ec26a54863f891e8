#pragma once
// Textures: what the CUDA runtime tells about a texture object or a bound texture reference, and how fetches
// read it.
//
// A texture handle (cudaTextureObject_t, or the value that a .texref variable stands for) is an index into
// the Context's TextureTable. Texels lie in device memory: linear memory, pitched 2-D memory, or an array,
// which is pitched memory too (row pitch and slice pitch), so that a fetch's addresses are ordinary addresses
// of the stream. Filtering follows the CUDA programming guide, "Texture Fetching": point and linear, 9-bit
// weights (8 fraction bits), addressing modes, normalised coordinates.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "ptx/memory.h"
#include "sim/types.h"

namespace heddle::ptx {

enum class ChannelKind : u8 { signed_int, unsigned_int, floating };
enum class AddressMode : u8 { wrap, clamp, mirror, border };
enum class FilterMode : u8 { point, linear };

/// A level of a mipmapped array.
struct TextureLevel {
    u64 address = 0;
    u32 width = 0, height = 1, depth = 1;
    u64 row_pitch = 0, slice_pitch = 0;
};

struct TextureDescriptor {
    u64 address = 0;                       // of texel (0, 0, 0)
    u32 width = 0, height = 1, depth = 1;  // in texels; depth: slices of 3-D, layers, or 6 faces (x layers)
    u64 row_pitch = 0, slice_pitch = 0;    // bytes
    u8 dimensions = 1;                     // 1, 2, 3: coordinates that filter
    bool layered = false, cube = false;
    u8 channels = 1;       // 1, 2, 4
    u8 channel_bits = 32;  // 8, 16, 32
    ChannelKind kind = ChannelKind::floating;
    std::array<AddressMode, 3> address_mode{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
    FilterMode filter = FilterMode::point;
    bool normalized_coordinates = false;
    bool read_normalized = false;  // 8/16-bit integers as [0, 1] or [-1, 1]
    std::array<float, 4> border{};
    std::vector<TextureLevel> levels;  // of a mipmapped array, from the texture's own on; else empty
    FilterMode level_filter = FilterMode::point;
    float level_bias = 0, least_level = 0, most_level = 0;

    u32 texel_bytes() const { return u32{channels} * channel_bits / 8; }
};

/// A fetch of one lane: four values as bits (float, or integers as they are stored), and the addresses of the texels that
/// went into them (1, or a corner each of the filter's cell). Coordinates: dimensions first, in the texture's own units
/// unless normalised; `layer` picks a layer. Integer coordinates are texel numbers; outside they read 0. A texel whose
/// bytes are not the program's is not read: it is the last of the addresses, and `whole` is false.
struct TexelFetch {
    std::array<u32, 4> value{};
    std::array<u64, 16> address{};
    u32 addresses = 0;
    bool whole = true;
};
TexelFetch fetch_texel(const DeviceMemory& memory, const TextureDescriptor& t,
                       const std::array<float, 3>& coordinates, u32 layer);
TexelFetch fetch_texel(const DeviceMemory& memory, const TextureDescriptor& t,
                       const std::array<i32, 3>& coordinates, u32 layer);
/// Of the level (CUDA's "level of detail") of a mipmapped array; of any other texture as the above.
TexelFetch fetch_level(const DeviceMemory& memory, const TextureDescriptor& t,
                       const std::array<float, 3>& coordinates, u32 layer, float level);
/// The level that fits these changes of the coordinates from one pixel to the next, along x and y.
float gradient_level(const TextureDescriptor& t, const std::array<float, 3>& dx,
                     const std::array<float, 3>& dy);
/// One component of the four texels that a linear filter would take: bottom left, bottom right, top right, top left.
TexelFetch gather_texels(const DeviceMemory& memory, const TextureDescriptor& t,
                         const std::array<float, 3>& coordinates, u32 layer, u32 component);
/// The face (0 to 5: +x -x +y -y +z -z) and the normalised place on it that a direction points to.
u32 cube_face(const std::array<float, 3>& direction, std::array<float, 3>& coordinates);

/// The live textures by handle. Handles are never 0.
class TextureTable {
  public:
    u64 create(const TextureDescriptor& descriptor);
    bool destroy(u64 handle);
    const TextureDescriptor* find(u64 handle) const;

  private:
    std::map<u64, TextureDescriptor> textures_;
    u64 next_ = 1;
};

}  // namespace heddle::ptx
