// Nodes of graphs: adding them, and what they do.

#include "cuda/runtime/copy.h"
#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::Dim3;
using heddle::SyncEvent;
using heddle::u32;
using heddle::u64;

namespace {

cudaStream_t stream_handle(const Stream& s) {
    return reinterpret_cast<cudaStream_t>(s.number);
}

void set_kernel(Runtime& r, GraphNode& node, const cudaKernelNodeParamsV2& p) {
    std::vector<void*> unpacked;
    node.kernel = {p.func,
                   {p.gridDim.x, p.gridDim.y, p.gridDim.z},
                   {p.blockDim.x, p.blockDim.y, p.blockDim.z},
                   pack_arguments(r, p.func, arguments_of(r, p.func, p.kernelParams, p.extra, unpacked)),
                   p.sharedMemBytes,
                   node.kernel.cooperative};
}

void set_memset(Runtime& r, GraphNode& node, const cudaMemsetParamsV2& p) {
    require(p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4);
    node.work = [&r, p](Stream& s) {
        const u64 width = p.width * p.elementSize;
        fill(r, {reinterpret_cast<u64>(p.dst), p.height > 1 ? p.pitch : width, 0}, {width, p.height, 1},
             p.value, p.elementSize, stream_handle(s), true);
    };
}

/// The bodies are the node's; the program fills them.
void set_conditional(GraphNode& node, cudaConditionalNodeParams& p) {
    const unsigned most = p.type == cudaGraphCondTypeWhile ? 1 : p.type == cudaGraphCondTypeIf ? 2 : ~0u;
    require(p.handle != 0 && p.size != 0 && p.size <= most && p.type <= cudaGraphCondTypeSwitch);
    node.bodies.clear();
    node.arguments.clear();
    for (unsigned k = 0; k < p.size; ++k) {
        node.bodies.push_back(std::make_shared<Graph>());
        node.arguments.push_back(handle_of(*node.bodies.back()));
    }
    p.phGraph_out = reinterpret_cast<cudaGraph_t*>(node.arguments.data());
}

/// Adds a node that `fill` completes.
template <class Fill>
cudaError_t add_node(const char* name, cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                     size_t count, cudaGraphNodeType type, Fill fill) {
    return call(name, [&](Runtime& r) {
        require(out != nullptr && (count == 0 || after != nullptr));
        Graph& g = graph_of(graph);
        auto node = std::make_unique<GraphNode>();
        node->type = type;
        node->after = nodes_of(after, count);
        fill(r, *node);
        *out = handle_of(g.add(std::move(node)));
    });
}

/// The same of parameters that are known.
template <class Params>
cudaError_t add_known(const char* name, cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                      size_t count, const Params* params) {
    return add_node(name, out, graph, after, count, cudaGraphNodeTypeEmpty, [&](Runtime& r, GraphNode& n) {
        require(params != nullptr);
        cudaGraphNodeParams all = params_of(*params);
        n.type = all.type;
        set_node(r, n, all);
    });
}

u64 symbol_address(Runtime& r, const void* symbol, size_t bytes, size_t offset) {
    const heddle::ptx::Symbol& s = r.symbol(symbol);
    require(offset <= s.decl.bytes && bytes <= s.decl.bytes - offset);
    return s.address + offset;
}

cudaError_t add_copy(const char* name, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     size_t count, const std::function<cudaMemcpy3DParms(Runtime&)>& params) {
    return add_node(name, node, graph, after, count, cudaGraphNodeTypeMemcpy, [&](Runtime& r, GraphNode& n) {
        cudaGraphNodeParams all = params_of(params(r));
        set_node(r, n, all);
    });
}

cudaError_t add_event(const char* name, cudaGraphNode_t* node, cudaGraph_t graph,
                      const cudaGraphNode_t* after, size_t count, cudaGraphNodeType type, cudaEvent_t event) {
    return add_node(name, node, graph, after, count, type, [&](Runtime& r, GraphNode& n) {
        cudaGraphNodeParams all = event_params(type, event);
        set_node(r, n, all);
    });
}

}  // namespace

