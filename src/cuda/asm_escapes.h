#pragma once
// Inline assembly that names registers with one % ("mov.u32 %0, %laneid;"): nvcc takes it, clang wants "%%laneid". Where
// clang complains, it reads the file again with the signs doubled.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// A place that clang names; both count from 1.
struct SourcePlace {
    std::string file;
    std::size_t line = 0, column = 0;
};

/// Where the compiler found an escape that it does not know.
std::vector<SourcePlace> unknown_escapes(std::string_view compiler_said);

/// The text with every single % before a letter doubled, in the statements at these places.
std::string double_escapes(const std::string& text, const std::vector<SourcePlace>& places);

}  // namespace heddle::cuda
