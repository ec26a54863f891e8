#pragma once
// Launches that clang does not read as they stand.
//
// Launches whose brackets are written apart: `k << <grid, block >> > (arguments)`.
//
// nvcc takes them, as formatters that do not know CUDA write them; clang's lexer wants `<<<` and `>>>`. The text that
// clang sees has the brackets together and the spaces behind them, so that every line and column stays where it is.
//
// Launches in device code: clang 14 has none. The text has calls in their place (heddle/device_launch.h), on the same lines.
// Functions of host and device launch in either half: the host's launch stays in the host half.

#include <map>
#include <string>
#include <vector>

namespace heddle::cuda {

/// The text with the brackets of every launch together. Comments and literals stay as they are.
std::string join_launch_brackets(std::string text);

enum class Half { host, device };

/// The text with calls in the place of the launches that stand in functions of the device, as far as that half compiles them.
std::string call_device_launches(const std::string& text, Half half);

/// Texts that the compiler reads in place of files, by their absolute paths.
using FileTexts = std::map<std::string, std::string>;

/// The source and the files that it includes by `#include "..."`, found beside the including file or in `folders`: those that
/// the above changes, with what becomes of them. Paths are absolute. Files that can't be read are left to the compiler.
FileTexts sources_with_other_launches(const std::string& source, const std::vector<std::string>& folders,
                                      Half half);

/// A file for clang's -ivfsoverlay: other files in the place of these, by their absolute paths.
std::string overlay_text(const std::map<std::string, std::string>& replaced);

}  // namespace heddle::cuda