namespace heddle::cuda {

cudaGraphNodeParams params_of(const cudaKernelNodeParams& p) {
    cudaGraphNodeParams all{};
    all.type = cudaGraphNodeTypeKernel;
    all.kernel = {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
    return all;
}
cudaGraphNodeParams params_of(const cudaMemcpy3DParms& p) {
    cudaGraphNodeParams all{};
    all.type = cudaGraphNodeTypeMemcpy;
    all.memcpy.copyParams = p;
    return all;
}
cudaGraphNodeParams params_of(const cudaMemsetParams& p) {
    cudaGraphNodeParams all{};
    all.type = cudaGraphNodeTypeMemset;
    all.memset = {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
    return all;
}
cudaGraphNodeParams params_of(const cudaHostNodeParams& p) {
    cudaGraphNodeParams all{};
    all.type = cudaGraphNodeTypeHost;
    all.host = {p.fn, p.userData};
    return all;
}

cudaGraphNodeParams event_params(cudaGraphNodeType type, cudaEvent_t event) {
    cudaGraphNodeParams all{};
    all.type = type;
    all.eventRecord.event = event;  // a wait's stands in the same place
    return all;
}
cudaGraphNodeParams child_params(cudaGraph_t child) {
    cudaGraphNodeParams all{};
    all.type = cudaGraphNodeTypeGraph;
    all.graph.graph = child;
    return all;
}

cudaMemcpy3DParms linear_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaMemcpy3DParms p{};
    p.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
    p.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
    p.extent = make_cudaExtent(bytes, 1, 1);
    p.kind = kind;
    return p;
}

cudaMemcpy3DParms copy_to_symbol(Runtime& r, const void* symbol, const void* from, size_t bytes,
                                 size_t offset, cudaMemcpyKind kind) {
    return linear_copy(reinterpret_cast<void*>(symbol_address(r, symbol, bytes, offset)), from, bytes, kind);
}
cudaMemcpy3DParms copy_from_symbol(Runtime& r, void* to, const void* symbol, size_t bytes, size_t offset,
                                   cudaMemcpyKind kind) {
    return linear_copy(to, reinterpret_cast<const void*>(symbol_address(r, symbol, bytes, offset)), bytes,
                       kind);
}

std::vector<GraphNode*> nodes_of(const cudaGraphNode_t* list, size_t count) {
    std::vector<GraphNode*> out;
    for (size_t k = 0; k < count; ++k) out.push_back(&node_of(list[k]));
    return out;
}

void set_node(Runtime& r, GraphNode& node, cudaGraphNodeParams& params) {
    switch (params.type) {
        case cudaGraphNodeTypeKernel:
            set_kernel(r, node, params.kernel);
            break;
        case cudaGraphNodeTypeMemcpy:
            node.work = [&r, p = params.memcpy.copyParams](Stream& s) {
                copy_3d(r, p, stream_handle(s), true);
            };
            break;
        case cudaGraphNodeTypeMemset:
            set_memset(r, node, params.memset);
            break;
        case cudaGraphNodeTypeHost:
            require(params.host.fn != nullptr);
            node.work = [&r, p = params.host](Stream& s) {
                r.wait(SyncEvent::Kind::host_stream, s.number, 0);
                p.fn(p.userData);
            };
            break;
        case cudaGraphNodeTypeGraph: {
            auto child = std::make_shared<Graph>();
            copy_nodes(graph_of(params.graph.graph), *child);
            params.graph.graph = handle_of(*child);
            node.bodies = {child};
            break;
        }
        case cudaGraphNodeTypeEmpty:
            break;
        case cudaGraphNodeTypeWaitEvent:
            r.event(params.eventWait.event);
            node.work = [e = params.eventWait.event](Stream& s) {
                cudaStreamWaitEvent(stream_handle(s), e, 0);
            };
            break;
        case cudaGraphNodeTypeEventRecord:
            r.event(params.eventRecord.event);
            node.work = [e = params.eventRecord.event](Stream& s) { cudaEventRecord(e, stream_handle(s)); };
            break;
        case cudaGraphNodeTypeMemAlloc: {
            const auto memory = std::make_shared<GraphMemory>(r, params.alloc.bytesize);
            params.alloc.dptr = reinterpret_cast<void*>(memory->address);
            node.work = [memory](Stream&) { memory->use(true); };
            break;
        }
        case cudaGraphNodeTypeMemFree:
            node.work = [&r, p = params.free.dptr](Stream&) { free_in_turn(r, p); };
            break;
        case cudaGraphNodeTypeConditional:
            set_conditional(node, params.conditional);
            break;
        default:
            throw CudaError{cudaErrorNotSupported};
    }
    node.given = params;
}

void change_node(Runtime& r, GraphNode& node, cudaGraphNodeParams& params) {
    require(node.type == params.type);
    set_node(r, node, params);
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* params) {
    return add_node("cudaGraphAddNode", node, graph, after, count, cudaGraphNodeTypeEmpty,
                    [&](Runtime& r, GraphNode& n) {
                        require(params != nullptr);
                        n.type = params->type;
                        set_node(r, n, *params);
                    });
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
    return call("cudaGraphNodeSetParams", [&](Runtime& r) {
        require(params != nullptr);
        change_node(r, node_of(node), *params);
    });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* params) {
    return add_known("cudaGraphAddKernelNode", node, graph, after, count, params);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* params) {
    return add_known("cudaGraphAddMemcpyNode", node, graph, after, count, params);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
    return add_copy("cudaGraphAddMemcpyNode1D", node, graph, after, count,
                    [&](Runtime&) { return linear_copy(to, from, bytes, kind); });
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count, const void* symbol,
                                           const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind) {
    return add_copy("cudaGraphAddMemcpyNodeToSymbol", node, graph, after, count,
                    [&](Runtime& r) { return copy_to_symbol(r, symbol, from, bytes, offset, kind); });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
    return add_copy("cudaGraphAddMemcpyNodeFromSymbol", node, graph, after, count,
                    [&](Runtime& r) { return copy_from_symbol(r, to, symbol, bytes, offset, kind); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* params) {
    return add_known("cudaGraphAddMemsetNode", node, graph, after, count, params);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* params) {
    return add_known("cudaGraphAddHostNode", node, graph, after, count, params);
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
                        cudaGraphNodeParams all = child_params(child);
                        set_node(r, n, all);
                    });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count, cudaEvent_t event) {
    return add_event("cudaGraphAddEventRecordNode", node, graph, after, count, cudaGraphNodeTypeEventRecord,
                     event);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count, cudaEvent_t event) {
    return add_event("cudaGraphAddEventWaitNode", node, graph, after, count, cudaGraphNodeTypeWaitEvent,
                     event);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* params) {
    return add_node("cudaGraphAddMemAllocNode", node, graph, after, count, cudaGraphNodeTypeMemAlloc,
                    [&](Runtime& r, GraphNode& n) {
                        require(params != nullptr);
                        cudaGraphNodeParams all{};
                        all.type = cudaGraphNodeTypeMemAlloc;
                        all.alloc = {params->poolProps, params->accessDescs, params->accessDescCount,
                                     params->bytesize, nullptr};
                        set_node(r, n, all);
                        params->dptr = all.alloc.dptr;
                    });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
    return add_node("cudaGraphAddMemFreeNode", node, graph, after, count, cudaGraphNodeTypeMemFree,
                    [&](Runtime& r, GraphNode& n) {
                        cudaGraphNodeParams all{};
                        all.type = cudaGraphNodeTypeMemFree;
                        all.free.dptr = pointer;
                        set_node(r, n, all);
                    });
}

}  // extern "C"
