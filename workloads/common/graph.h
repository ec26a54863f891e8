#pragma once
// Graphs in compressed sparse rows, their generators and their files.
//
// Generators (--graph):
//   random  every vertex gets `degree` edges to uniformly random others
//   rmat    recursive matrix (0.57, 0.19, 0.19, 0.05): few vertices with very many edges
//   road    two-dimensional grid, one street in ten closed: degree at most 4, large diameter
// Labels are shuffled: neighbours in the graph are not neighbours in memory. (--labels ordered keeps them.)
//
// Files (--input), told apart by their first line:
//   edge list       "from to [weight]" a line, '#' or '%' begin comments, vertices from 0
//   DIMACS .gr      "p sp N M", "a from to weight", 'c' comments, vertices from 1
//   Matrix Market   "%%MatrixMarket matrix coordinate ...", row -> column, from 1; symmetric ones give both directions
//   adjacency       ISPASS/Rodinia: N, then "start degree" N times, the source, the number of edges, "to weight" each
// An edge without a weight has weight 1.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "workload.h"

namespace workloads {

struct Edge {
    u32 from, to, weight;
};

struct Graph {
    u32 vertices = 0;
    std::vector<u32> row;     // vertices + 1
    std::vector<u32> column;  // of each edge
    std::vector<u32> weight;  // of each edge
    u32 source = 0;           // where searches start, unless told otherwise

    u32 edges() const { return static_cast<u32>(column.size()); }
    u32 degree(u32 v) const { return row[v + 1] - row[v]; }
};

/// Edges keep their order within a vertex.
inline Graph graph_of(u32 vertices, const std::vector<Edge>& edges) {
    Graph g;
    g.vertices = vertices;
    g.row.assign(std::size_t{vertices} + 1, 0);
    for (const Edge& e : edges) ++g.row[e.from + 1];
    for (u32 v = 0; v < vertices; ++v) g.row[v + 1] += g.row[v];
    std::vector<u32> at(g.row.begin(), g.row.end() - 1);
    g.column.resize(edges.size());
    g.weight.resize(edges.size());
    for (const Edge& e : edges) {
        g.column[at[e.from]] = e.to;
        g.weight[at[e.from]++] = e.weight;
    }
    // The vertex of the highest degree reaches most of a graph.
    for (u32 v = 1; v < vertices; ++v)
        if (g.degree(v) > g.degree(g.source)) g.source = v;
    return g;
}

namespace graph_detail {

inline u32 weight(Random& random) {
    return 1 + random.below(100);
}

inline std::vector<Edge> random_edges(u32 n, u32 degree, Random& random) {
    std::vector<Edge> edges;
    edges.reserve(std::size_t{n} * degree);
    for (u32 v = 0; v < n; ++v)
        for (u32 i = 0; i < (degree + 1) / 2; ++i) {
            const u32 to = random.below(n), w = weight(random);
            edges.push_back({v, to, w});
            edges.push_back({to, v, w});
        }
    return edges;
}

inline std::vector<Edge> rmat_edges(u32 n, u32 degree, Random& random) {
    u32 levels = 0;
    while ((u64{1} << levels) < n) ++levels;
    std::vector<Edge> edges;
    edges.reserve(std::size_t{n} * degree);
    const u64 wanted = u64{n} * degree / 2;
    while (edges.size() < 2 * wanted) {
        u32 from = 0, to = 0;
        for (u32 l = 0; l < levels; ++l) {
            const u32 p = random.below(100);
            from = 2 * from + (p >= 76 ? 1 : 0);
            to = 2 * to + (p >= 57 && (p < 76 || p >= 95) ? 1 : 0);
        }
        if (from >= n || to >= n) continue;
        const u32 w = weight(random);
        edges.push_back({from, to, w});
        edges.push_back({to, from, w});
    }
    return edges;
}

inline std::vector<Edge> road_edges(u32 n, Random& random) {
    const u32 width = std::max(1u, static_cast<u32>(std::sqrt(static_cast<double>(n))));
    std::vector<Edge> edges;
    edges.reserve(std::size_t{n} * 4);
    const auto street = [&](u32 a, u32 b) {
        const u32 w = weight(random);
        if (random.below(10) == 0) return;
        edges.push_back({a, b, w});
        edges.push_back({b, a, w});
    };
    for (u32 v = 0; v < n; ++v) {
        if ((v + 1) % width != 0 && v + 1 < n) street(v, v + 1);
        if (v + width < n) street(v, v + width);
    }
    return edges;
}

class Reader {
  public:
    explicit Reader(std::string file) : file_(std::move(file)), in_(file_) {
        if (!in_) reject(file_ + ": cannot be read");
    }
    bool next() {
        if (!std::getline(in_, line_)) return false;
        ++number_;
        return true;
    }
    const std::string& line() const { return line_; }
    [[noreturn]] void fail(const std::string& what) const {
        reject(file_ + ":" + std::to_string(number_) + ": " + what);
    }
    /// The whole numbers of this line from character `at` on; words after them (real weights) are not read.
    std::vector<u64> numbers(std::size_t at, std::size_t least, const char* shape) const {
        std::vector<u64> out;
        std::istringstream in(line_.substr(std::min(at, line_.size())));
        u64 value = 0;
        while (in >> value) out.push_back(value);
        if (out.size() < least) fail(std::string("expected \"") + shape + "\", found \"" + line_ + "\"");
        return out;
    }
    u32 vertex(u64 label, u64 first, u64 vertices) const {
        if (label < first || label - first >= vertices)
            fail("vertex " + std::to_string(label) + " is not in " + std::to_string(first) + " to " +
                 std::to_string(vertices + first - 1));
        return static_cast<u32>(label - first);
    }
    bool blank() const { return line_.find_first_not_of(" \t\r") == std::string::npos; }

