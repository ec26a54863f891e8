// Texture objects and texture references over arrays, linear and pitched memory (ptx/texture.h).

#include <optional>

#include "cuda/runtime/runtime.h"

using namespace heddle::cuda;
using heddle::u32;
using heddle::u64;
using heddle::u8;
namespace ptx = heddle::ptx;

namespace {

void set_format(ptx::TextureDescriptor& t, const cudaChannelFormatDesc& f) {
    const int bits = f.x;
    require(bits == 8 || bits == 16 || bits == 32, cudaErrorInvalidChannelDescriptor);
    const int channels = 1 + (f.y != 0) + (f.z != 0) + (f.w != 0);
    require(
        channels != 3 && (f.y == 0 || f.y == bits) && (f.z == 0 || f.z == bits) && (f.w == 0 || f.w == bits),
        cudaErrorInvalidChannelDescriptor);
    t.channels = static_cast<u8>(channels);
    t.channel_bits = static_cast<u8>(bits);
    require(f.f != cudaChannelFormatKindNone, cudaErrorInvalidChannelDescriptor);
    t.kind = f.f == cudaChannelFormatKindSigned     ? ptx::ChannelKind::signed_int
             : f.f == cudaChannelFormatKindUnsigned ? ptx::ChannelKind::unsigned_int
                                                    : ptx::ChannelKind::floating;
}

void set_array(ptx::TextureDescriptor& t, const Array& a) {
    set_format(t, a.format);
    t.address = a.address;
    t.width = static_cast<u32>(a.extent.width);
    t.height = static_cast<u32>(a.rows());
    t.depth = static_cast<u32>(a.slices());
    t.row_pitch = a.pitch;
    t.slice_pitch = a.slice;
    t.layered = (a.flags & cudaArrayLayered) != 0;
    t.cube = (a.flags & cudaArrayCubemap) != 0;
    t.dimensions = static_cast<u8>(t.cube                              ? 2
                                   : a.extent.depth != 0 && !t.layered ? 3
                                   : a.extent.height != 0              ? 2
                                                                       : 1);
}

void set_sampling(ptx::TextureDescriptor& t, const cudaTextureAddressMode* address,
                  cudaTextureFilterMode filter, bool normalized, bool read_normalized) {
    for (std::size_t k = 0; k < 3; ++k) t.address_mode[k] = static_cast<ptx::AddressMode>(address[k]);
    t.filter = filter == cudaFilterModeLinear ? ptx::FilterMode::linear : ptx::FilterMode::point;
    t.normalized_coordinates = normalized;
    t.read_normalized = read_normalized;
    // Integers can only be filtered if they are read as fractions.
    require(t.filter == ptx::FilterMode::point || t.kind == ptx::ChannelKind::floating || read_normalized,
            cudaErrorInvalidFilterSetting);
}

struct Object {
    cudaResourceDesc resource;
    cudaTextureDesc description;
    std::optional<cudaResourceViewDesc> view;
};
std::map<u64, Object> objects;     // by handle
std::map<const void*, u64> bound;  // handle by texture reference

ptx::TextureDescriptor descriptor(Runtime& r, const cudaResourceDesc& resource) {
    ptx::TextureDescriptor t;
    switch (resource.resType) {
        case cudaResourceTypeArray:
            set_array(t, r.array(resource.res.array.array));
            break;
        case cudaResourceTypeMipmappedArray: {
            const auto at = r.mipmapped.find(reinterpret_cast<u64>(resource.res.mipmap.mipmap));
            require(at != r.mipmapped.end(), cudaErrorInvalidResourceHandle);
            for (const u64 handle : at->second) {
                const Array& a = r.array(reinterpret_cast<cudaArray_t>(handle));
                if (t.levels.empty()) set_array(t, a);
                t.levels.push_back({a.address, static_cast<u32>(a.extent.width), static_cast<u32>(a.rows()),
                                    static_cast<u32>(a.slices()), a.pitch, a.slice});
            }
            break;
        }
        case cudaResourceTypeLinear:
            set_format(t, resource.res.linear.desc);
            t.address = reinterpret_cast<u64>(resource.res.linear.devPtr);
            t.width = static_cast<u32>(resource.res.linear.sizeInBytes / t.texel_bytes());
            t.row_pitch = t.slice_pitch = resource.res.linear.sizeInBytes;
            require(r.memory().accessible(t.address, resource.res.linear.sizeInBytes));
            break;
        case cudaResourceTypePitch2D:
            set_format(t, resource.res.pitch2D.desc);
            t.address = reinterpret_cast<u64>(resource.res.pitch2D.devPtr);
            t.width = static_cast<u32>(resource.res.pitch2D.width);
            t.height = static_cast<u32>(resource.res.pitch2D.height);
            t.row_pitch = resource.res.pitch2D.pitchInBytes;
            t.slice_pitch = t.row_pitch * t.height;
            t.dimensions = 2;
            require(t.width != 0 && t.height != 0 && t.row_pitch >= u64{t.width} * t.texel_bytes());
            require(r.memory().find(t.address) != nullptr);
            break;
        default:
            throw CudaError{cudaErrorNotSupported};
    }
    return t;
}

/// Binds a reference: a texture with the reference's sampling, which fetches through its .texref read.
void bind(Runtime& r, const textureReference* reference, ptx::TextureDescriptor t) {
    require(reference != nullptr, cudaErrorInvalidTexture);
    std::string name;
    const auto program = r.program_of_texture(reference, name);
    // The read mode stands in the module: CUDA's textureReference does not hold it; ours does in its reserve.
    set_sampling(t, reference->addressMode, reference->filterMode, reference->normalized != 0,
                 reference->reserved[0] == 1);
    if (const auto old = bound.find(reference); old != bound.end())
        r.context().textures().destroy(old->second);
    const u64 handle = r.context().textures().create(t);
    bound[reference] = handle;
    require(program->bind_texture(name, handle), cudaErrorInvalidTexture);
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    return call("cudaGetChannelDesc", [&](Runtime& r) {
        require(desc != nullptr);
        *desc = r.array(array).format;
    });
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* d, const cudaResourceViewDesc* view) {
    return call("cudaCreateTextureObject", [&](Runtime& r) {
        require(texture != nullptr && resource != nullptr && d != nullptr);
        require(view == nullptr || view->format == 0, cudaErrorNotSupported);
        ptx::TextureDescriptor t = descriptor(r, *resource);
        // Linear memory is fetched by texel number.
        const bool linear = resource->resType == cudaResourceTypeLinear;
        set_sampling(t, d->addressMode, linear ? cudaFilterModePoint : d->filterMode,
                     d->normalizedCoords != 0, d->readMode == cudaReadModeNormalizedFloat);
        for (std::size_t k = 0; k < 4; ++k) t.border[k] = d->borderColor[k];
        t.level_filter =
            d->mipmapFilterMode == cudaFilterModeLinear ? ptx::FilterMode::linear : ptx::FilterMode::point;
        t.level_bias = d->mipmapLevelBias;
        t.least_level = d->minMipmapLevelClamp;
        t.most_level = d->maxMipmapLevelClamp;
        *texture = r.context().textures().create(t);
        Object& object = objects[*texture] = {*resource, *d, {}};
        if (view != nullptr) object.view = *view;
    });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return call("cudaDestroyTextureObject", [&](Runtime& r) {
        if (texture == 0) return;
        require(objects.erase(texture) != 0);
        r.context().textures().destroy(texture);
    });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
    return call("cudaGetTextureObjectResourceDesc", [&](Runtime&) {
        const auto at = objects.find(texture);
        require(resource != nullptr && at != objects.end());
        *resource = at->second.resource;
    });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
    return call("cudaGetTextureObjectTextureDesc", [&](Runtime&) {
        const auto at = objects.find(texture);
        require(description != nullptr && at != objects.end());
        *description = at->second.description;
    });
}
/// A surface is a texture that nobody samples.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
    return call("cudaCreateSurfaceObject", [&](Runtime& r) {
        require(surface != nullptr && resource != nullptr && resource->resType == cudaResourceTypeArray);
        require((r.array(resource->res.array.array).flags & cudaArraySurfaceLoadStore) != 0);
        *surface = r.context().textures().create(descriptor(r, *resource));
        objects[*surface] = {*resource, {}, {}};
    });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return cudaDestroyTextureObject(surface);
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
    return call("cudaGetTextureObjectResourceViewDesc", [&](Runtime&) {
        const auto at = objects.find(texture);
        require(view != nullptr && at != objects.end() && at->second.view.has_value());
        *view = *at->second.view;
    });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
    return cudaGetTextureObjectResourceDesc(resource, surface);
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* texture, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t bytes) {
    return call("cudaBindTexture", [&](Runtime& r) {
        require(desc != nullptr);
        const auto* a = r.memory().find(reinterpret_cast<u64>(pointer));
        require(a != nullptr, cudaErrorInvalidDevicePointer);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<void*>(pointer);
        resource.res.linear.desc = *desc;
        resource.res.linear.sizeInBytes = std::min<u64>(bytes, a->end() - reinterpret_cast<u64>(pointer));
        bind(r, texture, descriptor(r, resource));
        if (offset != nullptr) *offset = 0;
    });
}
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texture, const void* pointer,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height, size_t pitch) {
    return call("cudaBindTexture2D", [&](Runtime& r) {
        require(desc != nullptr);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D = {const_cast<void*>(pointer), *desc, width, height, pitch};
        bind(r, texture, descriptor(r, resource));
        if (offset != nullptr) *offset = 0;
    });
}
cudaError_t cudaBindTextureToArray(const textureReference* texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
    return call("cudaBindTextureToArray", [&](Runtime& r) {
        ptx::TextureDescriptor t;
        set_array(t, r.array(array));
        bind(r, texture, t);
    });
}
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* texture, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc*) {
    return call("cudaBindTextureToMipmappedArray", [&](Runtime& r) {
        require(texture != nullptr, cudaErrorInvalidTexture);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
        ptx::TextureDescriptor t = descriptor(r, resource);
        t.level_filter = texture->mipmapFilterMode == cudaFilterModeLinear ? ptx::FilterMode::linear
                                                                           : ptx::FilterMode::point;
        t.level_bias = texture->mipmapLevelBias;
        t.least_level = texture->minMipmapLevelClamp;
        t.most_level = texture->maxMipmapLevelClamp;
        bind(r, texture, t);
    });
}
cudaError_t cudaUnbindTexture(const textureReference* texture) {
    return call("cudaUnbindTexture", [&](Runtime& r) {
        const auto at = bound.find(texture);
        if (at == bound.end()) return;
        std::string name;
        r.program_of_texture(texture, name)->bind_texture(name, 0);
        r.context().textures().destroy(at->second);
        bound.erase(at);
    });
}
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texture) {
    return call("cudaGetTextureAlignmentOffset", [&](Runtime&) {
        require(bound.contains(texture), cudaErrorInvalidTextureBinding);
        *offset = 0;
    });
}
cudaError_t cudaGetTextureReference(const textureReference** texture, const void* symbol) {
    *texture = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
}

}  // extern "C"
