#pragma once
// The terminal that text is shown on.

#include <cstddef>
#include <string>

namespace heddle::cli {

/// Columns of the terminal behind a file descriptor: $COLUMNS, else what the terminal reports, else 80. 0: not a
/// terminal.
std::size_t terminal_columns(int file);

/// A progress line made to fit `columns`: parts separated by ", " are dropped from the end. 0: unchanged.
std::string progress_line(const std::string& text, std::size_t columns);

/// Shows such a line on standard error, over the one before.
void show_progress(const std::string& text);
void erase_progress();

}  // namespace heddle::cli
