// The driver API: modules from PTX text, files and several texts linked; launches in each form; memory, arrays, textures, streams,
// events, contexts; handles that the runtime takes as well; errors as codes. Also by dlopen, as programs look it up.

#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <string>
#include <vector>

#include "library.h"

// y[i] = a * x[i] + y[i], counted in `calls`.
static const char* const kAxpy = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .global .align 4 .u32 calls = 5;
.visible .entry axpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<8>;
    ld.param.u32 %r1, [n];
    ld.param.f32 %f1, [a];
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    setp.ne.u32 %p2, %r5, 0;
    @%p2 bra COUNTED;
    atom.global.add.u32 %r6, [calls], 1;
COUNTED:
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    ld.global.f32 %f3, [%rd5];
    fma.rn.f32 %f4, %f1, %f2, %f3;
    st.global.f32 [%rd5], %f4;
DONE:
    ret;
}
)";
static const char* const kCaller = R"(
.version 6.4
.target sm_70
.address_size 64
.extern .func (.param .b32 out) twice (.param .b32 in);
.visible .entry call(.param .u64 p)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [%rd1];
    {
    .param .b32 a;
    st.param.b32 [a], %r1;
    .param .b32 b;
    call.uni (b), twice, (a);
    ld.param.b32 %r2, [b];
    }
    st.global.u32 [%rd1], %r2;
    ret;
}
)";
static const char* const kCallee = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .func (.param .b32 out) twice (.param .b32 in)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [in];
    add.u32 %r2, %r1, %r1;
    st.param.b32 [out], %r2;
    ret;
}
)";

__global__ void runtime_kernel(int* p) {
    *p += 100;
}

__global__ void fetch(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}

__global__ void double_texels(cudaSurfaceObject_t surface) {
    float v;
    surf1Dread(&v, surface, threadIdx.x * 4);
    surf1Dwrite(2 * v, surface, threadIdx.x * 4);
}

__global__ void fetch_level(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex1DLod<float>(texture, (threadIdx.x + 0.5f) / 4, 1);
}

static void launches(CUmodule module) {
    constexpr int n = 1000;
    std::vector<float> x(n), y(n), got(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = 1;
    CUdeviceptr dx, dy;
    OK(cuMemAlloc(&dx, n * sizeof(float)));
    OK(cuMemAlloc(&dy, n * sizeof(float)));
    OK(cuMemcpyHtoD(dx, x.data(), n * sizeof(float)));
    OK(cuMemcpyHtoD(dy, y.data(), n * sizeof(float)));
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, "axpy"));
    EXPECT(cuModuleGetFunction(&f, module, "no_such") == CUDA_ERROR_NOT_FOUND);
    // Pointers to arguments; one packed block; the calls of CUDA 3.
    unsigned count = n;
    float a = 2;
    void* pointers[] = {&count, &a, &dx, &dy};
    OK(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, nullptr, pointers, nullptr));
    struct {
        unsigned n;
        float a;
        CUdeviceptr x, y;
    } packed{count, 3, dx, dy};
    size_t bytes = sizeof packed;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
    OK(cuFuncSetBlockShape(f, 256, 1, 1));
    OK(cuParamSeti(f, 0, count));
    OK(cuParamSetf(f, 4, 5));
    OK(cuParamSetv(f, 8, &dx, sizeof dx));
    OK(cuParamSetv(f, 16, &dy, sizeof dy));
    OK(cuParamSetSize(f, 24));
    OK(cuLaunchGrid(f, 4, 1));
    OK(cuMemcpyDtoHAsync(got.data(), dy, n * sizeof(float), stream));
    OK(cuStreamSynchronize(stream));
    OK(cuStreamDestroy(stream));
    for (int i = 0; i < n; ++i) EXPECT(got[i] == 1 + 10 * static_cast<float>(i));
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 4096, 1, 1, 0, nullptr, pointers, nullptr) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, nullptr, pointers, extra) == CUDA_ERROR_INVALID_VALUE);

    CUdeviceptr calls;
    size_t size;
    unsigned value;
    OK(cuModuleGetGlobal(&calls, &size, module, "calls"));
    EXPECT(size == 4);
    OK(cuMemcpyDtoH(&value, calls, 4));
    EXPECT(value == 5 + 3);
    int blocks, grid, block, threads;
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 128, 0));
    EXPECT(blocks >= 1);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, nullptr, 0, 0));
    EXPECT(block % 32 == 0 && grid >= 1);
    OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, f));
    EXPECT(threads >= 256);
    CUmodule of;
    OK(cuFuncGetModule(&of, f));
    EXPECT(of == module);
    OK(cuMemFree(dx));
    OK(cuMemFree(dy));
    EXPECT(cuMemFree(dy) == CUDA_ERROR_INVALID_VALUE);
}

