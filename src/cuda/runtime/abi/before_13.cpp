// What CUDA 11 and 12 have alike and CUDA 13 otherwise: graphs whose edges carry no data. In CUDA 13 the names are those of the
// forms with data (since_13.txt).

#include "cuda/runtime/graph.h"

extern "C" {

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* params) {
    return cudaGraphAddNode_v2(node, graph, after, nullptr, count, params);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
    return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
    return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after, size_t count,
                                                unsigned int flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, after, nullptr, count, flags);
}

}  // extern "C"
