#pragma once
// Texture fetches: of texture objects, and of texture references as CUDA had them before version 12.

#include "cuda_runtime_api.h"

#define HEDDLE_STRIP(...) __VA_ARGS__

namespace heddle_texture {

/// A fetch gives four 32-bit values; what becomes of them depends on the texel type that the program asks for.
template <class R, class T>
struct Convert {
    static __device__ __forceinline__ T from(const R& r) { return static_cast<T>(r.x); }
};
#define HEDDLE_TEXEL(V, S)                                                                             \
    template <class R>                                                                                 \
    struct Convert<R, V##1> {                                                                          \
        static __device__ __forceinline__ V##1 from(const R& r) { return V##1 {static_cast<S>(r.x)}; } \
    };                                                                                                 \
    template <class R>                                                                                 \
    struct Convert<R, V##2> {                                                                          \
        static __device__ __forceinline__ V##2 from(const R& r) {                                      \
            return V##2 {static_cast<S>(r.x), static_cast<S>(r.y)};                                    \
        }                                                                                              \
    };                                                                                                 \
    template <class R>                                                                                 \
    struct Convert<R, V##4> {                                                                          \
        static __device__ __forceinline__ V##4 from(const R& r) {                                      \
            return V##4 {static_cast<S>(r.x), static_cast<S>(r.y), static_cast<S>(r.z),                \
                         static_cast<S>(r.w)};                                                         \
        }                                                                                              \
    };
HEDDLE_TEXEL(char, signed char)
HEDDLE_TEXEL(uchar, unsigned char)
HEDDLE_TEXEL(short, short)
HEDDLE_TEXEL(ushort, unsigned short)
HEDDLE_TEXEL(int, int)
HEDDLE_TEXEL(uint, unsigned int)
HEDDLE_TEXEL(float, float)
#undef HEDDLE_TEXEL

/// The type in which a texel type's values come, and the vector of floats in its place when it is read as fractions.
template <class T>
struct Raw;
#define HEDDLE_RAW(V, S, R)      \
    template <>                  \
    struct Raw<S> {              \
        using type = R;          \
        using fraction = float;  \
    };                           \
    template <>                  \
    struct Raw<V##1> {           \
        using type = R;          \
        using fraction = float1; \
    };                           \
    template <>                  \
    struct Raw<V##2> {           \
        using type = R;          \
        using fraction = float2; \
    };                           \
    template <>                  \
    struct Raw<V##4> {           \
        using type = R;          \
        using fraction = float4; \
    };
HEDDLE_RAW(char, signed char, int4)
HEDDLE_RAW(uchar, unsigned char, uint4)
HEDDLE_RAW(short, short, int4)
HEDDLE_RAW(ushort, unsigned short, uint4)
HEDDLE_RAW(int, int, int4)
HEDDLE_RAW(uint, unsigned int, uint4)
HEDDLE_RAW(float, float, float4)
#undef HEDDLE_RAW
template <>
struct Raw<char> {
    using type = int4;
    using fraction = float;
};

// One function for each geometry and kind of value; overloads by the result.
#define HEDDLE_FETCH_KIND(name, R, kind, reg, form, coordinates, parameters, ...)                       \
    static __device__ __forceinline__ void name(R& r, cudaTextureObject_t t, HEDDLE_STRIP parameters) { \
        asm("tex." form ".v4." kind " {%0, %1, %2, %3}, [%4, {" coordinates "}];"                       \
            : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)                                    \
            : "l"(t), __VA_ARGS__);                                                                     \
    }
#define HEDDLE_FETCH(name, geometry, coordinate, coordinates, parameters, ...)                              \
    HEDDLE_FETCH_KIND(name, float4, "f32." coordinate, "f", geometry, coordinates, parameters, __VA_ARGS__) \
    HEDDLE_FETCH_KIND(name, int4, "s32." coordinate, "r", geometry, coordinates, parameters, __VA_ARGS__)   \
    HEDDLE_FETCH_KIND(name, uint4, "u32." coordinate, "r", geometry, coordinates, parameters, __VA_ARGS__)
