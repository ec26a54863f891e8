#pragma once
// Columns of text, aligned.

#include <string>
#include <vector>

namespace heddle::report {

/// Rows of cells; each column is as wide as its widest cell. Numbers stand right, words left.
class Table {
  public:
    enum class Align : unsigned char { left, right };

    explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const { return rows_.empty(); }

    /// One line a row, each behind `indent` spaces, columns two spaces apart, nothing after the last cell. Columns
    /// in which every cell is empty are left out.
    std::string text(std::size_t indent) const;

  private:
    std::vector<Align> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace heddle::report
