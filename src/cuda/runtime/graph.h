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

/// Memory of an allocation node and of its copies, at one address from the start. It goes with the last of them, unless a launch has
/// allocated it and nothing has freed it since: then it is the program's from there on.
struct GraphMemory {
    GraphMemory(Runtime& r, u64 bytes);
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    void use(bool now);

    u64 address, bytes;
    bool in_use = false;
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
    unsigned local_id = 0;  // in its graph; a copy's is the same
};

/// Knows which objects of its kind there are, so that handles can be checked.
struct Graph {
    Graph();
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    std::vector<std::unique_ptr<GraphNode>> nodes;  // in the order in which they were added
    std::vector<cudaGraphConditionalHandle> conditions;
    unsigned long long capture_id = 0;        // of the last capture into it
    std::map<cudaUserObject_t, u64> objects;  // references to the program's objects
    unsigned id = 0, next_local_id = 0;

    GraphNode& add(std::unique_ptr<GraphNode> node);
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

/// References to an object of the program; the last one destroys it. Throw cudaErrorInvalidValue.
void retain_object(cudaUserObject_t object, u64 count);
void release_object(cudaUserObject_t object, u64 count);

/// The nodes in an order that satisfies their dependences, of several the one added first. Throws for a circle.
std::vector<const GraphNode*> ordered(const Graph& graph);
/// Adds copies of all nodes, bodies included, in that order.
void copy_nodes(const Graph& from, Graph& to);
/// The node of `graph` or of its bodies that was copied from `original`; null: there is none.
GraphNode* find_copy(const Graph& graph, const GraphNode& original);
/// The copy of the node in the executable graph. Throws.
GraphNode& copy_in(cudaGraphExec_t exec, cudaGraphNode_t node);
/// A copy to a variable or from it, as a copy of bytes.
cudaMemcpy3DParms copy_to_symbol(Runtime& r, const void* symbol, const void* from, size_t bytes,
                                 size_t offset, cudaMemcpyKind kind);
cudaMemcpy3DParms copy_from_symbol(Runtime& r, void* to, const void* symbol, size_t bytes, size_t offset,
                                   cudaMemcpyKind kind);
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
/// Pointers to each argument: `args`, or else, in `room`, those into the block that `extra` describes (CU_LAUNCH_PARAM_*).
void** arguments_of(Runtime& r, const void* host, void** args, void** extra, std::vector<void*>& room);
/// The stream captures what the event's stream captured, after what that had got when the event was recorded.
void join_capture(Stream& stream, const Event& event);
/// Adds a node to what the stream captures that allocates memory, whose address is known from then on.
void* capture_allocation(Runtime& r, cudaStream_t stream, size_t bytes);
/// What cudaFreeAsync and nodes that free do when their turn comes.
void free_in_turn(Runtime& r, void* pointer);
void submit_kernel(Runtime& r, cudaStream_t stream, KernelCall call);
/// Runs all nodes in order in the stream.
void run_graph(Runtime& r, const Graph& graph, Stream& stream);

/// cudaGraphExecUpdate, whose form differs between CUDA's versions.
cudaError_t update_executable(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo& info);

}  // namespace heddle::cuda
