// What the API got late and what is rarely asked: logs, notifications, the device's capabilities, arrays that are not special, contexts,
// pointers, textures' descriptions, pools by place.

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <string>

#include "check.h"

#define DRIVER(call) CHECK((call) == CUDA_SUCCESS, "%s", #call)

__global__ void grow(int* p) {
    ++*p;
}

struct Heard {
    int errors = 0;
    std::string last;
};
static void hear(void* data, cudaLogLevel level, char* message, size_t length) {
    auto* const heard = static_cast<Heard*>(data);
    if (level == cudaLogLevelError) ++heard->errors;
    heard->last.assign(message, length);
}

static void logs() {
    Heard heard;
    cudaLogsCallbackHandle handle;
    cudaLogIterator now = 0, then;
    CUDA(cudaLogsRegisterCallback(hear, &heard, &handle));
    CUDA(cudaLogsCurrent(&now, 0));
    then = now;
    CHECK(cudaMemcpy(nullptr, nullptr, 4, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
    CHECK(heard.errors == 1 && heard.last.find("cudaMemcpy") != std::string::npos, "%s", heard.last.c_str());
    CUDA(cudaLogsUnregisterCallback(handle));
    CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);
    CHECK(heard.errors == 1);
    char text[4096];
    size_t size = sizeof text;
    CUDA(cudaLogsDumpToMemory(&now, text, &size, 0));
    CHECK(size == std::strlen(text) && std::strstr(text, "cudaMemcpy") != nullptr &&
          std::strstr(text, "cudaSetDevice") != nullptr && now == then + 2);
    size = sizeof text;
    CUDA(cudaLogsDumpToMemory(&now, text, &size, 0));
    CHECK(size == 0);
    size = 5;  // no line fits
    CHECK(cudaLogsDumpToMemory(&then, text, &size, 0) == cudaErrorInvalidValue && size == 0);
    const char* const path = "logs.txt";
    CUDA(cudaLogsDumpToFile(&then, path, 0));
    std::FILE* const f = std::fopen(path, "r");
    text[std::fread(text, 1, sizeof text - 1, f)] = 0;
    std::fclose(f);
    std::remove(path);
    CHECK(std::strstr(text, "cudaSetDevice") != nullptr);
    CHECK(cudaLogsCurrent(&now, 1) == cudaErrorInvalidValue);
    CUlogIterator driver;
    DRIVER(cuLogsCurrent(&driver, 0));
    CHECK(driver > then);
    cudaGetLastError();
}

static void notify(cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t) {}

static void device() {
    CUDA(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            cudaFlushGPUDirectRDMAWritesToOwner));
    DRIVER(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                      CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    size_t texels = 0;
    CUDA(cudaDeviceGetTexture1DLinearMaxWidth(&texels, &format, 0));
    CHECK(texels == size_t{1} << 28);
    DRIVER(cuDeviceGetTexture1DLinearMaxWidth(&texels, CU_AD_FORMAT_FLOAT, 4, 0));
    CHECK(texels == size_t{1} << 28);
    cudaAsyncCallbackHandle_t handle;
    CUDA(cudaDeviceRegisterAsyncNotification(0, notify, nullptr, &handle));
    CUDA(cudaDeviceUnregisterAsyncNotification(0, handle));
    CHECK(cudaDeviceUnregisterAsyncNotification(0, handle) == cudaErrorInvalidValue);
    const cudaAtomicOperation operations[2] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS};
    unsigned capabilities[2] = {9, 9};
    CUDA(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0));
    CHECK(capabilities[0] == 0 && capabilities[1] == 0);
    CHECK(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 0) == cudaErrorInvalidDevice);
    cudaMemLocation here{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    cudaMemPool_t pool, same, fresh;
    CUDA(cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned));
    CUDA(cudaDeviceGetDefaultMemPool(&same, 0));
    CHECK(pool == same);
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = here;
    CUDA(cudaMemPoolCreate(&fresh, &props));
    CUDA(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, fresh));
    CUDA(cudaMemGetMemPool(&same, &here, cudaMemAllocationTypePinned));
    CHECK(same == fresh);
    CHECK(cudaMemGetMemPool(&same, &host, cudaMemAllocationTypePinned) == cudaErrorNotSupported);
    CUDA(cudaMemPoolDestroy(fresh));
    cudaEvent_t event;
    CUDA(cudaEventCreate(&event));
    CUDA(cudaEventRecordWithFlags(event, 0, cudaEventRecordDefault));
    CUDA(cudaEventQuery(event));
    CUDA(cudaEventDestroy(event));
    cudaGetLastError();
}

