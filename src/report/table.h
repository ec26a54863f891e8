#pragma once
// Columns of text, aligned.

#include <string>
#include <vector>

namespace heddle::report {

/// Columns of the terminal that text is written for; 0, the initial value: no limit, as for a file or a pipe.
std::size_t& screen_width();

/// Rows of cells; each column is as wide as its widest cell. Numbers are right-aligned, words left-aligned. Where that
/// is wider than the screen, words are broken into several lines; if that is not enough, the columns are split into
/// several tables below each other, each with the first column.
class Table {
  public:
    enum class Align : unsigned char { left, right };

    explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

    /// Control characters are shown as such.
    void add(std::vector<std::string> row);
    bool empty() const { return rows_.empty(); }

    /// One line a row, each behind `indent` spaces, columns two spaces apart, nothing after the last cell. Columns
    /// in which every cell is empty are left out.
    std::string text(std::size_t indent) const { return text(indent, screen_width()); }
    /// The same for a screen of `width` columns; 0: no limit.
    std::string text(std::size_t indent, std::size_t width) const;

  private:
    std::vector<Align> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace heddle::report
