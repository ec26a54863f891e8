#pragma once
// A folder that looks like NVIDIA's CUDA toolkit to Makefiles and CMake, and leads to Heddle: bin/nvcc is `heddle cc`,
// include and lib64 hold Heddle's headers and runtime.

#include <string>
#include <utility>
#include <vector>

namespace heddle::cuda {

/// Writes the folder, or brings it up to date, and returns its path: $XDG_CACHE_HOME (or ~/.cache, or the temporary folder)
/// /heddle/cuda-12.0-HASH, one for each heddle program on the machine. Throws InputError if it cannot be written.
std::string make_toolkit();

/// The environment in which a build finds it: PATH, CUDA_HOME and its kin, CUDACXX, and MAKEFLAGS, which overrides the
/// CUDA_DIR that Makefiles set themselves.
std::vector<std::pair<std::string, std::string>> toolkit_environment(const std::string& toolkit);

}  // namespace heddle::cuda
