// Executable graphs: launched by running their nodes in order in one stream. What conditional nodes ask.

#include <set>

#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

/// A graph as it was when instantiated.
struct GraphExec {
    Graph graph;
    unsigned long long flags = 0;
};

/// Never destroyed: what they hold may call the program, which has ended then.
auto& executables = *new std::set<std::unique_ptr<GraphExec>>;

struct Condition {
    unsigned value = 0;  // at each launch
    bool assign = false;
};
std::map<cudaGraphConditionalHandle, Condition> conditions;

GraphExec& executable(cudaGraphExec_t handle) {
    for (const auto& p : executables)
        if (reinterpret_cast<cudaGraphExec_t>(p.get()) == handle) return *p;
    throw CudaError{cudaErrorInvalidResourceHandle};
}

template <class Params>
cudaError_t set_copy(const char* name, cudaGraphExec_t exec, cudaGraphNode_t node, const Params* params) {
    return call(name, [&](Runtime& r) {
        require(params != nullptr);
        cudaGraphNodeParams all = params_of(*params);
        change_node(r, copy_in(exec, node), all);
    });
}

cudaError_t set_copy_event(const char* name, cudaGraphExec_t exec, cudaGraphNode_t node,
                           cudaGraphNodeType type, cudaEvent_t event) {
    return call(name, [&](Runtime& r) {
        cudaGraphNodeParams all = event_params(type, event);
        change_node(r, copy_in(exec, node), all);
    });
}

cudaError_t instantiate(const char* name, cudaGraphExec_t* exec, cudaGraph_t graph,
                        unsigned long long flags) {
    return call(name, [&](Runtime&) {
        require(exec != nullptr);
        auto e = std::make_unique<GraphExec>();
        copy_nodes(graph_of(graph), e->graph);
        e->flags = flags;
        *exec = reinterpret_cast<cudaGraphExec_t>(e.get());
        executables.insert(std::move(e));
    });
}

void run_node(Runtime& r, const GraphNode& node, Stream& s) {
    if (!node.enabled) return;
    if (node.type == cudaGraphNodeTypeKernel) {
        const KernelCall& k = node.kernel;
        r.launch(k.host, k.grid, k.block, k.args, k.shared, k.cooperative, s);
    } else if (node.type == cudaGraphNodeTypeGraph) {
        run_graph(r, *node.bodies.at(0), s);
    } else if (node.type == cudaGraphNodeTypeConditional) {
        const auto value = [&] {
            return *reinterpret_cast<const volatile unsigned*>(node.given.conditional.handle);
        };
        switch (node.given.conditional.type) {
            case cudaGraphCondTypeWhile:
                while (r.sticky == cudaSuccess && value() != 0) run_graph(r, *node.bodies.at(0), s);
                break;
            case cudaGraphCondTypeSwitch:
                if (value() < node.bodies.size()) run_graph(r, *node.bodies[value()], s);
                break;
            default:
                if (value() != 0)
                    run_graph(r, *node.bodies.at(0), s);
                else if (node.bodies.size() > 1)
                    run_graph(r, *node.bodies[1], s);
        }
    } else if (node.work) {
        r.order(s);
        node.work(s);
    }
}

/// The launch's conditions have the values that their graph gives them.
void assign_conditions(const Graph& g) {
    for (const cudaGraphConditionalHandle h : g.conditions)
        if (conditions[h].assign) *reinterpret_cast<unsigned*>(h) = conditions[h].value;
    for (const auto& n : g.nodes)
        for (const auto& body : n->bodies) assign_conditions(*body);
}

/// Says what keeps `graph` from taking the place of the one that was instantiated, if anything does.
void compare(const Graph& graph, const Graph& instantiated, cudaGraphExecUpdateResultInfo& info) {
    const auto now = ordered(graph), was = ordered(instantiated);
    if (now.size() != was.size()) info.result = cudaGraphExecUpdateErrorTopologyChanged;
    for (std::size_t k = 0; k < now.size() && info.result == cudaGraphExecUpdateSuccess; ++k) {
        const auto &bodies = now[k]->bodies, &bodies_were = was[k]->bodies;
        if (now[k]->after.size() != was[k]->after.size())
            info.result = cudaGraphExecUpdateErrorTopologyChanged;
        else if (now[k]->type != was[k]->type)
            info.result = cudaGraphExecUpdateErrorNodeTypeChanged;
        else if (bodies.size() != bodies_were.size())
            info.result = cudaGraphExecUpdateErrorTopologyChanged;
        else
            for (std::size_t b = 0; b < bodies.size() && info.result == cudaGraphExecUpdateSuccess; ++b)
                compare(*bodies[b], *bodies_were[b], info);
        if (info.result != cudaGraphExecUpdateSuccess && info.errorNode == nullptr)
            info.errorNode = handle_of(*const_cast<GraphNode*>(now[k]));
    }
}

/// The program goes on naming the nodes of the graph that it instantiated. `fresh` is a copy of one that compares equal.
void keep_names(const Graph& instantiated, Graph& fresh) {
    const auto was = ordered(instantiated);
    for (std::size_t k = 0; k < was.size(); ++k) {
        GraphNode& node = *fresh.nodes[k];
        node.copied_from = was[k]->copied_from;
        node.enabled = was[k]->enabled;
        for (std::size_t b = 0; b < node.bodies.size(); ++b) keep_names(*was[k]->bodies[b], *node.bodies[b]);
    }
}

}  // namespace

