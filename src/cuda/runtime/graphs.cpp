// Graphs as a whole: their nodes and edges, copies, what is known of them.

#include <algorithm>
#include <cstdio>
#include <set>

#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

std::set<Graph*>& living() {
    static auto* const all = new std::set<Graph*>;  // graphs may outlive other statics
    return *all;
}
/// The program's. Never destroyed: what they hold may call the program, which has ended then.
auto& graphs = *new std::map<Graph*, std::unique_ptr<Graph>>;
unsigned graph_ids = 0;

/// As many of a list as there is room for; how many there are if there is no room.
void give(const std::vector<GraphNode*>& from, cudaGraphNode_t* to, size_t* count) {
    require(count != nullptr);
    if (to != nullptr) {
        for (size_t k = 0; k < *count; ++k) to[k] = k < from.size() ? handle_of(*from[k]) : nullptr;
        *count = std::min(*count, from.size());
    } else {
        *count = from.size();
    }
}

std::vector<GraphNode*> pointers(const Graph& g) {
    std::vector<GraphNode*> out;
    for (const auto& n : g.nodes) out.push_back(n.get());
    return out;
}

Graph& graph_with(const GraphNode& node) {
    for (Graph* g : living())
        for (const auto& n : g->nodes)
            if (n.get() == &node) return *g;
    throw CudaError{cudaErrorInvalidResourceHandle};
}

const char* type_name(cudaGraphNodeType type) {
    constexpr const char* names[]{"kernel",    "memcpy",   "memset", "host",       "graph",
                                  "empty",     "wait",     "record", "signal",     "wait",
                                  "mem alloc", "mem free", "",       "conditional"};
    return type < cudaGraphNodeTypeCount ? names[type] : "";
}

}  // namespace

