#pragma once
// Compressed sparse rows, and the Matrix Market files (coordinate) that graphs and matrices are read from.

#include <cctype>

#include "reader.h"

namespace workloads {

constexpr u64 kMostRows = u64{1} << 31;

template <class T>
struct Entry {
    u32 row, column;
    T value;
};

template <class T>
struct Rows {
    std::vector<u32> row;     // rows + 1
    std::vector<u32> column;  // of each entry
    std::vector<T> value;     // of each entry
};

/// Entries keep their order within a row.
template <class T>
Rows<T> rows_of(u32 rows, const std::vector<Entry<T>>& entries) {
    if (entries.size() > ~u32{0}) reject("there are more than 4294967295 entries");
    Rows<T> out{std::vector<u32>(std::size_t{rows} + 1), std::vector<u32>(entries.size()),
                std::vector<T>(entries.size())};
    for (const Entry<T>& e : entries) ++out.row[e.row + 1];
    for (u32 r = 0; r < rows; ++r) out.row[r + 1] += out.row[r];
    std::vector<u32> at(out.row.begin(), out.row.end() - 1);
    for (const Entry<T>& e : entries) {
        out.column[at[e.row]] = e.column;
        out.value[at[e.row]++] = e.value;
    }
    return out;
}

/// The first lines of a Matrix Market file. Of symmetric and skew-symmetric matrices the file has one triangle.
struct MarketHeader {
    u32 rows, columns;
    u64 entries;
    bool pattern, symmetric, skew;

    bool one_triangle() const { return symmetric || skew; }
};

/// `in` is at the first line of the file.
inline MarketHeader read_market_header(Reader& in) {
    if (!in.begins("%%MatrixMarket")) in.fail("expected \"%%MatrixMarket matrix ...\"");
    const auto lower = [&] {
        std::string word(in.word());
        for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return word;
    };
    lower();
    const std::string object = lower(), format = lower(), field = lower(), symmetry = lower();
    if (object != "matrix" || format != "coordinate")
        in.fail("expected \"matrix coordinate\", found \"" + object + " " + format + "\"");
    if (field != "real" && field != "integer" && field != "pattern")
        in.fail("values are real, integer or pattern, not '" + field + "'");
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
        in.fail("a matrix is general, symmetric or skew-symmetric, not '" + symmetry + "'");
    do
        if (!in.next()) in.fail("there is no size line");
    while (in.blank() || in.begins("%"));
    const char* const shape = "rows columns entries";
    const u64 rows = in.whole(shape), columns = in.whole(shape), entries = in.whole(shape);
    if (rows == 0 || rows > kMostRows || columns == 0 || columns > kMostRows)
        in.fail("rows and columns are 1 to " + std::to_string(kMostRows));
    const MarketHeader header{
        static_cast<u32>(rows), static_cast<u32>(columns), entries,
        field == "pattern",     symmetry == "symmetric",   symmetry == "skew-symmetric"};
    if (header.one_triangle() && rows != columns) in.fail("a " + symmetry + " matrix is square");
    return header;
}

/// Calls entry(row, column) for each line behind the header; the value, if any, is the reader's next word.
template <class F>
void read_market_entries(Reader& in, const MarketHeader& header, const F& entry) {
    u64 read = 0;
    while (in.next()) {
        if (in.blank() || in.begins("%")) continue;
        const char* const shape = "row column value";
        const u64 row = in.whole(shape), column = in.whole(shape);
        if (row == 0 || row > header.rows || column == 0 || column > header.columns)
            in.fail("row " + std::to_string(row) + ", column " + std::to_string(column) +
                    " are not in the matrix of " + std::to_string(header.rows) + " x " +
                    std::to_string(header.columns));
        entry(static_cast<u32>(row - 1), static_cast<u32>(column - 1));
        ++read;
    }
    in.must_have(header.entries, read, "entries");
}

}  // namespace workloads
