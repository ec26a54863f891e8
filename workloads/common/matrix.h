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
    Reader in(file);
    if (!in.next()) in.fail("the file is empty");
    const MarketHeader header = read_market_header(in);
    std::vector<Entry<float>> entries;
    read_market_entries(in, header, [&](u32 row, u32 column) {
        const float value = header.pattern ? 1 : static_cast<float>(in.real("row column value"));
        entries.push_back({row, column, value});
        if (header.one_triangle() && row != column)
            entries.push_back({column, row, header.skew ? -value : value});
    });
    Rows<float> rows = rows_of(header.rows, entries);
    return {header.rows, header.columns, std::move(rows.row), std::move(rows.column), std::move(rows.value)};
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
