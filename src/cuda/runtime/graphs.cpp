// Graphs: built by calls or by capturing a stream, launched by running their nodes in order in one stream.

#include <algorithm>
#include <set>

#include "cuda/runtime/copy.h"
#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::Dim3;
using heddle::u32;
using heddle::u64;

namespace {

/// A graph as it was when instantiated.
struct GraphExec {
    std::vector<std::unique_ptr<GraphNode>> nodes;   // in an order that satisfies every dependence
    std::map<const GraphNode*, GraphNode*> copy_of;  // by the graph's node
};

std::set<std::unique_ptr<Graph>> graphs;
std::set<std::unique_ptr<GraphExec>> executables;

template <class T, class Handle>
T& find(std::set<std::unique_ptr<T>>& all, Handle handle) {
    for (const auto& p : all)
        if (reinterpret_cast<Handle>(p.get()) == handle) return *p;
    throw CudaError{cudaErrorInvalidResourceHandle};
}

template <class T, class Handle>
void erase(std::set<std::unique_ptr<T>>& all, Handle handle) {
    find(all, handle);
    std::erase_if(all, [&](const auto& p) { return reinterpret_cast<Handle>(p.get()) == handle; });
}

cudaGraph_t add_graph() {
    auto g = std::make_unique<Graph>();
    const auto handle = reinterpret_cast<cudaGraph_t>(g.get());
    graphs.insert(std::move(g));
    return handle;
}

GraphNode& node_of(cudaGraphNode_t handle) {
    require(handle != nullptr, cudaErrorInvalidResourceHandle);
    return *reinterpret_cast<GraphNode*>(handle);
}

/// Adds a node that `fill` completes.
template <class Fill>
cudaError_t add_node(const char* name, cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                     size_t count, cudaGraphNodeType type, Fill fill) {
    return call(name, [&](Runtime& r) {
        require(out != nullptr && (count == 0 || after != nullptr));
        Graph& g = find(graphs, graph);
        auto node = std::make_unique<GraphNode>();
        node->type = type;
        for (size_t k = 0; k < count; ++k) node->after.push_back(&node_of(after[k]));
        fill(r, *node);
        *out = reinterpret_cast<cudaGraphNode_t>(node.get());
        g.nodes.push_back(std::move(node));
    });
}

void set_kernel(Runtime& r, GraphNode& node, const cudaKernelNodeParams* p) {
    require(node.type == cudaGraphNodeTypeKernel && p != nullptr && p->extra == nullptr);
    node.kernel = {p->func,
                   {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                   {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                   pack_arguments(r, p->func, p->kernelParams),
                   p->sharedMemBytes,
                   node.kernel.cooperative};
}

/// The arguments belong to the node, and hold until it gets others.
cudaKernelNodeParams kernel_of(Runtime& r, GraphNode& node) {
    require(node.type == cudaGraphNodeTypeKernel);
    KernelCall& k = node.kernel;
    node.arguments.clear();
    for (const auto& p : r.kernel(k.host).decl.params) node.arguments.push_back(k.args.data() + p.offset);
    const auto dim = [](Dim3 d) { return dim3(d.x, d.y, d.z); };
    return {const_cast<void*>(k.host),  dim(k.grid),           dim(k.block),
            static_cast<u32>(k.shared), node.arguments.data(), nullptr};
}

/// The nodes in an order that satisfies their dependences, of several the one added first.
std::vector<const GraphNode*> ordered(const Graph& g) {
    std::vector<const GraphNode*> out;
    std::set<const GraphNode*> done;
    while (out.size() < g.nodes.size()) {
        const std::size_t before = out.size();
        for (const auto& n : g.nodes) {
            if (done.contains(n.get())) continue;
            if (!std::all_of(n->after.begin(), n->after.end(),
                             [&](const GraphNode* a) { return done.contains(a); }))
                continue;
            done.insert(n.get());
            out.push_back(n.get());
        }
        require(out.size() != before);  // a circle
    }
    return out;
}

/// Copies of the nodes, their dependences among the copies.
void copy_nodes(const Graph& from, std::vector<std::unique_ptr<GraphNode>>& to,
                std::map<const GraphNode*, GraphNode*>& map) {
    for (const GraphNode* n : ordered(from)) {
        auto copy = std::make_unique<GraphNode>(*n);
        for (GraphNode*& a : copy->after) a = map.at(a);
        map[n] = copy.get();
        to.push_back(std::move(copy));
    }
}

std::function<void(Stream&)> linear_copy(Runtime& r, void* to, const void* from, size_t bytes,
                                         cudaMemcpyKind kind) {
    return [&r, to, from, bytes, kind](Stream& s) {
        copy(r, {reinterpret_cast<u64>(to), bytes, bytes}, {reinterpret_cast<u64>(from), bytes, bytes},
             {bytes, 1, 1}, kind, reinterpret_cast<cudaStream_t>(s.number), true);
    };
}

cudaError_t instantiate(const char* name, cudaGraphExec_t* exec, cudaGraph_t graph) {
    return call(name, [&](Runtime&) {
        require(exec != nullptr);
        auto e = std::make_unique<GraphExec>();
        copy_nodes(find(graphs, graph), e->nodes, e->copy_of);
        *exec = reinterpret_cast<cudaGraphExec_t>(e.get());
        executables.insert(std::move(e));
    });
}

cudaError_t list_nodes(const char* name, cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count,
                       bool roots) {
    return call(name, [&](Runtime&) {
        require(count != nullptr);
        size_t n = 0;
        for (const auto& node : find(graphs, graph).nodes) {
            if (roots && !node->after.empty()) continue;
            if (nodes != nullptr && n < *count) nodes[n] = reinterpret_cast<cudaGraphNode_t>(node.get());
            ++n;
        }
        *count = nodes != nullptr ? std::min(n, *count) : n;
    });
}

}  // namespace

namespace heddle::cuda {

void run_node(Runtime& r, const GraphNode& node, Stream& s) {
    if (node.type == cudaGraphNodeTypeKernel) {
        const KernelCall& k = node.kernel;
        r.launch(k.host, k.grid, k.block, k.args, k.shared, k.cooperative, s);
    } else if (node.work) {
        r.order(s);
        node.work(s);
    }
}

cudaError_t add_graph_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                   size_t count) {
    return call("cudaGraphAddDependencies", [&](Runtime&) {
        const Graph& g = find(graphs, graph);
        for (size_t k = 0; k < count; ++k) node_of(to[k]).after.push_back(&node_of(from[k]));
        ordered(g);
    });
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
    return call("cudaGraphCreate", [&](Runtime&) {
        require(graph != nullptr);
        *graph = add_graph();
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call("cudaGraphDestroy", [&](Runtime&) { erase(graphs, graph); });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return call("cudaGraphClone", [&](Runtime&) {
        require(clone != nullptr);
        const Graph& from = find(graphs, graph);
        *clone = add_graph();
        std::map<const GraphNode*, GraphNode*> map;
        copy_nodes(from, find(graphs, *clone).nodes, map);
    });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* params) {
    return add_node("cudaGraphAddKernelNode", node, graph, after, count, cudaGraphNodeTypeKernel,
                    [&](Runtime& r, GraphNode& n) { set_kernel(r, n, params); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* params) {
    return add_node("cudaGraphAddMemcpyNode", node, graph, after, count, cudaGraphNodeTypeMemcpy,
                    [&](Runtime& r, GraphNode& n) {
                        require(params != nullptr);
                        n.work = [&r, p = *params](Stream& s) {
                            copy_3d(r, p, reinterpret_cast<cudaStream_t>(s.number), true);
                        };
                    });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
    return add_node("cudaGraphAddMemcpyNode1D", node, graph, after, count, cudaGraphNodeTypeMemcpy,
                    [&](Runtime& r, GraphNode& n) { n.work = linear_copy(r, to, from, bytes, kind); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* params) {
    return add_node("cudaGraphAddMemsetNode", node, graph, after, count, cudaGraphNodeTypeMemset,
                    [&](Runtime& r, GraphNode& n) {
                        require(params != nullptr && (params->elementSize == 1 || params->elementSize == 2 ||
                                                      params->elementSize == 4));
                        n.work = [&r, p = *params](Stream& s) {
                            const u64 width = p.width * p.elementSize;
                            fill(r, {reinterpret_cast<u64>(p.dst), p.height > 1 ? p.pitch : width, 0},
                                 {width, p.height, 1}, p.value, p.elementSize,
                                 reinterpret_cast<cudaStream_t>(s.number), true);
                        };
                    });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* params) {
    return add_node("cudaGraphAddHostNode", node, graph, after, count, cudaGraphNodeTypeHost,
                    [&](Runtime& r, GraphNode& n) {
                        require(params != nullptr && params->fn != nullptr);
                        n.work = [&r, p = *params](Stream& s) {
                            r.wait(heddle::SyncEvent::Kind::host_stream, s.number, 0);
                            p.fn(p.userData);
                        };
                    });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
    return add_node("cudaGraphAddEmptyNode", node, graph, after, count, cudaGraphNodeTypeEmpty,
                    [](Runtime&, GraphNode&) {});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    return add_node("cudaGraphAddChildGraphNode", node, graph, after, count, cudaGraphNodeTypeGraph,
                    [&](Runtime& r, GraphNode& n) {
                        auto inner = std::make_shared<GraphExec>();
                        copy_nodes(find(graphs, child), inner->nodes, inner->copy_of);
                        n.work = [&r, inner](Stream& s) {
                            for (const auto& k : inner->nodes) run_node(r, *k, s);
                        };
                    });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* params) {
    return add_node("cudaGraphAddMemAllocNode", node, graph, after, count, cudaGraphNodeTypeMemAlloc,
                    [&](Runtime&, GraphNode&) {
                        // The address is known from now on; the memory stays until a node or the program frees it.
                        require(
                            params != nullptr && cudaMalloc(&params->dptr, params->bytesize) == cudaSuccess,
                            cudaErrorMemoryAllocation);
                    });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void*) {
    // A launch may follow, which uses the address again; the memory is kept.
    return add_node("cudaGraphAddMemFreeNode", node, graph, after, count, cudaGraphNodeTypeMemFree,
                    [](Runtime&, GraphNode&) {});
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return list_nodes("cudaGraphGetNodes", graph, nodes, count, false);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return list_nodes("cudaGraphGetRootNodes", graph, nodes, count, true);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return call("cudaGraphNodeGetType", [&](Runtime&) { *type = node_of(node).type; });
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
    return call("cudaGraphKernelNodeGetParams", [&](Runtime& r) {
        require(params != nullptr);
        *params = kernel_of(r, node_of(node));
    });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    return call("cudaGraphKernelNodeSetParams", [&](Runtime& r) { set_kernel(r, node_of(node), params); });
}
// CUDA 11's cudaGraphInstantiate has two more parameters, for messages; both forms begin alike.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return instantiate("cudaGraphInstantiate", exec, graph);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return instantiate("cudaGraphInstantiateWithFlags", exec, graph);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return call("cudaGraphUpload", [&](Runtime&) { find(executables, exec); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return call("cudaGraphLaunch", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        require(s.capture == nullptr, cudaErrorStreamCaptureUnsupported);
        for (const auto& n : find(executables, exec).nodes) run_node(r, *n, s);
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return call("cudaGraphExecDestroy", [&](Runtime&) { erase(executables, exec); });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    return call("cudaGraphExecUpdate", [&](Runtime&) {
        GraphExec& e = find(executables, exec);
        const Graph& g = find(graphs, graph);
        const auto now = ordered(g);
        bool same = now.size() == e.nodes.size();
        for (std::size_t k = 0; same && k < now.size(); ++k) same = now[k]->type == e.nodes[k]->type;
        if (info != nullptr)
            *info = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr,
                     nullptr};
        require(same, cudaErrorGraphExecUpdateFailure);
        e.nodes.clear();
        e.copy_of.clear();
        copy_nodes(g, e.nodes, e.copy_of);
    });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
    return call("cudaGraphExecKernelNodeSetParams", [&](Runtime& r) {
        GraphExec& e = find(executables, exec);
        const auto at = e.copy_of.find(&node_of(node));
        require(at != e.copy_of.end());
        set_kernel(r, *at->second, params);
    });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call("cudaGraphExecMemcpyNodeSetParams1D", [&](Runtime& r) {
        GraphExec& e = find(executables, exec);
        const auto at = e.copy_of.find(&node_of(node));
        require(at != e.copy_of.end());
        at->second->work = linear_copy(r, to, from, bytes, kind);
    });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    return call("cudaGraphDestroyNode", [&](Runtime&) {
        for (const auto& g : graphs) {
            for (const auto& n : g->nodes) std::erase(n->after, &node_of(node));
            std::erase_if(g->nodes, [&](const auto& n) { return n.get() == &node_of(node); });
        }
    });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
    return cudaSuccess;
}
// Memory of graphs is ordinary memory here.
cudaError_t cudaDeviceGraphMemTrim(int) {
    return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int, int, void*) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGetGraphMemAttribute(int, int, void* value) {
    *static_cast<u64*>(value) = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    return call("cudaStreamBeginCapture", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        require(s.number != 0, cudaErrorStreamCaptureUnsupported);
        require(s.capture == nullptr, cudaErrorIllegalState);
        s.capture = &find(graphs, add_graph());
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call("cudaStreamEndCapture", [&](Runtime& r) {
        Graph* const g = r.stream(stream).capture;
        require(g != nullptr, cudaErrorIllegalState);
        g->last = nullptr;
        r.end_capture(g);
        *graph = reinterpret_cast<cudaGraph_t>(g);
    });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return call("cudaStreamIsCapturing", [&](Runtime& r) {
        *status =
            r.stream(stream).capture != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
    if (id != nullptr) *id = 1;
    return cudaStreamIsCapturing(stream, status);
}

}  // extern "C"
