// The driver API: nodes of graphs. Most parameters have the runtime's layout up to a context at the end; copies have not.

#include <cstring>

#include "cuda/runtime/driver.h"
#include "cuda/runtime/graph.h"

// Both forms of these are defined here.
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams

using namespace heddle::cuda;
using heddle::u64;

namespace {

cudaKernelNodeParams kernel_of(const CUDA_KERNEL_NODE_PARAMS_v1& p, void* kernel) {
    return {p.func != nullptr ? p.func : kernel,
            {p.gridDimX, p.gridDimY, p.gridDimZ},
            {p.blockDimX, p.blockDimY, p.blockDimZ},
            p.sharedMemBytes,
            p.kernelParams,
            p.extra};
}
cudaKernelNodeParams kernel_of(const CUDA_KERNEL_NODE_PARAMS_v2& p) {
    return kernel_of({p.func, p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY, p.blockDimZ,
                      p.sharedMemBytes, p.kernelParams, p.extra},
                     p.kern);
}
CUDA_KERNEL_NODE_PARAMS_v1 driver_kernel(const cudaKernelNodeParams& p) {
    return {static_cast<CUfunction>(p.func),
            p.gridDim.x,
            p.gridDim.y,
            p.gridDim.z,
            p.blockDim.x,
            p.blockDim.y,
            p.blockDim.z,
            p.sharedMemBytes,
            p.kernelParams,
            p.extra};
}

/// One end of a copy: the runtime counts arrays in elements, and pointers as well if there is an array at either end.
void set_end(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array, size_t pitch,
             size_t height, size_t x, size_t y, size_t z, u64 element, const CUDA_MEMCPY3D& c,
             cudaArray_t& to_array, cudaPos& at, cudaPitchedPtr& pointer) {
    require(x % element == 0);
    at = {x / element, y, z};
    if (type == CU_MEMORYTYPE_ARRAY) {
        to_array = reinterpret_cast<cudaArray_t>(array);
        return;
    }
    const size_t row = pitch != 0 ? pitch : c.WidthInBytes;
    pointer = {type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer_at(device), row, row / element,
               height != 0 ? height : c.Height};
}

cudaMemcpy3DParms copy_of(Runtime& r, const CUDA_MEMCPY3D& c) {
    u64 element = 1;
    if (c.dstMemoryType == CU_MEMORYTYPE_ARRAY) element = array_of(r, c.dstArray).texel_bytes();
    if (c.srcMemoryType == CU_MEMORYTYPE_ARRAY) element = array_of(r, c.srcArray).texel_bytes();
    require(c.WidthInBytes % element == 0);
    cudaMemcpy3DParms p{};
    set_end(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcPitch, c.srcHeight, c.srcXInBytes,
            c.srcY, c.srcZ, element, c, p.srcArray, p.srcPos, p.srcPtr);
    set_end(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstPitch, c.dstHeight, c.dstXInBytes,
            c.dstY, c.dstZ, element, c, p.dstArray, p.dstPos, p.dstPtr);
    p.extent = {c.WidthInBytes / element, c.Height, c.Depth};
    p.kind = cudaMemcpyDefault;
    return p;
}

CUDA_MEMCPY3D driver_copy(Runtime& r, const cudaMemcpy3DParms& p) {
    CUDA_MEMCPY3D c{};
    const cudaArray_t array = p.srcArray != nullptr ? p.srcArray : p.dstArray;
    const u64 element = array == nullptr ? 1 : r.array(array).texel_bytes();
    const auto memory_type = [&](cudaArray_t a) {
        return a != nullptr ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED;
    };
    c.srcMemoryType = memory_type(p.srcArray);
    c.dstMemoryType = memory_type(p.dstArray);
    c.srcArray = reinterpret_cast<CUarray>(p.srcArray);
    c.dstArray = reinterpret_cast<CUarray>(p.dstArray);
    c.srcDevice = reinterpret_cast<CUdeviceptr>(p.srcPtr.ptr);
    c.dstDevice = reinterpret_cast<CUdeviceptr>(p.dstPtr.ptr);
    c.srcPitch = p.srcPtr.pitch, c.srcHeight = p.srcPtr.ysize;
    c.dstPitch = p.dstPtr.pitch, c.dstHeight = p.dstPtr.ysize;
    c.srcXInBytes = p.srcPos.x * element, c.srcY = p.srcPos.y, c.srcZ = p.srcPos.z;
    c.dstXInBytes = p.dstPos.x * element, c.dstY = p.dstPos.y, c.dstZ = p.dstPos.z;
    c.WidthInBytes = p.extent.width * element, c.Height = p.extent.height, c.Depth = p.extent.depth;
    return c;
}

/// All kinds but copies have one layout up to where the driver's hold more.
cudaGraphNodeParams node_params(Runtime& r, const CUgraphNodeParams& p) {
    if (p.type == CU_GRAPH_NODE_TYPE_KERNEL) return params_of(kernel_of(p.kernel));
    if (p.type == CU_GRAPH_NODE_TYPE_MEMCPY) return params_of(copy_of(r, p.memcpy.copyParams));
    cudaGraphNodeParams all{};
    static_assert(sizeof all == sizeof p);
    std::memcpy(static_cast<void*>(&all), &p, sizeof all);
    return all;
}

/// What the call gives back.
void give_back(const cudaGraphNodeParams& from, CUgraphNodeParams& to) {
    if (to.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        to.alloc.dptr = reinterpret_cast<CUdeviceptr>(from.alloc.dptr);
    if (to.type == CU_GRAPH_NODE_TYPE_GRAPH) to.graph.graph = from.graph.graph;
    if (to.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) to.conditional.phGraph_out = from.conditional.phGraph_out;
}

CUresult change(const char* name, CUgraphNodeParams* params,
                const std::function<cudaError_t(cudaGraphNodeParams&)>& runtime_function) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaGraphNodeParams all{};
    if (const CUresult bad = driver_call(name, [&](Runtime& r) { all = node_params(r, *params); });
        bad != CUDA_SUCCESS)
        return bad;
    const CUresult result = driver_call([&] { return runtime_function(all); });
    if (result == CUDA_SUCCESS) give_back(all, *params);
    return result;
}

CUresult add_kernel(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                    const cudaKernelNodeParams& params) {
    return driver_call([&] { return cudaGraphAddKernelNode(node, graph, after, count, &params); });
}

/// A copy in the driver's form, handed to a function that takes the runtime's.
CUresult with_copy(const CUDA_MEMCPY3D* copy,
                   const std::function<cudaError_t(const cudaMemcpy3DParms*)>& runtime_function) {
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaMemcpy3DParms params;
    if (const CUresult bad =
            driver_call("cuGraphMemcpyNode", [&](Runtime& r) { params = copy_of(r, *copy); });
        bad != CUDA_SUCCESS)
        return bad;
    return driver_call([&] { return runtime_function(&params); });
}

const cudaMemsetParams* fill_of(const CUDA_MEMSET_NODE_PARAMS* p) {
    return reinterpret_cast<const cudaMemsetParams*>(p);
}
const cudaHostNodeParams* host_of(const CUDA_HOST_NODE_PARAMS* p) {
    return reinterpret_cast<const cudaHostNodeParams*>(p);
}

}  // namespace