  private:
    std::string file_, line_;
    std::ifstream in_;
    u64 number_ = 0;
};

constexpr u64 kMostVertices = 1u << 31;

inline u32 weight_of(const std::vector<u64>& numbers) {
    return numbers.size() > 2 ? static_cast<u32>(std::min<u64>(numbers[2], 1u << 24)) : 1;
}

inline Graph read_edge_list(Reader& in) {
    std::vector<Edge> edges;
    u64 vertices = 0;
    do {
        if (in.blank() || in.line()[0] == '#' || in.line()[0] == '%') continue;
        const auto n = in.numbers(0, 2, "from to [weight]");
        edges.push_back({in.vertex(n[0], 0, kMostVertices), in.vertex(n[1], 0, kMostVertices), weight_of(n)});
        vertices = std::max({vertices, n[0] + 1, n[1] + 1});
    } while (in.next());
    if (edges.empty()) in.fail("the file has no edge");
    return graph_of(static_cast<u32>(vertices), edges);
}

inline Graph read_dimacs(Reader& in) {
    std::vector<Edge> edges;
    u64 vertices = 0;
    do {
        if (in.blank() || in.line()[0] == 'c') continue;
        if (in.line()[0] == 'p') {
            vertices = in.numbers(in.line().find_first_of("0123456789"), 2, "p sp VERTICES EDGES")[0];
            if (vertices == 0 || vertices > kMostVertices) in.fail("the number of vertices is out of range");
        } else if (in.line()[0] == 'a') {
            const auto n = in.numbers(1, 3, "a from to weight");
            edges.push_back({in.vertex(n[0], 1, vertices), in.vertex(n[1], 1, vertices), weight_of(n)});
        } else {
            in.fail("expected a line that begins with 'a', 'c' or 'p'");
        }
    } while (in.next());
    if (vertices == 0) in.fail("there is no line \"p sp VERTICES EDGES\"");
    return graph_of(static_cast<u32>(vertices), edges);
}

inline Graph read_matrix_market(Reader& in) {
    if (in.line().find("coordinate") == std::string::npos) in.fail("only coordinate matrices are graphs");
    const bool symmetric = in.line().find("general") == std::string::npos;
    do
        if (!in.next()) in.fail("there is no size line");
    while (in.blank() || in.line()[0] == '%');
    const auto size = in.numbers(0, 3, "rows columns entries");
    const u64 vertices = std::max(size[0], size[1]);
    if (vertices == 0 || vertices > kMostVertices) in.fail("the number of rows is out of range");
    std::vector<Edge> edges;
    while (in.next()) {
        if (in.blank()) continue;
        const auto n = in.numbers(0, 2, "row column [value]");
        const Edge e{in.vertex(n[0], 1, vertices), in.vertex(n[1], 1, vertices), weight_of(n)};
        edges.push_back(e);
        if (symmetric && e.from != e.to) edges.push_back({e.to, e.from, e.weight});
    }
    return graph_of(static_cast<u32>(vertices), edges);
}

inline Graph read_adjacency(Reader& in) {
    const u64 n = in.numbers(0, 1, "VERTICES")[0];
    if (n == 0 || n > kMostVertices) in.fail("the number of vertices is out of range");
    Graph g;
    g.vertices = static_cast<u32>(n);
    g.row.push_back(0);
    const auto line = [&](std::size_t least, const char* shape) {
        do
            if (!in.next()) in.fail(std::string("the file ends where \"") + shape + "\" is expected");
        while (in.blank());
        return in.numbers(0, least, shape);
    };
    for (u64 v = 0; v < n; ++v) {
        const auto node = line(2, "start degree");
        if (node[0] != g.row.back()) in.fail("edges must lie in the order of their vertices, without gaps");
        if (node[0] + node[1] >= kMostVertices) in.fail("there are too many edges");
        g.row.push_back(static_cast<u32>(node[0] + node[1]));
    }
    g.source = in.vertex(line(1, "SOURCE")[0], 0, n);
    const u64 edges = line(1, "EDGES")[0];
    if (edges != g.row.back()) in.fail("the degrees add up to " + std::to_string(g.row.back()) + " edges");
    for (u64 e = 0; e < edges; ++e) {
        const auto edge = line(2, "to weight");
        g.column.push_back(in.vertex(edge[0], 0, n));
        g.weight.push_back(static_cast<u32>(edge[1]));
    }
    return g;
}

}  // namespace graph_detail

inline Graph read_graph(const std::string& file) {
    graph_detail::Reader in(file);
    if (!in.next()) in.fail("the file is empty");
    const std::string& first = in.line();
    if (first.rfind("%%MatrixMarket", 0) == 0) return graph_detail::read_matrix_market(in);
    if (first.rfind("c", 0) == 0 || first.rfind("p ", 0) == 0) return graph_detail::read_dimacs(in);
    if (!in.blank() && first[0] != '#' && first[0] != '%' && in.numbers(0, 1, "a number").size() == 1)
        return graph_detail::read_adjacency(in);
    return graph_detail::read_edge_list(in);
}

/// A generated graph and where it may come from instead; asks for --graph, --labels, --vertices and --degree.
struct GraphOptions {
    std::string kind, labels;
    u32 vertices, degree;

