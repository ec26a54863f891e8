#pragma once
// The PTX in a file: PTX text itself, or what a program, an object or a fat binary carries.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

struct ExtractedPtx {
    std::string name;  // the file's, with a number if it holds several
    std::string text;
};

/// In the order in which it stands in the file. Throws InputError if the file can't be read, is damaged, or holds none.
std::vector<ExtractedPtx> extract_ptx(const std::string& path);

/// The same of a file's bytes.
std::vector<ExtractedPtx> extract_ptx(std::string_view bytes, const std::string& name);

}  // namespace heddle::cuda