HEDDLE_FETCH(fetch_1d, "1d", "s32", "%5", (int x), "r"(x))
HEDDLE_FETCH(at_1d, "1d", "f32", "%5", (float x), "f"(x))
HEDDLE_FETCH(at_2d, "2d", "f32", "%5, %6", (float x, float y), "f"(x), "f"(y))
HEDDLE_FETCH(at_3d, "3d", "f32", "%5, %6, %7, %7", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
HEDDLE_FETCH(at_layer_1d, "a1d", "f32", "%6, %5", (float x, int layer), "f"(x), "r"(layer))
HEDDLE_FETCH(at_layer_2d, "a2d", "f32", "%7, %5, %6, %6", (float x, float y, int layer), "f"(x), "f"(y),
             "r"(layer))
HEDDLE_FETCH(at_cube, "cube", "f32", "%5, %6, %7, %7", (float x, float y, float z), "f"(x), "f"(y), "f"(z))
HEDDLE_FETCH(at_layer_cube, "acube", "f32", "%8, %5, %6, %7", (float x, float y, float z, int layer), "f"(x),
             "f"(y), "f"(z), "r"(layer))
// Behind the coordinates a level, or two changes of the coordinates.
#define HEDDLE_FETCH_MORE(name, form, places, parameters, ...)                              \
    HEDDLE_FETCH_MORE_KIND(name, float4, "f32", "f", form, places, parameters, __VA_ARGS__) \
    HEDDLE_FETCH_MORE_KIND(name, int4, "s32", "r", form, places, parameters, __VA_ARGS__)   \
    HEDDLE_FETCH_MORE_KIND(name, uint4, "u32", "r", form, places, parameters, __VA_ARGS__)
#define HEDDLE_FETCH_MORE_KIND(name, R, kind, reg, form, places, parameters, ...)                       \
    static __device__ __forceinline__ void name(R& r, cudaTextureObject_t t, HEDDLE_STRIP parameters) { \
        asm("tex." form ".v4." kind ".f32 {%0, %1, %2, %3}, " places ";"                                \
            : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)                                    \
            : "l"(t), __VA_ARGS__);                                                                     \
    }
HEDDLE_FETCH_MORE(level_1d, "level.1d", "[%4, {%5}], %6", (float x, float level), "f"(x), "f"(level))
HEDDLE_FETCH_MORE(level_2d, "level.2d", "[%4, {%5, %6}], %7", (float x, float y, float level), "f"(x), "f"(y),
                  "f"(level))
