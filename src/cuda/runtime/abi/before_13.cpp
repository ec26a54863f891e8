// What CUDA 11 and 12 have alike and CUDA 13 otherwise: graphs whose edges carry no data, devices where a place of memory is
// meant. In CUDA 13 the names are those of the later forms (since_13.txt).

#include "cuda/runtime/advice.h"
#include "cuda/runtime/batches.h"
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

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise_v2(pointer, bytes, advice, heddle::cuda::location_of(device));
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
    return cudaMemPrefetchAsync_v2(pointer, bytes, heddle::cuda::location_of(device), 0, stream);
}
cudaError_t cudaMemcpyBatchAsync(void** to, void** from, size_t* sizes, size_t count,
                                 cudaMemcpyAttributes* attributes, size_t* first, size_t attribute_count,
                                 size_t* failed, cudaStream_t stream) {
    size_t wrong;
    const cudaError_t error =
        heddle::cuda::copy_batch(to, from, sizes, count, attributes, first, attribute_count, stream, wrong);
    if (error != cudaSuccess && failed != nullptr) *failed = wrong;
    return error;
}
cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* list, size_t* failed,
                                   unsigned long long flags, cudaStream_t stream) {
    size_t wrong;
    const cudaError_t error = heddle::cuda::copy_3d_batch(count, list, flags, stream, wrong);
    if (error != cudaSuccess && failed != nullptr) *failed = wrong;
    return error;
}

}  // extern "C"
