#include "sim/build.h"

#include <filesystem>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libcudart.so.12";

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

}  // namespace

std::string heddle_version() {
    return HEDDLE_VERSION;
}

std::string checkout(std::string_view path) {
    return std::string(HEDDLE_SOURCE_DIR "/").append(path);
}

std::string sanitizer_library() {
    return HEDDLE_SANITIZER_LIBRARY;
}

std::string program_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? std::string(".") : self.parent_path().string();
}

bool in_build_folder() {
    return is_there(fs::path(program_folder()) / "CMakeCache.txt");
}

std::string shipped_folder(std::string_view installed, std::string_view source) {
    const fs::path program = program_folder();
    const fs::path own = program.parent_path() / "share" / "heddle" / installed;
    if (is_there(own)) return own.string();
    // build/PRESET of a checkout.
    const fs::path copied = program.parent_path().parent_path() / source;
    return in_build_folder() && is_there(copied) ? copied.string() : checkout(source);
}

std::string library_folder() {
    const fs::path program = program_folder();
    for (const fs::path& folder :
         {program, program.parent_path() / "lib" / "heddle", fs::path(HEDDLE_BINARY_DIR)})
        if (is_there(folder / kLibrary)) return folder.string();
    return program.string();
}

}  // namespace heddle
