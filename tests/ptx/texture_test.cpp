#include <gtest/gtest.h>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

// out[i] = tex(handle, coordinates of thread i), first component.
const std::string kFetches = module_text(R"(
.global .texref bound;
.visible .entry one_float(.param .u64 t, .param .u64 px, .param .u64 py, .param .u64 pz, .param .u64 out) {
	.reg .b32 %i, %r<4>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<8>;
	mov.u32 %i, %tid.x;
	mul.wide.u32 %rd1, %i, 4;
	ld.param.u64 %rd2, [px]; add.s64 %rd2, %rd2, %rd1; ld.global.f32 %f1, [%rd2];
	ld.param.u64 %rd3, [py]; add.s64 %rd3, %rd3, %rd1; ld.global.f32 %f2, [%rd3];
	ld.param.u64 %rd4, [t];
	tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd4, {%f1, %f2}];
	ld.param.u64 %rd5, [out]; add.s64 %rd5, %rd5, %rd1; st.global.b32 [%rd5], %r0;
	ret;
}
.visible .entry linear(.param .u64 t, .param .u64 px, .param .u64 py, .param .u64 pz, .param .u64 out) {
	.reg .b32 %i, %r<5>;
	.reg .b64 %rd<8>;
	mov.u32 %i, %tid.x;
	mul.wide.u32 %rd1, %i, 4;
	ld.param.u64 %rd2, [px]; add.s64 %rd2, %rd2, %rd1; ld.global.u32 %r4, [%rd2];
	tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [bound, {%r4}];
	ld.param.u64 %rd5, [out]; add.s64 %rd5, %rd5, %rd1; st.global.b32 [%rd5], %r0;
	ret;
}
)");

/// A module whose thread i fetches tex.GEOMETRY at (x[i], y[i], z[i]), in layer `l[i]` if it has any.
std::string fetch_of(const std::string& geometry, const std::string& operands) {
    return module_text(R"(
.visible .entry fetch(.param .u64 t, .param .u64 l, .param .u64 px, .param .u64 py, .param .u64 pz, .param .u64 out) {
	.reg .b32 %i, %l, %r<4>;
	.reg .f32 %x, %y, %z;
	.reg .b64 %rd<8>;
	mov.u32 %i, %tid.x;
	mul.wide.u32 %rd1, %i, 4;
	ld.param.u64 %rd2, [l]; add.s64 %rd2, %rd2, %rd1; ld.global.u32 %l, [%rd2];
	ld.param.u64 %rd2, [px]; add.s64 %rd2, %rd2, %rd1; ld.global.f32 %x, [%rd2];
	ld.param.u64 %rd2, [py]; add.s64 %rd2, %rd2, %rd1; ld.global.f32 %y, [%rd2];
	ld.param.u64 %rd2, [pz]; add.s64 %rd2, %rd2, %rd1; ld.global.f32 %z, [%rd2];
	ld.param.u64 %rd4, [t];
	tex.)" + geometry +
                       ".v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd4, {" + operands + R"(}];
	ld.param.u64 %rd5, [out]; add.s64 %rd5, %rd5, %rd1; st.global.b32 [%rd5], %r0;
	ret;
}
)");
}

struct PtxTexture : ::testing::Test {
    PtxTexture() : d(kFetches) {}

    std::vector<float> fetch(const TextureDescriptor& t, std::vector<float> x, std::vector<float> y) {
        const u64 handle = d.context.textures().create(t);
        const std::size_t n = x.size();
        const u64 px = d.upload(x), py = d.upload(y), out = d.upload(std::vector<float>(n));
        d.run("one_float", {1, 1, 1}, {static_cast<u32>(n), 1, 1}, handle, px, py, py, out);
        return d.download<float>(out, n);
    }
    TextureDescriptor image(const std::vector<float>& texels, u32 width, u32 height) {
        TextureDescriptor t;
        t.address = d.upload(texels);
        t.width = width;
        t.height = height;
        t.row_pitch = u64{width} * 4;
        t.dimensions = 2;
        return t;
    }
    Device d;
};

}  // namespace

TEST_F(PtxTexture, PointSamplingPicksTheTexelAndClamps) {
    const TextureDescriptor t = image({0, 1, 2, 3, 10, 11, 12, 13}, 4, 2);
    EXPECT_EQ(fetch(t, {0, 1.9f, 3.5f, -5, 9, 2}, {0, 0.5f, 1, 0, 1.5f, 7}),
              (std::vector<float>{0, 1, 13, 0, 13, 12}));
}

TEST_F(PtxTexture, LinearFilteringWeighsTheFourNeighbours) {
    TextureDescriptor t = image({0, 8, 16, 24, 100, 108, 116, 124}, 4, 2);
    t.filter = FilterMode::linear;
    // Texel centers are at halves: (1, 0.5) is half way between texels 0 and 1 of row 0.
    EXPECT_EQ(fetch(t, {0.5f, 1.0f, 1.0f, 2.25f, 0}, {0.5f, 0.5f, 1.0f, 0.5f, 0}),
              (std::vector<float>{0, 4, 54, 14, 0}));
    u64 loads = 0;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst&) { loads += s.space == MemSpace::texture; });
    EXPECT_EQ(loads, 4u);
}

