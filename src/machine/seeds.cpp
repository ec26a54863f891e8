#include "machine/seeds.h"

#include <fmt/format.h>

#include "config/machine_file.h"

namespace heddle {
namespace {

void collect_seeds(const config::Node& node, const std::string& path, std::vector<std::string>& out) {
    for (const config::Node& child : node.children) {
        const std::string own = path.empty() ? child.name : path + "." + child.name;
        if (child.kind == config::Node::Kind::section)
            collect_seeds(child, own, out);
        else if (child.name == "seed")
            out.push_back(own);
    }
}

}  // namespace

std::vector<std::string> seed_keys(const config::Node& description) {
    std::vector<std::string> out;
    collect_seeds(description, {}, out);
    return out;
}

std::vector<std::string> with_seed(const std::string& machine, const std::vector<std::string>& sets,
                                   u64 seed) {
    const MachineSettings plain = config::load(MachineSettings::schema(), {.machine = machine, .sets = sets});
    std::vector<std::string> out;
    for (const std::string& key : seed_keys(config::describe(MachineSettings::schema(), plain)))
        out.push_back(fmt::format("{}={}", key, seed));
    out.insert(out.end(), sets.begin(), sets.end());
    return out;
}

}  // namespace heddle
