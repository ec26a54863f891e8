// Streams that capture: work goes into a graph, after what the stream was given before and what it waits for.

#include <algorithm>

#include "cuda/runtime/graph.h"

using namespace heddle::cuda;

namespace heddle::cuda {

void Runtime::submit(cudaStream_t handle, cudaGraphNodeType type, std::function<void(Stream&)> work) {
    Stream& s = stream(handle);
    if (s.capture == nullptr) {
        order(s);
        work(s);
        return;
    }
    auto node = std::make_unique<GraphNode>();
    node->type = type;
    node->work = std::move(work);
    node->after = std::move(s.capture_after);
    s.capture_after.assign(1, &s.capture->add(std::move(node)));
}

void* capture_allocation(Runtime& r, cudaStream_t stream, size_t bytes) {
    r.submit(stream, cudaGraphNodeTypeMemAlloc, {});
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeMemAlloc;
    params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    params.alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
    params.alloc.bytesize = bytes;
    set_node(r, *r.stream(stream).capture_after.front(), params);
    return params.alloc.dptr;
}

void submit_kernel(Runtime& r, cudaStream_t handle, KernelCall call) {
    Stream& s = r.stream(handle);
    if (s.capture == nullptr)
        return r.launch(call.host, call.grid, call.block, std::move(call.args), call.shared, call.cooperative,
                        s);
    r.submit(handle, cudaGraphNodeTypeKernel, {});
    s.capture_after.front()->kernel = std::move(call);
}

void join_capture(Stream& s, const Event& e) {
    if (s.capture == nullptr) s.capture_after.clear();
    s.capture = e.capture;
    for (GraphNode* n : e.capture_after)
        if (std::find(s.capture_after.begin(), s.capture_after.end(), n) == s.capture_after.end())
            s.capture_after.push_back(n);
}

}  // namespace heddle::cuda

namespace {

unsigned long long captures = 0;

void begin(Stream& s, Graph& graph, std::vector<GraphNode*> after) {
    s.capture = &graph;
    graph.capture_id = ++captures;
    s.capture_after = std::move(after);
}

void check_can_capture(const Stream& s) {
    require(s.number != 0, cudaErrorStreamCaptureUnsupported);
    require(s.capture == nullptr, cudaErrorIllegalState);
}

}  // namespace

extern "C" {

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    return call("cudaStreamBeginCapture", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        check_can_capture(s);
        begin(s, add_graph(), {});
    });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode) {
    return call("cudaStreamBeginCaptureToGraph", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        check_can_capture(s);
        require(count == 0 || after != nullptr);
        begin(s, graph_of(graph), nodes_of(after, count));
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call("cudaStreamEndCapture", [&](Runtime& r) {
        Graph* const g = r.stream(stream).capture;
        require(g != nullptr, cudaErrorIllegalState);
        r.end_capture(g);
        if (graph != nullptr) *graph = handle_of(*g);
    });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return call("cudaStreamIsCapturing", [&](Runtime& r) {
        *status =
            r.stream(stream).capture != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    });
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                        size_t* count) {
    return call("cudaStreamGetCaptureInfo", [&](Runtime& r) {
        require(status != nullptr);
        Stream& s = r.stream(stream);
        *status = s.capture != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
        if (s.capture == nullptr) return;
        if (id != nullptr) *id = s.capture->capture_id;
        if (graph != nullptr) *graph = handle_of(*s.capture);
        // Handles are the nodes' addresses; the list is good until the stream's next work.
        if (after != nullptr) *after = reinterpret_cast<const cudaGraphNode_t*>(s.capture_after.data());
        if (edges != nullptr) *edges = nullptr;
        if (count != nullptr) *count = s.capture_after.size();
    });
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** after, size_t* count) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, after, nullptr, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* after,
                                                   const cudaGraphEdgeData*, size_t count,
                                                   unsigned int flags) {
    return call("cudaStreamUpdateCaptureDependencies", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        require(s.capture != nullptr, cudaErrorIllegalState);
        require(count == 0 || after != nullptr);
        if (flags == cudaStreamSetCaptureDependencies) s.capture_after.clear();
        for (GraphNode* n : nodes_of(after, count)) s.capture_after.push_back(n);
    });
}

}  // extern "C"
