// The driver API: arrays, textures and surfaces.

#include "cuda/runtime/driver.h"

using namespace heddle::cuda;

namespace {

struct FormatBits {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
};
constexpr FormatBits kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

cudaChannelFormatDesc channels(CUarray_format format, unsigned count) {
    require(count == 1 || count == 2 || count == 4);
    for (const FormatBits& f : kFormats)
        if (f.format == format)
            return {f.bits, count > 1 ? f.bits : 0, count > 2 ? f.bits : 0, count > 2 ? f.bits : 0, f.kind};
    throw CudaError{cudaErrorInvalidValue};
}

void describe(const Array& a, CUDA_ARRAY3D_DESCRIPTOR& d) {
    d = {};
    d.Width = a.extent.width;
    d.Height = a.extent.height;
    d.Depth = a.extent.depth;
    d.NumChannels = 1u + (a.format.y != 0) + (a.format.z != 0) + (a.format.w != 0);
    d.Flags = a.flags;
    for (const FormatBits& f : kFormats)
        if (f.bits == a.format.x && f.kind == a.format.f) d.Format = f.format;
}

void make_array(CUarray* out, const CUDA_ARRAY3D_DESCRIPTOR& d) {
    require(out != nullptr);
    const cudaChannelFormatDesc format = channels(d.Format, d.NumChannels);
    if (const cudaError_t e = cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(out), &format,
                                                {d.Width, d.Height, d.Depth}, d.Flags);
        e != cudaSuccess)
        throw CudaError{e};
}

cudaMipmappedArray_t mipmapped_of(CUmipmappedArray handle) {
    return reinterpret_cast<cudaMipmappedArray_t>(handle);
}

/// What textures and surfaces were made of, for a program that asks.
struct MadeObject {
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC description;
};
std::map<unsigned long long, MadeObject> made_objects;

const MadeObject& made_object(unsigned long long handle) {
    const auto at = made_objects.find(handle);
    require(at != made_objects.end());
    return at->second;
}