    GraphOptions(Arguments& args, Sizes<u32> n, Sizes<u32> d, const std::string& standard) {
        std::vector<std::string> kinds{standard};
        for (const char* k : {"random", "rmat", "road"})
            if (standard != k) kinds.push_back(k);
        kind = args.choice("graph", "kind of generated graph", kinds);
        labels = args.choice("labels", "of the generated graph", {"shuffled", "ordered"});
        vertices = args.count("vertices", "of the generated graph", n, 2u);
        degree = args.count("degree", "mean degree; random and rmat", d, 2u);
    }

    Graph make(Random& random) const {
        std::vector<Edge> edges = kind == "random" ? graph_detail::random_edges(vertices, degree, random)
                                  : kind == "rmat" ? graph_detail::rmat_edges(vertices, degree, random)
                                                   : graph_detail::road_edges(vertices, random);
        if (labels == "shuffled") {
            const std::vector<u32> label = random_permutation(vertices, random);
            for (Edge& e : edges) e = {label[e.from], label[e.to], e.weight};
        }
        return graph_of(vertices, edges);
    }
};

/// The graph that --input or GraphOptions give, with --source. Ends the options (Arguments::done).
inline Graph graph_from(Arguments& args, Sizes<u32> vertices, Sizes<u32> degree,
                        const std::string& standard) {
    const std::string input =
        args.text("input", "FILE",
                  "graph: edge list, DIMACS .gr, Matrix Market, adjacency; instead of a generated one");
    const GraphOptions options(args, vertices, degree, standard);
    const std::string source = args.text("source", "N", "first vertex; none: that of the highest degree");
    args.done();
    Random random(args.seed());
    Graph g = input.empty() ? options.make(random) : read_graph(input);
    if (!source.empty()) {
        char* end = nullptr;
        const unsigned long long v = std::strtoull(source.c_str(), &end, 10);
        if (*end != 0 || v >= g.vertices) args.fail("--source: '" + source + "' is no vertex of this graph");
        g.source = static_cast<u32>(v);
    }
    return g;
}

}  // namespace workloads
