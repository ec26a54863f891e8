// Device attributes say what the properties do, and the driver API says the same; the context that the runtime's calls make
// current; driver functions by name; what CUDA 13 calls otherwise than CUDA 12.

#include <cuda.h>
#include <thread>

#include "check.h"

static cudaDeviceProp properties;

static void same(cudaDeviceAttr attribute, long long expected) {
    int value = -1, driver = -2;
    CUDA(cudaDeviceGetAttribute(&value, attribute, 0));
    CHECK(value == expected, "attribute %d: %d, not %lld", attribute, value, expected);
    CHECK(cuDeviceGetAttribute(&driver, static_cast<CUdevice_attribute>(attribute), 0) == CUDA_SUCCESS);
    CHECK(driver == value, "attribute %d: %d by the driver, not %d", attribute, driver, value);
}

// Questions about the device make no context current. Other calls do where the thread has none.
static void contexts() {
    CUcontext context = nullptr, primary = nullptr, own = nullptr;
    CUdevice device = -1;
    unsigned flags = 0;
    int count = 0, active = -1;
    CHECK(cuInit(0) == CUDA_SUCCESS);
    CUDA(cudaGetDeviceCount(&count));
    CUDA(cudaGetDeviceProperties(&properties, 0));
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr);
    CHECK(cuCtxGetDevice(&device) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0);
    // Nor do calls of the driver API.
    CUgraph graph = nullptr;
    CHECK(cuGraphCreate(&graph, 0) == CUDA_SUCCESS && cuGraphDestroy(graph) == CUDA_SUCCESS);
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr);
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 0);
    CUDA(cudaFree(nullptr));
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS && active == 1);
    CHECK(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == primary);
    CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS && device == 0);
    std::thread([&] { cuCtxGetCurrent(&context); }).join();
    CHECK(context == nullptr);
    CHECK(cuCtxPopCurrent(&context) == CUDA_SUCCESS && context == primary);
    CHECK(cuCtxCreate(&own, 0, 0) == CUDA_SUCCESS);
    CUDA(cudaFree(nullptr));
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == own);
    CHECK(cuCtxDestroy(own) == CUDA_SUCCESS);
    CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr);
    CHECK(cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
}

static void attributes() {
    const cudaDeviceProp& p = properties;
    same(cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]);
    same(cudaDevAttrMaxTexture2DLayeredWidth, p.maxTexture2DLayered[0]);
    same(cudaDevAttrMaxTexture2DLayeredLayers, p.maxTexture2DLayered[2]);
    same(cudaDevAttrSurfaceAlignment, static_cast<long long>(p.surfaceAlignment));
    same(cudaDevAttrMaxTexture2DGatherHeight, p.maxTexture2DGather[1]);
    same(cudaDevAttrMaxTexture3DDepthAlt, p.maxTexture3DAlt[2]);
    same(cudaDevAttrMaxTextureCubemapLayeredLayers, p.maxTextureCubemapLayered[1]);
    same(cudaDevAttrMaxSurface1DWidth, p.maxSurface1D);
    same(cudaDevAttrMaxSurface2DHeight, p.maxSurface2D[1]);
    same(cudaDevAttrMaxSurface3DDepth, p.maxSurface3D[2]);
    same(cudaDevAttrMaxSurface2DLayeredLayers, p.maxSurface2DLayered[2]);
    same(cudaDevAttrMaxSurfaceCubemapLayeredLayers, p.maxSurfaceCubemapLayered[1]);
    same(cudaDevAttrMaxTexture1DLinearWidth, p.maxTexture1DLinear);
    same(cudaDevAttrMaxTexture2DLinearPitch, p.maxTexture2DLinear[2]);
    same(cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize);
    same(cudaDevAttrMemoryPoolSupportedHandleTypes, p.memoryPoolSupportedHandleTypes);
    same(cudaDevAttrMemoryPoolsSupported, 1);
    same(cudaDevAttrIpcEventSupport, 1);
    // The numbers of the manual: both APIs number alike.
    CHECK(cudaDevAttrMaxSurface2DLayeredLayers == 65 &&
          CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS == 65);
    CHECK(cudaDevAttrHostNumaId == 134 && CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID == 134);
    CHECK(CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED == 127);
    CHECK(p.maxSurface2D[0] >= 65536 && p.maxTexture2DGather[0] >= 16384);
    int value;
    CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(255), 0) == cudaErrorInvalidValue);
}

