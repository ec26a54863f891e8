#include "cli/plugins.h"

#include "config/plugin.h"
#include "study/sha256.h"

namespace heddle::cli {

std::vector<PluginRecord> load_plugins(const std::vector<std::string>& files) {
    std::vector<PluginRecord> out;
    for (const std::string& file : files) {
        config::load_plugin(file);
        out.push_back({file, study::sha256_of_file(file)});
    }
    return out;
}

}  // namespace heddle::cli
