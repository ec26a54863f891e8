#include "cli/terminal.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/text.h"

namespace heddle::cli {
namespace {

/// Below these no table can be read.
constexpr std::size_t kFewestColumns = 20;
constexpr std::size_t kUsualColumns = 80;

std::size_t columns_given() {
    const char* text = std::getenv("COLUMNS");
    if (text == nullptr) return 0;
    const std::string_view digits = text;
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    return error == std::errc() && end == digits.data() + digits.size() ? columns : 0;
}

}  // namespace

std::size_t terminal_columns(int file) {
    if (isatty(file) == 0) return 0;
    if (const std::size_t columns = columns_given(); columns != 0) return std::max(columns, kFewestColumns);
    winsize size{};
    if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
    return std::max<std::size_t>(size.ws_col, kFewestColumns);
}

std::string progress_line(const std::string& text, std::size_t columns) {
    std::string line = text;
    while (columns != 0 && width_of(line) > columns) {
        const std::size_t comma = line.rfind(", ");
        line.erase(comma == std::string::npos ? prefix_of(line, columns) : comma);
    }
    return line;
}

void show_progress(const std::string& text) {
    // The last column stays free: some terminals start the next line when it is written.
    const std::size_t columns = terminal_columns(STDERR_FILENO);
    const std::string line = progress_line(text, columns == 0 ? 0 : columns - 1);
    std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
    std::fflush(stderr);
}

void erase_progress() {
    std::fputs("\r\x1b[K", stderr);
}

}  // namespace heddle::cli
