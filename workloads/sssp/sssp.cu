// sssp: shortest paths from one vertex, Bellman-Ford in rounds: one thread a vertex whose distance fell in the round
// before relaxes its edges with an atomic minimum (the topology-driven form of LonestarGPU).

#include <queue>
#include <utility>

#include "../common/graph.h"

using namespace workloads;

namespace {

constexpr u32 kFar = ~u32{0};
constexpr u32 kThreads = 256;

extern "C" __global__ void relax(const u32* row, const u32* column, const u32* weight, u32* distance,
                                 const u8* active, u8* next_active, u32 vertices, u32* changed) {
    const u32 v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || active[v] == 0) return;
    const u32 base = distance[v];
    const u32 end = row[v + 1];
    for (u32 e = row[v]; e < end; ++e) {
        const u32 to = column[e];
        const u32 through = base + weight[e];
        if (through >= distance[to]) continue;
        if (through < atomicMin(&distance[to], through)) {
            next_active[to] = 1;
            *changed = 1;
        }
    }
}

/// Dijkstra's algorithm.
std::vector<u32> reference(const Graph& g) {
    using Item = std::pair<u32, u32>;  // distance, vertex
    std::vector<u32> distance(g.vertices, kFar);
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
    distance[g.source] = 0;
    queue.push({0, g.source});
    while (!queue.empty()) {
        const Item item = queue.top();
        queue.pop();
        if (item.first > distance[item.second]) continue;
        for (u32 e = g.row[item.second]; e < g.row[item.second + 1]; ++e) {
            const u32 through = item.first + g.weight[e];
            if (through >= distance[g.column[e]]) continue;
            distance[g.column[e]] = through;
            queue.push({through, g.column[e]});
        }
    }
    return distance;
}

/// No round tries a longer one: a vertex is first reached, as in a breadth-first search, by a path of as many edges as
/// its level, and its distance only falls from then on.
u64 longest_path(const Graph& g) {
    std::vector<bool> reached(g.vertices);
    std::vector<u32> frontier{g.source};
    reached[g.source] = true;
    u64 levels = 0;
    u32 heaviest = 0;
    for (; !frontier.empty(); ++levels) {
        std::vector<u32> next;
        for (const u32 v : frontier)
            for (u32 e = g.row[v]; e < g.row[v + 1]; ++e) {
                heaviest = std::max(heaviest, g.weight[e]);
                if (reached[g.column[e]]) continue;
                reached[g.column[e]] = true;
                next.push_back(g.column[e]);
            }
        frontier.swap(next);
    }
    return levels * heaviest;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("sssp", "single-source shortest paths", argc, argv);
    const Graph g = graph_from(args, {4096, 65'536, 4'194'304}, {8, 8, 8}, Weights::used);

    if (longest_path(g) >= kFar) args.fail("weights are so large that distances may not fit into 32 bits");

    DeviceArray<u32> row(g.row), column(g.column), weight(g.weight), distance(g.vertices), changed(1);
    DeviceArray<u8> active(g.vertices), next(g.vertices);
    distance.clear(0xFF);
    distance.set(0, g.source);
    active.clear();
    active.set(1, g.source);
    u32 rounds = 0;
    for (bool more = true; more; ++rounds) {
        next.clear();
        changed.clear();
        relax<<<blocks(g.vertices, kThreads), kThreads>>>(row.data(), column.data(), weight.data(),
                                                          distance.data(), active.data(), next.data(),
                                                          g.vertices, changed.data());
        must(cudaGetLastError());
        more = changed.host(0) != 0;
        active.swap(next);
    }

    std::printf("sssp: %u vertices, %u edges, %u rounds\n", g.vertices, g.edges(), rounds);
    Verdict verdict("sssp");
    verdict.equal("distance", distance.host(), reference(g));
    return verdict.exit_code();
}