static void arrays() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array, plane;
    cudaMipmappedArray_t levels;
    CUDA(cudaMallocArray(&array, &format, 16, 4));
    CUDA(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(16, 16, 0), 3, 0));
    cudaArraySparseProperties sparse;
    cudaArrayMemoryRequirements needs;
    CHECK(cudaArrayGetPlane(&plane, array, 0) == cudaErrorInvalidValue);
    CHECK(cudaArrayGetSparseProperties(&sparse, array) == cudaErrorInvalidValue);
    CHECK(cudaMipmappedArrayGetSparseProperties(&sparse, levels) == cudaErrorInvalidValue);
    CHECK(cudaArrayGetMemoryRequirements(&needs, array, 0) == cudaErrorInvalidValue);
    CHECK(cudaMipmappedArrayGetMemoryRequirements(&needs, levels, 0) == cudaErrorInvalidValue);
    CHECK(cudaMallocArray(&plane, &format, 16, 4, cudaArraySparse) == cudaErrorNotSupported);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    cudaResourceViewDesc view{}, got{};
    view.width = 16;
    view.height = 4;
    cudaTextureObject_t with, without;
    CUDA(cudaCreateTextureObject(&with, &resource, &description, &view));
    CUDA(cudaCreateTextureObject(&without, &resource, &description, nullptr));
    CUDA(cudaGetTextureObjectResourceViewDesc(&got, with));
    CHECK(got.width == 16 && got.height == 4);
    CHECK(cudaGetTextureObjectResourceViewDesc(&got, without) == cudaErrorInvalidValue);
    CUDA(cudaDestroyTextureObject(with));
    CUDA(cudaDestroyTextureObject(without));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFreeMipmappedArray(levels));

    CUarray driver;
    CUDA_ARRAY_DESCRIPTOR shape{16, 4, CU_AD_FORMAT_FLOAT, 2};
    DRIVER(cuArrayCreate(&driver, &shape));
    CUDA_RESOURCE_DESC from{}, back{};
    from.resType = CU_RESOURCE_TYPE_ARRAY;
    from.res.array.hArray = driver;
    CUDA_TEXTURE_DESC how{}, how_back{};
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    CUtexObject texture;
    DRIVER(cuTexObjectCreate(&texture, &from, &how, nullptr));
    DRIVER(cuTexObjectGetResourceDesc(&back, texture));
    DRIVER(cuTexObjectGetTextureDesc(&how_back, texture));
    CHECK(back.resType == CU_RESOURCE_TYPE_ARRAY && back.res.array.hArray == driver);
    CHECK(how_back.filterMode == CU_TR_FILTER_MODE_LINEAR && how_back.flags == how.flags);
    CUDA_RESOURCE_VIEW_DESC none;
    CHECK(cuTexObjectGetResourceViewDesc(&none, texture) == CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuTexObjectDestroy(texture));
    CHECK(cuTexObjectGetResourceDesc(&back, texture) == CUDA_ERROR_INVALID_VALUE);
    DRIVER(cuArrayDestroy(driver));
    cudaGetLastError();
}

