// The driver API: graphs as a whole, their edges, launches and captures. They are the runtime's graphs.

#include "cuda/runtime/driver.h"
#include "cuda/runtime/graph.h"

// Both forms of these are defined here.
#undef cuGraphExecUpdate
#undef cuStreamGetCaptureInfo

using namespace heddle::cuda;

namespace {

const cudaGraphEdgeData* edges_of(const CUgraphEdgeData* edges) {
    return reinterpret_cast<const cudaGraphEdgeData*>(edges);
}
cudaGraphEdgeData* edges_of(CUgraphEdgeData* edges) {
    return reinterpret_cast<cudaGraphEdgeData*>(edges);
}

}  // namespace

extern "C" {

CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
    return driver_call([&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
    return driver_call([&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
    return driver_call([&] { return cudaGraphClone(clone, graph); });
}
CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
    return driver_call([&] { return cudaGraphNodeFindInClone(found, original, clone); });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
    return driver_call([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return driver_call([&] { return cudaGraphGetNodes(graph, nodes, count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return driver_call([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
    return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges,
                            size_t* count) {
    return driver_call([&] { return cudaGraphGetEdges_v2(graph, from, to, edges_of(edges), count); });
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
    return driver_call([&] { return cudaGraphAddDependencies_v2(graph, from, to, edges_of(edges), count); });
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
    return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
    return driver_call(
        [&] { return cudaGraphRemoveDependencies_v2(graph, from, to, edges_of(edges), count); });
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
    return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                       size_t* count) {
    return driver_call([&] { return cudaGraphNodeGetDependencies_v2(node, nodes, edges_of(edges), count); });
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
    return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* nodes, CUgraphEdgeData* edges,
                                         size_t* count) {
    return driver_call(
        [&] { return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges_of(edges), count); });
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
    return driver_call([&] { return cudaGraphDestroyNode(node); });
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
    return driver_call(
        [&] { return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type)); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int* enabled) {
    return driver_call([&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled) {
    return driver_call([&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext,
                                        unsigned int value, unsigned int flags) {
    return driver_call([&] { return cudaGraphConditionalHandleCreate(handle, graph, value, flags); });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
    return driver_call([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
/// CUDA 10's form, with room for messages.
CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* error_node, char* log,
                               size_t bytes) {
    if (error_node != nullptr) *error_node = nullptr;
    if (log != nullptr && bytes != 0) *log = 0;
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
    return driver_call([&] {
        return cudaGraphInstantiateWithParams(exec, graph,
                                              reinterpret_cast<cudaGraphInstantiateParams*>(params));
    });
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
    return driver_call(
        [&] { return cudaGraphExecGetFlags(exec, reinterpret_cast<unsigned long long*>(flags)); });
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
    return driver_call([&] { return cudaGraphUpload(exec, stream); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    return driver_call([&] { return cudaGraphLaunch(exec, stream); });
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
    return driver_call([&] { return cudaGraphExecDestroy(exec); });
}
/// CUDA 10's form.
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* error_node,
                           CUgraphExecUpdateResult* result) {
    CUgraphExecUpdateResultInfo info{};
    const CUresult code = cuGraphExecUpdate_v2(exec, graph, &info);
    if (error_node != nullptr) *error_node = info.errorNode;
    if (result != nullptr) *result = info.result;
    return code;
}
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
    cudaGraphExecUpdateResultInfo all{};
    const CUresult code = driver_call([&] { return update_executable(exec, graph, all); });
    if (info != nullptr)
        *info = {static_cast<CUgraphExecUpdateResult>(all.result), all.errorNode, all.errorFromNode};
    return code;
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                     const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode) {
    return driver_call([&] {
        return cudaStreamBeginCaptureToGraph(stream, graph, after, edges_of(edges), count,
                                             static_cast<cudaStreamCaptureMode>(mode));
    });
}
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** after, const CUgraphEdgeData** edges,
                                   size_t* count) {
    return driver_call([&] {
        return cudaStreamGetCaptureInfo_v3(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                           reinterpret_cast<unsigned long long*>(id), graph, after,
                                           reinterpret_cast<const cudaGraphEdgeData**>(edges), count);
    });
}
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** after, size_t* count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, after, nullptr, count);
}
/// CUDA 10's form.
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* after, size_t count,
                                           unsigned int flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, after, nullptr, count, flags);
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* after,
                                              const CUgraphEdgeData* edges, size_t count,
                                              unsigned int flags) {
    return driver_call(
        [&] { return cudaStreamUpdateCaptureDependencies_v2(stream, after, edges_of(edges), count, flags); });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    return driver_call(
        [&] { return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode)); });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned int references,
                            unsigned int flags) {
    return driver_call([&] { return cudaUserObjectCreate(object, data, destroy, references, flags); });
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
    return driver_call([&] { return cudaUserObjectRetain(object, count); });
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
    return driver_call([&] { return cudaUserObjectRelease(object, count); });
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
    return driver_call([&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
    return driver_call([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
    return driver_call([&] { return cudaDeviceGraphMemTrim(device); });
}
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
    return driver_call([&] {
        return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                              value);
    });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
    return driver_call([&] {
        return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                              value);
    });
}

}  // extern "C"
