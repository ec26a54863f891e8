// C++ forms of functions of graphs and capturing streams: a part of heddle/templates.h. Those with the parameters of CUDA 11 and
// 13 stand beside CUDA 12's, so that programs of each compile.

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                               cudaGraphNode_t* error_node, char* log, size_t bytes) {
    if (error_node) *error_node = 0;
    if (log && bytes) *log = 0;
    return ::cudaGraphInstantiate(exec, graph, 0);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t* error_node,
                                              enum cudaGraphExecUpdateResult* result) {
    cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateError, 0, 0};
    const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
    if (error_node) *error_node = info.errorNode;
    if (result) *result = info.result;
    return error;
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, const cudaGraphEdgeData* edges,
                                           size_t count, cudaGraphNodeParams* params) {
    return ::cudaGraphAddNode_v2(node, graph, after, edges, count, params);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                   size_t count) {
    return ::cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to,
                                                      const cudaGraphEdgeData* edges, size_t count) {
    return ::cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                            cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                       cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                         cudaGraphEdgeData* edges, size_t* count) {
    return ::cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** after = 0, size_t* count = 0) {
    return ::cudaStreamGetCaptureInfo_v2(stream, status, id, graph, after, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** after,
                                                   const cudaGraphEdgeData** edges, size_t* count) {
    return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, after, edges, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                              const cudaGraphEdgeData* edges, size_t count,
                                                              unsigned int flags) {
    return ::cudaStreamUpdateCaptureDependencies_v2(stream, after, edges, count, flags);
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                         const cudaGraphNode_t* after, size_t count,
                                                         const T& symbol, const void* from, size_t bytes,
                                                         size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, after, count, heddle_templates::symbol(symbol), from,
                                            bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                           const cudaGraphNode_t* after, size_t count,
                                                           void* to, const T& symbol, size_t bytes,
                                                           size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, count, to, heddle_templates::symbol(symbol),
                                              bytes, offset, kind);
}
#if defined(__CUDA__)
/// Called by a kernel: the value of a graph's condition.
static __device__ __forceinline__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                                               unsigned int value) {
    *reinterpret_cast<volatile unsigned int*>(handle) = value;
}
#endif
