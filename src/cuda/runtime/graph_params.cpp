// Nodes of graphs: asking what they do, and changing it.

#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::Dim3;
using heddle::u32;

namespace {

template <class Params>
cudaError_t set_known(const char* name, cudaGraphNode_t node, const Params* params) {
    return call(name, [&](Runtime& r) {
        require(params != nullptr);
        cudaGraphNodeParams all = params_of(*params);
        change_node(r, node_of(node), all);
    });
}

/// What a node of this type was made of. What a stream captured is known by what it does alone.
const cudaGraphNodeParams& given(cudaGraphNode_t node, cudaGraphNodeType type) {
    const GraphNode& n = node_of(node);
    require(n.type == type);
    require(n.given.type == type, cudaErrorNotSupported);
    return n.given;
}

cudaError_t set_event(const char* name, cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t event) {
    return call(name, [&](Runtime& r) {
        cudaGraphNodeParams all = event_params(type, event);
        change_node(r, node_of(node), all);
    });
}

/// The arguments belong to the node, and hold until it gets others.
cudaKernelNodeParams kernel_params(Runtime& r, GraphNode& node) {
    require(node.type == cudaGraphNodeTypeKernel);
    KernelCall& k = node.kernel;
    node.arguments.clear();
    for (const auto& p : r.kernel(k.host).decl.params) node.arguments.push_back(k.args.data() + p.offset);
    const auto dim = [](Dim3 d) { return dim3(d.x, d.y, d.z); };
    return {const_cast<void*>(k.host),  dim(k.grid),           dim(k.block),
            static_cast<u32>(k.shared), node.arguments.data(), nullptr};
}

}  // namespace

extern "C" {

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return call("cudaGraphNodeGetType", [&](Runtime&) { *type = node_of(node).type; });
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
    return call("cudaGraphKernelNodeGetParams", [&](Runtime& r) {
        require(params != nullptr);
        *params = kernel_params(r, node_of(node));
    });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    return set_known("cudaGraphKernelNodeSetParams", node, params);
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            cudaKernelNodeAttrValue* value) {
    return call("cudaGraphKernelNodeGetAttribute", [&](Runtime&) {
        require(value != nullptr && node_of(node).type == cudaGraphNodeTypeKernel);
        *value = {};
        if (attribute == cudaLaunchAttributeCooperative)
            value->cooperative = node_of(node).kernel.cooperative;
    });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID attribute,
                                            const cudaKernelNodeAttrValue* value) {
    return call("cudaGraphKernelNodeSetAttribute", [&](Runtime&) {
        require(value != nullptr && node_of(node).type == cudaGraphNodeTypeKernel);
        if (attribute == cudaLaunchAttributeCooperative)
            node_of(node).kernel.cooperative = value->cooperative != 0;
    });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    return call("cudaGraphKernelNodeCopyAttributes", [&](Runtime&) {
        require(node_of(to).type == cudaGraphNodeTypeKernel && node_of(from).type == cudaGraphNodeTypeKernel);
        node_of(to).kernel.cooperative = node_of(from).kernel.cooperative;
    });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
    return call("cudaGraphMemcpyNodeGetParams", [&](Runtime&) {
        require(params != nullptr);
        *params = given(node, cudaGraphNodeTypeMemcpy).memcpy.copyParams;
    });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
    return set_known("cudaGraphMemcpyNodeSetParams", node, params);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
    const cudaMemcpy3DParms params = linear_copy(to, from, bytes, kind);
    return set_known("cudaGraphMemcpyNodeSetParams1D", node, &params);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
    return call("cudaGraphMemsetNodeGetParams", [&](Runtime&) {
        require(params != nullptr);
        const cudaMemsetParamsV2& p = given(node, cudaGraphNodeTypeMemset).memset;
        *params = {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
    });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
    return set_known("cudaGraphMemsetNodeSetParams", node, params);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
    return call("cudaGraphHostNodeGetParams", [&](Runtime&) {
        require(params != nullptr);
        const cudaHostNodeParamsV2& p = given(node, cudaGraphNodeTypeHost).host;
        *params = {p.fn, p.userData};
    });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
    return set_known("cudaGraphHostNodeSetParams", node, params);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    return call("cudaGraphChildGraphNodeGetGraph", [&](Runtime&) {
        require(graph != nullptr && node_of(node).type == cudaGraphNodeTypeGraph);
        *graph = handle_of(*node_of(node).bodies.at(0));
    });
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return call("cudaGraphEventRecordNodeGetEvent",
                [&](Runtime&) { *event = given(node, cudaGraphNodeTypeEventRecord).eventRecord.event; });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set_event("cudaGraphEventRecordNodeSetEvent", node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    return call("cudaGraphEventWaitNodeGetEvent",
                [&](Runtime&) { *event = given(node, cudaGraphNodeTypeWaitEvent).eventWait.event; });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set_event("cudaGraphEventWaitNodeSetEvent", node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
    return call("cudaGraphMemAllocNodeGetParams", [&](Runtime&) {
        require(params != nullptr);
        const cudaMemAllocNodeParamsV2& p = given(node, cudaGraphNodeTypeMemAlloc).alloc;
        *params = {p.poolProps, p.accessDescs, p.accessDescCount, p.bytesize, p.dptr};
    });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
    return call("cudaGraphMemFreeNodeGetParams", [&](Runtime&) {
        *static_cast<void**>(pointer) = given(node, cudaGraphNodeTypeMemFree).free.dptr;
    });
}

cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
    return call("cudaGraphNodeGetParams", [&](Runtime& r) {
        require(params != nullptr);
        GraphNode& n = node_of(node);
        if (n.type == cudaGraphNodeTypeKernel)
            *params = params_of(kernel_params(r, n));
        else
            *params = n.type == cudaGraphNodeTypeEmpty ? cudaGraphNodeParams{} : given(node, n.type);
        params->type = n.type;
    });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return call("cudaGraphMemcpyNodeSetParamsToSymbol", [&](Runtime& r) {
        cudaGraphNodeParams all = params_of(copy_to_symbol(r, symbol, from, bytes, offset, kind));
        change_node(r, node_of(node), all);
    });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   size_t bytes, size_t offset, cudaMemcpyKind kind) {
    return call("cudaGraphMemcpyNodeSetParamsFromSymbol", [&](Runtime& r) {
        cudaGraphNodeParams all = params_of(copy_from_symbol(r, to, symbol, bytes, offset, kind));
        change_node(r, node_of(node), all);
    });
}

}  // extern "C"
