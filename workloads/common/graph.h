#pragma once
// Graphs in compressed sparse rows, their generators and their files.
//
// Generators (--graph); each edge has its opposite, of the same weight, 1 to 100:
//   random  every vertex chooses half of its `degree` edges uniformly
//   rmat    recursive matrix (0.57, 0.19, 0.19, 0.05): few vertices with very many edges
//   road    two-dimensional grid, one street in ten closed: degree at most 4, large diameter
// Labels are shuffled: neighbours in the graph are not neighbours in memory. (--labels ordered keeps them.)
//
// Files (--input), told apart by their first line:
//   edge list       "from to [weight]" a line, '#' or '%' begin comments, vertices from 0
//   DIMACS .gr      "p sp N M", then M times "a from to weight", 'c' comments, vertices from 1
//   Matrix Market   "%%MatrixMarket matrix coordinate ...", row -> column, from 1; symmetric ones give both directions
//   adjacency       ISPASS/Rodinia: N, then "start degree" N times, the source, the number of edges, "to weight" each
// An edge without a weight has weight 1. Weights are whole numbers; only workloads that use them read them.

#include "sparse.h"

namespace workloads {

/// From `row` to `column`, of weight `value`.
using Edge = Entry<u32>;

/// What a workload that ignores the weights of a file does not read may be anything.
enum class Weights { ignored, used };

struct Graph {
    u32 vertices = 0;
    std::vector<u32> row;     // vertices + 1
    std::vector<u32> column;  // of each edge
    std::vector<u32> weight;  // of each edge
    u32 source = 0;           // where searches start, unless told otherwise

