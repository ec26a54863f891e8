// Surfaces, gathers, levels of detail and gradients, against the arrays' contents.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "check.h"

constexpr int kWidth = 13, kHeight = 7, kDepth = 5;

template <class T>
T made(int i) {
    T v;
    unsigned char bytes[sizeof(T)];
    for (unsigned k = 0; k < sizeof(T); ++k) bytes[k] = static_cast<unsigned char>(i * 7 + static_cast<int>(k) * 31 + 1);
    std::memcpy(&v, bytes, sizeof v);
    return v;
}
template <class T>
bool same(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Every element moves by one, and a frame outside is read as zeros, as the edge, and written nowhere.
template <class T>
__global__ void move_2d(cudaSurfaceObject_t from, cudaSurfaceObject_t to, T* zeros, T* edges) {
    const int x = static_cast<int>(threadIdx.x) - 1, y = static_cast<int>(threadIdx.y) - 1;
    T v;
    surf2Dread(&v, from, x * static_cast<int>(sizeof(T)), y, cudaBoundaryModeZero);
    zeros[threadIdx.y * blockDim.x + threadIdx.x] = v;
    edges[threadIdx.y * blockDim.x + threadIdx.x] = surf2Dread<T>(from, x * static_cast<int>(sizeof(T)), y, cudaBoundaryModeClamp);
    surf2Dwrite(v, to, (x + 1) * static_cast<int>(sizeof(T)), y, cudaBoundaryModeZero);
}
template <class T>
__global__ void move_3d(cudaSurfaceObject_t from, cudaSurfaceObject_t to, bool layered) {
    const int x = static_cast<int>(threadIdx.x * sizeof(T)), y = static_cast<int>(threadIdx.y), z = static_cast<int>(threadIdx.z);
    if (layered)
        surf2DLayeredwrite(surf2DLayeredread<T>(from, x, y, kDepth - 1 - z), to, x, y, z);
    else
        surf3Dwrite(surf3Dread<T>(from, x, y, kDepth - 1 - z), to, x, y, z);
}
__global__ void move_1d(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = static_cast<int>(threadIdx.x);
    surf1Dwrite(surf1Dread<short>(from, 2 * x), to, 2 * (kWidth - 1 - x));
}
template <class T>
cudaArray_t array_of(int width, int height, int depth, unsigned flags, std::vector<T>& values) {
    cudaArray_t array;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    CUDA(cudaMalloc3DArray(&array, &desc, make_cudaExtent(width, height, depth), cudaArraySurfaceLoadStore | flags));
    values.resize(width * std::max(height, 1) * std::max(depth, 1));
    for (unsigned k = 0; k < values.size(); ++k) values[k] = made<T>(static_cast<int>(k));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(T), width, std::max(height, 1));
    p.dstArray = array;
    p.extent = make_cudaExtent(width, std::max(height, 1), std::max(depth, 1));
    p.kind = cudaMemcpyHostToDevice;
    CUDA(cudaMemcpy3D(&p));
    return array;
}
template <class T>
std::vector<T> contents(cudaArray_t array, int width, int height, int depth) {
    std::vector<T> values(width * std::max(height, 1) * std::max(depth, 1));
    cudaMemcpy3DParms p = {};
    p.dstPtr = make_cudaPitchedPtr(values.data(), width * sizeof(T), width, std::max(height, 1));
    p.srcArray = array;
    p.extent = make_cudaExtent(width, std::max(height, 1), std::max(depth, 1));
    p.kind = cudaMemcpyDeviceToHost;
    CUDA(cudaMemcpy3D(&p));
    return values;
}
cudaSurfaceObject_t surface_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CUDA(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

template <class T>
void check_2d(const char* name) {
    std::vector<T> before, other;
    cudaArray_t a = array_of<T>(kWidth, kHeight, 0, 0, before), b = array_of<T>(kWidth, kHeight, 0, 0, other);
    const int columns = kWidth + 2, rows = kHeight + 2;
    T *zeros = managed<T>(columns * rows), *edges = managed<T>(columns * rows);
    const cudaSurfaceObject_t from = surface_of(a), to = surface_of(b);
    move_2d<T><<<1, dim3(columns, rows)>>>(from, to, zeros, edges);
    CUDA(cudaDeviceSynchronize());
    const std::vector<T> after = contents<T>(b, kWidth, kHeight, 0);
    T zero;
    std::memset(&zero, 0, sizeof zero);
    for (int y = -1; y <= kHeight; ++y)
        for (int x = -1; x <= kWidth; ++x) {
            const int at = (y + 1) * columns + x + 1;
            const bool inside = x >= 0 && x < kWidth && y >= 0 && y < kHeight;
            const int cx = std::min(std::max(x, 0), kWidth - 1), cy = std::min(std::max(y, 0), kHeight - 1);
            CHECK(same(zeros[at], inside ? before[y * kWidth + x] : zero), "%s (%d, %d)", name, x, y);
            CHECK(same(edges[at], before[cy * kWidth + cx]), "%s (%d, %d)", name, x, y);
            if (inside) CHECK(same(after[y * kWidth + x], x > 0 ? before[y * kWidth + x - 1] : zero), "%s (%d, %d)", name, x, y);
        }
    CUDA(cudaDestroySurfaceObject(from));
    CUDA(cudaDestroySurfaceObject(to));
    CUDA(cudaFreeArray(a));
    CUDA(cudaFreeArray(b));
}
template <class T>
void check_3d(bool layered) {
    std::vector<T> before, other;
    const unsigned flags = layered ? cudaArrayLayered : 0;
    cudaArray_t a = array_of<T>(kWidth, kHeight, kDepth, flags, before), b = array_of<T>(kWidth, kHeight, kDepth, flags, other);
    move_3d<T><<<1, dim3(kWidth, kHeight, kDepth)>>>(surface_of(a), surface_of(b), layered);
    CUDA(cudaDeviceSynchronize());
    const std::vector<T> after = contents<T>(b, kWidth, kHeight, kDepth);
    for (int z = 0; z < kDepth; ++z)
        for (int k = 0; k < kWidth * kHeight; ++k)
            CHECK(same(after[z * kWidth * kHeight + k], before[(kDepth - 1 - z) * kWidth * kHeight + k]), "layered %d, slice %d", layered, z);
}

__global__ void gather(cudaTextureObject_t t, float4* out) {
    const int i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    // Between four texels.
    const float x = static_cast<float>(threadIdx.x + 1), y = static_cast<float>(threadIdx.y + 1);
    out[2 * i] = tex2Dgather<float4>(t, x, y, 0);
    tex2Dgather(&out[2 * i + 1], t, x, y, 3);
}
void check_gather() {
    cudaArray_t array;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();
    CUDA(cudaMallocArray(&array, &desc, 8, 8, cudaArrayTextureGather));
    std::vector<float4> texels(64);
    for (int k = 0; k < 64; ++k) texels[k] = make_float4(k, 100 + k, 200 + k, 300 + k);
    CUDA(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 8 * 16, 8 * 16, 8, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t t = 0;
    CUDA(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    float4* out = managed<float4>(2 * 49);
    gather<<<1, dim3(7, 7)>>>(t, out);
    CUDA(cudaDeviceSynchronize());
    for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 7; ++x)
            for (int c = 0; c < 2; ++c) {
                const float4 v = out[2 * (y * 7 + x) + c];
                const float base = static_cast<float>(y * 8 + x + 300 * c);
                CHECK(v.x == base + 8 && v.y == base + 9 && v.z == base + 1 && v.w == base, "(%d, %d): %f %f %f %f", x, y, v.x, v.y, v.z, v.w);
            }
}

__global__ void levels(cudaTextureObject_t t, float* out) {
    const float lod = 0.25f * static_cast<float>(threadIdx.x);
    out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, lod);
    // As many texels of level 0 from pixel to pixel as a texel of the level has.
    const float change = exp2f(lod) / 16;
    out[32 + threadIdx.x] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(change, 0), make_float2(0, change / 2));
    out[64 + threadIdx.x] = tex2D<float>(t, 0.5f, 0.5f);
}
void check_levels(bool between) {
    cudaMipmappedArray_t array;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CUDA(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(16, 16, 0), 5));
    for (unsigned k = 0; k < 5; ++k) {
        cudaArray_t level;
        CUDA(cudaGetMipmappedArrayLevel(&level, array, k));
        cudaExtent extent;
        CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
        CHECK(extent.width == 16u >> k && extent.height == 16u >> k);
        const std::vector<float> texels(extent.width * extent.height, 10.0f * static_cast<float>(k * k));
        CUDA(cudaMemcpy2DToArray(level, 0, 0, texels.data(), extent.width * 4, extent.width * 4, extent.height, cudaMemcpyHostToDevice));
    }
    cudaArray_t none;
    CHECK(cudaGetMipmappedArrayLevel(&none, array, 5) == cudaErrorInvalidValue);
    cudaGetLastError();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.filterMode = cudaFilterModeLinear;
    how.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
    how.maxMipmapLevelClamp = 3;
    cudaTextureObject_t t = 0;
    CUDA(cudaCreateTextureObject(&t, &resource, &how, nullptr));
    float* out = managed<float>(96);
    levels<<<1, 20>>>(t, out);
    CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 20; ++k) {
        const float lod = std::min(0.25f * static_cast<float>(k), 3.0f), low = between ? std::floor(lod) : std::floor(lod + 0.5f), part = between ? lod - low : 0;
        const float want = 10 * ((1 - part) * low * low + part * (low + 1) * (low + 1));
        CHECK(std::fabs(out[k] - want) < 1e-4f, "%d: %f, not %f", k, out[k], want);
        CHECK(std::fabs(out[32 + k] - want) < 0.3f || (!between && k % 4 == 2), "%d: %f, not %f", k, out[32 + k], want);
        CHECK(out[64 + k] == 0);
    }
    CUDA(cudaDestroyTextureObject(t));
    CUDA(cudaFreeMipmappedArray(array));
}

int main() {
    check_2d<unsigned char>("byte");
    check_2d<short>("short");
    check_2d<float>("float");
    check_2d<int2>("int2");
    check_2d<float4>("float4");
    check_2d<uchar4>("uchar4");
    check_3d<float>(false);
    check_3d<ushort2>(true);
    std::vector<short> before, other;
    cudaArray_t a = array_of<short>(kWidth, 0, 0, 0, before), b = array_of<short>(kWidth, 0, 0, 0, other);
    move_1d<<<1, kWidth>>>(surface_of(a), surface_of(b));
    CUDA(cudaDeviceSynchronize());
    const std::vector<short> after = contents<short>(b, kWidth, 0, 0);
    for (int k = 0; k < kWidth; ++k) CHECK(after[k] == before[kWidth - 1 - k]);
    check_gather();
    check_levels(false);
    check_levels(true);

    // An array that is not made for it is no surface.
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t plain;
    CUDA(cudaMallocArray(&plain, &desc, 8, 8));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = plain;
    cudaSurfaceObject_t s = 0;
    CHECK(cudaCreateSurfaceObject(&s, &resource) == cudaErrorInvalidValue);
    cudaGetLastError();
    return finished();
}
