#include "report/table.h"

#include <algorithm>

#include "sim/text.h"

namespace heddle::report {
namespace {

constexpr std::size_t kGap = 2;           // between columns
constexpr std::size_t kNarrowWords = 14;  // columns that a column of words keeps, unless it needs fewer
constexpr std::size_t kNarrowest = 4;     // that any column keeps

using Row = std::vector<std::string>;

struct Column {
    std::size_t index = 0;
    bool right = false;
    std::size_t natural = 0;  // of the widest cell
    std::size_t least = 0;    // where cells are broken as far as they may be
    std::size_t width = 0;
};

std::size_t longest_word(const std::string& text) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        longest = std::max(longest, width_of(std::string_view(text).substr(at, end - at)));
        at = end + 1;
    }
    return longest;
}

std::size_t total(const std::vector<Column>& columns, std::size_t Column::*width) {
    std::size_t sum = columns.empty() ? 0 : kGap * (columns.size() - 1);
    for (const Column& c : columns) sum += c.*width;
    return sum;
}

/// Gives columns their widths, together at most `room` if that is possible.
void share_out(std::vector<Column>& columns, std::size_t room) {
    const bool fits = total(columns, &Column::natural) <= room;
    for (Column& c : columns) c.width = fits ? c.natural : c.least;
    if (fits) return;
    // Narrower than can be: the widest give.
    while (total(columns, &Column::width) > room) {
        auto widest = std::max_element(columns.begin(), columns.end(),
                                       [](const Column& a, const Column& b) { return a.width < b.width; });
        if (widest->width <= kNarrowest) return;
        --widest->width;
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (Column& c : columns)
            if (c.width < c.natural && total(columns, &Column::width) < room) ++c.width, grown = true;
    }
}

void write(std::string& out, const std::vector<Row>& rows, const std::vector<Column>& columns,
           std::size_t indent, bool whole) {
    for (const Row& row : rows) {
        std::vector<std::vector<std::string>> cells;
        std::size_t lines = 1;
        bool any = whole || &row == &rows.front();
        for (const Column& c : columns) {
            cells.push_back(wrapped(row[c.index], std::max<std::size_t>(1, c.width)));
            lines = std::max(lines, cells.back().size());
            any |= &c != &columns.front() && !row[c.index].empty();
        }
        // A row that says nothing in these columns.
        if (!any) continue;
        for (std::size_t k = 0; k < lines; ++k) {
            std::string line(indent, ' ');
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (c != 0) line.append(kGap, ' ');
                const std::string cell = k < cells[c].size() ? cells[c][k] : std::string{};
                const std::size_t used = width_of(cell);
                const std::string pad(columns[c].width - std::min(used, columns[c].width), ' ');
                line += columns[c].right ? pad + cell : cell + pad;
            }
            out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        }
    }
}

}  // namespace

std::size_t& screen_width() {
    static std::size_t width = 0;
    return width;
}

void Table::add(std::vector<std::string> row) {
    for (std::string& cell : row) cell = printable(cell, false);
    row.resize(columns_.size());
    rows_.push_back(std::move(row));
}

std::string Table::text(std::size_t indent, std::size_t width) const {
    std::vector<Column> columns;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        Column column{c, columns_[c] == Align::right};
        std::size_t word = 0;
        for (const Row& row : rows_) {
            column.natural = std::max(column.natural, width_of(row[c]));
            word = std::max(word, longest_word(row[c]));
        }
        column.least = column.right ? column.natural : std::min(word, kNarrowWords);
        if (column.natural != 0) columns.push_back(column);
    }
    std::string out;
    if (columns.empty()) return out;
    const std::size_t room = width == 0                    ? ~std::size_t{0} / 2
                             : width > indent + kNarrowest ? width - indent
                                                           : kNarrowest;
    if (total(columns, &Column::least) <= room || columns.size() <= 2) {
        share_out(columns, room);
        write(out, rows_, columns, indent, true);
        return out;
    }
    // The first column says what a row is of.
    for (std::size_t next = 1; next < columns.size();) {
        std::vector<Column> block{columns.front()};
        do block.push_back(columns[next++]);
        while (next < columns.size() && total(block, &Column::least) + kGap + columns[next].least <= room);
        share_out(block, room);
        if (!out.empty()) out += '\n';
        write(out, rows_, block, indent, false);
    }
    return out;
}

}  // namespace heddle::report