static void links() {
    CUlinkState state;
    OK(cuLinkCreate(0, nullptr, nullptr, &state));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(kCaller), std::strlen(kCaller) + 1, "caller",
                     0, nullptr, nullptr));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(kCallee), std::strlen(kCallee), "callee", 0,
                     nullptr, nullptr));
    void* image;
    size_t bytes;
    OK(cuLinkComplete(state, &image, &bytes));
    CUmodule module;
    OK(cuModuleLoadData(&module, image));
    OK(cuLinkDestroy(state));
    CUfunction f;
    OK(cuModuleGetFunction(&f, module, "call"));
    CUdeviceptr p;
    OK(cuMemAllocManaged(&p, 4, CU_MEM_ATTACH_GLOBAL));
    *reinterpret_cast<int*>(p) = 21;
    void* params[] = {&p};
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
    OK(cuCtxSynchronize());
    EXPECT(*reinterpret_cast<int*>(p) == 42);
    // The runtime's kernels are the driver's functions.
    OK(static_cast<CUresult>(cudaGetFuncBySymbol(&f, reinterpret_cast<const void*>(runtime_kernel))));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
    runtime_kernel<<<1, 1>>>(reinterpret_cast<int*>(p));
    OK(cuCtxSynchronize());
    EXPECT(*reinterpret_cast<int*>(p) == 242);
    OK(cuModuleUnload(module));
    EXPECT(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
    // What is no PTX says so, and where.
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    EXPECT(cuModuleLoadDataEx(&module, ".version 6.4\n.target sm_70\n.visible .entry broken( {", 2, options,
                              values) == CUDA_ERROR_INVALID_PTX);
    EXPECT(std::strstr(log, ".ptx:3") != nullptr);
    EXPECT(cuModuleLoad(&module, "/no/such/file.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

static void memory() {
    CUdeviceptr p, base;
    size_t pitch, bytes;
    OK(cuMemAllocPitch(&p, &pitch, 100, 8, 4));
    OK(cuMemsetD2D16(p, pitch, 0x1234, 50, 8));
    OK(cuMemsetD32(p, 0xabcdef01, 5));
    unsigned short host[8][50];
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = p;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
    copy.WidthInBytes = 100;
    copy.Height = 8;
    OK(cuMemcpy2D(&copy));
    EXPECT(host[0][0] == 0xef01 && host[0][9] == 0xabcd && host[0][10] == 0x1234 && host[7][49] == 0x1234);
    OK(cuMemGetAddressRange(&base, &bytes, p + 10));
    EXPECT(base == p && bytes == pitch * 8);
    unsigned type;
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    EXPECT(type == CU_MEMORYTYPE_DEVICE);
    OK(cuMemFree(p));
    EXPECT(cuMemAlloc(&p, 0) == CUDA_ERROR_INVALID_VALUE);

    // Memory that is mapped by hand.
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    size_t grain;
    OK(cuMemGetAllocationGranularity(&grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUmemGenericAllocationHandle handle;
    OK(cuMemAddressReserve(&p, 2 * grain, 0, 0, 0));
    OK(cuMemCreate(&handle, grain, &properties, 0));
    OK(cuMemMap(p + grain, grain, 0, handle, 0));
    CUmemGenericAllocationHandle again;
    OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(p + grain + 100)));
    EXPECT(again == handle);
    EXPECT(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(p)) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemRelease(handle));
    CUmemAllocationProp granted{};
    OK(cuMemGetAllocationPropertiesFromHandle(&granted, handle));
    EXPECT(granted.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
           granted.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_NONE);
    OK(cuMemRelease(handle));
    EXPECT(cuMemRelease(handle) == CUDA_ERROR_INVALID_VALUE);
    CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    OK(cuMemSetAccess(p + grain, grain, &access, 1));
    OK(cuMemsetD8(p + grain, 7, grain));
    OK(cuMemUnmap(p + grain, grain));
    EXPECT(cuMemUnmap(p + grain, grain) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAddressFree(p, 2 * grain));
}

static void textures() {
    CUDA_ARRAY_DESCRIPTOR d{4, 2, CU_AD_FORMAT_FLOAT, 1}, back;
    CUarray array;
    OK(cuArrayCreate(&array, &d));
    OK(cuArrayGetDescriptor(&back, array));
    EXPECT(back.Width == 4 && back.Height == 2 && back.Format == CU_AD_FORMAT_FLOAT && back.NumChannels == 1);
    const float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = texels;
    copy.srcPitch = 16;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 16;
    copy.Height = 2;
    OK(cuMemcpy2D(&copy));
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC description{};
    for (CUaddress_mode& m : description.addressMode) m = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject texture;
    OK(cuTexObjectCreate(&texture, &resource, &description, nullptr));
    CUdeviceptr out;
    OK(cuMemAllocManaged(&out, 32, CU_MEM_ATTACH_GLOBAL));
    fetch<<<1, 8>>>(texture, reinterpret_cast<float*>(out));
    OK(cuCtxSynchronize());
    EXPECT(std::memcmp(reinterpret_cast<void*>(out), texels, 32) == 0);
    OK(cuTexObjectDestroy(texture));
    OK(cuArrayDestroy(array));
}

// A surface over the second of three levels; what it wrote is read back by the asynchronous copies and through a texture.
static void levels() {
    CUDA_ARRAY3D_DESCRIPTOR d{8, 0, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CUmipmappedArray pyramid;
    OK(cuMipmappedArrayCreate(&pyramid, &d, 3));
    CUarray level;
    OK(cuMipmappedArrayGetLevel(&level, pyramid, 1));
    EXPECT(cuMipmappedArrayGetLevel(&level, pyramid, 3) == CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY_DESCRIPTOR back;
    OK(cuArrayGetDescriptor(&back, level));
    EXPECT(back.Width == 4 && back.Format == CU_AD_FORMAT_FLOAT);
    float in[4] = {1, 2, 3, 4}, got[4];
    OK(cuMemcpyHtoAAsync(level, 0, in, sizeof in, nullptr));
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = level;
    CUsurfObject surface;
    OK(cuSurfObjectCreate(&surface, &resource));
    double_texels<<<1, 4>>>(surface);
    OK(cuMemcpyAtoHAsync(got, level, 0, sizeof got, nullptr));
    OK(cuCtxSynchronize());
    for (int k = 0; k < 4; ++k) EXPECT(got[k] == 2 * in[k]);
    OK(cuSurfObjectDestroy(surface));

    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = pyramid;
    EXPECT(cuSurfObjectCreate(&surface, &resource) == CUDA_ERROR_INVALID_VALUE);
    CUDA_TEXTURE_DESC description{};
    for (CUaddress_mode& m : description.addressMode) m = CU_TR_ADDRESS_MODE_CLAMP;
    description.flags = CU_TRSF_NORMALIZED_COORDINATES;
    description.maxMipmapLevelClamp = 2;
    CUtexObject texture;
    OK(cuTexObjectCreate(&texture, &resource, &description, nullptr));
    CUdeviceptr out;
    OK(cuMemAllocManaged(&out, 16, CU_MEM_ATTACH_GLOBAL));
    fetch_level<<<1, 4>>>(texture, reinterpret_cast<float*>(out));
    OK(cuCtxSynchronize());
    for (int k = 0; k < 4; ++k) EXPECT(reinterpret_cast<float*>(out)[k] == 2 * in[k]);
    OK(cuTexObjectDestroy(texture));
    OK(cuMemFree(out));
    OK(cuMipmappedArrayDestroy(pyramid));

    CUdeviceptr rows;
    unsigned char bytes[32];
    OK(cuMemAlloc(&rows, 32));
    OK(cuMemsetD8(rows, 1, 32));
    OK(cuMemsetD2D8Async(rows, 16, 2, 3, 2, nullptr));
    OK(cuMemcpyDtoH(bytes, rows, 32));
    EXPECT(bytes[2] == 2 && bytes[3] == 1 && bytes[18] == 2 && bytes[19] == 1);
    OK(cuMemFree(rows));
}

static void by_name() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    EXPECT(library != nullptr);
    auto* const count = reinterpret_cast<CUresult (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
    EXPECT(count != nullptr);
    int devices = 0;
    OK(count(&devices));
    EXPECT(devices == 1);
    void* allocate = nullptr;
    OK(cuGetProcAddress("cuMemAlloc", &allocate, 12000, 0, nullptr));
    CUdeviceptr p;
    OK(reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t)>(allocate)(&p, 64));
    OK(cuMemFree(p));
    // Plain names lead to the second forms; what is not supported is there as well, and says so.
    for (const char* name : {"cuMemAlloc", "cuCtxDestroy", "cuCtxPushCurrent", "cuStreamDestroy"})
        EXPECT(dlsym(library, name) == dlsym(library, (std::string(name) + "_v2").c_str()));
    auto* const create = reinterpret_cast<CUresult (*)(void**)>(dlsym(library, "cuTexRefCreate"));
    void* reference;
    EXPECT(create != nullptr && create(&reference) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuGetProcAddress("cuNoSuchFunction", &allocate, 12000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
}

static void count_up(CUstream, CUresult status, void* data) {
    EXPECT(status == CUDA_SUCCESS);
    ++*static_cast<int*>(data);
}

int main() {
    OK(cuInit(0));
    CUdevice device;
    OK(cuDeviceGet(&device, 0));
    EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
    char name[64];
    int major, threads;
    OK(cuDeviceGetName(name, sizeof name, device));
    EXPECT(std::strncmp(name, "Heddle", 6) == 0);
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    EXPECT(major == 9);
    OK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    EXPECT(threads == 1024);
    const char* text;
    OK(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
    EXPECT(std::string(text) == "CUDA_ERROR_INVALID_PTX");
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    EXPECT(std::string(text) == "out of memory");

    CUcontext context, other, current;
    OK(cuCtxCreate(&context, 0, device));
    CUctxCreateParams params{};
    OK(cuCtxCreate(&other, &params, 0, device));
    OK(cuCtxGetCurrent(&current));
    EXPECT(current == other);
    OK(cuCtxDestroy(other));
    EXPECT(cuCtxSetCurrent(other) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxGetCurrent(&current));
    EXPECT(current == context);

    CUmodule module;
    OK(cuModuleLoadData(&module, kAxpy));
    launches(module);
    links();
    memory();
    textures();
    levels();
    by_name();
    CUevent begin, end;
    OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    OK(cuEventRecord(begin, nullptr));
    int calls = 0;
    OK(cuStreamAddCallback(nullptr, count_up, &calls, 0));
    OK(cuEventRecord(end, nullptr));
    OK(cuEventSynchronize(end));
    float ms = -1;
    OK(cuEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0 && calls == 1);
    OK(cuModuleUnload(module));
    OK(cuCtxDestroy(context));
    std::printf("driver done\n");
}