    u32 edges() const { return static_cast<u32>(column.size()); }
    u32 degree(u32 v) const { return row[v + 1] - row[v]; }
};

inline Graph graph_of(u32 vertices, const std::vector<Edge>& edges) {
    Rows<u32> rows = rows_of(vertices, edges);
    Graph g{vertices, std::move(rows.row), std::move(rows.column), std::move(rows.value), 0};
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
        for (u32 i = 0; i < (degree + v % 2) / 2; ++i) {
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

constexpr u64 kMostWeight = 0x7FFF'FFFF;

/// The next word of the line, the weight of its edge.
inline u32 read_weight(Reader& in, Weights weights, const char* shape) {
    if (!in.more()) in.misshapen(shape);
    if (weights == Weights::ignored) return 1;
    const double weight = in.real(shape);
    if (weight < 0 || weight > double{kMostWeight} || weight != std::floor(weight))
        in.fail("a weight is a whole number from 0 to " + std::to_string(kMostWeight) + ", found \"" +
                in.line() + "\"");
    return static_cast<u32>(weight);
}

inline Graph read_edge_list(Reader& in, Weights weights) {
    const char* const shape = "from to [weight]";
    std::vector<Edge> edges;
    u32 vertices = 0;
    do {
        if (in.blank() || in.begins("#") || in.begins("%")) continue;
        const u32 from = in.vertex(0, kMostRows, shape), to = in.vertex(0, kMostRows, shape);
        edges.push_back({from, to, in.more() ? read_weight(in, weights, shape) : 1});
        vertices = std::max({vertices, from + 1, to + 1});
    } while (in.next());
    if (edges.empty()) in.fail("the file has no edge");
    return graph_of(vertices, edges);
}

inline Graph read_dimacs(Reader& in, Weights weights) {
    const char* const size = "p sp VERTICES EDGES";
    const char* const arc = "a from to weight";
    std::vector<Edge> edges;
    u64 vertices = 0, announced = 0;
    do {
        if (in.blank() || in.begins("c")) continue;
        const std::string_view kind = in.word();
        if (kind == "p") {
            if (vertices != 0) in.fail(std::string("there is a second line \"") + size + "\"");
            in.word();  // "sp"
            vertices = in.whole(size);
            announced = in.whole(size);
            if (vertices == 0 || vertices > kMostRows) in.fail("the number of vertices is out of range");
        } else if (kind == "a") {
            if (vertices == 0) in.fail(std::string("expected \"") + size + "\" before the first edge");
            const u32 from = in.vertex(1, vertices, arc), to = in.vertex(1, vertices, arc);
            edges.push_back({from, to, read_weight(in, weights, arc)});
        } else {
            in.fail("expected a line that begins with 'a', 'c' or 'p'");
        }
    } while (in.next());
    if (vertices == 0) in.fail(std::string("there is no line \"") + size + "\"");
    in.must_have(announced, edges.size(), "edges");
    return graph_of(static_cast<u32>(vertices), edges);
}

inline Graph read_matrix_market(Reader& in, Weights weights) {
    const MarketHeader header = read_market_header(in);
    if (header.skew && weights == Weights::used) in.fail("weights of a skew-symmetric matrix are negative");
    std::vector<Edge> edges;
    read_market_entries(in, header, [&](u32 row, u32 column) {
        const u32 weight = header.pattern ? 1 : read_weight(in, weights, "row column value");
        edges.push_back({row, column, weight});
        if (header.one_triangle() && row != column) edges.push_back({column, row, weight});
    });
    return graph_of(std::max(header.rows, header.columns), edges);
}

inline Graph read_adjacency(Reader& in, Weights weights) {
    const auto next = [&](const char* shape) {
        do
            if (!in.next()) in.fail(std::string("the file ends where \"") + shape + "\" is expected");
        while (in.blank());
        return shape;
    };
    const u64 vertices = in.whole("VERTICES");
    if (vertices == 0 || vertices > kMostRows) in.fail("the number of vertices is out of range");
    Graph g;
    g.vertices = static_cast<u32>(vertices);
    g.row.push_back(0);
    for (u64 v = 0; v < vertices; ++v) {
        const char* const shape = next("start degree");
        if (in.whole(shape) != g.row.back())
            in.fail("edges must lie in the order of their vertices, without gaps");
        const u64 degree = in.whole(shape);
        if (degree > ~u32{0} - g.row.back()) in.fail("there are too many edges");
        g.row.push_back(g.row.back() + static_cast<u32>(degree));
    }
    g.source = in.vertex(0, vertices, next("SOURCE"));
    if (in.whole(next("EDGES")) != g.row.back())
        in.fail("the degrees add up to " + std::to_string(g.row.back()) + " edges");
    for (u32 e = 0; e < g.row.back(); ++e) {
        const char* const shape = next("to weight");
        g.column.push_back(in.vertex(0, vertices, shape));
        g.weight.push_back(read_weight(in, weights, shape));
    }
    while (in.next())
        if (!in.blank()) in.fail("expected the end of the file after its last edge");
    return g;
}

}  // namespace graph_detail

inline Graph read_graph(const std::string& file, Weights weights) {
    Reader in(file);
    if (!in.next()) in.fail("the file is empty");
    if (in.begins("%%MatrixMarket")) return graph_detail::read_matrix_market(in, weights);
    if (in.begins("c") || in.begins("p ")) return graph_detail::read_dimacs(in, weights);
    if (!in.begins("#") && !in.begins("%") && in.one_word()) return graph_detail::read_adjacency(in, weights);
    return graph_detail::read_edge_list(in, weights);
}

/// A generated graph; asks for --graph, --labels, --vertices and --degree.
struct GraphOptions {
    std::string kind, labels;
    u32 vertices, degree;

    GraphOptions(Arguments& args, Sizes<u32> n, Sizes<u32> d) {
        kind = args.choice("graph", "kind of generated graph", {"random", "rmat", "road"});
        labels = args.choice("labels", "vertex labels of the generated graph", {"shuffled", "ordered"});
        vertices = args.count("vertices", "vertices of the generated graph", n, 2u);
        degree = args.count("degree", "mean degree (random and rmat)", d, 2u);
        if (u64{vertices} * std::max(degree, 4u) > ~u32{0})
            args.fail("--vertices times --degree: at most 4294967295 edges");
    }

    Graph make(Random& random) const {
        std::vector<Edge> edges = kind == "random" ? graph_detail::random_edges(vertices, degree, random)
                                  : kind == "rmat" ? graph_detail::rmat_edges(vertices, degree, random)
                                                   : graph_detail::road_edges(vertices, random);
        if (labels == "shuffled") {
            const std::vector<u32> label = random_permutation(vertices, random);
            for (Edge& e : edges) e = {label[e.row], label[e.column], e.value};
        }
        return graph_of(vertices, edges);
    }
};

/// The graph that --input or GraphOptions give, with --source. Ends the options (Arguments::done).
inline Graph graph_from(Arguments& args, Sizes<u32> vertices, Sizes<u32> degree, Weights weights) {
    const std::string input =
        args.text("input", "FILE",
                  "graph file instead of a generated graph: edge list, DIMACS .gr, Matrix Market, adjacency");
    const GraphOptions options(args, vertices, degree);
    const std::string source =
        args.text("source", "N", "first vertex; none: the one with the highest degree");
    args.done();
    Random random(args.seed());
    Graph g = input.empty() ? options.make(random) : read_graph(input, weights);
    if (!source.empty()) {
        char* end = nullptr;
        const unsigned long long v = std::strtoull(source.c_str(), &end, 10);
        if (*end != 0 || v >= g.vertices)
            args.fail("--source: '" + source + "' is not a vertex of this graph");
        g.source = static_cast<u32>(v);
    }
    return g;
}

}  // namespace workloads