cudaChannelFormatDesc format_of(const cudaResourceDesc& resource) {
    if (resource.resType == cudaResourceTypeLinear) return resource.res.linear.desc;
    if (resource.resType == cudaResourceTypePitch2D) return resource.res.pitch2D.desc;
    cudaArray_t array = resource.res.array.array;
    if (resource.resType == cudaResourceTypeMipmappedArray)
        cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0);
    cudaChannelFormatDesc format{};
    cudaGetChannelDesc(&format, array);
    return format;
}

}  // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* d) {
    return driver_call("cuArrayCreate", [&](Runtime&) {
        require(d != nullptr);
        make_array(array, {d->Width, d->Height, 0, d->Format, d->NumChannels, 0});
    });
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* d, CUarray array) {
    return driver_call("cuArrayGetDescriptor", [&](Runtime& r) {
        require(d != nullptr);
        CUDA_ARRAY3D_DESCRIPTOR all;
        describe(array_of(r, array), all);
        *d = {all.Width, all.Height, all.Format, all.NumChannels};
    });
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* d) {
    return driver_call("cuArray3DCreate", [&](Runtime&) {
        require(d != nullptr);
        make_array(array, *d);
    });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* d, CUarray array) {
    return driver_call("cuArray3DGetDescriptor", [&](Runtime& r) {
        require(d != nullptr);
        describe(array_of(r, array), *d);
    });
}
CUresult cuArrayDestroy(CUarray array) {
    return driver_call([&] { return cudaFreeArray(reinterpret_cast<cudaArray_t>(array)); });
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* t, const CUDA_RESOURCE_VIEW_DESC* view) {
    return driver_call("cuTexObjectCreate", [&](Runtime&) {
        require(texture != nullptr && resource != nullptr && t != nullptr);
        require(view == nullptr, cudaErrorNotSupported);
        cudaResourceDesc from{};
        from.resType = static_cast<cudaResourceType>(resource->resType);
        switch (resource->resType) {
            case CU_RESOURCE_TYPE_ARRAY:
                from.res.array.array = reinterpret_cast<cudaArray_t>(resource->res.array.hArray);
                break;
            case CU_RESOURCE_TYPE_LINEAR: {
                const auto& l = resource->res.linear;
                from.res.linear = {pointer_at(l.devPtr), channels(l.format, l.numChannels), l.sizeInBytes};
                break;
            }
            case CU_RESOURCE_TYPE_PITCH2D: {
                const auto& p = resource->res.pitch2D;
                from.res.pitch2D = {pointer_at(p.devPtr), channels(p.format, p.numChannels), p.width,
                                    p.height, p.pitchInBytes};
                break;
            }
            case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
                from.res.mipmap.mipmap = mipmapped_of(resource->res.mipmap.hMipmappedArray);
                break;
        }
        cudaTextureDesc as{};
        for (int k = 0; k < 3; ++k) {
            as.addressMode[k] = static_cast<cudaTextureAddressMode>(t->addressMode[k]);
        }
        for (int k = 0; k < 4; ++k) as.borderColor[k] = t->borderColor[k];
        as.filterMode = static_cast<cudaTextureFilterMode>(t->filterMode);
        as.normalizedCoords = (t->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
        as.sRGB = (t->flags & CU_TRSF_SRGB) != 0;
        as.mipmapFilterMode = static_cast<cudaTextureFilterMode>(t->mipmapFilterMode);
        as.mipmapLevelBias = t->mipmapLevelBias;
        as.minMipmapLevelClamp = t->minMipmapLevelClamp;
        as.maxMipmapLevelClamp = t->maxMipmapLevelClamp;
        // The driver's textures give integers as numbers from 0 to 1 unless told otherwise; floats and whole words are what
        // they are.
        const cudaChannelFormatDesc format = format_of(from);
        const bool small = format.f != cudaChannelFormatKindFloat && format.x < 32;
        as.readMode = small && (t->flags & CU_TRSF_READ_AS_INTEGER) == 0 ? cudaReadModeNormalizedFloat
                                                                         : cudaReadModeElementType;
        if (const cudaError_t e = cudaCreateTextureObject(texture, &from, &as, nullptr); e != cudaSuccess)
            throw CudaError{e};
        made_objects[*texture] = {*resource, *t};
    });
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject texture) {
    return driver_call("cuTexObjectGetResourceDesc", [&](Runtime&) {
        require(resource != nullptr);
        *resource = made_object(texture).resource;
    });
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description, CUtexObject texture) {
    return driver_call("cuTexObjectGetTextureDesc", [&](Runtime&) {
        require(description != nullptr);
        *description = made_object(texture).description;
    });
}
/// No texture has a view.
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject texture) {
    return driver_call("cuTexObjectGetResourceViewDesc", [&](Runtime&) {
        require(view != nullptr);
        made_object(texture);
        throw CudaError{cudaErrorInvalidValue};
    });
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject surface) {
    return cuTexObjectGetResourceDesc(resource, surface);
}
CUresult cuTexObjectDestroy(CUtexObject texture) {
    return driver_call([&] {
        made_objects.erase(texture);
        return cudaDestroyTextureObject(texture);
    });
}
CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
    if (resource == nullptr || resource->resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
    cudaResourceDesc from{};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = reinterpret_cast<cudaArray_t>(resource->res.array.hArray);
    return driver_call([&] {
        const cudaError_t e = cudaCreateSurfaceObject(surface, &from);
        if (e == cudaSuccess) made_objects[*surface] = {*resource, {}};
        return e;
    });
}
CUresult cuSurfObjectDestroy(CUsurfObject surface) {
    return cuTexObjectDestroy(surface);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* d,
                                unsigned int levels) {
    return driver_call("cuMipmappedArrayCreate", [&](Runtime&) {
        require(d != nullptr);
        const cudaChannelFormatDesc format = channels(d->Format, d->NumChannels);
        if (const cudaError_t e =
                cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t*>(array), &format,
                                         {d->Width, d->Height, d->Depth}, levels, d->Flags);
            e != cudaSuccess)
            throw CudaError{e};
    });
}
CUresult cuMipmappedArrayGetLevel(CUarray* level_array, CUmipmappedArray array, unsigned int level) {
    return driver_call([&] {
        return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level_array), mipmapped_of(array),
                                          level);
    });
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
    return driver_call([&] { return cudaFreeMipmappedArray(mipmapped_of(array)); });
}

}  // extern "C"
