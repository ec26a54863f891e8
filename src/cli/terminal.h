#pragma once
// The terminal that text is shown on.

#include <cstddef>
#include <string>

namespace heddle::cli {

/// Columns of the terminal behind a file descriptor: $COLUMNS, else what the terminal says, else 80. 0: it is none.
std::size_t terminal_columns(int file);

/// A line about how far something is, made to fit `columns`: parts divided by ", " are left out from the end. 0: as it is.
std::string progress_line(const std::string& text, std::size_t columns);

/// Shows such a line on standard error, over the one before.
void show_progress(const std::string& text);
void erase_progress();

}  // namespace heddle::cli
