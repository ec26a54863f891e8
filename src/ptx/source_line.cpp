// The lines of sources that a module's text names.

#include <algorithm>

#include "ptx/ast.h"

namespace heddle::ptx::ast {

std::string Unit::source(u32 line) const {
    const auto after = std::upper_bound(locations.begin(), locations.end(), line,
                                        [](u32 l, const Location& where) { return l < where.from; });
    if (after == locations.begin()) return {};
    const Location& where = *std::prev(after);
    const auto file = files.find(where.file);
    if (where.line == 0 || file == files.end()) return {};
    return file->second + ":" + std::to_string(where.line);
}

}  // namespace heddle::ptx::ast