namespace heddle::cuda {

Graph::Graph() : id(++graph_ids) {
    living().insert(this);
}
Graph::~Graph() {
    living().erase(this);
    for (const auto& [object, count] : objects) release_object(object, count);
}
GraphNode& Graph::add(std::unique_ptr<GraphNode> node) {
    node->local_id = next_local_id++;
    nodes.push_back(std::move(node));
    return *nodes.back();
}

Graph& graph_of(cudaGraph_t handle) {
    const auto at = living().find(reinterpret_cast<Graph*>(handle));
    require(at != living().end(), cudaErrorInvalidResourceHandle);
    return **at;
}
GraphNode& node_of(cudaGraphNode_t handle) {
    require(handle != nullptr, cudaErrorInvalidResourceHandle);
    return *reinterpret_cast<GraphNode*>(handle);
}
Graph& add_graph() {
    auto g = std::make_unique<Graph>();
    Graph* const at = g.get();
    graphs.emplace(at, std::move(g));
    return *at;
}

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

void copy_nodes(const Graph& from, Graph& to) {
    std::map<const GraphNode*, GraphNode*> copies;
    for (const GraphNode* n : ordered(from)) {
        auto copy = std::make_unique<GraphNode>(*n);
        copy->copied_from = n;
        for (GraphNode*& a : copy->after) a = copies.at(a);
        for (auto& body : copy->bodies) {
            auto fresh = std::make_shared<Graph>();
            copy_nodes(*body, *fresh);
            body = std::move(fresh);
        }
        copies[n] = copy.get();
        to.next_local_id = std::max(to.next_local_id, copy->local_id + 1);
        to.nodes.push_back(std::move(copy));
    }
    for (const auto& [object, count] : from.objects) {
        retain_object(object, count);
        to.objects[object] += count;
    }
    to.conditions.insert(to.conditions.end(), from.conditions.begin(), from.conditions.end());
}

GraphNode* find_copy(const Graph& g, const GraphNode& original) {
    for (const auto& n : g.nodes) {
        if (n->copied_from == &original) return n.get();
        for (const auto& body : n->bodies)
            if (GraphNode* const inside = find_copy(*body, original)) return inside;
    }
    return nullptr;
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
    return call("cudaGraphCreate", [&](Runtime&) {
        require(graph != nullptr);
        *graph = handle_of(add_graph());
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call("cudaGraphDestroy", [&](Runtime&) {
        const auto gone = graphs.extract(reinterpret_cast<Graph*>(graph));
        require(!gone.empty(), cudaErrorInvalidResourceHandle);
    });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return call("cudaGraphClone", [&](Runtime&) {
        require(clone != nullptr);
        const Graph& from = graph_of(graph);
        Graph& to = add_graph();
        copy_nodes(from, to);
        *clone = handle_of(to);
    });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original, cudaGraph_t clone) {
    return call("cudaGraphNodeFindInClone", [&](Runtime&) {
        GraphNode* const copy = find_copy(graph_of(clone), node_of(original));
        require(found != nullptr && copy != nullptr);
        *found = handle_of(*copy);
    });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
    return call("cudaGraphDebugDotPrint", [&](Runtime& r) {
        require(path != nullptr);
        const Graph& g = graph_of(graph);
        std::string text = "digraph dot {\n";
        std::map<const GraphNode*, std::size_t> number;
        for (const auto& n : g.nodes) {
            const std::size_t k = number[n.get()] = number.size();
            std::string label = type_name(n->type);
            if (n->type == cudaGraphNodeTypeKernel) label = r.kernel(n->kernel.host).decl.name;
            text += "  n" + std::to_string(k) + " [label=\"" + std::to_string(k) + "\\n" + label + "\"];\n";
        }
        for (const auto& n : g.nodes)
            for (const GraphNode* a : n->after)
                text += "  n" + std::to_string(number[a]) + " -> n" + std::to_string(number[n.get()]) + ";\n";
        text += "}\n";
        std::FILE* const f = std::fopen(path, "w");
        require(f != nullptr, cudaErrorOperatingSystem);
        const bool good = std::fwrite(text.data(), 1, text.size(), f) == text.size();
        require((std::fclose(f) == 0) && good, cudaErrorOperatingSystem);
    });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetNodes", [&](Runtime&) { give(pointers(graph_of(graph)), nodes, count); });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetRootNodes", [&](Runtime&) {
        std::vector<GraphNode*> roots = pointers(graph_of(graph));
        std::erase_if(roots, [](const GraphNode* n) { return !n->after.empty(); });
        give(roots, nodes, count);
    });
}
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* edges, size_t* count) {
    return call("cudaGraphGetEdges", [&](Runtime&) {
        require(count != nullptr && (from == nullptr) == (to == nullptr));
        std::vector<GraphNode*> first, second;
        for (const auto& n : graph_of(graph).nodes)
            for (GraphNode* a : n->after) {
                first.push_back(a);
                second.push_back(n.get());
            }
        size_t room = *count;
        if (edges != nullptr) std::fill(edges, edges + room, cudaGraphEdgeData{});
        give(first, from, &room);
        give(second, to, count);
    });
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
    return call("cudaGraphAddDependencies", [&](Runtime&) {
        const Graph& g = graph_of(graph);
        for (size_t k = 0; k < count; ++k) node_of(to[k]).after.push_back(&node_of(from[k]));
        ordered(g);
    });
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                           size_t count) {
    return call("cudaGraphRemoveDependencies", [&](Runtime&) {
        graph_of(graph);
        for (size_t k = 0; k < count; ++k) require(std::erase(node_of(to[k]).after, &node_of(from[k])) != 0);
    });
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                            cudaGraphEdgeData* edges, size_t* count) {
    return call("cudaGraphNodeGetDependencies", [&](Runtime&) {
        require(count != nullptr);
        if (edges != nullptr) std::fill(edges, edges + *count, cudaGraphEdgeData{});
        give(node_of(node).after, nodes, count);
    });
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                              cudaGraphEdgeData* edges, size_t* count) {
    return call("cudaGraphNodeGetDependentNodes", [&](Runtime&) {
        require(count != nullptr);
        std::vector<GraphNode*> after;
        for (const Graph* g : living())
            for (const auto& n : g->nodes)
                if (std::find(n->after.begin(), n->after.end(), &node_of(node)) != n->after.end())
                    after.push_back(n.get());
        if (edges != nullptr) std::fill(edges, edges + *count, cudaGraphEdgeData{});
        give(after, nodes, count);
    });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    return call("cudaGraphDestroyNode", [&](Runtime&) {
        GraphNode* const gone = &node_of(node);
        for (Graph* g : living())
            for (const auto& n : g->nodes) std::erase(n->after, gone);
        for (Graph* g : living())
            if (std::erase_if(g->nodes, [&](const auto& n) { return n.get() == gone; }) != 0) return;
        throw CudaError{cudaErrorInvalidResourceHandle};
    });
}

cudaError_t cudaGraphGetId(cudaGraph_t graph, unsigned int* id) {
    return call("cudaGraphGetId", [&](Runtime&) {
        require(id != nullptr);
        *id = graph_of(graph).id;
    });
}
cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t node, unsigned int* id) {
    return call("cudaGraphNodeGetLocalId", [&](Runtime&) {
        require(id != nullptr);
        *id = node_of(node).local_id;
    });
}
cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    return call("cudaGraphNodeGetContainingGraph", [&](Runtime&) {
        require(graph != nullptr);
        *graph = handle_of(graph_with(node_of(node)));
    });
}
/// One number for each node of each graph.
cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t node, unsigned long long* id) {
    return call("cudaGraphNodeGetToolsId", [&](Runtime&) {
        require(id != nullptr);
        *id = u64{graph_with(node_of(node)).id} << 32 | node_of(node).local_id;
    });
}

}  // extern "C"
