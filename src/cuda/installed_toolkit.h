#pragma once
// NVIDIA's CUDA toolkit where one is installed: heddle cc --cuda-path compiles with its headers in place of Heddle's.

#include <string>
#include <vector>

namespace heddle::cuda {

struct InstalledToolkit {
    std::string path;
    std::string major, minor;  // of CUDA_VERSION in its cuda.h: "13", "0"

    /// The options with which clang 14 compiles with its headers, in CUDA, C and C++ sources.
    std::vector<std::string> cuda_options() const;
    std::vector<std::string> host_options() const;
    /// Heddle's runtime for programs compiled with them: structures differ among CUDA 11, 12 and 13.
    std::string runtime() const;
};

/// Throws InputError if the folder holds no toolkit, or one older than CUDA 11.
InstalledToolkit installed_toolkit(const std::string& path);

}  // namespace heddle::cuda
