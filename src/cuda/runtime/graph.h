#pragma once
// Work in graphs, and work that goes either to a stream or into the graph that the stream captures into.

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
    KernelCall kernel;                  // of a kernel node
    std::vector<void*> arguments;       // into kernel.args, for a program that asks
    std::function<void(Stream&)> work;  // of every other kind
    std::vector<GraphNode*> after;
};

struct Graph {
    std::vector<std::unique_ptr<GraphNode>>
        nodes;                  // each after those it depends on, or cudaGraphAddDependencies reorders
    GraphNode* last = nullptr;  // while captured: the node before
};

std::vector<std::byte> pack_arguments(Runtime& r, const void* host, void** args);
void submit_kernel(Runtime& r, cudaStream_t stream, KernelCall call);
void run_node(Runtime& r, const GraphNode& node, Stream& stream);
/// cudaGraphAddDependencies, whose form differs between CUDA's versions.
cudaError_t add_graph_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                   size_t count);

}  // namespace heddle::cuda
