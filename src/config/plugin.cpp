#include "config/plugin.h"

#include <dlfcn.h>
#include <filesystem>

#include "sim/error.h"

namespace heddle::config {

void load_plugin(const std::string& path) {
    // A bare file name would be looked up in the system's library directories.
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        throw InputError("plugin '" + path + "': no such file");
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return;
    const std::string reason = dlerror();
    // What registers a policy has the interface's count in its name.
    const bool stale = reason.find("9InterfaceILi") != std::string::npos;
    throw InputError("plugin '" + path + "': " +
                     (stale ? "it was compiled for another version of Heddle; compile it again" : reason));
}

}  // namespace heddle::config