HEDDLE_FETCH_MORE(level_3d, "level.3d", "[%4, {%5, %6, %7, %7}], %8",
                  (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
HEDDLE_FETCH_MORE(level_layer_1d, "level.a1d", "[%4, {%6, %5}], %7", (float x, int layer, float level),
                  "f"(x), "r"(layer), "f"(level))
HEDDLE_FETCH_MORE(level_layer_2d, "level.a2d", "[%4, {%7, %5, %6, %6}], %8",
                  (float x, float y, int layer, float level), "f"(x), "f"(y), "r"(layer), "f"(level))
HEDDLE_FETCH_MORE(level_cube, "level.cube", "[%4, {%5, %6, %7, %7}], %8",
                  (float x, float y, float z, float level), "f"(x), "f"(y), "f"(z), "f"(level))
HEDDLE_FETCH_MORE(gradient_1d, "grad.1d", "[%4, {%5}], {%6}, {%7}", (float x, float dx, float dy), "f"(x),
                  "f"(dx), "f"(dy))
HEDDLE_FETCH_MORE(gradient_2d, "grad.2d", "[%4, {%5, %6}], {%7, %8}, {%9, %10}",
                  (float x, float y, float2 dx, float2 dy), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x),
                  "f"(dy.y))
HEDDLE_FETCH_MORE(gradient_3d, "grad.3d", "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                  (float x, float y, float z, float4 dx, float4 dy), "f"(x), "f"(y), "f"(z), "f"(dx.x),
                  "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
#undef HEDDLE_FETCH_MORE
#undef HEDDLE_FETCH_MORE_KIND
#define HEDDLE_GATHER(R, kind, reg)                                                              \
    static __device__ __forceinline__ void gather(R& r, cudaTextureObject_t t, float x, float y, \
                                                  int component) {                               \
        switch (component) {                                                                     \
            HEDDLE_GATHER_ONE(kind, reg, 1, "g")                                                 \
            HEDDLE_GATHER_ONE(kind, reg, 2, "b")                                                 \
            HEDDLE_GATHER_ONE(kind, reg, 3, "a")                                                 \
            default:                                                                             \
                HEDDLE_GATHER_ONE(kind, reg, 0, "r")                                             \
        }                                                                                        \
    }
#define HEDDLE_GATHER_ONE(kind, reg, number, letter)                               \
    case number:                                                                   \
        asm("tld4." letter ".2d.v4." kind ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" \
            : "=" reg(r.x), "=" reg(r.y), "=" reg(r.z), "=" reg(r.w)               \
            : "l"(t), "f"(x), "f"(y));                                             \
        break;
HEDDLE_GATHER(float4, "f32", "f")
HEDDLE_GATHER(int4, "s32", "r")
HEDDLE_GATHER(uint4, "u32", "r")
#undef HEDDLE_GATHER
#undef HEDDLE_GATHER_ONE
#undef HEDDLE_FETCH
#undef HEDDLE_FETCH_KIND

}  // namespace heddle_texture

#define HEDDLE_TEXTURE_FUNCTION(name, implementation, parameters, ...)                                       \
    template <class T>                                                                                       \
    static __device__ __forceinline__ T name(cudaTextureObject_t t, HEDDLE_STRIP parameters) {               \
        typename heddle_texture::Raw<T>::type r;                                                             \
        heddle_texture::implementation(r, t, __VA_ARGS__);                                                   \
        return heddle_texture::Convert<decltype(r), T>::from(r);                                             \
    }                                                                                                        \
    template <class T>                                                                                       \
    static __device__ __forceinline__ void name(T* result, cudaTextureObject_t t, HEDDLE_STRIP parameters) { \
        *result = name<T>(t, __VA_ARGS__);                                                                   \
    }
HEDDLE_TEXTURE_FUNCTION(tex1Dfetch, fetch_1d, (int x), x)
HEDDLE_TEXTURE_FUNCTION(tex1D, at_1d, (float x), x)
HEDDLE_TEXTURE_FUNCTION(tex2D, at_2d, (float x, float y), x, y)
HEDDLE_TEXTURE_FUNCTION(tex3D, at_3d, (float x, float y, float z), x, y, z)
HEDDLE_TEXTURE_FUNCTION(tex1DLayered, at_layer_1d, (float x, int layer), x, layer)
HEDDLE_TEXTURE_FUNCTION(tex2DLayered, at_layer_2d, (float x, float y, int layer), x, y, layer)
HEDDLE_TEXTURE_FUNCTION(texCubemap, at_cube, (float x, float y, float z), x, y, z)
HEDDLE_TEXTURE_FUNCTION(texCubemapLayered, at_layer_cube, (float x, float y, float z, int layer), x, y, z,
                        layer)
HEDDLE_TEXTURE_FUNCTION(tex1DLod, level_1d, (float x, float level), x, level)
HEDDLE_TEXTURE_FUNCTION(tex2DLod, level_2d, (float x, float y, float level), x, y, level)
HEDDLE_TEXTURE_FUNCTION(tex3DLod, level_3d, (float x, float y, float z, float level), x, y, z, level)
HEDDLE_TEXTURE_FUNCTION(tex1DLayeredLod, level_layer_1d, (float x, int layer, float level), x, layer, level)
HEDDLE_TEXTURE_FUNCTION(tex2DLayeredLod, level_layer_2d, (float x, float y, int layer, float level), x, y,
                        layer, level)
HEDDLE_TEXTURE_FUNCTION(texCubemapLod, level_cube, (float x, float y, float z, float level), x, y, z, level)
HEDDLE_TEXTURE_FUNCTION(tex1DGrad, gradient_1d, (float x, float dx, float dy), x, dx, dy)
HEDDLE_TEXTURE_FUNCTION(tex2DGrad, gradient_2d, (float x, float y, float2 dx, float2 dy), x, y, dx, dy)
HEDDLE_TEXTURE_FUNCTION(tex3DGrad, gradient_3d, (float x, float y, float z, float4 dx, float4 dy), x, y, z,
                        dx, dy)
#undef HEDDLE_TEXTURE_FUNCTION

/// One component of the four texels around the place.
template <class T>
static __device__ __forceinline__ T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
    typename heddle_texture::Raw<T>::type r;
    heddle_texture::gather(r, t, x, y, component);
    return heddle_texture::Convert<decltype(r), T>::from(r);
}
template <class T>
static __device__ __forceinline__ void tex2Dgather(T* result, cudaTextureObject_t t, float x, float y,
                                                   int component = 0) {
    *result = tex2Dgather<T>(t, x, y, component);
}

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

/// A texture reference: a variable at file scope that the host binds to memory.
template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    __host__ texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                     cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
    __host__ texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                     cudaChannelFormatDesc desc) {
        *static_cast<textureReference*>(this) = textureReference{};
        normalized = norm;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = desc;
        // Heddle's runtime looks here for the read mode.
        reserved[0] = mode;
    }
};

