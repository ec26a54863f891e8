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
    if (!dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) throw InputError("plugin '" + path + "': " + dlerror());
}

}  // namespace heddle::config