static void contexts_and_pointers() {
    CUcontext context;
    DRIVER(cuCtxGetCurrent(&context));
    CUevent event;
    DRIVER(cuEventCreate(&event, 0));
    DRIVER(cuCtxRecordEvent(context, event));
    DRIVER(cuCtxWaitEvent(context, event));
    DRIVER(cuEventRecordWithFlags(event, nullptr, 0));
    DRIVER(cuEventDestroy(event));
    int supported = 9;
    DRIVER(cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
    CUexecAffinityParam affinity;
    CHECK(supported == 0 && cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT) ==
                                CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    unsigned flags = 0;
    DRIVER(cuCtxSetFlags(CU_CTX_SCHED_YIELD));
    DRIVER(cuCtxGetFlags(&flags));
    CHECK(flags == CU_CTX_SCHED_YIELD);
    int* const p = managed<int>(64);
    CUdeviceptr at = reinterpret_cast<CUdeviceptr>(p) + 8, start = 0;
    unsigned managed_memory = 0, type = 0;
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
    void* data[] = {&managed_memory, &type, &start};
    DRIVER(cuPointerGetAttributes(3, which, data, at));
    CHECK(managed_memory == 1 && type == CU_MEMORYTYPE_DEVICE && start == at - 8);
    int mine = 0;
    DRIVER(cuPointerGetAttributes(3, which, data, reinterpret_cast<CUdeviceptr>(&mine)));
    CHECK(managed_memory == 0 && type == 0 && start == 0);
    // Each answer has its own size.
    unsigned char capable[4] = {9, 9, 9, 9};
    int access_flags[2] = {9, 9}, ordinal[2] = {9, 9};
    CUpointer_attribute narrow[] = {CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                    CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void* narrow_data[] = {capable, access_flags, ordinal};
    DRIVER(cuPointerGetAttributes(3, narrow, narrow_data, reinterpret_cast<CUdeviceptr>(&mine)));
    CHECK(capable[0] == 0 && capable[1] == 9 && access_flags[0] == 0 && access_flags[1] == 9);
    CHECK(ordinal[0] == CU_DEVICE_INVALID && ordinal[1] == 9);
    unsigned sync = 1;
    DRIVER(cuPointerSetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, at));
    unsigned long long access = 0;
    const CUmemLocation here{CU_MEM_LOCATION_TYPE_DEVICE, 0};
    DRIVER(cuMemGetAccess(&access, &here, at));
    CHECK(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    // A pool of the driver's, and what is from it.
    CUmemPoolProps props{};
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location = here;
    CUmemoryPool pool, of = nullptr;
    DRIVER(cuMemPoolCreate(&pool, &props));
    cuuint64_t threshold = 12345, got = 0;
    DRIVER(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &got));
    CHECK(got == 12345);
    CUdeviceptr taken;
    DRIVER(cuMemAllocFromPoolAsync(&taken, 1000, pool, nullptr));
    DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &got));
    CHECK(got == 1000, "%lu", static_cast<unsigned long>(got));
    DRIVER(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, taken));
    CHECK(of == pool);
    DRIVER(cuMemFreeAsync(taken, nullptr));
    DRIVER(cuMemPoolTrimTo(pool, 0));
    DRIVER(cuMemPoolDestroy(pool));
    CUDA_LAUNCH_PARAMS launch{};
    cudaFunction_t function;
    CUDA(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(grow)));
    *p = 1;
    void* arguments[] = {const_cast<int**>(&p)};
    launch.function = function;
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    launch.kernelParams = arguments;
    DRIVER(cuLaunchCooperativeKernelMultiDevice(&launch, 1, 0));
    DRIVER(cuCtxSynchronize());
    CHECK(*p == 2);
}

/// By name, in the form of the version that asks.
static void forms() {
    const struct {
        const char* name;
        int version;
        const char* form;
    } cases[] = {{"cuGraphAddNode", 12020, "cuGraphAddNode"},
                 {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
                 {"cuStreamGetCaptureInfo", 11020, "cuStreamGetCaptureInfo"},
                 {"cuStreamGetCaptureInfo", 12000, "cuStreamGetCaptureInfo_v2"},
                 {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
                 {"cuMemcpyBatchAsync", 12080, "cuMemcpyBatchAsync"},
                 {"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync_v2"},
                 {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
                 {"cuGraphAddKernelNode", 11080, "cuGraphAddKernelNode"},
                 {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
                 {"cuGraphExecUpdate", 11080, "cuGraphExecUpdate"},
                 {"cuGraphInstantiate", 11080, "cuGraphInstantiate_v2"},
                 {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"},
                 {"cuGetProcAddress", 11080, "cuGetProcAddress"},
                 {"cuLibraryLoadData", 12000, "cuLibraryLoadData"}};
    for (const auto& c : cases) {
        void* found = nullptr;
        CHECK(cuGetProcAddress(c.name, &found, c.version, 0, nullptr) == CUDA_SUCCESS, "%s", c.name);
        CHECK(found == dlsym(RTLD_DEFAULT, c.form), "%s of %d", c.name, c.version);
    }
    // By the loader: first forms, whose parameters may be fewer, and those of a default stream a thread.
    auto* const look_up = reinterpret_cast<CUresult (*)(const char*, void**, int, cuuint64_t)>(
        dlsym(RTLD_DEFAULT, "cuGetProcAddress"));
    void* found = nullptr;
    CHECK(look_up != nullptr && look_up("cuMemAlloc", &found, 11030, 0) == CUDA_SUCCESS && found != nullptr);
    for (const char* name : {"cuGraphInstantiate", "cuStreamBeginCapture", "cuLaunchKernel_ptsz",
                             "cuMemcpyHtoD_v2_ptds", "cuStreamWriteValue32_v2_ptsz"})
        CHECK(dlsym(RTLD_DEFAULT, name) != nullptr, "%s", name);
}

int main() {
    CUDA(cudaFree(nullptr));
    logs();
    device();
    arrays();
    contexts_and_pointers();
    forms();
    return finished();
}
