#include "cuda/toolkit.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <unistd.h>

#include "cuda/child.h"
#include "cuda/compile.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/output_file.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::array kLibraries{
    ToolkitLibrary{"nvrtc", "libnvrtc.so.12"},       ToolkitLibrary{"cublas", "libcublas.so.12"},
    ToolkitLibrary{"cufft", "libcufft.so.11"},       ToolkitLibrary{"curand", "libcurand.so.10"},
    ToolkitLibrary{"cusparse", "libcusparse.so.12"}, ToolkitLibrary{"cublasLt", "libcublasLt.so.12"},
    ToolkitLibrary{"cusolver", "libcusolver.so.11"}, ToolkitLibrary{"nvJitLink", "libnvJitLink.so.12"},
};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Puts a file there in one step, so that a build that reads it meanwhile sees the old or the new one.
void write(const fs::path& path, const std::string& text, bool executable = false) {
    fs::create_directories(path.parent_path());
    const fs::path fresh = path.string() + "." + std::to_string(getpid());
    write_file(fresh.string(), text, "the toolkit");
    if (executable)
        fs::permissions(fresh, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                   fs::perms::others_read | fs::perms::others_exec);
    fs::rename(fresh, path);
}

void link(const fs::path& path, const fs::path& target) {
    fs::create_directories(path.parent_path());
    const fs::path fresh = path.string() + "." + std::to_string(getpid());
    fs::create_symlink(target, fresh);
    fs::rename(fresh, path);
}

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

void fill(const fs::path& top, const fs::path& programs) {
    const std::string headers = shipped_folder("include", "src/cuda/include");
    write(top / "bin/nvcc",
          "#!/bin/sh\n# Heddle's nvcc.\nHEDDLE_TOOLKIT=" + quoted(top.string()) + " exec " +
              quoted((programs / "heddle").string()) + " cc \"$@\"\n",
          true);
    // CMake links CUDA programs with the program that nvcc links with. This one lets them find the runtime when they run.
    std::string first;
    for (const std::string& word : first_link_words()) first += " " + quoted(word);
    write(top / "bin/heddle-link",
          "#!/bin/sh\nexec clang++" + first + " \"$@\" " + quoted("-Wl,-rpath," + library_folder()) + "\n",
          true);
    link(top / "include", headers);
    link(top / "targets/x86_64-linux/include", headers);
    link(top / "targets/x86_64-linux/lib", top / "lib64");
    link(top / "lib", top / "lib64");
    const std::string runtime = library_folder() + "/libcudart.so.12";
    // Marks and ranges are functions of headers: there is nothing to link.
    for (const char* name : {"libcudart.so", "libcudart.so.12", "libnvToolsExt.so", "libnvToolsExt.so.1"})
        link(top / "lib64" / name, runtime);
    // Static libraries are the shared ones, by a linker script, and so is the driver the runtime; of device code there is
    // nothing left to link.
    auto script = [&](const std::string& name, const std::string& file) {
        write(top / "lib64" / name, "INPUT(" + file + ")\n");
    };
    script("libcudart_static.a", runtime);
    script("libcuda.so", runtime);
    script("stubs/libcuda.so", runtime);
    for (const ToolkitLibrary& l : kLibraries) {
        const std::string file = library_folder() + "/" + std::string(l.file),
                          name = "lib" + std::string(l.name);
        link(top / "lib64" / (name + ".so"), file);
        link(top / "lib64" / l.file, file);
        script(name + "_static.a", file);
    }
    for (const char* name : {"libcudadevrt.a", "libculibos.a"}) write(top / "lib64" / name, "!<arch>\n");
    fs::create_directories(top / "nvvm/libdevice");
    write(top / "version.txt", "CUDA Version 12.0.140\n");
    write(top / "version.json",
          "{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"12.0.140\"},\n"
          " \"cuda_nvcc\": {\"name\": \"CUDA NVCC\", \"version\": \"12.0.140\"},\n"
          " \"cuda_cudart\": {\"name\": \"CUDA Runtime (cudart)\", \"version\": \"12.0.140\"}}\n");
}

}  // namespace

fs::path user_cache() {
    if (const std::string cache = environment("XDG_CACHE_HOME"); !cache.empty()) return cache;
    if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache";
    return fs::temp_directory_path();
}

std::span<const ToolkitLibrary> toolkit_libraries() {
    return kLibraries;
}

const ToolkitLibrary* find_toolkit_library(std::string_view name) {
    constexpr std::string_view kStatic = "_static";
    if (name.ends_with(kStatic)) name.remove_suffix(kStatic.size());
    for (const ToolkitLibrary& l : kLibraries)
        if (l.name == name) return &l;
    return nullptr;
}

std::string make_toolkit() {
    const fs::path programs = program_folder();
    const std::string number = std::to_string(std::hash<std::string>{}(programs.string()) % 0xffffff);
    const fs::path top = user_cache() / "heddle" / ("cuda-12.0-" + number);
    try {
        fill(top, programs);
    } catch (const fs::filesystem_error& e) {
        throw InputError(
            "the folder that stands in for the CUDA toolkit is not writable: " + e.code().message() + " (" +
            e.path1().string() + "); set XDG_CACHE_HOME to a folder that is");
    }
    return top.string();
}

std::vector<std::pair<std::string, std::string>> toolkit_environment(const std::string& toolkit) {
    constexpr std::array folders{"CUDA_HOME",         "CUDA_PATH",         "CUDA_DIR",          "CUDA_ROOT",
                                 "CUDA_INSTALL_PATH", "CUDA_TOOLKIT_PATH", "CUDA_TOOLKIT_ROOT", "CUDAHOME"};
    std::vector<std::pair<std::string, std::string>> out;
    auto before = [&](const char* name, const std::string& value) {
        const std::string old = environment(name);
        out.emplace_back(name, old.empty() ? value : value + ":" + old);
    };
    before("PATH", toolkit + "/bin");
    before("LD_LIBRARY_PATH", toolkit + "/lib64");
    before("LIBRARY_PATH", toolkit + "/lib64");
    before("CPATH", toolkit + "/include");
    // Variables on make's command line, which is what MAKEFLAGS holds, win over those that a Makefile sets.
    std::string flags = environment("MAKEFLAGS");
    flags += flags.find(" -- ") == std::string::npos ? " --" : "";
    for (const char* name : folders) {
        out.emplace_back(name, toolkit);
        flags += std::string(" ") + name + "=" + toolkit;
    }
    out.emplace_back("MAKEFLAGS", flags);
    out.emplace_back("CUDAToolkit_ROOT", toolkit);
    out.emplace_back("CUDACXX", toolkit + "/bin/nvcc");
    return out;
}

}  // namespace heddle::cuda