extern "C" {

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                        CUgraphNodeParams* params) {
    return cuGraphAddNode_v2(node, graph, after, nullptr, count, params);
}
CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData*,
                           size_t count, CUgraphNodeParams* params) {
    return change("cuGraphAddNode", params, [&](cudaGraphNodeParams& all) {
        return cudaGraphAddNode_v2(node, graph, after, nullptr, count, &all);
    });
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* params) {
    return change("cuGraphNodeSetParams", params,
                  [&](cudaGraphNodeParams& all) { return cudaGraphNodeSetParams(node, &all); });
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* params) {
    return change("cuGraphExecNodeSetParams", params,
                  [&](cudaGraphNodeParams& all) { return cudaGraphExecNodeSetParams(exec, node, &all); });
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return add_kernel(node, graph, after, count, kernel_of(*params, nullptr));
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS_v2* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return add_kernel(node, graph, after, count, kernel_of(*params));
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaKernelNodeParams all{};
    const CUresult result = driver_call([&] { return cudaGraphKernelNodeGetParams(node, &all); });
    if (result == CUDA_SUCCESS) *params = driver_kernel(all);
    return result;
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    params->kern = nullptr;
    params->ctx = nullptr;
    // The first form is the beginning of the second.
    return cuGraphKernelNodeGetParams(node, reinterpret_cast<CUDA_KERNEL_NODE_PARAMS_v1*>(params));
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaKernelNodeParams all = kernel_of(*params, nullptr);
    return driver_call([&] { return cudaGraphKernelNodeSetParams(node, &all); });
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaKernelNodeParams all = kernel_of(*params);
    return driver_call([&] { return cudaGraphKernelNodeSetParams(node, &all); });
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaKernelNodeParams all = kernel_of(*params, nullptr);
    return driver_call([&] { return cudaGraphExecKernelNodeSetParams(exec, node, &all); });
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS_v2* params) {
    if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaKernelNodeParams all = kernel_of(*params);
    return driver_call([&] { return cudaGraphExecKernelNodeSetParams(exec, node, &all); });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
    return driver_call([&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       CUkernelNodeAttrValue* value) {
    return driver_call([&] {
        return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaKernelNodeAttrID>(attribute),
                                               reinterpret_cast<cudaKernelNodeAttrValue*>(value));
    });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
    return driver_call([&] {
        return cudaGraphKernelNodeSetAttribute(node, static_cast<cudaKernelNodeAttrID>(attribute),
                                               reinterpret_cast<const cudaKernelNodeAttrValue*>(value));
    });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                              const CUDA_MEMCPY3D* copy, CUcontext) {
    return with_copy(copy, [&](const cudaMemcpy3DParms* params) {
        return cudaGraphAddMemcpyNode(node, graph, after, count, params);
    });
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* copy) {
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaMemcpy3DParms params{};
    const CUresult result = driver_call([&] { return cudaGraphMemcpyNodeGetParams(node, &params); });
    if (result != CUDA_SUCCESS) return result;
    return driver_call("cuGraphMemcpyNodeGetParams", [&](Runtime& r) { *copy = driver_copy(r, params); });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* copy) {
    return with_copy(
        copy, [&](const cudaMemcpy3DParms* params) { return cudaGraphMemcpyNodeSetParams(node, params); });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* copy,
                                        CUcontext) {
    return with_copy(copy, [&](const cudaMemcpy3DParms* params) {
        return cudaGraphExecMemcpyNodeSetParams(exec, node, params);
    });
}
CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* params, CUcontext) {
    return driver_call([&] { return cudaGraphAddMemsetNode(node, graph, after, count, fill_of(params)); });
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* params) {
    return driver_call(
        [&] { return cudaGraphMemsetNodeGetParams(node, reinterpret_cast<cudaMemsetParams*>(params)); });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* params) {
    return driver_call([&] { return cudaGraphMemsetNodeSetParams(node, fill_of(params)); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* params, CUcontext) {
    return driver_call([&] { return cudaGraphExecMemsetNodeSetParams(exec, node, fill_of(params)); });
}
CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                            const CUDA_HOST_NODE_PARAMS* params) {
    return driver_call([&] { return cudaGraphAddHostNode(node, graph, after, count, host_of(params)); });
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* params) {
    return driver_call(
        [&] { return cudaGraphHostNodeGetParams(node, reinterpret_cast<cudaHostNodeParams*>(params)); });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* params) {
    return driver_call([&] { return cudaGraphHostNodeSetParams(node, host_of(params)); });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* params) {
    return driver_call([&] { return cudaGraphExecHostNodeSetParams(exec, node, host_of(params)); });
}
CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count) {
    return driver_call([&] { return cudaGraphAddEmptyNode(node, graph, after, count); });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                  CUgraph child) {
    return driver_call([&] { return cudaGraphAddChildGraphNode(node, graph, after, count, child); });
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
    return driver_call([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
    return driver_call([&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                   CUevent event) {
    return driver_call([&] { return cudaGraphAddEventRecordNode(node, graph, after, count, event); });
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
    return driver_call([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    return driver_call([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    return driver_call([&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                 CUevent event) {
    return driver_call([&] { return cudaGraphAddEventWaitNode(node, graph, after, count, event); });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
    return driver_call([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    return driver_call([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    return driver_call([&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}
CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* params) {
    static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));
    return driver_call([&] {
        return cudaGraphAddMemAllocNode(node, graph, after, count,
                                        reinterpret_cast<cudaMemAllocNodeParams*>(params));
    });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* params) {
    return driver_call([&] {
        return cudaGraphMemAllocNodeGetParams(node, reinterpret_cast<cudaMemAllocNodeParams*>(params));
    });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                               CUdeviceptr pointer) {
    return driver_call(
        [&] { return cudaGraphAddMemFreeNode(node, graph, after, count, pointer_at(pointer)); });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* pointer) {
    return driver_call([&] { return cudaGraphMemFreeNodeGetParams(node, pointer); });
}

}  // extern "C"
