#pragma once
// A folder that looks like NVIDIA's CUDA toolkit to Makefiles and CMake, and leads to Heddle: bin/nvcc is `heddle cc`,
// include and lib64 hold Heddle's headers and runtime.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::cuda {

/// Where programs keep what they can make again: $XDG_CACHE_HOME, ~/.cache, or the temporary folder.
std::filesystem::path user_cache();

/// A library of the toolkit that lies beside the runtime (library_folder()).
struct ToolkitLibrary {
    std::string_view name;  // of -l
    std::string_view file;
};
std::span<const ToolkitLibrary> toolkit_libraries();
/// By the name that -l gives, with or without _static. Null if it is none of them.
const ToolkitLibrary* find_toolkit_library(std::string_view name);

/// Writes the folder, or brings it up to date, and returns its path: user_cache()/heddle/cuda-12.0-HASH, one for each heddle
/// program on the machine. Throws InputError if it cannot be written.
std::string make_toolkit();

/// The environment in which a build finds it: PATH, CUDA_HOME and its kin, CUDACXX, and MAKEFLAGS, which overrides the
/// CUDA_DIR that Makefiles set themselves.
std::vector<std::pair<std::string, std::string>> toolkit_environment(const std::string& toolkit);

}  // namespace heddle::cuda