TEST_F(PtxTexture, NormalisedCoordinatesWrapMirrorAndMeetTheBorder) {
    TextureDescriptor t = image({0, 1, 2, 3}, 4, 1);
    t.normalized_coordinates = true;
    const std::vector<float> x{0.125f, 0.375f, 1.125f, -0.125f, 1.375f};
    const std::vector<float> y(5, 0.5f);
    t.address_mode = {AddressMode::wrap, AddressMode::clamp, AddressMode::clamp};
    EXPECT_EQ(fetch(t, x, y), (std::vector<float>{0, 1, 0, 3, 1}));
    t.address_mode[0] = AddressMode::mirror;
    EXPECT_EQ(fetch(t, x, y), (std::vector<float>{0, 1, 3, 0, 2}));
    t.address_mode[0] = AddressMode::border;
    t.border = {-7, 0, 0, 0};
    EXPECT_EQ(fetch(t, x, y), (std::vector<float>{0, 1, -7, -7, -7}));
}

TEST_F(PtxTexture, BytesReadAsFractionsOfOne) {
    TextureDescriptor t;
    t.address = d.upload(std::vector<u8>{0, 51, 255, 102});
    t.width = 4;
    t.row_pitch = 4;
    t.dimensions = 2;
    t.channel_bits = 8;
    t.kind = ChannelKind::unsigned_int;
    t.read_normalized = true;
    EXPECT_EQ(fetch(t, {0, 1, 2, 3}, {0, 0, 0, 0}),
              (std::vector<float>{0.0f, 51.0f / 255.0f, 1.0f, 102.0f / 255.0f}));
}

TEST_F(PtxTexture, ABoundReferenceReadsLinearMemoryAndZeroOutside) {
    TextureDescriptor t;
    t.address = d.upload(std::vector<int>{5, 6, 7});
    t.width = 3;
    t.kind = ChannelKind::signed_int;
    ASSERT_TRUE(d.program->bind_texture("bound", d.context.textures().create(t)));
    const u64 px = d.upload(std::vector<int>{2, 0, -1, 3}), out = d.upload(std::vector<int>(4));
    d.run("linear", {1, 1, 1}, {4, 1, 1}, u64{0}, px, px, px, out);
    EXPECT_EQ(d.download<int>(out, 4), (std::vector<int>{7, 5, 0, 0}));
    EXPECT_TRUE(d.program->bind_texture("bound", 0));
    EXPECT_THROW(d.run("linear", {1, 1, 1}, {4, 1, 1}, u64{0}, px, px, px, out), DeviceFault);
}

// Texel n of slice s holds 100 s + n; layers beyond the last are the last.
TEST(PtxTextureGeometries, LayersSlicesAndFacesAreFoundAndLayersClamp) {
    struct Case {
        const char *geometry, *operands;
        u32 width, height, depth;
        u8 dimensions;
        std::vector<u32> layer;
        std::vector<float> x, y, z, expected;
    };
    const Case cases[] = {
        {"a1d", "%l, %x", 4, 1, 3, 1, {0, 2, 9}, {1, 3, 2}, {0, 0, 0}, {0, 0, 0}, {1, 203, 202}},
        {"a2d", "%l, %x, %y, %y", 2, 2, 3, 2, {1, 2, 7}, {0, 1, 1}, {1, 1, 0}, {0, 0, 0}, {102, 203, 201}},
        {"3d", "%x, %y, %z, %z", 2, 2, 3, 3, {0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {0, 1, 2}, {2, 101, 203}},
        // One texel a face: +x, -y, +z.
        {"cube", "%x, %y, %z, %z", 1, 1, 6, 2, {0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 300, 400}},
        // Two cubes; the third does not exist.
        {"acube", "%l, %x, %y, %z", 1, 1, 12, 2, {0, 1, 2}, {1, -1, 0}, {0, 0, 1}, {0, 0, 0}, {0, 700, 800}},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.geometry);
        Device d(fetch_of(c.geometry, c.operands));
        std::vector<float> texels;
        for (u32 s = 0; s < c.depth; ++s)
            for (u32 n = 0; n < c.width * c.height; ++n) texels.push_back(static_cast<float>(100 * s + n));
        TextureDescriptor t;
        t.address = d.upload(texels);
        t.width = c.width, t.height = c.height, t.depth = c.depth;
        t.row_pitch = u64{c.width} * 4;
        t.slice_pitch = t.row_pitch * c.height;
        t.dimensions = c.dimensions;
        t.layered = c.geometry[0] == 'a';
        t.cube = c.depth % 6 == 0;
        t.normalized_coordinates = t.cube;
        const u64 handle = d.context.textures().create(t), out = d.upload(std::vector<float>(3));
        d.run("fetch", {1, 1, 1}, {3, 1, 1}, handle, d.upload(c.layer), d.upload(c.x), d.upload(c.y),
              d.upload(c.z), out);
        EXPECT_EQ(d.download<float>(out, 3), c.expected);
    }
}

TEST_F(PtxTexture, ATexelThatIsNotTheProgramsIsAFaultAndNotRead) {
    TextureDescriptor t = image({0, 1, 2, 3}, 4, 1);
    t.address = 64;  // nobody's
    EXPECT_THROW(fetch(t, {0}, {0}), DeviceFault);
    t = image({0, 1, 2, 3}, 4, 1);
    t.height = 1000;
    t.row_pitch = u64{1} << 40;
    EXPECT_THROW(fetch(t, {0}, {900}), DeviceFault);
}
