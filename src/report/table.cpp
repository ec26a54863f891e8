#include "report/table.h"

#include <algorithm>

namespace heddle::report {
namespace {

/// Characters on the screen: bytes of UTF-8 that are no continuation.
std::size_t width_of(const std::string& cell) {
    return static_cast<std::size_t>(std::count_if(
        cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string Table::text(std::size_t indent) const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
    std::string out;
    for (const auto& row : rows_) {
        std::string line(indent, ' ');
        bool first = true;
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (widths[c] == 0) continue;
            if (!first) line += "  ";
            first = false;
            const std::string pad(widths[c] - width_of(row[c]), ' ');
            line += columns_[c] == Align::right ? pad + row[c] : row[c] + pad;
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
}

}  // namespace heddle::report