namespace heddle_texture {

struct Floats {
    float x, y, z, w;
};
struct Ints {
    int x, y, z, w;
};

/// clang gives a function that is named like the intrinsic the texture's handle.
template <class Texture>
struct Intrinsics {
    static __device__ Floats fetch_1d_f(Texture t, int x) asm("llvm.nvvm.tex.unified.1d.v4f32.s32");
    static __device__ Ints fetch_1d_s(Texture t, int x) asm("llvm.nvvm.tex.unified.1d.v4s32.s32");
    static __device__ Floats at_1d_f(Texture t, float x) asm("llvm.nvvm.tex.unified.1d.v4f32.f32");
    static __device__ Ints at_1d_s(Texture t, float x) asm("llvm.nvvm.tex.unified.1d.v4s32.f32");
    static __device__ Floats at_2d_f(Texture t, float x, float y) asm("llvm.nvvm.tex.unified.2d.v4f32.f32");
    static __device__ Ints at_2d_s(Texture t, float x, float y) asm("llvm.nvvm.tex.unified.2d.v4s32.f32");
    static __device__ Floats at_3d_f(Texture t, float x, float y,
                                     float z) asm("llvm.nvvm.tex.unified.3d.v4f32.f32");
    static __device__ Ints at_3d_s(Texture t, float x, float y,
                                   float z) asm("llvm.nvvm.tex.unified.3d.v4s32.f32");
};

template <class T, cudaTextureReadMode mode>
struct Result {
    using type = T;
};
template <class T>
struct Result<T, cudaReadModeNormalizedFloat> {
    using type = typename Raw<T>::fraction;
};
template <class T>
struct IsFloat {
    static constexpr bool value = false;
};
template <>
struct IsFloat<float4> {
    static constexpr bool value = true;
};

}  // namespace heddle_texture

#define HEDDLE_REFERENCE_FUNCTION(name, implementation, kind, parameters, ...)               \
    template <class T, cudaTextureReadMode mode>                                             \
    static __device__ __forceinline__ typename heddle_texture::Result<T, mode>::type name(   \
        texture<T, kind, mode> t, HEDDLE_STRIP parameters) {                                 \
        using R = typename heddle_texture::Result<T, mode>::type;                            \
        using I = heddle_texture::Intrinsics<texture<T, kind, mode>>;                        \
        if constexpr (heddle_texture::IsFloat<typename heddle_texture::Raw<R>::type>::value) \
            return heddle_texture::Convert<heddle_texture::Floats, R>::from(                 \
                I::implementation##_f(t, __VA_ARGS__));                                      \
        else                                                                                 \
            return heddle_texture::Convert<heddle_texture::Ints, R>::from(                   \
                I::implementation##_s(t, __VA_ARGS__));                                      \
    }
HEDDLE_REFERENCE_FUNCTION(tex1Dfetch, fetch_1d, cudaTextureType1D, (int x), x)
HEDDLE_REFERENCE_FUNCTION(tex1D, at_1d, cudaTextureType1D, (float x), x)
HEDDLE_REFERENCE_FUNCTION(tex2D, at_2d, cudaTextureType2D, (float x, float y), x, y)
HEDDLE_REFERENCE_FUNCTION(tex3D, at_3d, cudaTextureType3D, (float x, float y, float z), x, y, z)
#undef HEDDLE_REFERENCE_FUNCTION

#undef HEDDLE_STRIP

// The runtime's functions of texture references.
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& t, const void* p,
                                          const cudaChannelFormatDesc& desc, size_t bytes = UINT_MAX) {
    return ::cudaBindTexture(offset, static_cast<const textureReference*>(&t), p, &desc, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& t, const void* p,
                                          size_t bytes = UINT_MAX) {
    return ::cudaBindTexture(offset, static_cast<const textureReference*>(&t), p, &t.channelDesc, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& t, const void* p,
                                            const cudaChannelFormatDesc& desc, size_t width, size_t height,
                                            size_t pitch) {
    return ::cudaBindTexture2D(offset, static_cast<const textureReference*>(&t), p, &desc, width, height,
                               pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& desc) {
    return ::cudaBindTextureToArray(static_cast<const textureReference*>(&t), array, &desc);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& t, cudaArray_const_t array) {
    return ::cudaBindTextureToArray(static_cast<const textureReference*>(&t), array, &t.channelDesc);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& t) {
    return ::cudaUnbindTexture(static_cast<const textureReference*>(&t));
}