static void entry_points() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointVersionNotSufficent;
    CUDA(cudaGetDriverEntryPoint("cuDriverGetVersion", &function, cudaEnableDefault, &result));
    CHECK(result == cudaDriverEntryPointSuccess && function != nullptr);
    int driver = 0, runtime = 0;
    if (function != nullptr) reinterpret_cast<CUresult (*)(int*)>(function)(&driver);
    CUDA(cudaDriverGetVersion(&runtime));
    CHECK(driver == runtime && driver >= 12000);
    CUDA(cudaGetDriverEntryPoint("cuNoSuchFunction", &function, cudaEnableDefault, &result));
    CHECK(result == cudaDriverEntryPointSymbolNotFound && function == nullptr);
    CHECK(cudaGetDriverEntryPoint("cuNoSuchFunction", &function, cudaEnableDefault) ==
          cudaErrorSymbolNotFound);
    cudaGetLastError();
    // The form of cuCtxGetDevice that also takes a context is CUDA 13's.
    void *older = nullptr, *newer = nullptr;
    CUDA(cudaGetDriverEntryPointByVersion("cuCtxGetDevice", &older, 12000, cudaEnableDefault));
    CUDA(cudaGetDriverEntryPointByVersion("cuCtxGetDevice", &newer, 13000, cudaEnableDefault));
    CHECK(older != nullptr && newer != nullptr && older != newer);
    CUdevice device = -1;
    CUcontext context = nullptr;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS);
    CHECK(reinterpret_cast<CUresult (*)(CUdevice*, CUcontext)>(newer)(&device, nullptr) == CUDA_SUCCESS);
    CHECK(device == 0);
}

__global__ void add_one(int* p) {
    *p += 1;
}

// CUDA 13's forms beside CUDA 12's: places of managed memory, edges with data.
static void forms() {
    int* const p = managed<int>(1);
    *p = 0;
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    CUDA(cudaMemAdvise(p, sizeof *p, cudaMemAdviseSetReadMostly, device));
    CUDA(cudaMemAdvise(p, sizeof *p, cudaMemAdviseUnsetReadMostly, 0));
    CUDA(cudaMemPrefetchAsync(p, sizeof *p, device, 0, nullptr));
    CUDA(cudaMemPrefetchAsync(p, sizeof *p, host, 0));
    CUDA(cudaMemPrefetchAsync(p, sizeof *p, 0));
    CUDA(cudaMemPrefetchAsync(p, sizeof *p, cudaCpuDeviceId, nullptr));
    const CUmemLocation place{CU_MEM_LOCATION_TYPE_HOST, 0};
    const auto address = reinterpret_cast<CUdeviceptr>(p);
    CHECK(cuMemPrefetchAsync(address, sizeof *p, place, 0, nullptr) == CUDA_SUCCESS);
    CHECK(cuMemAdvise(address, sizeof *p, CU_MEM_ADVISE_SET_READ_MOSTLY, place) == CUDA_SUCCESS);
    CHECK(cudaMemPrefetchAsync(&device, 4, device, 0) == cudaErrorInvalidValue);
    cudaGetLastError();

    cudaGraph_t graph = nullptr;
    cudaGraphNode_t first = nullptr, second = nullptr, from = nullptr, to = nullptr;
    CUDA(cudaGraphCreate(&graph, 0));
    void* arguments[] = {const_cast<int**>(&p)};
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeKernel;
    params.kernel.func = reinterpret_cast<void*>(add_one);
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    CUDA(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &params));
    CUDA(cudaGraphAddNode(&second, graph, nullptr, nullptr, 0, &params));
    cudaGraphEdgeData data{};
    CUDA(cudaGraphAddDependencies(graph, &first, &second, &data, 1));
    size_t count = 1;
    CUDA(cudaGraphGetEdges(graph, &from, &to, &data, &count));
    CHECK(count == 1 && from == first && to == second);
    CUDA(cudaGraphNodeGetDependencies(second, &from, &data, &count));
    CHECK(count == 1 && from == first);
    CUDA(cudaGraphNodeGetDependentNodes(first, &to, &data, &count));
    CHECK(count == 1 && to == second);
    cudaGraphExec_t executable = nullptr;
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    CUDA(cudaGraphLaunch(executable, nullptr));
    CUDA(cudaDeviceSynchronize());
    CHECK(*p == 2, "%d", *p);
    CUDA(cudaGraphRemoveDependencies(graph, &first, &second, &data, 1));
    CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    CHECK(count == 0);
}

int main() {
    contexts();
    attributes();
    entry_points();
    forms();
    return finished();
}
