#pragma once
// Sparse matrices in compressed sparse rows: generated (the patterns of graph.h's generators) or read from Matrix
// Market files (coordinate; real, integer or pattern; general, symmetric or skew-symmetric).

#include "graph.h"

namespace workloads {

struct Matrix {
    u32 rows = 0, columns = 0;
    std::vector<u32> row;     // rows + 1
    std::vector<u32> column;  // of each entry
    std::vector<float> value;

    u32 entries() const { return static_cast<u32>(column.size()); }
};

inline Matrix read_matrix(const std::string& file) {
    graph_detail::Reader in(file);
    if (!in.next() || in.line().rfind("%%MatrixMarket", 0) != 0)
        in.fail("expected \"%%MatrixMarket matrix ...\"");
    const std::string header = in.line();
    const auto is = [&](const char* word) { return header.find(word) != std::string::npos; };
    if (!is("coordinate")) in.fail("only coordinate matrices are sparse");
    if (is("complex") || is("hermitian")) in.fail("complex matrices are not supported");
    const bool pattern = is("pattern"), mirrored = !is("general"), skew = is("skew");
    do
        if (!in.next()) in.fail("there is no size line");
    while (in.blank() || in.line()[0] == '%');
    const auto size = in.numbers(0, 3, "rows columns entries");
    if (size[0] == 0 || size[0] > graph_detail::kMostVertices || size[1] == 0 ||
        size[1] > graph_detail::kMostVertices)
        in.fail("the size is out of range");
    struct Entry {
        u32 row, column;
        float value;
    };
    std::vector<Entry> entries;
    u64 read = 0;
    for (; in.next(); ++read) {
        if (in.blank()) {
            --read;
            continue;
        }
        u64 r = 0, c = 0;
        double value = 1;
        std::istringstream line(in.line());
        if (!(line >> r >> c) || (!pattern && !(line >> value))) in.fail("expected \"row column value\"");
        const Entry e{in.vertex(r, 1, size[0]), in.vertex(c, 1, size[1]), static_cast<float>(value)};
        entries.push_back(e);
        if (mirrored && r != c) entries.push_back({e.column, e.row, skew ? -e.value : e.value});
    }
    if (read != size[2])
        in.fail("the size line announces " + std::to_string(size[2]) + " entries, there are " +
                std::to_string(read));
    Matrix m;
    m.rows = static_cast<u32>(size[0]);
    m.columns = static_cast<u32>(size[1]);
    m.row.assign(std::size_t{m.rows} + 1, 0);
    for (const Entry& e : entries) ++m.row[e.row + 1];
    for (u32 r = 0; r < m.rows; ++r) m.row[r + 1] += m.row[r];
    std::vector<u32> at(m.row.begin(), m.row.end() - 1);
    m.column.resize(entries.size());
    m.value.resize(entries.size());
    for (const Entry& e : entries) {
        m.column[at[e.row]] = e.column;
        m.value[at[e.row]++] = e.value;
    }
    return m;
}

/// A square matrix with the edges of a graph as its pattern and random values in [-1, 1).
inline Matrix matrix_of(const Graph& g, Random& random) {
    Matrix m;
    m.rows = m.columns = g.vertices;
    m.row = g.row;
    m.column = g.column;
    m.value.resize(g.column.size());
    for (float& v : m.value) v = random.between(-1, 1);
    return m;
}

}  // namespace workloads
