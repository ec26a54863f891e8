// bfs: breadth-first search, level by level, on a graph in compressed sparse rows.
// topology: one thread a vertex looks whether its vertex is in this level (as in Rodinia and LonestarGPU's first form).
// frontier: one thread a vertex of the level, which a list holds (Merrill, Garland, Grimshaw, PPoPP 2012).

#include "../common/graph.h"

using namespace workloads;

namespace {

constexpr u32 kUnreached = ~u32{0};
constexpr u32 kThreads = 256;

extern "C" __global__ void expand_topology(const u32* row, const u32* column, u32* level, u32 vertices,
                                           u32 depth, u32* changed) {
    const u32 v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || level[v] != depth) return;
    const u32 end = row[v + 1];
    for (u32 e = row[v]; e < end; ++e) {
        const u32 to = column[e];
        if (level[to] != kUnreached) continue;
        level[to] = depth + 1;  // whoever else does so writes the same
        *changed = 1;
    }
}

/// One atomic for all lanes that push together.
__device__ u32 push(u32* tail) {
    const u32 lanes = __activemask();
    const u32 lane = threadIdx.x % 32;
    const int leader = __ffs(static_cast<int>(lanes)) - 1;
    u32 base = 0;
    if (static_cast<int>(lane) == leader) base = atomicAdd(tail, static_cast<u32>(__popc(lanes)));
    return __shfl_sync(lanes, base, leader) + static_cast<u32>(__popc(lanes & ((1u << lane) - 1)));
}

extern "C" __global__ void expand_frontier(const u32* row, const u32* column, u32* level, const u32* frontier,
                                           u32 size, u32 depth, u32* next, u32* tail) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    const u32 v = frontier[i];
    const u32 end = row[v + 1];
    for (u32 e = row[v]; e < end; ++e) {
        const u32 to = column[e];
        if (level[to] == kUnreached && atomicCAS(&level[to], kUnreached, depth + 1) == kUnreached)
            next[push(tail)] = to;
    }
}

std::vector<u32> reference(const Graph& g) {
    std::vector<u32> level(g.vertices, kUnreached), frontier{g.source};
    level[g.source] = 0;
    for (u32 depth = 1; !frontier.empty(); ++depth) {
        std::vector<u32> next;
        for (const u32 v : frontier)
            for (u32 e = g.row[v]; e < g.row[v + 1]; ++e)
                if (level[g.column[e]] == kUnreached) {
                    level[g.column[e]] = depth;
                    next.push_back(g.column[e]);
                }
        frontier.swap(next);
    }
    return level;
}

/// "1 10 60 340": vertices of each level.
std::string level_sizes(const std::vector<u32>& level) {
    std::vector<u32> sizes;
    for (const u32 l : level) {
        if (l == kUnreached) continue;
        if (l >= sizes.size()) sizes.resize(l + 1, 0);
        ++sizes[l];
    }
    std::string out;
    for (const u32 s : sizes) out += ' ' + std::to_string(s);
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("bfs", "breadth-first search", argc, argv);
    const bool topology =
        args.choice("variant", "how a level's vertices are found", {"topology", "frontier"}) == "topology";
    const Graph g = graph_from(args, {8192, 262'144, 8'388'608}, {8, 8, 8}, Weights::ignored);

    DeviceArray<u32> row(g.row), column(g.column), level(g.vertices);
    level.clear(0xFF);
    level.set(0, g.source);
    if (topology) {
        DeviceArray<u32> changed(1);
        bool more = true;
        for (u32 depth = 0; more; ++depth) {
            changed.clear();
            expand_topology<<<blocks(g.vertices, kThreads), kThreads>>>(
                row.data(), column.data(), level.data(), g.vertices, depth, changed.data());
            must(cudaGetLastError());
            more = changed.host(0) != 0;
        }
    } else {
        DeviceArray<u32> frontier(g.vertices), next(g.vertices), tail(1);
        frontier.set(g.source, 0);
        u32 size = 1;
        for (u32 depth = 0; size > 0; ++depth) {
            tail.clear();
            expand_frontier<<<blocks(size, kThreads), kThreads>>>(row.data(), column.data(), level.data(),
                                                                  frontier.data(), size, depth, next.data(),
                                                                  tail.data());
            must(cudaGetLastError());
            size = tail.host(0);
            frontier.swap(next);
        }
    }

    const std::vector<u32> got = level.host();
    std::printf("bfs: %u vertices, %u edges, level sizes%s\n", g.vertices, g.edges(),
                level_sizes(got).c_str());
    Verdict verdict("bfs");
    verdict.equal("level", got, reference(g));
    return verdict.exit_code();
}
