#include "config/plugin.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

#include "sim/error.h"

namespace heddle::config {
namespace {

/// The loader's message without the file's name in front.
std::string reason_of(const std::string& file, std::string reason) {
    if (reason.starts_with(file + ": ")) reason.erase(0, file.size() + 2);
    // The function that registers a policy has the interface's count in its name; anything else that is missing is
    // Heddle's as well.
    if (reason.find("9InterfaceILi") != std::string::npos)
        return "it was compiled for another version of Heddle; compile it again";
    if (reason.find("undefined symbol") != std::string::npos && reason.find("6heddle") != std::string::npos)
        return reason +
               "; it was compiled for another version of Heddle, or uses something that plugins cannot";
    if (reason.find("ELF") != std::string::npos || reason.find("file too short") != std::string::npos)
        return "it is not a shared object (" + reason + ")";
    return reason;
}

}  // namespace

void load_plugin(const std::string& path) {
    static std::vector<void*> loaded;
    // A bare file name would be looked up in the system's library directories.
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    const std::string blame = "plugin '" + path + "': ";
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status))
        throw InputError(blame + (error && error.value() != ENOENT ? error.message() : "no such file"));
    if (!std::filesystem::is_regular_file(status))
        throw InputError(blame + (std::filesystem::is_directory(status) ? "it is a directory"
                                                                        : "it is not a regular file"));
    const std::size_t before = registered_policies();
    void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) throw InputError(blame + reason_of(file, dlerror()));
    if (std::find(loaded.begin(), loaded.end(), object) != loaded.end()) return;
    if (registered_policies() == before)
        throw InputError(blame + "it registers no policy, so it is not a Heddle plugin");
    loaded.push_back(object);
}

}  // namespace heddle::config