namespace heddle::cuda {

GraphNode& copy_in(cudaGraphExec_t exec, cudaGraphNode_t node) {
    GraphNode* const copy = find_copy(executable(exec).graph, node_of(node));
    require(copy != nullptr);
    return *copy;
}

void run_graph(Runtime& r, const Graph& graph, Stream& s) {
    for (const GraphNode* n : ordered(graph)) {
        // After a kernel that failed nothing runs; the launch has gone well all the same, and the calls after it fail.
        if (r.sticky != cudaSuccess) return;
        run_node(r, *n, s);
    }
}

cudaError_t update_executable(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo& info) {
    return call("cudaGraphExecUpdate", [&](Runtime&) {
        GraphExec& e = executable(exec);
        info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
        compare(graph_of(graph), e.graph, info);
        require(info.result == cudaGraphExecUpdateSuccess, cudaErrorGraphExecUpdateFailure);
        Graph fresh;
        copy_nodes(graph_of(graph), fresh);
        keep_names(e.graph, fresh);
        e.graph.nodes = std::move(fresh.nodes);
        e.graph.conditions = std::move(fresh.conditions);
        std::swap(e.graph.objects, fresh.objects);
    });
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
    return call("cudaGraphConditionalHandleCreate", [&](Runtime& r) {
        require(handle != nullptr);
        Graph& g = graph_of(graph);
        // A kernel sets the condition where the handle points to.
        const u64 at = r.memory().allocate(heddle::ptx::MemoryKind::module, sizeof(unsigned),
                                           sizeof(unsigned), "condition of a graph");
        require(at != 0, cudaErrorMemoryAllocation);
        *handle = at;
        conditions[at] = {value, (flags & cudaGraphCondAssignDefault) != 0};
        *reinterpret_cast<unsigned*>(at) = value;
        g.conditions.push_back(at);
    });
}

/// There are no execution contexts but the device's own.
cudaError_t cudaGraphConditionalHandleCreate_v2(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                const void* context, unsigned int value, unsigned int flags) {
    if (context != nullptr)
        return call("cudaGraphConditionalHandleCreate",
                    [](Runtime&) { throw CudaError{cudaErrorInvalidValue}; });
    return cudaGraphConditionalHandleCreate(handle, graph, value, flags);
}

// CUDA 11's cudaGraphInstantiate has two more parameters, for messages; both forms begin alike.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    return instantiate("cudaGraphInstantiate", exec, graph, 0);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return instantiate("cudaGraphInstantiateWithFlags", exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
    if (params == nullptr) return instantiate("cudaGraphInstantiateWithParams", nullptr, graph, 0);
    const cudaError_t error = instantiate("cudaGraphInstantiateWithParams", exec, graph, params->flags);
    params->errNode_out = nullptr;
    params->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
    return call("cudaGraphExecGetFlags", [&](Runtime&) { *flags = executable(exec).flags; });
}
cudaError_t cudaGraphExecGetId(cudaGraphExec_t exec, unsigned int* id) {
    return call("cudaGraphExecGetId", [&](Runtime&) {
        require(id != nullptr);
        *id = executable(exec).graph.id;
    });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
    return call("cudaGraphExecMemcpyNodeSetParamsToSymbol", [&](Runtime& r) {
        cudaGraphNodeParams all = params_of(copy_to_symbol(r, symbol, from, bytes, offset, kind));
        change_node(r, copy_in(exec, node), all);
    });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
    return call("cudaGraphExecMemcpyNodeSetParamsFromSymbol", [&](Runtime& r) {
        cudaGraphNodeParams all = params_of(copy_from_symbol(r, to, symbol, bytes, offset, kind));
        change_node(r, copy_in(exec, node), all);
    });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return call("cudaGraphUpload", [&](Runtime&) { executable(exec); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return call("cudaGraphLaunch", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        require(s.capture == nullptr, cudaErrorStreamCaptureUnsupported);
        const Graph& g = executable(exec).graph;
        assign_conditions(g);
        run_graph(r, g, s);
    });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return call("cudaGraphExecDestroy", [&](Runtime&) {
        GraphExec* const gone = &executable(exec);
        std::erase_if(executables, [&](const auto& e) { return e.get() == gone; });
    });
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* params) {
    return call("cudaGraphExecNodeSetParams", [&](Runtime& r) {
        require(params != nullptr);
        change_node(r, copy_in(exec, node), *params);
    });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
    return set_copy("cudaGraphExecKernelNodeSetParams", exec, node, params);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
    return set_copy("cudaGraphExecMemcpyNodeSetParams", exec, node, params);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
    const cudaMemcpy3DParms params = linear_copy(to, from, bytes, kind);
    return set_copy("cudaGraphExecMemcpyNodeSetParams1D", exec, node, &params);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
    return set_copy("cudaGraphExecMemsetNodeSetParams", exec, node, params);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
    return set_copy("cudaGraphExecHostNodeSetParams", exec, node, params);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
    return call("cudaGraphExecChildGraphNodeSetParams", [&](Runtime& r) {
        cudaGraphNodeParams all = child_params(child);
        change_node(r, copy_in(exec, node), all);
    });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
    return set_copy_event("cudaGraphExecEventRecordNodeSetEvent", exec, node, cudaGraphNodeTypeEventRecord,
                          event);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
    return set_copy_event("cudaGraphExecEventWaitNodeSetEvent", exec, node, cudaGraphNodeTypeWaitEvent,
                          event);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled) {
    return call("cudaGraphNodeSetEnabled", [&](Runtime&) { copy_in(exec, node).enabled = enabled != 0; });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* enabled) {
    return call("cudaGraphNodeGetEnabled", [&](Runtime&) { *enabled = copy_in(exec, node).enabled; });
}

}  // extern "C"
