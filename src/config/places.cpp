#include "config/manual.h"

namespace heddle::config {
namespace {

void walk(const SchemaBase& schema, const std::string& path, const std::string& short_path,
          std::vector<Place>& out) {
    for (const Key& key : schema.keys()) {
        const std::string here = path + std::string(key.name),
                          here_short = short_path + std::string(key.name);
        out.push_back({here, here_short, &key, {}, nullptr});
        if (key.kind == KeyKind::section) walk(*key.schema, here + ".", here_short + ".", out);
        if (key.kind == KeyKind::map)
            walk(*key.schema, here + (key.list ? "." : ".NAME."),
                 key.in.alias ? std::string(key.in.alias) + "." : here_short + (key.list ? "." : ".NAME."),
                 out);
        if (!key.point) continue;
        for (const auto& [policy, entry] : key.point->entries()) {
            const std::string name(policy);
            out.push_back({path + name, short_path + name, &key, policy, &entry});
            if (entry.schema) walk(entry.schema(), path + name + ".", short_path + name + ".", out);
        }
    }
}

}  // namespace

std::vector<Place> all_places(const SchemaBase& schema) {
    std::vector<Place> places;
    walk(schema, {}, {}, places);
    return places;
}

}  // namespace heddle::config
