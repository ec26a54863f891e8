#pragma once
// Work in graphs, and work that goes either to a stream or into the graph that the stream captures into.

#include <map>
#include <memory>
#include <vector>

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// A launch with its arguments copied.
struct KernelCall {
    const void* host = nullptr;
    Dim3 grid, block;
    std::vector<std::byte> args;
    u64 shared = 0;
    bool cooperative = false;
};

struct GraphNode {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    bool enabled = true;
    KernelCall kernel;                           // of a kernel node
    std::vector<void*> arguments;                // into kernel.args, for a program that asks
    cudaGraphNodeParams given{};                 // of every other kind that a call made
    std::function<void(Stream&)> work;           // of every other kind
    std::vector<std::shared_ptr<Graph>> bodies;  // a child graph, or those of a conditional node
    std::vector<GraphNode*> after;
    const GraphNode* copied_from = nullptr;
};

/// Knows which objects of its kind there are, so that handles can be checked.
struct Graph {
    Graph();
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    std::vector<std::unique_ptr<GraphNode>> nodes;  // in the order in which they were added
    std::vector<cudaGraphConditionalHandle> conditions;
    unsigned long long capture_id = 0;  // of the last capture into it
};

/// Throws cudaErrorInvalidResourceHandle.
Graph& graph_of(cudaGraph_t handle);
GraphNode& node_of(cudaGraphNode_t handle);
inline cudaGraph_t handle_of(Graph& graph) {
    return reinterpret_cast<cudaGraph_t>(&graph);
}
inline cudaGraphNode_t handle_of(GraphNode& node) {
    return reinterpret_cast<cudaGraphNode_t>(&node);
}
/// A new graph that lives until cudaGraphDestroy.
Graph& add_graph();

/// The nodes in an order that satisfies their dependences, of several the one added first. Throws for a circle.
std::vector<const GraphNode*> ordered(const Graph& graph);
/// Adds copies of all nodes, bodies included, in that order.
void copy_nodes(const Graph& from, Graph& to);
/// The node of `graph` or of its bodies that was copied from `original`; null: there is none.
GraphNode* find_copy(const Graph& graph, const GraphNode& original);
std::vector<GraphNode*> nodes_of(const cudaGraphNode_t* list, size_t count);

/// Sets what a node of its type does, as cudaGraphAddNode has it. Fills what the call gives back.
void set_node(Runtime& r, GraphNode& node, cudaGraphNodeParams& params);
/// The same of a node that there is already, whose type stays.
void change_node(Runtime& r, GraphNode& node, cudaGraphNodeParams& params);
cudaGraphNodeParams params_of(const cudaKernelNodeParams& p);
cudaGraphNodeParams params_of(const cudaMemcpy3DParms& p);
cudaGraphNodeParams params_of(const cudaMemsetParams& p);
cudaGraphNodeParams params_of(const cudaHostNodeParams& p);
/// Of a node that records an event or waits for one.
cudaGraphNodeParams event_params(cudaGraphNodeType type, cudaEvent_t event);
cudaGraphNodeParams child_params(cudaGraph_t child);
cudaMemcpy3DParms linear_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);

std::vector<std::byte> pack_arguments(Runtime& r, const void* host, void** args);
/// The stream captures what the event's stream captured, after what that had got when the event was recorded.
void join_capture(Stream& stream, const Event& event);
void submit_kernel(Runtime& r, cudaStream_t stream, KernelCall call);
/// Runs all nodes in order in the stream.
void run_graph(Runtime& r, const Graph& graph, Stream& stream);

/// cudaGraphExecUpdate, whose form differs between CUDA's versions.
cudaError_t update_executable(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo& info);

}  // namespace heddle::cuda
