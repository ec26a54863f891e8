#include "cuda/installed_toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

/// 13000 of "#define CUDA_VERSION 13000"; 0: there is no such line.
unsigned version_in(const std::string& header) {
    std::ifstream in(header);
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view key = "#define CUDA_VERSION ";
        if (line.starts_with(key))
            return static_cast<unsigned>(std::strtoul(line.c_str() + key.size(), nullptr, 10));
    }
    return 0;
}

}  // namespace

InstalledToolkit installed_toolkit(const std::string& path) {
    const std::string header = path + "/include/cuda.h";
    const unsigned version = version_in(header);
    if (version == 0)
        throw InputError("--cuda-path: '" + path + "' holds no CUDA toolkit: there is no CUDA_VERSION in " +
                         header);
    InstalledToolkit t{fs::absolute(path).lexically_normal().string(), std::to_string(version / 1000),
                       std::to_string(version % 1000 / 10)};
    if (version < 11000)
        throw InputError("--cuda-path: '" + path + "' is CUDA " + t.major + "." + t.minor +
                         "; Heddle's runtime is that of CUDA 11 to 13");
    return t;
}

std::vector<std::string> InstalledToolkit::cuda_options() const {
    std::vector<std::string> out{"--cuda-path=" + path, "-isystem",
                                 shipped_folder("include", "src/cuda/include") + "/heddle/toolkit"};
    // Thrust, CUB and libcu++, which CUDA 13 has put into a folder of their own.
    if (const std::string libraries = path + "/include/cccl"; fs::exists(libraries))
        out.insert(out.end(), {"-isystem", libraries});
    return out;
}

std::vector<std::string> InstalledToolkit::host_options() const {
    return {"-isystem", path + "/include"};
}

std::string InstalledToolkit::runtime() const {
    return major == "11" ? "libcudart.so.11.0" : major == "12" ? "libcudart.so.12" : "libcudart.so.13";
}

}  // namespace heddle::cuda
